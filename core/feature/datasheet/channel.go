package datasheet

// Facts of T-slots and dovetails: straight channels, measured in their cross-section.
//
// The lowest plane that faces up is the floor. Distances across the channel, in the plane of the floor, are between the
// side walls. Tools enter at the open ends; without one they cannot. The neck must admit the shank of the tool and the
// head its cutter. So the widths bound both diameters, with no allowance for rounded corners.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxCeiling (rad, 30°) is the maximum inclination of the ledges of a T-slot.
const maxCeiling = 30 * math.Pi / 180

// section is the cross-section of a channel.
type section struct {
	floor  int32
	run    geom.Vec3 // unit, along the channel
	across geom.Vec3 // unit
}

// sectionOf finds the cross-section; false without a floor.
func (p *partContext) sectionOf(s *featureMeasurer) (section, bool) {
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
	if s.f.Axis == nil {
		return c, false
	}
	c.run = *s.f.Axis
	c.across = c.run.Cross(s.dir).Unit()
	return c, true
}

// gap returns the distance at height z between the outermost walls among the patches that keep accepts. Their planes
// are intersected with that level.
func (p *partContext) gap(s *featureMeasurer, c section, z float64, keep func(q int32) bool) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		side := sh.Axis.Dot(c.across)
		if sh.Kind != surface.KindPlane || math.Abs(side) < math.Sin(maxDraft) ||
			math.Abs(sh.Axis.Dot(c.run)) > graph.DirectionTolerance || !keep(q) {
			continue
		}
		// A point of the plane at height z: n·p = n·o with p = x·across + z·dir + anything along run.
		up := sh.Axis.Dot(s.dir)
		x := (sh.Axis.Dot(sh.Origin) - up*z - sh.Axis.Dot(c.run)*sh.Origin.Dot(c.run)) / side
		lo, hi = min(lo, x), max(hi, x)
	}
	return max(0, hi-lo)
}

// between returns the least and the largest distance between the sides of a channel among patches that keep accepts:
// planes and roundings along it.
func (p *partContext) between(s *featureMeasurer, c section, keep func(q int32) bool) geom.Interval {
	sides := [2]geom.Interval{{Lo: math.Inf(1), Hi: math.Inf(-1)}, {Lo: math.Inf(1), Hi: math.Inf(-1)}}
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		isPlane := sh.Kind == surface.KindPlane && math.Abs(sh.Axis.Dot(c.run)) <= graph.DirectionTolerance
		isLip := sh.Kind == surface.KindCylinder && !sh.Hollow && graph.Parallel(sh.Axis, c.run)
		side := p.facing(q, c.across)
		if !isPlane && !isLip || math.Abs(side) < math.Sin(maxDraft) || !keep(q) {
			continue
		}
		i, x := 0, p.g.Exact([]int32{q}, c.across)
		if side < 0 {
			i, x = 1, geom.Interval{Lo: -x.Hi, Hi: -x.Lo}
		}
		sides[i] = sides[i].Union(x)
	}
	if sides[0].Length() < 0 || sides[1].Length() < 0 {
		return geom.Interval{}
	}
	return geom.Interval{Lo: max(0, -sides[0].Hi-sides[1].Hi), Hi: max(0, -sides[0].Lo-sides[1].Lo)}
}

// facing returns the component of a patch's mean normal along a direction.
func (p *partContext) facing(q int32, dir geom.Vec3) float64 {
	s := p.g.Slopes(q, dir)
	return (s.Lo + s.Hi) / 2
}

// openEnds counts the ends of a channel that no wall closes.
func (p *partContext) openEnds(s *featureMeasurer, c section) int {
	open := 0
	for _, sense := range [2]float64{1, -1} {
		if IsOpenEnd(p.g, s.patches, c.run.Scale(sense), s.dir) {
			open++
		}
	}
	return open
}

// IsOpenEnd reports whether no wall among the patches of a channel closes its end toward a unit direction along it. The
// channel opens toward the unit direction up.
func IsOpenEnd(g *graph.Graph, patches []int32, toward, up geom.Vec3) bool {
	return !slices.ContainsFunc(patches, func(q int32) bool {
		sh := &g.Patches[q].Shape
		closes := sh.Kind == surface.KindPlane && -sh.Axis.Dot(toward) > math.Cos(maxDraft)
		isRound := sh.Kind == surface.KindCylinder && sh.Hollow && graph.Parallel(sh.Axis, up) &&
			g.Box(q).Center().Sub(sh.Origin).Dot(toward) > sh.Radius/2
		return closes || isRound
	})
}

// fillet returns the smallest radius of the blends along the channel, 0 if there are no blends.
func (p *partContext) fillet(s *featureMeasurer, c section) float64 {
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

// tslot measures a neck over a wider head. The shank of the tool must pass the neck. The cutter must fit the head and
// enters it at an open end only; without one, the tool must pass the neck.
func (p *partContext) tslot(s *featureMeasurer) *feature.TslotFacts {
	out := &feature.TslotFacts{Kind: feature.Tslot}
	c, ok := p.sectionOf(s)
	if !ok {
		return out
	}
	floor, ceiling := s.extents.Of(c.floor).Lo, geom.EmptyInterval()
	isCeiling := func(q int32) bool { return p.g.Patches[q].Axis.Dot(s.dir) < -math.Cos(maxCeiling) }
	for _, q := range s.patches {
		if z := s.extents.Of(q); isCeiling(q) {
			ceiling = ceiling.Union(z)
		}
	}
	if math.IsInf(ceiling.Lo, 1) {
		return out
	}
	out.NeckDepth, out.SlotHeight = s.z.Hi-ceiling.Hi, ceiling.Lo-floor
	neck, lazyHeight := p.between(s, c, func(q int32) bool {
		return s.extents.Of(q).Lo >= ceiling.Lo-p.g.Length && !isCeiling(q)
	}), p.between(s, c, func(q int32) bool { return s.extents.Of(q).Hi <= ceiling.Hi+p.g.Length && !isCeiling(q) })
	out.NeckWidth, out.SlotWidth = neck.Lo, lazyHeight.Hi
	out.CornerRadius = p.fillet(s, c)
	out.OpenEnds = p.openEnds(s, c)
	out.MaxNeckDiameter, out.MaxHeadDiameter = out.NeckWidth, out.SlotWidth
	if out.OpenEnds == 0 {
		out.MaxHeadDiameter = out.NeckWidth
	}
	return out
}

// dovetail measures two flanks that lean over a floor. The width of the floor is the distance of the flanks at its
// level, as if corners were sharp.
func (p *partContext) dovetail(s *featureMeasurer) *feature.DovetailFacts {
	out := &feature.DovetailFacts{Kind: feature.Dovetail}
	c, ok := p.sectionOf(s)
	if !ok {
		return out
	}
	floor := s.extents.Of(c.floor).Lo
	leans := func(q int32) bool { return p.g.Patches[q].Axis.Dot(s.dir) < -graph.DirectionTolerance }
	neck := s.z.Hi // end of the flanks, below vertical lips if any
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		if sh.Kind == surface.KindPlane && leans(q) && math.Abs(sh.Axis.Dot(c.across)) > graph.DirectionTolerance {
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
