package dropcutter_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// A ball nose of 10 mm comes down next to a block that ends at x = 10. As its axis moves d mm past the edge, its tip
// sinks to 8 - (5 - √(5² - d²)); from 5 mm on it has no contact.
func ExampleInput() {
	out, err := dropcutter.Primitive.Run(context.Background(), primitive.OnCPU(0), dropcutter.Input{
		Mesh:  solids.Boxes([2]geom.Vec3{{X: -10, Y: -10}, {X: 10, Y: 10, Z: 8}}),
		Frame: geom.World,
		Grid:  grid.Grid{X: 8, Step: 2, Width: 5, Height: 1},
		Tool:  toolprofile.EndMill(10, 5, 30),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", out.Z)
	// Output:
	// [8.0000 8.0000 7.5826 6.0000 -Inf]
}
