package recognize

// Cores of ring-shaped grooves.
//
// A groove that runs round something was cut along one path by one tool, so that its walls lie at one distance from
// each other everywhere. Walls round outer corners, across from others, are those of its core where both rise to one
// surface: that is no island, but what the groove left. Where others cut the groove its floor lies in pieces, and each
// piece tells what stands on it.
//
// Cost: quadratic in the walls of one groove and in the pieces of its floor, of which there are maxGroove at most.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxGroove bounds the walls of a groove, and the pieces of its floor.
const maxGroove = 64

// ring is a groove that runs round something.
type ring struct {
	width        float64 // mm
	inner, outer []int32 // walls
}

// cores marks the walls of the cores of grooves, floor by floor, and the floors of each groove.
func (r *recognizer) cores() {
	var floors []int32
	at := make(map[int32]*basin, len(r.basins))
	for i := range r.basins {
		at[r.basins[i].patch] = &r.basins[i]
		floors = append(floors, r.basins[i].patch)
	}
	planes := r.g.NewPlanes(floors)
	for i := range r.basins {
		b := &r.basins[i]
		walls := r.wallsOn(b)
		if r.groove[b.patch] != 0 || len(walls) < 2 || len(walls) > maxGroove {
			continue
		}
		one := ring{}
		one.inner, one.outer = r.parted(walls, r.v.Dirs[b.dir])
		var ok bool
		if one.width, ok = r.isOffset(b, one.inner, one.outer); !ok || !r.riseToOne(one.inner, one.outer, b) {
			continue
		}
		r.groove[b.patch] = b.patch + 1
		r.goRound(&one, b.patch, planes, at)
		for _, p := range one.inner {
			r.isCore[p] = true
		}
		for _, x := range r.g.Patches[b.patch].Arcs { // with the fillets at their feet
			if q := r.g.Arcs[x].Other(b.patch); r.isCore[r.above(q, b.patch)] {
				r.isCore[q] = true
			}
		}
	}
}

// goRound finds the other pieces of the floor of a groove: in its plane, with walls that are all on the surfaces of
// those that are known, or across the groove from them.
func (r *recognizer) goRound(one *ring, floor int32, planes *graph.PlaneIndex, at map[int32]*basin) {
	s := &r.g.Patches[floor].Shape
	var others []int32
	planes.Between(s.Axis, s.Origin, -r.g.Length, r.g.Length, func(q int32) {
		if r.groove[q] == 0 && len(others) < maxGroove && r.g.Continues(s, &r.g.Patches[q].Shape) {
			others = append(others, q)
		}
	})
	for again := true; again; {
		again = false
		for _, q := range others {
			if r.groove[q] == 0 && r.isPieceOf(one, at[q]) {
				r.groove[q] = floor + 1
				again = true
			}
		}
	}
}

// isPieceOf reports whether a floor is a piece of that of a groove, and adds its walls to the groove's.
func (r *recognizer) isPieceOf(one *ring, b *basin) bool {
	walls := r.wallsOn(b)
	if len(walls) == 0 || len(walls) > maxGroove || len(one.inner)+len(one.outer) > maxGroove || r.isWider(b, one.width) {
		return false
	}
	isOf := func(p int32, same, across []int32, width func(p, q int32) float64) bool {
		return slices.ContainsFunc(same, func(q int32) bool {
			return r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape)
		}) || slices.ContainsFunc(across, func(q int32) bool { return math.Abs(width(p, q)-one.width) <= r.slack() })
	}
	var inner, outer, rest []int32
	for _, p := range walls {
		switch {
		case isOf(p, one.inner, one.outer, func(p, q int32) float64 { return r.between(b, p, q) }):
			inner = append(inner, p)
		case isOf(p, one.outer, one.inner, func(p, q int32) float64 { return r.between(b, q, p) }):
			outer = append(outer, p)
		default:
			rest = append(rest, p)
		}
	}
	if len(inner)+len(outer) == 0 {
		inner, outer = r.otherRun(one, rest, b)
		rest = slices.DeleteFunc(rest, func(p int32) bool { return slices.Contains(inner, p) || slices.Contains(outer, p) })
	}
	for n := len(rest) + 1; len(rest) < n; { // what lay across from it is gone: it goes on from one that is known
		n = len(rest)
		rest = slices.DeleteFunc(rest, func(p int32) bool {
			switch {
			case r.goesOnFrom(p, inner):
				inner = append(inner, p)
			case r.goesOnFrom(p, outer):
				outer = append(outer, p)
			default:
				return false
			}
			return true
		})
	}
	if len(rest) > 0 {
		return false
	}
	one.inner, one.outer = append(one.inner, inner...), append(one.outer, outer...)
	return true
}

// otherRun returns two walls, as far apart as a groove is wide, that are another run of it, or another corner of the radius
// of one that is known: the inner one and those of the known core lie behind each other, as sides of one convex outline do.
func (r *recognizer) otherRun(one *ring, walls []int32, b *basin) (inner, outer []int32) {
	g := r.g
	isBehind := func(p, q int32) bool {
		s := &g.Patches[q].Shape
		return s.Kind != surface.KindPlane || g.Extent(p, s.Axis).Hi <= s.Origin.Dot(s.Axis)+r.slack()
	}
	isFlat := func(p int32) bool { return g.Patches[p].Kind == surface.KindPlane }
	hasSides := slices.ContainsFunc(one.inner, isFlat) // what has none has no corners: it is round, and another
	isAlike := func(p int32) bool {
		s := &g.Patches[p].Shape
		return isFlat(p) || hasSides && g.Sweep([]int32{p}, s) < math.Pi && slices.ContainsFunc(one.inner, func(k int32) bool {
			o := &g.Patches[k].Shape
			return o.Kind == s.Kind && graph.Parallel(o.Axis, s.Axis) && math.Abs(o.Radius-s.Radius) <= g.Length
		})
	}
	for _, p := range walls {
		for _, q := range walls {
			if isAlike(p) && math.Abs(r.between(b, p, q)-one.width) <= r.slack() &&
				!slices.ContainsFunc(one.inner, func(k int32) bool { return !isBehind(k, p) || !isBehind(p, k) }) {
				return []int32{p}, []int32{q}
			}
		}
	}
	return nil, nil
}

// goesOnFrom reports whether a patch joins one of some others smoothly.
func (r *facts) goesOnFrom(p int32, others []int32) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		return r.g.Arcs[x].Convexity == graph.Smooth && slices.Contains(others, r.g.Arcs[x].Other(p))
	})
}

// wallsOn returns the patches that rise from the rims of a floor, over fillets or not, ascending.
func (r *recognizer) wallsOn(b *basin) (out []int32) {
	for _, x := range r.g.Patches[b.patch].Arcs {
		if q := r.g.Arcs[x].Other(b.patch); !r.taken[q] && r.rises(x, b) {
			out = append(out, r.above(q, b.patch))
		}
	}
	return ascending(out)
}

// above returns the wall that stands on a floor over a fillet or a bevel q, or q itself where it is none.
func (r *facts) above(q, floor int32) int32 {
	g := r.g
	if !r.isFillet(q) || !g.IsBlend(q) {
		return chamfer.WallOver(g, q, g.Patches[floor].Axis)
	}
	standsOn := func(p int32) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool { return g.Arcs[x].Other(p) == floor })
	}
	wall, longest, meets := q, 0.0, false
	for _, x := range g.Patches[q].Arcs {
		a := &g.Arcs[x]
		switch o := a.Other(q); {
		case a.Convexity != graph.Smooth:
		case o == floor:
			meets = true
		case a.Length > longest && !standsOn(o):
			wall, longest = o, a.Length
		}
	}
	if !meets {
		return q
	}
	return wall
}

// parted tells those of the walls on a floor that run round outer corners from the others: what is round outside, planes
// that meet in outer corners, and what goes on from them.
func (r *recognizer) parted(walls []int32, dir geom.Vec3) (inner, outer []int32) {
	g := r.g
	isInner := make([]bool, len(walls))
	var queue []int
	push := func(i int) {
		if !isInner[i] && !r.isFillet(walls[i]) {
			isInner[i] = true
			queue = append(queue, i)
		}
	}
	beside := func(i int, visit func(k int, a *graph.Adjacency)) {
		for _, x := range g.Patches[walls[i]].Arcs {
			a := &g.Arcs[x]
			if k, ok := slices.BinarySearch(walls, a.Other(walls[i])); ok && a.Convexity != graph.Concave && !isAcross(a, dir) {
				visit(k, a)
			}
		}
	}
	for i, p := range walls {
		if g.Patches[p].Shape.IsMantle() {
			push(i)
		}
		beside(i, func(k int, a *graph.Adjacency) {
			if a.Convexity == graph.Convex {
				push(i)
			}
		})
	}
	for n := 0; n < len(queue); n++ {
		beside(queue[n], func(k int, _ *graph.Adjacency) { push(k) })
	}
	for i, p := range walls {
		if isInner[i] {
			inner = append(inner, p)
		} else {
			outer = append(outer, p)
		}
	}
	return inner, outer
}

// riseToOne reports whether what lies round a groove goes on on its core.
func (r *recognizer) riseToOne(core, outer []int32, b *basin) bool {
	tops := r.topsOf(core, b)
	return slices.ContainsFunc(r.topsOf(outer, b), func(t int32) bool {
		return slices.ContainsFunc(tops, func(o int32) bool {
			if t == o { // unless it is the side of a part that both end at
				return !r.isWall(t, r.v.Dirs[b.dir])
			}
			return r.g.Continues(&r.g.Patches[t].Shape, &r.g.Patches[o].Shape)
		})
	})
}

// slack is by how much lengths may differ, mm, that count as one all over the part.
func (r *facts) slack() float64 { return r.g.Length + r.g.Diagonal*graph.AxisTolerance }

// isOffset reports whether walls that look at each other across a floor lie at one distance, mm, and the floor is nowhere
// wider. Where the floor ends sooner others have cut it, or the walls.
func (r *recognizer) isOffset(b *basin, core, outer []int32) (width float64, ok bool) {
	slack := r.slack()
	for _, p := range core {
		for _, q := range outer {
			w := r.between(b, p, q)
			if w <= slack {
				continue
			}
			if width != 0 && math.Abs(w-width) > slack {
				return 0, false
			}
			width = w
		}
	}
	return width, width > 0 && !r.isWider(b, width)
}

// isWider reports whether a floor reaches farther than a width, mm, from one of the walls on it.
func (r *recognizer) isWider(b *basin, width float64) bool {
	const beyond = 0.1 // of the width: facets of a round wall lie within it
	g := r.g
	up := r.v.Dirs[b.dir]
	for _, x := range g.Patches[b.patch].Arcs {
		if !r.rises(x, b) {
			continue
		}
		a := &g.Arcs[x]
		n := g.NormalAt(g.Patches[r.above(a.Other(b.patch), b.patch)].Faces[0], a.Mid)
		at := a.Mid.AddScaled((1+beyond)*width, n.AddScaled(-n.Dot(up), up).Unit())
		isOn := false
		g.EachTriangle(b.patch, func(p, q, s geom.Vec3) bool {
			side := func(from, to geom.Vec3) float64 { return to.Sub(from).Cross(at.Sub(from)).Dot(up) }
			isOn = side(p, q) >= 0 && side(q, s) >= 0 && side(s, p) >= 0
			return !isOn
		})
		if isOn && !slices.ContainsFunc(g.Patches[b.patch].Arcs, func(y int32) bool { return r.rises(y, b) && r.isInNextRun(at, x, y, b, width) }) {
			return true
		}
	}
	return false
}

// isInNextRun reports whether a point is no farther than a width, mm, before the plane that rises from a floor over an edge and
// meets that over another edge in an inner corner: it is where a groove goes on round the corner.
func (r *facts) isInNextRun(at geom.Vec3, from, to int32, b *basin, width float64) bool {
	wall, next := r.above(r.g.Arcs[from].Other(b.patch), b.patch), r.above(r.g.Arcs[to].Other(b.patch), b.patch)
	if r.g.Patches[next].Kind != surface.KindPlane || !r.meets(wall, next, graph.Concave) {
		return false
	}
	d := at.Sub(r.g.Arcs[to].Mid).Dot(flattened(r.g.Patches[next].Axis, r.v.Dirs[b.dir]).Unit())
	return d > -r.slack() && d <= width+r.slack()
}

// between returns the width, mm, at its floor of the groove between two walls that look at each other, a core's first; 0
// or less where they do not. Drafted walls are as far apart as where they would meet the floor.
func (r *facts) between(b *basin, core, outer int32) float64 {
	p, q := &r.g.Patches[core].Shape, &r.g.Patches[outer].Shape
	up := r.v.Dirs[b.dir]
	switch {
	case p.Kind == surface.KindPlane && q.Kind == surface.KindPlane:
		n, far := p.Axis.AddScaled(-p.Axis.Dot(up), up), q.Axis.AddScaled(-q.Axis.Dot(up), up)
		if n.Dot(far) >= 0 || !graph.Parallel(n.Unit(), far.Unit()) {
			return 0
		}
		reach := func(s *graph.Shape, level float64) float64 {
			return (s.Origin.Dot(s.Axis) - b.z*s.Axis.Dot(up)) / level
		}
		return -reach(q, far.Norm()) - reach(p, n.Norm())
	case p.IsMantle() && q.Hollow && q.Kind == p.Kind && r.g.Coaxial(p, q) && graph.Parallel(p.Axis, up):
		foot := p.Origin.AddScaled((b.z-p.Origin.Dot(up))/p.Axis.Dot(up), p.Axis)
		return q.RadiusAt(foot) - p.RadiusAt(foot)
	}
	return 0
}

// topsOf returns the patches above the floor of b that some walls meet in convex edges, or over roundings or chamfers of
// them.
func (r *recognizer) topsOf(walls []int32, b *basin) []int32 {
	var out []int32
	above := func(p int32, visit func(a *graph.Adjacency)) {
		for _, x := range r.g.Patches[p].Arcs {
			if a := &r.g.Arcs[x]; a.Mid.Dot(r.v.Dirs[b.dir]) > b.z+r.g.Length {
				visit(a)
			}
		}
	}
	for _, p := range walls {
		above(p, func(a *graph.Adjacency) {
			q := a.Other(p)
			s := &r.g.Patches[q].Shape
			switch {
			case a.Convexity == graph.Convex:
				out = append(out, q)
				if r.isChamfer[q] {
					above(q, func(o *graph.Adjacency) { out = append(out, o.Other(q)) })
				}
			case a.Convexity == graph.Smooth && !s.Hollow && s.Kind != surface.KindPlane && !slices.Contains(walls, q):
				above(q, func(o *graph.Adjacency) {
					if t := o.Other(q); o.Convexity != graph.Concave && t != p && !slices.Contains(walls, t) {
						out = append(out, t)
					}
				})
			}
		})
	}
	return out
}
