package step

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// surfacePart writes a product of loose surfaces.
func surfacePart(w *steptest.Text, surfaces ...string) string {
	set := w.Add("GEOMETRIC_SET('',%s)", steptest.List(surfaces...))
	w.Product("part", w.Add("GEOMETRICALLY_BOUNDED_SURFACE_SHAPE_REPRESENTATION('',(%s),%s)", set, w.Context()))
	return w.File()
}

// sewn reads a file, sews it and checks that the result is one solid.
func sewn(t *testing.T, name, text string, faces int, volume float64) *brep.Model {
	t.Helper()
	m := mustRead(t, text)
	if _, err := sew.Sew(context.Background(), m, sew.Options{}); err != nil {
		t.Fatal(err)
	}
	p, err := mass.Compute(context.Background(), m)
	if err != nil || len(m.Solids) != 1 || len(m.Faces) != faces || math.Abs(p.Volume/volume-1) > 1e-9 {
		t.Errorf("%s: %d solids, %d faces, volume %g, want %d and %g; %v; %v", name, len(m.Solids), len(m.Faces),
			p.Volume, faces, volume, err, m.Warnings)
	}
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", name, p.Message)
	}
	return m
}

// plate is a rectangle of a plane: u and v from 0, the axes of the placement given.
func plate(w *steptest.Text, at, z, x geom.Vec3, u, v float64) string {
	return w.Add("RECTANGULAR_TRIMMED_SURFACE('',%s,0.,%g,0.,%g,.T.,.T.)",
		w.Add("PLANE('',%s)", w.Placement(at, z, x)), u, v)
}

// boxPlates are the sides of a box of 1×2×3. Some normals point inward, as a set of surfaces has no orientation.
func boxPlates(w *steptest.Text) []string {
	x, y, z := steptest.UnitX, steptest.UnitY, steptest.UnitZ
	return []string{
		plate(w, geom.Vec3{}, z, x, 1, 2), plate(w, geom.Vec3{Z: 3}, z, x, 1, 2),
		plate(w, geom.Vec3{}, x, y, 2, 3), plate(w, geom.Vec3{X: 1}, x, y, 2, 3),
		plate(w, geom.Vec3{}, y, z, 3, 1), plate(w, geom.Vec3{Y: 2}, y, z, 3, 1),
	}
}

func TestLooseRectanglesAreSewn(t *testing.T) {
	w := &steptest.Text{}
	m := sewn(t, "box", surfacePart(w, boxPlates(w)...), 6, 6)
	for i, f := range m.Faces {
		if f.Surface.Kind() != surface.KindPlane || f.Source == 0 {
			t.Errorf("face %d: %v of #%d", i, f.Surface.Kind(), f.Source)
		}
	}
	w = &steptest.Text{} // among wireframe and unbounded surfaces, some of them broken
	more := append(boxPlates(w), w.Point(geom.Vec3{}), w.Line(geom.Vec3{}, steptest.UnitX),
		w.Add("PLANE('',%s)", w.Origin()), w.Add("RECTANGULAR_TRIMMED_SURFACE('',%s,0.,0.,0.,0.,.T.,.T.)",
			w.Add("PLANE('',%s)", w.Origin())))
	m = sewn(t, "box among leftovers", surfacePart(w, more...), 6, 6)
	if hasWarning(m, brep.SkippedFace) == nil {
		t.Errorf("warnings %v", m.Warnings)
	}
}

// segments writes a boundary curve of straight lines between points, every second line reversed.
func segments(w *steptest.Text, kind string, points ...geom.Vec3) string {
	var parts []string
	for i, a := range points {
		b, sense := points[(i+1)%len(points)], true
		if i%2 == 1 {
			a, b, sense = b, a, false
		}
		line := w.Add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(0.)),(PARAMETER_VALUE(%.17g)),.T.,.PARAMETER.)",
			w.Line(a, b.Sub(a).Unit()), a.Dist(b))
		parts = append(parts, w.Add("COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,%s,%s)", steptest.Logical(sense), line))
	}
	return w.Add("%s('',%s,.F.)", kind, steptest.List(parts...))
}

// TestCurveBoundedSurfaces makes a prism of 4×3×2 with a square hole through it.
func TestCurveBoundedSurfaces(t *testing.T) {
	w := &steptest.Text{}
	ring := func(x0, y0, x1, y1, z float64) []geom.Vec3 {
		return []geom.Vec3{{X: x0, Y: y0, Z: z}, {X: x1, Y: y0, Z: z}, {X: x1, Y: y1, Z: z}, {X: x0, Y: y1, Z: z}}
	}
	var all []string
	for _, z := range []float64{0, 2} {
		plane := w.Add("PLANE('',%s)", w.Placement(geom.Vec3{Z: z}, steptest.UnitZ, steptest.UnitX))
		outer := segments(w, "OUTER_BOUNDARY_CURVE", ring(0, 0, 4, 3, z)...)
		inner := segments(w, "BOUNDARY_CURVE", ring(1, 1, 2, 2, z)...)
		all = append(all, w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s,%s),.F.)", plane, outer, inner))
	}
	for _, r := range [][]geom.Vec3{ring(0, 0, 4, 3, 0), ring(1, 1, 2, 2, 0)} {
		for i, a := range r {
			b := r[(i+1)%4]
			up := geom.Vec3{Z: 2}
			plane := w.Add("PLANE('',%s)", w.Placement(a, b.Sub(a).Cross(up), b.Sub(a)))
			curve := segments(w, "BOUNDARY_CURVE", a, b, b.Add(up), a.Add(up))
			all = append(all, w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s),.F.)", plane, curve))
		}
	}
	sewn(t, "prism", surfacePart(w, all...), 10, 22)
}

// TestImplicitOuterBoundary cuts a hole in a rectangle that bounds itself, and closes it with a plug.
func TestImplicitOuterBoundary(t *testing.T) {
	w := &steptest.Text{}
	plates := boxPlates(w)
	hole := []geom.Vec3{{X: 0.25, Y: 0.5}, {X: 0.75, Y: 0.5}, {X: 0.75, Y: 1}, {X: 0.25, Y: 1}}
	curve := segments(w, "BOUNDARY_CURVE", hole...)
	plates[0] = w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s),.T.)", plates[0], curve)
	plug := plate(w, geom.Vec3{X: 0.25, Y: 0.5}, steptest.UnitZ, steptest.UnitX, 0.5, 0.5)
	sewn(t, "box with a plug", surfacePart(w, append(plates, plug)...), 7, 6)
}

// TestCompositeAndReplica builds a can: its side in two patches, its lid a copy of its bottom.
func TestCompositeAndReplica(t *testing.T) {
	w := &steptest.Text{}
	cylinder := w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Origin())
	half := func(from, to float64) string {
		return w.Add("SURFACE_PATCH(%s,.CONTINUOUS.,.CONTINUOUS.,.T.,.T.)", w.Add(
			"RECTANGULAR_TRIMMED_SURFACE('',%s,%.17g,%.17g,0.,5.,.T.,.T.)", cylinder, from, to))
	}
	side := w.Add("RECTANGULAR_COMPOSITE_SURFACE('',((%s,%s)))", half(0, math.Pi), half(math.Pi, 2*math.Pi))
	circle := w.Add("BOUNDARY_CURVE('',(%s),.F.)", w.Add("COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,%s)",
		steptest.Circle(w)))
	bottom := w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s),.F.)", w.Add("PLANE('',%s)", w.Origin()), circle)
	lid := w.Add("SURFACE_REPLICA('',%s,%s)", bottom,
		w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,$,$)", w.Point(geom.Vec3{Z: 5})))
	m := sewn(t, "can", surfacePart(w, side, bottom, lid), 4, 20*math.Pi)
	kinds := map[string]int{}
	for _, f := range m.Faces {
		kinds[surface.ShapeKind(f.Surface)]++
	}
	if kinds["Cylinder"] != 2 || kinds["Plane"] != 2 {
		t.Errorf("shape kinds %v", kinds)
	}
}

// TestClosedSurfaces reads a sphere and a torus, which need no boundary.
func TestClosedSurfaces(t *testing.T) {
	for text, volume := range map[string]float64{
		"SPHERICAL_SURFACE('',%s,2.)": 32 * math.Pi / 3, "TOROIDAL_SURFACE('',%s,5.,1.)": 10 * math.Pi * math.Pi,
	} {
		w := &steptest.Text{}
		sewn(t, text, surfacePart(w, w.Add(text, w.Origin())), 1, volume)
	}
}

// TestNoUsableSurface gives nothing that bounds anything, or nonsense.
func TestNoUsableSurface(t *testing.T) {
	for _, c := range []struct{ name, surface, code, reason string }{
		{"endless", "PLANE('',%s)", "no_solid", "without bounds"},
		{"curve", "CIRCLE('',%s,1.)", "no_solid", "wireframe"},
		{"empty rectangle", "RECTANGULAR_TRIMMED_SURFACE('',#5,0.,0.,0.,0.,.T.,.T.)", "unreadable_file", "#5"},
		{"of itself", "RECTANGULAR_TRIMMED_SURFACE('',#6,0.,1.,0.,1.,.T.,.T.)", "unreadable_file", "itself"},
		{"composite of nothing", "RECTANGULAR_COMPOSITE_SURFACE('',())", "no_solid", "no usable surface"},
		{"composite of itself", "RECTANGULAR_COMPOSITE_SURFACE('',((#7)))", "unreadable_file", "patch of a surface"},
		{"bounded by a line", "CURVE_BOUNDED_SURFACE('',#6,(#5),.F.)", "unreadable_file", "#"},
	} {
		w := &steptest.Text{}
		at := w.Origin() // #1 to #4
		text := c.surface
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, at)
		} else {
			w.Point(geom.Vec3{}) // #5
		}
		f := failure(t, surfacePart(w, w.Add("%s", text)))
		if f.Code != fault.Code(c.code) || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %s %q, want %s about %q", c.name, f.Code, f.Reason, c.code, c.reason)
		}
	}
}

// TestSurfacesBesideSolids leaves loose surfaces out where there is a solid.
func TestSurfacesBesideSolids(t *testing.T) {
	w := &steptest.Text{}
	solid := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	set := w.Add("GEOMETRIC_SET('',%s)", steptest.List(boxPlates(w)...))
	w.Product("part", w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", set, solid, w.Context()))
	if m := mustRead(t, w.File()); len(m.Faces) != 6 || len(m.Solids) != 1 {
		t.Errorf("%d faces, %d solids", len(m.Faces), len(m.Solids))
	}
}

// TestRectangleUnderAFace puts a face with loops on a rectangle of a plane with the opposite normal.
func TestRectangleUnderAFace(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	text := w.File()
	at := strings.Index(text, "=PLANE('',")
	plane := text[strings.LastIndex(text[:at], "#"):at]
	face := strings.Index(text, ","+plane+",.T.")
	trimmed := w.Add("RECTANGULAR_TRIMMED_SURFACE('',%s,-9.,9.,-9.,9.,.F.,.T.)", plane)
	text = w.File()
	text = text[:face] + "," + trimmed + ",.F." + text[face+len(","+plane+",.T."):]
	m := mustRead(t, text)
	if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 6, 1e-12) || m.Faces[0].Surface.Kind() != surface.KindPlane {
		t.Errorf("volume %g, surface %v", v, m.Faces[0].Surface.Kind())
	}
}

// TestPolyLoopsOnPlanes writes facets as faces with planes, of both senses.
func TestPolyLoopsOnPlanes(t *testing.T) {
	for _, same := range []bool{true, false} {
		w := &steptest.Text{}
		corner := []geom.Vec3{{}, {X: 6}, {Y: 6}, {Z: 6}}
		var p, faces []string
		for _, c := range corner {
			p = append(p, w.Point(c))
		}
		for _, f := range [][3]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}} {
			loop := w.Add("POLY_LOOP('',(%s,%s,%s))", p[f[0]], p[f[1]], p[f[2]])
			u, v := corner[f[1]].Sub(corner[f[0]]), corner[f[2]].Sub(corner[f[0]])
			n := u.Cross(v)
			if !same {
				n = n.Neg()
			}
			plane := w.Add("PLANE('',%s)", w.Placement(corner[f[0]], n, u))
			faces = append(faces, w.Add("FACE_SURFACE('',(%s),%s,%s)", w.Add("FACE_BOUND('',%s,.T.)", loop), plane,
				steptest.Logical(same)))
		}
		w.Product("part", w.Add("FACETED_BREP_SHAPE_REPRESENTATION('',(%s),%s)",
			w.Add("FACETED_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", steptest.List(faces...))), w.Context()))
		m := mustRead(t, w.File())
		if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 36, 1e-12) || len(m.Edges) != 6 ||
			m.Faces[0].Reversed == same {
			t.Errorf("same sense %v: volume %g, %d edges", same, v, len(m.Edges))
		}
		checkEdges(t, m)
	}
}
