package recognize

// Blends: roundings and fillets that no rule claimed with the faces they blend.
//
// A curved patch that joins its neighbors smoothly belongs to the feature of one of them. Features with walls come
// first, because the rounding of a convex edge is cut with the wall below it and a fillet with the wall above. Among
// several, the feature with the longest common border wins. Corners between blends follow in further rounds. A feature
// whose direction does not reach a blend never gets it, and a face never gets the rounding of its convex edge, because
// a face is milled flat.
//
// Cost: linear in the edges of free patches, maxRounds times.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxRounds bounds the length of chains of blends.
const maxRounds = 4

// blends gives blends to features. With withRest it includes blends that better fit features which later rules may
// find.
func blends(r *reading, v *verifier, withRest bool) {
	var free, cut []int32
	for i := range r.g.Patches {
		switch p := int32(i); {
		case r.isTaken(p):
		case r.g.IsBlend(p):
			free = append(free, p)
		case roundingOf(&r.g.Patches[p].Shape) > 0:
			cut = append(cut, p)
		}
	}
	free = append(withoutDomes(r, free), cut...)
	for range maxRounds {
		var owners []int32
		rest := free[:0:0]
		var given []int32
		for _, p := range free {
			var o int32
			if r.g.IsBlend(p) {
				o = ownerOfBlend(r, p, withRest)
			} else {
				o = ownerOfPiece(r, p)
			}
			if o != graph.None {
				given, owners = append(given, p), append(owners, o)
			} else {
				rest = append(rest, p)
			}
		}
		for i, p := range given {
			v.cover(owners[i], p)
		}
		if len(given) == 0 {
			return
		}
		free = rest
	}
}

// ownerOfBlend returns the feature that a blend belongs to, None if no neighbor has one.
func ownerOfBlend(r *reading, p int32, withRest bool) int32 {
	g := r.g
	length := map[int32]float64{}
	var order []int32
	beyond := int32(graph.None)
	rolls := rolls(r.partContext, p)
	for q, a := range g.Neighbors(p) {
		o := r.ownerOf(q)
		if a.Convexity != graph.Smooth || o == graph.None || rolls && isPerpendicular(a, g.Patches[p].Axis) ||
			r.isHidden(p, r.features[o]) || r.features[o].typ == feature.Hole && r.isEdgeRounding(q) ||
			r.features[o].typ == feature.Face && (!g.Patches[p].Hollow || isFilletOfFree(r, p)) {
			continue
		}
		if r.features[o].typ == feature.Boss && g.Patches[q].Hollow && !g.Patches[p].Hollow {
			beyond = o // a rounding beyond the fillet of an island belongs to the base of the island, if to any feature
			continue
		}
		if !slices.Contains(order, o) {
			order = append(order, o)
		}
		// the rounding of a convex edge belongs to the wall below it
		if g.Patches[p].Hollow || !g.Facing(q, r.features[o].dir) {
			length[o] += a.Length
		}
	}
	best := int32(graph.None)
	for _, o := range order {
		if best == graph.None || rankForBlend(r.features[o].typ) < rankForBlend(r.features[best].typ) ||
			rankForBlend(r.features[o].typ) == rankForBlend(r.features[best].typ) && length[o] > length[best]+g.Length {
			best = o
		}
	}
	if best == graph.None && withRest {
		return beyond
	}
	if best != graph.None && r.features[best].typ == feature.Face && joinsFaces(r, p) {
		return graph.None
	}
	return best
}

// roundingOf returns the radius, mm, of a patch that may round a convex edge, 0 for other patches.
func roundingOf(s *graph.Shape) float64 {
	switch {
	case s.Hollow:
	case s.Kind == surface.KindCylinder:
		return s.Radius
	case s.Kind == surface.KindTorus:
		return s.Minor
	}
	return 0
}

// ownerOfPiece returns the pocket that has patch p as a piece of its rounded edge, None if there is none. Other
// features made the piece too short for a narrow face. It joins the pocket smoothly and has the radius of a rounding of
// the pocket.
func ownerOfPiece(r *reading, p int32) int32 {
	g := r.g
	for n, a := range g.Neighbors(p) {
		o := r.ownerOf(n)
		if a.Convexity != graph.Smooth || o == graph.None || r.features[o].typ != feature.Pocket ||
			r.isHidden(p, r.features[o]) {
			continue
		}
		if slices.ContainsFunc(r.features[o].patches, func(q int32) bool {
			return r.isEdgeRounding(q) && math.Abs(roundingOf(&g.Patches[q].Shape)-roundingOf(&g.Patches[p].Shape)) <= g.Length
		}) {
			return o
		}
	}
	return graph.None
}

// isFilletOfFree reports whether a fillet joins a free patch other than a fillet.
func isFilletOfFree(r *reading, p int32) bool {
	return r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Smooth && !r.isTaken(q) && (!r.isFillet(q) || !r.g.IsBlend(q))
	})
}

// rolls reports whether a blend is a cylinder that joins others smoothly along both sides. It blends these, and its
// ends continue in other blends.
func rolls(pc *partContext, p int32) bool {
	s := &pc.g.Patches[p].Shape
	return s.Kind == surface.KindCylinder && len(pc.g.NeighborsWith(p, func(_ int32, a *graph.Adjacency) bool {
		return a.Convexity == graph.Smooth && !isPerpendicular(a, s.Axis)
	})) > 1
}

// isHidden reports whether patch p is invisible from the direction of f. For pockets and profiles, any direction along
// the walls that sees the feature counts too.
func (pc *partContext) isHidden(p int32, f *candidate) bool {
	if d := pc.v.Find(f.dir); d == graph.None || !pc.v.IsHidden(d, p) {
		return d == graph.None
	}
	isAlong := func(dir geom.Vec3) bool {
		return !slices.ContainsFunc(f.patches, func(q int32) bool { return !pc.isVertical(q, dir) && !pc.isEdgeRounding(q) })
	}
	for d, dir := range pc.v.Dirs {
		if (f.pocket != nil || f.typ == feature.Profile) && !pc.v.IsHidden(d, p) && isAlong(dir) &&
			pc.v.Seen(pc.g, d, f.patches) >= direction.MinWallVisibility {
			return false
		}
	}
	return true
}

// domeShare is the least area of a dome relative to the plane that it leaves, both projected along its axis. A circular
// dome is then wider than the plane between its sides: 3² - 1.
const domeShare = 8

// withoutDomes removes the roundings that leave little or nothing of the face they round. A dome is a separate surface.
func withoutDomes(r *reading, free []int32) []int32 {
	g := r.g
	isFree := make(map[int32]bool, len(free))
	for _, p := range free {
		isFree[p] = !g.Patches[p].Hollow
	}
	set := graph.NewUnionFind(len(g.Patches))
	for _, p := range free {
		for q, a := range g.Neighbors(p) {
			if a.Convexity == graph.Smooth && isFree[p] && isFree[q] {
				set.Join(p, q)
			}
		}
	}
	areDomes := map[int32]bool{}
	for _, group := range set.Groups(func(p int32) bool { return isFree[p] }) {
		if isDome(r, group) {
			for _, p := range group {
				areDomes[p] = true
			}
		}
	}
	return slices.DeleteFunc(free, func(p int32) bool { return areDomes[p] })
}

// isDome reports whether roundings that continue each other rest on walls and leave little or nothing of the plane
// above.
func isDome(r *reading, group []int32) bool {
	g := r.g
	wall := int32(graph.None)
	var tops []int32
	for _, p := range group {
		switch g.Patches[p].Kind {
		case surface.KindSphere, surface.KindTorus, surface.KindBSpline:
		default:
			return false
		}
		for q := range g.Neighbors(p) {
			switch f := r.ownerOf(q); {
			case slices.Contains(group, q):
			case f != graph.None && g.Patches[q].Shape.IsMantle() && (r.features[f].typ == feature.Profile ||
				r.features[f].typ == feature.Boss):
				wall = q
			case g.IsPlane(q):
				tops = append(tops, q)
			default:
				return false
			}
		}
	}
	if wall == graph.None {
		return false
	}
	axis := g.Patches[wall].Axis
	across := func(p int32) (sum float64) {
		n := 0.0
		g.EachPoint(p, func(_, normal geom.Vec3) { sum, n = sum+math.Abs(normal.Dot(axis)), n+1 })
		return g.Patches[p].Area * sum / max(1, n)
	}
	rounded, left := 0.0, 0.0
	for _, p := range group {
		rounded += across(p)
	}
	for _, p := range ascending(tops) {
		left += across(p)
	}
	return rounded > domeShare*left
}

// rankForBlend returns the priority of a feature type for a blend, the lowest first.
func rankForBlend(t feature.Type) int {
	switch t {
	case feature.Tslot, feature.Dovetail:
		return 0
	case feature.Pocket:
		return 1
	case feature.Boss:
		return 2
	case feature.Profile, feature.Wall:
		return 3
	case feature.Three:
		return 4
	case feature.Hole:
		return 5
	}
	return 6
}
