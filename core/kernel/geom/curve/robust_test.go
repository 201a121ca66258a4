package curve

import (
	"encoding/binary"
	"math"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// allKinds returns one curve of every kind.
func allKinds(t testing.TB) []Curve {
	offset, err := NewOffset(Ellipse{geom.World, 7, 8}, 1, geom.Vec3{X: 0.1, Z: 1})
	must(t, offset, err)
	polyline, err := NewPolyline([]geom.Vec3{{}, {X: 1}, {Y: 1}})
	must(t, polyline, err)
	arc, err := NewTrimmed(Circle{geom.World, 2}, geom.Interval{Lo: 1, Hi: 2}, true)
	must(t, arc, err)
	return []Curve{
		Line{Dir: geom.Vec3{X: 1}}, Circle{geom.World, 2}, Ellipse{geom.World, 2, 1},
		Hyperbola{geom.World, 2, 1}, Parabola{geom.World, 2}, periodicSpline(t), circleSpline(t, 3),
		drawnOnce(t), arc, polyline, slot(t), offset,
	}
}

// TestInvalidNumbersDoNotPanic calls everything with NaN and infinite numbers. The answers may be anything, but must
// come soon and without a panic.
func TestInvalidNumbersDoNotPanic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const patience = 5 * time.Second // a runaway recursion would take hours
	start := time.Now()
	for _, c := range allKinds(t) {
		for _, x := range []float64{nan, inf, -inf, 1e300, -1e300} {
			c.At(x)
			c.D1(x)
			c.D2(x)
			third(c, x)
			p := geom.Vec3{X: x, Y: 1}
			c.Invert(p)
			for _, iv := range []geom.Interval{{Lo: 0, Hi: x}, {Lo: x, Hi: 1}, {Lo: x, Hi: x}, {Lo: 1, Hi: 0}} {
				if math.IsNaN(x) || math.Abs(x) < inf || c.Period() == 0 {
					InvertIn(c, p, iv)
				}
				c.Bounds(iv)
				if c.Kind() == KindPolyline || c.Kind() == KindComposite || c.Period() > 0 && math.Abs(x) > 1e9 {
					continue // their length and samples are as many as there are corners in the range
				}
				Length(c, iv)
				if s := Sample(c, iv, x, x); len(s) < 2 {
					t.Errorf("%d samples of kind %v over %v", len(s), c.Kind(), iv)
				}
			}
			if took := time.Since(start); took > patience {
				t.Fatalf("kind %v with %v: %v gone", c.Kind(), x, took)
			}
		}
	}
}

// TestSharedCurve uses one curve from many goroutines, for the race detector.
func TestSharedCurve(t *testing.T) {
	for _, c := range allKinds(t) {
		iv := clip(c.Domain(), geom.Interval{Lo: -1, Hi: 5})
		want := Sample(c, iv, 0.01, 0.2)
		p := geom.Vec3{X: 1, Y: 2, Z: 3}
		wantT, wantD := InvertIn(c, p, iv)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				got := Sample(c, iv, 0.01, 0.2)
				if len(got) != len(want) || got[len(got)/2] != want[len(want)/2] {
					t.Errorf("kind %v: %d samples, want %d", c.Kind(), len(got), len(want))
				}
				if x, d := InvertIn(c, p, iv); x != wantT || d != wantD {
					t.Errorf("kind %v: closest point %v at %v, want %v at %v", c.Kind(), x, d, wantT, wantD)
				}
			})
		}
		wg.Wait()
	}
}

// FuzzBSpline builds curves from any bytes: accepted ones must evaluate, invert, bound and sample within a second.
func FuzzBSpline(f *testing.F) {
	f.Add(uint8(2), false, []byte{0, 0, 0, 1, 1, 1}, []byte("0123456789abcdef"))
	f.Add(uint8(3), true, []byte{0, 0, 0, 0, 1, 2, 2, 2, 2}, []byte("zyxwvutsrqponmlkjihg"))
	f.Add(uint8(1), false, []byte{1, 1, 2, 2, 3, 3}, []byte{255, 0, 255, 0, 128, 7, 7, 7, 1})
	f.Fuzz(func(t *testing.T, degree uint8, rational bool, knots, data []byte) {
		if len(knots) > 64 {
			return
		}
		flat := make([]float64, len(knots))
		for i, k := range knots {
			flat[i] = float64(k) / 16
		}
		next := func(i int) float64 { // coordinates of all sizes
			var b [2]byte
			copy(b[:], data[i%max(1, len(data)):])
			v := binary.LittleEndian.Uint16(b[:])
			return float64(int8(v)) * math.Pow(10, float64(v>>13)-3)
		}
		n := max(0, len(flat)-int(degree)-1)
		points, weights := make([]geom.Vec3, n), []float64(nil)
		for i := range points {
			points[i] = geom.Vec3{X: next(3 * i), Y: next(3*i + 1), Z: next(3*i + 2)}
			if rational {
				weights = append(weights, math.Abs(next(5*i+1)))
			}
		}
		c, err := NewBSpline(int(degree), flat, points, weights, true)
		if err != nil {
			return
		}
		start := time.Now()
		dom, size := c.Domain(), geom.BoxOf(points...).Diagonal()
		box := c.Bounds(dom)
		for i := range 9 {
			p := c.At(dom.At(float64(i) / 8))
			if !p.IsFinite() || !box.Contains(p, 1e-9*(1+size)) {
				t.Fatalf("point %v outside the box %v", p, box)
			}
			if _, d := c.Invert(p); d > 1e-6*(1+size) {
				t.Fatalf("point %v of the curve is %v away from it", p, d)
			}
		}
		if s := Sample(c, dom, 1e-3*(1+size), 0.5); len(s) < 2 || len(s) > 20000 {
			t.Fatalf("%d samples", len(s))
		}
		if l := Length(c, dom); !(l >= 0) || math.IsInf(l, 1) {
			t.Fatalf("length %v", l)
		}
		if took := time.Since(start); took > time.Second {
			t.Fatalf("took %v", took)
		}
	})
}

func TestRisingRoot(t *testing.T) {
	line := func(x float64) (float64, float64) { return x - 0.3, 1 }
	rows := []struct {
		name   string
		f      func(float64) (v, dv float64)
		lo, hi float64
		start  float64
		want   float64
	}{
		{"line", line, 0, 1, 0.9, 0.3},
		{"start outside", line, 0, 1, 9, 0.3},
		{"all positive gives the lower end", line, 0.5, 1, 0.7, 0.5},
		{"all negative gives the upper end", line, 0, 0.2, 0.1, 0.2},
		{"no width", line, 0.7, 0.7, 0.7, 0.7},
		{"cubic with a flat root", func(x float64) (float64, float64) { return x * x * x, 3 * x * x }, -1, 2, 2, 0},
		{"maximum at the start is passed", func(x float64) (float64, float64) {
			return x * (x - 1), 2*x - 1
		}, 0, 2, 0, 1},
		{"wrong derivative", func(x float64) (float64, float64) { return x - 0.3, -5 }, 0, 1, 0.9, 0.3},
		{"derivative zero", func(x float64) (float64, float64) { return x - 0.3, 0 }, 0, 1, 0.9, 0.3},
		{"steep", func(x float64) (float64, float64) {
			return math.Atan(1e8 * (x - 0.3)), 1e8 / (1 + 1e16*(x-0.3)*(x-0.3))
		}, 0, 1, 1, 0.3},
		{"tiny root", func(x float64) (float64, float64) { return x - 1e-30, 1 }, 0, 1, 1, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := risingRoot(r.f, r.lo, r.hi, r.start, 0); math.Abs(got-r.want) > 1e-15 {
				// A triple root is only known to the cube root of the smallest value.
				if r.want != 0 || math.Abs(got) > 1e-6 {
					t.Errorf("root %v, want %v", got, r.want)
				}
			}
		})
	}
}

// TestBranches has curves with several branches near a point; the closest one must win.
func TestBranches(t *testing.T) {
	uniform := func(p int, points ...geom.Vec3) *BSpline {
		c, err := NewBSpline(p, bspline.QuasiUniformKnots(p, len(points)), points, nil, false)
		return must(t, c, err)
	}
	hairpin := uniform(3, geom.Vec3{}, geom.Vec3{X: 10}, geom.Vec3{X: 20}, geom.Vec3{X: 20, Y: 0.02},
		geom.Vec3{X: 10, Y: 0.02}, geom.Vec3{Y: 0.02})
	loop := uniform(3, geom.Vec3{X: -3}, geom.Vec3{X: 3}, geom.Vec3{X: 1, Y: 4}, geom.Vec3{X: -1, Y: 4},
		geom.Vec3{X: -3, Y: 0.01}, geom.Vec3{X: 3, Y: 0.01})
	var turns []geom.Vec3
	for i := range 60 { // a spiral whose turns are 0.5 apart
		s, c := math.Sincos(0.6 * float64(i))
		r := 1 + 0.5*0.6*float64(i)/(2*math.Pi)
		turns = append(turns, geom.Vec3{X: r * c, Y: r * s})
	}
	spiral := uniform(4, turns...)
	rows := []struct {
		name string
		c    *BSpline
		p    geom.Vec3
	}{
		{"hairpin, nearer the lower leg", hairpin, geom.Vec3{X: 5, Y: 0.0099}},
		{"hairpin, nearer the upper leg", hairpin, geom.Vec3{X: 5, Y: 0.0101}},
		{"hairpin, beyond the bend", hairpin, geom.Vec3{X: 30, Y: 0.01}},
		{"crossing", loop, geom.Vec3{X: 0.4, Y: 0.2}},
		{"inside the loop", loop, geom.Vec3{Y: 1.2}},
		{"between turns", spiral, geom.Vec3{X: 2.2, Y: 0.1}},
		{"centre of the spiral", spiral, geom.Vec3{}},
		{"far outside", spiral, geom.Vec3{X: 100, Y: 50, Z: 20}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got, d := r.c.Invert(r.p)
			if at := r.c.At(got).Dist(r.p); math.Abs(at-d) > 1e-12 {
				t.Errorf("distance %v returned, %v measured", d, at)
			}
			const n = 20000
			dom := r.c.Domain()
			for i := range n + 1 {
				x := dom.At(float64(i) / n)
				if e := r.c.At(x).Dist(r.p); e < d*(1-tieMargin)-1e-12 {
					t.Fatalf("Invert gives %v at distance %v, but %v is at %v", got, d, x, e)
				}
			}
		})
	}
}

func TestShare(t *testing.T) {
	rows := []struct {
		name         string
		f, v0, v1, s float64
	}{
		{"even", 0.3, 2, 2, 0.3},
		{"unknown", 0.3, 0, 5, 0.3},
		{"start", 0, 1, 3, 0},
		{"end", 1, 1, 3, 1},
		{"rising: half the area of 1…3 lies left of (√5-1)/2", 0.5, 1, 3, (math.Sqrt(5) - 1) / 2},
		{"falling", 0.5, 3, 1, 1 - (math.Sqrt(5)-1)/2},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := share(r.f, r.v0, r.v1); math.Abs(got-r.s) > 1e-15 {
				t.Errorf("share(%v, %v, %v) = %v, want %v", r.f, r.v0, r.v1, got, r.s)
			}
		})
	}
}

func TestAngleBetween(t *testing.T) {
	x := geom.Vec3{X: 1}
	for _, a := range []float64{0, 1e-9, 1e-3, 0.05, 0.19, 0.21, 1, 2, 3, math.Pi} {
		s, c := math.Sincos(a)
		tol := 1e-6*a + 1e-16
		if a >= 3 { // half the chord is near one, where the arcsine has half the digits
			tol = 1e-7
		}
		if got := angleBetween(x, geom.Vec3{X: c, Y: s}); math.Abs(got-a) > tol {
			t.Errorf("angle %v, want %v", got, a)
		}
	}
	if angleBetween(geom.Vec3{}, x) != 0 || angleBetween(x, geom.Vec3{}) != 0 {
		t.Error("a zero vector has an angle")
	}
}

func TestCount(t *testing.T) {
	rows := []struct {
		need float64
		want int
	}{
		{0, 1}, {-3, 1}, {math.NaN(), 1}, {0.5, 1}, {1, 1}, {1 + 1e-12, 1}, {1.01, 2}, {18, 18},
		{18 + 1e-10, 18}, {math.Inf(1), maxSegments}, {1e300, maxSegments},
	}
	for _, r := range rows {
		if got := count(r.need); got != r.want {
			t.Errorf("count(%v) = %d, want %d", r.need, got, r.want)
		}
	}
}
