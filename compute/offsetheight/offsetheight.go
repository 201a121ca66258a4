// Package offsetheight is the primitive that offsets a height map by a tool: how low the tip may come over each cell.
package offsetheight

import (
	"fmt"
	"math"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// Input is the request for the lowest position of a tool's tip above the center of every cell at which the tool does
// not gouge a height map: the gray dilation of the map by the inverted tool. Space beyond the grid counts as empty, so
// a map must extend a tool radius beyond the requested area.
//
// Let h be the height of the tool above its tip at a distance from its axis (Underside), and exact(h) the height of the
// tip at which the tool touches the surface from which the map was sampled. With ε of Bound,
//
//	Cover:   exact(h) - ε ≤ z ≤ exact(h₊) + ε,  h₊(r) = h(max(r - √2·Step, 0))
//	Center:  z ≤ exact(h) + ε
//
// So Cover is safe, and never higher than the result for the same tool enlarged by √2·Step. Where the tool has the
// slope s, this is √2·Step·s above the exact height. Under a flat tool it is exact, except within √2·Step of steep
// walls. Center samples only cell centers. Where the surface is nowhere steeper than t within the tool's reach, it is
// at most √2·Step·(t + s) too low, because some center under the tool is that near to the contact. Errors of the map
// add to both.
type Input struct {
	Grid     grid.Grid
	Z        []float32          // mm, per cell; -Inf for nothing, as package heightmap gives it
	Sampling heightmap.Sampling // of Z
	Tool     toolprofile.Profile
	At       []bool // cells that are asked for, the others get -Inf; nil: all
}

// Output is the height of the tool tip above the center of each cell in mm; -Inf without contact. It is the same on all
// backends, bit for bit.
type Output struct{ Z []float32 }

// Primitive is the offset of a height map. Its items are cells.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "offset-height", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return in.Grid.Len() },
	Cost:  primitive.Cost{Seconds: 26e-9, Bytes: 8},
}

// MaxRadius is the radius (cells) of the largest tool.
const MaxRadius = 1 << 12

// Rounding is the relative rounding of a height to float32.
const Rounding = 1.0 / (1 << 24)

// Bound returns the rounding error ε in mm: 2⁻²⁴ of the greatest height there can be.
func (in *Input) Bound() float64 {
	most := 0.0
	for _, z := range in.Z {
		if !math.IsInf(float64(z), 0) {
			most = max(most, math.Abs(float64(z)))
		}
	}
	return Rounding * (most + in.Tool.Top())
}

// Check returns an error for an input that the primitive does not take.
func (in *Input) Check() error {
	if err := in.Grid.Check(); err != nil {
		return fmt.Errorf("offset: %w", err)
	}
	if err := in.Tool.Check(); err != nil {
		return fmt.Errorf("offset: %w", err)
	}
	switch r := in.Tool.MaxRadius() / in.Grid.Step; {
	case len(in.Z) != in.Grid.Len():
		return fmt.Errorf("offset: %d heights for a grid of %d cells", len(in.Z), in.Grid.Len())
	case in.At != nil && len(in.At) != in.Grid.Len():
		return fmt.Errorf("offset: %d marks for a grid of %d cells", len(in.At), in.Grid.Len())
	case in.Sampling > heightmap.Cover:
		return fmt.Errorf("offset: unknown sampling %d", in.Sampling)
	case r > MaxRadius:
		return fmt.Errorf("offset: the tool has a radius of %g cells, at most %d can be handled", r, MaxRadius)
	}
	for i, z := range in.Z {
		if !(z <= math.MaxFloat32) {
			return fmt.Errorf("offset: cell %d has the height %g", i, z)
		}
	}
	return nil
}

// Footprint is the underside of a tool on a grid: the heights of the tool over the cells around its axis. Tools are
// round, so one quarter contains all taps.
type Footprint struct {
	Rows []FootprintRow // at 0, 1, … cells from the axis along y
}

// FootprintRow contains the heights in mm at 0, 1, … cells from the axis along x. They do not decrease outward.
type FootprintRow []float32

// Footprint tabulates the tool for the grid and the sampling of its map. For Cover, a tap is the height of the tool
// over the point of the cell nearest to the axis, rounded down; for Center, over the center of the cell, rounded up.
// Cells outside of the tool have no tap; cells that its rim touches have one.
func (in *Input) Footprint() Footprint {
	u := in.Tool.Underside()
	radius, step := u.Radius(), in.Grid.Step
	var t Footprint
	at := func(i, j int) float64 {
		x, y := float64(i), float64(j)
		if in.Sampling == heightmap.Cover {
			x, y = max(x-0.5, 0), max(y-0.5, 0)
		}
		return step * math.Hypot(x, y)
	}
	rim := radius
	if in.Sampling == heightmap.Cover {
		rim *= 1 + toolprofile.Rounding
	}
	for j := 0; at(0, j) <= rim; j++ {
		var row FootprintRow
		for i := 0; at(i, j) <= rim; i++ {
			row = append(row, roundTap(u.At(min(at(i, j), radius)), in.Sampling))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// roundTap rounds a height so that Cover stays safe and Center never comes out too high.
func roundTap(h float64, s heightmap.Sampling) float32 {
	f := float32(h)
	switch {
	case s == heightmap.Cover && float64(f) > h:
		return math.Nextafter32(f, 0)
	case s == heightmap.Center && float64(f) < h:
		return math.Nextafter32(f, math.MaxFloat32)
	}
	return f
}

// Reach returns the number of cells from the tool's axis to its rim.
func (t *Footprint) Reach() int { return len(t.Rows) - 1 }

// Count returns the number of cells under the tool.
func (t *Footprint) Count() int {
	n := 0
	for j, row := range t.Rows {
		k := 2*len(row) - 1
		if j > 0 {
			k *= 2
		}
		n += k
	}
	return n
}
