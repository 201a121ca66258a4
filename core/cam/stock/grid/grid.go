// Package grid is the rectangle of square cells that heights, distances and material on a level are given over.
package grid

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Grid is a rectangle of Width × Height square cells in a plane with the axes x and y. The cell in column i of
// row j has its center at (X + i·Step, Y + j·Step) and the index j·Width + i.
type Grid struct {
	X, Y          float64 // mm, center of cell 0
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

// Middle returns the middle of the grid.
func (g Grid) Middle() geom.Vec2 {
	return geom.Vec2{X: g.X + g.Step*float64(g.Width-1)/2, Y: g.Y + g.Step*float64(g.Height-1)/2}
}

// Block is a rectangle of cells of a grid.
type Block struct{ X, Y, Width, Height int }

// Divide divides the grid into blocks of a size, row by row; the last ones may be smaller.
func (g Grid) Divide(width, height int) (list []Block) {
	for y := 0; y < g.Height; y += height {
		for x := 0; x < g.Width; x += width {
			list = append(list, Block{x, y, min(width, g.Width-x), min(height, g.Height-y)})
		}
	}
	return list
}

// Nothing is the height of a cell that nothing is in.
var Nothing = float32(math.Inf(-1))

// NewMap returns n empty cells.
func NewMap(n int) []float32 {
	z := make([]float32, n)
	for i := range z {
		z[i] = Nothing
	}
	return z
}
