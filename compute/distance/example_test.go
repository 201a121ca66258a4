package distance_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// Two sites in a row of cells: squared distances count in cells, the nearest site is the index of its cell.
func ExampleInput() {
	out, err := distance.Binary.Run(context.Background(), primitive.OnCPU(0), distance.Input{
		Grid: grid.Grid{Step: 0.5, Width: 8, Height: 1},
		Set:  []uint8{1, 0, 0, 0, 0, 0, 1, 0},
	})
	fmt.Println(out.Squared, out.Nearest, err)
	// Output:
	// [0 1 4 9 4 1 0 1] [0 0 0 0 6 6 6 6] <nil>
}

// A region between two contours, which lie where the field crosses zero between centers: how deep inside is a cell?
func ExampleSignedInput() {
	in := distance.SignedInput{
		Grid:  grid.Grid{Step: 2, Width: 6, Height: 1},
		Field: []float32{1, -1, -3, -3, -1, 1},
	}
	out, err := distance.Signed.Run(context.Background(), primitive.OnCPU(0), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range in.Field {
		fmt.Printf("%.2f ", in.Distance(&out, i))
	}
	fmt.Println("mm")
	// Output:
	// 1.00 -1.00 -3.00 -3.00 -1.00 1.00 mm
}
