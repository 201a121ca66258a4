// Package dropcutter is the primitive that drops a tool onto a mesh: how low its tip may come over each cell of a grid.
package dropcutter

import (
	"fmt"

	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Input is the request for the lowest gouge-free position of a tool's tip above every cell of a grid, over a mesh. It
// is the drop-cutter of CAM systems: each triangle is tested exactly, without an intermediate height map. So unlike
// package offsetheight it has no error that depends on the step of the grid. A device computes in float64, as the bound
// requires.
//
// Let exact(r) be the height of the tip at which the tool touches the mesh, for a tool whose underside is moved outward
// by r mm (inward for a negative r). With δ and ε of Bound a backend returns
//
//	exact(-δ) - ε ≤ z ≤ exact(δ) + ε
//
// Only the underside of the tool counts, and triangles count from both sides.
type Input struct {
	Mesh  *mesh.Mesh // points and triangles only; need not be closed
	Frame geom.Frame // the view, as in heightmap.Input
	Grid  grid.Grid
	Tool  toolprofile.Profile
}

// Output is the height of the tool tip above the center of each cell in mm; -Inf without contact.
type Output struct{ Z []float32 }

// Primitive is the drop-cutter. Its items are cells.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "drop-cutter", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return in.Grid.Len() },
	Cost:  primitive.Cost{Seconds: 660e-9, Bytes: 6, Host: 45e-9},
}

// margin (cells) is the distance by which drop-cutters extend a triangle beyond its sides. Without it, rounding would
// leave gaps between the contacts of neighboring triangles.
const margin = 1.0 / (1 << 20)

// roundDrop is the relative rounding of coordinates in float64 and of values computed from them.
const roundDrop = 1.0 / (1 << 40)

// Bound returns δ and ε in mm. δ is slack plus rounding in float64, ε the rounding of the result to float32. The
// chordal deviation of concave arcs adds to both, as it is measured perpendicular to the chords.
func (in *Input) Bound() (lateral, vertical float64) {
	across, along := raster.Extent(in.Mesh, in.Frame, in.Grid)
	size, filled := 0.0, 0.0
	for _, k := range in.Tool {
		size = max(size, k.To.Norm(), k.From.Norm())
		filled = max(filled, -k.Radius*toolprofile.ConcaveUnder)
	}
	lateral = 2*margin*in.Grid.Step + roundDrop*(across+size) + filled
	return lateral, 2*offsetheight.Rounding*(along+size) + filled
}

// Check returns an error for an input that the primitive does not take.
func (in *Input) Check() error {
	if in.Mesh == nil {
		return fmt.Errorf("drop-cutter: there is no mesh")
	}
	if err := raster.CheckView(in.Mesh, in.Frame, in.Grid); err != nil {
		return fmt.Errorf("drop-cutter: %w", err)
	}
	return checkTool(in.Tool, in.Grid.Step)
}

func checkTool(tool toolprofile.Profile, step float64) error {
	if err := tool.Check(); err != nil {
		return fmt.Errorf("drop-cutter: %w", err)
	}
	if r := tool.MaxRadius() / step; r > offsetheight.MaxRadius {
		return fmt.Errorf("drop-cutter: the tool has a radius of %g cells, at most %d can be handled", r,
			offsetheight.MaxRadius)
	}
	return nil
}
