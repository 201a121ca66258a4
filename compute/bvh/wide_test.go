package bvh

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"millwright/compute/primitivetest/body"
	"millwright/core/geom"
	"millwright/core/mesh"
)

func TestWideTreeHoldsEveryTriangleOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	same := &mesh.Mesh{Points: []geom.Vec3{{}, {X: 1}, {Y: 1}}, Triangles: make([][3]int32, 100)}
	for i := range same.Triangles {
		same.Triangles[i] = [3]int32{0, 1, 2}
	}
	rows := []struct {
		name string
		m    *mesh.Mesh
	}{
		{"nothing", &mesh.Mesh{}},
		{"one triangle", &mesh.Mesh{Points: same.Points, Triangles: same.Triangles[:1]}},
		{"nine", &mesh.Mesh{Points: same.Points, Triangles: same.Triangles[:9]}},
		{"box", body.Boxes([2]geom.Vec3{{}, {X: 1, Y: 2, Z: 3}})},
		{"ball", body.Ball(rng, 5, 0.3)},
		{"needles", body.Post(500, 1, 300)},
		{"a hundred copies of one triangle", same},
	}
	for _, row := range rows {
		tree := mustTree(t, row.m, 2)
		w := tree.Wide()
		if w != tree.Wide() {
			t.Errorf("%s: made twice", row.name)
		}
		seen := make([]int, len(row.m.Triangles))
		visited := 0
		var walk func(at int32)
		walk = func(at int32) {
			visited++
			n := &w.Nodes[at]
			for i, child := range n.Child {
				if n.Box[0][i] > n.Box[3][i] {
					continue
				}
				if child > at {
					walk(child)
					continue
				}
				for _, b := range w.Leaf(child) {
					for lane := range b.Count {
						seen[b.ID[lane]]++
						w.inBox(t, tree, n, i, &b, int(lane))
					}
				}
			}
		}
		if len(row.m.Triangles) > 0 {
			walk(0)
		}
		if visited != len(w.Nodes) {
			t.Errorf("%s: %d nodes of %d are reached", row.name, visited, len(w.Nodes))
		}
		for i, uses := range seen {
			if uses != 1 {
				t.Fatalf("%s: triangle %d is in %d leaves", row.name, i, uses)
			}
		}
	}
}

// inBox checks a lane of a block against the mesh and the box that it lies in.
func (w *Wide) inBox(t *testing.T, tree *Tree, n *WideNode, child int, b *Block, lane int) {
	t.Helper()
	at := -1
	for i, id := range tree.ids {
		if id == b.ID[lane] {
			at = i
		}
	}
	for c, v := range tree.tris[at] {
		for k, x := range tree.points[v] {
			if b.Corner[3*c+k][lane] != x || x < n.Box[k][child] || x > n.Box[k+3][child] {
				t.Fatalf("corner %d of triangle %d is at %g, in the leaf at %g, whose box is %g to %g", c, b.ID[lane],
					x, b.Corner[3*c+k][lane], n.Box[k][child], n.Box[k+3][child])
			}
		}
	}
}

// TestTreesAreShallow: below the depth that no sound mesh reaches, nodes are halved, so that stacks have a limit.
func TestTreesAreShallow(t *testing.T) {
	m := body.Ball(rand.New(rand.NewPCG(7, 8)), 5, 0.2)
	tree := mustTree(t, m, 1)
	for _, above := range []int{0, deepest - 1, deepest} {
		w := builder{prims: make([]prim, tree.Len()), nodes: make([]Node, 2*tree.Len())}
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
		if most > MaxDepth || above == deepest && most > deepest+bits.Len(uint(tree.Len())) {
			t.Errorf("%d nodes above a leaf where there are %d at first", most, above)
		}
	}
}
