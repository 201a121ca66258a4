package recognize

// Blends: roundings and fillets that no rule took with the faces they blend.
//
// A curved patch that joins its neighbours smoothly belongs to the feature of one of them: first to one with walls,
// because the rounding of a convex edge is cut with the wall below it and a fillet with the wall above; among several
// to the one that borders on it for the greatest length. Corners between blends follow in further rounds. None goes to
// a feature whose direction does not reach it, nor the rounding of an outer edge to a plane beside it, which is milled
// flat.
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

// maxRounds bounds the chains of blends between blends.
const maxRounds = 4

// blends gives blends to features; withRest those too that rather belong to features which may still come.
func (r *recognizer) blends(withRest bool) {
	var free, cut []int32
	for i := range r.g.Patches {
		switch p := int32(i); {
		case r.taken[p]:
		case r.g.IsBlend(p):
			free = append(free, p)
		case roundingOf(&r.g.Patches[p].Shape) > 0:
			cut = append(cut, p)
		}
	}
	free = append(r.withoutDomes(free), cut...)
	for range maxRounds {
		var owners []int32
		rest := free[:0:0]
		var given []int32
		for _, p := range free {
			o := int32(graph.None)
			if r.g.IsBlend(p) {
				o = r.ownerOfBlend(p, withRest)
			} else {
				o = r.ownerOfPiece(p)
			}
			if o != graph.None {
				given, owners = append(given, p), append(owners, o)
			} else {
				rest = append(rest, p)
			}
		}
		for i, p := range given {
			r.extend(owners[i], p)
			f := &r.out[owners[i]]
			e := r.g.Extent(p, f.dir)
			f.z.Lo, f.z.Hi = min(f.z.Lo, e.Lo), max(f.z.Hi, e.Hi)
		}
		if len(given) == 0 {
			return
		}
		free = rest
	}
}

// ownerOfBlend returns the feature that a blend belongs to, None when no neighbour has one.
func (r *recognizer) ownerOfBlend(p int32, withRest bool) int32 {
	g := r.g
	length := map[int32]float64{}
	var order []int32
	beyond := int32(graph.None)
	rolls := r.rolls(p)
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		o := r.owner[q]
		if a.Convexity != graph.Smooth || o == graph.None || rolls && isAcross(a, g.Patches[p].Axis) || r.isHidden(p, &r.out[o]) ||
			r.out[o].typ == feature.Hole && r.isRimRounding(q) ||
			r.out[o].typ == feature.Face && (!g.Patches[p].Hollow || r.isFootOfFree(p)) {
			continue
		}
		if r.out[o].typ == feature.Boss && g.Patches[q].Hollow && !g.Patches[p].Hollow {
			beyond = o // a rounding beyond the fillet of an island is of what the island stands on, if anything
			continue
		}
		if !slices.Contains(order, o) {
			order = append(order, o)
		}
		if g.Patches[p].Hollow || !g.Facing(q, r.out[o].dir) { // the rounding of an outer edge is of the wall below it
			length[o] += a.Length
		}
	}
	best := int32(graph.None)
	for _, o := range order {
		if best == graph.None || rankForBlend(r.out[o].typ) < rankForBlend(r.out[best].typ) ||
			rankForBlend(r.out[o].typ) == rankForBlend(r.out[best].typ) && length[o] > length[best]+g.Length {
			best = o
		}
	}
	if best == graph.None && withRest {
		return beyond
	}
	if best != graph.None && r.out[best].typ == feature.Face && r.leadsOver(p) {
		return graph.None
	}
	return best
}

// roundingOf returns the radius of a patch that may round an outer edge, mm, 0 for others.
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

// ownerOfPiece returns the pocket of whose rim a patch rounds a piece, None for no such piece: others have cut it so short
// that it is no narrow face any more, but it joins the pocket smoothly and is as round as what the pocket has of its rim.
func (r *recognizer) ownerOfPiece(p int32) int32 {
	g := r.g
	for _, x := range g.Patches[p].Arcs {
		o := r.owner[g.Arcs[x].Other(p)]
		if g.Arcs[x].Convexity != graph.Smooth || o == graph.None || r.out[o].typ != feature.Pocket || r.isHidden(p, &r.out[o]) {
			continue
		}
		if slices.ContainsFunc(r.out[o].patches, func(q int32) bool {
			return r.isRimRounding(q) && math.Abs(roundingOf(&g.Patches[q].Shape)-roundingOf(&g.Patches[p].Shape)) <= g.Length
		}) {
			return o
		}
	}
	return graph.None
}

// isFootOfFree reports whether a fillet joins something that no rule took yet and that is no fillet itself.
func (r *recognizer) isFootOfFree(p int32) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		q := a.Other(p)
		return a.Convexity == graph.Smooth && !r.taken[q] && (!r.isFillet(q) || !r.g.IsBlend(q))
	})
}

// rolls reports whether a blend is a cylinder that joins others smoothly at both sides along its axis: these it blends. What
// joins it at its ends goes on from it.
func (r *facts) rolls(p int32) bool {
	s := &r.g.Patches[p].Shape
	if s.Kind != surface.KindCylinder {
		return false
	}
	sides := 0
	for _, x := range r.g.Patches[p].Arcs {
		if a := &r.g.Arcs[x]; a.Convexity == graph.Smooth && !isAcross(a, s.Axis) {
			sides++
		}
	}
	return sides > 1
}

// isHidden reports whether the direction of a feature does not reach a patch, nor for a passage or an outline another along its
// walls that sees them.
func (r *recognizer) isHidden(p int32, f *found) bool {
	if d := r.v.Find(f.dir); d == graph.None || !r.v.IsHidden(d, p) {
		return d == graph.None
	}
	isAlong := func(dir geom.Vec3) bool {
		return !slices.ContainsFunc(f.patches, func(q int32) bool { return !r.isUpright(q, dir) && !r.isRimRounding(q) })
	}
	for d, dir := range r.v.Dirs {
		if (f.pocket != nil || f.typ == feature.Profile) && !r.v.IsHidden(d, p) && isAlong(dir) && r.v.Seen(r.g, d, f.patches) >= direction.MinWallVisibility {
			return false
		}
	}
	return true
}

// domeShare is how much more of what is seen from above a rounding takes than it leaves for it to be a dome: round a
// circle it is then wider than what is left between its sides, 3² - 1.
const domeShare = 8

// withoutDomes drops the roundings that leave little or nothing of the face that they round: a dome is a surface of its
// own, no rounded edge.
func (r *recognizer) withoutDomes(free []int32) []int32 {
	g := r.g
	isFree := make(map[int32]bool, len(free))
	for _, p := range free {
		isFree[p] = !g.Patches[p].Hollow
	}
	set := graph.NewUnionFind(len(g.Patches))
	for _, p := range free {
		for _, x := range g.Patches[p].Arcs {
			if q := g.Arcs[x].Other(p); g.Arcs[x].Convexity == graph.Smooth && isFree[p] && isFree[q] {
				set.Join(p, q)
			}
		}
	}
	isDome := map[int32]bool{}
	for _, group := range set.Groups(func(p int32) bool { return isFree[p] }) {
		if r.isDome(group) {
			for _, p := range group {
				isDome[p] = true
			}
		}
	}
	return slices.DeleteFunc(free, func(p int32) bool { return isDome[p] })
}

// isDome reports whether roundings that go on into each other stand on walls and leave little or nothing of the plane
// above.
func (r *recognizer) isDome(group []int32) bool {
	g := r.g
	wall := int32(graph.None)
	var tops []int32
	for _, p := range group {
		switch g.Patches[p].Kind {
		case surface.KindSphere, surface.KindTorus, surface.KindBSpline:
		default:
			return false
		}
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(p)
			switch f := r.owner[q]; {
			case slices.Contains(group, q):
			case f != graph.None && g.Patches[q].Shape.IsMantle() && (r.out[f].typ == feature.Profile || r.out[f].typ == feature.Boss):
				wall = q
			case g.Patches[q].Kind == surface.KindPlane:
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

// rankForBlend orders kinds by how likely a blend is theirs.
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
