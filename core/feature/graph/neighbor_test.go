package graph

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Neighbors yields the edges of a patch in order, once each, also where two patches share several, and stops on demand.
func TestNeighborsYieldsEachEdge(t *testing.T) {
	g := graphOf(t, build.Plate(geom.Vec3{X: 20, Y: 20, Z: 10}, build.Style{Seams: build.HalfFaces},
		build.Hole{Center: v2(10, 10), Profile: []geom.Vec2{v2(4, 0), v2(4, 10)}}))
	shared := false
	for p := range g.Patches {
		i, seen := 0, map[int32]bool{}
		for q, a := range g.Neighbors(int32(p)) {
			if want := &g.Arcs[g.Patches[p].Arcs[i]]; a != want || q != want.Other(int32(p)) {
				t.Fatalf("neighbor %d of patch %d is %d by %v, want %d by %v", i, p, q, a, want.Other(int32(p)), want)
			}
			shared = shared || seen[q]
			seen[q] = true
			i++
		}
		if i != len(g.Patches[p].Arcs) {
			t.Errorf("patch %d has %d neighbors, want %d", p, i, len(g.Patches[p].Arcs))
		}
	}
	if !shared {
		t.Error("no two patches share several edges; the part tests less than it should")
	}
}

func TestAnyNeighborStopsAtAHit(t *testing.T) {
	g := graphOf(t, comb())
	calls := 0
	if !g.AnyNeighbor(0, func(int32, *Adjacency) bool { calls++; return true }) || calls != 1 {
		t.Errorf("a hit at the first neighbor took %d calls, want 1", calls)
	}
	calls = 0
	if g.AnyNeighbor(0, func(int32, *Adjacency) bool { calls++; return false }) || calls != len(g.Patches[0].Arcs) {
		t.Errorf("no hit took %d calls, want %d", calls, len(g.Patches[0].Arcs))
	}
}

func TestNeighborsWithKeepsEdges(t *testing.T) {
	g := graphOf(t, comb())
	for p := range int32(len(g.Patches)) {
		var want []int32
		for _, x := range g.Patches[p].Arcs {
			if g.Arcs[x].Convexity == Concave {
				want = append(want, g.Arcs[x].Other(p))
			}
		}
		got := g.NeighborsWith(p, func(_ int32, a *Adjacency) bool { return a.Convexity == Concave })
		if !slices.Equal(got, want) {
			t.Errorf("neighbors of patch %d over concave edges: got %v, want %v", p, got, want)
		}
	}
}

// The two pieces of a top beside a slot are on one surface; its floor and its walls, which face each other, are not.
func TestOnOneSurface(t *testing.T) {
	profile := build.Polygon(v2(0, 0), v2(30, 0), v2(30, 10), v2(20, 10), v2(20, 5), v2(10, 5), v2(10, 10), v2(0, 10))
	g := graphOf(t, build.Prism("slotted", profile, 20, build.Style{}))
	top := func(p int32) bool { return g.Facing(p, geom.Vec3{Y: 1}) && g.Extent(p, geom.Vec3{Y: 1}).Hi > 9 }
	pairs := 0
	for p := range int32(len(g.Patches)) {
		for q := range int32(len(g.Patches)) {
			want := p == q || top(p) && top(q)
			if got := g.OnOneSurface(p, q); got != want || !g.IsPlane(p) {
				t.Errorf("patches %d and %d on one surface: got %v, want %v; plane: %v, want true",
					p, q, got, want, g.IsPlane(p))
			}
			if p < q && want {
				pairs++
			}
		}
	}
	if pairs != 1 {
		t.Errorf("got %d pairs of pieces, want 1", pairs)
	}
}
