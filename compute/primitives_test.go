package compute

import (
	"context"
	"testing"

	"millwright/compute/kernel"
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
	HeightMap: func(ctx context.Context, e *Engine) error {
		_, err := e.HeightMap(ctx, kernel.HeightMapInput{
			Mesh: &tetrahedron, Frame: geom.World, Grid: kernel.Grid{Step: 0.1, Width: 10, Height: 10},
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
	OffsetHeight: func(ctx context.Context, e *Engine) error {
		_, err := e.OffsetHeight(ctx, kernel.OffsetHeightInput{
			Grid: kernel.Grid{Step: 0.1, Width: 2, Height: 1}, Z: []float32{1, 2}, Tool: kernel.EndMill(1, 0.5, 10),
		})
		return err
	},
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
