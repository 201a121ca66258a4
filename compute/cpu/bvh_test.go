package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/mesh"
)

func mustBVH(t testing.TB, m *mesh.Mesh, threads int) *BVH {
	t.Helper()
	b, err := NewBVH(m.Points, m.Triangles, threads)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBVHCoversEveryTriangleOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	same := &mesh.Mesh{Points: []geom.Vec3{{}, {X: 1}, {Y: 1}}}
	for range 100 {
		same.Triangles = append(same.Triangles, [3]int32{0, 1, 2})
	}
	rows := []struct {
		name string
		m    *mesh.Mesh
	}{
		{"one triangle", &mesh.Mesh{Points: same.Points, Triangles: same.Triangles[:1]}},
		{"sphere", bumpy(rng, 5, 0.2)},
		{"a hundred copies of one triangle", same},
		{"points only", &mesh.Mesh{Points: []geom.Vec3{{X: 1}}, Triangles: make([][3]int32, 40)}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := mustBVH(t, row.m, 3)
			seen := make([]int, len(row.m.Triangles))
			for i := range b.nodes {
				n := &b.nodes[i]
				if int(n.skip) <= i || int(n.skip) > len(b.nodes) {
					t.Fatalf("node %d of %d skips to %d", i, len(b.nodes), n.skip)
				}
				for k := n.leaf >> leafBits; k < n.leaf>>leafBits+n.leaf&leafMax; k++ {
					seen[b.ids[k]]++
					for _, v := range b.tris[k] {
						p := b.points[v]
						if !inside(n, p) {
							t.Fatalf("triangle %d sticks out of the box of leaf %d", b.ids[k], i)
						}
					}
				}
			}
			if i := slices.IndexFunc(seen, func(c int) bool { return c != 1 }); i >= 0 {
				t.Fatalf("triangle %d is in %d leaves, want 1", i, seen[i])
			}
		})
	}
}

func inside(n *node, p geom.Vec3) bool {
	for k, x := range [3]float64{p.X, p.Y, p.Z} {
		if x < float64(n.lo[k]) || x > float64(n.hi[k]) {
			return false
		}
	}
	return true
}

func TestBVHDoesNotDependOnThreads(t *testing.T) {
	m := bumpy(rand.New(rand.NewPCG(3, 4)), 6, 0.3) // 32768 triangles: several parallel levels
	want := mustBVH(t, m, 1)
	for _, threads := range []int{2, 8} {
		got := mustBVH(t, m, threads)
		if !slices.Equal(got.ids, want.ids) || !slices.Equal(got.nodes, want.nodes) {
			t.Errorf("tree of %d threads differs from that of one", threads)
		}
	}
}

func TestBVHRefusesBadMeshes(t *testing.T) {
	pts := []geom.Vec3{{}, {X: 1}, {Y: 1}}
	rows := []struct {
		name string
		pts  []geom.Vec3
		tri  [3]int32
		want string
	}{
		{"NaN", []geom.Vec3{{}, {X: math.NaN()}, {Y: 1}}, [3]int32{0, 1, 2}, "point 1 is at"},
		{"infinite", []geom.Vec3{{}, {X: 1}, {Y: math.Inf(-1)}}, [3]int32{0, 1, 2}, "point 2 is at"},
		{"huge", []geom.Vec3{{X: 1e30}, {X: 1}, {Y: 1}}, [3]int32{0, 1, 2}, "point 0 is at"},
		{"index too large", pts, [3]int32{0, 1, 3}, "names point 3 of 3"},
		{"negative index", pts, [3]int32{0, -1, 2}, "names point -1 of 3"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := NewBVH(row.pts, [][3]int32{row.tri}, 1)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got error %v, want one with %q", err, row.want)
			}
		})
	}
}

func TestOccludedClosedForms(t *testing.T) {
	s := &solid{}
	s.box(geom.Vec3{}, geom.Vec3{X: 10, Y: 20, Z: 30})
	b := mustBVH(t, &s.Mesh, 1)
	inf := math.Inf(1)
	rows := []struct {
		name       string
		o, d       geom.Vec3
		tMin, tMax float64
		want       bool
	}{
		{"towards the box", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 1}, 0, inf, true},
		{"away from it", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: -1}, 0, inf, false},
		{"ends before it", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 1}, 0, 4.999, false},
		{"ends behind it", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 1}, 0, 5.001, true},
		{"starts behind the near wall", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 1}, 5.001, inf, true},
		{"starts behind the far wall", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 1}, 15.001, inf, false},
		{"long direction counts in its own lengths", geom.Vec3{X: -5, Y: 10, Z: 15}, geom.Vec3{X: 10}, 0,
			0.4999, false},
		{"through the diagonal edge of two triangles", geom.Vec3{X: 5, Y: 10, Z: 40}, geom.Vec3{Z: -1}, 0, inf,
			true},
		{"along a corner edge", geom.Vec3{Z: 40}, geom.Vec3{Z: -1}, 0, inf, true},
		{"beside it", geom.Vec3{X: -1e-9, Y: 5, Z: 40}, geom.Vec3{Z: -1}, 0, inf, false},
		{"zero direction", geom.Vec3{X: 5, Y: 5, Z: 5}, geom.Vec3{}, 0, inf, false},
		{"NaN origin", geom.Vec3{X: math.NaN()}, geom.Vec3{Z: 1}, 0, inf, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := b.Occluded(row.o, row.d, row.tMin, row.tMax); got != row.want {
				t.Errorf("Occluded(%v, %v, %g, %g) = %v, want %v", row.o, row.d, row.tMin, row.tMax, got, row.want)
			}
		})
	}
}

// bruteOccluded is the textbook test of Möller and Trumbore over all triangles.
func bruteOccluded(m *mesh.Mesh, o, d geom.Vec3) bool {
	for _, t := range m.Triangles {
		a := m.Points[t[0]]
		e1, e2 := m.Points[t[1]].Sub(a), m.Points[t[2]].Sub(a)
		p := d.Cross(e2)
		det := e1.Dot(p) // the outward normal against the ray, times the area
		if det == 0 {
			continue
		}
		s := o.Sub(a)
		q := s.Cross(e1)
		u, v, h := s.Dot(p)/det, d.Dot(q)/det, e2.Dot(q)/det
		if u >= 0 && v >= 0 && u+v <= 1 && h > 0 {
			return true
		}
	}
	return false
}

// Random rays stay clear of edges, so both ways to test them must agree exactly.
func TestRaysAgreeWithBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		m := bumpy(rng, rapid.IntRange(0, 3).Draw(t, "levels"), rapid.Float64Range(0, 1.5).Draw(t, "roughness"))
		shift := geom.Vec3{X: 1000 * rng.Float64()}
		for i := range m.Points {
			m.Points[i] = m.Points[i].Add(shift)
		}
		b, err := NewBVH(m.Points, m.Triangles, 1)
		if err != nil {
			t.Fatal(err)
		}
		dir := unitVector(rng)
		for range 50 {
			o := shift.Add(unitVector(rng).Scale(15 * rng.Float64()))
			want := bruteOccluded(m, o, dir)
			if got := b.Occluded(o, dir, 0, math.Inf(1)); got != want {
				t.Fatalf("Occluded(%v, %v) = %v, brute force says %v", o, dir, got, want)
			}
		}
	})
}

// Rays aimed exactly at vertices and at points of edges must not leak into a closed mesh.
func TestRaysDoNotLeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		m := bumpy(rng, 3, rapid.Float64Range(0, 0.3).Draw(t, "roughness"))
		b, err := NewBVH(m.Points, m.Triangles, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			tri := m.Triangles[rng.IntN(len(m.Triangles))]
			p, q := m.Points[tri[0]], m.Points[tri[1]]
			for _, target := range []geom.Vec3{p, p.Lerp(q, 0.5), p.Lerp(q, rng.Float64())} {
				o := unitVector(rng).Scale(rng.Float64())
				d := target.Sub(o)
				if !b.Occluded(o, d, 0, math.Inf(1)) {
					t.Fatalf("ray from %v to %v leaks", o, target)
				}
			}
		}
	})
}
