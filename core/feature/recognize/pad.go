package recognize

// Pads on the sides of islands.
//
// A pad protrudes from a plane side of an island down to its floor. Its walls are perpendicular to the side, show on at
// least three sides and end in a plane in front of the side. It is an island on the side and is cut from there. A
// protrusion that shows on two sides only is a rib of the island and is cut with it from above.
//
// Cost: linear in the edges of an island, for each of its planes.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/verdict"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// withoutPads proposes bosses from the pads on the sides of an island, and returns its walls without them.
func withoutPads(r *reading, v *verifier, walls []int32) []int32 {
	for _, side := range walls {
		s := &r.g.Patches[side].Shape
		if s.Kind != surface.KindPlane || !slices.Contains(walls, side) {
			continue
		}
		d := r.v.Find(s.Axis)
		if d == graph.None {
			continue
		}
		for _, group := range r.connected(without(walls, func(p int32) bool { return p == side })) {
			n := len(r.features)
			upright := padOn(r.partContext, side, group)
			if len(upright) > 0 {
				addBoss(r, v, upright, d, "pad on a side", fmt.Sprintf("%s out from a side of an island.",
					count(len(upright), "wall stands", "walls stand")))
			}
			if len(r.features) > n {
				for _, p := range group {
					r.reachesDown[p] = !slices.Contains(upright, p)
				}
				walls = without(walls, func(p int32) bool { return slices.Contains(group, p) })
			}
		}
	}
	return walls
}

// padOn returns the walls of the pad that a group forms on a plane, none if it is not a pad.
func padOn(pc *partContext, side int32, group []int32) (upright []int32) {
	const sides = 3
	g := pc.g
	axis, isJoined, hasTop := g.Patches[side].Axis, false, false
	for _, p := range group {
		for q, a := range g.Neighbors(p) {
			if q == side {
				if a.Convexity != graph.Concave {
					return nil
				}
				isJoined = true
			}
		}
		switch {
		case pc.isVertical(p, axis):
			upright = append(upright, p)
		case g.Facing(p, axis):
			hasTop = true
		default:
			return nil
		}
	}
	if !isJoined || !hasTop || len(upright) < sides ||
		section.WidestNormalGap(g, axis, upright) > math.Pi+graph.SmoothAngle ||
		verdict.Fill(pc.g, upright, nil) <= 0 {
		return nil
	}
	return upright
}
