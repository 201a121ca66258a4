package step

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*(1+math.Abs(b)) }

// TestOrientationFlagsAreFolded writes one box with all orientation flags chosen at random and matching geometry. The
// model must always be the same solid with outward normals.
func TestOrientationFlagsAreFolded(t *testing.T) {
	min, size := geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 2, Y: 3, Z: 5}
	rapid.Check(t, func(rt *rapid.T) {
		flag := rapid.Bool()
		w := &steptest.Text{Flip: func() bool { return flag.Draw(rt, "flag") }}
		w.Part(w.Box(min, size))
		m := mustRead(t, w.File())
		checkEdges(t, m)
		volume, centroid := polyhedron(t, m, allFaces(m))
		if !near(volume, 30, 1e-12) || centroid.Dist(geom.Vec3{X: 2, Y: 3.5, Z: 5.5}) > 1e-9 {
			rt.Fatalf("volume %g, centroid %v", volume, centroid)
		}
		if len(m.Solids) != 1 || len(m.Faces) != 6 || len(m.Edges) != 12 || len(m.Vertices) != 8 {
			rt.Fatalf("%d solids, %d faces, %d edges, %d vertices",
				len(m.Solids), len(m.Faces), len(m.Edges), len(m.Vertices))
		}
		if m.Name != "part" || len(m.Warnings) != 0 || m.Tolerance.Length != 1e-4 {
			rt.Fatalf("name %q, warnings %v, tolerance %g", m.Name, m.Warnings, m.Tolerance.Length)
		}
	})
}

func TestVoids(t *testing.T) {
	for _, c := range []struct {
		name        string
		orientation bool // of the ORIENTED_CLOSED_SHELL
	}{
		{"void given as a solid's shell and reversed", false},
		{"void given with its normals into the void", true},
	} {
		w := &steptest.Text{}
		outer := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 10, Y: 10, Z: 10}, false)
		inner := w.BoxShell("CLOSED_SHELL", geom.Vec3{X: 2, Y: 2, Z: 2}, geom.Vec3{X: 3, Y: 3, Z: 3}, c.orientation)
		void := w.Add("ORIENTED_CLOSED_SHELL('',*,%s,%s)", inner, steptest.Logical(c.orientation))
		w.Part(w.Add("BREP_WITH_VOIDS('',%s,(%s))", outer, void))
		m := mustRead(t, w.File())
		checkEdges(t, m)
		volume, _ := polyhedron(t, m, allFaces(m))
		if !near(volume, 1000-27, 1e-12) {
			t.Errorf("%s: volume %g, want 973", c.name, volume)
		}
		if len(m.Solids) != 1 || len(m.Shells) != 2 || m.Shells[0].IsVoid || !m.Shells[1].IsVoid {
			t.Errorf("%s: solids %+v, shells %+v", c.name, m.Solids, m.Shells)
		}
	}
}

func TestComplexTopology(t *testing.T) {
	w := &steptest.Text{}
	shell := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}, false)
	w.Part(w.Add("(BREP_WITH_VOIDS(())GEOMETRIC_REPRESENTATION_ITEM()MANIFOLD_SOLID_BREP(%s)"+
		"REPRESENTATION_ITEM('')SOLID_MODEL())", shell))
	m := mustRead(t, w.File())
	if volume, _ := polyhedron(t, m, allFaces(m)); !near(volume, 1, 1e-12) || len(m.Solids) != 1 {
		t.Errorf("volume %g, %d solids", volume, len(m.Solids))
	}
}

func TestFacetedBrep(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		flag := rapid.Bool()
		w := &steptest.Text{Flip: func() bool { return flag.Draw(rt, "flag") }}
		w.Part(steptest.Facets(w))
		m := mustRead(t, w.File())
		checkEdges(t, m)
		volume, _ := polyhedron(t, m, allFaces(m))
		if !near(volume, 36, 1e-12) || len(m.Edges) != 6 || len(m.Vertices) != 4 {
			rt.Fatalf("volume %g, %d edges, %d vertices", volume, len(m.Edges), len(m.Vertices))
		}
	})
}

func TestSheets(t *testing.T) {
	w := &steptest.Text{}
	solid := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet := w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))",
		w.BoxShell("OPEN_SHELL", geom.Vec3{X: 5}, geom.Vec3{X: 1, Y: 1, Z: 1}, false))
	context := w.Context()
	rep := w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", solid, context)
	surfaces := w.Add("MANIFOLD_SURFACE_SHAPE_REPRESENTATION('',(%s),%s)", sheet, context)
	auxiliary := w.Add("CONSTRUCTIVE_GEOMETRY_REPRESENTATION('',(%s),%s)", sheet, context)
	wire := w.Add("GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION('',(%s),%s)",
		w.Add("GEOMETRIC_CURVE_SET('',())"), context)
	w.Product("part", rep)
	for _, other := range []string{surfaces, auxiliary, wire} {
		w.Add("SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)", rep, other)
	}
	m := mustRead(t, w.File())
	if len(m.Solids) != 1 || len(m.Shells) != 2 || len(m.Faces) != 12 || !m.IsSheet(6) || m.IsSheet(5) {
		t.Errorf("%d solids, %d shells, %d faces", len(m.Solids), len(m.Shells), len(m.Faces))
	}
}

func TestFacesWithoutEdges(t *testing.T) {
	w := &steptest.Text{}
	at := w.Placement(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	whole := w.Add("ADVANCED_FACE('whole',(),%s,.T.)", w.Add("SPHERICAL_SURFACE('',%s,2.)", at))
	pole := w.Add("VERTEX_LOOP('',%s)", w.Vertex(geom.Vec3{Z: 3}))
	poled := w.Add("ADVANCED_FACE('NONE',(%s),%s,.F.)", w.Add("FACE_BOUND('',%s,.T.)", pole),
		w.Add("SPHERICAL_SURFACE('',%s,3.)", at))
	empty := w.Add("ADVANCED_FACE('',(%s),%s,.T.)",
		w.Add("FACE_BOUND('',%s,.T.)", w.Add("EDGE_LOOP('',())")), w.Add("TOROIDAL_SURFACE('',%s,5.,1.)", at))
	w.Part(w.Add("MANIFOLD_SOLID_BREP('a',%s)", w.Add("CLOSED_SHELL('',(%s))", whole)),
		w.Add("MANIFOLD_SOLID_BREP('b',%s)", w.Add("CLOSED_SHELL('',(%s))", poled)),
		w.Add("MANIFOLD_SOLID_BREP('c',%s)", w.Add("CLOSED_SHELL('',(%s))", empty)))
	m := mustRead(t, w.File())
	if len(m.Solids) != 3 || len(m.Faces) != 3 || len(m.Edges) != 0 {
		t.Fatalf("%d solids, %d faces, %d edges", len(m.Solids), len(m.Faces), len(m.Edges))
	}
	if f := m.Faces[0]; len(f.Loops) != 0 || f.Name != "whole" || f.Surface.Kind() != surface.KindSphere {
		t.Errorf("whole sphere: %+v", f)
	}
	if f := m.Faces[1]; len(f.Loops) != 1 || m.Loops[0].Vertex != 0 || !f.Reversed || f.Name != "" {
		t.Errorf("sphere with a pole: %+v, loop %+v", f, m.Loops)
	}
	if f := m.Faces[2]; len(f.Loops) != 0 {
		t.Errorf("torus with an empty loop: %+v", f)
	}
	if m.Solids[1].Name != "b" {
		t.Errorf("solid name %q", m.Solids[1].Name)
	}
}

func TestOrientedFaceAndNestedOrientedEdge(t *testing.T) {
	w := &steptest.Text{}
	inside := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}, true)
	text := w.File()
	// Wrap every face of the inside-out shell in a reversed ORIENTED_FACE.
	at := strings.Index(text, inside+"=CLOSED_SHELL")
	end := at + strings.Index(text[at:], ";")
	ids := strings.Split(strings.Trim(text[at+strings.Index(text[at:end], "(#"):end], "()"), ",")
	var faces []string
	for _, id := range ids {
		faces = append(faces, w.Add("ORIENTED_FACE('',*,%s,.F.)", id))
	}
	w.Part(w.Add("MANIFOLD_SOLID_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", steptest.List(faces...))))
	m := mustRead(t, w.File())
	if volume, _ := polyhedron(t, m, allFaces(m)); !near(volume, 6, 1e-12) {
		t.Errorf("volume %g, want 6", volume)
	}
}

// TestColors styles a solid, its shell and two of its faces in different forms: the most specific style wins.
func TestColors(t *testing.T) {
	for _, assignment := range []string{"PRESENTATION_STYLE_ASSIGNMENT((%s))",
		"PRESENTATION_STYLE_BY_CONTEXT((%s),$)"} {
		for _, styled := range []string{"solid", "shell", "both"} {
			w := &steptest.Text{}
			shell := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}, false)
			solid := w.Add("MANIFOLD_SOLID_BREP('',%s)", shell)
			w.Part(solid)
			style := func(kind, item, color, rest string) {
				fill := w.Add("FILL_AREA_STYLE('',(%s))", w.Add("FILL_AREA_STYLE_COLOUR('',%s)", color))
				side := w.Add("SURFACE_SIDE_STYLE('',(%s))", w.Add("SURFACE_STYLE_FILL_AREA(%s)", fill))
				usage := w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", side)
				w.Add("%s('',(%s),%s%s)", kind, w.Add(assignment, usage), item, rest)
			}
			body := brep.Color{R: 0.5, G: 0.25, B: 1}
			if styled != "shell" {
				style("STYLED_ITEM", solid, w.Add("COLOUR_RGB('',0.5,0.25,1.)"), "")
			}
			if styled != "solid" {
				body = brep.Color{G: 1}
				style("STYLED_ITEM", shell, w.Add("COLOUR_RGB('',0.,1.,0.)"), "")
			}
			faces := regexp.MustCompile(`(#\d+)=ADVANCED_FACE`).FindAllStringSubmatch(w.File(), -1)
			style("OVER_RIDING_STYLED_ITEM", faces[0][1], w.Add("DRAUGHTING_PRE_DEFINED_COLOUR('red')"), ",$")
			rendered := w.Add("SURFACE_STYLE_RENDERING_WITH_PROPERTIES(.NORMAL_SHADING.,%s,(%s))",
				w.Add("COLOUR_RGB('',0.,0.,0.75)"), w.Add("SURFACE_STYLE_TRANSPARENT(0.5)"))
			side := w.Add("SURFACE_SIDE_STYLE('',(%s))", rendered)
			w.Add("STYLED_ITEM('',(%s),%s)", w.Add(assignment, w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", side)),
				faces[1][1])
			m := mustRead(t, w.File())
			for i, f := range m.Faces {
				want := body
				switch i {
				case 0:
					want = brep.Color{R: 1}
				case 1:
					want = brep.Color{B: 0.75}
				}
				if f.Color == nil || *f.Color != want {
					t.Errorf("%s, styled %s: face %d has the colour %v, want %v", assignment, styled, i, f.Color, want)
				}
			}
		}
	}
}

// TestEdgesSelectSpindleTorusPart reads rings on either side of the axis. The surface is a revolved circle that crosses
// the axis, and its parameter starts on one of the sides.
func TestEdgesSelectSpindleTorusPart(t *testing.T) {
	const offset, radius, z = 1.0, 2.0, 0.5
	reach := math.Sqrt(radius*radius - z*z)
	for name, ring := range map[string]float64{"apple": reach + offset, "lemon": reach - offset} {
		for _, start := range []float64{1, -1} {
			w := &steptest.Text{}
			var uses []string
			for _, at := range []float64{z, -z} {
				v := w.Vertex(geom.Vec3{X: ring, Z: at})
				circle := w.Add("CIRCLE('',%s,%v)", w.Placement(geom.Vec3{Z: at}, steptest.UnitZ, steptest.UnitX), ring)
				edge := w.Add("EDGE_CURVE('',%s,%s,%s,.T.)", v, v, circle)
				use := w.Add("ORIENTED_EDGE('',*,*,%s,%s)", edge, steptest.Logical(at < 0))
				uses = append(uses, w.Add("FACE_BOUND('',%s,.T.)", w.Add("EDGE_LOOP('',(%s))", use)))
			}
			profile := w.Add("CIRCLE('',%s,%v)", w.Placement(geom.Vec3{X: offset}, geom.Vec3{Y: -1},
				geom.Vec3{X: start}), radius)
			axis := w.Add("AXIS1_PLACEMENT('',%s,%s)", w.Point(geom.Vec3{}), w.Direction(steptest.UnitZ))
			face := w.Add("ADVANCED_FACE('',(%s,%s),%s,.T.)", uses[0], uses[1],
				w.Add("SURFACE_OF_REVOLUTION('',%s,%s)", profile, axis))
			w.Part(w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.Add("OPEN_SHELL('',(%s))", face)))
			m := mustRead(t, w.File())
			if _, dist := m.Faces[0].Surface.Invert(geom.Vec3{Y: ring, Z: z}); dist > 1e-9 {
				t.Errorf("%s, circle from x = %g: the edges lie %g mm off the surface", name, start, dist)
			}
		}
	}
}
