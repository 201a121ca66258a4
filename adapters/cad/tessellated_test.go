package cad

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// tessellatedBox writes a box of 1×2×3 by triangles; the first face is given by the caller.
func tessellatedBox(w *steptest.Text, points, first string) string {
	all := w.Add("COORDINATES_LIST('',9,((0.,0.,0.),(1.,0.,0.),(0.,2.,0.),(1.,2.,0.),(0.,0.,3.),(1.,0.,3.),(0.,2.,3.),"+
		"(1.,2.,3.),%s))", points)
	var faces []string
	for i, strip := range []string{first, "5,6,7,8", "1,2,5,6", "3,7,4,8", "1,5,3,7", "2,4,6,8"} {
		if strip == "" {
			continue
		}
		kind := "((" + strip + ")),()"
		if i == 0 {
			kind = "(),((" + strip + "))"
		}
		faces = append(faces, w.Add("COMPLEX_TRIANGULATED_FACE('',%s,9,(),$,(),%s)", all, kind))
	}
	solid := w.Add("TESSELLATED_SOLID('',%s,$)", steptest.List(faces...))
	w.Product("part", w.Add("TESSELLATED_SHAPE_REPRESENTATION('',(%s),%s)", solid, w.Context()))
	return w.File()
}

// TestRepairOfTriangles sews and heals triangles with gaps: closable gaps are closed, and the rest stays intact.
func TestRepairOfTriangles(t *testing.T) {
	for _, c := range []struct {
		name, points, first string
		solids, faces       int
		closed              bool
	}{
		{"whole", "(9.,9.,9.)", "1,3,4,2", 1, 6, true},
		{"corner beside another", "(0.,2.,5.E-5)", "1,9,4,2", 1, 6, true},
		{"corner well beside another", "(0.,2.,1.E-2)", "1,9,4,2", 1, 6, false},
		{"corner inside a side", "(0.,1.,0.)", "1,9,3,4,2", 1, 6, false},
		{"face missing", "(9.,9.,9.)", "", 1, 6, true},
	} {
		w := &steptest.Text{}
		text := tessellatedBox(w, c.points, c.first)
		m, _, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), "a.stp")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		what := fmt.Sprintf("%s: %d solids, %d faces, %v", c.name, len(m.Solids), len(m.Faces), m.Warnings)
		if len(m.Faces) != c.faces || len(m.Solids) > c.solids {
			t.Error(what)
		}
		p, err := mass.Compute(context.Background(), m)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.closed && (!r.Report.Watertight || p.Volume < 5.99 || p.Volume > 6.01 || len(m.Solids) != 1) {
			t.Errorf("%s; volume %g, mesh %+v", what, p.Volume, r.Report)
		}
	}
}
