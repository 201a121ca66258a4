package heightmap_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// A step is seen from above in cells of 10 mm. The center of the third lies on the lower floor, but a part of the cell
// is high; the fifth only touches the end of the body.
func ExampleInput() {
	m := solids.Boxes(
		[2]geom.Vec3{{}, {X: 40, Y: 10, Z: 2}},
		[2]geom.Vec3{{Z: 2}, {X: 22, Y: 10, Z: 8}},
	)
	for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
		out, err := heightmap.Primitive.Run(context.Background(), primitive.OnCPU(0), heightmap.Input{
			Mesh: m, Frame: geom.World, Sampling: sampling,
			Grid: grid.Grid{X: 5, Y: 5, Step: 10, Width: 5, Height: 1},
		})
		fmt.Println(out.Z, err)
	}
	// Output:
	// [8 8 2 2 -Inf] <nil>
	// [8 8 8 2 2] <nil>
}
