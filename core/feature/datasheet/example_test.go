package datasheet_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// The datasheet of a blind hole. Lengths are mm, angles degrees; z counts along the direction of the feature.
func ExampleMeasure() {
	ctx := context.Background()
	m := build.Plate(geom.Vec3{X: 40, Y: 20, Z: 15}, build.Style{}, build.Hole{
		Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Blind(6, 10, geom.Radians(118)),
	})
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(0))
	if err != nil {
		fmt.Println(err)
		return
	}
	sheets, err := datasheet.Measure(ctx, run, datasheet.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range sheets {
		if hole, ok := d.Facts.(*feature.HoleFacts); ok {
			fmt.Printf("diameter %.3f, depth %.3f, %s bottom of %.1f°, z %.3f to %.3f\n",
				hole.Diameter, hole.Depth, hole.Bottom, *hole.TipAngleDeg, d.ZMin, d.ZMax)
		}
	}
	// Output:
	// diameter 6.000, depth 10.000, conical bottom of 118.0°, z 3.197 to 15.000
}
