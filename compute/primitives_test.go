package compute

import (
	"context"
	"math"
	"testing"

	"millwright/compute/dexel"
	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// tetrahedron is a small closed mesh.
var tetrahedron = mesh.Mesh{
	Points:    []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
	Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
}

// small calls every primitive once. That the answers are right the suites of the backends tell.
var small = map[Primitive]func(context.Context, *Engine) error{
	EvalSurface: func(ctx context.Context, e *Engine) error {
		_, err := e.EvalSurface(ctx, kernel.SurfaceInput{Batches: []kernel.SurfaceBatch{{
			Surface: surface.Plane{Frame: geom.World}, U: []float64{1}, V: []float64{2},
		}}})
		return err
	},
	Visibility: func(ctx context.Context, e *Engine) error {
		_, err := e.Visibility(ctx, kernel.VisibilityInput{
			Points: tetrahedron.Points, Triangles: tetrahedron.Triangles, Samples: [][3]float32{{2, 2, 2}},
			Directions: []geom.Vec3{{Z: 1}},
		})
		return err
	},
	Raycast: func(ctx context.Context, e *Engine) error {
		_, err := e.Raycast(ctx, kernel.RaycastInput{
			Mesh: &tetrahedron, Rays: []kernel.Ray{{Origin: geom.Vec3{X: 0.1, Y: 0.1, Z: -1}, Direction: geom.Vec3{Z: 1}, TMax: 9}},
		})
		return err
	},
	HeightMap: func(ctx context.Context, e *Engine) error {
		_, err := e.HeightMap(ctx, kernel.HeightMapInput{
			Mesh: &tetrahedron, Frame: geom.World, Grid: kernel.Grid{Step: 0.1, Width: 10, Height: 10},
		})
		return err
	},
	DropCutter: func(ctx context.Context, e *Engine) error {
		_, err := e.DropCutter(ctx, kernel.DropCutterInput{
			Mesh: &tetrahedron, Frame: geom.World, Grid: kernel.Grid{Step: 0.1, Width: 10, Height: 10}, Tool: tool.EndMill(1, 0.5, 10),
		})
		return err
	},
	Distance: func(ctx context.Context, e *Engine) error {
		_, err := e.Distance(ctx, kernel.DistanceInput{Grid: kernel.Grid{Step: 1, Width: 2, Height: 1}, Set: []uint8{0, 1}})
		return err
	},
	SignedDistance: func(ctx context.Context, e *Engine) error {
		_, err := e.SignedDistance(ctx, kernel.SignedDistanceInput{
			Grid: kernel.Grid{Step: 1, Width: 2, Height: 1}, Field: []float32{-1, 1},
		})
		return err
	},
	Sweep: func(ctx context.Context, e *Engine) error {
		_, err := e.Sweep(ctx, slot(20))
		return err
	},
	OffsetHeight: func(ctx context.Context, e *Engine) error {
		_, err := e.OffsetHeight(ctx, kernel.OffsetHeightInput{
			Grid: kernel.Grid{Step: 0.1, Width: 2, Height: 1}, Z: []float32{1, 2}, Tool: tool.EndMill(1, 0.5, 10),
		})
		return err
	},
}

// slot runs a tool of 2 mm to and fro over a block of 10 × 10 × 5 mm.
func slot(moves int) kernel.SweepInput {
	l := dexel.Lattice{Step: 0.5, Count: [3]int{20, 20, 10}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		panic(err) // the lattice is sound
	}
	in := kernel.SweepInput{Stock: stock, Tool: tool.EndMill(2, 0, 10), Frame: geom.World}
	for range moves {
		in.Moves = append(in.Moves, kernel.Move{From: geom.Vec3{Y: 5, Z: 4}, To: geom.Vec3{X: 10, Y: 5, Z: 4}})
	}
	return in
}

func TestUpdates(t *testing.T) {
	const rays = 20*10 + 1 + 20*10 + 1 + 20*20 + 1
	perMove := 1.5 * (10 + 2) * 2 / 0.25
	for _, moves := range []int{0, 1, 5, 6, 100} {
		in := slot(moves)
		want := int(float64(moves) * perMove)
		if want < rays {
			want = 0
		}
		if got := updates(&in); got != want {
			t.Errorf("%d moves: %d, want %d", moves, got, want)
		}
	}
	circle := slot(100)
	for i := range circle.Moves {
		circle.Moves[i] = kernel.Move{From: geom.Vec3{X: 8, Y: 5}, To: geom.Vec3{X: 8, Y: 5}, Turn: 2 * math.Pi,
			Center: geom.Vec2{X: 5, Y: 5}}
	}
	if got, want := updates(&circle), 25019; got != want {
		t.Errorf("circles of 6π mm: %d, want %d", got, want)
	}
	if got := updates(&kernel.SweepInput{}); got != 0 {
		t.Errorf("no stock: %d", got)
	}
}

// TestEveryPrimitiveRunsOnTheProcessor: nothing is sent to a device that was not asked for.
func TestEveryPrimitiveRunsOnTheProcessor(t *testing.T) {
	e, err := New(Options{Device: CPU})
	if err != nil {
		t.Fatal(err)
	}
	for p, do := range small {
		if err := do(t.Context(), e); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	for p := range costs {
		if s := e.Stats(); p != heavy && (s.OnCPU[p] != 1 || s.OnGPU[p] != 0) {
			t.Errorf("%s: %+v", p, s)
		}
	}
}
