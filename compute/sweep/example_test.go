package sweep_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// An end mill of 4 mm cuts a groove 3 mm deep into a block; its return path cuts air.
func ExampleInput() {
	lattice := dexel.Lattice{Step: 0.5, Count: [3]int{80, 40, 20}}
	block, err := dexel.NewBlock(lattice, lattice.Box())
	if err != nil {
		fmt.Println(err)
		return
	}
	from, to := geom.Vec3{X: -5, Y: 10, Z: 7}, geom.Vec3{X: 45, Y: 10, Z: 7}
	out, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(0), sweep.Input{
		Stock: block, Tool: toolprofile.EndMill(4, 0, 20), Frame: geom.World,
		Moves: []motion.Segment{{From: from, To: to}, {From: to, To: from}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const alongZ = 2
	floor, _ := out.Stock.Height(alongZ, 40, 20)
	fmt.Printf("removed %.0f and %.0f mm³, floor at %.0f mm\n", out.Removed[0], out.Removed[1], floor)
	// Output:
	// removed 480 and 0 mm³, floor at 7 mm
}
