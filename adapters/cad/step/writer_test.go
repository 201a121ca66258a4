package step

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"millwright/adapters/cad/step/part21"
	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/service"
)

// text writes the data section of a STEP file, instance by instance.
type text struct {
	b strings.Builder
	n int
	// flip decides the next orientation flag; nil means the plain form everywhere.
	flip func() bool
}

// add writes an instance and returns its name. Arguments are formatted with %v.
func (w *text) add(format string, args ...any) string {
	w.n++
	id := fmt.Sprintf("#%d", w.n)
	fmt.Fprintf(&w.b, "%s=%s;\n", id, fmt.Sprintf(format, args...))
	return id
}

func (w *text) coin() bool { return w.flip != nil && w.flip() }

// logical spells a flag.
func logical(b bool) string {
	if b {
		return ".T."
	}
	return ".F."
}

func list(ids ...string) string { return "(" + strings.Join(ids, ",") + ")" }

func (w *text) point(p geom.Vec3) string {
	return w.add("CARTESIAN_POINT('',(%v,%v,%v))", p.X, p.Y, p.Z)
}

func (w *text) direction(d geom.Vec3) string {
	return w.add("DIRECTION('',(%v,%v,%v))", d.X, d.Y, d.Z)
}

func (w *text) placement(origin, z, x geom.Vec3) string {
	return w.add("AXIS2_PLACEMENT_3D('',%s,%s,%s)", w.point(origin), w.direction(z), w.direction(x))
}

func (w *text) vertex(p geom.Vec3) string { return w.add("VERTEX_POINT('',%s)", w.point(p)) }

func (w *text) line(origin, dir geom.Vec3) string {
	return w.add("LINE('',%s,%s)", w.point(origin), w.add("VECTOR('',%s,1.)", w.direction(dir)))
}

// straight writes an edge between two vertices; its line may run against it.
func (w *text) straight(v0, v1 string, p0, p1 geom.Vec3) string {
	against := w.coin()
	dir := p1.Sub(p0)
	if against {
		dir = dir.Neg()
	}
	return w.add("EDGE_CURVE('',%s,%s,%s,%s)", v0, v1, w.line(p0, dir), logical(!against))
}

// corner order of a box: bit 0 is x, bit 1 is y, bit 2 is z.
var boxFaces = []struct {
	normal  geom.Vec3
	corners [4]int // counterclockwise seen from outside
}{
	{geom.Vec3{Z: -1}, [4]int{0, 2, 3, 1}},
	{geom.Vec3{Z: 1}, [4]int{4, 5, 7, 6}},
	{geom.Vec3{Y: -1}, [4]int{0, 1, 5, 4}},
	{geom.Vec3{Y: 1}, [4]int{2, 6, 7, 3}},
	{geom.Vec3{X: -1}, [4]int{0, 4, 6, 2}},
	{geom.Vec3{X: 1}, [4]int{1, 3, 7, 5}},
}

// boxShell writes the six faces of a box; all flags follow w.flip, with the same shape whatever they are.
// inward turns every normal into the box.
func (w *text) boxShell(kind string, min, size geom.Vec3, inward bool) string {
	var points [8]geom.Vec3
	var vertices [8]string
	for i := range points {
		points[i] = min.Add(geom.Vec3{
			X: float64(i&1) * size.X, Y: float64(i>>1&1) * size.Y, Z: float64(i>>2) * size.Z})
		vertices[i] = w.vertex(points[i])
	}
	edges := map[[2]int]string{} // by ends as written
	var faces []string
	for _, bf := range boxFaces {
		corners, normal := bf.corners, bf.normal
		if inward {
			normal = normal.Neg()
			corners = [4]int{corners[3], corners[2], corners[1], corners[0]}
		}
		turned := w.coin() // the loop is written backwards, and its bound says so
		if turned {
			corners = [4]int{corners[3], corners[2], corners[1], corners[0]}
		}
		var uses []string
		for i := range corners {
			a, b := corners[i], corners[(i+1)%4]
			id, ok := edges[[2]int{a, b}]
			forward := ok
			if !ok {
				if id, ok = edges[[2]int{b, a}]; !ok {
					if forward = !w.coin(); forward {
						id = w.straight(vertices[a], vertices[b], points[a], points[b])
						edges[[2]int{a, b}] = id
					} else {
						id = w.straight(vertices[b], vertices[a], points[b], points[a])
						edges[[2]int{b, a}] = id
					}
				}
			}
			uses = append(uses, w.add("ORIENTED_EDGE('',*,*,%s,%s)", id, logical(forward)))
		}
		bound := w.add("FACE_OUTER_BOUND('',%s,%s)", w.add("EDGE_LOOP('',%s)", list(uses...)), logical(!turned))
		against := w.coin() // the plane looks the other way
		planeNormal := normal
		if against {
			planeNormal = normal.Neg()
		}
		plane := w.add("PLANE('',%s)", w.placement(points[bf.corners[0]], planeNormal, geom.Vec3{X: 1, Y: 1, Z: 1}))
		faces = append(faces, w.add("ADVANCED_FACE('',(%s),%s,%s)", bound, plane, logical(!against)))
	}
	return w.add("%s('',%s)", kind, list(faces...))
}

// box writes a solid box.
func (w *text) box(min, size geom.Vec3) string {
	return w.add("MANIFOLD_SOLID_BREP('',%s)", w.boxShell("CLOSED_SHELL", min, size, false))
}

// context writes a representation context in mm and radians.
func (w *text) context() string {
	return w.contextOf(w.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))"),
		w.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))"))
}

func (w *text) contextOf(length, angle string) string {
	unc := w.add("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-4),%s,'','')", length)
	return w.add("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((%s))"+
		"GLOBAL_UNIT_ASSIGNED_CONTEXT((%s,%s))REPRESENTATION_CONTEXT('',''))", unc, length, angle)
}

// product writes a product whose shape is rep, and returns its definition.
func (w *text) product(name, rep string) string {
	p := w.add("PRODUCT('id of %s','%s','',())", name, name)
	d := w.add("PRODUCT_DEFINITION('','',%s,$)", w.add("PRODUCT_DEFINITION_FORMATION('','',%s)", p))
	w.add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", w.add("PRODUCT_DEFINITION_SHAPE('','',%s)", d), rep)
	return d
}

// part writes a product made of items.
func (w *text) part(items ...string) string {
	return w.product("part", w.add("ADVANCED_BREP_SHAPE_REPRESENTATION('',%s,%s)", list(items...), w.context()))
}

// file returns the whole text.
func (w *text) file() string {
	return "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n" + w.b.String() +
		"ENDSEC;\nEND-ISO-10303-21;\n"
}

func readText(text string) (*brep.Model, error) {
	return Read(context.Background(), strings.NewReader(text), int64(len(text)), Options{})
}

func mustRead(t testing.TB, text string) *brep.Model {
	t.Helper()
	m, err := readText(text)
	if err != nil {
		t.Fatalf("Read: %v\n%s", err, text)
	}
	return m
}

// failure returns the code and reason of a failed read.
func failure(t testing.TB, text string) service.Failure {
	t.Helper()
	m, err := readText(text)
	var f *service.Failure
	if !errors.As(err, &f) {
		t.Fatalf("Read gave %v, %v; want a failure\n%s", m, err, text)
	}
	return *f
}

// hasWarning returns the warning with a code.
func hasWarning(m *brep.Model, code string) *brep.Warning {
	for i := range m.Warnings {
		if m.Warnings[i].Code == code {
			return &m.Warnings[i]
		}
	}
	return nil
}

// polyhedron returns the volume (mm³) and centroid of the faces given, all plane with straight edges; it
// reports every way in which the faces and loops contradict each other.
func polyhedron(t testing.TB, m *brep.Model, faces []brep.FaceID) (volume float64, centroid geom.Vec3) {
	t.Helper()
	for _, id := range faces {
		f := &m.Faces[id]
		var area geom.Vec3
		for _, l := range f.Loops {
			coedges := m.Loops[l].Coedges
			p0 := m.Vertices[m.CoedgeStart(coedges[0])].Point
			for i, c := range coedges {
				if m.CoedgeEnd(c) != m.CoedgeStart(coedges[(i+1)%len(coedges)]) {
					t.Errorf("loop of face %d breaks between coedges %d and %d", id, i, i+1)
				}
				p1 := m.Vertices[m.CoedgeStart(c)].Point
				p2 := m.Vertices[m.CoedgeEnd(c)].Point
				v := p0.Dot(p1.Cross(p2)) / 6
				volume += v
				centroid = centroid.AddScaled(v/4, p0.Add(p1).Add(p2))
				area = area.Add(p1.Sub(p0).Cross(p2.Sub(p0)))
			}
		}
		normal := f.Surface.Normal(0, 0)
		if f.Reversed {
			normal = normal.Neg()
		}
		if normal.Dot(area.Unit()) < 0.999 {
			t.Errorf("face %d: normal %v, but its loops turn around %v", id, normal, area.Unit())
		}
	}
	return volume, centroid.Scale(1 / volume)
}

// allFaces lists the faces of a shell.
func allFaces(m *brep.Model) []brep.FaceID {
	ids := make([]brep.FaceID, len(m.Faces))
	for i := range ids {
		ids[i] = brep.FaceID(i)
	}
	return ids
}

// checkEdges reports edges whose curve misses their vertices, and edges of solids not used once each way.
func checkEdges(t testing.TB, m *brep.Model) {
	t.Helper()
	for i, e := range m.Edges {
		if e.Curve != nil {
			tol := max(e.Tolerance, m.Tolerance.Length)
			a, b := e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)
			if d := a.Dist(m.Vertices[e.Start].Point); d > tol*1.0001+1e-9 {
				t.Errorf("edge %d starts %g mm from its vertex (tolerance %g)", i, d, tol)
			}
			if d := b.Dist(m.Vertices[e.End].Point); d > tol*1.0001+1e-9 {
				t.Errorf("edge %d ends %g mm from its vertex (tolerance %g)", i, d, tol)
			}
			if !(e.Range.Hi > e.Range.Lo) {
				t.Errorf("edge %d has the range %v", i, e.Range)
			}
		}
		if len(e.Coedges) == 0 || m.IsSheet(m.FaceOf(e.Coedges[0])) {
			continue
		}
		if len(e.Coedges) != 2 || m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed {
			t.Errorf("edge %d of a solid is used by %v", i, e.Coedges)
		}
	}
}

// scopeOf reads a text as it stands and returns the scope to read geometry in, mm and radians, and the
// instance named.
func scopeOf(t testing.TB, w *text, id string) (*scope, part21.Ref) {
	t.Helper()
	text := w.file()
	f, err := part21.Read(context.Background(), strings.NewReader(text), int64(len(text)), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	var n int64
	fmt.Sscanf(id, "#%d", &n)
	r, ok := f.Find(n)
	if !ok {
		t.Fatalf("%s is not in the text", id)
	}
	return &scope{&document{file: f, contexts: map[part21.Ref]units{}}, defaultUnits}, r
}
