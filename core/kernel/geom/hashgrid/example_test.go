package hashgrid_test

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
)

// Points come one by one; each searches an earlier one within a tolerance. The cells around a point contain farther
// points too, so distances must still be compared.
func ExampleGrid() {
	const tolerance = 0.01
	points := []geom.Vec3{{}, {X: 5}, {X: 0.008}, {X: 5.02}, {X: 4.995}}
	grid := hashgrid.New[[]int](tolerance)
	for i, p := range points {
		grid.Around(p, func(cell *[]int) {
			for _, j := range *cell {
				if points[j].Dist(p) <= tolerance {
					fmt.Println(i, "is", j)
				}
			}
		})
		cell := grid.At(p)
		*cell = append(*cell, i)
	}
	// Output:
	// 2 is 0
	// 4 is 1
}
