package datasheet

// Facts of grooves turned into the outside of something round, which have no outline: a ring between two radii.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// turnedGroove measures a pocket that is a ring around an axis across its direction. Its depth is the height of its
// walls and edge chamfers over the bottom. Its width is the width of bottom and walls together, without the rounded
// edges; it bounds the tool. Between cones, it is the width of the bottom. One closed fillet may be both bottom and
// walls. The function returns false for pockets of other shapes.
func (p *partContext) turnedGroove(s *featureMeasurer, out *feature.PocketFacts) bool {
	var bottom, round *graph.Shape
	var inside, rims []int32
	hasWalls, fillet := false, 0.0
	for _, q := range s.patches {
		switch sh := &p.g.Patches[q].Shape; {
		case sh.Kind == surface.KindPlane:
			hasWalls = true
		case sh.Kind == surface.KindTorus && sh.Hollow:
			round, fillet = sh, sh.Minor
		case sh.Kind == surface.KindTorus:
			rims = append(rims, q)
			continue
		case sh.Hollow || sh.Kind != surface.KindCylinder && sh.Kind != surface.KindCone:
			return false
		case bottom == nil || sh.Kind == surface.KindCylinder:
			bottom = sh
		}
		inside = append(inside, q)
	}
	if bottom == nil {
		bottom = round
	}
	if bottom == nil || math.Abs(bottom.Axis.Dot(s.dir)) > graph.DirectionTolerance ||
		!hasWalls && p.g.Sweep(inside, bottom) <= math.Pi+graph.SmoothAngle {
		return false
	}
	radius, outer := math.Inf(1), 0.0
	for _, q := range slices.Concat(inside, rims) {
		if sh := &p.g.Patches[q].Shape; !p.g.Coaxial(bottom, sh) {
			return false
		}
		p.g.EachPoint(q, func(pt, _ geom.Vec3) {
			off := graph.DistanceToAxis(bottom, pt)
			radius, outer = min(radius, off), max(outer, off)
		})
	}
	width := p.g.ExtentOf(inside, bottom.Axis).Length()
	section, narrow := width, width
	isWall := func(q int32) bool {
		along := p.g.Slopes(q, bottom.Axis)
		return max(along.Hi, -along.Lo) >= math.Cos(maxDraft)
	}
	if !slices.ContainsFunc(inside, isWall) {
		width = p.g.ExtentOf(slices.Concat(inside, rims), bottom.Axis).Length()
		narrow = width
	}
	if bottom.Kind == surface.KindCylinder { // adjacent cones widen toward the edges
		narrow = p.g.ExtentOf(slices.DeleteFunc(inside, func(q int32) bool { return p.g.Patches[q].Kind == surface.KindCone }),
			bottom.Axis).Length()
	}
	rim := outer
	_, chamfers := p.chamfersOf(s)
	for _, q := range chamfers {
		rim = max(rim, p.g.Reach(q, bottom).Hi)
	}
	out.Depth, out.Length, out.Width = rim-radius, 2*rim, width
	out.NarrowestWidth, out.MaxClearingDiameter, out.FloorRadius = narrow, narrow, fillet
	if bottom == round { // only a ball goes down into it
		out.MaxClearingDiameter = min(narrow, 2*fillet)
	}
	out.Volume = math.Pi * (outer*outer - radius*radius) * section
	return true
}
