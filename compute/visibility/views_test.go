package visibility

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// randomTriangles is a soup of triangles of very different sizes with samples among them.
func randomTriangles(rng *rand.Rand, triangles, samples int) *Input {
	in := &Input{}
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

// setVectors enables or disables vectors until the test ends.
func setVectors(t *testing.T, on bool) {
	before := vectors
	vectors = on
	t.Cleanup(func() { vectors = before })
}

// sees returns a number that identifies the result, and fails when all or no samples are visible.
func sees(t *testing.T, in *Input) uint64 {
	t.Helper()
	out, err := see(context.Background(), in, 1, inTurn)
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

// TestSharedDirectionsGiveSameBits checks that a direction shared among goroutines gives the same bits as one that is
// not.
func TestSharedDirectionsGiveSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	in := randomTriangles(rng, 200, 5*leastPart+77)
	for _, dirs := range []int{1, 3} {
		in.Directions = in.Directions[:dirs]
		want, err := see(context.Background(), in, 1, inTurn)
		if err != nil {
			t.Fatal(err)
		}
		for _, goroutines := range []int{2, 3, 16} {
			tasks := 0
			counted := func(ctx context.Context, n int, worker func() func(int)) error {
				tasks = n
				return inTurn(ctx, n, worker)
			}
			got, err := see(context.Background(), in, goroutines, counted)
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
	if _, err := see(ctx, in, 1, never); err == nil {
		t.Error("the answer of a call that was stopped was returned")
	}
}

// TestSamplesAreExact compares every answer with a test of all triangles one by one in integers of any length. Early
// rejection and clipping must not change it.
func TestSamplesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	blockedOnes, seenOnes := 0, 0
	for trial := range 30 {
		in := randomTriangles(rng, 1+rng.IntN(60), 1+rng.IntN(200))
		in.Directions = append(in.Directions[:3], geom.Vec3{X: 1}, geom.Vec3{Z: -1})
		if trial%2 == 0 {
			lattice(rng, in)
		}
		if trial%3 == 0 {
			in.Grazing = 0.1
			for range in.Samples {
				n := anyDirection(rng)
				in.Normals = append(in.Normals, [3]float32{float32(n.X), float32(n.Y), float32(n.Z)})
			}
		}
		out, err := see(context.Background(), in, 1, inTurn)
		if err != nil {
			t.Fatal(err)
		}
		s := newScene(in)
		for d, dir := range in.Directions {
			v := exactly(s, dir)
			for i := range in.Samples {
				if v.turnedAway(i) {
					if out.Visible(d, i) {
						t.Fatalf("trial %d: sample %d, which turns away, is visible along %v", trial, i, dir)
					}
					continue
				}
				want, sure := v.sees(i)
				if !sure {
					continue
				}
				if out.Visible(d, i) != want {
					t.Fatalf("trial %d: sample %d along %v: visible is %v, want %v", trial, i, dir, !want, want)
				}
				if want {
					seenOnes++
				} else {
					blockedOnes++
				}
			}
		}
	}
	if min(blockedOnes, seenOnes) < 100 {
		t.Errorf("%d samples are blocked, %d are seen: the test says nothing", blockedOnes, seenOnes)
	}
}

// lattice moves all points to few positions, so that corners, sides and heights coincide.
func lattice(rng *rand.Rand, in *Input) {
	for i := range in.Points {
		in.Points[i] = geom.Vec3{X: float64(rng.IntN(4)), Y: float64(rng.IntN(4)), Z: float64(rng.IntN(4))}
	}
	for i := range in.Samples {
		in.Samples[i] = [3]float32{float32(rng.IntN(7)) / 2, float32(rng.IntN(7)) / 2, float32(rng.IntN(7)) / 2}
	}
}

// exact is a view that decides in whole numbers of any length.
type exact struct {
	*scene
	dir             geom.Vec3
	points, samples []viewPoint
}

func exactly(s *scene, dir geom.Vec3) *exact {
	e := &exact{scene: s, dir: dir}
	e.points, e.samples = make([]viewPoint, len(s.points)), make([]viewPoint, len(s.samples))
	f := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	m := newTurning(&f, 1, geom.Vec3{})
	turn(e.points, s.points, &m)
	m = newTurning(&f, s.scale, s.origin)
	turn(e.samples, s.samples, &m)
	return e
}

func (e *exact) turnedAway(i int) bool {
	if len(e.normals) == 0 {
		return false
	}
	n := &e.normals[i]
	d := [3]float32{float32(e.dir.X), float32(e.dir.Y), float32(e.dir.Z)}
	return n[0]*d[0]+n[1]*d[1]+n[2]*d[2] < -e.grazing
}

// sees reports whether a sample is visible, and whether that is certain: doubles lose 2^-26 of a step of a height.
func (e *exact) sees(i int) (seen, sure bool) {
	const lost = 1.0 / (1 << 20) // steps
	s := &e.samples[i]
	sure = true
	for _, k := range e.triangles {
		p, q, r := &e.points[k[0]], &e.points[k[1]], &e.points[k[2]]
		area := side(p, q, r.x, r.y)
		w, u, v := side(p, q, s.x, s.y), side(q, r, s.x, s.y), side(r, p, s.x, s.y)
		if area <= 0 || min(u, v, w) < 0 {
			continue
		}
		height := new(big.Int)
		for _, c := range [][2]int64{{u, int64(p.z)}, {v, int64(q.z)}, {w, int64(r.z)}, {-area, int64(s.z)}} {
			height.Add(height, new(big.Int).Mul(big.NewInt(c[0]), big.NewInt(c[1])))
		}
		steps, _ := new(big.Rat).SetFrac(height, big.NewInt(area)).Float64()
		if steps > lost {
			return false, true
		}
		sure = sure && steps < -lost
	}
	return true, sure
}
