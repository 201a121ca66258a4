package step

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// polygons writes a FACETED_BREP of poly loops through numbered points. If shared, loops that touch refer to the same
// points, otherwise to separate points.
func polygons(w *steptest.Text, places []geom.Vec3, shared bool, loops ...[]int) string {
	points := make([]string, len(places))
	for i, p := range places {
		points[i] = w.Point(p)
	}
	var faces []string
	for _, l := range loops {
		var corners []string
		for _, i := range l {
			if shared {
				corners = append(corners, points[i])
			} else {
				corners = append(corners, w.Point(places[i]))
			}
		}
		loop := w.Add("POLY_LOOP('',%s)", steptest.List(corners...))
		faces = append(faces, w.Add("FACE('',(%s))", w.Add("FACE_OUTER_BOUND('',%s,.T.)", loop)))
	}
	return w.Add("FACETED_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", steptest.List(faces...)))
}

// TestFacets reads a tetrahedron with extras that faceted files have, and meshes it.
func TestFacets(t *testing.T) {
	tetra := []geom.Vec3{{}, {X: 6}, {Y: 6}, {Z: 6}, {X: 3}, {X: 1.5}}
	sides := [][]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	for _, c := range []struct {
		name                   string
		shared                 bool
		loops                  [][]int
		faces, edges, vertices int
		warning                string
	}{
		{"shared points", true, sides, 4, 6, 4, ""},
		{"points of their own", false, sides, 4, 6, 4, ""},
		{"a point twice in a loop", false, [][]int{{0, 0, 2, 1, 1, 0}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 4, 6, 4,
			""},
		{"facet of two points", true, append(sides[:4:4], []int{0, 1, 0}), 4, 6, 4, "empty_face"},
		{"facet of one point", false, append(sides[:4:4], []int{2, 2, 2}), 4, 6, 4, "empty_face"},
		{"corner in the middle of a side", true, [][]int{{0, 2, 1, 4}, {0, 4, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 4, 7,
			5, ""},
		{"facet on a line", true, [][]int{{0, 2, 1}, {0, 4, 1, 3}, {0, 1, 4}, {1, 2, 3}, {2, 0, 3}}, 5, 8, 5,
			"flat_facet"},
	} {
		w := &steptest.Text{}
		w.Part(polygons(w, tetra, c.shared, c.loops...))
		m := mustRead(t, w.File())
		if len(m.Faces) != c.faces || len(m.Edges) != c.edges || len(m.Vertices) != c.vertices {
			t.Errorf("%s: %d faces, %d edges, %d vertices", c.name, len(m.Faces), len(m.Edges), len(m.Vertices))
		}
		if (c.warning == "") != (len(m.Warnings) == 0) || c.warning != "" && hasWarning(m, c.warning) == nil {
			t.Errorf("%s: warnings %v, want %q", c.name, m.Warnings, c.warning)
		}
		for _, p := range brep.Check(m) {
			t.Errorf("%s: %s", c.name, p.Message)
		}
		if c.warning != "flat_facet" { // which has no significant normal
			if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 36, 1e-12) {
				t.Errorf("%s: volume %g", c.name, v)
			}
		}
		r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil || !r.Report.Watertight || !near(r.Mesh.Volume(), 36, 1e-12) {
			t.Errorf("%s: mesh %+v of volume %g, %v", c.name, r.Report, r.Mesh.Volume(), err)
		}
	}
}

// TestPolyLoopsAgainstTheirPlanes writes the loops of every face around the normal of its plane for both senses of the
// face, as some systems do.
func TestPolyLoopsAgainstTheirPlanes(t *testing.T) {
	corner := []geom.Vec3{{}, {X: 6}, {Y: 6}, {Z: 6}}
	rapid.Check(t, func(rt *rapid.T) {
		w := &steptest.Text{}
		var faces []string
		turned := 0
		for _, f := range [][3]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}} {
			a, b, c := corner[f[0]], corner[f[1]], corner[f[2]]
			n, sense := b.Sub(a).Cross(c.Sub(a)), rapid.Bool().Draw(rt, "sense")
			if !sense {
				n = n.Neg()
				b, c = c, b
				turned++
			}
			loop := w.Add("POLY_LOOP('',(%s,%s,%s))", w.Point(a), w.Point(b), w.Point(c))
			faces = append(faces, w.Add("ADVANCED_FACE('',(%s),%s,%s)", w.Add("FACE_BOUND('',%s,.T.)", loop),
				w.Add("PLANE('',%s)", w.Placement(a, n, b.Sub(a))), steptest.Logical(sense)))
		}
		w.Part(w.Add("FACETED_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", steptest.List(faces...))))
		m := mustRead(t, w.File())
		for _, p := range brep.Check(m) {
			rt.Errorf("%s", p.Message)
		}
		if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 36, 1e-12) {
			rt.Errorf("%d turned: volume %g", turned, v)
		}
		if has := hasWarning(m, "turned_poly_loops") != nil; has != (turned > 0) {
			rt.Errorf("%d turned: warnings %v", turned, m.Warnings)
		}
	})
}
