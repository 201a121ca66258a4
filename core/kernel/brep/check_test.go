package brep_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func TestSoundModelsHaveNoProblems(t *testing.T) {
	for _, s := range build.Styles() {
		through := build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)}
		blind := build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Blind(6, 5, 2)}
		for _, row := range []struct {
			name  string
			m     *brep.Model
			genus int
		}{
			{"box", build.Box(geom.Vec3{X: 1, Y: 1, Z: 1}), 0},
			{"cylinder", build.Cylinder(1, 2, s), 0},
			{"cone", build.Frustum(1, 0, 2, s), 0},
			{"tube", build.Tube(1, 2, 2, s), 1},
			{"sphere", build.Sphere(1, s), 0},
			{"hemispheres", build.Hemispheres(1, s), 0},
			{"plate", build.Plate(geom.Vec3{X: 40, Y: 20, Z: 10}, s, blind), 0},
			{"plate with a hole", build.Plate(geom.Vec3{X: 40, Y: 20, Z: 10}, s, through, blind), 1},
		} {
			expectGenus(t, fmt.Sprintf("%s seams %d poles %d", row.name, s.Seams, s.Poles), row.m, row.genus)
		}
	}
	for form := range build.TorusForms {
		expectGenus(t, fmt.Sprintf("torus %d", form), build.Torus(3, 1, form), 1)
	}
}

func expectGenus(t *testing.T, name string, m *brep.Model, genus int) {
	t.Helper()
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s: %s", name, p.Code, p.Message)
	}
	if e := brep.EulerOf(m, 0); !e.Valid() || e.Genus() != genus || e.Components != 1 {
		t.Errorf("%s: %+v has genus %d, want %d", name, e, e.Genus(), genus)
	}
}

// drilledTorus is a torus whose face has a round opening, closed by a dome: still one handle.
func drilledTorus(reversed bool) *brep.Model {
	b := build.New("drilled torus")
	tor := surface.Torus{Frame: geom.World, Major: 5, Minor: 2}
	// The opening is the intersection of a cylinder about x of radius 0.5 with the outside of the tube. A polyline
	// approximates it; the topology needs no more.
	var points []geom.Vec3
	for k := range 25 {
		s, c := math.Sincos(2 * math.Pi * float64(k%24) / 24)
		points = append(points, tor.At(0.1*c, 0.25*s))
	}
	line, err := curve.NewPolyline(points)
	if err != nil {
		panic(err)
	}
	iv := line.Domain()
	v := b.Vertex(points[0])
	e := b.Edge(line, iv.Lo, iv.Hi, v, v)
	use, other := build.Rev(e), build.Fwd(e)
	if reversed {
		use, other = other, use
	}
	b.Face(tor, reversed, build.Chain(use))
	b.Face(surface.Torus{Frame: geom.World, Major: 5, Minor: 2}, reversed, build.Chain(other))
	b.Solid()
	return b.Model()
}

func TestGenusOfAFaceThatCoversATorus(t *testing.T) {
	expectGenus(t, "drilled torus", drilledTorus(false), 1)
	expectGenus(t, "drilled torus inside out", drilledTorus(true), 1)
}

func TestProblems(t *testing.T) {
	box := func(change func(m *brep.Model)) *brep.Model {
		m := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
		m.Edges[2].Source, m.Faces[1].Source, m.Vertices[4].Source = 1042, 1007, 1099
		change(m)
		return m
	}
	for _, row := range []struct {
		name string
		m    *brep.Model
		code string
		says string
	}{
		{"missing face", box(func(m *brep.Model) {
			m.Shells[0].Faces = m.Shells[0].Faces[:5]
			m.Link()
		}), brep.FreeEdge, "only"},
		{"turned face", box(func(m *brep.Model) {
			l := &m.Loops[m.Faces[1].Loops[0]]
			for i, j := 0, len(l.Coedges)-1; i < j; i, j = i+1, j-1 {
				l.Coedges[i], l.Coedges[j] = l.Coedges[j], l.Coedges[i]
			}
			for _, c := range l.Coedges {
				m.Coedges[c].Reversed = !m.Coedges[c].Reversed
			}
		}), brep.InconsistentSense, "#1007"},
		{"edge used three times", box(func(m *brep.Model) {
			m.Coedges[m.Loops[0].Coedges[1]].Edge = m.Coedges[m.Loops[0].Coedges[0]].Edge
			m.Link()
		}), brep.NonManifoldEdge, "bounds 3 faces"},
		{"vertex off its edges", box(func(m *brep.Model) { m.Vertices[4].Point.X += 0.5 }),
			brep.VertexOffEdge, "0.5 mm from vertex #1099"},
		{"vertex not a number", box(func(m *brep.Model) { m.Vertices[4].Point.X = math.NaN() }),
			brep.BadReference, "not finite"},
		{"loop out of order", box(func(m *brep.Model) {
			c := m.Loops[0].Coedges
			c[1], c[2] = c[2], c[1]
		}), brep.OpenLoop, "gap"},
		{"no surface", box(func(m *brep.Model) { m.Faces[3].Surface = nil }), brep.BadReference, "Face 3"},
		{"edge out of range", box(func(m *brep.Model) { m.Coedges[3].Edge = 99 }), brep.BadReference, "Coedge 3"},
		{"empty range", box(func(m *brep.Model) { m.Edges[5].Range = geom.Interval{} }),
			brep.BadReference, "Edge 5"},
		{"two boxes in one shell", func() *brep.Model {
			m := box(func(*brep.Model) {})
			m.Append(build.Box(geom.Vec3{X: 1, Y: 1, Z: 1}), geom.Translation(geom.Vec3{X: 9}))
			m.Shells[0].Faces = append(m.Shells[0].Faces, m.Shells[1].Faces...)
			m.Shells, m.Solids = m.Shells[:1], m.Solids[:1]
			m.Link()
			return m
		}(), brep.BadTopology, "2 pieces"},
		{"two vertices made one", box(func(m *brep.Model) {
			m.Tolerance.Length = 10
			for i := range m.Edges {
				for _, v := range []*brep.VertexID{&m.Edges[i].Start, &m.Edges[i].End} {
					if *v == 6 {
						*v = 0
					}
				}
			}
		}), brep.BadTopology, "cannot close"},
	} {
		found := brep.Check(row.m)
		ok := false
		for _, p := range found {
			ok = ok || p.Code == row.code && strings.Contains(p.Message, row.says)
		}
		if !ok {
			t.Errorf("%s: found %+v, want %s saying %q", row.name, found, row.code, row.says)
		}
	}
}

func TestMovedModelsStaySound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		styles := build.Styles()
		s := styles[rapid.IntRange(0, len(styles)-1).Draw(t, "style")]
		src := build.Plate(geom.Vec3{X: 40, Y: 20, Z: 10}, s,
			build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Blind(6, 5, 2)})
		part := func(name string) float64 { return rapid.Float64Range(-2, 2).Draw(t, name) }
		axis := geom.Vec3{X: 1, Y: part("y"), Z: part("z")}
		move := geom.Rotation(axis, rapid.Float64Range(-4, 4).Draw(t, "angle"))
		move = geom.Scaling(rapid.Float64Range(0.1, 30).Draw(t, "scale")).Mul(move)
		if rapid.Bool().Draw(t, "mirror") {
			move.X = move.X.Neg()
		}
		move.T = geom.Vec3{X: rapid.Float64Range(-500, 500).Draw(t, "move")}
		m := &brep.Model{Tolerance: geom.Tolerance{Length: 1e-9, Angle: 1e-9}}
		m.Append(src, move)
		for _, p := range brep.Check(m) {
			t.Fatalf("%s: %s", p.Code, p.Message)
		}
	})
}
