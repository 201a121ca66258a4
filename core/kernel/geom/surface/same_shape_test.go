package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// One shape in several representations must give the same distances and boxes.

func must[S surface.Surface](s S, err error) surface.Surface {
	if err != nil {
		panic(err) // a test builds only valid surfaces
	}
	return s
}

// rationalTube is a cylinder of radius r from z = 0 to h.
func rationalTube(t testing.TB, r, h float64) *surface.BSpline {
	return spun(t, clamped(1, 2), []geom.Vec2{{X: r}, {X: r, Y: h}}, []float64{1, 1})
}

func TestOneShapeManyKinds(t *testing.T) {
	axial := geom.Frame{X: v3(1, 0, 0), Y: v3(0, 0, 1), Z: v3(0, -1, 0)}
	at := func(x float64) geom.Frame { f := axial; f.Origin.X = x; return f }
	z := v3(0, 0, 1)
	half := trimmedCurve(t, curve.Circle{Frame: axial, Radius: 6}, -math.Pi/2, math.Pi/2, false)
	upright := curve.Line{Origin: v3(6, 0, 0), Dir: z}
	slanted := curve.Line{Origin: v3(6, 0, 0), Dir: v3(1, 0, 2).Unit()}
	whole, tall := span(0, 2*math.Pi), span(0, 10)
	tube := must(surface.NewTrimmed(cylinder(6), whole, tall, true, true))
	cut := span(0, 10*math.Sqrt(5)/2) // of the slanted line
	shapes := map[string][]surface.Surface{
		"sphere": {
			sphere(6), wholeSphere(t, 6), torus(0, 6, surface.Apple), mustOffset(t, wholeSphere(t, 4), 2),
			must(surface.NewRevolution(half, geom.Vec3{}, z)),
			must(surface.NewTrimmed(sphere(6), whole, span(-2, 2), false, true)),
		},
		"ring": {
			torus(9, 2, surface.Whole), ring(t, 9, 2), mustOffset(t, ring(t, 9, 3), -1),
			must(surface.NewRevolution(curve.Circle{Frame: at(9), Radius: 2}, geom.Vec3{}, z)),
		},
		"tube": {
			tube, rationalTube(t, 6, 10),
			must(surface.NewTrimmed(must(surface.NewRevolution(upright, geom.Vec3{}, z)), whole, tall, true, true)),
			must(surface.NewTrimmed(must(surface.NewExtrusion(curve.Circle{Frame: geom.World, Radius: 6}, z)),
				whole, tall, true, true)),
			mustOffset(t, rationalTube(t, 5, 10), 1),
		},
		"funnel": {
			must(surface.NewTrimmed(cone(6, math.Atan(0.5)), whole, tall, true, true)),
			must(surface.NewTrimmed(must(surface.NewRevolution(slanted, geom.Vec3{}, z)), whole, cut, true, true)),
			spun(t, clamped(1, 2), []geom.Vec2{{X: 6}, {X: 11, Y: 10}}, []float64{1, 1}),
		},
	}
	for name, list := range shapes {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawVec(t, 25, "p")
				_, want := list[0].Invert(p)
				for i, s := range list[1:] {
					uv, got := s.Invert(p)
					// Next to the axis all angles are as good, up to twice the distance from it.
					if math.Abs(got-want) > 1e-5 {
						t.Fatalf("number %d (%v): %v is %v away at %v, want %v", i+1, s.Kind(), p, got, uv, want)
					}
				}
			})
			u, v := list[0].Domain()
			want := list[0].Bounds(u, v)
			for i, s := range list[1:] {
				if s.Kind() == surface.KindOffset {
					continue // not tight
				}
				u, v := s.Domain()
				got := s.Bounds(u, v)
				if d := got.Min.Dist(want.Min) + got.Max.Dist(want.Max); d > 1e-5 {
					t.Errorf("number %d (%v) has the box %v, want %v", i+1, s.Kind(), got, want)
				}
			}
		})
	}
}

func TestClosestPointMovesWithTheSurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s surface.Surface
		switch rapid.IntRange(0, 2).Draw(t, "family") {
		case 0:
			s = drawAnalytic(t).s
		case 1:
			s = drawBSpline(t)
		default:
			s = drawSwept(t).s
		}
		m := drawTransform(t)
		p := drawVec(t, 60, "p")
		_, d := s.Invert(p)
		_, image := s.Transform(m).Invert(m.Point(p))
		if want := d * m.Scale(); math.Abs(image-want) > 2e-5*want+1e-8*(1+m.Scale()*p.Norm()) {
			t.Fatalf("%v: the image of %v is %v away, want %v", s.Kind(), p, image, want)
		}
	})
}

// transposed exchanges the parameters of a net.
func transposed(degU, degV int, ku, kv []float64, pts []geom.Vec3, w []float64) (*surface.BSpline, error) {
	nu, nv := len(ku)-degU-1, len(kv)-degV-1
	out := make([]geom.Vec3, len(pts))
	var weights []float64
	if w != nil {
		weights = make([]float64, len(w))
	}
	for i := range nu {
		for j := range nv {
			out[j*nu+i] = pts[i*nv+j]
			if w != nil {
				weights[j*nu+i] = w[i*nv+j]
			}
		}
	}
	return surface.NewBSpline(degV, degU, kv, ku, out, weights)
}

func TestTransposedNet(t *testing.T) {
	ku, kv := clamped(3, 6), clamped(2, 4)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-2, 2)
		var pts []geom.Vec3
		var w []float64
		for i := range 24 {
			pts = append(pts, v3(8*float64(i/4)+c.Draw(t, "dx"), 8*float64(i%4)+c.Draw(t, "dy"), 2*c.Draw(t, "z")))
			w = append(w, 2.2+c.Draw(t, "w"))
		}
		a, err := surface.NewBSpline(3, 2, ku, kv, pts, w)
		if err != nil {
			t.Fatal(err)
		}
		b, err := transposed(3, 2, ku, kv, pts, w)
		if err != nil {
			t.Fatal(err)
		}
		x := rapid.Float64Range(0, 1)
		u, v := x.Draw(t, "u"), x.Draw(t, "v")
		near(t, "point", b.At(v, u), a.At(u, v), 1e-11)
		near(t, "normal", b.Normal(v, u), a.Normal(u, v).Neg(), 1e-7)
		d, e := a.D2(u, v), b.D2(v, u)
		near(t, "mixed derivative", e.Duv, d.Duv, 1e-9*(1+d.Duv.Norm()))
		near(t, "second derivative", e.Dvv, d.Duu, 1e-9*(1+d.Duu.Norm()))
		p := a.At(u, v).Add(drawVec(t, 9, "off"))
		_, want := a.Invert(p)
		if _, got := b.Invert(p); math.Abs(got-want) > 2e-5*want+1e-8 {
			t.Fatalf("Invert(%v) is %v away on the transposed net, %v on the other", p, got, want)
		}
	})
}

func TestKnotInsertionChangesNothing(t *testing.T) {
	// Boehm's insertion of x into a cubic row: the points between get the convex combinations of
	// P&T eq. 5.15.
	ku := clamped(3, 7)
	kv := clamped(2, 3)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-2, 2)
		var pts []geom.Vec3
		for i := range 21 {
			pts = append(pts, v3(8*float64(i/3)+c.Draw(t, "dx"), 8*float64(i%3)+c.Draw(t, "dy"), 3*c.Draw(t, "z")))
		}
		a, err := surface.NewBSpline(3, 2, ku, kv, pts, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := rapid.Float64Range(0.01, 0.99).Draw(t, "knot")
		k := 3
		for ku[k+1] <= x {
			k++
		}
		var finer []geom.Vec3
		for i := range 8 {
			for j := range 3 {
				switch {
				case i <= k-3:
					finer = append(finer, pts[3*i+j])
				case i > k:
					finer = append(finer, pts[3*(i-1)+j])
				default:
					f := (x - ku[i]) / (ku[i+3] - ku[i])
					finer = append(finer, pts[3*(i-1)+j].Lerp(pts[3*i+j], f))
				}
			}
		}
		knots := append(append(append([]float64(nil), ku[:k+1]...), x), ku[k+1:]...)
		b, err := surface.NewBSpline(3, 2, knots, kv, finer, nil)
		if err != nil {
			t.Fatal(err)
		}
		y := rapid.Float64Range(0, 1)
		u, v := y.Draw(t, "u"), y.Draw(t, "v")
		near(t, "point", b.At(u, v), a.At(u, v), 1e-11)
		p := a.At(u, v).Add(drawVec(t, 9, "off"))
		_, want := a.Invert(p)
		if _, got := b.Invert(p); math.Abs(got-want) > 2e-5*want+1e-8 {
			t.Fatalf("Invert(%v) is %v away with the knot %v, %v without", p, got, x, want)
		}
		ba, bb := a.Bounds(span(0, 1), span(0, 1)), b.Bounds(span(0, 1), span(0, 1))
		if d := ba.Min.Dist(bb.Min) + ba.Max.Dist(bb.Max); d > 1e-6*ba.Diagonal() {
			t.Fatalf("box %v with the knot %v, %v without", bb, x, ba)
		}
	})
}
