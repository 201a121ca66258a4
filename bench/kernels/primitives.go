package kernels

import (
	"context"
	"math"
	"math/rand/v2"

	"millwright/compute/kernel"
	"millwright/core/mesh"
)

// primitives in the order in which they are measured. Bytes are those of inputs and outputs, read or written
// once; operations are those that the method cannot do without, and so is the share of the ceiling a lower
// bound.
var primitives = []primitive{
	{"distance", []int{256 * 256, 1024 * 1024, 4096 * 4096}, distance},
	{"signed-distance", []int{256 * 256, 1024 * 1024, 4096 * 4096}, signedDistance},
}

// square returns a grid of about so many cells with a step of 0.1 mm.
func square(cells int) kernel.Grid {
	side := int(math.Ceil(math.Sqrt(float64(cells))))
	return kernel.Grid{Step: 0.1, Width: side, Height: side}
}

// random is the same on every run.
func random() *rand.Rand { return rand.New(rand.NewPCG(4, 2)) }

// distance sets one cell in a thousand, and a disc.
func distance(cells int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		Distance(context.Context, kernel.DistanceInput) (kernel.DistanceOutput, error)
	}
	g := square(cells)
	in := kernel.DistanceInput{Grid: g, Set: make([]uint8, g.Len())}
	r := random()
	for i := range in.Set {
		x, y := i%g.Width-g.Width/2, i/g.Width-g.Height/2
		if r.IntN(1000) == 0 || 64*(x*x+y*y) < g.Width*g.Width {
			in.Set[i] = 1
		}
	}
	const cell = 1 + 4 + 4 // bytes: set, squared distance, nearest site
	return job{items: g.Len(), bytes: cell * float64(g.Len()), run: func(ctx context.Context, e any) (bool, error) {
		b, has := e.(backend)
		if !has {
			return false, nil
		}
		_, err := b.Distance(ctx, in)
		return true, err
	}}, nil
}

// signedDistance has wavy contours all over.
func signedDistance(cells int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		SignedDistance(context.Context, kernel.SignedDistanceInput) (kernel.SignedDistanceOutput, error)
	}
	g := square(cells)
	in := kernel.SignedDistanceInput{Grid: g, Field: make([]float32, g.Len())}
	for i := range in.Field {
		x, y := float64(i%g.Width)/32, float64(i/g.Width)/32
		in.Field[i] = float32(math.Sin(x+0.3*y) + math.Cos(y-0.2*x) - 0.5)
	}
	const cell = 4 + 8 + 4 // bytes: value, squared distance, nearest site
	return job{items: g.Len(), bytes: cell * float64(g.Len()), run: func(ctx context.Context, e any) (bool, error) {
		b, has := e.(backend)
		if !has {
			return false, nil
		}
		_, err := b.SignedDistance(ctx, in)
		return true, err
	}}, nil
}
