// Package steptest writes small STEP files for tests, instance by instance, in the forms in which CAD
// systems write them.
package steptest

import (
	"fmt"
	"strings"

	"millwright.dev/millwright/core/kernel/geom"
)

// The axes.
var (
	UnitX = geom.Vec3{X: 1}
	UnitY = geom.Vec3{Y: 1}
	UnitZ = geom.Vec3{Z: 1}
)

// Text writes the data section of a STEP file, instance by instance.
type Text struct {
	b strings.Builder
	n int
	// Flip decides the next orientation flag; nil means the plain form everywhere.
	Flip func() bool
}

// Add writes an instance and returns its name. Arguments are formatted with %v.
func (w *Text) Add(format string, args ...any) string {
	w.n++
	id := fmt.Sprintf("#%d", w.n)
	fmt.Fprintf(&w.b, "%s=%s;\n", id, fmt.Sprintf(format, args...))
	return id
}

// coin decides a flag.
func (w *Text) coin() bool { return w.Flip != nil && w.Flip() }

// Logical spells a flag.
func Logical(b bool) string {
	if b {
		return ".T."
	}
	return ".F."
}

// List joins values to a list.
func List(ids ...string) string { return "(" + strings.Join(ids, ",") + ")" }

// Point writes a point, mm.
func (w *Text) Point(p geom.Vec3) string {
	return w.Add("CARTESIAN_POINT('',(%v,%v,%v))", p.X, p.Y, p.Z)
}

// Direction writes a direction.
func (w *Text) Direction(d geom.Vec3) string {
	return w.Add("DIRECTION('',(%v,%v,%v))", d.X, d.Y, d.Z)
}

// Placement writes a placement with axis z and reference direction x.
func (w *Text) Placement(origin, z, x geom.Vec3) string {
	return w.Add("AXIS2_PLACEMENT_3D('',%s,%s,%s)", w.Point(origin), w.Direction(z), w.Direction(x))
}

// Vertex writes a vertex.
func (w *Text) Vertex(p geom.Vec3) string { return w.Add("VERTEX_POINT('',%s)", w.Point(p)) }

// Line writes a line whose vector has the length 1.
func (w *Text) Line(origin, dir geom.Vec3) string {
	return w.Add("LINE('',%s,%s)", w.Point(origin), w.Add("VECTOR('',%s,1.)", w.Direction(dir)))
}

// Context writes a representation context in mm and radians.
func (w *Text) Context() string {
	return w.ContextOf(w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))"),
		w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))"))
}

// ContextOf writes a representation context with the given units.
func (w *Text) ContextOf(length, angle string) string {
	unc := w.Add("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-4),%s,'','')", length)
	return w.Add("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((%s))"+
		"GLOBAL_UNIT_ASSIGNED_CONTEXT((%s,%s))REPRESENTATION_CONTEXT('',''))", unc, length, angle)
}

// Product writes a product whose shape is rep, and returns its definition.
func (w *Text) Product(name, rep string) string {
	p := w.Add("PRODUCT('id of %s','%s','',())", name, name)
	d := w.Add("PRODUCT_DEFINITION('','',%s,$)", w.Add("PRODUCT_DEFINITION_FORMATION('','',%s)", p))
	w.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", w.Add("PRODUCT_DEFINITION_SHAPE('','',%s)", d), rep)
	return d
}

// Part writes a product with the given items.
func (w *Text) Part(items ...string) string {
	return w.Product("part", w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',%s,%s)", List(items...), w.Context()))
}

// File returns the whole text.
func (w *Text) File() string {
	return "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n" + w.b.String() +
		"ENDSEC;\nEND-ISO-10303-21;\n"
}
