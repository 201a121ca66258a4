// Package step writes solids as STEP files (ISO 10303-21, schema AP214): one product with one advanced B-rep.
//
// It writes planes, cylinders and cones with edges that are lines and circles, as devices have them. Lengths are mm.
// The same solid gives the same bytes: the header states no time.
package step

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// uncertainty of points, mm.
const uncertainty = "1.E-05"

// writer writes instances. Its first error stays.
type writer struct {
	out *bufio.Writer
	n   int
	err error
}

// Write writes a model with one solid of one shell as a product of a name. It fails when w does, and for surfaces and
// curves of other kinds.
func Write(w io.Writer, name string, m *brep.Model) error {
	if len(m.Solids) != 1 || len(m.Shells) != 1 {
		return fmt.Errorf("step: %d solids with %d shells, not one with one", len(m.Solids), len(m.Shells))
	}
	s := &writer{out: bufio.NewWriter(w)}
	fmt.Fprintf(s.out, "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"+
		"FILE_NAME(%s,'',(''),(''),'millwright','millwright','');\n"+
		"FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n", text(name))
	s.product(name, s.solid(name, m))
	if s.err != nil {
		return fmt.Errorf("step: %w", s.err)
	}
	fmt.Fprint(s.out, "ENDSEC;\nEND-ISO-10303-21;\n")
	return s.out.Flush()
}

// add writes an instance and returns its name.
func (s *writer) add(format string, args ...any) string {
	s.n++
	fmt.Fprintf(s.out, "#%d=%s;\n", s.n, fmt.Sprintf(format, args...))
	return "#" + strconv.Itoa(s.n)
}

// product writes the product with the solid as its shape.
func (s *writer) product(name, solid string) {
	length := s.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
	angle := s.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	cone := s.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
	near := s.add("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(%s),%s,'distance_accuracy_value','')", uncertainty,
		length)
	context := s.add("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((%s))"+
		"GLOBAL_UNIT_ASSIGNED_CONTEXT((%s,%s,%s))REPRESENTATION_CONTEXT('',''))", near, length, angle, cone)
	shape := s.add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s,%s),%s)", s.placement(geom.World), solid, context)
	application := s.add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')")
	s.add("APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,%s)", application)
	product := s.add("PRODUCT(%s,%s,'',(%s))", text(name), text(name),
		s.add("PRODUCT_CONTEXT('',%s,'mechanical')", application))
	s.add("PRODUCT_RELATED_PRODUCT_CATEGORY('part','',(%s))", product)
	formation := s.add("PRODUCT_DEFINITION_FORMATION('','',%s)", product)
	definition := s.add("PRODUCT_DEFINITION('design','',%s,%s)", formation,
		s.add("PRODUCT_DEFINITION_CONTEXT('part definition',%s,'design')", application))
	s.add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", s.add("PRODUCT_DEFINITION_SHAPE('','',%s)", definition), shape)
}

// solid writes the solid of a model.
func (s *writer) solid(name string, m *brep.Model) string {
	vertices, edges := make([]string, len(m.Vertices)), make([]string, len(m.Edges))
	for i := range m.Vertices {
		vertices[i] = s.add("VERTEX_POINT('',%s)", s.point(m.Vertices[i].Point))
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		edges[i] = s.add("EDGE_CURVE('',%s,%s,%s,.T.)", vertices[e.Start], vertices[e.End], s.curve(e.Curve))
	}
	var faces []string
	for i := range m.Faces {
		faces = append(faces, s.face(m, &m.Faces[i], edges))
	}
	return s.add("MANIFOLD_SOLID_BREP(%s,%s)", text(name), s.add("CLOSED_SHELL('',%s)", list(faces)))
}

func (s *writer) face(m *brep.Model, f *brep.Face, edges []string) string {
	var bounds []string
	for i, l := range f.Loops {
		var uses []string
		for _, c := range m.Loops[l].Coedges {
			uses = append(uses, s.add("ORIENTED_EDGE('',*,*,%s,%s)", edges[m.Coedges[c].Edge],
				flag(!m.Coedges[c].Reversed)))
		}
		kind := "FACE_BOUND"
		if i == 0 {
			kind = "FACE_OUTER_BOUND"
		}
		bounds = append(bounds, s.add("%s('',%s,.T.)", kind, s.add("EDGE_LOOP('',%s)", list(uses))))
	}
	return s.add("ADVANCED_FACE('',%s,%s,%s)", list(bounds), s.surface(f.Surface), flag(!f.Reversed))
}

func (s *writer) curve(c curve.Curve) string {
	switch c := c.(type) {
	case curve.Line:
		return s.add("LINE('',%s,%s)", s.point(c.Origin), s.add("VECTOR('',%s,1.)", s.direction(c.Dir)))
	case curve.Circle:
		return s.add("CIRCLE('',%s,%s)", s.placement(c.Frame), number(c.Radius))
	}
	s.err = fmt.Errorf("a curve of type %T is no line or circle", c)
	return "$"
}

func (s *writer) surface(of surface.Surface) string {
	switch f := of.(type) {
	case surface.Plane:
		return s.add("PLANE('',%s)", s.placement(f.Frame))
	case surface.Cylinder:
		return s.add("CYLINDRICAL_SURFACE('',%s,%s)", s.placement(f.Frame), number(f.Radius))
	case surface.Cone:
		return s.add("CONICAL_SURFACE('',%s,%s,%s)", s.placement(f.Frame), number(f.Radius), number(f.HalfAngle))
	}
	s.err = fmt.Errorf("a surface of type %T is no plane, cylinder or cone", of)
	return "$"
}

func (s *writer) placement(f geom.Frame) string {
	return s.add("AXIS2_PLACEMENT_3D('',%s,%s,%s)", s.point(f.Origin), s.direction(f.Z), s.direction(f.X))
}

func (s *writer) point(p geom.Vec3) string { return s.add("CARTESIAN_POINT('',%s)", vector(p)) }

func (s *writer) direction(d geom.Vec3) string { return s.add("DIRECTION('',%s)", vector(d)) }

func vector(v geom.Vec3) string { return list([]string{number(v.X), number(v.Y), number(v.Z)}) }

func list(items []string) string { return "(" + strings.Join(items, ",") + ")" }

func flag(b bool) string {
	if b {
		return ".T."
	}
	return ".F."
}

// number writes a real, which has a decimal point: "1.", "2.5E-07".
func number(x float64) string {
	mantissa, exponent, hasExponent := strings.Cut(strconv.FormatFloat(x+0, 'G', -1, 64), "E")
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if hasExponent {
		return mantissa + "E" + exponent
	}
	return mantissa
}

// text writes a string in quotes; other characters than printable ASCII are written in hexadecimal.
func text(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteRune(r)
			b.WriteRune(r)
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\X4\%08X\X0\`, r)
		}
	}
	return "'" + b.String() + "'"
}
