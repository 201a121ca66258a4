package bvh

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func mustTree(t interface {
	Helper()
	Fatal(...any)
}, m *mesh.Mesh, threads int) *Tree {
	t.Helper()
	b, err := New(m.Points, m.Triangles, threads)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTreeCoversEveryTriangleOnce(t *testing.T) {
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
		{"sphere", solids.Ball(rng, 5, 0.2)},
		{"a hundred copies of one triangle", same},
		{"points only", &mesh.Mesh{Points: []geom.Vec3{{X: 1}}, Triangles: make([][3]int32, 40)}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := mustTree(t, row.m, 3)
			missing := map[[3]int32]int{}
			for _, t := range row.m.Triangles {
				missing[t]++
			}
			for i := range b.nodes {
				n := &b.nodes[i]
				if int(n.Skip) <= i || int(n.Skip) > len(b.nodes) {
					t.Fatalf("node %d of %d skips to %d", i, len(b.nodes), n.Skip)
				}
				for k := n.Leaf >> leafBits; k < n.Leaf>>leafBits+n.Leaf&leafMax; k++ {
					missing[b.tris[k]]--
					for _, v := range b.tris[k] {
						if !inside(n, row.m.Points[v].Sub(b.middle)) {
							t.Fatalf("triangle %v sticks out of the box of leaf %d", b.tris[k], i)
						}
					}
				}
			}
			for tri, n := range missing {
				if n != 0 {
					t.Fatalf("triangle %v is in %d leaves too few", tri, n)
				}
			}
		})
	}
}

func inside(n *Node, p geom.Vec3) bool {
	for k, x := range [3]float64{p.X, p.Y, p.Z} {
		if x < float64(n.Lo[k]) || x > float64(n.Hi[k]) {
			return false
		}
	}
	return true
}

func TestTreeDoesNotDependOnThreads(t *testing.T) {
	m := solids.Ball(rand.New(rand.NewPCG(3, 4)), 6, 0.3) // 32768 triangles: several parallel levels
	want := mustTree(t, m, 1)
	for _, threads := range []int{2, 8} {
		got := mustTree(t, m, threads)
		if !slices.Equal(got.tris, want.tris) || !slices.Equal(got.nodes, want.nodes) {
			t.Errorf("tree of %d threads differs from that of one", threads)
		}
	}
}

// TestTreesAreShallow: below the depth that no sound mesh reaches, nodes are halved, so that the build has a limit.
func TestTreesAreShallow(t *testing.T) {
	const triangles = 2048
	for _, above := range []int{0, deepest - 1, deepest} {
		w := builder{prims: make([]prim, triangles), nodes: make([]Node, 2*triangles)}
		for i := range w.prims {
			w.prims[i].hi = [3]float32{float32(i), float32(i * i), 1}
		}
		w.subtree(0, len(w.prims), 0, above)
		most := above
		nodes := w.compact()
		var walk func(i, depth int)
		walk = func(i, depth int) {
			most = max(most, depth)
			if n := &nodes[i]; n.Leaf == 0 {
				walk(i+1, depth+1)
				walk(int(nodes[i+1].Skip), depth+1)
			}
		}
		walk(0, above)
		if most > deepest+bits.Len(triangles) {
			t.Errorf("%d nodes above a leaf where there are %d at first", most, above)
		}
	}
}

func TestTreeRefusesBadMeshes(t *testing.T) {
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
			_, err := New(row.pts, [][3]int32{row.tri}, 1)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got error %v, want one with %q", err, row.want)
			}
		})
	}
}

func BenchmarkTree(b *testing.B) {
	m := solids.Ball(rand.New(rand.NewPCG(1, 1)), 6, 0.4)
	for b.Loop() {
		mustTree(b, m, 1)
	}
	b.ReportMetric(float64(len(m.Triangles)*b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
}
