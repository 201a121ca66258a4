// Package removal is how the domain has material removed: ports to what computes it.
package removal

import (
	"context"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Simulator removes material.
type Simulator interface {
	// Dexelize returns what a closed mesh encloses, in the mesh's frame.
	Dexelize(ctx context.Context, m *mesh.Mesh, l dexel.Lattice) (*dexel.Stock, error)
	// Start begins with a stock that stays between batches. Keep, in the same lattice, is what no move may cut, up to
	// stretches of rays of slack (mm); nil: nothing. Neither may change afterward.
	Start(stock, keep *dexel.Stock, slack float64) (Simulation, error)
	// Over makes a mesh ready for tools that come down on it along the Z of a frame, which maps to that of the mesh.
	// The mesh may not change afterward.
	Over(ctx context.Context, m *mesh.Mesh, f geom.Frame) (Surface, error)
}

// Surface is what tools come down on. It is safe for concurrent use.
type Surface interface {
	// Clearance returns how high (mm) the tip of a tool must be at least at each of some places, so that the tool does
	// not touch the mesh: as high as it is where it touches nothing. Places are in the frame; a Z of -Inf asks how low it
	// may come.
	Clearance(ctx context.Context, tool toolprofile.Profile, at []geom.Vec3) ([]float64, error)
	// Ceiling returns a height (mm) for each of some ways, no lower than what Clearance says of any place along it: above
	// it the tool touches nothing on the whole way. It is at least that of the beginning.
	Ceiling(ctx context.Context, tool toolprofile.Profile, along []motion.Segment) ([]float64, error)
}

// Simulation is a stock between batches of moves. It is not safe for concurrent use.
type Simulation interface {
	Cut(ctx context.Context, c ToolMotion) (CutResult, error)
	Stock(ctx context.Context) (*dexel.Stock, error) // what is left
}

// ToolMotion is a tool on its way.
type ToolMotion struct {
	Tool  *toolprofile.Assembly
	Frame geom.Frame       // of the moves; maps to that of the stock
	Moves []motion.Segment // of the tip; Z of their frame is the axis of the tool

	// Axes are those along which rays are cut, the others stay as they are; none: all.
	Axes [3]bool
}

// CutResult is what the moves of a cut met.
type CutResult struct {
	Removed []float64                        // mm³ by the cutting zone, by move
	Touched [toolprofile.ZoneCount][]float64 // mm³ met by each other zone, by move; nil where the tool does not have it
	Gouges  []Gouge
}

// Gouge is where a move cuts deepest into what is to be kept, of one bundle of rays.
type Gouge struct {
	Move  int
	Axis  int     // of the ray
	Ray   int     // of its bundle, as dexel.Bundle numbers them
	Depth float64 // mm along the ray: less deep below the surface where the ray runs along it
}
