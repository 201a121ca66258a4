package sweeptest

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[sweep.Input, sweep.Output]{
	Primitive: sweep.Primitive, Suite: Suite, Sizes: []int{1 << 16, 1 << 20, 1 << 23},
	Load: load,
}

// load mills the top of a block with a ball end mill of 4 mm in 32 passes, 1 mm deep, with about so many updates.
func load(updates int, _ *mesh.Mesh) (primitivetest.Load[sweep.Input], error) {
	const (
		side, high, diameter, depth, passes = 64.0, 16.0, 4.0, 1.0, 32 // mm
		perStep                             = 12_000.0                 // updates at a step of 1 mm
	)
	step := math.Sqrt(perStep / float64(updates))
	cells := int(math.Ceil(side / step))
	l := dexel.Lattice{Step: step, Count: [3]int{cells, cells, int(math.Ceil(high / step))}}
	stock, err := dexel.NewBlock(l, geom.Box{Max: geom.Vec3{X: side, Y: side, Z: high}})
	if err != nil {
		return primitivetest.Load[sweep.Input]{}, err
	}
	in := sweep.Input{Stock: stock, Tool: toolprofile.EndMill(diameter, diameter/2, 20), Frame: geom.World}
	for i := range passes {
		y := (float64(i) + 0.5) * side / passes
		in.Moves = append(in.Moves, motion.Segment{
			From: geom.Vec3{Y: y, Z: high - depth}, To: geom.Vec3{X: side, Y: y, Z: high - depth},
		})
	}
	out, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(0), in)
	if err != nil {
		return primitivetest.Load[sweep.Input]{}, err
	}
	const start, span = 4, 8 // bytes, in and out
	bytes := 0.0
	for i := range stock.Bundles {
		for _, b := range []*dexel.Bundle{&stock.Bundles[i], &out.Stock.Bundles[i]} {
			bytes += start*float64(len(b.Start)) + span*float64(len(b.Spans))
		}
	}
	return primitivetest.Load[sweep.Input]{In: in, Items: int(out.Updates), Bytes: bytes}, nil
}
