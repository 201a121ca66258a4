package recognize

// Bosses: islands of convex walls on a floor.
//
// Two rules, besides those for lugs (lug.go) and for turned shoulders (shoulder.go). An inner rim of a plane
// along which walls or their fillets rise all the way round is the foot of an island. Where other features
// cut an island or its floor, there is no such rim: walls that stand on floors and make, with what is flush
// beside them, a closed chain round material are an island too when they show on all sides, those on floors
// of one height on half of them at least, or on half of the chain where the others are flush with the edge of that floor.
//
// The core of a ring-shaped groove is no island (core.go). Walls that also stand on the outer rim of a floor (ribs
// joined to a pocket's wall) are none either: where walls rise from all of that rim, those of a chain that stands on
// floors all round alone are an island's.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// footShare is the share of its circumference on which an island must stand on floors.
	footShare = 0.25

	// wholeShare is the share on which it does where nothing else cuts it.
	wholeShare = 0.9

	// lugShare is how many times larger than the section of what stands on it a floor is at least, that is twice as wide, for
	// that to be a lug at its edge: a smaller floor may be a ledge that was cut round a post.
	lugShare = 4
)

// foot is a wall that stands on a floor.
type foot struct {
	wall, floor int32
	blend       int32   // the fillet between, None where the edge is sharp
	length      float64 // mm, along the wall
	inRim       bool    // on the outer rim of a floor from all of which walls rise
}

// island makes a boss of the walls on an inner rim of a floor. What leans out over the floor, they or what stands on them, may
// hide the feet of some of them.
func (r *recognizer) island(b *basin, ring *graph.BoundaryLoop) {
	g := r.g
	var hidden []int32
	for _, x := range ring.Arcs {
		q := g.Arcs[x].Other(b.patch)
		switch {
		case r.taken[q] || r.isCore[q]:
			return
		case r.rises(x, b):
		case r.risesFrom(x, b.patch, b) && !r.folded(b.patch, q):
			hidden = append(hidden, q)
		default:
			return
		}
	}
	one := *b
	one.rims = []graph.BoundaryLoop{*ring}
	walls := r.gather(&one, true)
	if len(walls) == 0 {
		return
	}
	walls = ascending(append(r.withoutKeyways(r.withoutPads(r.withoutSlopes(walls, b))), hidden...))
	r.addBoss(walls, b.dir, "island", fmt.Sprintf("%s on all sides from one floor at %s.",
		count(len(walls), "wall rises", "walls rise"), mm(b.z)))
}

func (r *recognizer) addBoss(patches []int32, d int, rule, reason string) {
	r.addBossFrom(math.Inf(-1), patches, d, rule, reason)
}

// addBossFrom adds a boss that begins no lower than at a height, whatever of its walls goes on below.
func (r *recognizer) addBossFrom(foot float64, patches []int32, d int, rule, reason string) {
	d, patches, isBent := r.bent(d, patches)
	if isBent {
		rule = bentNeck
	}
	dir := r.v.Dirs[d]
	z := r.g.ExtentOf(patches, dir)
	z.Lo = max(z.Lo, foot)
	r.add(found{
		typ: feature.Boss, patches: patches, dir: dir, axis: &dir, z: z, rule: rule,
		reasons: []string{reason, fmt.Sprintf("It stands %s high.", mm(z.Length()))},
	})
}

// feet lists the steep walls, not yet taken, that stand on floors facing direction d.
func (r *recognizer) feet(d int, floors []*basin) []foot {
	g := r.g
	dir := r.v.Dirs[d]
	var out []foot
	for _, b := range floors {
		if r.taken[b.patch] && r.out[r.owner[b.patch]].typ != feature.Hole {
			continue
		}
		inPocket := r.closedRim(b)
		for _, x := range g.Patches[b.patch].Arcs {
			a := &g.Arcs[x]
			q := a.Other(b.patch)
			_, inRim := slices.BinarySearch(inPocket, x)
			switch {
			case r.taken[q] || r.isCore[q] || r.isAtEdge(q, b.patch) || r.sheet.Folded(q, b.patch):
			case a.Convexity == graph.Concave && section.IsSteep(r.g, q, dir):
				out = append(out, foot{q, b.patch, graph.None, a.Length, inRim})
			case a.Convexity == graph.Smooth && r.isFillet(q) && !section.IsSteep(r.g, q, dir):
				for _, y := range g.Patches[q].Arcs {
					o := g.Arcs[y].Other(q)
					isFree := o != b.patch && !r.taken[o] && !r.isCore[o]
					isSmooth := g.Arcs[y].Convexity == graph.Smooth || isShallow(&g.Arcs[y])
					if isFree && isSmooth && section.IsSteep(r.g, o, dir) && isAcross(&g.Arcs[y], dir) {
						out = append(out, foot{o, b.patch, q, g.Arcs[y].Length, inRim})
					}
				}
			}
		}
	}
	return out
}

// closedRim returns the outer rim of a floor, ascending, when walls rise from all of it: they are a pocket's.
func (r *recognizer) closedRim(b *basin) []int32 {
	for _, ring := range b.rims {
		if !ring.IsInner && !slices.ContainsFunc(ring.Arcs, func(x int32) bool { return !r.rises(x, b) }) {
			return ring.Arcs
		}
	}
	return nil
}

// isAcross reports whether an edge runs across dir.
func isAcross(a *graph.Adjacency, dir geom.Vec3) bool {
	c := a.Dir.Dot(dir)
	return c <= graph.LateralCos && c >= -graph.LateralCos
}

// isFillet reports whether a patch is hollow and curved, as the blend of an inner edge is.
func (r *facts) isFillet(p int32) bool {
	return r.g.Patches[p].Hollow && r.g.Patches[p].Kind != surface.KindPlane
}

// rings finds the islands whose walls make closed chains.
func (r *recognizer) rings(d int, floors []*basin, feet []foot) {
	g := r.g
	w := r.wallsAlong(d)
	at := map[int32][]int{} // feet by wall
	var order []int32
	for i, f := range feet {
		if at[f.wall] == nil {
			order = append(order, f.wall)
		}
		at[f.wall] = append(at[f.wall], i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(g.Patches[b].Area, g.Patches[a].Area)
	})
	s := standing{floors: floors, feet: feet, at: at, tried: map[int32]bool{}}
	cuts := slices.Concat(profileCuts[:]...)
	for _, p := range order {
		if r.taken[p] || s.tried[p] {
			continue
		}
		s.tried[p] = true
		z := g.Extent(p, w.Dir)
		for _, i := range at[p] { // what goes on below its floor is cut above it
			if level := g.Extent(feet[i].floor, w.Dir).Hi; level < z.Hi-g.Length {
				z.Lo = max(z.Lo, level)
			}
		}
		for _, h := range cuts {
			if c, ok := w.ChainOf(p, z.At(h)); ok && c.Area > 0 && r.ring(d, w, c, p, &s) {
				break
			}
		}
	}
}

// standing are the feet of one direction by wall.
type standing struct {
	floors []*basin
	feet   []foot
	at     map[int32][]int // feet by wall
	tried  map[int32]bool  // walls
}

// ring makes a boss of the walls in a chain that stand on floors at the height of those of wall p.
func (r *recognizer) ring(d int, w *section.Walls, c *section.Chain, p int32, s *standing) bool {
	level := r.g.Extent(s.feet[s.at[p][0]].floor, w.Dir).Hi
	ledge := r.ledgeUnder(s, c, w.Dir)
	var ring, patches, lower, hanging []int32 // lower: on floors of any height
	length := 0.0
	isWhole := ledge != graph.None || r.standsOn(s, c, level) >= wholeShare*c.Length
	for _, q := range c.Patches {
		if r.taken[q] || s.at[q] == nil {
			if c.IsClosed && r.isBetween(q, c, s, w) {
				hanging = append(hanging, q)
			}
			continue
		}
		lower = append(lower, q)
		if ledge == graph.None && !r.onLevel(s.feet, s.at[q], level) {
			continue
		}
		ring = append(ring, q)
		for _, i := range s.at[q] {
			if !isWhole && s.feet[i].inRim {
				continue
			}
			length += s.feet[i].length
			if b := s.feet[i].blend; b != graph.None && !r.taken[b] {
				patches = append(patches, b)
			}
		}
	}
	// Sides of the part that go on below may join walls of several bays.
	own := slices.DeleteFunc(slices.Clone(ring), func(q int32) bool { return w.Z[q].Lo < level-r.g.Length })
	if verdict.Fill(r.g, ring, nil) <= 0 || r.areHollows(own, w.Dir) {
		return false
	}
	isSure := length >= footShare*c.Length && (w.Embraces(ring) || r.isTongue(ring, lower, level, w) && !r.isLand(ring, s))
	if f := r.stemOf(ring, c, level, w); !isSure && f != graph.None {
		for _, q := range slices.Concat(patches, ring) {
			r.extend(f, q)
		}
		r.out[f].reasons = append(r.out[f].reasons, "Walls on the same floor stand out from it.")
		return true
	}
	onFloor := s.feet[s.at[p][0]].floor
	isLug := c.IsClosed && r.g.Patches[onFloor].Area >= lugShare*c.Area
	if !isSure && (!r.isFlush(ring, w) || !isLug && !r.holds(doubt{"boss flush with a side", p, int32(d)}, false)) {
		return false
	}
	for _, q := range ring {
		s.tried[q] = true
	}
	foot := math.Inf(-1)
	if ledge != graph.None {
		foot = r.g.Extent(ledge, w.Dir).Hi
	}
	for _, one := range r.apart(ascending(slices.Concat(patches, ring, hanging)), w.Dir) {
		r.addBossFrom(foot, one, d, "ring of walls", fmt.Sprintf("%s to a ring, and %s of it stands on floors.",
			count(len(one), "wall closes", "walls close"), percent(length/c.Length)))
	}
	return true
}

// stemOf returns the boss on the same level from which free walls of a chain on two sides of something stand out, as keys
// and ribs do that end at a side of the part; None where there is none.
func (r *recognizer) stemOf(ring []int32, c *section.Chain, level float64, w *section.Walls) int32 {
	stem := int32(graph.None)
	all := slices.Clone(ring)
	for _, q := range c.Patches {
		f := r.owner[q]
		if f == graph.None || r.out[f].typ != feature.Boss {
			continue
		}
		if stem != graph.None && f != stem || r.out[f].dir != w.Dir || math.Abs(r.out[f].z.Lo-level) > r.g.Length {
			return graph.None
		}
		stem = f
		all = append(all, q)
	}
	if stem == graph.None || !c.IsClosed || section.Gap(r.g, w.Dir, ring) > math.Pi+graph.SmoothAngle || !w.Embraces(all) {
		return graph.None
	}
	return stem
}

// isBetween reports whether a free wall joins walls of a chain that stand on floors smoothly on both sides, and only fillets
// below it.
func (r *recognizer) isBetween(p int32, c *section.Chain, s *standing, w *section.Walls) bool {
	if r.taken[p] || s.at[p] != nil || !r.isUpright(p, w.Dir) {
		return false
	}
	sides := 0
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		q := a.Other(p)
		switch {
		case isAcross(a, w.Dir):
			if a.Convexity == graph.Concave && !r.isFillet(q) {
				return false
			}
		case a.Convexity != graph.Smooth || s.at[q] == nil || !slices.Contains(c.Patches, q):
			return false
		default:
			sides++
		}
	}
	return sides > 1
}

// areHollows reports whether walls fall apart into several groups, each of which looks at its own middle.
func (r *recognizer) areHollows(walls []int32, dir geom.Vec3) bool {
	groups := r.connected(walls)
	return len(groups) > 1 && !slices.ContainsFunc(groups, func(one []int32) bool {
		return len(one) < 2 || verdict.Fill(r.g, one, nil) > 0
	})
}

// apart parts the walls of a ring into those that hang together, when each goes round more than half a turn by itself:
// several lugs may stand round one edge.
func (r *recognizer) apart(ring []int32, dir geom.Vec3) [][]int32 {
	groups := r.connected(ring)
	if slices.ContainsFunc(groups, func(one []int32) bool { return !section.Embraces(r.g, dir, one) }) {
		return [][]int32{ring}
	}
	return groups
}

// standsOn returns the length, mm, on which the free walls of a chain stand on floors at a height.
func (r *recognizer) standsOn(s *standing, c *section.Chain, level float64) float64 {
	length := 0.0
	for _, q := range c.Patches {
		if !r.taken[q] && r.onLevel(s.feet, s.at[q], level) {
			for _, i := range s.at[q] {
				length += s.feet[i].length
			}
		}
	}
	return length
}

// isFlush reports whether walls on one floor show on three sides at least: the fourth side of what stands there may be
// flush with the part.
func (r *recognizer) isFlush(ring []int32, w *section.Walls) bool {
	const sides = 3
	return len(ring) >= sides && section.Gap(r.g, w.Dir, ring) <= math.Pi+graph.SmoothAngle
}

// isLand reports whether all walls are sides of slots, to which others rise across from the same floors: what is left between.
func (r *recognizer) isLand(walls []int32, s *standing) bool {
	return !slices.ContainsFunc(walls, func(p int32) bool {
		return !slices.ContainsFunc(s.at[p], func(i int) bool {
			floor := s.feet[i].floor
			return slices.ContainsFunc(r.g.Patches[floor].Arcs, func(x int32) bool {
				a := &r.g.Arcs[x]
				o := r.wallBehind(a.Other(floor), floor)
				return a.Convexity != graph.Convex && o != graph.None && !slices.Contains(walls, o) && r.isBefore([]int32{p}, []int32{o}) &&
					r.g.Patches[p].Kind == surface.KindPlane && r.g.Patches[o].Axis.Dot(r.g.Patches[p].Axis) <= -graph.LateralCos
			})
		})
	})
}

// isTongue reports whether walls on one floor, none of which goes on below it, show on half of all sides and turn outwards,
// while those on floors of any height beside them show on all.
func (r *recognizer) isTongue(standing, lower []int32, level float64, w *section.Walls) bool {
	if !w.Embraces(lower) || section.Gap(r.g, w.Dir, standing) > math.Pi+graph.SmoothAngle {
		return false
	}
	for _, p := range standing {
		if r.isFillet(p) || w.Z[p].Lo < level-r.g.Length {
			return false
		}
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if a.Convexity == graph.Concave && !isAcross(a, w.Dir) && slices.Contains(standing, a.Other(p)) {
				return false
			}
		}
	}
	return true
}

// ledgeUnder returns the floor on which walls of a closed chain stand, on half of it at least, while the others are flush with
// its edge and go on below it to floors of their own; None where there is none, or where these turn inwards, as the walls of a
// hollow do that goes down beside it.
func (r *recognizer) ledgeUnder(s *standing, c *section.Chain, dir geom.Vec3) int32 {
	ledge, top := int32(graph.None), math.Inf(-1)
	for _, q := range c.Patches {
		if r.taken[q] || s.at[q] == nil {
			return graph.None
		}
		for _, i := range s.at[q] {
			if z := r.g.Extent(s.feet[i].floor, dir).Hi; z > top+r.g.Length {
				ledge, top = s.feet[i].floor, z
			}
		}
	}
	length, flush := 0.0, 0
	for _, q := range c.Patches {
		i := slices.IndexFunc(s.at[q], func(i int) bool { return s.feet[i].floor == ledge })
		switch {
		case i >= 0:
			length += s.feet[s.at[q][i]].length
		case !r.meets(q, ledge, graph.Convex) || r.isFillet(q) || r.turnsIn(q, dir):
			return graph.None
		default:
			flush++
		}
	}
	if !c.IsClosed || flush == 0 || length < c.Length/2-r.slack() {
		return graph.None
	}
	return ledge
}

// turnsIn reports whether a wall along a direction meets another in an inner corner.
func (r *facts) turnsIn(p int32, dir geom.Vec3) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		return r.g.Arcs[x].Convexity == graph.Concave && !isAcross(&r.g.Arcs[x], dir)
	})
}

// meets reports whether two patches share an edge that turns in a way.
func (r *facts) meets(p, q int32, bend graph.Convexity) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		return r.g.Arcs[x].Other(p) == q && r.g.Arcs[x].Convexity == bend
	})
}

// onLevel reports whether one of some feet stands on a floor at height z.
func (r *recognizer) onLevel(feet []foot, which []int, z float64) bool {
	return slices.ContainsFunc(which, func(i int) bool {
		p := &r.g.Patches[feet[i].floor]
		return math.Abs(p.Origin.Dot(p.Axis)-z) <= r.g.Length
	})
}

// ascending sorts and drops repetitions.
func ascending(p []int32) []int32 {
	slices.Sort(p)
	return slices.Compact(p)
}
