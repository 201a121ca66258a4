package graph

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// blendShare is the share of a blend's boundary that must be smooth.
	blendShare = 0.6

	// freeShare is the same for a free form: other features may have cut off one of its long sides, and its surface
	// suggests no other use.
	freeShare = 0.5

	// blendWidth is the widest blend as a share of the wider of its neighbors, as square roots of areas.
	blendWidth = 0.7

	// blendTurn is the least turn of a rounded edge, rad: a smaller turn needs no blend.
	blendTurn = 10 * math.Pi / 180
)

// IsBlend reports whether a patch is a narrow curved face that joins others smoothly: a round or a fillet, not a curved
// side.
func (g *Graph) IsBlend(p int32) bool {
	if g.Patches[p].Kind == surface.KindPlane {
		return false
	}
	tangent, all, widest := 0.0, 0.0, 0.0
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		all += a.Length
		if a.Convexity == Smooth {
			tangent += a.Length
			widest = max(widest, math.Sqrt(g.Patches[a.Other(p)].Area))
		}
	}
	least := blendShare
	if g.Patches[p].Kind == surface.KindBSpline {
		least = freeShare
	}
	if tangent == 0 || tangent < least*all {
		return false
	}
	radius := 0.0
	switch s := &g.Patches[p].Shape; s.Kind {
	case surface.KindCylinder, surface.KindSphere:
		radius = s.Radius
	case surface.KindTorus:
		radius = s.Minor
	}
	width := 2 * g.Patches[p].Area / all // over half the circumference
	return width <= blendWidth*widest && width >= blendTurn*radius
}
