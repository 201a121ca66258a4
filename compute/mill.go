package compute

import (
	"context"

	"millwright.dev/millwright/compute/dexelize"
	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var _ removal.Simulator = (*Engine)(nil)

// Dexelize implements removal.Simulator.
func (e *Engine) Dexelize(ctx context.Context, m *mesh.Mesh, l dexel.Lattice) (*dexel.Stock, error) {
	return dexelize.Primitive.Run(ctx, e, dexelize.Input{Lattice: l, Mesh: m})
}

// Start implements removal.Simulator.
func (e *Engine) Start(stock, keep *dexel.Stock, slack float64) (removal.Simulation, error) {
	m, err := sweep.NewMilling(stock, keep, slack)
	if err != nil {
		return nil, err
	}
	return &session{e, m}, nil
}

// Over implements removal.Simulator.
func (e *Engine) Over(ctx context.Context, m *mesh.Mesh, f geom.Frame) (removal.Surface, error) {
	t, err := dropcutter.NewTerrain(ctx, m, f, e.cpu)
	if err != nil {
		return nil, err
	}
	return &terrain{e, t}, nil
}

// Heights implements removal.Simulator. It stays on the CPU: a device rounds otherwise, and plans would depend on it.
func (e *Engine) Heights(ctx context.Context, m *mesh.Mesh, view geom.Frame, g grid.Grid) ([]float32, error) {
	out, err := heightmap.Primitive.Run(ctx, e.cpu, heightmap.Input{Mesh: m, Frame: view, Grid: g, Sampling: heightmap.Center})
	return out.Z, err
}

// Tips implements removal.Simulator.
func (e *Engine) Tips(
	ctx context.Context, g grid.Grid, heights []float32, tool toolprofile.Profile, at []bool,
) ([]float32, error) {
	out, err := offsetheight.Primitive.Run(ctx, e, offsetheight.Input{
		Grid: g, Z: heights, Sampling: heightmap.Center, Tool: tool, At: at,
	})
	return out.Z, err
}

// terrain is a removal.Surface on an engine.
type terrain struct {
	on   *Engine
	over *dropcutter.PreparedMesh
}

// Clearance implements removal.Surface.
func (s *terrain) Clearance(ctx context.Context, tool toolprofile.Profile, at []geom.Vec3) ([]float64, error) {
	out, err := dropcutter.AtPoints.Run(ctx, s.on, dropcutter.PointsInput{Over: s.over, At: at, Tool: tool})
	return out.Z, err
}

// Ceiling implements removal.Surface.
func (s *terrain) Ceiling(ctx context.Context, tool toolprofile.Profile, along []motion.Segment) ([]float64, error) {
	out, err := dropcutter.AlongPaths.Run(ctx, s.on, dropcutter.PathsInput{Over: s.over, Along: along, Tool: tool})
	return out.Z, err
}

// session is a removal.Simulation on an engine.
type session struct {
	on *Engine
	*sweep.Simulation
}

// Cut implements removal.Simulation.
func (s *session) Cut(ctx context.Context, c removal.ToolMotion) (removal.CutResult, error) {
	in := sweep.Input{Tool: c.Tool.Outline, Zones: c.Tool.Zones, Frame: c.Frame, Moves: c.Moves}
	for a, isCut := range c.Axes {
		if isCut {
			in.Bundles |= 1 << a
		}
	}
	out, err := s.Simulation.Cut(ctx, s.on, in)
	met := removal.CutResult{Removed: out.Removed, Touched: out.Touched}
	for _, g := range out.Gouges {
		met.Gouges = append(met.Gouges, removal.Gouge{Move: g.Move, Axis: g.Bundle, Ray: g.Ray, Depth: g.Depth})
	}
	return met, err
}
