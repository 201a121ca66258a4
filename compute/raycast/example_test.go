package raycast_test

import (
	"context"
	"fmt"
	"math"

	"millwright/compute/primitive"
	"millwright/compute/primitivetest/body"
	"millwright/compute/raycast"
	"millwright/core/geom"
)

// One ray falls on a block, one passes it. T counts in lengths of the direction.
func ExampleInput() {
	down := geom.Vec3{Z: -2}
	out, err := raycast.Primitive.Run(context.Background(), primitive.OnCPU(0), raycast.Input{
		Mesh: body.Boxes([2]geom.Vec3{{}, {X: 40, Y: 20, Z: 5}}),
		Rays: []raycast.Ray{
			{Origin: geom.Vec3{X: 10, Y: 5, Z: 25}, Direction: down, TMax: math.Inf(1)},
			{Origin: geom.Vec3{X: 50, Y: 5, Z: 25}, Direction: down, TMax: math.Inf(1)},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.T, "misses:", out.Triangle[1])
	// Output:
	// [10 +Inf] misses: -1
}
