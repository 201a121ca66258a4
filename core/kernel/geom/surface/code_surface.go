package surface

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/internal/tensor"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// analytic serializes a surface that is a plain value.
func (g *Archive) analytic(kind Kind, v *Surface) {
	switch kind {
	case KindPlane:
		s, _ := (*v).(Plane)
		g.Frame(&s.Frame)
		hand(g, v, s, nil)
	case KindCylinder:
		s, _ := (*v).(Cylinder)
		g.Frame(&s.Frame)
		g.Float(&s.Radius)
		hand(g, v, s, nil)
	case KindCone:
		s, _ := (*v).(Cone)
		g.Frame(&s.Frame)
		g.Floats(&s.Radius, &s.HalfAngle)
		hand(g, v, s, nil)
	case KindSphere:
		s, _ := (*v).(Sphere)
		g.Frame(&s.Frame)
		g.Float(&s.Radius)
		hand(g, v, s, nil)
	case KindTorus:
		s, _ := (*v).(Torus)
		g.Frame(&s.Frame)
		g.Floats(&s.Major, &s.Minor)
		pack.Integer(g.Archive, &s.Part)
		hand(g, v, s, nil)
	}
}

// builtSurface serializes a surface that is held by a pointer.
func (g *Archive) builtSurface(kind Kind, v *Surface) {
	switch kind {
	case KindBSpline:
		g.splineSurface(v)
	case KindExtrusion:
		g.extrusion(v)
	case KindRevolution:
		g.revolution(v)
	case KindOffset:
		g.offset(v)
	case KindTrimmed:
		var s Trimmed
		if t, ok := (*v).(*Trimmed); ok {
			s = *t
		}
		g.support(&s.Base)
		g.interval(&s.U)
		g.interval(&s.V)
		g.Flags(&s.SenseU, &s.SenseV)
		hand(g, v, &s, nil)
	case KindFacets:
		g.facets(g, v)
	default:
		g.Fail("there is no surface of kind %d", kind)
	}
}

func (g *Archive) singular(list *[]Singularity) {
	const size = 1 + 4*8
	pack.Slice(g.Archive, list, size, func(s *Singularity) {
		g.Flags(&s.ConstV)
		g.Float(&s.Param)
		g.Vec(&s.Point)
	})
}

func (g *Archive) splineSurface(v *Surface) {
	var s BSpline
	var ku, kv *bspline.Knots
	var poly []geom.Vec3
	var hom []bspline.Hom
	if b, ok := (*v).(*BSpline); ok {
		s = *b
		ku, kv = s.net.U, s.net.V
		poly, hom = s.net.ControlPoints()
	}
	g.Knots(&ku)
	g.Knots(&kv)
	g.Vecs(&poly)
	pack.Slice(g.Archive, &hom, 4*8, func(h *bspline.Hom) { g.Floats(&h.X, &h.Y, &h.Z, &h.W) })
	g.Flags(&s.closedU, &s.closedV)
	g.singular(&s.singular)
	g.Floats(&s.size, &s.slackU, &s.slackV)
	if !g.Reading() || g.Err() != nil {
		return
	}
	net, err := tensor.Restore(ku, kv, poly, hom)
	s.net, s.u, s.v = net, ku.Domain(), kv.Domain()
	hand(g, v, &s, err)
}

func (g *Archive) extrusion(v *Surface) {
	var profile curve.Curve
	var dir geom.Vec3
	if s, ok := (*v).(*Extrusion); ok {
		profile, dir = s.profile, s.dir
	}
	g.base(&profile)
	g.Dir(&dir)
	if g.Reading() && g.Err() == nil {
		hand(g, v, sweep(profile, dir), nil)
	}
}

func (g *Archive) revolution(v *Surface) {
	var s Revolution
	if r, ok := (*v).(*Revolution); ok {
		s = *r
	}
	g.Frame(&s.frame)
	g.base(&s.profile)
	g.Flags(&s.planar)
	g.Floats(&s.lo, &s.hi)
	g.singular(&s.singular)
	g.Floats(&s.size, &s.slackU, &s.slackV)
	if g.Reading() && g.Err() == nil {
		s.section = meridianSection(s.profile, s.planar)
		hand(g, v, &s, nil)
	}
}

func (g *Archive) offset(v *Surface) {
	var s Offset
	if o, ok := (*v).(*Offset); ok {
		s = *o
	}
	g.support(&s.base)
	g.Float(&s.distance)
	g.singular(&s.singular)
	g.Floats(&s.slackU, &s.slackV)
	hand(g, v, &s, nil)
}
