package heal

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// soundModels are exact solids in all the forms in which systems write seams and poles.
func soundModels(t testing.TB) map[string]*brep.Model {
	t.Helper()
	models, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// clone copies a model, so that the original can be compared with the healed copy.
func clone(m *brep.Model) *brep.Model {
	out := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	out.Append(m, geom.Identity)
	return out
}

func TestSoundModelsStayUnchanged(t *testing.T) {
	for name, m := range soundModels(t) {
		got := clone(m)
		if err := Model(context.Background(), got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(got, clone(m)) {
			t.Errorf("%s was changed: %v", name, got.Warnings)
		}
	}
}

// TestFlippedFacesAreRestored negates the senses of some faces that can be judged.
func TestFlippedFacesAreRestored(t *testing.T) {
	models := soundModels(t)
	for _, name := range []string{"box", "rounded prism", "free-form box", "thin plate"} {
		sound := models[name]
		rapid.Check(t, func(rt *rapid.T) {
			m := clone(sound)
			count, first := 0, int64(-1)
			for i := range m.Faces {
				f := &m.Faces[i]
				f.Source = int64(100 + i)
				u, v := f.Surface.Periods()
				if u == 0 && v == 0 && rapid.Bool().Draw(rt, "turn") {
					f.Reversed = !f.Reversed
					if count++; first < 0 {
						first = f.Source
					}
				}
			}
			if err := Model(context.Background(), m); err != nil {
				rt.Fatal(err)
			}
			for i := range m.Faces {
				if m.Faces[i].Reversed != sound.Faces[i].Reversed {
					rt.Errorf("%s: face %d is still turned", name, i)
				}
			}
			if count == 0 {
				return
			}
			w := m.Warnings[0]
			want := fmt.Sprintf("The sense of face #%d contradicted its edges and was negated.", first)
			if w.Code != FlippedFace || w.Count != count || w.Message != want {
				rt.Errorf("%s: warning %+v, want %d of %q", name, w, count, want)
			}
		})
	}
}

// touchingBoxes are two unit boxes, as one shell, that share the edge at x = y = 1.
func touchingBoxes() *brep.Model {
	box := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	bounds := geom.EmptyBox()
	for _, v := range box.Vertices {
		bounds = bounds.Add(v.Point)
	}
	size := bounds.Size()
	return touching(box, box, geom.Vec3{X: size.X, Y: size.Y})
}

// touching is a and b, moved, as one shell with their common edges merged.
func touching(a, b *brep.Model, move geom.Vec3) *brep.Model {
	m := clone(a)
	m.Append(b, geom.Translation(move))
	for i := range m.Edges { // merge coincident entities
		for j := range i {
			a, b := &m.Edges[i], &m.Edges[j]
			if a.Curve.At(a.Range.Mid()).Dist(b.Curve.At(b.Range.Mid())) > geom.Resolution {
				continue // the two halves of a circle
			}
			if samePoint(m, a.Start, b.Start) && samePoint(m, a.End, b.End) {
				merge(m, brep.EdgeID(j), brep.EdgeID(i), false)
			} else if samePoint(m, a.Start, b.End) && samePoint(m, a.End, b.Start) {
				merge(m, brep.EdgeID(j), brep.EdgeID(i), true)
			}
		}
	}
	m.Shells[0].Faces = append(m.Shells[0].Faces, m.Shells[1].Faces...)
	m.Shells, m.Solids = m.Shells[:1], m.Solids[:1]
	m.Link()
	return m
}

func samePoint(m *brep.Model, a, b brep.VertexID) bool {
	return m.Vertices[a].Point.Dist(m.Vertices[b].Point) < 1e-9
}

// merge makes every use of edge b one of edge a, and their ends the same.
func merge(m *brep.Model, a, b brep.EdgeID, against bool) {
	for i := range m.Coedges {
		if c := &m.Coedges[i]; c.Edge == b {
			c.Edge, c.Reversed = a, c.Reversed != against
		}
	}
	from, to := m.Edges[b], m.Edges[a]
	if against {
		to.Start, to.End = to.End, to.Start
	}
	for i := range m.Edges {
		move(&m.Edges[i], from.Start, to.Start)
		move(&m.Edges[i], from.End, to.End)
	}
}

func TestTouchingEdgesAreSplit(t *testing.T) {
	m := touchingBoxes()
	worst := 0
	for _, e := range m.Edges {
		worst = max(worst, len(e.Coedges))
	}
	if worst != 4 {
		t.Fatalf("the test part has no edge with four faces (most: %d)", worst)
	}
	if err := Model(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) != 1 || m.Warnings[0].Code != SplitNonManifoldEdge || m.Warnings[0].Count != 1 {
		t.Errorf("warnings %v", m.Warnings)
	}
	vertices := map[brep.VertexID]brep.FaceID{} // by vertex: a face of the box it belongs to
	for i, e := range m.Edges {
		if len(e.Coedges) == 0 {
			continue // merged away by the test
		}
		if len(e.Coedges) != 2 || m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed {
			t.Errorf("edge %d is used by %v", i, e.Coedges)
			continue
		}
		a, b := m.FaceOf(e.Coedges[0]), m.FaceOf(e.Coedges[1])
		if (a < 6) != (b < 6) {
			t.Errorf("edge %d joins faces %d and %d of different boxes", i, a, b)
		}
		for _, v := range []brep.VertexID{e.Start, e.End} {
			if f, ok := vertices[v]; ok && (f < 6) != (a < 6) {
				t.Errorf("vertex %d is used by both boxes", v)
			}
			vertices[v] = a
		}
	}
	if len(vertices) != 16 {
		t.Errorf("%d vertices in use, want 16", len(vertices))
	}
	m.Link()
	before := clone(m)
	if err := Model(context.Background(), m); err != nil || len(m.Warnings) != 1 {
		t.Errorf("healing again: %v, warnings %v", err, m.Warnings)
	}
	m.Warnings = nil
	if after := clone(m); !reflect.DeepEqual(after, before) {
		t.Error("healing again changed the model")
	}
}

// TestTangentialTouch: the halves of two cylinders side by side all leave their common line in one of two
// directions; which belong together shows in how they bend.
func TestTangentialTouch(t *testing.T) {
	halves := build.Style{Seams: build.HalfFaces}
	for _, tc := range []struct {
		name         string
		first, other float64 // radii
		distance     float64
	}{
		{"equal", 3, 3, 6},
		{"a thin one beside a thick one", 30, 0.5, 30.5},
		{"a thick one beside a thin one", 0.5, 30, 30.5},
	} {
		a, b := build.Cylinder(tc.first, 5, halves), build.Cylinder(tc.other, 5, halves)
		faces := brep.FaceID(len(a.Faces))
		m := touching(a, b, geom.Vec3{X: tc.distance})
		if err := Model(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		if len(m.Warnings) != 1 || m.Warnings[0].Code != SplitNonManifoldEdge {
			t.Errorf("%s: warnings %v", tc.name, m.Warnings)
		}
		for i, e := range m.Edges {
			if len(e.Coedges) == 0 {
				continue // merged away by the test
			}
			if len(e.Coedges) != 2 || (m.FaceOf(e.Coedges[0]) < faces) != (m.FaceOf(e.Coedges[1]) < faces) {
				t.Errorf("%s: edge %d is used by %v", tc.name, i, e.Coedges)
			}
		}
	}
}

func TestBrackets(t *testing.T) {
	for _, tc := range []struct {
		name string
		uses string // ( begins and ) ends material, going around
		want string // the place of the partner of each, - for unpaired
	}{
		{"alternating", "()()", "1032"},
		{"starting inside", ")()(", "3210"},
		{"overlapping bodies", "(())", "3210"},
		{"overlapping around the start", "))((", "3210"},
		{"one too many", "(()", "---"},
		{"all one way", "((((", "----"},
	} {
		uses := make([]use, len(tc.uses))
		for i, r := range tc.uses {
			uses[i] = use{coedge: brep.CoedgeID(i), begins: r == '('}
		}
		got := []byte(strings.Repeat("-", len(uses)))
		for _, p := range brackets(uses) {
			if !uses[p[0]].begins || uses[p[1]].begins {
				t.Errorf("%s: pair %v is no bracket", tc.name, p)
			}
			got[p[0]], got[p[1]] = '0'+byte(p[1]), '0'+byte(p[0])
		}
		if string(got) != tc.want {
			t.Errorf("%s: %s paired as %s, want %s", tc.name, tc.uses, got, tc.want)
		}
	}
}

// TestUnpairedEdgesStayUnchanged flips one of four faces.
func TestUnpairedEdgesStayUnchanged(t *testing.T) {
	m := touchingBoxes()
	for i, e := range m.Edges {
		if len(e.Coedges) == 4 {
			for _, c := range e.Coedges {
				m.Coedges[c].Reversed = true
			}
			if pairs := wedges(m, brep.EdgeID(i)); pairs != nil {
				t.Errorf("pairs %v of uses that all run one way", pairs)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Model(ctx, build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
