package brep

import (
	"math"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// disc is a sheet: a plane face bounded by a full circle of radius 2 about the origin. One more line edge, used by no
// loop, shows a range that changes with scale. Normal +z.
func disc() *Model {
	m := &Model{
		Shells:   []Shell{{Solid: None, Faces: []FaceID{0}}},
		Faces:    []Face{{Surface: surface.Plane{Frame: geom.World}, Loops: []LoopID{0}, Name: "top"}},
		Loops:    []Loop{{Coedges: []CoedgeID{0}, Vertex: None}},
		Coedges:  []Coedge{{Edge: 0}},
		Vertices: []Vertex{{Point: geom.Vec3{X: 2}, Tolerance: 0.1}, {Point: geom.Vec3{X: 5}}},
		Edges: []Edge{
			{Curve: curve.Circle{Frame: geom.World, Radius: 2}, Range: geom.Interval{Hi: 6}, Tolerance: 0.01},
			{Curve: curve.Line{Dir: geom.Vec3{X: 1}}, Range: geom.Interval{Lo: 2, Hi: 5}, Start: 0, End: 1},
		},
	}
	m.Link()
	return m
}

func TestAppendShiftsEveryReference(t *testing.T) {
	m := disc()
	m.Append(disc(), geom.Identity)
	want := *m
	want.Link()
	if !reflect.DeepEqual(*m, want) {
		t.Errorf("back references after Append differ from those of Link")
	}
	if got := m.Faces[1]; got.Shell != 1 || got.Loops[0] != 1 || got.Origin != 1 || got.Name != "top" {
		t.Errorf("second face = %+v", got)
	}
	if e := m.Edges[3]; e.Start != 2 || e.End != 3 || m.Edges[2].Coedges[0] != 1 {
		t.Errorf("second line edge = %+v", e)
	}
	if m.Loops[1].Coedges[0] != 1 || m.Coedges[1].Edge != 2 || m.Coedges[1].Loop != 1 {
		t.Errorf("second loop = %+v, coedge %+v", m.Loops[1], m.Coedges[1])
	}
}

// TestAppendTakesTheLargerSag: a model is as far off as the worst of its parts.
func TestAppendTakesTheLargerSag(t *testing.T) {
	twice := geom.Transform{X: geom.Vec3{X: 2}, Y: geom.Vec3{Y: 2}, Z: geom.Vec3{Z: 2}}
	for _, c := range []struct{ a, b, want float64 }{
		{0, 0, 0}, {0.2, 0, 0.2}, {0, 0.2, 0.4}, {0.1, math.Inf(1), math.Inf(1)}, {math.Inf(1), 0, math.Inf(1)},
	} {
		m, src := disc(), disc()
		m.Sag, src.Sag = c.a, c.b
		if m.Append(src, twice); m.Sag != c.want {
			t.Errorf("%g mm and twice %g mm make %g, want %g", c.a, c.b, m.Sag, c.want)
		}
	}
}

// TestGrow checks that a model with enough capacity is not moved.
func TestGrow(t *testing.T) {
	src := disc()
	m := disc()
	m.Grow(src.EntityCounts().Plus(src.EntityCounts()))
	before := [...]any{&m.Shells[0], &m.Faces[0], &m.Loops[0], &m.Coedges[0], &m.Edges[0], &m.Vertices[0]}
	m.Append(src, geom.Identity)
	m.Append(src, geom.Identity)
	after := [...]any{&m.Shells[0], &m.Faces[0], &m.Loops[0], &m.Coedges[0], &m.Edges[0], &m.Vertices[0]}
	if before != after {
		t.Error("appending moved entities although there was room")
	}
	once := disc().EntityCounts()
	if got, want := m.EntityCounts(), once.Plus(once).Plus(once); got != want {
		t.Errorf("size %+v, want %+v", got, want)
	}
	m.Loops[1].Coedges = append(m.Loops[1].Coedges, 7)
	if got := m.Loops[2].Coedges[0]; got != 2 {
		t.Errorf("adding to one loop's coedges changed the next: %d", got)
	}
}

func TestAppendDoesNotTouchTheSource(t *testing.T) {
	src := disc()
	m := &Model{}
	m.Append(src, geom.Transform{X: geom.Vec3{X: -2}, Y: geom.Vec3{Y: 2}, Z: geom.Vec3{Z: 2}})
	if !reflect.DeepEqual(src, disc()) {
		t.Errorf("Append changed its source")
	}
}

func TestAppendMirroredAndScaled(t *testing.T) {
	mirror := geom.Transform{X: geom.Vec3{X: -2}, Y: geom.Vec3{Y: 2}, Z: geom.Vec3{Z: 2}, T: geom.Vec3{Z: 1}}
	src := disc()
	src.Loops[0].Coedges = []CoedgeID{0, 1}
	src.Coedges = append(src.Coedges, Coedge{Edge: 1, Reversed: true})
	src.Link()
	m := &Model{}
	m.Append(src, mirror)
	f := m.Faces[0]
	n := f.Surface.Normal(0, 0)
	if f.Reversed {
		n = n.Neg()
	}
	if n.Dist(geom.Vec3{Z: 1}) > 1e-12 {
		t.Errorf("normal after mirroring in x = %v, want +z", n)
	}
	if !reflect.DeepEqual(m.Loops[0].Coedges, []CoedgeID{1, 0}) ||
		!m.Coedges[0].Reversed || m.Coedges[1].Reversed {
		t.Errorf("loop %v, coedges %+v; want the loop turned around", m.Loops[0].Coedges, m.Coedges)
	}
	if got := m.Vertices[0]; got.Point != (geom.Vec3{X: -4, Z: 1}) || got.Tolerance != 0.2 {
		t.Errorf("vertex = %+v", got)
	}
	for i, e := range m.Edges[1:] {
		a, b := e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)
		if a.Dist(m.Vertices[e.Start].Point) > 1e-12 || b.Dist(m.Vertices[e.End].Point) > 1e-12 {
			t.Errorf("edge %d runs from %v to %v, its vertices are %+v", i+1, a, b, m.Vertices)
		}
	}
	if m.Edges[0].Tolerance != 0.02 {
		t.Errorf("edge tolerance = %g, want 0.02", m.Edges[0].Tolerance)
	}
}

func TestAppendKeepsSolidsAndSheetsApart(t *testing.T) {
	src := disc()
	src.Solids = []Solid{{Name: "s", Shells: []ShellID{0}}}
	src.Link()
	m := disc()
	m.Append(src, geom.Translation(geom.Vec3{X: 9}))
	if !m.IsSheet(0) || m.IsSheet(1) || m.Solids[0].Shells[0] != 1 {
		t.Errorf("sheet %v, %v; solid %+v", m.IsSheet(0), m.IsSheet(1), m.Solids[0])
	}
}
