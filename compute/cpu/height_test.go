package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright/compute/conform"
	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/mesh"
)

func TestHeightMap(t *testing.T) { conform.HeightMap(t, New(3)) }

func TestOffsetHeight(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector; TestHeightsAreDeterministic runs on many threads")
	}
	for _, threads := range []int{1, 3} {
		conform.OffsetHeight(t, New(threads))
	}
}

func TestDropCutter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector; TestHeightsAreDeterministic runs on many threads")
	}
	conform.DropCutter(t, New(3))
}

// Grids of many bands give the same cells whatever the number of threads.
func TestHeightsAreDeterministic(t *testing.T) {
	m := scatter(4000)
	grid := kernel.Grid{X: -2, Y: -2, Step: 0.1, Width: 240, Height: 230}
	tool := tool.EndMill(3, 0.5, 20)
	run := func(threads int) (all [][]float32) {
		e, ctx := New(threads), context.Background()
		for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
			z, err := e.HeightMap(ctx, kernel.HeightMapInput{Mesh: m, Frame: geom.World, Grid: grid, Sampling: sampling})
			if err != nil {
				t.Fatal(err)
			}
			tips, err := e.OffsetHeight(ctx, kernel.OffsetHeightInput{Grid: grid, Z: z.Z, Sampling: sampling, Tool: tool})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, z.Z, tips.Z)
		}
		tips, err := e.DropCutter(ctx, kernel.DropCutterInput{Mesh: m, Frame: geom.World, Grid: grid, Tool: tool})
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
