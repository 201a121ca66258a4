//go:build gpu

package offsetheight

import (
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestGPUInBlocks: a map that is taken in blocks has the very tips of one that is taken whole.
func TestGPUInBlocks(t *testing.T) {
	g := primitivetest.GPU(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
		in := heightmap.Input{
			Mesh: solids.Ball(rng, 3, 0.6), Frame: geom.World, Sampling: sampling,
			Grid: grid.Grid{X: -9, Y: -13, Step: 0.25, Width: 77, Height: 101},
		}
		surface, err := heightmap.Primitive.Run(t.Context(), primitive.OnGPU(g), in)
		if err != nil {
			t.Fatal(err)
		}
		offset := Input{Grid: in.Grid, Z: surface.Z, Sampling: sampling, Tool: toolprofile.EndMill(3, 1, 9)}
		tip, err := Primitive.Run(t.Context(), primitive.OnGPU(g), offset)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDilation(t.Context(), &offset)
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float32, in.Grid.Len())
		for _, most := range []int{400, 2000, 77 * 100} { // a reach of 6 cells or 7
			err := g.Do(t.Context(), func(s *device.Session) error { return d.run(s, most, z) })
			if err != nil || !slices.Equal(z, tip.Z) {
				t.Errorf("sampling %d, %d cells at a time: other tips, error %v", sampling, most, err)
			}
		}
		err = g.Do(t.Context(), func(s *device.Session) error { return d.run(s, 100, z) })
		if reason, _ := device.ReasonOf(err); reason != device.Limit {
			t.Errorf("blocks smaller than the tool: %v", err)
		}
	}
}
