package grid

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// TestTrianglesCoverCells: a triangle that faces upward has the cells whose centers it is over, with its height there.
func TestTrianglesCoverCells(t *testing.T) {
	g := Grid{Step: 1, Width: 5, Height: 5}
	up := [3]geom.Vec3{{X: 0.5, Y: 0.5}, {X: 4.5, Y: 0.5, Z: 4}, {X: 0.5, Y: 4.5}} // z = x − 0.5
	found := map[int]float64{}
	g.Over(up, func(cell int, z float64) { found[cell] = z })
	if len(found) != 10 {
		t.Errorf("%d cells, want the 10 with x + y ≤ 5 from 1 on", len(found))
	}
	for cell, z := range found {
		x, y := cell%g.Width, cell/g.Width
		if x < 1 || y < 1 || x+y > 5 || math.Abs(z-(float64(x)-0.5)) > 1e-9 {
			t.Errorf("cell (%d, %d) has the height %g", x, y, z)
		}
	}
	for name, other := range map[string][3]geom.Vec3{
		"from below": {up[0], up[2], up[1]}, "upright": {{X: 1}, {X: 3}, {X: 3, Z: 2}},
		"outside": {{X: 7}, {X: 9}, {X: 7, Y: 3}},
	} {
		g.Over(other, func(cell int, _ float64) { t.Errorf("%s: cell %d", name, cell) })
	}
}
