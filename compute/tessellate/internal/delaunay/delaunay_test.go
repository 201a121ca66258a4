package delaunay

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// check verifies everything a result promises. Triangles are over the points as moved.
func check(t rapid.TB, tr *Triangulation, in Input) [][3]int32 {
	t.Helper()
	tris := tr.Append(nil)
	sides := map[[2]int32]int{}
	area := 0.0
	for _, c := range tris {
		a, b, d := tr.Point(c[0]), tr.Point(c[1]), tr.Point(c[2])
		if predicate.Orient2D(a, b, d) <= 0 {
			t.Fatalf("triangle %v %v %v %v does not turn left", c, a, b, d)
		}
		area += b.Sub(a).Cross(d.Sub(a)) / 2
		for k := range 3 {
			sides[[2]int32{c[k], c[(k+1)%3]}]++
		}
	}
	want, scale := 0.0, 0.0
	eachSegment(in, func(i, j int32) {
		a, b := in.Points[i], in.Points[j]
		want += a.Cross(b) / 2
		scale = max(scale, a.Norm2())
		i, j = tr.alias[i+super]-super, tr.alias[j+super]-super
		if i != j {
			sides[[2]int32{j, i}]++
		}
	})
	if math.Abs(area-want) > 1e-6*scale {
		t.Fatalf("area %g, want %g", area, want)
	}
	for s, n := range sides {
		if n != sides[[2]int32{s[1], s[0]}] {
			t.Fatalf("edge %v is used %d times, its opposite %d times", s, n, sides[[2]int32{s[1], s[0]}])
		}
	}
	checkDelaunay(t, tr)
	return tris
}

func eachSegment(in Input, f func(i, j int32)) {
	begin := int32(0)
	for _, end := range in.RingEnds {
		for i := begin; i < end; i++ {
			j := i + 1
			if j == end {
				j = begin
			}
			f(i, j)
		}
		begin = end
	}
}

// checkDelaunay verifies the links, the fixed marks and that no free edge wants to be flipped.
func checkDelaunay(t rapid.TB, tr *Triangulation) {
	t.Helper()
	for s := range tr.Slots() {
		if !tr.Inside(s) {
			continue
		}
		for k := range int32(3) {
			e := tr.Edge(s, k)
			f := tr.Twin(e)
			if tr.Twin(f) != e || tr.Origin(f) != tr.Origin(tr.Next(e)) || tr.Fixed(e) != tr.Fixed(f) {
				t.Fatalf("half-edges %d and %d are no twins", e, f)
			}
			if tr.Fixed(e) {
				continue
			}
			if !tr.Inside(tr.Triangle(f)) {
				t.Fatalf("free edge %d on the border of the region", e)
			}
			p, q := tr.Point(tr.Origin(e)), tr.Point(tr.Origin(f))
			a, b := tr.Point(tr.Origin(prev(e))), tr.Point(tr.Origin(prev(f)))
			// On the circle within rounding the filter may decide from one side only.
			if predicate.SurelyInCircle(p, q, a, b) && predicate.SurelyInCircle(q, p, b, a) {
				t.Fatalf("edge %v–%v is not Delaunay", p, q)
			}
		}
	}
}

func ring(n int, c geom.Vec2, r, phase float64, ccw bool) []geom.Vec2 {
	var out []geom.Vec2
	for i := range n {
		a := phase + 2*math.Pi*float64(i)/float64(n)
		if !ccw {
			a = -a
		}
		out = append(out, v2(c.X+r*math.Cos(a), c.Y+r*math.Sin(a)))
	}
	return out
}

func input(rings ...[]geom.Vec2) Input {
	var in Input
	for _, r := range rings {
		in.Points = append(in.Points, r...)
		in.RingEnds = append(in.RingEnds, int32(len(in.Points)))
	}
	return in
}

func TestTriangleCounts(t *testing.T) {
	square := []geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)}
	comb := []geom.Vec2{v2(0, 0), v2(9, 0), v2(9, 5), v2(7, 5), v2(7, 1), v2(5, 1), v2(5, 5), v2(4, 5), v2(4, 1),
		v2(2, 1), v2(2, 5), v2(0, 5)}
	var collinear []geom.Vec2
	for i := range 10 {
		collinear = append(collinear, v2(float64(i)*0.4, 0))
	}
	collinear = append(collinear, v2(4, 0), v2(4, 0.1), v2(2, 4), v2(0, 3))
	cases := []struct {
		name string
		in   Input
		want int
	}{
		{"triangle", input([]geom.Vec2{v2(0, 0), v2(1, 0), v2(0, 1)}), 1},
		{"square", input(square), 2},
		{"comb with slots in line", input(comb), 10},
		{"collinear points on a side", input(collinear), 12},
		{"regular 64-gon", input(ring(64, v2(1, 2), 3, 0.1, true)), 62},
		{"annulus", input(ring(40, v2(0, 0), 5, 0, true), ring(30, v2(0, 0), 2, 0.3, false)), 70},
		{"four holes", input(square, ring(9, v2(1, 1), 0.5, 0, false), ring(9, v2(3, 1), 0.5, 0, false),
			ring(9, v2(3, 3), 0.5, 0, false), ring(9, v2(1, 3), 0.5, 0, false)), 2 + 4*11},
		{"hole nearly touching", input(square, ring(4, v2(2, 1), 1-1e-13, math.Pi/2, false)), 8},
		{"needle", input([]geom.Vec2{v2(0, 0), v2(1e9, 0), v2(1e9, 1e-9), v2(0, 1e-9)}), 2},
		{"clockwise: nothing inside", input([]geom.Vec2{v2(0, 0), v2(0, 1), v2(1, 0)}), 0},
	}
	var tr Triangulation
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if r := tr.Build(c.in); r != (Report{}) {
				t.Fatalf("report %+v", r)
			}
			if c.want == 0 {
				if got := tr.Append(nil); len(got) != 0 {
					t.Errorf("%d triangles, want none", len(got))
				}
				return
			}
			if got := check(t, &tr, c.in); len(got) != c.want {
				t.Errorf("%d triangles, want %d", len(got), c.want)
			}
		})
	}
}

func TestInputsThatSpanNoArea(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Input
	}{
		{"empty", Input{}},
		{"two points", input([]geom.Vec2{v2(0, 0), v2(1, 0)})},
		{"one place", input([]geom.Vec2{v2(1, 1), v2(1, 1), v2(1, 1)})},
		{"not a number", input([]geom.Vec2{v2(0, 0), v2(1, 0), v2(math.NaN(), 1)})},
		{"infinite", input([]geom.Vec2{v2(0, 0), v2(1, 0), v2(0, math.Inf(1))})},
		{"opposite infinities", input([]geom.Vec2{v2(0, 0), v2(math.Inf(-1), 0), v2(0, math.Inf(1))})},
	} {
		var tr Triangulation
		if r := tr.Build(c.in); !r.Failed || len(tr.Append(nil)) != 0 {
			t.Errorf("%s: report %+v and %d triangles, want a failure and none", c.name, r, len(tr.Append(nil)))
		}
	}
}

// starPolygon draws a simple polygon around the origin with radii in [lo, hi].
func starPolygon(t *rapid.T, n int, lo, hi float64, ccw bool) []geom.Vec2 {
	var out []geom.Vec2
	for i := range n {
		a := 2 * math.Pi * (float64(i) + rapid.Float64Range(0, 0.8).Draw(t, "turn")) / float64(n)
		if !ccw {
			a = -a
		}
		r := rapid.Float64Range(lo, hi).Draw(t, "radius")
		out = append(out, v2(r*math.Cos(a), r*math.Sin(a)))
	}
	return out
}

func TestRandomStarsWithHoleAndFreePoints(t *testing.T) {
	var tr Triangulation
	rapid.Check(t, func(t *rapid.T) {
		n, h := rapid.IntRange(5, 60).Draw(t, "n"), rapid.IntRange(5, 30).Draw(t, "h")
		in := input(starPolygon(t, n, 3, 10, true), starPolygon(t, h, 0.2, 1, false))
		free := rapid.IntRange(0, 50).Draw(t, "free")
		for range free {
			in.Points = append(in.Points,
				v2(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y")))
		}
		if r := tr.Build(in); r.Failed {
			t.Fatalf("failed: %+v", r)
		}
		tris := check(t, &tr, in)
		used := map[int32]bool{}
		for _, c := range tris {
			for _, v := range c {
				used[v] = true
			}
		}
		// Euler: a region with one hole over V points and B boundary segments has 2V − B triangles.
		if want := 2*len(used) - (n + h); len(tris) != want {
			t.Fatalf("%d triangles, want %d", len(tris), want)
		}
	})
}

// TestGridPolygons triangulates rectilinear staircases on integer coordinates, where all points are collinear or
// cocircular.
func TestGridPolygons(t *testing.T) {
	var tr Triangulation
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "columns")
		var top []geom.Vec2
		pts := []geom.Vec2{v2(0, 0)}
		for i := range n {
			pts = append(pts, v2(float64(i+1), 0))
			h := float64(rapid.IntRange(1, 5).Draw(t, "height"))
			top = append(top, v2(float64(i), h), v2(float64(i+1), h))
		}
		slices.Reverse(top)
		for _, p := range top {
			if p != pts[len(pts)-1] {
				pts = append(pts, p)
			}
		}
		in := input(pts)
		for range rapid.IntRange(0, 20).Draw(t, "free") {
			in.Points = append(in.Points, v2(float64(rapid.IntRange(0, n).Draw(t, "x"))+0.5,
				float64(rapid.IntRange(0, 4).Draw(t, "y"))+0.5))
		}
		if r := tr.Build(in); r != (Report{}) {
			t.Fatalf("report %+v for %v", r, in.Points)
		}
		check(t, &tr, in)
	})
}

func TestInsertKeepsTheTriangulationDelaunay(t *testing.T) {
	var tr Triangulation
	rapid.Check(t, func(t *rapid.T) {
		in := input(starPolygon(t, rapid.IntRange(5, 40).Draw(t, "n"), 3, 10, true),
			starPolygon(t, rapid.IntRange(5, 20).Draw(t, "h"), 0.2, 1, false))
		if r := tr.Build(in); r.Failed {
			t.Fatalf("failed: %+v", r)
		}
		before := len(tr.Append(nil))
		added := 0
		for range rapid.IntRange(1, 40).Draw(t, "inserts") {
			s := int32(rapid.IntRange(0, int(tr.Slots())-1).Draw(t, "triangle"))
			if !tr.Inside(s) {
				continue
			}
			p := v2(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y"))
			v, ok := tr.Insert(p, tr.Edge(s, 0))
			if !ok {
				continue
			}
			added++
			if tr.Point(v) != p || tr.Origin(tr.Out(v)) != v {
				t.Fatalf("point %d is at %v, want %v", v, tr.Point(v), p)
			}
			if e := tr.Out(v); tr.Origin(tr.Around(e)) != v {
				t.Fatalf("Around leaves the point")
			}
		}
		if got, want := len(check(t, &tr, in)), before+2*added; got != want {
			t.Fatalf("%d triangles, want %d", got, want)
		}
	})
}

func TestInsertRefusesTheBoundaryAndTheOutside(t *testing.T) {
	var tr Triangulation
	tr.Build(input([]geom.Vec2{v2(0, 0), v2(4, 0), v2(4, 4), v2(0, 4)}))
	e := int32(none)
	for s := range tr.Slots() {
		if tr.Inside(s) {
			e = tr.Edge(s, 0)
		}
	}
	for _, p := range []geom.Vec2{v2(5, 1), v2(2, 0), v2(4, 4), v2(-1e-9, 2)} {
		if _, ok := tr.Insert(p, e); ok {
			t.Errorf("Insert(%v) was accepted", p)
		}
	}
	if _, ok := tr.Insert(v2(2, 2), e); !ok {
		t.Errorf("Insert on the diagonal was refused")
	}
	if _, ok := tr.Locate(v2(1, 1), e); !ok {
		t.Errorf("Locate inside failed")
	}
	if _, ok := tr.Locate(v2(9, 1), e); ok {
		t.Errorf("Locate outside succeeded")
	}
}

func TestResultIsIndependentOfState(t *testing.T) {
	in := input(ring(300, v2(0, 0), 5, 0, true), ring(100, v2(1, 0), 2, 0.3, false))
	var a, b Triangulation
	a.Build(in)
	want := a.Append(nil)
	b.Build(input(ring(7, v2(3, 3), 1, 0, true)))
	b.Build(in)
	if got := b.Append(nil); !slices.Equal(got, want) {
		t.Errorf("a used triangulation gives another result")
	}
}

// TestRecoveryVisitsCrossedEdgesFewTimes builds a fan over an arc that bulges toward its tip. At first only the edges
// at its ends can be flipped.
func TestRecoveryVisitsCrossedEdgesFewTimes(t *testing.T) {
	const n = 2000
	pts := []geom.Vec2{v2(-50, 5), v2(50, 5), v2(0, 10)}
	for i := range n {
		x := 20*float64(i)/n - 10
		pts = append(pts, v2(x, -x*x/100))
	}
	var tr Triangulation
	tr.load(Input{Points: pts})
	tr.start()
	tr.insertAll()
	const a, b = super, super + 1
	if !tr.crossed(a, b) || len(tr.cross) < n {
		t.Fatalf("%d edges crossed, want %d at least", len(tr.cross), n)
	}
	crossed := len(tr.cross)
	const most = 10 // looks at an edge
	if looked := tr.uncross(a, b); looked > most*crossed || tr.edge(a, b) == none {
		t.Errorf("%d looks at %d crossed edges, half-edge %d", looked, crossed, tr.edge(a, b))
	}
}

func TestNoAllocationOnceWarm(t *testing.T) {
	in := input(ring(600, v2(0, 0), 5, 0, true), ring(100, v2(1, 0), 2, 0.3, false))
	var tr Triangulation
	tr.Build(in)
	if n := testing.AllocsPerRun(5, func() { tr.Build(in) }); n > 1 {
		t.Errorf("%g allocations", n)
	}
}

func TestHilbertVisitsNeighbors(t *testing.T) {
	const n = 32
	at := map[uint32][2]int{}
	for x := range n {
		for y := range n {
			at[hilbert(uint32(x), uint32(y))] = [2]int{x, y}
		}
	}
	for d := uint32(0); d < n*n-1; d++ {
		a, ok := at[d]
		b, ok2 := at[d+1]
		if step := math.Abs(float64(a[0]-b[0])) + math.Abs(float64(a[1]-b[1])); !ok || !ok2 || step != 1 {
			t.Fatalf("places %d and %d are cells %v and %v", d, d+1, a, b)
		}
	}
}

func TestRadixSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.Uint64Range(0, 1<<(32+2*hilbertBits)-1)).Draw(t, "keys")
		for i := range keys {
			keys[i] = keys[i]>>32<<32 | uint64(i)
		}
		want := slices.Clone(keys)
		slices.Sort(want)
		got, _ := radix(keys, make([]uint64, len(keys)))
		if !slices.Equal(got, want) {
			t.Fatalf("radix gave %v, want %v", got, want)
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{8, 64, 512, 8192} {
		b.Run(fmt.Sprintf("ring of %d", n), func(b *testing.B) {
			benchBuild(b, input(ring(n*2/3, v2(0, 0), 5, 0, true), ring(n/3, v2(1, 0), 2, 0.3, false)))
		})
	}
	in := input([]geom.Vec2{v2(-1, -1), v2(101, -1), v2(101, 101), v2(-1, 101)})
	for i := range 100 {
		for j := range 100 {
			in.Points = append(in.Points, v2(float64(i)+0.5*float64(j%2), 0.866*float64(j)))
		}
	}
	b.Run("grid of 10000", func(b *testing.B) { benchBuild(b, in) })
}

func benchBuild(b *testing.B, in Input) {
	var tr Triangulation
	for b.Loop() {
		if r := tr.Build(in); r.Failed {
			b.Fatal("failed")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in.Points)), "ns/point")
}
