// Package engage is the primitive that measures the engagement of a cutter with the material ahead: the part of the
// half circle ahead of its axis that lies in material.
package engage

import (
	"fmt"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// Primitive measures front arcs, for clearing that bounds them. Its items are places on the arcs.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "engage", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return len(in.Samples) * in.Parts },
	Cost:  primitive.Cost{Seconds: 10e-9, Bytes: 0.4, Host: 0.5e-9},
}

// Input is a material field on a level and the positions of a cutter.
//
// The field is bilinear between the centers of the cells; negative values are material. There is no material beyond the
// outermost centers. The half circle of a sample extends from 90° to the right of its direction to 90° to the left. It
// is divided into Parts equal parts, and a part counts as a whole when its middle is in material. So each end of a
// stretch of material along the arc has an error of at most half a part, π/2·Parts rad. Stretches and gaps shorter than
// a part may be missed.
//
// Error bound: a backend is right wherever the field at the middle of a part differs from zero by more than Rounding
// times the greatest magnitude of the four surrounding cells.
type Input struct {
	Grid    grid.Grid
	Field   []float32 // per cell, finite; negative in material
	Radius  float64   // mm, of the cutter
	Parts   int       // of the half circle, 1 to MaxParts
	Samples []CutterPosition
}

// CutterPosition is a place of the cutter's axis and the direction in which it moves on.
type CutterPosition struct {
	Center    geom.Vec2 // mm, in the plane of the grid
	Direction geom.Vec2 // unit
}

// Output is the number of parts in material of each sample's half circle.
type Output struct{ Parts []uint32 }

// Rounding is the share of the field's magnitude within which backends may take either side of zero: places have
// coordinates below 2¹⁷ cells, which float64 resolves to 2⁻³⁵.
const Rounding = 1.0 / (1 << 30)

const (
	// MaxParts keeps a sample's work below a millisecond on a slow device.
	MaxParts = 1 << 12

	// maxSide (cells) of the grid and maxReach (cells) of a position from its origin are the range for which Rounding
	// is valid.
	maxSide, maxReach = 1 << 16, 1 << 17

	// unitError is the maximum deviation of a direction's length from 1.
	unitError = 1e-9
)

// Arc returns the front arc of a sample in rad, 0 to π.
func (o *Output) Arc(in *Input, sample int) float64 {
	return math.Pi * float64(o.Parts[sample]) / float64(in.Parts)
}

// Check returns an error for an input that the primitive does not take.
func (in *Input) Check() error {
	if err := in.Grid.Check(); err != nil {
		return fmt.Errorf("engage: %w", err)
	}
	switch g := in.Grid; {
	case len(in.Field) != g.Len():
		return fmt.Errorf("engage: %d values for a grid of %d cells", len(in.Field), g.Len())
	case g.Width > maxSide || g.Height > maxSide:
		return fmt.Errorf("engage: a grid of %d × %d cells has too long a side", g.Width, g.Height)
	case !(in.Radius > 0 && in.Radius/g.Step <= maxSide/2):
		return fmt.Errorf("engage: the cutter has a radius of %g mm on cells of %g mm", in.Radius, g.Step)
	case in.Parts < 1 || in.Parts > MaxParts:
		return fmt.Errorf("engage: %d parts, 1 to %d can be handled", in.Parts, MaxParts)
	case len(in.Samples) > math.MaxInt32/in.Parts:
		return fmt.Errorf("engage: %d samples of %d parts are too many", len(in.Samples), in.Parts)
	}
	for i, v := range in.Field {
		if v-v != 0 {
			return fmt.Errorf("engage: cell %d has the value %g", i, v)
		}
	}
	for i := range in.Samples {
		s := &in.Samples[i]
		u, v := in.cells(s.Center)
		if !(max(math.Abs(u), math.Abs(v)) <= maxReach-maxSide/2) || !(math.Abs(s.Direction.Norm()-1) <= unitError) {
			return fmt.Errorf("engage: sample %d is at %v and moves along %v", i, s.Center, s.Direction)
		}
	}
	return nil
}

// cells returns a place in columns and rows from the center of cell 0.
func (in *Input) cells(p geom.Vec2) (u, v float64) {
	return (p.X - in.Grid.X) / in.Grid.Step, (p.Y - in.Grid.Y) / in.Grid.Step
}

// middles returns the middles of the parts on the circle of the cutter, in cells, ahead along the first axis.
func (in *Input) middles() [][2]float64 {
	out := make([][2]float64, in.Parts)
	r := in.Radius / in.Grid.Step
	for k := range out {
		sin, cos := math.Sincos(math.Pi * ((float64(k)+0.5)/float64(in.Parts) - 0.5))
		out[k] = [2]float64{r * cos, r * sin}
	}
	return out
}
