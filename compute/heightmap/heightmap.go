// Package heightmap is the primitive that computes the upper envelope of a mesh over a grid of cells.
package heightmap

import (
	"fmt"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Sampling selects the meaning of the heights in a grid.
type Sampling uint8

const (
	// Center is the height at the center of each cell. It is never too high, but misses material between the centers.
	Center Sampling = iota

	// Cover is the greatest height anywhere in each cell, its sides and corners included. It never misses
	// anything, but makes steep walls up to a cell thicker.
	Cover
)

// Input is the request for the upper envelope of a mesh seen against a direction.
//
// Let top(c, r) be the greatest z of the mesh within the square of half side r around the center c of a cell, -Inf if
// it is empty, and low(c, r) the smallest value of top(·, 0) in that square. With δ and ε of Bound, a backend returns
//
//	Center:  low(c, δ) - ε ≤ z ≤ top(c, δ) + ε
//	Cover:   top(c, Step/2) ≤ z ≤ top(c, Step/2 + δ) + ε
//
// A triangle covers its sides and corners. Triangles seen from below or edge-on count like all others; two that share a
// side leave no gap between them.
type Input struct {
	Mesh *mesh.Mesh // points and triangles only; need not be closed

	// Frame is the view in part coordinates: the grid lies in the plane of X and Y, z grows along Z, toward
	// the tool.
	Frame    geom.Frame
	Grid     grid.Grid
	Sampling Sampling
}

// Output is the heights of the cells, mm along the Z axis of the frame; -Inf if a cell is empty.
type Output struct{ Z []float32 }

// Primitive is the height map. Its items are cells.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "height-map", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return in.Grid.Len() },
	Cost:  primitive.Cost{Seconds: 140e-9, Bytes: 6, Host: 1e-9},
}

// roundHeight is the relative rounding of backends that compute in float32: 2⁻²⁴ for a coordinate that is rounded, and
// a margin for the operations on it.
const roundHeight = 1.0 / (1 << 20)

// Bound returns the error bounds of a height: δ (mm) in the plane of the grid and ε (mm) along z. Both are 2⁻²⁰ of the
// greatest coordinate that a backend has to round. That coordinate is measured from the middle of the grid in its
// plane, and from the origin of the frame along z. The bounds are 1 µm for a part of 1 m.
func (in *Input) Bound() (lateral, vertical float64) {
	across, along := raster.Extent(in.Mesh, in.Frame, in.Grid)
	return roundHeight * across, roundHeight * along
}

// Check returns an error for an input that the primitive does not take.
func (in *Input) Check() error {
	switch {
	case in.Mesh == nil:
		return fmt.Errorf("height map: there is no mesh")
	case in.Sampling > Cover:
		return fmt.Errorf("height map: unknown sampling %d", in.Sampling)
	}
	if err := raster.CheckView(in.Mesh, in.Frame, in.Grid); err != nil {
		return fmt.Errorf("height map: %w", err)
	}
	return nil
}
