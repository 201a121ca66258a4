package compute

import (
	"context"
	"slices"
	"testing"

	"millwright/compute/cpu"
	"millwright/core/feature"
	"millwright/core/geom"
	"millwright/core/mesh"
)

var (
	_ feature.Visibility = (*Engine)(nil)
	_ feature.Visibility = (*cpu.Engine)(nil)
)

func TestEngineAnswersAsItsBackend(t *testing.T) {
	m := &mesh.Mesh{
		Points:    []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	dirs := []geom.Vec3{{Z: 1}, {X: -1, Y: -1}}
	e := New(Options{Threads: 2})
	if e.Backend() != "cpu" {
		t.Errorf("backend %q, want cpu", e.Backend())
	}
	got, err := e.Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	want, err := cpu.New(1).Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	for d := range dirs {
		if !slices.Equal(got[d], want[d]) {
			t.Errorf("direction %v: %v, want %v", dirs[d], got[d], want[d])
		}
	}
	if want := []float32{0, 1, 1, 1}; !slices.Equal(got[0], want) {
		t.Errorf("tetrahedron from above: %v, want %v", got[0], want)
	}
}
