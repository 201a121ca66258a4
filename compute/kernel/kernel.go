// Package kernel says what the compute primitives take and give: plain values that every backend shares.
// compute/cpu and compute/gpu hold the primitives themselves, compute/conform holds them to what is said
// here, and compute chooses between them.
//
// All lengths are in mm. A backend answers with values within the error bound stated at each primitive,
// gives the same values for any number of threads, returns ctx.Err() soon after a context ends, and leaves its
// inputs alone. It refuses inputs that are not finite with an error and never panics on them.
package kernel

import (
	"fmt"
	"math"
)

// Grid is a rectangle of Width × Height square cells in a plane with the axes x and y. The cell in column i of
// row j has its centre at (X + i·Step, Y + j·Step) and the index j·Width + i.
type Grid struct {
	X, Y          float64 // mm, centre of cell 0
	Step          float64 // mm, side of a cell
	Width, Height int     // cells
}

// Len returns the number of cells.
func (g Grid) Len() int { return g.Width * g.Height }

// Check returns an error for a grid that is not finite, has no positive step or has more than 2³⁰ cells.
func (g Grid) Check() error {
	const most = 1 << 30
	switch {
	case !(g.Step > 0) || math.IsInf(g.Step, 0):
		return fmt.Errorf("grid: the step is %g mm, it must be positive", g.Step)
	case math.IsNaN(g.X-g.X) || math.IsNaN(g.Y-g.Y):
		return fmt.Errorf("grid: the origin is (%g, %g)", g.X, g.Y)
	case g.Width < 0 || g.Height < 0 || g.Height > 0 && g.Width > most/g.Height:
		return fmt.Errorf("grid: %d × %d cells, at most %d can be handled", g.Width, g.Height, most)
	}
	return nil
}
