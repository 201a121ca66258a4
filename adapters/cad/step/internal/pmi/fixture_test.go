package pmi_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// fixture is a box of 1×2×3 mm about whose faces a test makes statements. Face i of the model is faces[i]:
// bottom and top, front and back (y), left and right (x).
type fixture struct {
	steptest.Text
	faces []string
	solid string
	shape string // PRODUCT_DEFINITION_SHAPE
	rep   string
	ctx   string // mm and degrees
	mm    string
	inch  string
	deg   string
}

var faceLine = regexp.MustCompile(`(#\d+)=ADVANCED_FACE`)

func newFixture() *fixture {
	f := &fixture{}
	f.mm = f.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
	rad := f.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	f.inch = f.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT(*))",
		f.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),%s)", f.mm))
	f.deg = f.Add("(CONVERSION_BASED_UNIT('DEGREE',%s)NAMED_UNIT(*)PLANE_ANGLE_UNIT())",
		f.Add("PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.0174532925199433),%s)", rad))
	f.ctx = f.ContextOf(f.mm, f.deg)
	f.solid = f.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	f.rep = f.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", f.solid, f.ctx)
	definition := f.Product("part", f.rep)
	f.shape = f.Add("PRODUCT_DEFINITION_SHAPE('','',%s)", definition)
	for _, m := range faceLine.FindAllStringSubmatch(f.File(), -1) {
		f.faces = append(f.faces, m[1])
	}
	return f
}

// aspect writes a shape aspect of faces.
func (f *fixture) aspect(faces ...int) string {
	a := f.Add("SHAPE_ASPECT('','',%s,.T.)", f.shape)
	f.tie(a, faces...)
	return a
}

// tie ties faces to an aspect.
func (f *fixture) tie(aspect string, faces ...int) {
	for _, i := range faces {
		f.Add("GEOMETRIC_ITEM_SPECIFIC_USAGE('','',%s,%s,%s)", aspect, f.rep, f.faces[i])
	}
}

// length writes a length in a unit.
func (f *fixture) length(value float64, unit string) string {
	return f.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(%v),%s)", value, unit)
}

// item writes a measure as an item of a representation.
func (f *fixture) item(name string, value float64, unit string, qualifiers ...string) string {
	kind := "LENGTH_MEASURE"
	if unit == f.deg {
		kind = "PLANE_ANGLE_MEASURE"
	}
	qualified := ""
	if len(qualifiers) > 0 {
		qualified = "QUALIFIED_REPRESENTATION_ITEM(" + steptest.List(qualifiers...) + ")"
	}
	return f.Add("(%s_WITH_UNIT()MEASURE_REPRESENTATION_ITEM()MEASURE_WITH_UNIT(%s(%v),%s)%s"+
		"REPRESENTATION_ITEM('%s'))", kind, kind, value, unit, qualified, name)
}

// valued gives a dimension its values.
func (f *fixture) valued(dimension string, items ...string) {
	f.Add("DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(%s,%s)", dimension,
		f.Add("SHAPE_DIMENSION_REPRESENTATION('',%s,%s)", steptest.List(items...), f.ctx))
}

// read reads the file.
func (f *fixture) read(t *testing.T) *brep.Model {
	t.Helper()
	return readText(t, f.File())
}

func readText(t *testing.T, text string) *brep.Model {
	t.Helper()
	m, err := step.Read(t.Context(), strings.NewReader(text), int64(len(text)), step.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// quiet checks that nothing was left out.
func quiet(t *testing.T, m *brep.Model) {
	t.Helper()
	for _, w := range m.Warnings {
		t.Errorf("warning %s: %s (%d)", w.Code, w.Message, w.Count)
	}
}

// warned returns how often a warning was given.
func warned(m *brep.Model, code string) int {
	for _, w := range m.Warnings {
		if w.Code == code {
			return w.Count
		}
	}
	return 0
}

func wantFaces(t *testing.T, what string, got []gdt.Face, want ...gdt.Face) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: faces %v, want %v", what, got, want)
	}
}

// near compares with the precision of the numbers in a file.
func near(a, b float64) bool {
	const digits = 1e-12 // of the larger
	d := a - b
	return d <= digits*max(1, a, -a) && -d <= digits*max(1, a, -a)
}

func TestNothingStated(t *testing.T) {
	m := newFixture().read(t)
	quiet(t, m)
	if !m.PMI.Empty() {
		t.Errorf("a plain box states %+v", m.PMI)
	}
}

var instanceLine = regexp.MustCompile(`(?m)^(#\d+)=`)

// last returns the instance that was written last.
func (f *fixture) last() string {
	all := instanceLine.FindAllStringSubmatch(f.File(), -1)
	return all[len(all)-1][1]
}

var definitionLine = regexp.MustCompile(`(#\d+)=PRODUCT_DEFINITION\(`)

// definition returns the product definition of the box.
func (f *fixture) definition() string { return definitionLine.FindStringSubmatch(f.File())[1] }
