package heal

import (
	"context"
	"math"
	"strings"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// TestTurnedBodyIsTurnedBack negates the senses of all faces of a body. A sphere looks the same when
// its inside and outside are exchanged, and a cone has one face only that can be judged where its seam
// reaches the apex.
func TestTurnedBodyIsTurnedBack(t *testing.T) {
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
		if len(m.Warnings) != 1 || m.Warnings[0].Code != TurnedFace || m.Warnings[0].Count != len(m.Faces) {
			t.Errorf("%s: warnings %v, want %d of %s", name, m.Warnings, len(m.Faces), TurnedFace)
		}
	}
}

// TestEachTurnedFaceIsTurnedBack negates the sense of one face at a time.
func TestEachTurnedFaceIsTurnedBack(t *testing.T) {
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

// TestSeamTellsTheSense: zones of a sphere and of a torus with a seam, which lies inside of its face.
func TestSeamTellsTheSense(t *testing.T) {
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

// TestWholeTorusIsNotJudged: the loop along both seams of a torus may run around either way, also where the
// face has a hole.
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
