package planar_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// plane curves with their derivatives, over t in [0, 1].
var curves = []struct {
	name string
	at   func(t float64) (p, d geom.Vec2)
}{
	{"line", func(t float64) (p, d geom.Vec2) { return pt(3*t, 4*t), pt(3, 4) }},
	{"circle", func(t float64) (p, d geom.Vec2) { return ellipse(5, 5, 2*math.Pi, t) }},
	{"ellipse", func(t float64) (p, d geom.Vec2) { return ellipse(9, 4, 2*math.Pi, t) }},
	{"flat ellipse", func(t float64) (p, d geom.Vec2) { return ellipse(9, 0.3, 2*math.Pi, t) }},
	{"parabola", func(t float64) (p, d geom.Vec2) {
		return pt(10*t, 30*(t-0.3)*(t-0.3)), pt(10, 60*(t-0.3))
	}},
	{"wave", func(t float64) (p, d geom.Vec2) {
		return pt(20*t, math.Sin(9*t)), pt(20, 9*math.Cos(9*t))
	}},
	{"spiral", func(t float64) (p, d geom.Vec2) {
		s, c := math.Sincos(7 * t)
		r := 1 + 4*t
		return pt(r*c, r*s), pt(4*c-7*r*s, 4*s+7*r*c)
	}},
}

func ellipse(a, b, turn, t float64) (p, d geom.Vec2) {
	s, c := math.Sincos(turn * t)
	return pt(a*c, b*s), pt(-turn*a*s, turn*b*c)
}

// fitted samples a curve evenly and fits segments.
func fitted(at func(t float64) (p, d geom.Vec2), n int, tol float64) []planar.Segment {
	var points, dirs []geom.Vec2
	for i := range n + 1 {
		p, d := at(float64(i) / float64(n))
		points, dirs = append(points, p), append(dirs, d.Scale(1/d.Norm()))
	}
	return planar.AppendBiarcs(nil, points, dirs, tol)
}

// Pieces begin and end where the curve does, hang together without a kink, lie on the curve all along, and
// are many times fewer than the samples.
func TestFitFollowsTheCurve(t *testing.T) {
	for _, c := range curves {
		for _, tol := range []float64{1e-2, 5e-4, 1e-5} {
			const n = 1200
			pieces := fitted(c.at, n, tol)
			first, _ := c.at(0)
			last, _ := c.at(1)
			if pieces[0].From.Dist(first) > 1e-12 || pieces[len(pieces)-1].To.Dist(last) > 1e-12 {
				t.Errorf("%s: from %v to %v", c.name, pieces[0].From, pieces[len(pieces)-1].To)
			}
			if most := 1.6 / math.Cbrt(tol/40); float64(len(pieces)) > 2+most {
				t.Errorf("%s within %v: %d pieces, want %v at most", c.name, tol, len(pieces), most)
			}
			for i := range pieces {
				if pieces[i].Joined != (i > 0) {
					t.Errorf("%s: piece %d is joined: %v", c.name, i, pieces[i].Joined)
				}
				if i == 0 {
					continue
				}
				a, b := &pieces[i-1], &pieces[i]
				turn := math.Abs(a.Tangent(1).Cross(b.Tangent(0)))
				if a.To.Dist(b.From) > 1e-12 || turn > 2e-3 {
					t.Errorf("%s: a gap of %v, a kink of %v before piece %d", c.name, a.To.Dist(b.From), turn,
						i)
				}
			}
			const dense = 5000
			for i := range dense + 1 {
				p, _ := c.at(float64(i) / dense)
				off := math.Inf(1)
				for k := range pieces {
					off = min(off, pieces[k].Distance(p))
				}
				if off > 1.3*tol {
					t.Errorf("%s within %v: %v is %v off", c.name, tol, p, off)
					break
				}
			}
		}
	}
}

// The error falls with the third power of the length: a thousandth of the tolerance costs ten times the
// segments.
func TestFitNeedsFewPieces(t *testing.T) {
	at := curves[2].at
	coarse, fine := len(fitted(at, 4096, 1e-2)), len(fitted(at, 4096, 1e-5))
	if fine > 12*coarse || fine <= coarse {
		t.Errorf("%d pieces within 1e-2, %d within 1e-5", coarse, fine)
	}
}

func TestFitWithoutDirection(t *testing.T) {
	back := planar.AppendBiarcs(nil, []geom.Vec2{pt(0, 0), pt(2, 0), pt(1, 0)},
		[]geom.Vec2{pt(1, 0), {}, pt(-1, 0)}, 1e-3)
	for _, c := range []struct {
		name string
		got  []planar.Segment
		want planar.Loop
	}{
		{"nothing", planar.AppendBiarcs(nil, nil, nil, 1e-3), nil},
		{"a point", planar.AppendBiarcs(nil, []geom.Vec2{pt(1, 1)}, []geom.Vec2{pt(1, 0)}, 1e-3), nil},
		{"to and fro", back,
			planar.Loop{planar.NewLine(pt(0, 0), pt(2, 0)), planar.NewLine(pt(2, 0), pt(1, 0))}},
		{"straight", fitted(curves[0].at, 9, 1e-3), planar.Loop{planar.NewLine(pt(0, 0), pt(3, 4))}},
	} {
		if len(c.got) != len(c.want) {
			t.Errorf("%s: %+v", c.name, c.got)
			continue
		}
		for i := range c.got {
			if c.got[i].From != c.want[i].From || c.got[i].To != c.want[i].To || c.got[i].Turn != 0 {
				t.Errorf("%s: piece %d is %+v, want %+v", c.name, i, c.got[i], c.want[i])
			}
		}
	}
}

// TestFittedOutlineMatchesCurve checks that fitted outlines have the area of the curve, and no corner where it is
// smooth.
func TestFittedOutlineMatchesCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(2, 40).Draw(t, "a")
		b := a * rapid.Float64Range(0.2, 0.95).Draw(t, "b/a")
		const tol = 5e-4
		pieces := fitted(func(s float64) (p, d geom.Vec2) { return ellipse(a, b, 2*math.Pi, s) }, 128, tol)
		r := of(pieces)
		if got, want := r.Area(), math.Pi*a*b; math.Abs(got-want) > tol*r.Perimeter() {
			t.Fatalf("area %v, want %v", got, want)
		}
		if d, _ := r.Narrowest(); math.Abs(d-2*b) > 4*tol {
			t.Fatalf("narrowest %v, want %v", d, 2*b)
		}
		rect := planar.EnclosingRect(pieces)
		if math.Abs(rect.Length-2*a) > 4*tol || math.Abs(rect.Width-2*b) > 4*tol {
			t.Fatalf("%v x %v, want %v x %v", rect.Length, rect.Width, 2*a, 2*b)
		}
		got, ok := r.CornerRadius()
		if want := b * b / a; !ok || math.Abs(got-want) > 0.1*want {
			t.Fatalf("corner radius %v %v, want %v", got, ok, want)
		}
	})
}

// TestCornersOfFittedCurves checks the smallest radius of fitted curves; concave arcs that turn little are not corners.
func TestCornersOfFittedCurves(t *testing.T) {
	side := func(depth, tight float64) *planar.Region {
		// A square of 20 whose lower side bulges inward by depth: concave from inside where the bulge
		// begins and ends.
		var l planar.Loop
		wave := fitted(func(s float64) (p, d geom.Vec2) {
			return pt(20*s, depth*(1-math.Cos(2*math.Pi*s))/2), pt(20, depth*math.Pi*math.Sin(2*math.Pi*s))
		}, 200, depth/100)
		for i := range wave {
			if wave[i].Turn != 0 {
				wave[i].Tight = tight
			}
		}
		l = append(l, wave...)
		for _, p := range planar.Polygon(pt(20, 0), pt(20, 20), pt(0, 20), pt(0, 0))[:3] {
			p.Open = true
			l = append(l, p)
		}
		return of(l)
	}
	sharpest := func(depth float64) float64 { return 1 / (depth / 2 * math.Pi * math.Pi / 100) }
	for _, c := range []struct {
		name         string
		depth, tight float64
		want         float64
		none         bool
	}{
		{"deep", 2, 0, sharpest(2), false},
		{"turns by less than a corner does", 0.1, 0, 0, true},
		{"stated", 2, 3.5, 3.5, false},
	} {
		got, ok := side(c.depth, c.tight).CornerRadius()
		if ok == c.none || ok && math.Abs(got-c.want) > 0.05*c.want {
			t.Errorf("%s: %v %v, want %v", c.name, got, ok, c.want)
		}
	}
}

func TestReverseKeepsJoined(t *testing.T) {
	wave := planar.Loop(fitted(curves[5].at, 60, 1e-3))
	l := append(planar.Loop{planar.NewLine(pt(-5, 0), pt(0, 0))}, wave...)
	back := l.Reverse()
	for i := range back {
		if want := i > 0 && i < len(wave); back[i].Joined != want {
			t.Errorf("piece %d of %d: joined %v", i, len(back), back[i].Joined)
		}
	}
	again := back.Reverse()
	for i := range l {
		if again[i] != l[i] {
			t.Errorf("piece %d: %+v turned twice is %+v", i, l[i], again[i])
		}
	}
}
