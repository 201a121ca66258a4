// Package removal defines the ports to the simulation of material removal.
package removal

import (
	"context"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Simulator removes material.
type Simulator interface {
	// Dexelize returns the interior of a closed mesh, in the mesh's frame.
	Dexelize(ctx context.Context, m *mesh.Mesh, l dexel.Lattice) (*dexel.Stock, error)
	// Start begins a simulation with a stock that persists between batches. No move may cut keep, in the same lattice,
	// deeper than slack (mm) along a ray; nil: no limit. Neither may change afterward.
	Start(stock, keep *dexel.Stock, slack float64) (Simulation, error)
	// Over prepares a mesh for tools that descend on it along the Z of a frame, which maps to the frame of the mesh.
	// The mesh may not change afterward.
	Over(ctx context.Context, m *mesh.Mesh, f geom.Frame) (Surface, error)
	// Heights returns the highest point (mm along the Z of a view) of a mesh over the center of each cell of a grid in
	// the X and Y of the view, grid.Nothing where there is none. The view maps to the frame of the mesh.
	Heights(ctx context.Context, m *mesh.Mesh, view geom.Frame, g grid.Grid) ([]float32, error)
	// Tips returns the lowest height (mm) of a tool's tip over the center of each cell at which the tool touches no
	// height of the cells, grid.Nothing where it meets none. It is asked for at some cells, nil: all; the others get
	// grid.Nothing.
	Tips(ctx context.Context, g grid.Grid, heights []float32, tool toolprofile.Profile, at []bool) ([]float32, error)
}

// Surface is a surface on which tools descend. It is safe for concurrent use.
type Surface interface {
	// Clearance returns the least height (mm) of a tool's tip at each position at which the tool does not touch the
	// mesh, or the position's own height if the tool touches nothing there. Positions are in the frame; a Z of -Inf
	// gives the lowest height.
	Clearance(ctx context.Context, tool toolprofile.Profile, at []geom.Vec3) ([]float64, error)
	// Ceiling returns a height (mm) for each segment, at least the Clearance of every position along it. Above it the
	// tool touches nothing on the whole segment. It is at least the height of the segment's start.
	Ceiling(ctx context.Context, tool toolprofile.Profile, along []motion.Segment) ([]float64, error)
}

// Simulation is a stock between batches of moves. It is not safe for concurrent use.
type Simulation interface {
	Cut(ctx context.Context, c ToolMotion) (CutResult, error)
	Stock(ctx context.Context) (*dexel.Stock, error) // remaining stock
}

// ToolMotion is a tool with its moves.
type ToolMotion struct {
	Tool  *toolprofile.Assembly
	Frame geom.Frame       // of the moves; maps to the frame of the stock
	Moves []motion.Segment // of the tip; Z of their frame is the axis of the tool

	// Axes select the bundles of rays to cut, the others do not change; if no axis is set, all are cut.
	Axes [3]bool
}

// CutResult is the material that the moves of a cut touched.
type CutResult struct {
	Removed []float64                        // mm³ by the cutting zone, by move
	Touched [toolprofile.ZoneCount][]float64 // mm³ met by each other zone, by move; nil where the tool does not have it
	Gouges  []Gouge
}

// Gouge is the deepest cut of a move into the kept body, in one bundle of rays.
type Gouge struct {
	Move  int
	Axis  int     // of the ray
	Ray   int     // of its bundle, as dexel.Bundle numbers them
	Depth float64 // mm along the ray: less deep below the surface where the ray runs along it
}
