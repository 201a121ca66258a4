package mesh

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

// box returns the boundary of the box [0,a]×[0,b]×[0,c] with one region per side.
func box(a, b, c float64) *Mesh {
	m := &Mesh{}
	for i := range 8 {
		p := geom.Vec3{}
		if i&1 != 0 {
			p.X = a
		}
		if i&2 != 0 {
			p.Y = b
		}
		if i&4 != 0 {
			p.Z = c
		}
		m.Points = append(m.Points, p)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		start := int32(len(m.Triangles))
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
		m.Regions = append(m.Regions, Region{Start: start, End: start + 2})
	}
	return m
}

// tube returns a closed torus-shaped quad grid of n × k cells, split into triangles.
func tube(n, k int, major, minor float64) *Mesh {
	m := &Mesh{}
	at := func(i, j int) int32 { return int32((i%n)*k + j%k) }
	for i := range n {
		su, cu := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		for j := range k {
			sv, cv := math.Sincos(2 * math.Pi * float64(j) / float64(k))
			r := major + minor*cv
			m.Points = append(m.Points, geom.Vec3{X: r * cu, Y: r * su, Z: minor * sv})
		}
	}
	for i := range n {
		for j := range k {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			m.Triangles = append(m.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	m.Regions = []Region{{Start: 0, End: int32(len(m.Triangles))}}
	return m
}

func TestCheckNamesEachFault(t *testing.T) {
	cases := []struct {
		name string
		edit func(m *Mesh)
		want Report
	}{
		{"whole", func(*Mesh) {}, Report{Watertight: true}},
		{"one triangle missing", func(m *Mesh) { m.Triangles = m.Triangles[1:] }, Report{OpenEdges: 3}},
		{"one triangle turned round", func(m *Mesh) {
			tr := &m.Triangles[4]
			tr[0], tr[1] = tr[1], tr[0]
		}, Report{InconsistentEdges: 3}},
		{"one triangle twice", func(m *Mesh) {
			m.Triangles = append(m.Triangles, m.Triangles[0])
		}, Report{NonManifoldEdges: 3}},
		{"repeated corner", func(m *Mesh) {
			m.Triangles = append(m.Triangles, [3]int32{0, 0, 2})
		}, Report{OpenEdges: 1, NonManifoldEdges: 1, Degenerate: 1}},
		{"corner out of range", func(m *Mesh) { m.Triangles[3][1] = 8 }, Report{OutOfRange: 1}},
		{"negative corner", func(m *Mesh) { m.Triangles[3][1] = -1 }, Report{OutOfRange: 1}},
		{"empty", func(m *Mesh) { m.Triangles = nil }, Report{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := box(1, 2, 3)
			c.edit(m)
			if got := m.Check(); got != c.want {
				t.Errorf("Check() = %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestMeasuresOfABox(t *testing.T) {
	m := box(2, 3, 5)
	near(t, "volume", m.Volume(), 30)
	near(t, "area", m.Area(), 62)
	for i, want := range []float64{6, 6, 10, 10, 15, 15} {
		near(t, "region area", m.RegionAreas()[i], want)
	}
	c := m.Centroid()
	near(t, "centroid x", c.X, 1)
	near(t, "centroid y", c.Y, 1.5)
	near(t, "centroid z", c.Z, 2.5)
	if got, want := m.Bounds().Max, (geom.Vec3{X: 2, Y: 3, Z: 5}); got != want {
		t.Errorf("bounds max %v, want %v", got, want)
	}
	if got, want := m.Normal(0), (geom.Vec3{Z: -1}); got != want {
		t.Errorf("normal of the bottom %v, want %v", got, want)
	}
}

func TestVolumeConvergesToTheTorus(t *testing.T) {
	m := tube(400, 200, 10, 3)
	want := 2 * math.Pi * math.Pi * 10 * 9
	if got := m.Volume(); math.Abs(got-want) > 1e-3*want {
		t.Errorf("volume %g, want %g within 0.1 %%", got, want)
	}
	if r := m.Check(); !r.Watertight {
		t.Errorf("torus grid: %+v", r)
	}
}

func TestVolumeKeepsItsDigitsFarFromTheOrigin(t *testing.T) {
	m := tube(40, 20, 10, 3)
	want := m.Volume()
	for i := range m.Points {
		m.Points[i] = m.Points[i].Add(geom.Vec3{X: 1e6, Y: -2e6, Z: 3e6})
	}
	if got := m.Volume(); math.Abs(got-want) > 1e-6*want {
		t.Errorf("volume 3.7 km away %.12g, want %.12g", got, want)
	}
}

func TestMeasuresFollowASimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := func(name string) float64 { return rapid.Float64Range(-5, 5).Draw(t, name) }
		m := tube(rapid.IntRange(3, 12).Draw(t, "n"), rapid.IntRange(3, 12).Draw(t, "k"), 10, 3)
		s := rapid.Float64Range(0.1, 10).Draw(t, "scale")
		tr := geom.Translation(geom.Vec3{X: d("x"), Y: d("y"), Z: d("z")}).
			Mul(geom.Rotation(geom.Vec3{X: d("ax"), Y: d("ay"), Z: 6}, d("angle"))).Mul(geom.Scaling(s))
		v, a, c := m.Volume(), m.Area(), m.Centroid()
		for i := range m.Points {
			m.Points[i] = tr.Point(m.Points[i])
		}
		if got, want := m.Volume(), v*s*s*s; math.Abs(got-want) > 1e-9*want {
			t.Fatalf("volume %g, want %g", got, want)
		}
		if got, want := m.Area(), a*s*s; math.Abs(got-want) > 1e-9*want {
			t.Fatalf("area %g, want %g", got, want)
		}
		if got, want := m.Centroid(), tr.Point(c); got.Dist(want) > 1e-8*s {
			t.Fatalf("centroid %v, want %v", got, want)
		}
	})
}

// TestCheckAgreesWithCounting compares Check with plain counting in a map on random soups, where
// every kind of fault occurs.
func TestCheckAgreesWithCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(t, "points")
		m := &Mesh{Points: make([]geom.Vec3, n)}
		corner := rapid.Int32Range(0, int32(n-1))
		for range rapid.IntRange(0, 40).Draw(t, "triangles") {
			m.Triangles = append(m.Triangles, [3]int32{corner.Draw(t, "a"), corner.Draw(t, "b"), corner.Draw(t, "c")})
		}
		if got, want := m.Check(), countEdges(m); got != want {
			t.Fatalf("Check() = %+v, want %+v for %v", got, want, m.Triangles)
		}
	})
}

func countEdges(m *Mesh) Report {
	uses := map[[2]int32][2]int{}
	r := Report{}
	for _, tr := range m.Triangles {
		if tr[0] == tr[1] || tr[1] == tr[2] || tr[2] == tr[0] {
			r.Degenerate++
		}
		for k := range 3 {
			a, b := tr[k], tr[(k+1)%3]
			u := uses[[2]int32{min(a, b), max(a, b)}]
			if a <= b {
				u[0]++
			} else {
				u[1]++
			}
			uses[[2]int32{min(a, b), max(a, b)}] = u
		}
	}
	for _, u := range uses {
		switch {
		case u[0]+u[1] == 1:
			r.OpenEdges++
		case u[0]+u[1] > 2:
			r.NonManifoldEdges++
		case u[0] != 1:
			r.InconsistentEdges++
		}
	}
	r.Watertight = len(m.Triangles) > 0 && r == (Report{})
	return r
}

func TestNeighborsAreMutual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tube(rapid.IntRange(3, 12).Draw(t, "n"), rapid.IntRange(3, 12).Draw(t, "k"), 10, 3)
		drop := rapid.IntRange(0, len(m.Triangles)-1).Draw(t, "drop")
		m.Triangles = append(m.Triangles[:drop], m.Triangles[drop+1:]...)
		adj := m.Neighbors()
		open := 0
		for i, ns := range adj {
			for k, j := range ns {
				if j < 0 {
					open++
					continue
				}
				a, b := m.Triangles[i][k], m.Triangles[i][(k+1)%3]
				found := false
				for l, back := range adj[j] {
					found = found || back == int32(i) && m.Triangles[j][l] == b && m.Triangles[j][(l+1)%3] == a
				}
				if !found {
					t.Fatalf("triangle %d side %d: neighbour %d does not point back", i, k, j)
				}
			}
		}
		if open != 3 {
			t.Fatalf("%d open sides after dropping one triangle, want 3", open)
		}
	})
}

func TestCrowdedEdges(t *testing.T) {
	m := box(1, 2, 3)
	m.EachCrowdedEdge(func(a, b int32, _ []int32) { t.Errorf("edge %d–%d of a box", a, b) })
	m.Triangles = append(m.Triangles, m.Triangles[5])
	m.Regions[5].End++
	var got [][2]int32
	m.EachCrowdedEdge(func(a, b int32, triangles []int32) {
		got = append(got, [2]int32{a, b})
		if len(triangles) != 3 || triangles[2] != 12 {
			t.Errorf("edge %d–%d has triangles %v", a, b, triangles)
		}
	})
	if want := [][2]int32{{0, 4}, {0, 5}, {4, 5}}; !slices.Equal(got, want) {
		t.Errorf("crowded edges %v, want %v", got, want)
	}
}

func TestRegionOf(t *testing.T) {
	m := box(1, 2, 3)
	m.Regions[2].End = m.Regions[2].Start // as for a sheet
	for tri, want := range map[int32]int32{0: 0, 1: 0, 2: 1, 4: -1, 6: 3, 11: 5, 12: -1} {
		if got := m.RegionOf(tri); got != want {
			t.Errorf("RegionOf(%d) = %d, want %d", tri, got, want)
		}
	}
}

func TestHubOfALargeFan(t *testing.T) {
	const n = 1000
	m := &Mesh{Points: make([]geom.Vec3, n+2)}
	for i := range int32(n) {
		a, b := 2+i, 2+(i+1)%n
		m.Triangles = append(m.Triangles, [3]int32{0, a, b}, [3]int32{1, b, a})
	}
	if r := m.Check(); !r.Watertight {
		t.Errorf("double cone: %+v", r)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func BenchmarkCheck(b *testing.B) {
	m := tube(1000, 500, 10, 3)
	for b.Loop() {
		if !m.Check().Watertight {
			b.Fatal("not watertight")
		}
	}
	b.ReportMetric(float64(len(m.Triangles))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
}
