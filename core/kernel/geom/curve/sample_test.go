package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

	"pgregory.net/rapid"
)

// checkSamples measures every segment at many points, far more than the sampler looks at.
func checkSamples(t rapid.TB, c Curve, iv geom.Interval, s []float64, chordTol, angleTol float64) {
	t.Helper()
	if len(s) < 2 || s[0] != iv.Lo || s[len(s)-1] != iv.Hi {
		t.Fatalf("%d samples do not run from %v to %v: %v", len(s), iv.Lo, iv.Hi, s)
	}
	const n = 32
	for i := 1; i < len(s); i++ {
		if !(s[i] > s[i-1]) {
			t.Fatalf("samples %v and %v are not ascending", s[i-1], s[i])
		}
		part := geom.Interval{Lo: s[i-1], Hi: s[i]}
		a, b := c.At(part.Lo), c.At(part.Hi)
		turned, length := 0.0, 0.0
		var tangents [n]geom.Vec3
		before := a
		for k := range n {
			x := part.At((float64(k) + 0.5) / n)
			p, d1 := c.D1(x)
			if sag := sagitta(a, b, p); sag > chordTol*(1+1e-6)+1e-12 {
				t.Fatalf("sagitta %v at %v in %v, tolerance %v", sag, x, part, chordTol)
			}
			tangents[k] = d1.Unit()
			length += before.Dist(p)
			before = p
		}
		for _, u := range tangents {
			turned = max(turned, angleBetween(tangents[0], u), angleBetween(u, tangents[n-1]))
		}
		if turned > angleTol*1.01 && length > smallest*chordTol && length > 10*geom.Resolution {
			t.Fatalf("turn %v in %v (length %v), tolerance %v", turned, part, length, angleTol)
		}
	}
}

func TestSampleKeepsTolerances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		if !(iv.Length() > 1e-6) {
			return
		}
		chordTol := rapid.SampledFrom([]float64{1e-3, 0.01, 0.1, 1}).Draw(t, "chord tolerance")
		angleTol := rapid.SampledFrom([]float64{0.05, 0.2, 0.35, 1}).Draw(t, "angle tolerance")
		checkSamples(t, c, iv, Sample(c, iv, chordTol, angleTol), chordTol, angleTol)
	})
}

func TestSampleIsTheSameBackwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBSpline(t)
		iv := c.Domain()
		back, err := NewTrimmed(c, iv, true)
		must(t, back, err)
		there := Sample(c, iv, 0.01, 0.3)
		mirror := back.Transform(geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}})
		for _, s := range [][]float64{Sample(back, iv, 0.01, 0.3), Sample(mirror, iv, 0.01, 0.3)} {
			if len(s) != len(there) {
				t.Fatalf("%d samples one way, %d the other", len(there), len(s))
			}
			for i, x := range s {
				if want := there[len(there)-1-i]; math.Abs(back.flip(x)-want) > 1e-6*iv.Length() {
					t.Fatalf("sample %d backwards is %v, want %v", i, back.flip(x), want)
				}
			}
		}
	})
}

func TestSampleCounts(t *testing.T) {
	circle := Circle{geom.World, 10}
	corner, err := NewBSpline(2, []float64{0, 0, 0, 1, 1, 2, 2, 2},
		[]geom.Vec3{{}, {X: 1}, {X: 2}, {X: 2, Y: 1}, {X: 2, Y: 2}}, nil, false)
	must(t, corner, err)
	straight, err := NewBSpline(3, []float64{0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4},
		[]geom.Vec3{{}, {X: 1}, {X: 2}, {X: 3}, {X: 4}, {X: 5}, {X: 6}}, nil, false)
	must(t, straight, err)
	square, err := NewPolyline([]geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {}})
	must(t, square, err)
	lens, err := NewComposite([]Curve{
		must(t, &Trimmed{Base: circle, Range: geom.Interval{Hi: 0.1}}, nil),
		must(t, &Trimmed{Base: circle, Range: geom.Interval{Hi: 0.1}, Reversed: true}, nil),
	})
	must(t, lens, err)
	deg := math.Pi / 180
	rows := []struct {
		name         string
		c            Curve
		iv           geom.Interval
		chord, angle float64
		want         int // segments
	}{
		{"line", Line{Dir: geom.Vec3{X: 1}}, geom.Interval{Hi: 1e6}, 1e-3, 0.1, 1},
		{"circle by angle", circle, turn, 0, 20 * deg, 18},
		{"circle by chord", circle, turn, 10 * (1 - math.Cos(5*deg)), 0, 36},
		{"circle without limits", circle, turn, 0, 0, 3},
		{"circle, loose tolerances", circle, turn, 100, 9, 3},
		{"quarter by angle", circle, geom.Interval{Hi: math.Pi / 2}, 0, 30 * deg, 3},
		{"quarter across the seam", circle, geom.Interval{Lo: -0.25 * math.Pi, Hi: 0.25 * math.Pi}, 0, 30 * deg, 3},
		{"circular ellipse by angle", Ellipse{geom.World, 10, 10}, turn, 0, 20.1 * deg, 18},
		{"ellipse without limits", Ellipse{geom.World, 10, 1}, turn, 0, 0, 4},
		{"spline corner", corner, corner.Domain(), 0.1, 0.3, 2},
		{"straight spline", straight, straight.Domain(), 1e-6, 0.01, 1},
		{"spline circle by angle", circleSpline(t, 10), geom.Interval{Hi: 4}, 0, 20.1 * deg, 18},
		{"square", square, square.Domain(), 0.1, 0.3, 4},
		{"part of a square", square, geom.Interval{Lo: 0.5, Hi: 1.5}, 0.1, 0.3, 2},
		{"closed but thin", lens, lens.Domain(), 10, 1, 3},
		{"empty range", circle, geom.Interval{Lo: 1, Hi: 1}, 0.1, 0.1, 1},
		{"unbounded range", Line{Dir: geom.Vec3{X: 1}}, geom.Unbounded, 0.1, 0.1, 1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := Sample(r.c, r.iv, r.chord, r.angle)
			if got := len(s) - 1; got != r.want {
				t.Errorf("%d segments, want %d: %v", got, r.want, s)
			}
		})
	}
}

// TestSampleIsFrugal compares with the samples of an even division of the turn or of the sagitta.
func TestSampleIsFrugal(t *testing.T) {
	spline := periodicSpline(t)
	parabola := Parabola{geom.World, 1}
	rows := []struct {
		name         string
		c            Curve
		iv           geom.Interval
		chord, angle float64
		most         int
	}{
		// The whole turn of an ellipse is 2π.
		{"flat ellipse by angle", Ellipse{geom.World, 100, 1}, turn, 0, 0.2, 36},
		{"needle by angle", Ellipse{geom.World, 1000, 0.1}, turn, 0, 0.2, 50},
		// A parabola's tangent turns by 2·atan(10) = 2.94 over [-10, 10].
		{"parabola by angle", parabola, geom.Interval{Lo: -10, Hi: 10}, 0, 0.1, 33},
		// The ideal is ∫ √(|C'×C″|/(8·tol·|C'|)) dt = ∫ 5/(1+t²)^¼ dt = 51.3 over [-10, 10].
		{"parabola by chord", parabola, geom.Interval{Lo: -10, Hi: 10}, 0.01, 0, 60},
		{"periodic spline", spline, spline.Domain(), 0, 0.35, 22},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := Sample(r.c, r.iv, r.chord, r.angle)
			if got := len(s) - 1; got > r.most {
				t.Errorf("%d segments, want at most %d", got, r.most)
			}
		})
	}
}

func TestAppendSamplesKeepsPrefix(t *testing.T) {
	c := circleSpline(t, 1)
	alone := Sample(c, c.Domain(), 0.01, 0.2)
	both := AppendSamples([]float64{7, 8}, c, c.Domain(), 0.01, 0.2)
	if len(both) != len(alone)+2 || both[0] != 7 || both[1] != 8 {
		t.Fatalf("prefix lost: %v", both[:2])
	}
	for i, x := range alone {
		if both[i+2] != x {
			t.Fatalf("sample %d is %v after a prefix, %v alone", i, both[i+2], x)
		}
	}
}

func TestSampleAllocatesOnlyItsResult(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector, under which short tests run, a pool forgets at random")
	}
	c := circleSpline(t, 3)
	dst := Sample(c, c.Domain(), 1e-3, 0.1)
	if n := testing.AllocsPerRun(50, func() { dst = AppendSamples(dst[:0], c, c.Domain(), 1e-3, 0.1) }); n > 0 {
		t.Errorf("%v allocations with a slice to append to, want 0", n)
	}
}

func TestLength(t *testing.T) {
	spline, err := NewBSpline(1, []float64{0, 0, 1, 2, 2}, []geom.Vec3{{}, {X: 3}, {X: 3, Y: 4}}, nil, false)
	must(t, spline, err)
	polyline, err := NewPolyline([]geom.Vec3{{}, {X: 3}, {X: 3, Y: 4}})
	must(t, polyline, err)
	cusp, err := NewBSpline(3, []float64{0, 0, 0, 0, 1, 1, 1, 1}, []geom.Vec3{{}, {}, {}, {X: 5}}, nil, false)
	must(t, cusp, err)
	sinh := math.Asinh
	rows := []struct {
		name string
		c    Curve
		iv   geom.Interval
		want float64
	}{
		{"line", Line{Dir: geom.Vec3{X: 1}}, geom.Interval{Lo: -1, Hi: 4}, 5},
		{"unbounded line", Line{Dir: geom.Vec3{X: 1}}, geom.Unbounded, math.Inf(1)},
		{"unbounded parabola", Parabola{geom.World, 1}, geom.Unbounded, math.Inf(1)},
		{"arc", Circle{geom.World, 3}, geom.Interval{Lo: 5, Hi: 7}, 6},
		{"ellipse", Ellipse{geom.World, 2, 1}, turn, 9.688448220547676},
		// ∫ 2√(1+t²) dt from 0 to 3, in closed form.
		{"parabola", Parabola{geom.World, 1}, geom.Interval{Hi: 3}, 3*math.Sqrt(10) + sinh(3)},
		{"linear spline", spline, spline.Domain(), 7},
		{"linear spline, part", spline, geom.Interval{Lo: 0.5, Hi: 1.5}, 3.5},
		{"polyline", polyline, polyline.Domain(), 7},
		{"speed zero at the start", cusp, cusp.Domain(), 5},
		{"reversed arc", &Trimmed{Base: Circle{geom.World, 3}, Range: geom.Interval{Lo: 5, Hi: 7}, Reversed: true},
			geom.Interval{Lo: 5, Hi: 5.5}, 1.5},
		{"empty", Circle{geom.World, 3}, geom.Interval{Lo: 2, Hi: 2}, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := Length(r.c, r.iv)
			if got != r.want && !(math.Abs(got-r.want) <= 1e-12*r.want) {
				t.Errorf("length %.17g, want %.17g", got, r.want)
			}
		})
	}
}

func TestLengthAgreesWithChords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		s := Sample(c, iv, 0, 0.05)
		sum := 0.0
		for i := 1; i < len(s); i++ {
			sum += c.At(s[i-1]).Dist(c.At(s[i]))
		}
		// A chord is shortest for its arc when all the turn φ is at one point: cos φ/2 of it.
		if got := Length(c, iv); got < sum*(1-1e-9)-1e-12 || got > sum*(1+0.05*0.05/7.9)+1e-9 {
			t.Fatalf("length %v over %v, chords sum to %v", got, iv, sum)
		}
	})
}
