package datasheet

// Facts of grooves turned into the outside of something round, which have no outline: a ring between two radii.

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// turnedGroove measures a pocket as a ring round an axis across its direction: it is as deep as its walls rise over the
// bottom and as wide as bottom and walls together, without the roundings of its rims, which bounds the tool. False for
// pockets of other shapes.
func (p *part) turnedGroove(s *subject, out *feature.PocketFacts) bool {
	var bottom *graph.Shape
	var bottoms, walls, rims []int32
	radius, fillet := math.Inf(1), 0.0
	for _, q := range s.patches {
		switch sh := &p.g.Patches[q].Shape; {
		case sh.Kind == surface.KindPlane:
			walls = append(walls, q)
		case sh.Kind == surface.KindTorus && sh.Hollow:
			fillet = sh.Minor
		case sh.Kind == surface.KindTorus:
			rims = append(rims, q)
		case sh.Hollow || sh.Kind != surface.KindCylinder && sh.Kind != surface.KindCone:
			return false
		case bottom != nil && !p.g.Coaxial(bottom, sh) || math.Abs(sh.Axis.Dot(s.dir)) > graph.SameDirection:
			return false
		default:
			bottom, bottoms = sh, append(bottoms, q)
			p.g.EachPoint(q, func(pt, _ geom.Vec3) { radius = min(radius, graph.OffAxis(sh, pt)) })
		}
	}
	if bottom == nil || len(walls) == 0 {
		return false
	}
	outer := 0.0
	for _, q := range slices.Concat(walls, rims) {
		if !graph.Parallel(p.g.Patches[q].Axis, bottom.Axis) {
			return false
		}
		p.g.EachPoint(q, func(pt, _ geom.Vec3) { outer = max(outer, graph.OffAxis(bottom, pt)) })
	}
	width := p.g.ExtentOf(append(bottoms, walls...), bottom.Axis).Length()
	out.Depth, out.Length, out.Width = outer-radius, 2*outer, width
	out.NarrowestWidth, out.MaxClearingDiameter, out.FloorRadius = width, width, fillet
	out.Volume = math.Pi * (outer*outer - radius*radius) * width
	return true
}
