package kernel

import (
	"fmt"
	"math"

	"millwright/core/geom"
	"millwright/core/mesh"
)

// Sampling says what the heights of a grid stand for.
type Sampling uint8

const (
	// Centre is the height at the centre of each cell. It is never too high, but misses what lies between
	// the centres.
	Centre Sampling = iota

	// Cover is the greatest height anywhere in each cell, its sides and corners included. It never misses
	// anything, but makes steep walls up to a cell thicker.
	Cover
)

// HeightMapInput asks for the upper envelope of a mesh seen against a direction.
//
// Let top(c, r) be the greatest z of the mesh within the square of half side r around the centre c of a cell,
// -Inf where there is none, and low(c, r) the smallest value of top(·, 0) in that square. With δ and ε of Bound,
// a backend answers
//
//	Centre:  low(c, δ) - ε ≤ z ≤ top(c, δ) + ε
//	Cover:   top(c, Step/2) ≤ z ≤ top(c, Step/2 + δ) + ε
//
// A triangle covers its sides and corners. Those seen from below or edge-on count like all others; two that
// share a side leave no hole between them.
type HeightMapInput struct {
	Mesh *mesh.Mesh // points and triangles only; need not be closed

	// Frame is the view in part coordinates: the grid lies in the plane of X and Y, z grows along Z, towards
	// the tool.
	Frame    geom.Frame
	Grid     Grid
	Sampling Sampling
}

// HeightMapOutput holds the heights of the cells, mm along the Z axis of the frame; -Inf where there is nothing.
type HeightMapOutput struct{ Z []float32 }

const (
	// roundHeight is the rounding of backends that compute in float32, as a share of the size of what they
	// compute with: 2⁻²⁴ for a coordinate that is rounded, and some as much again for the operations on it.
	roundHeight = 1.0 / (1 << 20)

	// farCells is how far (cells) a mesh may reach from the grid: float64 then still resolves 2⁻¹² of a cell.
	farCells = 1 << 40

	// roundFrame is how far the lengths of the axes of a frame may be from 1 and their products from 0.
	roundFrame = 1e-9
)

// Bound returns how far a height may be misplaced in the plane of the grid (δ, mm) and along z (ε, mm): both are
// 2⁻²⁰ of the greatest coordinate a backend has to round, which is measured from the middle of the grid in its
// plane and from the origin of the frame along z. 1 µm for a part of 1 m.
func (in *HeightMapInput) Bound() (lateral, vertical float64) {
	across, along := in.extent()
	return roundHeight * across, roundHeight * along
}

// extent returns the greatest distance (mm) along x or y from the middle of the grid to a point of the mesh or
// a corner of the grid, and the greatest |z|.
func (in *HeightMapInput) extent() (across, along float64) {
	g := in.Grid
	middle := g.Middle()
	across = g.Step * float64(max(g.Width, g.Height, 1)) / 2
	for _, p := range in.Mesh.Points {
		q := in.Frame.Local(p)
		across = max(across, math.Abs(q.X-middle.X), math.Abs(q.Y-middle.Y))
		along = max(along, math.Abs(q.Z))
	}
	return across, along
}

// Middle returns the middle of the grid.
func (g Grid) Middle() geom.Vec2 {
	return geom.Vec2{X: g.X + g.Step*float64(g.Width-1)/2, Y: g.Y + g.Step*float64(g.Height-1)/2}
}

// Check returns an error for an input that HeightMap does not take.
func (in *HeightMapInput) Check() error {
	switch {
	case in.Mesh == nil:
		return fmt.Errorf("height map: there is no mesh")
	case in.Sampling > Cover:
		return fmt.Errorf("height map: unknown sampling %d", in.Sampling)
	}
	if err := checkView(in.Mesh, in.Frame, in.Grid); err != nil {
		return fmt.Errorf("height map: %w", err)
	}
	return nil
}

// checkView refuses meshes with points that are not finite or out of reach of the grid, triangles without
// points, frames that are not orthonormal, and grids that do not pass their own check.
func checkView(m *mesh.Mesh, f geom.Frame, g Grid) error {
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
