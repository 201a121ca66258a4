package tessellate_test

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/build"
)

// A finer chord tolerance brings the volume nearer to π·5²·20 mm³. Region i of the mesh are the triangles of face i.
func ExampleMesh() {
	m := build.Cylinder(5, 20, build.Style{})
	for _, chord := range []float64{0.1, 0.001} {
		made, err := tessellate.Mesh(context.Background(), m, tessellate.Options{ChordTolerance: chord})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("chord %g mm: %d regions, watertight %v, volume within %.1g\n",
			chord, len(made.Mesh.Regions), made.Report.Watertight, 1-made.Mesh.Volume()/(math.Pi*25*20))
	}
	// Output:
	// chord 0.1 mm: 3 regions, watertight true, volume within 0.003
	// chord 0.001 mm: 3 regions, watertight true, volume within 0.0003
}
