package raycast

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright/compute/bvh"
	"millwright/compute/primitivetest/body"
	"millwright/core/geom"
)

// eachRay calls visit with rays of all directions through a rough ball.
func eachRay(t *testing.T, visit func(w *bvh.Wide, r *ray)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	m := body.Ball(rng, 3, 0.5)
	tree, err := bvh.New(m.Points, m.Triangles, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		d := body.Directions(rng, 1)[0]
		if i%10 == 0 {
			d = [3]geom.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[i/10%3]
		}
		at := m.Points[rng.IntN(len(m.Points))]
		l, _, _, ok := tree.Line(at.AddScaled(-5, d), d, 0, 20*rng.Float64())
		if !ok {
			continue
		}
		var r ray
		r.set(&l, tree.Radius())
		visit(tree.Wide(), &r)
	}
}

// TestVectorsAgree: the vector unit takes the same way and tells the same triangles as Go.
func TestVectorsAgree(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no vector unit that is made use of")
	}
	met, all := 0, 0
	eachRay(t, func(w *bvh.Wide, r *ray) {
		got := walk{ray: *r, nodes: w.Nodes, top: 1}
		got.stack[0] = entry{r.from, 0}
		want := got
		for {
			leaf := want.nextGo()
			if g := got.next(); g != leaf {
				t.Fatalf("leaf %d is next, want %d", g, leaf)
			}
			if leaf == 0 {
				break
			}
			if all%3 == 0 { // as if something were met
				got.ray.to -= 1
				want.ray.to -= 1
			}
			for i, b := range w.Leaf(leaf) {
				g, m := triangles(&b, r), trianglesGo(&b, r)
				if g != m {
					t.Fatalf("block %d: triangles %b, want %b", i, g, m)
				}
				if all++; m != 0 {
					met++
				}
			}
		}
	})
	if met == 0 || met == all {
		t.Errorf("%d of %d blocks are met: the test says nothing", met, all)
	}
}

// TestNothingIsSkipped: what meets accepts no filter leaves out: neither that of the eight triangles nor the boxes
// above them.
func TestNothingIsSkipped(t *testing.T) {
	hits := 0
	eachRay(t, func(w *bvh.Wide, r *ray) {
		var walk func(child int32, open bool)
		walk = func(child int32, open bool) {
			if child < 0 {
				for _, b := range w.Leaf(child) {
					for lane := range int(b.Count) {
						at, hit := r.meets(&b, lane)
						if !hit {
							continue
						}
						hits++
						if mask := trianglesGo(&b, r); !open || mask>>lane&1 == 0 {
							t.Fatalf("triangle %d is met at %g mm; boxes let it pass: %v; found among eight: %b",
								b.ID[lane], at, open, mask)
						}
					}
				}
				return
			}
			var near [bvh.Lanes]float32
			n := &w.Nodes[child]
			mask := boxes(n, r, &near)
			for i, c := range n.Child {
				if !math.IsInf(float64(n.Box[0][i]), 1) {
					walk(c, open && mask>>i&1 != 0)
				}
			}
		}
		walk(0, true)
	})
	if hits < 100 {
		t.Errorf("only %d hits", hits)
	}
}

func TestNoTriangles(t *testing.T) {
	tree, err := bvh.New(nil, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if at, id := newCaster(tree).cast(&bvh.Line{}, false); id != -1 || !math.IsInf(at, 1) {
		t.Errorf("triangle %d at %g mm", id, at)
	}
}
