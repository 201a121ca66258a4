package heightmap

import (
	"testing"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func TestHeightBoundScalesWithPartSize(t *testing.T) {
	in := Input{
		Mesh:  &mesh.Mesh{Points: []geom.Vec3{{X: 512}, {Y: 3}, {Z: -256}}, Triangles: [][3]int32{{0, 1, 2}}},
		Frame: geom.World, Grid: grid.Grid{X: -1, Y: -1, Step: 1, Width: 3, Height: 3},
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	lateral, vertical := in.Bound()
	if want := 512.0 / (1 << 20); lateral != want || vertical != want/2 {
		t.Errorf("bound %g and %g mm, want %g and %g", lateral, vertical, want, want/2)
	}
	in.Grid.Width = 4097 // the grid counts too
	if lateral, _ := in.Bound(); lateral < 2048.0/(1<<20) {
		t.Errorf("bound %g mm for a grid of 4 m", lateral)
	}
}
