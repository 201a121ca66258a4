package heal

import (
	"context"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestFlippedBodyIsRestored negates the senses of all faces of a body. A sphere looks the same when
// its inside and outside are exchanged, and a cone has one face only that can be judged where its seam
// reaches the apex.
func TestFlippedBodyIsRestored(t *testing.T) {
	for name, sound := range soundModels(t) {
		if strings.Contains(name, "sphere") || strings.HasPrefix(name, "cone") {
			continue
		}
		m := clone(sound)
		for i := range m.Faces {
			m.Faces[i].Reversed = !m.Faces[i].Reversed
		}
		if err := Model(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		for i := range m.Faces {
			if m.Faces[i].Reversed != sound.Faces[i].Reversed {
				t.Errorf("%s: face %d (%v) is still turned", name, i, m.Faces[i].Surface.Kind())
			}
		}
		if len(m.Warnings) != 1 || m.Warnings[0].Code != FlippedFace || m.Warnings[0].Count != len(m.Faces) {
			t.Errorf("%s: warnings %v, want %d of %s", name, m.Warnings, len(m.Faces), FlippedFace)
		}
	}
}

// TestEachFlippedFaceIsRestored negates the sense of one face at a time.
func TestEachFlippedFaceIsRestored(t *testing.T) {
	for name, sound := range soundModels(t) {
		for i := range sound.Faces {
			surf := sound.Faces[i].Surface
			if poles := len(surf.Singularities()); poles > 0 && strings.HasPrefix(name, "cone") || poles > 1 {
				continue
			}
			if u, v := surf.Periods(); u > 0 && v > 0 {
				continue
			}
			m := clone(sound)
			m.Faces[i].Reversed = !m.Faces[i].Reversed
			if err := Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			if m.Faces[i].Reversed != sound.Faces[i].Reversed || len(m.Warnings) != 1 || m.Warnings[0].Count != 1 {
				t.Errorf("%s: face %d (%v): turned back %v, warnings %v", name, i, surf.Kind(),
					m.Faces[i].Reversed == sound.Faces[i].Reversed, m.Warnings)
			}
		}
	}
}

// TestSeamDeterminesSense: zones of a sphere and of a torus with a seam, which lies inside of its face.
func TestSeamDeterminesSense(t *testing.T) {
	at := func(x, y, bulge float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}, Bulge: bulge} }
	arc := build.Bulge(2 * math.Atan2(3, 4))
	for name, profile := range map[string][]build.Corner{
		"sphere": {at(0, -3, 0), at(4, -3, arc), at(4, 3, 0), at(0, 3, 0)},
		"torus":  {at(8, -3, 0), at(12, -3, arc), at(12, 3, 0), at(8, 3, 0)},
		"groove": {at(8, -3, 0), at(12, -3, -arc), at(12, 3, 0), at(8, 3, 0)},
	} {
		m := build.Revolve(name, geom.World, profile, build.Style{Seams: build.SeamEdge})
		for i := range m.Faces {
			got := clone(m)
			got.Faces[i].Reversed = !got.Faces[i].Reversed
			if err := Model(context.Background(), got); err != nil {
				t.Fatal(err)
			}
			if got.Faces[i].Reversed != m.Faces[i].Reversed {
				t.Errorf("zone of a %s: face %d (%v) is still turned", name, i, m.Faces[i].Surface.Kind())
			}
		}
	}
}

// TestWholeTorusIsNotJudged checks the loop along both seams of a torus, which may have either direction, also with a
// hole in the face.
func TestWholeTorusIsNotJudged(t *testing.T) {
	for form := build.TorusWhole; form < build.TorusForms; form++ {
		m := build.Torus(10, 3, form)
		hole := geom.Frame{Origin: geom.Vec3{Y: 13}, X: geom.Vec3{X: 1}, Y: geom.Vec3{Z: 1}, Z: geom.Vec3{Y: -1}}
		c := curve.Circle{Frame: hole, Radius: 0.5}
		v, e := brep.VertexID(len(m.Vertices)), brep.EdgeID(len(m.Edges))
		l, use := brep.LoopID(len(m.Loops)), brep.CoedgeID(len(m.Coedges))
		m.Vertices = append(m.Vertices, brep.Vertex{Point: c.At(0)})
		m.Edges = append(m.Edges, brep.Edge{Curve: c, Range: c.Domain(), Start: v, End: v})
		m.Coedges = append(m.Coedges, brep.Coedge{Edge: e, Loop: l})
		m.Loops = append(m.Loops, brep.Loop{Face: 0, Vertex: brep.None, Coedges: []brep.CoedgeID{use}})
		m.Faces[0].Loops = append(m.Faces[0].Loops, l)
		m.Link()
		if got := judge(m, 0, make([]float64, len(m.Coedges))); got != unjudged {
			t.Errorf("form %d: the torus with a hole is judged %v", form, got)
		}
	}
}

// TestThreadKeepsItsSense checks a strip that winds around a cylinder. It has so many turns that the segments of its
// edges do not show their direction. It keeps its sense for any number of turns.
func TestThreadKeepsItsSense(t *testing.T) {
	const pitch, width, perTurn = 1.0, 0.4, 24
	for turns := 2; turns <= 60; turns++ {
		helix := func(z float64) curve.Curve {
			points := make([]geom.Vec3, turns*perTurn+1)
			for i := range points {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / perTurn)
				points[i] = geom.Vec3{X: 5 * cos, Y: 5 * sin, Z: z + pitch*float64(i)/perTurn}
			}
			c, err := curve.NewPolyline(points)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		m := &brep.Model{
			Loops: []brep.Loop{{Vertex: brep.None, Coedges: []brep.CoedgeID{0, 1, 2, 3}}},
			Faces: []brep.Face{{Surface: surface.Cylinder{Frame: geom.World, Radius: 5}, Shell: brep.None,
				Loops: []brep.LoopID{0}}},
		}
		low, high := helix(0), helix(width)
		for _, c := range []curve.Curve{low, high} {
			for _, at := range []float64{c.Domain().Lo, c.Domain().Hi} {
				m.Vertices = append(m.Vertices, brep.Vertex{Point: c.At(at)})
			}
		}
		up := func(from, to brep.VertexID) brep.Edge {
			p := m.Vertices[from].Point
			return brep.Edge{Curve: curve.Line{Origin: p, Dir: geom.Vec3{Z: 1}}, Range: geom.Interval{Hi: width},
				Start: from, End: to}
		}
		m.Edges = []brep.Edge{{Curve: low, Range: low.Domain(), Start: 0, End: 1}, up(1, 3),
			{Curve: high, Range: high.Domain(), Start: 2, End: 3}, up(0, 2)}
		for e := range m.Edges {
			m.Coedges = append(m.Coedges, brep.Coedge{Edge: brep.EdgeID(e), Reversed: e >= 2})
		}
		m.Link()
		if got := judge(m, 0, make([]float64, len(m.Coedges))); got == contradicted {
			t.Errorf("a thread of %d turns is taken for turned", turns)
		}
	}
}
