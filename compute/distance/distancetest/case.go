package distancetest

import (
	"math"
	"math/rand/v2"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the binary transform for tests and benchmarks.
var Case = &primitivetest.Case[distance.Input, distance.Output]{
	Primitive: distance.Binary, Suite: Suite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: load,
}

// SignedCase describes the signed transform for tests and benchmarks.
var SignedCase = &primitivetest.Case[distance.SignedInput, distance.SignedOutput]{
	Primitive: distance.Signed, Suite: SignedSuite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: signedLoad,
}

// load sets one cell in a thousand, and a disc.
func load(cells int, _ *mesh.Mesh) (primitivetest.Load[distance.Input], error) {
	g := rastertest.Square(cells)
	in := distance.Input{Grid: g, Set: make([]uint8, g.Len())}
	r := rand.New(rand.NewPCG(4, 2))
	for i := range in.Set {
		x, y := i%g.Width-g.Width/2, i/g.Width-g.Height/2
		if r.IntN(1000) == 0 || 64*(x*x+y*y) < g.Width*g.Width {
			in.Set[i] = 1
		}
	}
	const cell = 1 + 4 + 4 // bytes: set, squared distance, nearest site
	return primitivetest.Load[distance.Input]{In: in, Items: g.Len(), Bytes: cell * float64(g.Len())}, nil
}

// signedLoad has wavy contours all over.
func signedLoad(cells int, _ *mesh.Mesh) (primitivetest.Load[distance.SignedInput], error) {
	g := rastertest.Square(cells)
	in := distance.SignedInput{Grid: g, Field: make([]float32, g.Len())}
	for i := range in.Field {
		x, y := float64(i%g.Width)/32, float64(i/g.Width)/32
		in.Field[i] = float32(math.Sin(x+0.3*y) + math.Cos(y-0.2*x) - 0.5)
	}
	const cell = 4 + 8 + 4 // bytes: value, squared distance, nearest site
	return primitivetest.Load[distance.SignedInput]{In: in, Items: g.Len(), Bytes: cell * float64(g.Len())}, nil
}
