package step

import (
	"testing"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// surfaceSample is one way to write a surface, with a point that it must pass through.
type surfaceSample struct {
	name  string
	write func(w *text) string
	kind  surface.Kind
	on    geom.Vec3
}

func (w *text) origin() string { return w.placement(geom.Vec3{}, unitZ, unitX) }

// netOf writes rows of control points of a bump over the square [0, 3]².
func (w *text) netOf(n int) string {
	var rows []string
	for i := range n {
		var row []string
		for j := range n {
			z := 0.0
			if i > 0 && j > 0 && i < n-1 && j < n-1 {
				z = 1
			}
			row = append(row, w.point(geom.Vec3{X: 3 * float64(i) / float64(n-1), Y: 3 * float64(j) / float64(n-1),
				Z: z}))
		}
		rows = append(rows, list(row...))
	}
	return list(rows...)
}

var surfaceSamples = []surfaceSample{
	{"plane", func(w *text) string { return w.add("PLANE('',%s)", w.origin()) }, surface.KindPlane,
		geom.Vec3{X: 4}},
	{"cylinder", func(w *text) string { return w.add("CYLINDRICAL_SURFACE('',%s,2.)", w.origin()) },
		surface.KindCylinder, geom.Vec3{Y: 2, Z: 5}},
	{"cone", func(w *text) string { return w.add("CONICAL_SURFACE('',%s,1.,0.785398163397448)", w.origin()) },
		surface.KindCone, geom.Vec3{Y: 3, Z: 2}},
	{"cone from its apex", func(w *text) string {
		return w.add("CONICAL_SURFACE('',%s,0.,0.785398163397448)",
			w.origin())
	},
		surface.KindCone, geom.Vec3{X: 2, Z: 2}},
	{"cone of no angle", func(w *text) string { return w.add("CONICAL_SURFACE('',%s,2.,0.)", w.origin()) },
		surface.KindCylinder, geom.Vec3{X: 2, Z: 2}},
	{"sphere", func(w *text) string { return w.add("SPHERICAL_SURFACE('',%s,2.)", w.origin()) },
		surface.KindSphere, geom.Vec3{Z: -2}},
	{"torus", func(w *text) string { return w.add("TOROIDAL_SURFACE('',%s,5.,1.)", w.origin()) },
		surface.KindTorus, geom.Vec3{Y: 6}},
	{"apple", func(w *text) string { return w.add("DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.T.)", w.origin()) },
		surface.KindTorus, geom.Vec3{Y: 3}},
	{"lemon", func(w *text) string { return w.add("DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.F.)", w.origin()) },
		surface.KindTorus, geom.Vec3{X: 1}},
	{"B-spline", func(w *text) string {
		return w.add("B_SPLINE_SURFACE_WITH_KNOTS('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.,(4,4),(4,4),(0.,1.),(0.,1.),"+
			".UNSPECIFIED.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5625}},
	{"rational B-spline", func(w *text) string {
		return w.add("(BOUNDED_SURFACE()B_SPLINE_SURFACE(2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)"+
			"B_SPLINE_SURFACE_WITH_KNOTS((3,3),(3,3),(0.,1.),(0.,1.),.UNSPECIFIED.)GEOMETRIC_REPRESENTATION_ITEM()"+
			"RATIONAL_B_SPLINE_SURFACE(((1.,1.,1.),(1.,3.,1.),(1.,1.,1.)))REPRESENTATION_ITEM('')SURFACE())",
			w.netOf(3))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5}},
	{"quasi-uniform", func(w *text) string {
		return w.add("QUASI_UNIFORM_SURFACE('',2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 3, Y: 3}},
	{"Bézier", func(w *text) string {
		return w.add("BEZIER_SURFACE('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5625}},
	{"uniform", func(w *text) string {
		return w.add("(B_SPLINE_SURFACE(2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)BOUNDED_SURFACE()UNIFORM_SURFACE())",
			w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 1}},
	{"extrusion", func(w *text) string {
		return w.add("SURFACE_OF_LINEAR_EXTRUSION('',%s,%s)", spline(w), w.add("VECTOR('',%s,7.)",
			w.direction(unitZ)))
	}, surface.KindExtrusion, geom.Vec3{Y: 2, Z: 3}},
	{"revolution", func(w *text) string {
		axis := w.add("AXIS1_PLACEMENT('',%s,%s)", w.point(geom.Vec3{X: 10}), w.direction(unitY))
		return w.add("SURFACE_OF_REVOLUTION('',%s,%s)", spline(w), axis)
	}, surface.KindRevolution, geom.Vec3{X: 10, Z: 8}},
	{"offset", func(w *text) string {
		net := w.add("BEZIER_SURFACE('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
		return w.add("OFFSET_SURFACE('',%s,0.5,.F.)", net)
	}, surface.KindOffset, geom.Vec3{X: 1.5, Y: 1.5, Z: 1.0625}},
	{"rectangle of a cylinder", func(w *text) string {
		return w.add("RECTANGULAR_TRIMMED_SURFACE('',%s,0.,1.,2.,5.,.T.,.T.)",
			w.add("CYLINDRICAL_SURFACE('',%s,2.)", w.origin()))
	}, surface.KindTrimmed, geom.Vec3{X: 2, Z: 3}},
	{"bounded by curves", func(w *text) string {
		return w.add("CURVE_BOUNDED_SURFACE('',%s,(),.T.)", w.add("CYLINDRICAL_SURFACE('',%s,2.)", w.origin()))
	}, surface.KindCylinder, geom.Vec3{X: 2, Z: 3}},
	{"replica", func(w *text) string {
		move := w.add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,3.,$)", w.point(geom.Vec3{Z: 1}))
		return w.add("SURFACE_REPLICA('',%s,%s)", w.add("SPHERICAL_SURFACE('',%s,2.)", w.origin()), move)
	}, surface.KindSphere, geom.Vec3{Z: 7}},
}

func TestSurfaceForms(t *testing.T) {
	for _, c := range surfaceSamples {
		w := &text{}
		s, r := scopeOf(t, w, c.write(w))
		got, err := s.surface(r, 0)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.Kind() != c.kind {
			t.Errorf("%s: kind %d, want %d", c.name, got.Kind(), c.kind)
		}
		if uv, dist := got.Invert(c.on); dist > 1e-7 {
			t.Errorf("%s: %v lies %g mm off the surface (nearest at %v)", c.name, c.on, dist, uv)
		}
	}
}

func TestImpossibleSurfaces(t *testing.T) {
	for _, form := range []string{
		"CYLINDRICAL_SURFACE('',%s,0.)", "CYLINDRICAL_SURFACE('',%s,-1.)", "SPHERICAL_SURFACE('',%s,0.)",
		"CONICAL_SURFACE('',%s,-1.,0.5)", "CONICAL_SURFACE('',%s,0.,0.)", "CONICAL_SURFACE('',%s,1.,1.6)",
		"TOROIDAL_SURFACE('',%s,5.,0.)", "TOROIDAL_SURFACE('',%s,1.E300,1.E308)", "PLANE('',$,%s)",
		"SURFACE_OF_LINEAR_EXTRUSION('',%s,%[1]s)", "OFFSET_SURFACE('',%s,1.,.F.)", "SURFACE_REPLICA('',#99,%s)",
	} {
		w := &text{}
		id := w.add(form, w.origin())
		s, r := scopeOf(t, w, id)
		if got, err := s.surface(r, 0); err == nil {
			t.Errorf("%s gave %v", form, got)
		}
	}
	w := &text{}
	self := w.add("OFFSET_SURFACE('',#1,1.,.F.)")
	s, r := scopeOf(t, w, self)
	if _, err := s.surface(r, 0); err == nil {
		t.Error("an offset of itself was read")
	}
}
