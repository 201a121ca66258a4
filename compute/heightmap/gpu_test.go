//go:build gpu

package heightmap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestGPUInBlocks: a grid that is taken in blocks has the very heights of one that is taken whole.
func TestGPUInBlocks(t *testing.T) {
	g := primitivetest.GPU(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sampling := range []Sampling{Center, Cover} {
		in := Input{
			Mesh: solids.Ball(rng, 3, 0.6), Frame: geom.World, Sampling: sampling,
			Grid: grid.Grid{X: -9, Y: -13, Step: 0.25, Width: 77, Height: 101},
		}
		want, err := Primitive.Run(t.Context(), primitive.OnGPU(g), in)
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float32, in.Grid.Len())
		for _, most := range []int{1, 300, 2000, 77 * 40} {
			err := g.Do(t.Context(), func(s *device.Session) error { return newRasterizer(&in).run(s, most, z) })
			if err != nil || !slices.Equal(z, want.Z) {
				t.Errorf("sampling %d, %d cells at a time: other heights, error %v", sampling, most, err)
			}
		}
	}
}

func TestFromKeyInvertsHeightKey(t *testing.T) {
	for _, z := range []float32{0, 1, -1, 3.5, -2.25e-30, math.MaxFloat32, -math.MaxFloat32} {
		key := math.Float32bits(z)
		if z < 0 {
			key = ^key
		} else {
			key |= 1 << 31
		}
		if got := fromKey(key); got != z {
			t.Errorf("key %#x of %g comes back as %g", key, z, got)
		}
	}
	if got := fromKey(0); !math.IsInf(float64(got), -1) {
		t.Errorf("an empty cell has the height %g", got)
	}
}
