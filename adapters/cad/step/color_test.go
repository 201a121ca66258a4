package step

import (
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// painted is a sub-assembly with two occurrences of one red box whose first face is white, used twice at the top. The
// boxes are written in the order of their occurrences: both of the first sub-assembly, then both of the second.
type painted struct {
	steptest.Text
	context, solid, face, rep, boxRep, red string
	inner, outer, innerPlaced              [2]string
}

var (
	red, blue, white = brep.Color{R: 1}, brep.Color{B: 1}, brep.Color{R: 1, G: 1, B: 1}
	green            = brep.Color{G: 1}
)

// style writes a surface style.
func (w *painted) style(color string) string {
	fill := w.Add("FILL_AREA_STYLE('',(%s))", w.Add("FILL_AREA_STYLE_COLOUR('',%s)",
		w.Add("DRAUGHTING_PRE_DEFINED_COLOUR('%s')", color)))
	return w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", w.Add("SURFACE_SIDE_STYLE('',(%s))",
		w.Add("SURFACE_STYLE_FILL_AREA(%s)", fill)))
}

// plain and by write the assignment of a style: everywhere, and in a context.
func (w *painted) plain(color string) string {
	return w.Add("PRESENTATION_STYLE_ASSIGNMENT((%s))", w.style(color))
}

func (w *painted) by(color, context string) string {
	return w.Add("PRESENTATION_STYLE_BY_CONTEXT((%s),%s)", w.style(color), context)
}

// shapeOf writes the representation of an occurrence, as some systems name it in contexts.
func (w *painted) shapeOf(occurrence string) string {
	rep := w.Add("SHAPE_REPRESENTATION('',(),%s)", w.context)
	w.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", w.Add("PRODUCT_DEFINITION_SHAPE('','',%s)", occurrence), rep)
	return rep
}

// higher writes an occurrence in an occurrence.
func (w *painted) higher(upper, next string) string {
	return w.Add("SPECIFIED_HIGHER_USAGE_OCCURRENCE('','','',$,$,$,%s,%s)", upper, next)
}

func newPainted() *painted {
	w := &painted{}
	w.context = w.Context()
	shell := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}, false)
	w.face = regexp.MustCompile(`(#\d+)=ADVANCED_FACE`).FindStringSubmatch(w.File())[1]
	w.solid = w.Add("MANIFOLD_SOLID_BREP('',%s)", shell)
	origin := w.Origin()
	w.boxRep = w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s,%s),%s)", origin, w.solid, w.context)
	box := w.Product("box", w.boxRep)
	use := func(name, child, childRep string) (definition, rep string, occurrences, placed [2]string) {
		at := [2]string{w.Origin(), w.Placement(geom.Vec3{X: float64(10 * len(name))}, unitZ, unitX)}
		rep = w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", at[0], at[1], w.context)
		definition = w.Product(name, rep)
		for i := range at {
			occurrences[i], placed[i] = w.Use(definition, child, childRep, rep, origin, at[i])
		}
		return definition, rep, occurrences, placed
	}
	sub, subRep, inner, placed := use("sub", box, w.boxRep)
	w.rep, w.inner, w.innerPlaced = subRep, inner, placed
	_, _, w.outer, _ = use("everything", sub, subRep)
	w.red = w.Add("STYLED_ITEM('',(%s),%s)", w.plain("red"), w.solid)
	w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.plain("white"), w.face, w.red)
	return w
}

// TestColorsOfOccurrences gives occurrences their own colors in every form that writers use. The color of a face takes
// precedence over the color of its solid.
func TestColorsOfOccurrences(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(w *painted)
		want [4]brep.Color // of the boxes
		face [4]brep.Color
	}{
		{"everywhere", func(*painted) {}, [4]brep.Color{red, red, red, red}, [4]brep.Color{white, white, white, white}},
		{"by the shape of an occurrence", func(w *painted) {
			w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.by("blue", w.shapeOf(w.inner[1])), w.solid, w.red)
		}, [4]brep.Color{red, blue, red, blue}, [4]brep.Color{white, white, white, white}},
		{"not overriding", func(w *painted) {
			for i, color := range []string{"blue", "green"} {
				w.Add("STYLED_ITEM('',(%s),%s)", w.by(color, w.shapeOf(w.inner[i])), w.solid)
			}
		}, [4]brep.Color{blue, green, blue, green}, [4]brep.Color{white, white, white, white}},
		{"by what places it", func(w *painted) {
			w.Add("CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(%s),%s,%s,(%s))", w.plain("blue"), w.solid, w.red,
				w.innerPlaced[0])
		}, [4]brep.Color{blue, red, blue, red}, [4]brep.Color{white, white, white, white}},
		{"a face", func(w *painted) {
			w.Add("CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(%s),%s,%s,(%s,%s))", w.plain("blue"), w.face, w.red,
				w.outer[1], w.inner[0])
		}, [4]brep.Color{red, red, red, red}, [4]brep.Color{white, white, blue, white}},
		{"an occurrence in an occurrence, and all", func(w *painted) {
			higher := w.shapeOf(w.higher(w.outer[0], w.inner[1]))
			w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.by("green", higher), w.solid, w.red)
			w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.by("blue", w.shapeOf(w.inner[1])), w.solid, w.red)
		}, [4]brep.Color{red, green, red, blue}, [4]brep.Color{white, white, white, white}},
		{"in the representation of the sub-assembly", func(w *painted) {
			w.Add("STYLED_ITEM('',(%s),%s)", w.by("blue", w.rep), w.solid)
		}, [4]brep.Color{blue, blue, blue, blue}, [4]brep.Color{white, white, white, white}},
		{"the representation of the box", func(w *painted) {
			w.Add("STYLED_ITEM('',(%s),%s)", w.by("blue", w.shapeOf(w.outer[1])), w.boxRep)
		}, [4]brep.Color{red, red, red, red}, [4]brep.Color{white, white, white, white}},
		{"a context that is no place", func(w *painted) {
			w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.by("blue", w.context), w.solid, w.red)
		}, [4]brep.Color{blue, blue, blue, blue}, [4]brep.Color{white, white, white, white}},
	} {
		w := newPainted()
		c.add(w)
		m := mustRead(t, w.File())
		if len(m.Faces) != 4*6 {
			t.Fatalf("%s: %d faces", c.name, len(m.Faces))
		}
		for i, f := range m.Faces {
			want := c.want[i/6]
			if i%6 == 0 {
				want = c.face[i/6]
			}
			if f.Color == nil || *f.Color != want {
				t.Errorf("%s: face %d of box %d has the colour %v, want %v", c.name, i%6, i/6, f.Color, want)
			}
		}
	}
}

// TestOverridingStyleTakesPrecedence checks this for styles in any order in the file.
func TestOverridingStyleTakesPrecedence(t *testing.T) {
	w := newPainted()
	const later = "#9999"
	w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.plain("green"), w.solid, later)
	overridden := w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,%s)", w.plain("blue"), w.solid, w.red)
	m := mustRead(t, strings.ReplaceAll(w.File(), later, overridden))
	if got := m.Faces[1].Color; got == nil || *got != green {
		t.Errorf("colour %v, want %v", got, green)
	}
}

// TestCyclicStyleContextEnds has a cyclic context. It is not a place, and the search must end soon.
func TestCyclicStyleContextEnds(t *testing.T) {
	w := newPainted()
	const itself = "#9999"
	higher := w.higher(itself, itself)
	w.Add("STYLED_ITEM('',(%s),%s)", w.by("blue", w.shapeOf(higher)), w.solid)
	m := mustRead(t, strings.ReplaceAll(w.File(), itself, higher))
	if got := m.Faces[1].Color; got == nil || *got != red {
		t.Errorf("colour %v, want %v", got, red)
	}
}
