package delaunay

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestBoundariesThatTouchOrCross(t *testing.T) {
	square := []geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)}
	ids := func(n int) []int32 {
		out := make([]int32, n)
		for i := range out {
			out[i] = int32(i)
		}
		return out
	}
	with := func(in Input, same ...int32) Input {
		in.IDs = ids(len(in.Points))
		for i := 0; i+1 < len(same); i += 2 {
			in.IDs[same[i+1]] = in.IDs[same[i]]
		}
		return in
	}
	cases := []struct {
		name string
		in   Input
		want Report
		n    int
	}{
		{"hole corner on a side", with(input(square, []geom.Vec2{v2(2, 0), v2(1, 1), v2(3, 1)})),
			Report{Moved: 1}, 7},
		{"hole corner through a side", with(input(square, []geom.Vec2{v2(2, -1e-7), v2(1, 1), v2(3, 1)})),
			Report{Moved: 1}, 7},
		{"hole corner at a corner, one point",
			with(input(square, []geom.Vec2{v2(0, 0), v2(1, 2), v2(2, 1)}), 0, 4),
			Report{}, 5},
		{"hole corner at a corner, two points",
			with(input(square, []geom.Vec2{v2(0, 0), v2(1, 2), v2(2, 1)})),
			Report{Moved: 1}, 7},
		{"notch tip on the far side",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(3, 4), v2(2, 0), v2(1, 4), v2(0, 4)})),
			Report{Moved: 1}, 5},
		{"two neighbours in one place",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 0), v2(4, 4), v2(0, 4)})),
			Report{Moved: 1}, 3},
		{"three neighbours in one place",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 0), v2(4, 0), v2(4, 4), v2(0, 4)})),
			Report{Moved: 2}, 4},
		{"two lobes touch",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(3, 2), v2(4, 4), v2(0, 4), v2(0, 3), v2(3, 2), v2(0, 1)})),
			Report{Moved: 1}, 6},
		{"two lobes in one point",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(3, 2), v2(4, 4), v2(0, 4), v2(0, 3), v2(3, 2),
				v2(0, 1)}), 2, 6),
			Report{}, 4},
		{"slit in and out",
			with(input([]geom.Vec2{v2(0, 0), v2(2, 0), v2(2, 2), v2(2, 0), v2(4, 0), v2(4, 4), v2(0, 4)}), 1, 3),
			Report{}, 5},
		{"spike of no width",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(2, 4), v2(2, 6), v2(2, 4), v2(0, 4)}), 3, 5),
			Report{}, 3},
		{"spike back along a side",
			with(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(2, 0), v2(4, 4), v2(0, 4)})),
			Report{Moved: 1}, 3},
		{"free point on a side", input(square, []geom.Vec2{}), Report{}, 2},
	}
	cases[len(cases)-1].in.Points = append(cases[len(cases)-1].in.Points, v2(2, 0), v2(0, 0), v2(9, 9))
	var tr Triangulation
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := tr.Build(c.in); got != c.want {
				t.Fatalf("report %+v, want %+v", got, c.want)
			}
			if got := len(check(t, &tr, c.in)); got != c.n {
				t.Errorf("%d triangles, want %d", got, c.n)
			}
			for i, p := range c.in.Points {
				if d := tr.Point(int32(i)).Dist(p); d > 1e-6 {
					t.Errorf("point %d moved by %g", i, d)
				}
			}
		})
	}
}

func TestInvalidBoundariesFail(t *testing.T) {
	var tr Triangulation
	for _, c := range []struct {
		name string
		in   Input
	}{
		{"bow tie", input([]geom.Vec2{v2(0, 0), v2(4, 4), v2(4, 0), v2(0, 4)})},
		{"hole half outside", input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)},
			[]geom.Vec2{v2(2, -2), v2(1, 2), v2(3, 2)})},
	} {
		if r := tr.Build(c.in); !r.Failed {
			t.Errorf("%s: report %+v, want a failure", c.name, r)
		}
		pairs := 0
		tr.Crossings(func(i, j int32) {
			pairs++
			a, b := c.in.Points[i], c.in.Points[after(c.in, i)]
			p, q := c.in.Points[j], c.in.Points[after(c.in, j)]
			o := func(a, b, c geom.Vec2) float64 { return b.Sub(a).Cross(c.Sub(a)) }
			if o(a, b, p)*o(a, b, q) >= 0 || o(p, q, a)*o(p, q, b) >= 0 {
				t.Errorf("%s: the segments at %d and %d do not cross", c.name, i, j)
			}
		})
		if pairs == 0 {
			t.Errorf("%s: no crossing is named", c.name)
		}
	}
}

func TestDeepCrossingIsResolvedOnRequest(t *testing.T) {
	in := input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)}, []geom.Vec2{v2(2, -0.2), v2(1, 2), v2(3, 2)})
	var tr Triangulation
	if r := tr.Build(in); !r.Failed {
		t.Fatalf("report %+v, want a failure", r)
	}
	in.Depth = 0.2
	if r := tr.Build(in); r.Failed || r.Moved != 1 {
		t.Fatalf("report %+v, want one point moved", r)
	}
	in.Points[4] = tr.Point(4)
	if p := in.Points[4]; p.Y <= 0 || p.Y > 1e-6 || p.X != 2 {
		t.Errorf("moved to %v, want it just above (2, 0)", p)
	}
	if n := len(check(t, &tr, in)); n != 7 {
		t.Errorf("%d triangles, want 7", n)
	}
}

// after returns the ring point after point i.
func after(in Input, i int32) (j int32) {
	eachSegment(in, func(a, b int32) {
		if a == i {
			j = b
		}
	})
	return j
}

// TestHolesThatNearlyTouch puts a hole at a random tiny distance, of either sign, from the outer ring.
func TestHolesThatNearlyTouch(t *testing.T) {
	var tr Triangulation
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.SampledFrom([]float64{0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-10, -1e-10, 1e-8, -1e-8}).Draw(t, "gap")
		turn := rapid.Float64Range(0, 7).Draw(t, "turn")
		n := rapid.IntRange(3, 20).Draw(t, "n")
		s, c := math.Sincos(turn)
		in := input([]geom.Vec2{v2(0, 0), v2(10, 0), v2(10, 10), v2(0, 10)},
			ring(n, v2(5, 2+gap), 2, math.Pi/2, false))
		for i, p := range in.Points {
			in.Points[i] = v2(c*p.X-s*p.Y, s*p.X+c*p.Y)
			in.IDs = append(in.IDs, int32(i))
		}
		if r := tr.Build(in); r.Failed {
			t.Fatalf("failed with gap %g", gap)
		}
		if got := len(check(t, &tr, in)); got != n+4 {
			t.Fatalf("%d triangles, want %d", got, n+4)
		}
	})
}

// checkClip verifies that every segment is the side of one triangle and all other sides pair up.
func checkClip(t rapid.TB, in Input, holes int) {
	t.Helper()
	tris := Clip(in.Points, in.RingEnds, nil)
	if want := len(in.Points) - 2 + 2*holes; len(tris) != want {
		t.Fatalf("%d triangles, want %d", len(tris), want)
	}
	sides := map[[2]int32]int{}
	for _, c := range tris {
		for k := range 3 {
			sides[[2]int32{c[k], c[(k+1)%3]}]++
		}
	}
	eachSegment(in, func(i, j int32) { sides[[2]int32{j, i}]++ })
	for s, n := range sides {
		if n != sides[[2]int32{s[1], s[0]}] {
			t.Fatalf("edge %v is used %d times, its opposite %d times", s, n, sides[[2]int32{s[1], s[0]}])
		}
	}
}

func TestClipKeepsEverySegment(t *testing.T) {
	square := []geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)}
	checkClip(t, input(square), 0)
	checkClip(t, input([]geom.Vec2{v2(0, 0), v2(4, 4), v2(4, 0), v2(0, 4)}), 0)
	checkClip(t, input(square, []geom.Vec2{v2(2, -2), v2(1, 2), v2(3, 2)}), 1)
	checkClip(t, input(square, square), 1)
	if got := Clip(nil, nil, nil); len(got) != 0 {
		t.Errorf("triangles of nothing: %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		var rings [][]geom.Vec2
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			var r []geom.Vec2
			for range rapid.IntRange(3, 12).Draw(t, "n") {
				r = append(r, v2(rapid.Float64Range(0, 9).Draw(t, "x"), rapid.Float64Range(0, 9).Draw(t, "y")))
			}
			rings = append(rings, r)
		}
		checkClip(t, input(rings...), len(rings)-1)
	})
}

func TestClipOfProperRingsDoesNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := input(starPolygon(t, rapid.IntRange(5, 40).Draw(t, "n"), 3, 10, true),
			starPolygon(t, rapid.IntRange(5, 12).Draw(t, "h"), 0.2, 1, false))
		checkClip(t, in, 1)
		for _, c := range Clip(in.Points, in.RingEnds, nil) {
			a, b, d := in.Points[c[0]], in.Points[c[1]], in.Points[c[2]]
			if b.Sub(a).Cross(d.Sub(a)) < -1e-9 {
				t.Fatalf("triangle %v %v %v turns right", a, b, d)
			}
		}
	})
}
