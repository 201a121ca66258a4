package visibility

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright/compute/kernel"
	"millwright/core/geom"
)

// randomTriangles is a soup of triangles of very different sizes with samples among them.
func randomTriangles(rng *rand.Rand, triangles, samples int) *kernel.VisibilityInput {
	in := &kernel.VisibilityInput{}
	at := func() geom.Vec3 { return geom.Vec3{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()} }
	for i := range int32(triangles) {
		p := at()
		size := []float64{0.01, 0.1, 1}[i%3]
		in.Points = append(in.Points, p, p.AddScaled(size, at()), p.AddScaled(size, at()))
		in.Triangles = append(in.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	for range samples {
		in.Samples = append(in.Samples, [3]float32{rng.Float32(), rng.Float32(), rng.Float32()})
	}
	for range 20 {
		in.Directions = append(in.Directions, at().Sub(at()).Unit())
	}
	return in
}

// sees returns a number that tells answers apart, and fails when nothing or everything is visible.
func sees(t *testing.T, in *kernel.VisibilityInput) uint64 {
	t.Helper()
	out, err := Samples(context.Background(), in, 1, inTurn)
	if err != nil {
		t.Fatal(err)
	}
	sum, seen := uint64(0), 0
	for d, row := range out.Rows {
		for _, w := range row {
			sum = sum*31 + w
		}
		seen += out.Count(d, 0, len(in.Samples))
	}
	if seen == 0 || seen == len(in.Samples)*len(in.Directions) {
		t.Fatalf("%d samples are visible: the test says nothing", seen)
	}
	return sum
}

func inTurn(ctx context.Context, tasks int, worker func() func(int)) error {
	do := worker()
	for i := range tasks {
		do(i)
	}
	return ctx.Err()
}

// Directions that are shared among goroutines give the same bits as those that are not.
func TestPartsAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	in := randomTriangles(rng, 200, 5*leastPart+77)
	for _, dirs := range []int{1, 3} {
		in.Directions = in.Directions[:dirs]
		want, err := Samples(context.Background(), in, 1, inTurn)
		if err != nil {
			t.Fatal(err)
		}
		for _, goroutines := range []int{2, 3, 16} {
			tasks := 0
			counted := func(ctx context.Context, n int, worker func() func(int)) error {
				tasks = n
				return inTurn(ctx, n, worker)
			}
			got, err := Samples(context.Background(), in, goroutines, counted)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got.Rows, want.Rows, slices.Equal[[]uint64]) {
				t.Errorf("%d directions on %d goroutines are seen otherwise", dirs, goroutines)
			}
			if tasks < min(goroutines, 5*dirs) {
				t.Errorf("%d directions on %d goroutines are %d tasks", dirs, goroutines, tasks)
			}
		}
	}
}

// A view stops between chunks of triangles when its context ends.
func TestSamplesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := randomTriangles(rand.New(rand.NewPCG(1, 2)), 10, 10)
	never := func(_ context.Context, tasks int, worker func() func(int)) error {
		return inTurn(context.Background(), tasks, worker)
	}
	if _, err := Samples(ctx, in, 1, never); err == nil {
		t.Error("the answer of a call that was stopped was returned")
	}
}
