package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

	"pgregory.net/rapid"
)

func TestConicsFollowISO(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	rows := []struct {
		name string
		c    Curve
		t    float64
		want geom.Vec3
	}{
		{"line", Line{f.Origin, geom.Vec3{Y: 1}}, 4, geom.Vec3{X: 1, Y: 6, Z: 3}},
		{"circle quarter", Circle{f, 2}, math.Pi / 2, geom.Vec3{X: 1, Y: 4, Z: 3}},
		{"ellipse start", Ellipse{f, 5, 2}, 0, geom.Vec3{X: 6, Y: 2, Z: 3}},
		{"ellipse quarter", Ellipse{f, 5, 2}, math.Pi / 2, geom.Vec3{X: 1, Y: 4, Z: 3}},
		{"ellipse with the longer axis second", Ellipse{f, 2, 5}, math.Pi / 2, geom.Vec3{X: 1, Y: 7, Z: 3}},
		{"hyperbola vertex", Hyperbola{f, 5, 2}, 0, geom.Vec3{X: 6, Y: 2, Z: 3}},
		{"hyperbola", Hyperbola{f, 5, 2}, math.Log(2), geom.Vec3{X: 1 + 5*1.25, Y: 2 + 2*0.75, Z: 3}},
		{"parabola", Parabola{f, 2}, 3, geom.Vec3{X: 1 + 18, Y: 2 + 12, Z: 3}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := r.c.At(r.t); got.Dist(r.want) > 1e-14 {
				t.Errorf("At(%v) = %v, want %v", r.t, got, r.want)
			}
		})
	}
}

// TestInvertOnAxesAndEvolutes takes the points where closest points merge, vanish or tie.
func TestInvertOnAxesAndEvolutes(t *testing.T) {
	w := geom.World
	e, tall := Ellipse{w, 5, 2}, Ellipse{w, 2, 5}
	h, p := Hyperbola{w, 3, 4}, Parabola{w, 2}
	rows := []struct {
		name string
		c    Curve
		p    geom.Vec3
		dist float64
	}{
		{"circle centre", Circle{w, 3}, geom.Vec3{}, 3},
		{"above the circle centre", Circle{w, 3}, geom.Vec3{Z: 4}, 5},
		{"ellipse centre", e, geom.Vec3{}, 2},
		{"above the ellipse centre", e, geom.Vec3{Z: 1.5}, 2.5},
		{"tall ellipse centre", tall, geom.Vec3{}, 2},
		{"ellipse that is a circle, centre", Ellipse{w, 3, 3}, geom.Vec3{}, 3},
		{"ellipse that is a circle", Ellipse{w, 3, 3}, geom.Vec3{X: 1, Y: 1}, 3 - math.Sqrt2},
		{"cusp of the evolute", e, geom.Vec3{X: 21. / 5}, 0.8},
		{"inside the cusp", e, geom.Vec3{X: 4}, math.Sqrt(4 - 16*4./21)},
		{"outside the cusp", e, geom.Vec3{X: 4.5}, 0.5},
		{"beyond the vertex", e, geom.Vec3{X: -9}, 4},
		{"cusp on the minor axis", e, geom.Vec3{Y: -21. / 2}, 8.5},
		{"on the minor axis", e, geom.Vec3{Y: 1}, 1},
		{"tall, inside the cusp", tall, geom.Vec3{Y: 4}, math.Sqrt(4 - 16*4./21)},
		{"hyperbola vertex", h, geom.Vec3{X: 3}, 0},
		{"hyperbola centre", h, geom.Vec3{}, 3},
		{"behind the hyperbola", h, geom.Vec3{X: -10}, 13},
		{"cusp of its evolute", h, geom.Vec3{X: 25. / 3}, 25./3 - 3},
		{"beyond its cusp", h, geom.Vec3{X: 25}, math.Sqrt(16*16 + 16*8)},
		{"parabola apex", p, geom.Vec3{}, 0},
		{"parabola focus", p, geom.Vec3{X: 2}, 2},
		{"cusp of the parabola's evolute", p, geom.Vec3{X: 4}, 4},
		{"beyond the cusp", p, geom.Vec3{X: 6}, math.Sqrt(16 + 16)},
		{"behind the apex", p, geom.Vec3{X: -3}, 3},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			x, dist := r.c.Invert(r.p)
			if math.Abs(dist-r.dist) > 1e-12 {
				t.Errorf("Invert(%v) = %v at distance %v, want distance %v", r.p, x, dist, r.dist)
			}
		})
	}
}

func TestInvertSecondMinimum(t *testing.T) {
	w := geom.World
	rows := []struct {
		name string
		c    Curve
		p    geom.Vec3
		iv   geom.Interval
		want float64
	}{
		{"ellipse across the major axis", Ellipse{w, 5, 2}, geom.Vec3{Y: 0.1},
			geom.Interval{Lo: math.Pi, Hi: 2 * math.Pi}, 1.5 * math.Pi},
		{"tall ellipse across the major axis", Ellipse{w, 2, 5}, geom.Vec3{X: 0.1},
			geom.Interval{Lo: 0.5 * math.Pi, Hi: 1.5 * math.Pi}, math.Pi},
		{"left half plane", Ellipse{w, 5, 2}, geom.Vec3{X: -1e-3, Y: -0.1},
			geom.Interval{Lo: 0, Hi: math.Pi}, math.Pi - math.Acos(5e-3/(25-4+0.2))},
		{"other side of a hyperbola", Hyperbola{w, 3, 4}, geom.Vec3{X: 25},
			geom.Interval{Lo: -9, Hi: 0}, -math.Acosh(3)},
		{"other side of a parabola", Parabola{w, 2}, geom.Vec3{X: 6},
			geom.Interval{Lo: -9, Hi: 0}, -1},
		{"one turn back", Ellipse{w, 5, 2}, geom.Vec3{Y: 0.1},
			geom.Interval{Lo: -math.Pi, Hi: 0}, -0.5 * math.Pi},
		{"neither in range", Circle{w, 2}, geom.Vec3{X: 1}, geom.Interval{Lo: 1, Hi: 2}, 1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			const tol = 1e-4 // the third row's want is an estimate to first order
			if got, _ := InvertIn(r.c, r.p, r.iv); math.Abs(got-r.want) > tol {
				t.Errorf("InvertIn(%v, %v) = %v, want %v", r.p, r.iv, got, r.want)
			}
		})
	}
}

// TestConicInvertIsStationary checks that the parameter a conic returns is a zero of the derivative, for points at all
// scales and close to the axes.
func TestConicInvertIsStationary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(n string) float64 { return math.Exp(rapid.Float64Range(-5, 5).Draw(t, n)) }
		a, b := size("a"), size("b")
		co := func(n string) float64 {
			return rapid.SampledFrom([]float64{0, 0, 1e-12, -1e-6, 0.5, -1, 3, 1e4}).Draw(t, n) *
				rapid.Float64Range(0.1, 2).Draw(t, n) * a
		}
		p := geom.Vec3{X: co("x"), Y: co("y"), Z: co("z")}
		for _, c := range []Curve{Ellipse{geom.World, a, b}, Hyperbola{geom.World, a, b}, Parabola{geom.World, a}} {
			x, dist := c.Invert(p)
			at, d1, d2 := c.D2(x)
			r := at.Sub(p)
			slope := d1.Dot(r)
			// One ulp of t, or of π/2 for an ellipse, changes the slope by curvature·t·2^-52; rounding
			// of r gives the rest.
			ulps := math.Abs(x)
			if c.Kind() == KindEllipse {
				ulps = math.Pi
			}
			tol := 1e-13*d1.Norm()*(at.Norm()+p.Norm()) + 1e-14*(d1.Norm2()+d2.Norm()*dist)*ulps
			if math.Abs(slope) > tol {
				t.Fatalf("kind %v (%v, %v), point %v: slope %v at %v, tolerance %v", c.Kind(), a, b, p, slope, x, tol)
			}
			if bend := d1.Norm2() + d2.Dot(r); bend < -1e-9*(d1.Norm2()+d2.Norm()*r.Norm()) {
				t.Fatalf("kind %v (%v, %v), point %v: a maximum at %v", c.Kind(), a, b, p, x)
			}
		}
	})
}

func TestUnboundedBoxes(t *testing.T) {
	inf := math.Inf(1)
	up := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	rows := []struct {
		name string
		c    Curve
		iv   geom.Interval
		want geom.Box
	}{
		{"line", Line{geom.Vec3{Y: 1}, geom.Vec3{X: 1}}, geom.Unbounded,
			geom.Box{Min: geom.Vec3{X: -inf, Y: 1}, Max: geom.Vec3{X: inf, Y: 1}}},
		{"ray", Line{geom.Vec3{Y: 1}, geom.Vec3{X: -1}}, geom.Interval{Lo: 2, Hi: inf},
			geom.Box{Min: geom.Vec3{X: -inf, Y: 1}, Max: geom.Vec3{X: -2, Y: 1}}},
		{"parabola", Parabola{up, 2}, geom.Unbounded,
			geom.Box{Min: geom.Vec3{Y: -inf}, Max: geom.Vec3{X: inf, Y: inf}}},
		{"half parabola", Parabola{up, 2}, geom.Interval{Lo: 1, Hi: inf},
			geom.Box{Min: geom.Vec3{X: 2, Y: 4}, Max: geom.Vec3{X: inf, Y: inf}}},
		{"hyperbola", Hyperbola{up, 3, 2}, geom.Unbounded,
			geom.Box{Min: geom.Vec3{X: 3, Y: -inf}, Max: geom.Vec3{X: inf, Y: inf}}},
		{"half hyperbola", Hyperbola{up, 3, 2}, geom.Interval{Lo: -inf, Hi: 0},
			geom.Box{Min: geom.Vec3{X: 3, Y: -inf}, Max: geom.Vec3{X: inf, Y: 0}}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := r.c.Bounds(r.iv); got != r.want {
				t.Errorf("Bounds(%v) = %v, want %v", r.iv, got, r.want)
			}
		})
	}
}

func TestBoundsOfArcs(t *testing.T) {
	c := Circle{geom.World, 2}
	rows := []struct {
		name     string
		lo, hi   float64
		min, max geom.Vec3
	}{
		{"whole", 0, 2 * math.Pi, geom.Vec3{X: -2, Y: -2}, geom.Vec3{X: 2, Y: 2}},
		{"more than whole", 1, 9, geom.Vec3{X: -2, Y: -2}, geom.Vec3{X: 2, Y: 2}},
		{"upper half", 0, math.Pi, geom.Vec3{X: -2}, geom.Vec3{X: 2, Y: 2}},
		{"across the seam", -math.Pi / 2, math.Pi / 2, geom.Vec3{Y: -2}, geom.Vec3{X: 2, Y: 2}},
		{"across the seam, next turn", 1.5 * math.Pi, 2.5 * math.Pi, geom.Vec3{Y: -2}, geom.Vec3{X: 2, Y: 2}},
		{"sixth", math.Pi / 6, math.Pi / 3, geom.Vec3{X: 1, Y: 1}, geom.Vec3{X: math.Sqrt(3), Y: math.Sqrt(3)}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := c.Bounds(geom.Interval{Lo: r.lo, Hi: r.hi})
			if got.Min.Dist(r.min) > 2e-15 || got.Max.Dist(r.max) > 2e-15 {
				t.Errorf("got %v, want %v to %v", got, r.min, r.max)
			}
		})
	}
}
