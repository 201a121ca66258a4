package delaunay

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// neck is a region like an hourglass lying down whose two long sides reach over each other in the middle by
// several points: by depth, over n points each. Outside the neck it is 2 high.
func neck(n int, depth, shift float64) Input {
	var ring []geom.Vec2
	height := func(x float64) float64 { // half the clear height at x in -1 … 1
		return x*x - depth/2
	}
	for i := range n {
		x := -1 + 2*(float64(i)+shift)/float64(n)
		ring = append(ring, geom.Vec2{X: x, Y: -height(x)})
	}
	ring = append(ring, geom.Vec2{X: 1.5, Y: -1}, geom.Vec2{X: 1.5, Y: 1})
	for i := range n {
		x := 1 - 2*(float64(i)+0.4)/float64(n)
		ring = append(ring, geom.Vec2{X: x, Y: height(x)})
	}
	ring = append(ring, geom.Vec2{X: -1.5, Y: 1}, geom.Vec2{X: -1.5, Y: -1})
	return Input{Points: ring, RingEnds: []int32{int32(len(ring))}}
}

// TestReachResolvesOverlapOfSeveralPoints checks that each segment is a side of the region again, and that the region
// has the topology of a disc. A point may be moved several times, so it may be moved by a few times the reach, not
// more. The method is a heuristic; one case in two hundred may stay entangled.
func TestReachResolvesOverlapOfSeveralPoints(t *testing.T) {
	const most = 0.005
	overlaps, left, cases := 0, 0, 0
	for n := 6; n <= 40; n++ {
		for _, depth := range []float64{0.001, 0.003, 0.01, 0.02, 0.03, 0.04, 0.05} {
			for shift := 0.05; shift < 1; shift += 0.1 {
				in := neck(n, depth, shift)
				var tr Triangulation
				if tr.Build(in).Failed {
					overlaps++
				}
				in.Reach = 4 * depth
				cases++
				if tr.Build(in).Failed {
					left++
					continue
				}
				checkDisentangled(t, &tr, in)
			}
		}
	}
	t.Logf("%d of %d overlap, %d stay entangled", overlaps, cases, left)
	if overlaps < cases/4 || float64(left) > most*float64(overlaps) {
		t.Errorf("%d of %d cases overlap, %d stay entangled", overlaps, cases, left)
	}
}

func checkDisentangled(t *testing.T, tr *Triangulation, in Input) {
	t.Helper()
	count := len(in.Points)
	if tris := tr.Append(nil); len(tris) != count-2 {
		t.Fatalf("%d triangles of %d points", len(tris), count)
	}
	for i := range count {
		if tr.EdgeBetween(int32(i), int32((i+1)%count)) < 0 {
			t.Fatalf("segment %d is no edge", i)
		}
		if d := tr.Point(int32(i)).Dist(in.Points[i]); d > 3*in.Reach {
			t.Fatalf("point %d was moved by %g, the reach is %g", i, d, in.Reach)
		}
	}
}

// TestOverlapBeyondReachFails checks that strands with a larger overlap stay unchanged.
func TestOverlapBeyondReachFails(t *testing.T) {
	in := neck(21, 0.2, 0.5)
	in.Reach = 0.01
	var tr Triangulation
	if !tr.Build(in).Failed {
		t.Error("an overlap of 0.2 was undone within a reach of 0.01")
	}
}

func TestSwapFlipsDiagonal(t *testing.T) {
	var tr Triangulation
	in := Input{Points: []geom.Vec2{{}, {X: 2}, {X: 2, Y: 1.5}, {Y: 1}}, RingEnds: []int32{4}}
	if tr.Build(in).Failed {
		t.Fatal("no triangulation")
	}
	a, b, c, d := int32(0), int32(2), int32(1), int32(3)
	if tr.EdgeBetween(a, b) < 0 {
		a, b, c, d = c, d, a, b
	}
	e := tr.EdgeBetween(a, b)
	if !tr.Convex(e) || tr.Convex(tr.EdgeBetween(0, 1)) {
		t.Fatalf("the diagonal is convex: %v, a side: %v", tr.Convex(e), tr.Convex(tr.EdgeBetween(0, 1)))
	}
	tr.Swap(e)
	if tr.EdgeBetween(a, b) >= 0 || tr.EdgeBetween(c, d) < 0 {
		t.Error("the diagonal was not turned")
	}
	if got := len(tr.Append(nil)); got != 2 {
		t.Errorf("%d triangles, want 2", got)
	}
	dart := Input{Points: []geom.Vec2{{}, {X: 4}, {X: 1, Y: 1}, {Y: 4}}, RingEnds: []int32{4}}
	if tr.Build(dart).Failed {
		t.Fatal("no triangulation")
	}
	if e := tr.EdgeBetween(0, 2); e < 0 || tr.Convex(e) {
		t.Error("the inner side of a dart can be swapped")
	}
}
