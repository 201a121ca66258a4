package visibility_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/geom"
)

// A plate hovers over a block: from above, the block's top is seen beside the plate only.
func ExampleInput() {
	m := solids.Boxes(
		[2]geom.Vec3{{}, {X: 40, Y: 20, Z: 5}},
		[2]geom.Vec3{{Z: 10}, {X: 20, Y: 20, Z: 12}},
	)
	up, left := geom.Vec3{Z: 1}, geom.Vec3{X: -1}
	out, err := visibility.Primitive.Run(context.Background(), primitive.OnCPU(0), visibility.Input{
		Points: m.Points, Triangles: m.Triangles,
		Samples:    [][3]float32{{10, 10, 5}, {30, 10, 5}},
		Normals:    [][3]float32{{0, 0, 1}, {0, 0, 1}},
		Directions: []geom.Vec3{up, left},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from above:", out.Visible(0, 0), out.Visible(0, 1))
	fmt.Println("from the left:", out.Count(1, 0, 2), "of 2")
	// Output:
	// from above: false true
	// from the left: 2 of 2
}
