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

// off (mm) is the permitted deviation of a result.
const off = 2e-3

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func polygon(points ...geom.Vec2) planar.Loop {
	var l planar.Loop
	for i, p := range points {
		l = append(l, planar.NewLine(p, points[(i+1)%len(points)]))
	}
	return l
}

func rectangle(x0, y0, x1, y1 float64) planar.Loop {
	return polygon(pt(x0, y0), pt(x1, y0), pt(x1, y1), pt(x0, y1))
}

// bulged is the arc between two points that turns by turn, a segment for 0.
func bulged(a, b geom.Vec2, turn float64) planar.Segment {
	if turn == 0 {
		return planar.NewLine(a, b)
	}
	d := b.Sub(a)
	h := 0.5 / math.Tan(turn/2)
	return planar.Segment{From: a, To: b, Turn: turn,
		Center: geom.Vec2{X: (a.X+b.X)/2 - h*d.Y, Y: (a.Y+b.Y)/2 + h*d.X}}
}

// winding returns the winding number of loops around p, from the angles of their short chords seen from p.
func winding(loops []planar.Loop, p geom.Vec2) int {
	sum := 0.0
	for _, l := range loops {
		for i := range l {
			n := 1 + int(math.Abs(l[i].Turn)*16)
			last := l[i].From.Sub(p)
			for k := 1; k <= n; k++ {
				q := l[i].To.Sub(p)
				if k < n {
					q = l[i].At(float64(k) / float64(n)).Sub(p)
				}
				sum += math.Atan2(last.Cross(q), last.Dot(q))
				last = q
			}
		}
	}
	return int(math.Round(sum / (2 * math.Pi)))
}

// toBoundary returns the distance of p from the nearest segment.
func toBoundary(loops []planar.Loop, p geom.Vec2) float64 {
	d := math.Inf(1)
	for _, l := range loops {
		for i := range l {
			d = min(d, l[i].Distance(p))
		}
	}
	return d
}

// nearArcs widens the boundary by the distance of the chords of winding from their arcs.
func nearArcs(loops []planar.Loop) float64 {
	r := 0.0
	for _, l := range loops {
		for i := range l {
			if l[i].Turn != 0 {
				r = max(r, l[i].Radius())
			}
		}
	}
	return off + r*(1-math.Cos(1.0/32))
}

func made(t testing.TB, loops ...planar.Loop) *arcpoly.Area {
	t.Helper()
	a, err := arcpoly.New(loops...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// star is a random loop of lines and arcs about a center, simple unless its arcs bulge over one another.
func star(r *rand.Rand, at geom.Vec2, size float64, corners int, bulge float64) planar.Loop {
	points := make([]geom.Vec2, corners)
	for i := range points {
		s, c := math.Sincos(2 * math.Pi * (float64(i) + 0.6*r.Float64()) / float64(corners))
		points[i] = at.Add(pt(c, s).Scale(size * (0.3 + 0.7*r.Float64())))
	}
	var l planar.Loop
	for i, p := range points {
		turn := 0.0
		if r.IntN(2) == 0 {
			turn = bulge * (2*r.Float64() - 1)
		}
		l = append(l, bulged(p, points[(i+1)%corners], turn))
	}
	return l
}

// isSound checks that every segment begins where the one before it ends, and that arcs are on their circles.
func isSound(t testing.TB, a *arcpoly.Area) {
	t.Helper()
	for _, l := range a.Loops() {
		for i := range l {
			p, next := &l[i], &l[(i+1)%len(l)]
			if p.To != next.From {
				t.Fatalf("piece ends at %v, next begins at %v", p.To, next.From)
			}
			if end := p.At(1); end.Dist(p.To) > off {
				t.Fatalf("piece %d of %d %+v ends at %v", i, len(l), p, end)
			}
		}
	}
}

func TestSoupOfLoopsAgainstWinding(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var loops []planar.Loop
		for range 1 + r.IntN(6) {
			l := star(r, pt(20*r.Float64(), 20*r.Float64()), 2+10*r.Float64(), 2+r.IntN(7), 3)
			if r.IntN(3) == 0 {
				l = l.Reverse()
			}
			loops = append(loops, l)
		}
		a := made(t, loops...)
		isSound(t, a)
		limit := nearArcs(loops)
		for range 200 {
			p := pt(34*r.Float64()-7, 34*r.Float64()-7)
			if toBoundary(loops, p) < limit || toBoundary(a.Loops(), p) < off {
				continue
			}
			if want := winding(loops, p) > 0; a.Contains(p) != want || winding(a.Loops(), p) > 0 != want {
				t.Fatalf("seed %d: %v: contains %v, winding %d, want %v", seed, p, a.Contains(p),
					winding(a.Loops(), p), want)
			}
		}
	}
}

// checkOffset compares an offset with distances to the old boundary: at its own points, and at random ones.
func checkOffset(t testing.TB, name string, a *arcpoly.Area, by float64, points int) *arcpoly.Area {
	t.Helper()
	o, err := a.Offset(by)
	if err != nil {
		t.Fatalf("%s by %v: %v", name, by, err)
	}
	isSound(t, o)
	for _, l := range o.Loops() {
		for i := range l {
			for _, s := range [3]float64{0, 0.37, 0.8} {
				p := l[i].At(s)
				if d := a.Distance(p); math.Abs(d+by) > off {
					t.Fatalf("%s by %v: %v is %v away (piece %+v)", name, by, p, d, l[i])
				}
			}
		}
	}
	x0, x1 := span(a.Loops(), pt(1, 0), by)
	y0, y1 := span(a.Loops(), pt(0, 1), by)
	r := rand.New(rand.NewPCG(5, 5))
	for range points {
		p := pt(x0+(x1-x0)*r.Float64(), y0+(y1-y0)*r.Float64())
		d := a.Distance(p)
		if math.Abs(d+by) > off && o.Contains(p) != (d > -by) {
			t.Fatalf("%s by %v: %v at %v from the boundary: inside %v", name, by, p, d, o.Contains(p))
		}
	}
	return o
}

func span(loops []planar.Loop, u geom.Vec2, by float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, l := range loops {
		a, b := planar.ExtentAlong(l, u)
		lo, hi = min(lo, a), max(hi, b)
	}
	return lo - math.Abs(by)*1.1, hi + math.Abs(by)*1.1
}

func TestOffsetsOfRandomAreas(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		var loops []planar.Loop
		for range 1 + r.IntN(5) {
			l := star(r, pt(20*r.Float64(), 20*r.Float64()), 2+10*r.Float64(), 2+r.IntN(9), 2)
			if r.IntN(3) == 0 {
				l = l.Reverse()
			}
			loops = append(loops, l)
		}
		a := made(t, loops...)
		for range 4 {
			by := (2*r.Float64() - 1) * 4
			checkOffset(t, fmt.Sprint("seed ", seed), a, by, 200)
		}
	}
}

// TestDistanceAgainstEverySegment verifies the distances and sides that certify offsets, by testing every segment.
func TestDistanceAgainstEverySegment(t *testing.T) {
	a := must(t)(made(t, pocket()...).Offset(-3))
	r := rand.New(rand.NewPCG(8, 8))
	for range 1000 {
		p := pt(200*r.Float64()-100, 200*r.Float64()-100)
		want := toBoundary(a.Loops(), p)
		if winding(a.Loops(), p) <= 0 {
			want = -want
		}
		if got := a.Distance(p); !near(got, want, 1e-9) && want*want > off*off {
			t.Fatalf("%v: distance %v, want %v", p, got, want)
		}
	}
}
