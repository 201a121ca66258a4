package recognize

// Bosses: islands of convex walls on a floor.
//
// There are two rules, apart from lugs (lug.go) and turned shoulders (shoulder.go). An inner boundary loop of a plane
// with rising walls or fillets all around is the base of an island. Other features may cut the island or its floor, so
// that no such loop exists. Then walls on floors that form a closed chain around material, with faces flush beside
// them, are an island if they show on all sides. On floors of one height, half of all sides is enough. So is half of
// the chain if the other walls are flush with the edge of the floor.
//
// The core of a ring groove is not an island (grooveisland.go). Walls that also rest on the outer boundary of a floor,
// such as ribs at the wall of a pocket, are not islands either. If walls rise from all of that boundary, only a chain
// that rests on floors all around is an island.

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
)

const (
	// minBaseRatio is the smallest ratio of the base of an island on floors to its circumference.
	minBaseRatio = 0.25

	// wholeBaseRatio is that ratio for an island that no other feature cuts.
	wholeBaseRatio = 0.9

	// minLugRatio is the smallest ratio of the area of a floor to the section of a lug at its edge. The floor is then
	// twice as wide. A smaller floor may be a ledge cut around a post.
	minLugRatio = 4
)

// wallBase is a wall that rests on a floor.
type wallBase struct {
	wall, floor int32
	blend       int32   // the fillet between, None for a sharp edge
	length      float64 // mm, along the wall
	inRim       bool    // on the outer boundary of a floor with walls all around
}

// island proposes a boss from the walls on an inner boundary loop of a floor. Walls that lean out over the floor, or
// patches above them, may hide base edges.
func island(r *reading, v *verifier, b *floorCandidate, loop *graph.BoundaryLoop) {
	g := r.g
	var hidden []int32
	for _, x := range loop.Arcs {
		q := g.Arcs[x].Other(b.patch)
		switch {
		case r.isTaken(q) || r.isCore[q]:
			return
		case r.climbs(x, b):
		case climbsFrom(r.partContext, x, b.patch, b) && !r.folded(b.patch, q):
			hidden = append(hidden, q)
		default:
			return
		}
	}
	one := *b
	one.boundaryLoops = []graph.BoundaryLoop{*loop}
	walls := r.gather(&one, true)
	if len(walls) == 0 {
		return
	}
	walls = ascending(append(withoutKeyways(r.partContext, withoutPads(r, v, withoutSlopes(r, walls, b))), hidden...))
	addBoss(r, v, walls, b.dir, "island", fmt.Sprintf("%s on all sides from one floor at %s.",
		count(len(walls), "wall rises", "walls rise"), mm(b.z)))
}

func addBoss(r *reading, v *verifier, patches []int32, d int, rule, reason string) {
	addBossFrom(r, v, math.Inf(-1), patches, d, rule, reason)
}

// addBossFrom proposes a boss whose height begins at base or above, even if its walls continue below.
func addBossFrom(r *reading, v *verifier, base float64, patches []int32, d int, rule, reason string) {
	d, patches, isBent := withContinuations(r, d, patches)
	if isBent {
		rule = bentNeck
	}
	f := r.along(feature.Boss, rule, patches, r.v.Dirs[d])
	f.z.Lo = max(f.z.Lo, base)
	f.reasons = []string{reason, fmt.Sprintf("It stands %s high.", mm(f.z.Length()))}
	v.propose(f)
}

// findWallBases returns the free steep walls that rest on floors facing direction d.
func findWallBases(r *reading, d int, floors []*floorCandidate) []wallBase {
	g := r.g
	dir := r.v.Dirs[d]
	var out []wallBase
	for _, b := range floors {
		if r.isTaken(b.patch) && r.typeOf(b.patch) != feature.Hole {
			continue
		}
		inPocket := closedBoundary(r, b)
		for _, x := range g.Patches[b.patch].Arcs {
			a := &g.Arcs[x]
			q := a.Other(b.patch)
			inRim := contains(inPocket, x)
			switch {
			case r.isTaken(q) || r.isCore[q] || r.isAtEdge(q, b.patch) || r.sheet.Folded(q, b.patch):
			case a.Convexity == graph.Concave && section.IsSteep(r.g, q, dir):
				out = append(out, wallBase{q, b.patch, graph.None, a.Length, inRim})
			case a.Convexity == graph.Smooth && r.isFillet(q) && !section.IsSteep(r.g, q, dir):
				for o, a := range g.Neighbors(q) {
					isFree := o != b.patch && !r.isTaken(o) && !r.isCore[o]
					isSmooth := a.Convexity == graph.Smooth || isShallow(a)
					if isFree && isSmooth && section.IsSteep(r.g, o, dir) && isPerpendicular(a, dir) {
						out = append(out, wallBase{o, b.patch, q, a.Length, inRim})
					}
				}
			}
		}
	}
	return out
}

// closedBoundary returns the edges of the outer boundary of a floor, ascending, if walls rise from all of it. They
// belong to a pocket.
func closedBoundary(r *reading, b *floorCandidate) []int32 {
	for _, loop := range b.boundaryLoops {
		if !loop.IsInner && !slices.ContainsFunc(loop.Arcs, func(x int32) bool { return !r.climbs(x, b) }) {
			return loop.Arcs
		}
	}
	return nil
}

// isPerpendicular reports whether an edge is perpendicular to dir.
func isPerpendicular(a *graph.Adjacency, dir geom.Vec3) bool {
	c := a.Dir.Dot(dir)
	return c <= graph.LateralCos && c >= -graph.LateralCos
}

// isFillet reports whether a patch is concave and curved, as the blend of an inner edge.
func (pc *partContext) isFillet(p int32) bool {
	return pc.g.Patches[p].Hollow && !pc.g.IsPlane(p)
}

// wallRings proposes the islands whose walls form closed chains.
func wallRings(r *reading, v *verifier, d int, floors []*floorCandidate, bases []wallBase) {
	g := r.g
	w := r.wallsAlong(d)
	at := map[int32][]int{} // bases by wall
	var order []int32
	for i, f := range bases {
		if at[f.wall] == nil {
			order = append(order, f.wall)
		}
		at[f.wall] = append(at[f.wall], i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(g.Patches[b].Area, g.Patches[a].Area)
	})
	s := standingWallSet{floors: floors, bases: bases, at: at, tried: map[int32]bool{}}
	cuts := slices.Concat(profileCuts[:]...)
	for _, p := range order {
		if r.isTaken(p) || s.tried[p] {
			continue
		}
		s.tried[p] = true
		z := g.Extent(p, w.Dir)
		for _, i := range at[p] { // cut a wall that continues below its floor above it
			if level := g.Extent(bases[i].floor, w.Dir).Hi; level < z.Hi-g.Length {
				z.Lo = max(z.Lo, level)
			}
		}
		for _, h := range cuts {
			if c, ok := w.ChainOf(p, z.At(h)); ok && c.Area > 0 && addChain(r, v, d, w, c, p, &s) {
				break
			}
		}
	}
}

// standingWallSet is the set of walls on floors along one direction.
type standingWallSet struct {
	floors []*floorCandidate
	bases  []wallBase
	at     map[int32][]int // bases by wall
	tried  map[int32]bool  // walls
}

// addChain proposes a boss from the walls in a chain that rest on floors at the height of those of wall p.
func addChain(r *reading, v *verifier, d int, w *section.Walls, c *section.Chain, p int32, s *standingWallSet) bool {
	level := r.g.Extent(s.bases[s.at[p][0]].floor, w.Dir).Hi
	ledge := ledgeUnder(r, s, c, w.Dir)
	var standing, patches, lower, hanging []int32 // lower: on floors of any height
	length := 0.0
	isWhole := ledge != graph.None || restsOn(r, s, c, level) >= wholeBaseRatio*c.Length
	for _, q := range c.Patches {
		if r.isTaken(q) || s.at[q] == nil {
			if c.IsClosed && isBetween(r, q, c, s, w) {
				hanging = append(hanging, q)
			}
			continue
		}
		lower = append(lower, q)
		if ledge == graph.None && !restsAtLevel(r.partContext, s.bases, s.at[q], level) {
			continue
		}
		standing = append(standing, q)
		for _, i := range s.at[q] {
			if !isWhole && s.bases[i].inRim {
				continue
			}
			length += s.bases[i].length
			if b := s.bases[i].blend; b != graph.None && !r.isTaken(b) {
				patches = append(patches, b)
			}
		}
	}
	// Sides of the part that continue below may join walls of several bays.
	own := without(standing, func(q int32) bool { return w.Z[q].Lo < level-r.g.Length })
	if verdict.Fill(r.g, standing, nil) <= 0 || areConcave(r.partContext, own, w.Dir) {
		return false
	}
	isSure := length >= minBaseRatio*c.Length && (w.Encircles(standing) ||
		isTongue(r.partContext, standing, lower, level, w) && !isBetweenSlots(r.partContext, standing, s))
	if f := bossBeside(r, standing, c, level, w); !isSure && f != graph.None {
		for _, q := range slices.Concat(patches, standing) {
			v.extend(f, q)
		}
		v.explain(f, "Walls on the same floor stand out from it.")
		return true
	}
	onFloor := s.bases[s.at[p][0]].floor
	isLug := c.IsClosed && r.g.Patches[onFloor].Area >= minLugRatio*c.Area
	if !isSure && (!showsThreeSides(r.partContext, standing, w) ||
		!isLug && !v.holds(hypothesis{"boss flush with a side", p, int32(d)}, false)) {
		return false
	}
	for _, q := range standing {
		s.tried[q] = true
	}
	low := math.Inf(-1)
	if ledge != graph.None {
		low = r.g.Extent(ledge, w.Dir).Hi
	}
	for _, one := range splitRing(r.partContext, ascending(slices.Concat(patches, standing, hanging)), w.Dir) {
		addBossFrom(r, v, low, one, d, "ring of walls", fmt.Sprintf("%s to a ring, and %s of it stands on floors.",
			count(len(one), "wall closes", "walls close"), percent(length/c.Length)))
	}
	return true
}

// bossBeside returns the boss on the same level that the free walls of a chain extend on two sides, as keys and ribs
// that end at a side of the part. It returns None if there is none.
func bossBeside(r *reading, standing []int32, c *section.Chain, level float64, w *section.Walls) int32 {
	stem := int32(graph.None)
	all := slices.Clone(standing)
	for _, q := range c.Patches {
		f := r.ownerOf(q)
		if f == graph.None || r.features[f].typ != feature.Boss {
			continue
		}
		if stem != graph.None && f != stem || r.features[f].dir != w.Dir || math.Abs(r.features[f].z.Lo-level) > r.g.Length {
			return graph.None
		}
		stem = f
		all = append(all, q)
	}
	if stem == graph.None || !c.IsClosed || section.WidestNormalGap(r.g, w.Dir, standing) > math.Pi+graph.SmoothAngle ||
		!w.Encircles(all) {
		return graph.None
	}
	return stem
}

// isBetween reports whether a free wall joins walls of a chain on floors smoothly on both sides, with nothing except
// fillets below it.
func isBetween(r *reading, p int32, c *section.Chain, s *standingWallSet, w *section.Walls) bool {
	if r.isTaken(p) || s.at[p] != nil || !r.isVertical(p, w.Dir) {
		return false
	}
	sides := 0
	for q, a := range r.g.Neighbors(p) {
		switch {
		case isPerpendicular(a, w.Dir):
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

// areConcave reports whether walls split into several groups that each face their own middle.
func areConcave(pc *partContext, walls []int32, dir geom.Vec3) bool {
	groups := pc.connected(walls)
	return len(groups) > 1 && !slices.ContainsFunc(groups, func(one []int32) bool {
		return len(one) < 2 || verdict.Fill(pc.g, one, nil) > 0
	})
}

// splitRing splits the walls of a ring into connected groups if each group turns by more than 180°. Several lugs may
// surround one edge.
func splitRing(pc *partContext, walls []int32, dir geom.Vec3) [][]int32 {
	groups := pc.connected(walls)
	if slices.ContainsFunc(groups, func(one []int32) bool { return !section.Encircles(pc.g, dir, one) }) {
		return [][]int32{walls}
	}
	return groups
}

// restsOn returns the length, mm, on which the free walls of a chain rest on floors at height level.
func restsOn(r *reading, s *standingWallSet, c *section.Chain, level float64) float64 {
	length := 0.0
	for _, q := range c.Patches {
		if !r.isTaken(q) && restsAtLevel(r.partContext, s.bases, s.at[q], level) {
			for _, i := range s.at[q] {
				length += s.bases[i].length
			}
		}
	}
	return length
}

// showsThreeSides reports whether walls on one floor show on at least three sides. The fourth side may be flush with
// the part.
func showsThreeSides(pc *partContext, walls []int32, w *section.Walls) bool {
	const sides = 3
	return len(walls) >= sides && section.WidestNormalGap(pc.g, w.Dir, walls) <= math.Pi+graph.SmoothAngle
}

// isBetweenSlots reports whether all walls are sides of slots: opposite walls rise from the same floors. The material
// between is a land.
func isBetweenSlots(pc *partContext, walls []int32, s *standingWallSet) bool {
	return !slices.ContainsFunc(walls, func(p int32) bool {
		return !slices.ContainsFunc(s.at[p], func(i int) bool {
			floor := s.bases[i].floor
			return pc.g.AnyNeighbor(floor, func(q int32, a *graph.Adjacency) bool {
				o := wallBehind(pc, q, floor)
				return a.Convexity != graph.Convex && o != graph.None && !slices.Contains(walls, o) &&
					pc.isBefore([]int32{p}, []int32{o}) &&
					pc.g.IsPlane(p) && pc.g.Patches[o].Axis.Dot(pc.g.Patches[p].Axis) <= -graph.LateralCos
			})
		})
	})
}

// isTongue reports whether walls on one floor show on half of all sides and turn outward, while those on floors of any
// height show on all sides. No wall may continue below the floor.
func isTongue(pc *partContext, standing, lower []int32, level float64, w *section.Walls) bool {
	if !w.Encircles(lower) || section.WidestNormalGap(pc.g, w.Dir, standing) > math.Pi+graph.SmoothAngle {
		return false
	}
	for _, p := range standing {
		if pc.isFillet(p) || w.Z[p].Lo < level-pc.g.Length {
			return false
		}
		for q, a := range pc.g.Neighbors(p) {
			if a.Convexity == graph.Concave && !isPerpendicular(a, w.Dir) && slices.Contains(standing, q) {
				return false
			}
		}
	}
	return true
}

// ledgeUnder returns the floor under at least half of a closed chain of walls, while the other walls are flush with its
// edge and continue below it. It returns None if there is none, or if those walls turn inward, as the walls of a pocket
// beside the floor.
func ledgeUnder(r *reading, s *standingWallSet, c *section.Chain, dir geom.Vec3) int32 {
	ledge, top := int32(graph.None), math.Inf(-1)
	for _, q := range c.Patches {
		if r.isTaken(q) || s.at[q] == nil {
			return graph.None
		}
		for _, i := range s.at[q] {
			if z := r.g.Extent(s.bases[i].floor, dir).Hi; z > top+r.g.Length {
				ledge, top = s.bases[i].floor, z
			}
		}
	}
	length, flush := 0.0, 0
	for _, q := range c.Patches {
		i := slices.IndexFunc(s.at[q], func(i int) bool { return s.bases[i].floor == ledge })
		switch {
		case i >= 0:
			length += s.bases[s.at[q][i]].length
		case !r.meets(q, ledge, graph.Convex) || r.isFillet(q) || turnsInward(r.partContext, q, dir):
			return graph.None
		default:
			flush++
		}
	}
	if !c.IsClosed || flush == 0 || length < c.Length/2-r.g.Slack() {
		return graph.None
	}
	return ledge
}

// turnsInward reports whether a wall along a direction meets another in an inner corner.
func turnsInward(pc *partContext, p int32, dir geom.Vec3) bool {
	return pc.g.AnyNeighbor(p, func(_ int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Concave && !isPerpendicular(a, dir)
	})
}

// meets reports whether two patches share an edge of a convexity.
func (pc *partContext) meets(p, q int32, bend graph.Convexity) bool {
	return pc.g.AnyNeighbor(p, func(o int32, a *graph.Adjacency) bool {
		return o == q && a.Convexity == bend
	})
}

// restsAtLevel reports whether one of some bases is on a floor at height z.
func restsAtLevel(pc *partContext, bases []wallBase, which []int, z float64) bool {
	return slices.ContainsFunc(which, func(i int) bool {
		p := &pc.g.Patches[bases[i].floor]
		return math.Abs(p.Origin.Dot(p.Axis)-z) <= pc.g.Length
	})
}
