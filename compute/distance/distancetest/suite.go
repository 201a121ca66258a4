// Package distancetest is the suite that every twin of the distance transforms must pass, and inputs to measure it on.
package distancetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// sizes are the shapes of the grids the transforms are tried on: single cells, lines, and sides around
// multiples of the blocks that backends work in.
var sizes = [][2]int{
	{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 2}, {2, 1}, {1, 300}, {300, 1}, {2, 257}, {257, 2}, {3, 3}, {16, 16},
	{17, 15}, {31, 33}, {64, 64}, {65, 63}, {100, 7}, {7, 100}, {128, 40},
}

// longSizes are too large to try all pairs of cells and sites; they get few sites.
var longSizes = [][2]int{{65535, 3}, {3, 65535}, {5000, 40}, {40, 5000}, {1025, 513}}

// Suite tests a runner of the primitive against distance.Input: every distance and every site must equal the result of
// testing all sites.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		for name, set := range binaryFields(rng, size[0], size[1]) {
			checkDistance(t, b, fmt.Sprintf("%d × %d, %s", size[0], size[1], name), size, set)
		}
	}
	for _, size := range longSizes {
		set := make([]uint8, size[0]*size[1])
		for range 5 {
			set[rng.IntN(len(set))] = 1
		}
		checkDistance(t, b, fmt.Sprintf("%d × %d, few", size[0], size[1]), size, set)
	}
	refuseDistance(t, b)
}

// SignedSuite tests a runner of the primitive against distance.SignedInput in the same manner.
func SignedSuite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range sizes {
		for name, f := range signedFields(rng, size[0], size[1]) {
			checkSigned(t, b, fmt.Sprintf("%d × %d, %s", size[0], size[1], name), size, f)
		}
	}
	for _, size := range longSizes {
		field := make([]float32, size[0]*size[1])
		for i := range field {
			field[i] = 1
		}
		for range 5 {
			field[rng.IntN(len(field))] = -rng.Float32()
		}
		checkSigned(t, b, fmt.Sprintf("%d × %d, few", size[0], size[1]), size, field)
	}
	refuseSigned(t, b)
}

func binaryFields(rng *rand.Rand, w, h int) map[string][]uint8 {
	n := w * h
	random := func(share float64) []uint8 {
		s := make([]uint8, n)
		for i := range s {
			if rng.Float64() < share {
				s[i] = uint8(1 + rng.IntN(255))
			}
		}
		return s
	}
	from := func(f func(i, j int) bool) []uint8 {
		s := make([]uint8, n)
		for k := range s {
			if f(k%w, k/w) {
				s[k] = 1
			}
		}
		return s
	}
	return map[string][]uint8{
		"none": random(0), "all": random(1), "one": from(func(i, j int) bool { return i == w/2 && j == h/2 }),
		"corners": from(func(i, j int) bool { return (i == 0 || i == w-1) && (j == 0 || j == h-1) }),
		"sparse":  random(0.01), "half": random(0.5), "dense": random(0.95),
		"chessboard": from(func(i, j int) bool { return (i/4+j/4)%2 == 0 }),
		"lattice":    from(func(i, j int) bool { return i%8 == 0 && j%8 == 0 }), // ties everywhere
		"diagonal":   from(func(i, j int) bool { return i == j }),
		"circle": from(func(i, j int) bool {
			return math.Abs(math.Hypot(float64(i-w/2), float64(j-h/2))-float64(min(w, h))/3) < 0.7
		}),
	}
}

func signedFields(rng *rand.Rand, w, h int) map[string][]float32 {
	from := func(f func(x, y float64) float64) []float32 {
		s := make([]float32, w*h)
		for k := range s {
			s[k] = float32(f(float64(k%w), float64(k/w)))
		}
		return s
	}
	return map[string][]float32{
		"all zero":    from(func(x, y float64) float64 { return 0 }),
		"all outside": from(func(x, y float64) float64 { return 1 }),
		"all inside":  from(func(x, y float64) float64 { return -1 }),
		"noise":       from(func(x, y float64) float64 { return rng.NormFloat64() }),
		"signs":       from(func(x, y float64) float64 { return float64(rng.IntN(3) - 1) }), // ties and zeros
		"circle": from(func(x, y float64) float64 {
			return math.Hypot(x-float64(w)/2, y-float64(h)/2) - float64(w)/3
		}),
		"slope": from(func(x, y float64) float64 { return 0.3*x - 0.7*y + 0.11 }),
		"extreme": from(func(x, y float64) float64 {
			return math.Copysign(math.Pow(10, 70*rng.Float64()-38), rng.Float64()-0.5)
		}),
		"even": from(func(x, y float64) float64 { return 1 - 2*math.Mod(math.Floor(x/3)+math.Floor(y/3), 2) }),
	}
}

func checkDistance(t testing.TB, b primitive.Runner, name string, size [2]int, set []uint8) {
	t.Helper()
	w := size[0]
	in := distance.Input{Grid: grid.Grid{Step: 0.1, Width: w, Height: size[1]}, Set: set}
	out, err := distance.Binary.Run(context.Background(), b, in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(out.Squared) != len(set) || len(out.Nearest) != len(set) {
		t.Errorf("%s: %d distances and %d sites for %d cells", name, len(out.Squared), len(out.Nearest), len(set))
		return
	}
	var sites []int32
	for i, v := range set {
		if v != 0 {
			sites = append(sites, int32(i))
		}
	}
	for c := range set {
		want, site := uint32(distance.NoSite), int32(-1)
		for _, s := range sites {
			dx, dy := int(s)%w-c%w, int(s)/w-c/w
			if d := uint32(dx*dx + dy*dy); d < want {
				want, site = d, s
			}
		}
		if out.Squared[c] != want || out.Nearest[c] != site {
			t.Errorf("%s: cell %d is %d from site %d, want %d from %d",
				name, c, out.Squared[c], out.Nearest[c], want, site)
			return
		}
	}
}

// place is a site of a signed field, in units of a cell over distance.Fine.
type place struct {
	x, y   int64
	number int32
}

// places lists the sites in the order of their numbers.
func places(w, h int, field []float32) (out []place) {
	for c, v := range field {
		i, j := c%w, c/w
		x, y := int64(i)*distance.Fine, int64(j)*distance.Fine
		if v == 0 {
			out = append(out, place{x, y, int32(2 * c)})
			continue
		}
		if i+1 < w {
			if f := distance.Crossing(v, field[c+1]); f >= 0 {
				out = append(out, place{x + int64(f), y, int32(2 * c)})
			}
		}
		if j+1 < h {
			if f := distance.Crossing(v, field[c+w]); f >= 0 {
				out = append(out, place{x, y + int64(f), int32(2*c + 1)})
			}
		}
	}
	return out
}

func checkSigned(t testing.TB, b primitive.Runner, name string, size [2]int, field []float32) {
	t.Helper()
	w := size[0]
	in := distance.SignedInput{Grid: grid.Grid{Step: 0.1, Width: w, Height: size[1]}, Field: field}
	out, err := distance.Signed.Run(context.Background(), b, in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(out.Squared) != len(field) || len(out.Nearest) != len(field) {
		t.Errorf("%s: %d distances and %d sites for %d cells", name, len(out.Squared), len(out.Nearest), len(field))
		return
	}
	sites := places(w, size[1], field)
	for c := range field {
		want, site := uint64(distance.NoContour), int32(-1)
		for _, s := range sites {
			dx, dy := s.x-int64(c%w)*distance.Fine, s.y-int64(c/w)*distance.Fine
			if d := uint64(dx*dx + dy*dy); d < want {
				want, site = d, s.number
			}
		}
		if out.Squared[c] != want || out.Nearest[c] != site {
			t.Errorf("%s: cell %d is %d from site %d, want %d from %d",
				name, c, out.Squared[c], out.Nearest[c], want, site)
			return
		}
	}
}

func refuseDistance(t testing.TB, b primitive.Runner) {
	t.Helper()
	of := func(w, h int) grid.Grid { return grid.Grid{Step: 1, Width: w, Height: h} }
	binary := map[string]func(*distance.Input){
		"binary field, no step": func(in *distance.Input) { in.Grid.Step = 0 },
	}
	for name, row := range map[string]struct {
		grid  grid.Grid
		cells int
	}{
		"too few": {of(2, 2), 3}, "too many": {of(2, 2), 5}, "too long": {of(65537, 1), 65537},
		"overflowing": {of(math.MaxInt, math.MaxInt), 0}, "negative": {of(-1, 1), 0},
		"one too wide": {of(1, 70000), 70000},
	} {
		binary["binary field, "+name] = func(in *distance.Input) {
			in.Grid, in.Set = row.grid, make([]uint8, row.cells)
		}
	}
	primitivetest.Refuses(t, b, distance.Binary, func() distance.Input {
		return distance.Input{Grid: of(4, 4), Set: make([]uint8, 16)}
	}, binary)
}

func refuseSigned(t testing.TB, b primitive.Runner) {
	t.Helper()
	grid := grid.Grid{Step: 1, Width: 4, Height: 4}
	primitivetest.Refuses(t, b, distance.Signed, func() distance.SignedInput {
		return distance.SignedInput{Grid: grid, Field: make([]float32, 16)}
	}, map[string]func(*distance.SignedInput){
		"signed field, NaN":      func(in *distance.SignedInput) { in.Field[3] = float32(math.NaN()) },
		"signed field, infinite": func(in *distance.SignedInput) { in.Field[3] = float32(math.Inf(-1)) },
	})
}
