package steptest

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Circle writes a circle of radius 2 about the z axis.
func Circle(w *Text) string {
	return w.Add("CIRCLE('',%s,2.)", w.Placement(geom.Vec3{}, UnitZ, UnitX))
}

// Spline writes a closed B-spline: a square with rounded corners, periodic over [0, 4], start at (2, 0).
func Spline(w *Text) string {
	return w.Add("(BOUNDED_CURVE()B_SPLINE_CURVE(2,%s,.UNSPECIFIED.,.T.,.F.)"+
		"B_SPLINE_CURVE_WITH_KNOTS((3,2,2,2,3),(0.,1.,2.,3.,4.),.UNSPECIFIED.)CURVE()"+
		"RATIONAL_B_SPLINE_CURVE((1.,0.7071067811865476,1.,0.7071067811865476,1.,0.7071067811865476,1.,"+
		"0.7071067811865476,1.))REPRESENTATION_ITEM(''))", w.ring())
}

// ring writes the control points of a circle of radius 2.
func (w *Text) ring() string {
	var ids []string
	for _, p := range [][2]float64{{2, 0}, {2, 2}, {0, 2}, {-2, 2}, {-2, 0}, {-2, -2}, {0, -2}, {2, -2}, {2,
		0}} {
		ids = append(ids, w.Point(geom.Vec3{X: p[0], Y: p[1]}))
	}
	return List(ids...)
}

// Surface is one form to write a surface, with a point on it.
type Surface struct {
	Name  string
	Write func(w *Text) string
	Kind  surface.Kind
	On    geom.Vec3
}

// Origin writes the placement of the coordinate axes.
func (w *Text) Origin() string { return w.Placement(geom.Vec3{}, UnitZ, UnitX) }

// netOf writes rows of control points of a bump over the square [0, 3]².
func (w *Text) netOf(n int) string {
	var rows []string
	for i := range n {
		var row []string
		for j := range n {
			z := 0.0
			if i > 0 && j > 0 && i < n-1 && j < n-1 {
				z = 1
			}
			row = append(row, w.Point(geom.Vec3{X: 3 * float64(i) / float64(n-1), Y: 3 * float64(j) / float64(n-1),
				Z: z}))
		}
		rows = append(rows, List(row...))
	}
	return List(rows...)
}

// Surfaces are samples of all surface entities.
var Surfaces = []Surface{
	{"plane", func(w *Text) string { return w.Add("PLANE('',%s)", w.Origin()) }, surface.KindPlane,
		geom.Vec3{X: 4}},
	{"cylinder", func(w *Text) string { return w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Origin()) },
		surface.KindCylinder, geom.Vec3{Y: 2, Z: 5}},
	{"cone", func(w *Text) string { return w.Add("CONICAL_SURFACE('',%s,1.,0.785398163397448)", w.Origin()) },
		surface.KindCone, geom.Vec3{Y: 3, Z: 2}},
	{"cone from its apex", func(w *Text) string {
		return w.Add("CONICAL_SURFACE('',%s,0.,0.785398163397448)",
			w.Origin())
	},
		surface.KindCone, geom.Vec3{X: 2, Z: 2}},
	{"cone of no angle", func(w *Text) string { return w.Add("CONICAL_SURFACE('',%s,2.,0.)", w.Origin()) },
		surface.KindCylinder, geom.Vec3{X: 2, Z: 2}},
	{"sphere", func(w *Text) string { return w.Add("SPHERICAL_SURFACE('',%s,2.)", w.Origin()) },
		surface.KindSphere, geom.Vec3{Z: -2}},
	{"torus", func(w *Text) string { return w.Add("TOROIDAL_SURFACE('',%s,5.,1.)", w.Origin()) },
		surface.KindTorus, geom.Vec3{Y: 6}},
	{"apple", func(w *Text) string { return w.Add("DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.T.)", w.Origin()) },
		surface.KindTorus, geom.Vec3{Y: 3}},
	{"lemon", func(w *Text) string { return w.Add("DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.F.)", w.Origin()) },
		surface.KindTorus, geom.Vec3{X: 1}},
	{"B-spline", func(w *Text) string {
		return w.Add("B_SPLINE_SURFACE_WITH_KNOTS('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.,(4,4),(4,4),(0.,1.),(0.,1.),"+
			".UNSPECIFIED.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5625}},
	{"rational B-spline", func(w *Text) string {
		return w.Add("(BOUNDED_SURFACE()B_SPLINE_SURFACE(2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)"+
			"B_SPLINE_SURFACE_WITH_KNOTS((3,3),(3,3),(0.,1.),(0.,1.),.UNSPECIFIED.)GEOMETRIC_REPRESENTATION_ITEM()"+
			"RATIONAL_B_SPLINE_SURFACE(((1.,1.,1.),(1.,3.,1.),(1.,1.,1.)))REPRESENTATION_ITEM('')SURFACE())",
			w.netOf(3))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5}},
	{"quasi-uniform", func(w *Text) string {
		return w.Add("QUASI_UNIFORM_SURFACE('',2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 3, Y: 3}},
	{"Bézier", func(w *Text) string {
		return w.Add("BEZIER_SURFACE('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 0.5625}},
	{"uniform", func(w *Text) string {
		return w.Add("(B_SPLINE_SURFACE(2,2,%s,.UNSPECIFIED.,.F.,.F.,.F.)BOUNDED_SURFACE()UNIFORM_SURFACE())",
			w.netOf(4))
	}, surface.KindBSpline, geom.Vec3{X: 1.5, Y: 1.5, Z: 1}},
	{"extrusion", func(w *Text) string {
		return w.Add("SURFACE_OF_LINEAR_EXTRUSION('',%s,%s)", Spline(w), w.Add("VECTOR('',%s,7.)",
			w.Direction(UnitZ)))
	}, surface.KindExtrusion, geom.Vec3{Y: 2, Z: 3}},
	{"revolution", func(w *Text) string {
		axis := w.Add("AXIS1_PLACEMENT('',%s,%s)", w.Point(geom.Vec3{X: 10}), w.Direction(UnitY))
		return w.Add("SURFACE_OF_REVOLUTION('',%s,%s)", Spline(w), axis)
	}, surface.KindRevolution, geom.Vec3{X: 10, Z: 8}},
	{"offset", func(w *Text) string {
		net := w.Add("BEZIER_SURFACE('',3,3,%s,.UNSPECIFIED.,.F.,.F.,.F.)", w.netOf(4))
		return w.Add("OFFSET_SURFACE('',%s,0.5,.F.)", net)
	}, surface.KindOffset, geom.Vec3{X: 1.5, Y: 1.5, Z: 1.0625}},
	{"rectangle of a cylinder", func(w *Text) string {
		return w.Add("RECTANGULAR_TRIMMED_SURFACE('',%s,0.,1.,2.,5.,.T.,.T.)",
			w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Origin()))
	}, surface.KindTrimmed, geom.Vec3{X: 2, Z: 3}},
	{"bounded by curves", func(w *Text) string {
		return w.Add("CURVE_BOUNDED_SURFACE('',%s,(),.T.)", w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Origin()))
	}, surface.KindCylinder, geom.Vec3{X: 2, Z: 3}},
	{"replica", func(w *Text) string {
		move := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,3.,$)", w.Point(geom.Vec3{Z: 1}))
		return w.Add("SURFACE_REPLICA('',%s,%s)", w.Add("SPHERICAL_SURFACE('',%s,2.)", w.Origin()), move)
	}, surface.KindSphere, geom.Vec3{Z: 7}},
}
