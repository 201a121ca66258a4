// Package channel finds T-slots and dovetails: straight channels that are wider below than at their
// opening.
package channel

// Method: from every plane as a floor the walls of a channel are gathered over concave edges and the
// fillets in their place: sides that stand on the floor, ceilings above them that look down on it, and
// necks, which rise from the ceilings over convex edges. Two opposite sides that lean over the floor
// make a dovetail, two upright ones under ceilings with necks above a T-slot. Walls at closed ends and
// pieces parted by other features come along, because they are reached the same way.
//
// Cost: linear in the edges of the patches reached; a patch is reached from its own channel's floor
// alone. Limits: planar sides, straight channels; ring-shaped ones are left to other rules.

import (
	"fmt"
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	// leanMin (rad, 3°) tells a flank that leans over from an upright side.
	leanMin = 3 * math.Pi / 180

	// levelMin (rad, 5°) is how far a ceiling may be from level.
	levelMin = 5 * math.Pi / 180

	// besideShare is the share of its length on which both sides must stand beside a floor.
	besideShare = 0.5

	// maxArcs bounds the edges of a channel's side: a wall with more carries something else, and looking
	// at all of them from each of its neighbours would cost their square.
	maxArcs = 256

	// maxBlendArcs bounds the edges of a fillet along a channel.
	maxBlendArcs = 8
)

// Channel is one T-slot or dovetail.
type Channel struct {
	Type    feature.Type // Tslot or Dovetail
	Floor   int32
	Dir     geom.Vec3 // unit normal of the floor
	Along   geom.Vec3 // unit, along the channel, canonical sense
	Patches []int32   // ascending, the floor included
	Open    []int32   // of these the ones seen along Dir: necks of a T-slot, the floor of a dovetail
	Reason  string
}

// role is what a patch is in a channel.
type role uint8

const (
	outside role = iota
	floor
	side    // upright, on the floor
	flank   // leaning over the floor
	ceiling // facing the floor
	neck    // upright, above a ceiling or a flank
	blend
)

type channels struct {
	*graph.Graph
	role []role
}

// Find returns the channels of a part; taken patches, by patch, are not looked at.
func Find(g *graph.Graph, taken []bool) []Channel {
	f := channels{g, make([]role, len(g.Patches))}
	used := slices.Clone(taken)
	var out []Channel
	for i := range g.Patches {
		p := int32(i)
		if used[p] || g.Patches[p].Kind != surface.KindPlane {
			continue
		}
		if !f.isPromising(p) {
			continue
		}
		c, ok := f.from(p, used)
		if !ok {
			continue
		}
		for _, q := range c.Patches {
			used[q] = true
		}
		out = append(out, c)
	}
	return out
}

// isPromising reports whether something leans over plane p, or a ceiling looks at it from a wall away.
func (f *channels) isPromising(p int32) bool {
	n := f.Patches[p].Axis
	overhangs := func(q int32, by float64) bool { return f.Slopes(q, n).Hi < -math.Sin(by) }
	for _, x := range f.Patches[p].Arcs {
		if f.Arcs[x].Bend == graph.Convex {
			continue
		}
		q := f.Arcs[x].Other(p)
		if overhangs(q, leanMin) {
			return true
		}
		if len(f.Patches[q].Arcs) > maxArcs {
			continue
		}
		for _, y := range f.Patches[q].Arcs {
			if o := f.Arcs[y].Other(q); f.Arcs[y].Bend != graph.Convex && o != p && overhangs(o, leanMin) {
				return true
			}
			if f.Arcs[y].Bend == graph.Smooth && len(f.Patches[f.Arcs[y].Other(q)].Arcs) <= maxBlendArcs {
				return true // a fillet hides what comes after it
			}
		}
	}
	return false
}

// from gathers the channel above floor p.
func (f *channels) from(p int32, used []bool) (c Channel, ok bool) {
	n := f.Patches[p].Axis
	queue := []int32{p}
	f.role[p] = floor
	for i := 0; i < len(queue); i++ {
		if i > 0 && len(f.Patches[queue[i]].Arcs) > maxArcs {
			continue
		}
		for _, x := range f.Patches[queue[i]].Arcs {
			q := f.Arcs[x].Other(queue[i])
			if used[q] || f.role[q] != outside {
				continue
			}
			if as := f.next(queue[i], q, &f.Arcs[x], n); as != outside {
				f.role[q] = as
				queue = append(queue, q)
			}
		}
	}
	c, ok = f.judge(p, queue)
	for _, q := range queue {
		f.role[q] = outside
	}
	return c, ok
}

// next returns the role of q, reached from patch p of a channel over a floor of normal n.
func (f *channels) next(p, q int32, a *graph.Arc, n geom.Vec3) role {
	s := f.Slopes(q, n)
	isUpright := max(math.Abs(s.Lo), math.Abs(s.Hi)) <= math.Sin(leanMin)
	isInner := a.Bend == graph.Concave || a.Bend == graph.Smooth && f.role[p] == blend
	if a.Bend == graph.Smooth && f.Patches[q].Kind != surface.KindPlane && f.role[p] != blend {
		isEdge := f.role[p] != floor && f.role[p] != side // of a ceiling or an opening, rounded
		switch {
		case isUpright && f.Patches[q].Hollow && f.role[p] != floor:
			return f.role[p] // a rounded corner between two walls
		case f.Patches[q].Hollow || isEdge:
			return blend
		}
		return outside
	}
	switch f.role[p] {
	case floor, blend, side, flank:
		switch {
		case isInner && s.Hi <= -math.Cos(levelMin):
			return ceiling
		case isInner && f.role[p] == blend && f.belowNeck(p, n):
			if isUpright && f.risesFrom(q, a, n) {
				return neck
			}
		case isInner && isUpright && f.onFloor(q):
			return side
		case isInner && s.Hi < -math.Sin(leanMin) && f.onFloor(q):
			return flank
		case a.Bend == graph.Convex && f.role[p] == flank && isUpright && f.risesFrom(q, a, n):
			return neck
		}
	case ceiling:
		switch {
		case a.Bend == graph.Convex && isUpright && f.risesFrom(q, a, n):
			return neck
		case a.Bend == graph.Concave && isUpright && f.onFloor(q):
			return side
		}
	case neck:
		if isUpright && a.Bend == graph.Concave {
			return neck
		}
	}
	return outside
}

// onFloor reports whether a patch stands on the floor, directly or over a fillet: what does not leads out
// of the channel.
func (f *channels) onFloor(p int32) bool {
	if len(f.Patches[p].Arcs) > maxArcs {
		return false
	}
	for _, x := range f.Patches[p].Arcs {
		q := f.Arcs[x].Other(p)
		if f.role[q] == floor {
			return true
		}
		if !f.Patches[q].Hollow || len(f.Patches[q].Arcs) > maxBlendArcs {
			continue
		}
		for _, y := range f.Patches[q].Arcs {
			if f.role[f.Arcs[y].Other(q)] == floor {
				return true
			}
		}
	}
	return false
}

// risesFrom reports whether patch q begins at edge a: the ends of the part reach lower.
func (f *channels) risesFrom(q int32, a *graph.Arc, n geom.Vec3) bool {
	return len(f.Patches[q].Arcs) <= maxArcs && f.Extent(q, n).Lo >= a.Mid.Dot(n)-f.Length
}

// belowNeck reports whether a blend rounds the edge between a ceiling and a neck.
func (f *channels) belowNeck(p int32, n geom.Vec3) bool {
	return !f.Patches[p].Hollow && f.Slopes(p, n).Lo < -graph.SmoothAngle
}

// judge says what was gathered over floor p.
func (f *channels) judge(p int32, all []int32) (c Channel, ok bool) {
	n := f.Patches[p].Axis
	var flanks, sides, necks []int32
	ceilings := false
	for _, q := range all {
		isPlane := f.Patches[q].Kind == surface.KindPlane
		switch f.role[q] {
		case flank:
			if isPlane {
				flanks = append(flanks, q)
			}
		case side, neck: // a wall at a closed end leads to either
			switch {
			case f.aboveCeiling(q):
				necks = append(necks, q)
			case isPlane && f.underCeiling(q):
				sides = append(sides, q)
			}
		case ceiling:
			ceilings = true
		}
	}
	c = Channel{Floor: p, Dir: n, Patches: slices.Clone(all)}
	slices.Sort(c.Patches)
	a, b, isPair := f.pair(flanks, n)
	if isPair && !ceilings && !f.meet(flanks) && f.isStraight(p, flanks, a, b) {
		c.Type, c.Open = feature.Dovetail, []int32{p}
		lean := math.Asin(-f.Patches[a].Axis.Dot(n))
		c.Along = graph.Canonical(n.Cross(f.Patches[a].Axis).Unit())
		c.Reason = fmt.Sprintf("Two flanks lean %.3g° and %.3g° over a flat floor.", geom.Degrees(lean),
			geom.Degrees(math.Asin(-f.Patches[b].Axis.Dot(n))))
		return c, true
	}
	na, nb, isOpen := f.pair(necks, n)
	isOpen = isOpen && f.isStraight(p, necks, na, nb)
	if a, b, isPair := f.pair(sides, n); isPair && isOpen && f.isStraight(p, sides, a, b) {
		c.Type, c.Open = feature.Tslot, necks
		c.Along = graph.Canonical(n.Cross(f.Patches[a].Axis).Unit())
		c.Reason = "Two upright sides stand under ceilings, with a narrower neck above."
		return c, true
	}
	return c, false
}

// meet reports whether two flanks close over the floor, in an edge or a fillet, as the walls of a
// triangle do.
func (f *channels) meet(flanks []int32) bool {
	facing := func(p, q int32) bool { return p != q && f.Patches[p].Axis.Dot(f.Patches[q].Axis) < 0 }
	for _, p := range flanks {
		for _, x := range f.Patches[p].Arcs {
			a := &f.Arcs[x]
			q := a.Other(p)
			if a.Bend == graph.Concave && f.role[q] == flank && facing(p, q) {
				return true
			}
			if f.role[q] != blend {
				continue
			}
			for _, y := range f.Patches[q].Arcs {
				if o := f.Arcs[y].Other(q); f.role[o] == flank && facing(p, o) {
					return true
				}
			}
		}
	}
	return false
}

// aboveCeiling reports whether a wall rises from a ceiling, directly or over a rounding.
func (f *channels) aboveCeiling(p int32) bool {
	for _, x := range f.Patches[p].Arcs {
		q := f.Arcs[x].Other(p)
		if f.role[q] == ceiling && f.Arcs[x].Bend == graph.Convex {
			return true
		}
		if f.role[q] == blend && !f.Patches[q].Hollow && f.besideCeiling(q) {
			return true
		}
	}
	return false
}

// underCeiling reports whether a side meets a ceiling, directly or by a fillet.
func (f *channels) underCeiling(p int32) bool {
	for _, x := range f.Patches[p].Arcs {
		q := f.Arcs[x].Other(p)
		if f.role[q] == ceiling || f.role[q] == blend && f.besideCeiling(q) {
			return true
		}
	}
	return false
}

// besideCeiling reports whether a ceiling borders on a patch.
func (f *channels) besideCeiling(p int32) bool {
	return slices.ContainsFunc(f.Patches[p].Arcs, func(x int32) bool {
		return f.role[f.Arcs[x].Other(p)] == ceiling
	})
}

// isStraight reports whether walls like a on one side and like b on the other accompany the floor for most
// of its length, as along a channel: a wide floor with a ledge over two spots is none.
func (f *channels) isStraight(floor int32, walls []int32, a, b int32) bool {
	n := f.Patches[floor].Axis
	along := n.Cross(f.Patches[a].Axis).Unit()
	length := f.Extent(floor, along).Length()
	sum := [2]float64{}
	for _, p := range walls {
		for i, like := range [2]int32{a, b} {
			u, v := f.Patches[p].Axis, f.Patches[like].Axis
			if u.Dot(v) > 0 && graph.Parallel(u, v) {
				sum[i] += f.Extent(p, along).Length()
			}
		}
	}
	return min(sum[0], sum[1]) >= besideShare*length
}

// pair finds two walls that face each other across a straight channel.
func (f *channels) pair(walls []int32, n geom.Vec3) (a, b int32, ok bool) {
	level := func(p int32) geom.Vec3 { return f.Patches[p].Axis.AddScaled(-f.Patches[p].Axis.Dot(n), n).Unit() }
	for i, a := range walls {
		for _, b := range walls[i+1:] {
			u, v := level(a), level(b)
			apart := f.Patches[b].Origin.Sub(f.Patches[a].Origin).Dot(u)
			if u.Dot(v) < 0 && graph.Parallel(u, v) && apart > f.Length {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}
