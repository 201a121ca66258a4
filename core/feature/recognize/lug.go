package recognize

// Lugs: plates with a round end about a hole on a floor at the edge of the part.
//
// Clevises, hinge eyes and tabs of brackets are islands, though one side and often one flank is flush with the part, so
// that no floor surrounds them. Three properties separate them from the webs and posts between slots. The round end is
// coaxial with the hole through the plate. A side of the plate rests on a floor along the axis of the hole. A flank, or
// the round end, rests on the same floor.
//
// Cost: linear in the edges of round ends and of their neighbors.
// Limits: one floor per lug; flanks are planes next to the round end.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// lugs proposes the lugs of all round ends.
func lugs(r *reading, v *verifier) {
	for p := range int32(len(r.g.Patches)) {
		if s := &r.g.Patches[p].Shape; !r.isTaken(p) && s.IsMantle() && s.Kind == surface.KindCylinder {
			lug(r, v, p)
		}
	}
}

// floorContact is a floor under a patch, with the fillet between, None for a sharp edge.
type floorContact struct{ floor, blend int32 }

// lug proposes a boss from the lug with a round end.
func lug(r *reading, v *verifier, tip int32) {
	g := r.g
	s := &g.Patches[tip].Shape
	var sides, flanks []int32
	for q, a := range g.Neighbors(tip) {
		if r.isTaken(q) || !g.IsPlane(q) {
			continue
		}
		switch {
		case a.Convexity == graph.Convex && graph.Parallel(g.Patches[q].Axis, s.Axis) && isAboutHole(r, q, s):
			sides = append(sides, q)
		case math.Abs(a.Turn) <= shallowTurn && r.isVertical(q, s.Axis):
			flanks = append(flanks, q)
		}
	}
	sides, flanks = ascending(sides), ascending(flanks)
	for _, side := range sides {
		for _, at := range r.floorContacts(side) {
			if !r.isVertical(at.floor, s.Axis) {
				continue
			}
			patches := r.onSameFloor(at, sides)
			n := len(patches)
			if patches = append(patches, r.onSameFloor(at, append(flanks, tip))...); len(patches) > n {
				addLug(r, v, append(patches, tip), at.floor, s)
				return
			}
		}
	}
}

// onSameFloor returns the patches that rest on one floor, with their fillets.
func (r *reading) onSameFloor(at floorContact, which []int32) (out []int32) {
	for _, q := range which {
		for _, o := range r.floorContacts(q) {
			if o.floor == at.floor {
				out = append(out, q)
				if o.blend != graph.None && !r.isTaken(o.blend) {
					out = append(out, o.blend)
				}
			}
		}
	}
	return out
}

// isAboutHole reports whether a hole on the axis of s, narrower than s, opens in plane p.
func isAboutHole(r *reading, p int32, s *graph.Shape) bool {
	return r.g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool {
		return r.typeOf(q) == feature.Hole && r.g.Patches[q].Hollow &&
			r.g.Coaxial(s, &r.g.Patches[q].Shape) && r.g.Reach(q, s).Hi < s.Radius-r.g.Length
	})
}

// floorContacts returns the planes that a patch rests on, over a concave edge or a fillet.
func (r *reading) floorContacts(p int32) (out []floorContact) {
	g := r.g
	add := func(floor, blend int32) {
		if g.IsPlane(floor) && !r.isTaken(floor) {
			out = append(out, floorContact{floor, blend})
		}
	}
	for q, a := range g.Neighbors(p) {
		switch {
		case a.Convexity == graph.Concave && !isShallow(a):
			add(q, graph.None)
		case a.Convexity == graph.Smooth && r.isFillet(q):
			for o, a := range g.Neighbors(q) {
				if a.Convexity == graph.Smooth && o != p {
					add(o, q)
				}
			}
		}
	}
	return out
}

// addLug proposes a lug if the direction that its floor faces sees it.
func addLug(r *reading, v *verifier, patches []int32, floor int32, tip *graph.Shape) {
	patches = ascending(patches)
	d := r.v.Find(r.g.Patches[floor].Axis)
	if d == graph.None || r.v.Seen(r.g, d, patches) < direction.MinWallVisibility {
		return
	}
	addBoss(r, v, patches, d, "lug", fmt.Sprintf(
		"A plate with an end of radius %s round about a hole stands on a floor with a side and a flank.",
		mm(tip.Radius)))
}

// claimRoundEnds gives bosses the round ends that smoothly close two of their sides, and the roundings that smoothly
// continue one of their walls between two sides. The direction of the boss must see them.
func claimRoundEnds(r *reading, v *verifier) {
	for p := range int32(len(r.g.Patches)) {
		if s := &r.g.Patches[p].Shape; r.isTaken(p) || s.Hollow || s.Kind != surface.KindCylinder {
			continue
		}
		for q := range r.g.Neighbors(p) {
			f := r.ownerOf(q)
			if f == graph.None || r.features[f].typ != feature.Boss || r.isHidden(p, r.features[f]) || !r.endsBetween(p, f) {
				continue
			}
			v.cover(f, p)
			break
		}
	}
}

// endsBetween reports whether a patch continues smoothly into two planes of a feature that face away from each other,
// or into one and ends at two such planes in convex edges.
func (r *reading) endsBetween(p, f int32) bool {
	var round, sharp []int32
	for q, a := range r.g.Neighbors(p) {
		switch {
		case r.ownerOf(q) != f || !r.g.IsPlane(q):
		case math.Abs(a.Turn) <= shallowTurn:
			round = append(round, q)
		case a.Convexity == graph.Convex:
			sharp = append(sharp, q)
		}
	}
	areApart := func(walls []int32) bool {
		return slices.ContainsFunc(walls, func(q int32) bool {
			return r.g.Patches[q].Axis.Dot(r.g.Patches[walls[0]].Axis) < -graph.DirectionTolerance
		})
	}
	return areApart(round) || len(round) > 0 && areApart(sharp)
}
