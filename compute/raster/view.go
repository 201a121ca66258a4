// Package raster is the shared base of the primitives on grids of cells: the mesh above a grid, and the rasterizing of
// triangles on the processor.
//
// Work is divided into bands of rows. A band belongs to one goroutine at a time, and a cell takes the greatest of its
// proposed values, so the results do not depend on the number of threads.
package raster

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	// farCells (cells) is the maximum distance of a mesh from the grid: float64 then still resolves 2⁻¹² of a cell.
	farCells = 1 << 40

	// roundFrame is the maximum deviation of the axes of a frame: of their lengths from 1 and of their products from 0.
	roundFrame = 1e-9
)

// MaxBlock is the maximum number of cells in a block that a graphics device processes at a time.
const MaxBlock = 64 << 20

// Extent returns the greatest distance (mm) along x or y from the middle of the grid to a point of the mesh or a corner
// of the grid, and the greatest |z|, as seen in a frame.
func Extent(m *mesh.Mesh, f geom.Frame, g grid.Grid) (across, along float64) {
	middle := g.Middle()
	across = g.Step * float64(max(g.Width, g.Height, 1)) / 2
	for _, p := range m.Points {
		q := f.Local(p)
		across = max(across, math.Abs(q.X-middle.X), math.Abs(q.Y-middle.Y))
		along = max(along, math.Abs(q.Z))
	}
	return across, along
}

// CheckView refuses meshes with points that are not finite or out of reach of the grid, triangles without
// points, frames that are not orthonormal, and grids that do not pass their own check.
func CheckView(m *mesh.Mesh, f geom.Frame, g grid.Grid) error {
	if err := g.Check(); err != nil {
		return err
	}
	off := max(math.Abs(f.X.Dot(f.Y)), math.Abs(f.Y.Dot(f.Z)), math.Abs(f.Z.Dot(f.X)),
		math.Abs(f.X.Norm()-1), math.Abs(f.Y.Norm()-1), math.Abs(f.Z.Norm()-1))
	if !(off <= roundFrame) || !f.Origin.IsFinite() {
		return fmt.Errorf("the frame is not one of orthonormal axes")
	}
	for i, t := range m.Triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(m.Points) {
				return fmt.Errorf("triangle %d has the corner %d of %d points", i, v, len(m.Points))
			}
		}
	}
	far, middle := farCells*g.Step, g.Middle()
	for i, p := range m.Points {
		q := f.Local(p)
		if !(math.Abs(q.X-middle.X) <= far && math.Abs(q.Y-middle.Y) <= far && math.Abs(q.Z) <= math.MaxFloat32/2) {
			return fmt.Errorf("point %d, (%g, %g, %g), is too far from the grid", i, p.X, p.Y, p.Z)
		}
	}
	return nil
}
