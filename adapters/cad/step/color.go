package step

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
)

// style is the color of an item: everywhere, or only within its contexts.
type style struct {
	item     part21.Ref // a representation, a copy, a solid, a shell or a face
	contexts []part21.Ref
	color    *brep.Color
}

// styledKinds are the names that decide the kind of a complex styled item.
var styledKinds = []part21.Keyword{schema.ContextDependentOverRidingStyledItem, schema.OverRidingStyledItem,
	schema.StyledItem}

// readStyles reads the colors of the styled items. A style comes after the style that it overrides.
func (d *document) readStyles() []style {
	colors := map[part21.Ref]*brep.Color{} // by style assignment
	var all [][]style                      // by the length of the chain of styles that they override
	for _, k := range []part21.Keyword{schema.StyledItem, schema.OverRidingStyledItem,
		schema.ContextDependentOverRidingStyledItem} {
		for _, r := range d.File.Of(k) {
			if d.Kind(r, styledKinds) != k {
				continue // a complex instance, which is also listed by its other name
			}
			a := d.Own(r, schema.StyledItem)
			if !d.File.IsComplex(r) {
				a = d.Own(r, k)
			}
			list := a.List()
			st := style{item: a.OptRef()}
			for st.color == nil && list.More() {
				assignment := list.OptRef()
				c, known := colors[assignment]
				if !known && assignment != part21.Missing {
					left := longestStyle
					c = d.styleColor(assignment, 0, &left)
					colors[assignment] = c
				}
				if st.color = c; c != nil && d.File.Keyword(assignment) == schema.PresentationStyleByContext {
					b := d.File.Args(assignment)
					b.Skip(1)
					st.contexts = append(st.contexts, b.OptRef())
				}
			}
			if st.item == part21.Missing || st.color == nil {
				continue
			}
			for contexts := d.styleContexts(r); contexts.More(); {
				st.contexts = append(st.contexts, contexts.OptRef())
			}
			depth := d.overrides(r)
			for len(all) <= depth {
				all = append(all, nil)
			}
			all[depth] = append(all[depth], st)
		}
	}
	return slices.Concat(all...)
}

// overridden returns the attributes of a styled item from the overridden style on; it is empty for other items.
func (d *document) overridden(r part21.Ref) part21.Args {
	k := d.Kind(r, styledKinds)
	if k == schema.StyledItem || k == part21.NoKeyword {
		return part21.Args{}
	}
	a, _ := d.File.Partial(r, schema.OverRidingStyledItem)
	if !d.File.IsComplex(r) {
		a = d.Own(r, k)
		a.Skip(2)
	}
	return a
}

// styleContexts returns the contexts in which a CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM applies.
func (d *document) styleContexts(r part21.Ref) part21.Args {
	if d.Kind(r, styledKinds) != schema.ContextDependentOverRidingStyledItem {
		return part21.Args{}
	}
	if d.File.IsComplex(r) {
		a, _ := d.File.Partial(r, schema.ContextDependentOverRidingStyledItem)
		return a.List()
	}
	a := d.overridden(r)
	a.Skip(1)
	return a.List()
}

// overrides returns the length of the chain of styles that a styled item overrides.
func (d *document) overrides(r part21.Ref) int {
	const most = 8
	n := 0
	for n < most {
		a := d.overridden(r)
		if !a.More() {
			break
		}
		n, r = n+1, a.OptRef()
	}
	return n
}

// readColors sorts the styles by their scope: everywhere, or only at places of the assembly.
func (s *structure) readColors() {
	s.colors, s.styles = map[part21.Ref]*brep.Color{}, map[part21.Ref][]style{}
	for _, st := range s.readStyles() {
		var places []part21.Ref
		for _, r := range st.contexts {
			for _, place := range s.places(r, 0) {
				if !slices.Contains(places, place) {
					places = append(places, place)
				}
			}
			if len(places) > mostPlaces {
				break
			}
		}
		if len(places) == 0 {
			s.colors[st.item] = st.color
			continue
		}
		last := places[len(places)-1]
		s.styles[last] = append(s.styles[last], style{st.item, places, st.color})
	}
}

// places returns the path to an item in the context of a style, see structure.path. It returns nil if the context is
// not a place of an assembly.
func (s *structure) places(r part21.Ref, depth int) []part21.Ref {
	if r == part21.Missing {
		return nil
	}
	if occurrence, ok := s.occurrence[r]; ok {
		r = occurrence
	}
	_, isProduct := s.productOf[r]
	switch k := s.Kind(r, []part21.Keyword{schema.MappedItem}); {
	case k == schema.SpecifiedHigherUsageOccurrence && depth < maxAssembly:
		a := s.File.Args(r)
		a.Skip(6)
		upper, next := a.OptRef(), a.OptRef()
		return append(s.places(upper, depth+1), next)
	case k == schema.NextAssemblyUsageOccurrence, k == schema.ContextDependentShapeRepresentation,
		k == schema.MappedItem, isProduct, s.isUse[r]:
		return []part21.Ref{r}
	}
	return nil
}

// mostPlaces is the maximum number of places examined for one style: no path of an assembly is longer.
const mostPlaces = 4 * maxAssembly

// mostStyled limits the styles that are evaluated at all places, which bounds the time for a crafted assembly. Further
// places get the colors that apply everywhere, with a warning.
const mostStyled = 1 << 22

// colorsHere returns the colors that items have only at the current place of the expansion. The style with the most
// contexts takes precedence; of several with equally many, the innermost.
func (s *structure) colorsHere() map[part21.Ref]*brep.Color {
	if len(s.styles) == 0 {
		return nil
	}
	if s.lastPath != nil && slices.Equal(s.path, s.lastPath) { // for example for all solids of one representation
		return s.lastColors
	}
	if s.styled > mostStyled {
		if !s.isColorless {
			s.isColorless = true
			s.Warn("lost_colours", 1,
				"Too many colours hold in some places of the assembly only; further places have those that "+
					"hold everywhere")
		}
		return nil
	}
	s.lastPath, s.lastColors = slices.Clone(s.path), nil
	var here []style
	for _, place := range s.path {
		for _, st := range s.styles[place] {
			s.styled += len(st.contexts)
			isElsewhere := func(r part21.Ref) bool { return !slices.Contains(s.path, r) }
			if !slices.ContainsFunc(st.contexts, isElsewhere) {
				here = append(here, st)
			}
		}
	}
	if len(here) == 0 {
		return nil
	}
	slices.SortStableFunc(here, func(a, b style) int { return len(a.contexts) - len(b.contexts) })
	colors := map[part21.Ref]*brep.Color{}
	for _, st := range here {
		colors[st.item] = st.color
	}
	s.lastColors = colors
	return colors
}

// colorCopies applies the color of a copy, or of representations, to their items without a color.
func (s *structure) colorCopies(items ...part21.Ref) {
	here := s.colorsHere()
	for _, r := range items {
		s.inherited.color = cmp.Or(here[r], s.colors[r], s.inherited.color)
	}
}

// longestStyle is the maximum number of entities examined for one style: real styles have about ten.
const longestStyle = 1000

// styleColor searches the tree of a surface style, depth first, for its first color. left is the number of entities
// that it may still examine, because styles may be cyclic.
func (d *document) styleColor(r part21.Ref, depth int, left *int) *brep.Color {
	const deepest = 8 // assignment, usage, side, fill area, style, color
	if *left--; r == part21.Missing || depth > deepest || *left < 0 {
		return nil
	}
	a := d.File.Args(r)
	switch d.File.Keyword(r) {
	case schema.ColorRgb:
		a.Skip(1)
		c := brep.Color{R: a.Real(), G: a.Real(), B: a.Real()}
		if d.Check(r, &a) != nil {
			return nil
		}
		return &c
	case schema.DraughtingPreDefinedColor, schema.PreDefinedColor:
		if c, ok := namedColors[a.Text()]; ok {
			return &c
		}
		return nil
	case schema.PresentationStyleAssignment, schema.PresentationStyleByContext, schema.SurfaceStyleUsage,
		schema.SurfaceSideStyle, schema.SurfaceStyleFillArea, schema.FillAreaStyle, schema.FillAreaStyleColor,
		schema.SurfaceStyleRendering, schema.SurfaceStyleRenderingWithProperties:
	default:
		return nil
	}
	for a.More() {
		switch {
		case a.IsRef():
			if c := d.styleColor(a.OptRef(), depth+1, left); c != nil {
				return c
			}
		case a.IsList():
			for list := a.List(); list.More(); {
				if !list.IsRef() {
					list.Skip(1)
				} else if c := d.styleColor(list.OptRef(), depth+1, left); c != nil {
					return c
				}
			}
		default:
			a.Skip(1)
		}
	}
	return nil
}

// namedColors are the values of pre_defined_colour.
var namedColors = map[string]brep.Color{
	"red": {R: 1}, "green": {G: 1}, "blue": {B: 1}, "yellow": {R: 1, G: 1}, "magenta": {R: 1, B: 1},
	"cyan": {G: 1, B: 1}, "black": {}, "white": {R: 1, G: 1, B: 1},
}

// colorFaces gives the color of the shell, or of the solid, to the faces of a shell without a color.
func (t *tracer) colorFaces(shell brep.ShellID, sources ...part21.Ref) {
	for _, r := range sources {
		c := t.colors[r]
		if c == nil {
			continue
		}
		for _, f := range t.model.Shells[shell].Faces {
			if t.model.Faces[f].Color == nil {
				t.model.Faces[f].Color = c
			}
		}
		return
	}
}

// repaint sets the colors of an instance's faces again, from the shell with index shells on, if colors apply to this
// instance only. The color of the innermost item counts, face before shell before solid, whether it is global or not.
func (in *instance) repaint(d *document, m *brep.Model, shells int) {
	if in.inherited.here == nil {
		return
	}
	of := func(r part21.Ref) *brep.Color { return cmp.Or(in.inherited.here[r], d.colors[r]) }
	find := func(id int64) *brep.Color {
		r, ok := d.File.Find(id)
		if !ok {
			return nil
		}
		return of(r)
	}
	for i := range m.Shells[shells:] {
		shell := &m.Shells[shells+i]
		rest := cmp.Or(find(shell.Source), of(in.item))
		for _, f := range shell.Faces {
			m.Faces[f].Color = cmp.Or(find(m.Faces[f].Source), rest)
		}
	}
}
