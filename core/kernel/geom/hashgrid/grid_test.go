package hashgrid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

func filled(size float64, points []geom.Vec3) *Grid[[]int] {
	g := New[[]int](size)
	for i, p := range points {
		at := g.At(p)
		*at = append(*at, i)
	}
	return g
}

func somePoints(t *rapid.T) []geom.Vec3 {
	coordinate := rapid.Float64Range(-20, 20)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) geom.Vec3 {
		return geom.Vec3{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y"), Z: coordinate.Draw(t, "z")}
	}), 0, 300).Draw(t, "points")
}

// TestAround checks that every item within the cell size is visited, each once, and no item farther than two cells.
func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := append(somePoints(t), geom.Vec3{})
		size := rapid.SampledFrom([]float64{0.01, 0.7, 1, 3, 100}).Draw(t, "size")
		g := filled(size, points)
		for i, p := range points {
			seen := map[int]bool{}
			g.Around(p, func(list *[]int) {
				for _, k := range *list {
					if seen[k] {
						t.Fatalf("point %d is visited twice from %d", k, i)
					}
					seen[k] = true
				}
			})
			for k, q := range points {
				d := q.Sub(p)
				switch off := max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) / size; {
				case off < 1-1e-12 && !seen[k]:
					t.Fatalf("point %d, %g cells from %d, is not visited", k, off, i)
				case off > 2+1e-12 && seen[k]:
					t.Fatalf("point %d, %g cells from %d, is visited", k, off, i)
				}
			}
		}
	})
}

func TestMeeting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := append(somePoints(t), geom.Vec3{X: 1, Y: 2, Z: 3})
		g := filled(rapid.Float64Range(0.5, 30).Draw(t, "size"), points)
		box := geom.BoxOf(points[0], points[len(points)/2])
		var seen []int
		g.Meeting(box, func(list *[]int) { seen = append(seen, *list...) })
		for k, q := range points {
			off := max(box.Min.X-q.X, q.X-box.Max.X, box.Min.Y-q.Y, q.Y-box.Max.Y, box.Min.Z-q.Z, q.Z-box.Max.Z)
			switch isSeen := slices.Contains(seen, k); {
			case off <= 0 && !isSeen:
				t.Fatalf("point %d, %v, is in the box %v and is not visited", k, q, box)
			case off > g.Size() && isSeen:
				t.Fatalf("point %d, %v, is %g off the box %v and is visited", k, q, off, box)
			}
		}
	})
}

// Each visits all cells, those with the first points first.
func TestEach(t *testing.T) {
	points := make([]geom.Vec3, 1000)
	for i := range points {
		points[i] = geom.Vec3{X: float64(i / 2), Y: -float64(i / 20)}
	}
	var got []int
	filled(1, points).Each(func(list *[]int) { got = append(got, *list...) })
	for i := range points {
		if i >= len(got) || got[i] != i {
			t.Fatalf("visited %v, want the numbers from 0 to %d in order", got, len(points)-1)
		}
	}
}

// TestPointsOutOfRange checks that a point out of range still has a cell, and finds itself there.
func TestPointsOutOfRange(t *testing.T) {
	inf := math.Inf(1)
	for _, p := range []geom.Vec3{
		{X: inf}, {Y: -inf}, {Z: math.NaN()}, {X: 1e300, Y: -1e300, Z: 1e19}, {X: math.MaxFloat64, Y: inf, Z: -inf},
	} {
		g := filled(1e-9, []geom.Vec3{p})
		found := 0
		g.Around(p, func(list *[]int) { found += len(*list) })
		if found != 1 {
			t.Errorf("%v is found %d times, want once", p, found)
		}
	}
}

func BenchmarkAround(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			points := make([]geom.Vec3, n)
			side := math.Cbrt(float64(n))
			for i := range points {
				points[i] = geom.Vec3{X: side * rng.Float64(), Y: side * rng.Float64(), Z: side * rng.Float64()}
			}
			g := filled(1, points)
			b.ResetTimer()
			found := 0
			for i := range b.N {
				g.Around(points[i%n], func(list *[]int) { found += len(*list) })
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
		})
	}
}
