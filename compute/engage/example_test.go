package engage_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/engage"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// Material lies below y = 0. A cutter of radius 5 with its center on the edge has a quarter turn of engagement when it
// moves along the edge, half a turn when it moves into the material, and no engagement when it leaves.
func ExampleInput() {
	grid := grid.Grid{X: -10, Y: -10, Step: 1, Width: 21, Height: 21}
	field := make([]float32, grid.Len())
	for i := range field {
		field[i] = float32(i/grid.Width) - 10
	}
	in := engage.Input{Grid: grid, Field: field, Radius: 5, Parts: 360, Samples: []engage.CutterPosition{
		{Direction: geom.Vec2{X: 1}}, {Direction: geom.Vec2{Y: -1}}, {Direction: geom.Vec2{Y: 1}},
	}}
	out, err := engage.Primitive.Run(context.Background(), primitive.OnCPU(0), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range in.Samples {
		fmt.Printf("%.0f° ", geom.Degrees(out.Arc(&in, i)))
	}
	fmt.Println()
	// Output:
	// 90° 180° 0°
}
