package recognize

// Lugs: plates with a round end about a hole that stand on a floor at the edge of the part.
//
// Clevises, hinge eyes and the ears of brackets are islands to whoever makes them, though one side of them
// is flush with a side of the part, and often one flank too, so that no floor goes all round. Three things
// tell them from the webs and posts that are left between slots: a tip that is round about the hole through
// the plate, a side of the plate that stands on a floor along the hole's axis, and a flank, or the tip
// itself, that stands on the same floor.
//
// Cost: linear in the edges of round tips and of their neighbours.
// Limits: one floor per lug; flanks are planes next to the tip.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// lugs finds the lugs of all tips.
func (r *recognizer) lugs() {
	for i := range r.g.Patches {
		p := int32(i)
		if s := &r.g.Patches[p].Shape; !r.taken[p] && s.IsMantle() && s.Kind == surface.KindCylinder {
			r.lug(p)
		}
	}
}

// standOn is how a patch stands on a floor: over a fillet, None where the edge is sharp.
type standOn struct{ floor, blend int32 }

// lug makes a boss of the lug of a tip.
func (r *recognizer) lug(tip int32) {
	g := r.g
	s := &g.Patches[tip].Shape
	var sides, flanks []int32
	for _, x := range g.Patches[tip].Arcs {
		a := &g.Arcs[x]
		q := a.Other(tip)
		if r.taken[q] || g.Patches[q].Kind != surface.KindPlane {
			continue
		}
		switch {
		case a.Convexity == graph.Convex && graph.Parallel(g.Patches[q].Axis, s.Axis) && r.isAboutHole(q, s):
			sides = append(sides, q)
		case math.Abs(a.Turn) <= shallowTurn && r.isUpright(q, s.Axis):
			flanks = append(flanks, q)
		}
	}
	sides, flanks = ascending(sides), ascending(flanks)
	for _, side := range sides {
		for _, at := range r.floorsUnder(side) {
			if !r.isUpright(at.floor, s.Axis) {
				continue
			}
			patches := r.besides(at, sides)
			n := len(patches)
			if patches = append(patches, r.besides(at, append(flanks, tip))...); len(patches) > n {
				r.addLug(append(patches, tip), at.floor, s)
				return
			}
		}
	}
}

// besides returns those of some patches that stand on the same floor as another one, with their fillets.
func (r *recognizer) besides(at standOn, which []int32) (out []int32) {
	for _, q := range which {
		for _, o := range r.floorsUnder(q) {
			if o.floor == at.floor {
				out = append(out, q)
				if o.blend != graph.None && !r.taken[o.blend] {
					out = append(out, o.blend)
				}
			}
		}
	}
	return out
}

// isAboutHole reports whether a hole on the axis of s, narrower than it, opens in a plane.
func (r *recognizer) isAboutHole(p int32, s *graph.Shape) bool {
	return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		q := r.g.Arcs[x].Other(p)
		o := r.owner[q]
		return o != graph.None && r.out[o].typ == feature.Hole && r.g.Patches[q].Hollow &&
			r.g.Coaxial(s, &r.g.Patches[q].Shape) && r.g.Reach(q, s).Hi < s.Radius-r.g.Length
	})
}

// floorsUnder returns the planes that a patch stands on, over an inner edge or a fillet.
func (r *recognizer) floorsUnder(p int32) (out []standOn) {
	g := r.g
	add := func(floor, blend int32) {
		if g.Patches[floor].Kind == surface.KindPlane && !r.taken[floor] {
			out = append(out, standOn{floor, blend})
		}
	}
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		switch {
		case a.Convexity == graph.Concave && !isShallow(a):
			add(q, graph.None)
		case a.Convexity == graph.Smooth && r.isFillet(q):
			for _, y := range g.Patches[q].Arcs {
				if o := g.Arcs[y].Other(q); g.Arcs[y].Convexity == graph.Smooth && o != p {
					add(o, q)
				}
			}
		}
	}
	return out
}

// addLug adds a lug where the direction that its floor faces sees it.
func (r *recognizer) addLug(patches []int32, floor int32, tip *graph.Shape) {
	patches = ascending(patches)
	d := r.v.Find(r.g.Patches[floor].Axis)
	if d == graph.None || r.v.Seen(r.g, d, patches) < direction.MinWallVisibility {
		return
	}
	r.addBoss(patches, d, "lug", fmt.Sprintf(
		"A plate with an end of radius %s round about a hole stands on a floor with a side and a flank.",
		mm(tip.Radius)))
}

// endsOfBosses gives bosses the round ends that close two of their sides off smoothly, and the roundings that go on smoothly
// from one of their walls between two sides, seen from where they are made.
func (r *recognizer) endsOfBosses() {
	for i := range r.g.Patches {
		p := int32(i)
		if s := &r.g.Patches[p].Shape; r.taken[p] || s.Hollow || s.Kind != surface.KindCylinder {
			continue
		}
		for _, x := range r.g.Patches[p].Arcs {
			f := r.owner[r.g.Arcs[x].Other(p)]
			if f == graph.None || r.out[f].typ != feature.Boss || r.isHidden(p, &r.out[f]) || !r.endsBetween(p, f) {
				continue
			}
			r.extend(f, p)
			e := r.g.Extent(p, r.out[f].dir)
			r.out[f].z.Lo, r.out[f].z.Hi = min(r.out[f].z.Lo, e.Lo), max(r.out[f].z.Hi, e.Hi)
			break
		}
	}
}

// endsBetween reports whether a patch goes on smoothly in two planes of a feature that look away from each other, or in one and
// ends at two such in outer edges.
func (r *recognizer) endsBetween(p, f int32) bool {
	var round, sharp []int32
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		switch q := a.Other(p); {
		case r.owner[q] != f || r.g.Patches[q].Kind != surface.KindPlane:
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
