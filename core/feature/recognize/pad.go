package recognize

// Pads on the sides of islands.
//
// What stands out from a plane side of an island, and reaches down to the floor of that, is an island on the side where its
// own walls are upright to the side, show on three sides at least and end in a plane in front of it: it was drawn on the
// side, and is cut from there. What shows on two sides only is a rib of the island, to be cut with it from above.
//
// Cost: linear in the edges of an island, for each of its planes.

import (
	"fmt"
	"math"
	"millwright.dev/millwright/core/feature/verdict"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// withoutPads makes bosses of the pads on the sides of an island, and returns its walls without them.
func (r *recognizer) withoutPads(walls []int32) []int32 {
	for _, side := range walls {
		s := &r.g.Patches[side].Shape
		if s.Kind != surface.KindPlane || !slices.Contains(walls, side) {
			continue
		}
		d := r.v.Find(s.Axis)
		if d == graph.None {
			continue
		}
		for _, group := range r.connected(slices.DeleteFunc(slices.Clone(walls), func(p int32) bool { return p == side })) {
			n := len(r.out)
			upright := r.padOn(side, group)
			if len(upright) > 0 {
				r.addBoss(upright, d, "pad on a side", fmt.Sprintf("%s out from a side of an island.",
					count(len(upright), "wall stands", "walls stand")))
			}
			if len(r.out) > n {
				for _, p := range group {
					r.reachesDown[p] = !slices.Contains(upright, p)
				}
				walls = slices.DeleteFunc(slices.Clone(walls), func(p int32) bool { return slices.Contains(group, p) })
			}
		}
	}
	return walls
}

// padOn returns the walls of the pad that some patches are on a plane, none where they are no pad.
func (r *recognizer) padOn(side int32, group []int32) (upright []int32) {
	const sides = 3
	g := r.g
	axis, stands, hasTop := g.Patches[side].Axis, false, false
	for _, p := range group {
		for _, x := range g.Patches[p].Arcs {
			if a := &g.Arcs[x]; a.Other(p) == side {
				if a.Convexity != graph.Concave {
					return nil
				}
				stands = true
			}
		}
		switch {
		case r.isUpright(p, axis):
			upright = append(upright, p)
		case g.Facing(p, axis):
			hasTop = true
		default:
			return nil
		}
	}
	if !stands || !hasTop || len(upright) < sides || section.Gap(g, axis, upright) > math.Pi+graph.SmoothAngle ||
		verdict.Fill(r.g, upright, nil) <= 0 {
		return nil
	}
	return upright
}
