package offsetheight_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// Over a floor at 0 with a wall of 10 mm in the middle column, an end mill of 6 mm is lifted wherever its side would
// cut the wall, which fills its cell.
func ExampleInput() {
	grid := grid.Grid{Step: 1, Width: 13, Height: 1}
	z := make([]float32, grid.Len())
	z[6] = 10
	out, err := offsetheight.Primitive.Run(context.Background(), primitive.OnCPU(0), offsetheight.Input{
		Grid: grid, Z: z, Sampling: heightmap.Cover, Tool: toolprofile.EndMill(6, 0, 20),
	})
	fmt.Println(out.Z, err)
	// Output:
	// [0 0 0 10 10 10 10 10 10 10 0 0 0] <nil>
}
