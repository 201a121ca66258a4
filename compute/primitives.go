package compute

import (
	"context"
	"math"

	"millwright/compute/cpu"
	"millwright/compute/dexel"
	"millwright/compute/gpu"
	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// EvalSurface evaluates batches of surface samples: points, normals and curvatures.
//
// It is for callers with many samples at once, of which it pays to take thousands to a device. Tessellation does not
// call it: there each place is chosen by those before it and decides in float64, so that a mesh is the same on every
// machine, and its normals come with the points. On the processor a sample takes twice to eight times as long here as a
// point and its normal do alone, for the curvatures.
func (e *Engine) EvalSurface(ctx context.Context, in kernel.SurfaceInput) (kernel.SurfaceOutput, error) {
	samples := 0
	for i := range in.Batches {
		samples += len(in.Batches[i].U)
	}
	return call(ctx, e, EvalSurface, samples, in, (*gpu.Engine).EvalSurface, (*cpu.Engine).EvalSurface)
}

// Visibility returns which samples are visible along which directions.
func (e *Engine) Visibility(ctx context.Context, in kernel.VisibilityInput) (kernel.VisibilityOutput, error) {
	rays := len(in.Samples) * len(in.Directions)
	return call(ctx, e, Visibility, rays, in, (*gpu.Engine).Visibility, (*cpu.Engine).Visibility)
}

// Visible returns for direction d and triangle t the visible fraction in [0, 1] at [d][t].
func (e *Engine) Visible(ctx context.Context, m *mesh.Mesh, directions []geom.Vec3) ([][]float32, error) {
	return e.cpu.VisibleBy(ctx, m, directions, e.Visibility)
}

// Raycast returns what arbitrary rays meet.
func (e *Engine) Raycast(ctx context.Context, in kernel.RaycastInput) (kernel.RaycastOutput, error) {
	return call(ctx, e, Raycast, len(in.Rays), in, (*gpu.Engine).Raycast, (*cpu.Engine).Raycast)
}

// HeightMap returns the upper envelope of a mesh, seen along the axis of a frame.
func (e *Engine) HeightMap(ctx context.Context, in kernel.HeightMapInput) (kernel.HeightMapOutput, error) {
	return call(ctx, e, HeightMap, in.Grid.Len(), in, (*gpu.Engine).HeightMap, (*cpu.Engine).HeightMap)
}

// OffsetHeight returns how low the tip of a tool may come above every cell of a height map.
func (e *Engine) OffsetHeight(ctx context.Context, in kernel.OffsetHeightInput) (kernel.OffsetHeightOutput, error) {
	return call(ctx, e, OffsetHeight, in.Grid.Len(), in, (*gpu.Engine).OffsetHeight, (*cpu.Engine).OffsetHeight)
}

// Distance returns for every cell of a binary field the nearest set cell and its exact distance.
func (e *Engine) Distance(ctx context.Context, in kernel.DistanceInput) (kernel.DistanceOutput, error) {
	return call(ctx, e, Distance, in.Grid.Len(), in, (*gpu.Engine).Distance, (*cpu.Engine).Distance)
}

// SignedDistance returns for every cell of a signed field the nearest site of its contour and its distance.
func (e *Engine) SignedDistance(
	ctx context.Context, in kernel.SignedDistanceInput,
) (kernel.SignedDistanceOutput, error) {
	return call(ctx, e, SignedDistance, in.Grid.Len(), in, (*gpu.Engine).SignedDistance, (*cpu.Engine).SignedDistance)
}

// DropCutter returns how low the tip of a tool may come above every cell without cutting into a mesh.
func (e *Engine) DropCutter(ctx context.Context, in kernel.DropCutterInput) (kernel.DropCutterOutput, error) {
	return call(ctx, e, DropCutter, in.Grid.Len(), in, (*gpu.Engine).DropCutter, (*cpu.Engine).DropCutter)
}

// Dexelize returns a mesh as dexels; on the processor.
func (e *Engine) Dexelize(ctx context.Context, in kernel.DexelizeInput) (*dexel.Stock, error) {
	return e.cpu.Dexelize(ctx, in)
}

// Sweep returns the stock less what the tool passes on its moves.
func (e *Engine) Sweep(ctx context.Context, in kernel.SweepInput) (kernel.SweepOutput, error) {
	return call(ctx, e, Sweep, updates(&in), in, (*gpu.Engine).Sweep, (*cpu.Engine).Sweep)
}

// updates estimates the rays that the moves meet: those through the tool's shadow along it, half as many again for
// the two bundles that it cuts from the side. Moves that meet fewer rays than the stock has do not pay for taking
// the stock to a device and back: of those it is 0.
func updates(in *kernel.SweepInput) int {
	if in.Stock == nil || !(in.Stock.Lattice.Step > 0) {
		return 0 // a backend says what is wrong
	}
	const bundles = 1.5
	wide, cell := 2*in.Tool.MaxRadius(), in.Stock.Lattice.Step*in.Stock.Lattice.Step
	met := 0.0
	for i := range in.Moves {
		m := &in.Moves[i]
		length := m.From.Dist(m.To)
		if m.Turn != 0 {
			length = math.Abs(m.Turn) * math.Hypot(m.From.X-m.Center.X, m.From.Y-m.Center.Y)
		}
		met += bundles * (length + wide) * wide / cell
	}
	rays := 0
	for i := range in.Stock.Bundles {
		rays += len(in.Stock.Bundles[i].Start)
	}
	if !(met >= float64(rays)) {
		return 0
	}
	return int(min(met, math.MaxInt32))
}
