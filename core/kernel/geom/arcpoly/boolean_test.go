package arcpoly_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestBooleansAgainstPoints(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 4))
		areas := make([]*arcpoly.Area, 2+r.IntN(2))
		for i := range areas {
			areas[i] = made(t, star(r, pt(6*r.Float64(), 6*r.Float64()), 10, 2+r.IntN(7), 2),
				star(r, pt(6*r.Float64(), 6*r.Float64()), 4, 2+r.IntN(7), 1).Reverse())
		}
		compareBooleans(t, fmt.Sprint("seed ", seed), r, areas, geom.Vec2{X: -12, Y: -12}, 30, 100)
	}
}

// On whole coordinates, with quarter and half circles, nearly everything touches, overlaps or goes through a vertex.
func TestBooleansOnAGrid(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		areas := make([]*arcpoly.Area, 2+r.IntN(3))
		for i := range areas {
			var loops []planar.Loop
			for range 1 + r.IntN(3) {
				loops = append(loops, onGrid(r))
			}
			areas[i] = made(t, loops...)
		}
		compareBooleans(t, fmt.Sprint("seed ", seed), r, areas, geom.Vec2{X: -3, Y: -3}, 12, 60)
	}
}

func onGrid(r *rand.Rand) planar.Loop {
	points := make([]geom.Vec2, 2+r.IntN(6))
	for i := range points {
		points[i] = pt(float64(r.IntN(7)), float64(r.IntN(7)))
	}
	var l planar.Loop
	for i, p := range points {
		q := points[(i+1)%len(points)]
		turn := 0.0
		if p != q && r.IntN(2) == 0 {
			turn = float64(1+r.IntN(2)) * math.Pi / 2 * float64(1-2*r.IntN(2))
		}
		l = append(l, bulged(p, q, turn))
	}
	return l
}

func compareBooleans(t *testing.T, name string, r *rand.Rand, areas []*arcpoly.Area, lo geom.Vec2, side float64,
	points int) {
	t.Helper()
	union, err1 := arcpoly.Union(areas...)
	common, err2 := arcpoly.Intersection(areas...)
	rest, err3 := areas[0].Minus(areas[1:]...)
	odd, err4 := arcpoly.Xor(areas...)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	results := []*arcpoly.Area{union, common, rest, odd}
	for _, a := range results {
		isSound(t, a)
	}
	for range points {
		p := lo.Add(pt(side*r.Float64(), side*r.Float64()))
		in, isNear := 0, false
		for _, a := range areas {
			isNear = isNear || math.Abs(a.Distance(p)) < off
			if a.Contains(p) {
				in++
			}
		}
		if isNear {
			continue
		}
		want := []bool{in > 0, in == len(areas), in == 1 && areas[0].Contains(p), in%2 == 1}
		for i, a := range results {
			if a.Contains(p) != want[i] {
				t.Fatalf("%s: result %d at %v: in %d areas, inside %v", name, i, p, in, a.Contains(p))
			}
		}
	}
	if len(areas) == 2 {
		sum := union.Size() + common.Size() - areas[0].Size() - areas[1].Size()
		if !near(sum, 0, 0.05) || !near(odd.Size(), union.Size()-common.Size(), 0.05) {
			t.Errorf("%s: union %v, intersection %v, xor %v", name, union.Size(), common.Size(), odd.Size())
		}
	}
}

func TestBooleansInClosedForm(t *testing.T) {
	disc := func(x, y, r float64) *arcpoly.Area { return made(t, planar.Circle(pt(x, y), r, false)) }
	box := func(x0, y0, x1, y1 float64) *arcpoly.Area { return made(t, rectangle(x0, y0, x1, y1)) }
	lens := 2*25*math.Acos(0.6) - 6*4 // of circles of radius 5 whose centers are 6 apart
	union := func(areas ...*arcpoly.Area) *arcpoly.Area { return must(t)(arcpoly.Union(areas...)) }
	common := func(areas ...*arcpoly.Area) *arcpoly.Area { return must(t)(arcpoly.Intersection(areas...)) }
	minus := func(a *arcpoly.Area, others ...*arcpoly.Area) *arcpoly.Area { return must(t)(a.Minus(others...)) }
	for _, c := range []struct {
		name  string
		got   *arcpoly.Area
		size  float64
		loops int
	}{
		{"two discs", union(disc(0, 0, 5), disc(6, 0, 5)), 50*math.Pi - lens, 1},
		{"lens", common(disc(0, 0, 5), disc(6, 0, 5)), lens, 1},
		{"moon", minus(disc(0, 0, 5), disc(6, 0, 5)), 25*math.Pi - lens, 1},
		{"same disc", union(disc(0, 0, 5), disc(0, 0, 5)), 25 * math.Pi, 1},
		{"disc less itself", minus(disc(0, 0, 5), disc(0, 0, 5)), 0, 0},
		{"discs that touch", union(disc(0, 0, 5), disc(10, 0, 5)), 50 * math.Pi, 2},
		{"disc that touches from inside", minus(disc(0, 0, 5), disc(2, 0, 3)), 16 * math.Pi, 2},
		{"box and disc on its side", union(box(0, 0, 10, 10), disc(5, 10, 5)), 100 + 12.5*math.Pi, 1},
		{"tangent disc in a box", minus(box(0, 0, 10, 10), disc(5, 5, 5)), 100 - 25*math.Pi, 4},
		{"boxes side by side", union(box(0, 0, 10, 10), box(10, 0, 20, 10)), 200, 1},
		{"apart", common(box(0, 0, 1, 1), box(5, 5, 6, 6)), 0, 0},
		{"of nothing", union(), 0, 0},
		{"with nothing", minus(box(0, 0, 1, 1), nil, made(t)), 1, 1},
		{"frame", minus(box(0, 0, 10, 10), box(2, 2, 8, 8)), 64, 2},
	} {
		if !near(c.got.Size(), c.size, 1e-4) || len(c.got.Loops()) != c.loops {
			t.Errorf("%s: %v mm² in %d loops, want %v in %d", c.name, c.got.Size(), len(c.got.Loops()), c.size, c.loops)
		}
	}
}

func must(t *testing.T) func(a *arcpoly.Area, err error) *arcpoly.Area {
	return func(a *arcpoly.Area, err error) *arcpoly.Area {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		isSound(t, a)
		return a
	}
}

func TestOffsetsOnAGrid(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 6))
		var loops []planar.Loop
		for range 1 + r.IntN(4) {
			loops = append(loops, onGrid(r))
		}
		if a := made(t, loops...); !a.IsEmpty() {
			for _, by := range []float64{0.25, 0.5, 1, -0.25, -0.5, -1, -2} {
				checkOffset(t, fmt.Sprint("seed ", seed), a, by, 50)
			}
		}
	}
}

func FuzzOffset(f *testing.F) {
	f.Add(uint64(1), 0.5, 4.0)
	f.Add(uint64(7), -1.0, 0.001)
	f.Add(uint64(9), 2.0, 1000.0)
	f.Fuzz(func(t *testing.T, seed uint64, by, size float64) {
		if !(math.Abs(by) < 1e5 && math.Abs(size) < 1e5) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 7))
		loops := []planar.Loop{onGrid(r), star(r, pt(3, 3), size, 2+r.IntN(40), 3), onGrid(r).Reverse()}
		if a := made(t, loops...); !a.IsEmpty() {
			checkOffset(t, "fuzz", a, by, 50)
		}
	})
}

func TestPartsKeepTheirHoles(t *testing.T) {
	a := made(t, rectangle(0, 0, 20, 20), rectangle(2, 2, 18, 18).Reverse(), rectangle(4, 4, 12, 12),
		rectangle(5, 5, 7, 7).Reverse(), rectangle(30, 0, 33, 3), planar.Circle(pt(31.5, 1.5), 1.5, true))
	sum := 0.0
	var got []string
	for _, p := range a.Parts() {
		sum += p.Size()
		got = append(got, fmt.Sprintf("%.1f in %d", p.Size(), len(p.Loops())))
	}
	want := "[144.0 in 2 60.0 in 2 0.5 in 1 0.5 in 1 0.5 in 1 0.5 in 1]"
	if fmt.Sprint(got) != want || !near(sum, a.Size(), 1e-9) {
		t.Errorf("parts %v of %v mm², want %s", got, a.Size(), want)
	}
	if (*arcpoly.Area)(nil).Parts() != nil {
		t.Error("nothing has parts")
	}
}
