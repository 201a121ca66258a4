package dexelize_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/dexelize"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// A block with a plate that hovers over it becomes dexels: the vertical ray through the plate has two spans.
func ExampleInput() {
	stock, err := dexelize.Primitive.Run(context.Background(), primitive.OnCPU(0), dexelize.Input{
		Lattice: dexel.Lattice{Step: 1, Count: [3]int{40, 20, 12}},
		Mesh: solids.Boxes(
			[2]geom.Vec3{{}, {X: 40, Y: 20, Z: 5}},
			[2]geom.Vec3{{Z: 10}, {X: 20, Y: 20, Z: 12}},
		),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const alongZ = 2
	fmt.Println(stock.Ray(alongZ, 10, 10), stock.Ray(alongZ, 30, 10), stock.Volume())
	// Output:
	// [{0 5} {10 12}] [{0 5}] [4800 4800 4800]
}
