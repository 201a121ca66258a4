package salvage

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

var errLost = errors.New("it is not there")

// parts returns the models to damage: planes, cylinders, cones, spheres and tori in the styles of several writers.
func parts() map[string]*brep.Model {
	all := map[string]*brep.Model{
		"box":     build.Box(geom.Vec3{X: 1, Y: 2, Z: 3}),
		"rounded": build.Prism("", build.Rounded(20, 10, 2), 5, build.Style{}),
		"torus":   build.Torus(5, 2, 0),
	}
	for _, seams := range []build.Seams{build.SeamEdge, build.HalfFaces, build.Rings} {
		style := build.Style{Seams: seams}
		all[fmt.Sprint("frustum ", seams)] = build.Frustum(3, 1, 5, style)
		all[fmt.Sprint("plate ", seams)] = build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, style,
			build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
			build.Hole{Center: geom.Vec2{X: 25, Y: 20},
				Profile: []geom.Vec2{{X: 5}, {X: 5, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 10}}})
	}
	return all
}

// partialModelOf is a partial model without unknown entities.
func partialModelOf(m *brep.Model) (*PartialModel, *[]string) {
	said := &[]string{}
	copied := &brep.Model{Tolerance: m.Tolerance}
	copied.Append(m, geom.Identity)
	open := map[brep.FaceID]bool{}
	w := &PartialModel{Model: copied, Tolerance: 1e-6, Points: map[brep.VertexID]error{},
		Edges: make([]error, len(m.Edges)),
		Faces: make([]error, len(m.Faces)), IsOpen: func(f brep.FaceID) bool { return open[f] },
		Curve: func(e brep.EdgeID) curve.Curve { return m.Edges[e].Curve },
		Fit:   func(brep.EdgeID) error { return nil },
		Spare: func() []surface.Surface { return nil },
		Warn:  func(w fault.Warning) { *said = append(*said, w.Code+" "+w.Message) }}
	for f := range copied.Faces {
		if len(copied.Faces[f].Loops) == 0 {
			open[brep.FaceID(f)] = true
		}
	}
	return w, said
}

func (w *PartialModel) mend() {
	w.RepairPoints()
	w.RepairEdges()
	w.RepairBounds()
	w.RepairSurfaces()
}

// TestEdges removes the curve of each edge in turn.
func TestEdges(t *testing.T) {
	for name, part := range parts() {
		for i := range part.Edges {
			if part.Edges[i].Curve == nil {
				continue
			}
			w, said := partialModelOf(part)
			w.Model.Edges[i].Curve, w.Edges[i] = nil, errLost
			w.mend()
			check(t, fmt.Sprintf("%s without the curve of edge %d", name, i), part, w, *said, MadeEdge)
		}
	}
}

// TestPoints removes the point of each vertex in turn, and the ranges of its edges.
func TestPoints(t *testing.T) {
	for name, part := range parts() {
		if strings.Contains(name, "torus") || strings.HasSuffix(name, "2") {
			continue // the vertex of a closed circle is arbitrary
		}
		for v := range part.Vertices {
			w, said := partialModelOf(part)
			w.Vertices[v].Point = geom.Vec3{}
			w.Points[brep.VertexID(v)] = errLost
			for i, e := range part.Edges {
				if e.Start == brep.VertexID(v) || e.End == brep.VertexID(v) {
					w.Edges[i] = errLost
				}
			}
			w.mend()
			name := fmt.Sprintf("%s without vertex %d", name, v)
			if d := w.Vertices[v].Point.Dist(part.Vertices[v].Point); d > 1e-9 {
				t.Errorf("%s: put %g mm off", name, d)
			}
			check(t, name, part, w, *said, MadeVertex)
		}
	}
}

// TestBounds removes the loops of each face, and then also its surface, which is among the spare surfaces.
func TestBounds(t *testing.T) {
	for name, part := range parts() {
		for f := range part.Faces {
			if isSlit(part, f) || len(part.Faces[f].Loops) == 0 {
				continue // a loop of the neighbors' free edges has no seam
			}
			for _, spare := range []bool{false, true} {
				w, said := partialModelOf(part)
				face := &w.Model.Faces[f]
				face.Loops, w.Faces[f] = nil, errLost
				w.IsOpen = func(brep.FaceID) bool { return true }
				if spare {
					w.Spare = func() []surface.Surface {
						return []surface.Surface{surface.Plane{Frame: geom.NewFrame(geom.Vec3{X: 77}, geom.World.X,
							geom.World.Y)},
							part.Faces[f].Surface}
					}
					face.Surface, face.Reversed = nil, false
				}
				w.mend()
				check(t, fmt.Sprintf("%s without the loops of face %d (spare %v)", name, f, spare), part, w,
					*said, MadeBound)
			}
		}
	}
}

// isSlit reports whether a face has an edge twice.
func isSlit(m *brep.Model, f int) bool {
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			if e := m.Edges[m.Coedges[c].Edge]; len(e.Coedges) == 2 &&
				m.FaceOf(e.Coedges[0]) == m.FaceOf(e.Coedges[1]) {
				return true
			}
		}
	}
	return false
}

// TestSurfaces removes the surface of each face. Two circles alone fit many surfaces; their face must stay unknown.
func TestSurfaces(t *testing.T) {
	for name, part := range parts() {
		for f := range part.Faces {
			w, said := partialModelOf(part)
			face := &w.Model.Faces[f]
			if len(face.Loops) == 0 {
				continue
			}
			_, isFlat := face.Surface.(surface.Plane)
			face.Surface, face.Reversed, w.Faces[f] = nil, false, errLost
			w.mend()
			name := fmt.Sprintf("%s without the surface of face %d", name, f)
			if strings.HasSuffix(name[:strings.Index(name, " without")], "2") && !isFlat ||
				strings.HasPrefix(name, "torus") {
				if w.Faces[f] == nil {
					t.Errorf("%s: made %v of two rings", name, face.Surface)
				}
				continue
			}
			check(t, name, part, w, *said, MadeSurface)
		}
	}
}

// check compares the reconstruction with the part.
func check(t *testing.T, name string, part *brep.Model, w *PartialModel, said []string, code string) {
	t.Helper()
	if !w.IsWhole() {
		t.Errorf("%s: not mended", name)
		return
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], code) || !strings.HasSuffix(said[0], errLost.Error()+".") {
		t.Errorf("%s: said %q, want one %s with the reason", name, said, code)
	}
	w.Link()
	w.Compact()
	want, err := mass.Compute(t.Context(), part)
	if err != nil {
		t.Fatal(err)
	}
	got, err := mass.Compute(t.Context(), w.Model)
	if err != nil || math.Abs(got.Volume-want.Volume) > 1e-6*want.Volume ||
		math.Abs(got.Area-want.Area) > 1e-6*want.Area {
		t.Errorf("%s: %v, want volume %g and area %g; %v", name, got, want.Volume, want.Area, err)
	}
}

// TestMarch follows the intersection of two cylinders, which is not a conic.
func TestMarch(t *testing.T) {
	thin := surface.Cylinder{Frame: geom.World, Radius: 2}
	thick := surface.Cylinder{Frame: geom.NewFrame(geom.Vec3{}, geom.World.X, geom.World.Y), Radius: 3}
	at := func(u float64) geom.Vec3 { // on both cylinders, along the upper of the two intersection curves
		p := geom.Vec3{X: 2 * math.Cos(u), Y: 2 * math.Sin(u)}
		p.Z = math.Sqrt(9 - p.Y*p.Y)
		return p
	}
	const tol = 1e-6
	s, ok := march(at(0.2), at(1.7), []surface.Surface{thin, thick}, tol)
	if !ok {
		t.Fatal("no curve")
	}
	for _, p := range samples(s.c, s.iv, 1000) {
		if !contains(thin, []geom.Vec3{p}, tol) || !contains(thick, []geom.Vec3{p}, tol) {
			t.Fatalf("%v lies on neither", p)
		}
	}
	if a, b := s.c.At(s.iv.Lo), s.c.At(s.iv.Hi); a.Dist(at(0.2)) > tol || b.Dist(at(1.7)) > tol {
		t.Errorf("from %v to %v", a, b)
	}
	if _, ok := march(at(0.2), at(1.7), []surface.Surface{thin, thin}, tol); ok {
		t.Error("a curve where two surfaces are one")
	}
}

// TestAmbiguous checks that a vertex at one of two intersections of a line and a cylinder stays unknown.
func TestAmbiguous(t *testing.T) {
	m := &intersection{curves: []curve.Curve{curve.Line{Dir: geom.World.X}},
		surfaces: []surface.Surface{surface.Cylinder{Frame: geom.World, Radius: 1}},
		ends:     []geom.Vec3{{X: 5}, {X: -5}}}
	if p, ok := m.point(1e-6); ok {
		t.Errorf("put at %v", p)
	}
	m.ends = []geom.Vec3{{X: 5}, {X: -1}}
	if p, ok := m.point(1e-6); !ok || p.Dist(geom.Vec3{X: 1}) > 1e-9 {
		t.Errorf("one place left: %v, %v", p, ok)
	}
}
