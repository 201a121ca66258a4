package edgebreak_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/kernel/mesh/edgebreak"
)

// prism is a straight prism over a polygon, counter-clockwise, from z = 0 to height. Region 0 is its top, 1 its bottom,
// and region 2+wall(i) its side from corner i on.
func prism(outline []geom.Vec2, height float64, wall func(i int) int) *mesh.Mesh {
	m, n := &mesh.Mesh{}, int32(len(outline))
	for _, z := range []float64{0, height} {
		for _, p := range outline {
			m.Points = append(m.Points, geom.Vec3{X: p.X, Y: p.Y, Z: z})
		}
	}
	regions := map[int][][3]int32{}
	for i := int32(2); i < n; i++ { // outlines are such that a fan from corner 0 covers them
		regions[0] = append(regions[0], [3]int32{n, n + i - 1, n + i})
		regions[1] = append(regions[1], [3]int32{0, i, i - 1})
	}
	count := 2
	for i := range n {
		k, next := 2+wall(int(i)), (i+1)%n
		regions[k] = append(regions[k], [3]int32{i, next, n + next}, [3]int32{i, n + next, n + i})
		count = max(count, k+1)
	}
	for k := range count {
		start := int32(len(m.Triangles))
		m.Triangles = append(m.Triangles, regions[k]...)
		m.Regions = append(m.Regions, mesh.Region{Start: start, End: int32(len(m.Triangles))})
	}
	return m
}

func each(i int) int { return i }

func one(int) int { return 0 }

func polygon(n int, radius float64) (out []geom.Vec2) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out = append(out, geom.Vec2{X: radius * cos, Y: radius * sin})
	}
	return out
}

var square = []geom.Vec2{{}, {X: 10}, {X: 10, Y: 10}, {Y: 10}}

func TestBreakRemovesTheChamfers(t *testing.T) {
	ell := []geom.Vec2{{X: 5, Y: 5}, {X: 5, Y: 10}, {Y: 10}, {}, {X: 10}, {X: 10, Y: 5}}
	const w = 1.0
	area, n := 0.0, 48
	for i, p := range polygon(n, 10) {
		area += p.Cross(polygon(n, 10)[(i+1)%n]) / 2
	}
	apothem := 10 * math.Cos(math.Pi/float64(n))
	cone := func(a, h, share float64) float64 { return a * h / 3 * (1 + share + share*share) } // a frustum
	for _, c := range []struct {
		name  string
		mesh  *mesh.Mesh
		edges []edgebreak.Edge
		want  float64 // volume that goes
	}{
		{"no edge", prism(square, 10, each), nil, 0},
		{"one edge", prism(square, 10, each), []edgebreak.Edge{{0, 2}}, 5},
		{"two that meet", prism(square, 10, each), []edgebreak.Edge{{0, 2}, {3, 0}}, 5 + 5 - 1./3},
		{"all of the top", prism(square, 10, each), []edgebreak.Edge{{0, 2}, {0, 3}, {0, 4}, {0, 5}},
			100 - cone(100, w, 0.8)},
		{"an upright one", prism(square, 10, each), []edgebreak.Edge{{2, 3}}, 5},
		{"top and upright", prism(square, 10, each), []edgebreak.Edge{{0, 2}, {2, 3}}, 5 + 5 - 1./3},
		{"with an inner corner", prism(ell, 10, each),
			[]edgebreak.Edge{{0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}}, 0.5*40 - 5./3 + 1./3},
		{"round", prism(polygon(n, 10), 10, one), []edgebreak.Edge{{0, 2}},
			area*w - cone(area, w, (apothem-w)/apothem)},
	} {
		got, narrow, err := edgebreak.Break(c.mesh, c.edges, w)
		if err != nil || narrow != nil {
			t.Fatalf("%s: %v, narrow %v", c.name, err, narrow)
		}
		if r := got.Check(); !r.Watertight {
			t.Errorf("%s: %+v", c.name, r)
		}
		if gone := c.mesh.Volume() - got.Volume(); math.Abs(gone-c.want) > 1e-9 {
			t.Errorf("%s: %.6f mm³ go, want %.6f", c.name, gone, c.want)
		}
		if len(got.Regions) != len(c.mesh.Regions)+len(c.edges) ||
			!slices.EqualFunc(got.Regions[:len(c.mesh.Regions)], c.mesh.Regions, func(a, b mesh.Region) bool {
				return a.Start == b.Start && a.End == b.End
			}) {
			t.Errorf("%s: regions %v", c.name, got.Regions)
		}
	}
}

// At a corner of three chamfers the polygon cuts their common tip off.
func TestBreakOfThreeEdgesAtACorner(t *testing.T) {
	m := prism(square, 10, each)
	got, narrow, err := edgebreak.Break(m, []edgebreak.Edge{{0, 2}, {0, 3}, {2, 3}}, 1)
	if err != nil || narrow != nil || !got.Check().Watertight {
		t.Fatalf("%v, narrow %v, %+v", err, narrow, got.Check())
	}
	// Planes of the chamfers meet at (½, ½, ½) from the corner, the polygon is at a distance of 2/√3.
	if gone := m.Volume() - got.Volume(); gone < 15-1 || gone > 15 {
		t.Errorf("%.6f mm³ go", gone)
	}
}

// Points within a face, nearer to the edge than the chamfer, move with it.
func TestBreakMovesPointsWithinFaces(t *testing.T) {
	m := prism(square, 10, each)
	at := int32(len(m.Points)) // within the first triangle of the top, next to the edge of wall 2
	m.Points = append(m.Points, geom.Vec3{X: 5, Y: 0.1, Z: 10})
	c := m.Triangles[0]
	m.Triangles = append([][3]int32{{c[0], c[1], at}, {c[1], c[2], at}, {c[2], c[0], at}}, m.Triangles[1:]...)
	for i := range m.Regions {
		m.Regions[i].End += 2
		if i > 0 {
			m.Regions[i].Start += 2
		}
	}
	got, narrow, err := edgebreak.Break(m, []edgebreak.Edge{{0, 2}}, 1)
	if err != nil || narrow != nil || !got.Check().Watertight {
		t.Fatalf("%v, narrow %v, %+v", err, narrow, got.Check())
	}
	if gone := m.Volume() - got.Volume(); math.Abs(gone-5) > 1e-9 || got.Points[at].Y < 1 {
		t.Errorf("%.6f mm³ go, the point is at %v", gone, got.Points[at])
	}
}

// A wall narrower than the chamfers on it is reported with its edges.
func TestBreakReportsNarrowFaces(t *testing.T) {
	rib := []geom.Vec2{{}, {X: 10}, {X: 10, Y: 1.5}, {Y: 1.5}}
	_, narrow, err := edgebreak.Break(prism(rib, 10, each), []edgebreak.Edge{{0, 2}, {0, 4}, {2, 3}}, 1)
	if err != nil || !slices.Contains(narrow, 0) || !slices.Contains(narrow, 1) {
		t.Errorf("narrow %v, %v", narrow, err)
	}
}

// Edges of regions that do not meet, or that meet in a concave edge, are left.
func TestBreakLeavesOtherEdges(t *testing.T) {
	m := prism(square, 10, each)
	got, _, err := edgebreak.Break(m, []edgebreak.Edge{{0, 1}, {2, 4}}, 1)
	if err != nil || !slices.Equal(got.Triangles, m.Triangles) {
		t.Errorf("%v: %d triangles for %d", err, len(got.Triangles), len(m.Triangles))
	}
	for i := range m.Triangles { // inside out, all edges are concave
		m.Triangles[i][1], m.Triangles[i][2] = m.Triangles[i][2], m.Triangles[i][1]
	}
	got, _, err = edgebreak.Break(m, []edgebreak.Edge{{0, 2}}, 1)
	if err != nil || !slices.Equal(got.Triangles, m.Triangles) {
		t.Errorf("concave: %v", err)
	}
}

func TestBreakNeedsAClosedMesh(t *testing.T) {
	m := prism(square, 10, each)
	last := m.Regions[5].End - 1
	m.Triangles = m.Triangles[:last]
	m.Regions[5].End = last
	if _, _, err := edgebreak.Break(m, []edgebreak.Edge{{0, 2}, {0, 4}}, 1); err == nil {
		t.Error("an open mesh is taken")
	}
}
