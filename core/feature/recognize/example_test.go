package recognize_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Recognize needs a model, its mesh and a Visibility. Each feature names its rule and gives its reasons.
func ExampleRecognize() {
	ctx := context.Background()
	m := build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)})
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
	fmt.Println("directions:", run.Directions)
	for _, f := range run.Features {
		fmt.Println(f.Type, f.Tag, "of faces", f.Regions, "by", f.Rule)
	}
	// Output:
	// directions: [{0 0 1} {0 0 -1} {0 1 0} {0 -1 0} {1 0 0} {-1 0 0}]
	// Hole 5f2545e8254460a2 of faces [6] by coaxial bores
	// Face b03048d4dceb52b9 of faces [5] by open plane
	// Face c47d40adb633a908 of faces [4] by open plane
	// Face 68051d3b52adb32e of faces [2] by open plane
	// Face 1b620e120f890cb7 of faces [0] by open plane
	// Face b4163970b3398978 of faces [1] by open plane
	// Face 4a93b13d764fafce of faces [3] by open plane
}
