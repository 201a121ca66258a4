package delaunay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// spiral is a band of the given number of turns around the origin, with n points on either side.
func spiral(n int, turns float64) []geom.Vec2 {
	out := make([]geom.Vec2, 2*n)
	for i := range n {
		a := 2 * math.Pi * turns * float64(i) / float64(n)
		s, c := math.Sincos(a)
		out[i] = v2((2+a)*c, (2+a)*s)
		out[2*n-1-i] = v2((1+a)*c, (1+a)*s)
	}
	return out
}

// comb has n teeth in a row, long and thin.
func comb(n int) []geom.Vec2 {
	out := []geom.Vec2{v2(0, 0), v2(float64(n), 0)}
	for i := n - 1; i >= 0; i-- {
		out = append(out, v2(float64(i)+0.9, 40), v2(float64(i)+0.1, 40), v2(float64(i)+0.05, 1))
	}
	return out
}

// sieve is a plate with n × n holes of k points.
func sieve(n, k int) Input {
	side := float64(n)
	rings := [][]geom.Vec2{{v2(0, 0), v2(side, 0), v2(side, side), v2(0, side)}}
	for i := range n * n {
		rings = append(rings, ring(k, v2(float64(i%n)+0.5, float64(i/n)+0.5), 0.3, 0.1*float64(i), false))
	}
	return input(rings...)
}

// TestClipExaminesFewCorners checks that the number of examined corners, segments and cells grows with the number of
// points and stays far below the limit, for valid rings of any form.
func TestClipExaminesFewCorners(t *testing.T) {
	for _, c := range []struct {
		name     string
		in       func(size int) Input
		perPoint int
	}{
		{"circle", func(n int) Input { return input(ring(n, v2(3, 1), 5, 0, true)) }, 90},
		{"spiral", func(n int) Input { return input(spiral(n/2, 20)) }, 90},
		{"comb", func(n int) Input { return input(comb(n / 3)) }, 90},
		{"sieve", func(n int) Input { return sieve(int(math.Sqrt(float64(n)/8)), 8) }, 90},
	} {
		for _, size := range []int{1000, 16000} {
			t.Run(fmt.Sprintf("%s of %d", c.name, size), func(t *testing.T) {
				in := c.in(size)
				spent, dst := clipCounted(in)
				if most := c.perPoint * len(in.Points); spent > most {
					t.Errorf("%d tests for %d points, want at most %d", spent, len(in.Points), most)
				}
				area, want := 0.0, 0.0
				for _, v := range dst {
					a, b, d := in.Points[v[0]], in.Points[v[1]], in.Points[v[2]]
					area += math.Abs(b.Sub(a).Cross(d.Sub(a))) / 2
				}
				eachSegment(in, func(i, j int32) { want += in.Points[i].Cross(in.Points[j]) / 2 })
				if math.Abs(area-want) > 1e-9*want {
					t.Errorf("triangles of an area of %g, want %g: they overlap", area, want)
				}
			})
		}
	}
}

// clipCounted clips and returns the number of tests with the triangles.
func clipCounted(in Input) (int, [][3]int32) {
	var spent int
	dst := clip(in.Points, in.RingEnds, nil, &spent)
	return spent, dst
}

// TestClipOfManyCrossingSegments: rings without any order are closed, too, with a bounded number of tests.
func TestClipOfManyCrossingSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, holes := range []int{0, 1, 200} {
		var rings [][]geom.Vec2
		for h := range holes + 1 {
			r := make([]geom.Vec2, 3000)
			if h > 0 {
				r = r[:3000/holes]
			}
			for i := range r {
				r[i] = v2(random.Float64(), random.Float64())
			}
			rings = append(rings, r)
		}
		in := input(rings...)
		checkClip(t, in, holes)
		spent, _ := clipCounted(in)
		const overrun = 1000 // of the last ear, bridge or shell per ring
		if most := testsPerPoint*len(in.Points) + fewTests + overrun*len(in.Points); spent > most {
			t.Errorf("%d holes: %d tests, want at most %d", holes, spent, most)
		}
	}
}

// TestClipOfNonFinitePoints checks that non-finite points are corners like all others.
func TestClipOfNonFinitePoints(t *testing.T) {
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e-320}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.SampledFrom(bad))
		var rings [][]geom.Vec2
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			var r []geom.Vec2
			for range rapid.IntRange(3, 9).Draw(t, "n") {
				r = append(r, v2(number.Draw(t, "x"), number.Draw(t, "y")))
			}
			rings = append(rings, r)
		}
		checkClip(t, input(rings...), len(rings)-1)
	})
}

// cloud draws points somewhere, near to or far from the origin.
func cloud(t *rapid.T) []geom.Vec2 {
	far := rapid.SampledFrom([]float64{0, 1, 1e6, -1e9}).Draw(t, "far")
	scale := rapid.SampledFrom([]float64{1, 1e-3, 1e4}).Draw(t, "scale")
	number := rapid.Float64Range(0, 1)
	all := make([]geom.Vec2, rapid.IntRange(3, 60).Draw(t, "points"))
	for i := range all {
		all[i] = v2(far+scale*number.Draw(t, "x"), scale*number.Draw(t, "y"))
	}
	return all
}

// TestCellsCoverSegments: each point of a segment lies in a cell that cover visits.
func TestCellsCoverSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := cloud(t)
		var g cells
		g.set(all, rapid.IntRange(1, 300).Draw(t, "cells"), 0)
		visited := map[int32]bool{}
		a, b := all[0], all[1]
		g.cover(a, b, func(cell int32) bool {
			visited[cell] = true
			return true
		})
		const steps = 50
		for i := range steps + 1 {
			p := a.Lerp(b, float64(i)/steps)
			q := g.place(p)
			if x, y := index(q.X, g.nx), index(q.Y, g.ny); !visited[g.cell(x, y)] {
				t.Fatalf("cell %d, %d of %v in %v %v is left out", x, y, p, a, b)
			}
		}
	})
}

// TestTreeFindsActivePoints compares the tree with a search of all points. It must find every active point in the
// triangle, and return the nearest in order.
func TestTreeFindsActivePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := cloud(t)
		var tr tree
		tr.set(all)
		alive := make([]bool, len(all))
		for i := range alive {
			if alive[i] = rapid.Bool().Draw(t, "alive"); alive[i] {
				tr.count(int32(i), 1)
			}
		}
		a, b, c := all[0], all[1], all[2]
		switch turn := predicate.Orient2D(a, b, c); {
		case turn == 0:
			t.Skip("no triangle")
		case turn < 0:
			b, c = c, b
		}
		found := make([]bool, len(all))
		tr.within(a, b, c, func(p int32) bool {
			found[p] = true
			return true
		})
		for i, x := range all {
			if alive[i] && !found[i] && predicate.Orient2D(a, b, x) >= 0 && predicate.Orient2D(b, c, x) >= 0 &&
				predicate.Orient2D(c, a, x) >= 0 {
				t.Errorf("point %d, %v, in %v %v %v is left out", i, x, a, b, c)
			}
		}
		last, seen := 0.0, make([]bool, len(all))
		from := v2(a.X+0.3, b.Y-0.2)
		tr.nearest(from, func(p int32) bool {
			d := all[p].Sub(from).Norm2()
			if d < last || seen[p] {
				t.Errorf("point %d at %g after one at %g", p, d, last)
			}
			last, seen[p] = d, true
			return true
		})
		for i := range all {
			if alive[i] && !seen[i] {
				t.Errorf("point %d is not among the nearest", i)
			}
		}
	})
}

func BenchmarkClip(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		in := input(spiral(n/2, 20))
		b.Run(fmt.Sprintf("spiral of %d", n), func(b *testing.B) {
			for b.Loop() {
				Clip(in.Points, in.RingEnds, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/point")
		})
	}
}
