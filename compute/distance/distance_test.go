package distance_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/distance/distancetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestCPU(t *testing.T) {
	distancetest.Suite(t, primitive.OnCPU(3))
	distancetest.SignedSuite(t, primitive.OnCPU(3))
}

// TestDistanceIsDeterministic compares grids of many bands over different numbers of threads.
func TestDistanceIsDeterministic(t *testing.T) {
	grid := grid.Grid{Step: 0.05, Width: 1500, Height: 1200}
	in := distance.Input{Grid: grid, Set: blobs(grid, 40)}
	signed := distance.SignedInput{Grid: grid, Field: waves(grid)}
	want, err := distance.Binary.Run(context.Background(), primitive.OnCPU(1), in)
	if err != nil {
		t.Fatal(err)
	}
	wantSigned, err := distance.Signed.Run(context.Background(), primitive.OnCPU(1), signed)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 7} {
		got, err := distance.Binary.Run(context.Background(), primitive.OnCPU(threads), in)
		if err != nil || !slices.Equal(got.Squared, want.Squared) || !slices.Equal(got.Nearest, want.Nearest) {
			t.Errorf("%d threads: binary field differs from one thread, %v", threads, err)
		}
		out, err := distance.Signed.Run(context.Background(), primitive.OnCPU(threads), signed)
		if err != nil || !slices.Equal(out.Squared, wantSigned.Squared) ||
			!slices.Equal(out.Nearest, wantSigned.Nearest) {
			t.Errorf("%d threads: signed field differs from one thread, %v", threads, err)
		}
	}
}

// TestSignedDistanceOfACircle checks that the distance to the sites of a circle exceeds the distance to the circle by
// no more than the stated bound, and has its sign. The linear zero between two cells misses a circle of radius r by
// step²/8r, the line between two sites by another step²/4r, and a site is rounded to one unit.
func TestSignedDistanceOfACircle(t *testing.T) {
	g := grid.Grid{Step: 0.1, Width: 300, Height: 280}
	const r = 9.0
	in := distance.SignedInput{Grid: g, Field: make([]float32, g.Len())}
	exact := make([]float64, g.Len())
	for c := range exact {
		x, y := float64(c%g.Width)*g.Step, float64(c/g.Width)*g.Step
		exact[c] = math.Hypot(x-14.03, y-13.48) - r
		in.Field[c] = float32(exact[c])
	}
	out, err := distance.Signed.Run(context.Background(), primitive.OnCPU(2), in)
	if err != nil {
		t.Fatal(err)
	}
	off := 3*g.Step*g.Step/(8*(r-g.Step)) + 1.01*g.Step/distance.Fine
	for c, want := range exact {
		got := in.Distance(&out, c)
		d := math.Abs(want)
		if got*want < 0 || math.Abs(got) < d-off || got*got > (d+off)*(d+off)+g.Step*g.Step/2 {
			t.Fatalf("cell %d is %g mm from the contour, the circle %g", c, got, want)
		}
	}
}

// blobs sets the rims of random discs and some single cells.
func blobs(g grid.Grid, count int) []uint8 {
	rng := rand.New(rand.NewPCG(3, 4))
	set := make([]uint8, g.Len())
	size := float64(min(g.Width, g.Height))
	for range count {
		x, y, r := rng.IntN(g.Width), rng.IntN(g.Height), size*(0.01+0.1*rng.Float64())
		for k := range int(7 * r) {
			s, c := math.Sincos(float64(k) / r)
			i, j := x+int(c*r), y+int(s*r)
			if i >= 0 && i < g.Width && j >= 0 && j < g.Height {
				set[j*g.Width+i] = 1
			}
		}
		set[rng.IntN(len(set))] = 1
	}
	return set
}

// waves is a smooth field with a winding contour.
func waves(g grid.Grid) []float32 {
	f := make([]float32, g.Len())
	for k := range f {
		x, y := float64(k%g.Width), float64(k/g.Width)
		f[k] = float32(math.Sin(x/47) + math.Cos(y/61) + 0.3*math.Sin((x+y)/23))
	}
	return f
}

func BenchmarkDistance(b *testing.B) {
	for _, size := range []int{512, 2048, 4096} {
		g := grid.Grid{Step: 0.1, Width: size, Height: size}
		rng := rand.New(rand.NewPCG(5, 6))
		noise := make([]uint8, g.Len())
		for i := range noise {
			noise[i] = uint8(rng.IntN(20) / 19)
		}
		for name, set := range map[string][]uint8{"outlines": blobs(g, 40), "noise": noise} {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/size=%d/threads=%d", name, size, threads), func(b *testing.B) {
					for b.Loop() {
						in := distance.Input{Grid: g, Set: set}
						if _, err := distance.Binary.Run(context.Background(), primitive.OnCPU(threads),
							in); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(g.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mcells/s")
				})
			}
		}
	}
}

func BenchmarkSignedDistance(b *testing.B) {
	g := grid.Grid{Step: 0.1, Width: 2048, Height: 2048}
	field := waves(g)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				in := distance.SignedInput{Grid: g, Field: field}
				if _, err := distance.Signed.Run(context.Background(), primitive.OnCPU(threads), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mcells/s")
		})
	}
}
