package step

import (
	"millwright/adapters/cad/step/internal/part21"
	"millwright/adapters/cad/step/internal/schema"
	"millwright/core/brep"
)

// readColours follows the styled items to the colours of solids, shells and faces. A colour of a face
// overrides that of its solid; see colourOf.
func (d *document) readColours() {
	d.colours = map[part21.Ref]*brep.Colour{}
	styles := map[part21.Ref]*brep.Colour{}
	for _, k := range []part21.Keyword{schema.StyledItem, schema.OverRidingStyledItem} {
		for _, r := range d.File.Of(k) {
			a := d.Own(r, schema.StyledItem)
			if d.Kind(r, []part21.Keyword{schema.StyledItem}) == schema.OverRidingStyledItem {
				a = d.Own(r, schema.OverRidingStyledItem)
			}
			list := a.List()
			item := a.OptRef()
			if item == part21.Missing {
				continue
			}
			for list.More() {
				style := list.OptRef()
				c, known := styles[style]
				if !known && style != part21.Missing {
					left := longestStyle
					c = d.styleColour(style, 0, &left)
					styles[style] = c
				}
				if c != nil {
					d.colours[item] = c
					break
				}
			}
		}
	}
}

// longestStyle is how many entities of one style are looked at: real ones have about ten.
const longestStyle = 1000

// styleColour searches the tree of a surface style, depth first, for its first colour; left is how many more
// entities may be looked at, as styles may lead back to themselves.
func (d *document) styleColour(r part21.Ref, depth int, left *int) *brep.Colour {
	const deepest = 8 // assignment, usage, side, fill area, style, colour
	if *left--; r == part21.Missing || depth > deepest || *left < 0 {
		return nil
	}
	a := d.File.Args(r)
	switch d.File.Keyword(r) {
	case schema.ColourRgb:
		a.Skip(1)
		c := brep.Colour{R: a.Real(), G: a.Real(), B: a.Real()}
		if d.Check(r, &a) != nil {
			return nil
		}
		return &c
	case schema.DraughtingPreDefinedColour, schema.PreDefinedColour:
		if c, ok := namedColours[a.Text()]; ok {
			return &c
		}
		return nil
	case schema.PresentationStyleAssignment, schema.PresentationStyleByContext, schema.SurfaceStyleUsage,
		schema.SurfaceSideStyle, schema.SurfaceStyleFillArea, schema.FillAreaStyle, schema.FillAreaStyleColour,
		schema.SurfaceStyleRendering, schema.SurfaceStyleRenderingWithProperties:
	default:
		return nil
	}
	for a.More() {
		switch {
		case a.IsRef():
			if c := d.styleColour(a.OptRef(), depth+1, left); c != nil {
				return c
			}
		case a.IsList():
			for list := a.List(); list.More(); {
				if !list.IsRef() {
					list.Skip(1)
				} else if c := d.styleColour(list.OptRef(), depth+1, left); c != nil {
					return c
				}
			}
		default:
			a.Skip(1)
		}
	}
	return nil
}

// namedColours are the values of pre_defined_colour.
var namedColours = map[string]brep.Colour{
	"red": {R: 1}, "green": {G: 1}, "blue": {B: 1}, "yellow": {R: 1, G: 1}, "magenta": {R: 1, B: 1},
	"cyan": {G: 1, B: 1}, "black": {}, "white": {R: 1, G: 1, B: 1},
}

// colourFaces gives the faces of a shell the colour of the shell, or of the solid, where they have none.
func (t *tracer) colourFaces(shell brep.ShellID, sources ...part21.Ref) {
	for _, r := range sources {
		c := t.colours[r]
		if c == nil {
			continue
		}
		for _, f := range t.model.Shells[shell].Faces {
			if t.model.Faces[f].Colour == nil {
				t.model.Faces[f].Colour = c
			}
		}
		return
	}
}
