package evalsurface_test

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A sphere of 10 mm bends by 1/10 mm away from its outward normal. Points count from an origin near their batch.
func ExampleInput() {
	ball := surface.Sphere{Frame: geom.World, Radius: 10}
	out, err := evalsurface.Primitive.Run(context.Background(), primitive.OnCPU(0), evalsurface.Input{
		Batches: []evalsurface.Batch{{Surface: ball, U: []float64{0, math.Pi / 2}, V: []float64{0, 0}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range out.Point {
		o, n, k := out.Origin[0], out.Normal[i], out.Curvature[i]
		fmt.Printf("point %.3f, normal %.3f, curvatures %.3f 1/mm\n",
			[]float64{o.X + float64(p[0]), o.Y + float64(p[1]), o.Z + float64(p[2])}, n, k)
	}
	// Output:
	// point [10.000 0.000 0.000], normal [1.000 0.000 0.000], curvatures [-0.100 -0.100] 1/mm
	// point [0.000 10.000 0.000], normal [0.000 1.000 0.000], curvatures [-0.100 -0.100] 1/mm
}
