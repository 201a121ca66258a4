package datasheet

// Facts of holes. Most was measured while the stack was recognized, on exact radii; here come the tip,
// the sweep of the wall, the entry, the voids that cross it and the thread.

import (
	"math"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func (p *partContext) hole(s *featureMeasurer) *feature.HoleFacts {
	out := &feature.HoleFacts{Kind: feature.Hole, Axis: s.dir}
	h := s.f.Hole
	if h == nil {
		return out
	}
	if s.f.Axis != nil {
		out.Axis = coaxialWith(*s.f.Axis, s.dir)
	}
	out.Diameter, out.Depth, out.IsThrough, out.Bottom = h.Diameter, h.Depth, h.Through, h.Bottom
	out.Center = h.TopCenter
	for _, g := range h.Segments {
		out.Segments = append(out.Segments, feature.SegmentFacts(g))
	}
	out.Counterbore, out.FarCounterbore = counterbore(h.Counterbore), counterbore(h.FarCounterbore)
	out.Countersink, out.FarCountersink = countersink(h.Countersink), countersink(h.FarCountersink)
	out.TipAngleDeg = p.tip(s, h)
	axis := p.axisOf(s)
	out.SweepDeg = p.sweep(s)
	if axis != nil {
		out.EntryTiltDeg = p.entryTilt(s, axis)
		out.CrossesVoid = p.crossesVoid(s, axis)
	}
	out.Thread = p.thread(s, out)
	return out
}

// sweep returns the angle that the wall of a hole covers, degrees.
func (p *partContext) sweep(s *featureMeasurer) float64 {
	axis := p.axisOf(s)
	if axis == nil {
		return 0
	}
	sweep := p.g.Sweep(p.bores(s), axis)
	if sweep > graph.FullSweep {
		return 360
	}
	return geom.Degrees(sweep)
}

func counterbore(c *feature.Counterbore) *feature.BoreFacts {
	if c == nil {
		return nil
	}
	return &feature.BoreFacts{Diameter: c.Diameter, Depth: c.Depth}
}

func countersink(c *feature.Countersink) *feature.SinkFacts {
	if c == nil {
		return nil
	}
	return &feature.SinkFacts{Diameter: c.Diameter, AngleDeg: geom.Degrees(c.Angle), Depth: c.Depth}
}

// coaxialWith returns v or its opposite, whichever has the sense of dir.
func coaxialWith(v, dir geom.Vec3) geom.Vec3 {
	if v.Dot(dir) < 0 {
		return v.Neg()
	}
	return v
}

// bores returns the cylinders and cones of a hole.
func (p *partContext) bores(s *featureMeasurer) []int32 {
	var out []int32
	for _, q := range s.patches {
		if k := p.g.Patches[q].Kind; k == surface.KindCylinder || k == surface.KindCone {
			out = append(out, q)
		}
	}
	return out
}

// axisOf returns the shape of a bore of the hole, nil if there is no bore.
func (p *partContext) axisOf(s *featureMeasurer) *graph.Shape {
	var best *graph.Shape
	for _, q := range p.bores(s) {
		sh := &p.g.Patches[q].Shape
		if best == nil || sh.Kind == surface.KindCylinder && (best.Kind != sh.Kind || sh.Radius < best.Radius) {
			best = sh
		}
	}
	return best
}

// tip returns the included angle of a conical bottom, degrees.
func (p *partContext) tip(s *featureMeasurer, h *feature.HoleShape) *float64 {
	if h.Bottom != "conical" {
		return nil
	}
	low, at := math.Inf(1), int32(graph.None)
	for _, q := range s.patches {
		if p.g.Patches[q].Kind == surface.KindCone && s.extents.Of(q).Lo < low {
			low, at = s.extents.Of(q).Lo, q
		}
	}
	if at == graph.None {
		return nil
	}
	return pointer(2 * geom.Degrees(math.Abs(p.g.Patches[at].Slope)))
}

// entryTilt returns the angle between the axis and the normal of the hole's entry face, degrees. The entry face is the
// plane next to the opening, past any chamfers. For a curved face the normal is taken at the middle of the opening.
func (p *partContext) entryTilt(s *featureMeasurer, axis *graph.Shape) float64 {
	top, found, tilt := math.Inf(-1), false, 0.0
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			o := a.Other(q)
			z := a.Mid.Dot(s.dir)
			if s.has(o) || a.Convexity != graph.Convex || z <= top {
				continue
			}
			if n, ok := p.faceNormal(o, axis, s); ok && n.Dot(s.dir) > 0 {
				top, found, tilt = z, true, n.Angle(coaxialWith(axis.Axis, s.dir))
			}
		}
	}
	if !found {
		return 0
	}
	return roundDegrees(tilt)
}

// faceNormal returns the normal of the face around an opening at the point where the axis would pierce it; false for a
// chamfer of the opening.
func (p *partContext) faceNormal(q int32, axis *graph.Shape, s *featureMeasurer) (geom.Vec3, bool) {
	sh := &p.g.Patches[q].Shape
	switch sh.Kind {
	case surface.KindPlane:
		return sh.Axis, true
	case surface.KindCylinder:
		if sh.Hollow && p.g.Coaxial(axis, sh) {
			return geom.Vec3{}, false
		}
		// The axis intersects the cylinder where the generator's normal is perpendicular to both.
		dir := coaxialWith(axis.Axis, s.dir)
		out := dir.Reject(sh.Axis).Unit()
		side := axis.Origin.Sub(sh.Origin)
		off := side.Dot(sh.Axis.Cross(out)) / sh.Radius
		if math.Abs(off) >= 1 {
			return geom.Vec3{}, false
		}
		n := out.Scale(math.Sqrt(1-off*off)).AddScaled(off, sh.Axis.Cross(out))
		return n, true
	case surface.KindSphere:
		return p.meanNormal(q, axis), true
	}
	if p.g.Coaxial(axis, sh) {
		return geom.Vec3{}, false
	}
	return p.meanNormal(q, axis), true
}

// meanNormal returns the normal of a patch at its point next to an axis.
func (p *partContext) meanNormal(q int32, axis *graph.Shape) geom.Vec3 {
	best, out := math.Inf(1), geom.Vec3{}
	p.g.EachPoint(q, func(pt, n geom.Vec3) {
		if d := graph.DistanceToAxis(axis, pt); d < best {
			best, out = d, n
		}
	})
	return out
}

// crossesVoid reports whether the wall of a hole is interrupted by another feature: it has an opening
// in its side, or more ends than its two, or one with a bottom. An edge along a wall that
// is not closed counts if another pocket or hole lies behind it.
func (p *partContext) crossesVoid(s *featureMeasurer, axis *graph.Shape) bool {
	ends := 0
	at := s.view.Point(axis.Origin)
	for _, c := range s.view.Chains(s.patches) {
		l := s.view.Loop(c)
		if l.Length() <= p.g.Length {
			continue // a boundary seen edge on, of a hole oblique to the direction
		}
		if l.Winds(at) {
			ends++
			continue
		}
		for i := range l {
			if q := l[i].Tag; q != graph.None && p.isHollow(q, s) {
				return true
			}
		}
	}
	if s.f.Hole.Through {
		return ends > 2
	}
	return ends > 1
}

// isHollow reports whether a patch belongs to a hole, pocket or channel other than the subject.
func (p *partContext) isHollow(q int32, s *featureMeasurer) bool {
	for _, id := range p.owners[q] {
		switch p.heads[id].f.Type {
		case feature.Hole, feature.Pocket, feature.Dovetail, feature.Tslot:
			return id != s.id
		}
	}
	return p.g.Patches[q].Hollow
}
