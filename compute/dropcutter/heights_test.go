package dropcutter_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// TestHeightsAreDeterministic compares the cells of grids of many bands over different numbers of threads.
func TestHeightsAreDeterministic(t *testing.T) {
	m := scatter(4000)
	grid := grid.Grid{X: -2, Y: -2, Step: 0.1, Width: 240, Height: 230}
	tool := toolprofile.EndMill(3, 0.5, 20)
	run := func(threads int) (all [][]float32) {
		on, ctx := primitive.OnCPU(threads), t.Context()
		for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
			z, err := heightmap.Primitive.Run(ctx, on,
				heightmap.Input{Mesh: m, Frame: geom.World, Grid: grid, Sampling: sampling})
			if err != nil {
				t.Fatal(err)
			}
			tips, err := offsetheight.Primitive.Run(ctx, on,
				offsetheight.Input{Grid: grid, Z: z.Z, Sampling: sampling, Tool: tool})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, z.Z, tips.Z)
		}
		tips, err := dropcutter.Primitive.Run(ctx, on,
			dropcutter.Input{Mesh: m, Frame: geom.World, Grid: grid, Tool: tool})
		if err != nil {
			t.Fatal(err)
		}
		return append(all, tips.Z)
	}
	want := run(1)
	for _, threads := range []int{2, 7} {
		for i, z := range run(threads) {
			if !slices.Equal(z, want[i]) {
				t.Errorf("%d threads: map %d differs from that of one thread", threads, i)
			}
		}
	}
}

// scatter is a mesh of n small triangles over 20 × 20 mm.
func scatter(n int32) *mesh.Mesh {
	rng := rand.New(rand.NewPCG(13, 14))
	m := &mesh.Mesh{}
	for i := range n {
		at := geom.Vec3{X: 20 * rng.Float64(), Y: 20 * rng.Float64(), Z: 3 * rng.Float64()}
		for range 3 {
			m.Points = append(m.Points, at.Add(geom.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}))
		}
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}
