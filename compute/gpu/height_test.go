//go:build gpu

package gpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright/compute/conform"
	"millwright/compute/device"
	"millwright/compute/kernel"
	"millwright/compute/primitivetest/body"
	"millwright/compute/tool"
	"millwright/core/geom"
)

func TestHeightMap(t *testing.T) { conform.HeightMap(t, open(t)) }

// TestGridsInBlocks: a grid that is taken in blocks has the very heights and tips of one that is taken whole.
func TestGridsInBlocks(t *testing.T) {
	e := open(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
		in := kernel.HeightMapInput{
			Mesh: body.Ball(rng, 3, 0.6), Frame: geom.World, Sampling: sampling,
			Grid: kernel.Grid{X: -9, Y: -13, Step: 0.25, Width: 77, Height: 101},
		}
		want, err := e.HeightMap(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float32, in.Grid.Len())
		for _, most := range []int{1, 300, 2000, 77 * 40} {
			err := e.do(t.Context(), func(s *device.Session) error { return newRaster(&in).run(s, most, z) })
			if err != nil || !slices.Equal(z, want.Z) {
				t.Errorf("sampling %d, %d cells at a time: other heights, error %v", sampling, most, err)
			}
		}
		offset := kernel.OffsetHeightInput{Grid: in.Grid, Z: want.Z, Sampling: sampling, Tool: tool.EndMill(3, 1, 9)}
		tip, err := e.OffsetHeight(t.Context(), offset)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{400, 2000, 77 * 100} { // a reach of 6 cells or 7
			err := e.do(t.Context(), func(s *device.Session) error { return newDilation(&offset).run(s, most, z) })
			if err != nil || !slices.Equal(z, tip.Z) {
				t.Errorf("sampling %d, %d cells at a time: other tips, error %v", sampling, most, err)
			}
		}
		err = e.do(t.Context(), func(s *device.Session) error { return newDilation(&offset).run(s, 100, z) })
		if reason, _ := device.ReasonOf(err); reason != device.Limit {
			t.Errorf("blocks smaller than the tool: %v", err)
		}
	}
}

func TestOffsetHeight(t *testing.T) { conform.OffsetHeight(t, open(t)) }

func TestKeysOfHeights(t *testing.T) {
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
