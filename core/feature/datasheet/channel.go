package datasheet

// Facts of T-slots and dovetails: straight channels, measured in their cross-section.
//
// The lowest plane that faces up is the floor; across the channel, in the plane of the floor,
// distances are those of the side walls. Tools come in at the open ends or, where there is none,
// cannot: the neck must take the shank of the tool and the head its cutter, so that both diameters are
// bounded by the widths, less the rounding of corners for none.

import (
	"cmp"
	"math"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// section is the cross-section of a channel.
type section struct {
	floor  int32
	run    geom.Vec3 // unit, along the channel
	across geom.Vec3 // unit
}

// sectionOf finds the cross-section from the longest straight edge of the floor; false without a floor.
func (p *part) sectionOf(s *subject) (section, bool) {
	c := section{floor: graph.None}
	low := math.Inf(1)
	for _, q := range s.patches {
		if p.g.Facing(q, s.dir) && s.extents.Of(q).Lo < low-p.g.Length {
			low, c.floor = s.extents.Of(q).Lo, q
		}
	}
	if c.floor == graph.None {
		return c, false
	}
	// The channel runs along the side walls: square to their normals and to the direction.
	largest := 0.0
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		t := sh.Axis.Cross(s.dir)
		if sh.Kind == surface.KindPlane && t.Norm() > math.Sin(maxDraft) && p.g.Patches[q].Area > largest {
			largest, c.run = p.g.Patches[q].Area, t.Unit()
		}
	}
	if largest == 0 {
		return c, false
	}
	c.across = c.run.Cross(s.dir).Unit()
	return c, true
}

// gap returns the distance between the outermost walls among patches that keep accepts, at height z:
// where their planes meet that level.
func (p *part) gap(s *subject, c section, z float64, keep func(q int32) bool) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		side := sh.Axis.Dot(c.across)
		if sh.Kind != surface.KindPlane || math.Abs(side) < math.Sin(maxDraft) ||
			math.Abs(sh.Axis.Dot(c.run)) > graph.SameDirection || !keep(q) {
			continue
		}
		// A point of the plane at height z: n·p = n·o with p = x·across + z·dir + anything along run.
		up := sh.Axis.Dot(s.dir)
		x := (sh.Axis.Dot(sh.Origin) - up*z - sh.Axis.Dot(c.run)*sh.Origin.Dot(c.run)) / side
		lo, hi = min(lo, x), max(hi, x)
	}
	return max(0, hi-lo)
}

// openEnds counts the ends of a channel that no wall closes.
func (p *part) openEnds(s *subject, c section) int {
	open := 2
	for _, sense := range [2]float64{1, -1} {
		for _, q := range s.patches {
			sh := &p.g.Patches[q].Shape
			closed := sh.Kind == surface.KindPlane && -sense*sh.Axis.Dot(c.run) > math.Cos(maxDraft)
			round := sh.Kind == surface.KindCylinder && sh.Hollow && graph.Parallel(sh.Axis, s.dir) &&
				sense*p.meanOf(q).Sub(sh.Origin).Dot(c.run) > sh.Radius/2
			if closed || round {
				open--
				break
			}
		}
	}
	return open
}

// meanOf returns the middle of a patch's box.
func (p *part) meanOf(q int32) geom.Vec3 {
	box := geom.EmptyBox()
	p.g.EachPoint(q, func(pt, _ geom.Vec3) { box = box.Add(pt) })
	return box.Center()
}

// fillet returns the smallest radius of the blends along the channel, 0 when there are none.
func (p *part) fillet(s *subject, c section) float64 {
	best := math.Inf(1)
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		if sh.Kind == surface.KindCylinder && sh.Hollow && graph.Parallel(sh.Axis, c.run) {
			best = min(best, sh.Radius)
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// tslot measures a neck over a wider head. The shank of the tool must pass the neck and its cutter the
// head, which it reaches from an open end only: without one, only what passes the neck comes in.
func (p *part) tslot(s *subject) *feature.TslotFacts {
	out := &feature.TslotFacts{Kind: feature.Tslot}
	c, ok := p.sectionOf(s)
	if !ok {
		return out
	}
	floor := s.extents.Of(c.floor).Lo
	ceiling := math.Inf(1)
	for _, q := range s.patches {
		if p.g.Facing(q, s.dir.Neg()) {
			ceiling = min(ceiling, s.extents.Of(q).Lo)
		}
	}
	if math.IsInf(ceiling, 1) {
		return out
	}
	out.NeckDepth, out.SlotHeight = s.z.Hi-ceiling, ceiling-floor
	out.NeckWidth = p.gap(s, c, s.z.Hi, func(q int32) bool { return s.extents.Of(q).Lo >= ceiling-p.g.Length })
	out.SlotWidth = p.gap(s, c, floor, func(q int32) bool { return s.extents.Of(q).Hi <= ceiling+p.g.Length })
	out.CornerRadius = p.fillet(s, c)
	out.OpenEnds = p.openEnds(s, c)
	out.MaxNeckDiameter, out.MaxHeadDiameter = out.NeckWidth, out.SlotWidth
	if out.OpenEnds == 0 {
		out.MaxHeadDiameter = out.NeckWidth
	}
	return out
}

// dovetail measures two flanks that lean over a floor. The floor is as wide as the flanks would make
// it where they meet its level, rounded corners or not.
func (p *part) dovetail(s *subject) *feature.DovetailFacts {
	out := &feature.DovetailFacts{Kind: feature.Dovetail}
	c, ok := p.sectionOf(s)
	if !ok {
		return out
	}
	floor := s.extents.Of(c.floor).Lo
	leans := func(q int32) bool { return p.g.Patches[q].Axis.Dot(s.dir) < -graph.SameDirection }
	neck := s.z.Hi // where the flanks end, below upright lips if there are some
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		if sh.Kind == surface.KindPlane && leans(q) && math.Abs(sh.Axis.Dot(c.across)) > graph.SameDirection {
			neck = min(neck, s.extents.Of(q).Hi)
			out.AngleDeg = cmp.Or(out.AngleDeg, geom.Degrees(math.Acos(min(1, -sh.Axis.Dot(s.dir)))))
		}
	}
	out.Depth = s.z.Hi - floor
	out.NeckWidth = p.gap(s, c, neck, leans)
	out.FloorWidth = p.gap(s, c, floor, leans)
	out.CornerRadius = p.fillet(s, c)
	out.OpenEnds = p.openEnds(s, c)
	out.MaxNeckDiameter, out.MaxHeadDiameter = out.NeckWidth, out.FloorWidth
	if out.OpenEnds == 0 {
		out.MaxHeadDiameter = out.NeckWidth
	}
	return out
}
