package kernel

import (
	"fmt"

	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// DropCutterInput asks how low the tip of a tool may come above every cell of a grid without cutting into a mesh,
// triangle by triangle: the drop-cutter of CAM systems, without a height map in between. Unlike OffsetHeight it
// has no error that depends on the step of the grid. On a device all of it is float64: the bound allows no less.
//
// Let exact(r) be the height of the tip at which the tool touches the mesh, of a tool whose underside is moved
// outwards by r mm (inwards for a negative r). With δ and ε of Bound a backend answers
//
//	exact(-δ) - ε ≤ z ≤ exact(δ) + ε
//
// Only the underside of the tool counts, and triangles count from whichever side they are seen.
type DropCutterInput struct {
	Mesh  *mesh.Mesh // points and triangles only; need not be closed
	Frame geom.Frame // the view, as in HeightMapInput
	Grid  Grid
	Tool  tool.Profile
}

// DropCutterOutput holds the height of the tool tip above the centre of each cell in mm; -Inf where the tool
// touches nothing.
type DropCutterOutput struct{ Z []float32 }

// Slack is how far (cells) drop-cutters let a triangle reach beyond its sides, so that rounding leaves no gaps
// between the places where neighbours are touched.
const Slack = 1.0 / (1 << 20)

// roundDrop is the rounding of coordinates in float64 and of what is computed with them, as a share of them.
const roundDrop = 1.0 / (1 << 40)

// Bound returns δ and ε in mm. δ is Slack plus rounding in float64, ε the rounding of the answer to float32. What
// chords fill of hollow arcs adds to both, as it is measured across the chords.
func (in *DropCutterInput) Bound() (lateral, vertical float64) {
	view := HeightMapInput{Mesh: in.Mesh, Frame: in.Frame, Grid: in.Grid}
	across, along := view.extent()
	size, filled := 0.0, 0.0
	for _, k := range in.Tool {
		size = max(size, k.To.Norm(), k.From.Norm())
		filled = max(filled, -k.Radius*tool.Hollow)
	}
	lateral = 2*Slack*in.Grid.Step + roundDrop*(across+size) + filled
	return lateral, 2*roundOffset*(along+size) + filled
}

// Check returns an error for an input that DropCutter does not take.
func (in *DropCutterInput) Check() error {
	if in.Mesh == nil {
		return fmt.Errorf("drop-cutter: there is no mesh")
	}
	if err := checkView(in.Mesh, in.Frame, in.Grid); err != nil {
		return fmt.Errorf("drop-cutter: %w", err)
	}
	if err := in.Tool.Check(); err != nil {
		return fmt.Errorf("drop-cutter: %w", err)
	}
	if r := in.Tool.MaxRadius() / in.Grid.Step; r > mostTaps {
		return fmt.Errorf("drop-cutter: the tool has a radius of %g cells, at most %d can be handled", r, mostTaps)
	}
	return nil
}
