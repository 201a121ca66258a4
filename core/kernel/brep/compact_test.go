package brep_test

import (
	"reflect"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestCompactKeepsOrderedModel(t *testing.T) {
	m, want := stated(), stated()
	m.Compact()
	want.Link()
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got\n%+v\nwant\n%+v", m, want)
	}
}

// TestCompactDropsAndSorts takes a face out of a shell and puts the others in the opposite order.
func TestCompactDropsAndSorts(t *testing.T) {
	m := stated()
	m.Append(build.Box(geom.Vec3{X: 2, Y: 2, Z: 2}), geom.Translation(geom.Vec3{X: 5}))
	m.Solids, m.Shells = m.Solids[:1], m.Shells[:1]
	m.Shells[0].Faces = []brep.FaceID{5, 4, 3, 2, 1} // without face 0 and the faces of the second box
	m.Faces[4].Name, m.Faces[5].Name, m.Faces[5].Origin = "four", "five", m.Faces[4].Origin
	m.Compact()
	if len(m.Faces) != 5 || len(m.Loops) != 5 || len(m.Coedges) != 20 || len(m.Edges) != 12 || len(m.Vertices) != 8 {
		t.Fatalf("%d faces, %d loops, %d coedges, %d edges, %d vertices", len(m.Faces), len(m.Loops),
			len(m.Coedges), len(m.Edges), len(m.Vertices))
	}
	for i, f := range m.Faces {
		if m.Shells[0].Faces[i] != brep.FaceID(i) || f.Loops[0] != brep.LoopID(i) || f.Shell != 0 {
			t.Errorf("face %d: %+v", i, f)
		}
	}
	if m.Faces[0].Name != "five" || m.Faces[1].Name != "four" || m.Faces[0].Origin != 0 || m.Faces[1].Origin != 0 ||
		m.Faces[2].Origin != 2 {
		t.Errorf("faces %+v", m.Faces)
	}
	open := 0
	for _, p := range brep.Check(m) {
		if p.Code != brep.FreeEdge {
			t.Errorf("%s: %s", p.Code, p.Message)
		}
		open++
	}
	if open != 4 {
		t.Errorf("%d open edges, want the 4 of the dropped face", open)
	}
	if d := m.PMI.Dimensions[0]; len(d.Faces) != 0 || !reflect.DeepEqual(d.To, []gdt.Face{4}) {
		t.Errorf("dimension %+v", d)
	}
	if n := m.PMI.Notes[0]; !reflect.DeepEqual(n.Faces, []gdt.Face{0}) {
		t.Errorf("note %+v", n)
	}
}
