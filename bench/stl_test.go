package main

import (
	"bytes"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/stl"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func TestReadSTL(t *testing.T) {
	want := &mesh.Mesh{
		Points:    []geom.Vec3{{}, {X: 1.5}, {Y: -2}, {X: 1, Y: 2, Z: 3}},
		Triangles: [][3]int32{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}},
	}
	var file bytes.Buffer
	if err := stl.Write(&file, want); err != nil {
		t.Fatal(err)
	}
	data := file.String()
	got, err := parseSTL(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Points) != len(want.Points) || len(got.Triangles) != len(want.Triangles) {
		t.Fatalf("%d points and %d triangles, want %d and %d", len(got.Points), len(got.Triangles),
			len(want.Points), len(want.Triangles))
	}
	for i, k := range want.Triangles {
		for c := range k {
			if p, q := got.Points[got.Triangles[i][c]], want.Points[k[c]]; p != q {
				t.Errorf("corner %d of triangle %d is %v, want %v", c, i, p, q)
			}
		}
	}
	for _, size := range []int{0, 83, 84, len(data) - 1} {
		if _, err := parseSTL(strings.NewReader(data[:size])); err == nil {
			t.Errorf("a file cut to %d bytes was read", size)
		}
	}
}
