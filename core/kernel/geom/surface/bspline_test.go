package surface_test

import (
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func mustBSpline(
	t testing.TB, degU, degV int, ku, kv []float64, pts []geom.Vec3, w []float64,
) *surface.BSpline {
	t.Helper()
	s, err := surface.NewBSpline(degU, degV, ku, kv, pts, w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// clamped returns the knots of a clamped vector over [0, 1] with single inner knots.
func clamped(degree, points int) []float64 {
	k := make([]float64, points+degree+1)
	inner := points - degree
	for i := range k {
		k[i] = math.Max(0, math.Min(1, float64(i-degree)/float64(inner)))
	}
	return k
}

// hilly returns a bicubic sheet of nu × nv points over a square of the given size, with hills.
func hilly(t testing.TB, nu, nv int, size, height float64) *surface.BSpline {
	t.Helper()
	var pts []geom.Vec3
	for i := range nu {
		for j := range nv {
			x, y := float64(i)/float64(nu-1), float64(j)/float64(nv-1)
			pts = append(pts, geom.Vec3{X: size * x, Y: size * y, Z: height * math.Sin(9*x+2*y) * math.Cos(7*y)})
		}
	}
	return mustBSpline(t, 3, 3, clamped(3, nu), clamped(3, nv), pts, nil)
}

var (
	quarterKnots = []float64{0, 0, 0, 1, 1, 1}
	circleKnots  = []float64{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}
	halfRoot     = math.Sqrt2 / 2
)

// circlePoints is the square around the unit circle, the control polygon of P&T ex. 7.2.
var circlePoints = []geom.Vec2{
	{X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: -1, Y: 1}, {X: -1}, {X: -1, Y: -1}, {Y: -1}, {X: 1, Y: -1}, {X: 1},
}

// spun revolves the meridian (r, z) with its weights about the Z axis: an exact rational surface with u
// the angle and v the meridian.
func spun(t testing.TB, knots []float64, rz []geom.Vec2, w []float64) *surface.BSpline {
	t.Helper()
	var pts []geom.Vec3
	var weights []float64
	for i, c := range circlePoints {
		wc := 1.0
		if i%2 == 1 {
			wc = halfRoot
		}
		for j, m := range rz {
			pts = append(pts, geom.Vec3{X: m.X * c.X, Y: m.X * c.Y, Z: m.Y})
			weights = append(weights, wc*w[j])
		}
	}
	return mustBSpline(t, 2, len(knots)-len(rz)-1, circleKnots, knots, pts, weights)
}

func halfSphere(t testing.TB, r float64) *surface.BSpline {
	return spun(t, quarterKnots, []geom.Vec2{{X: r}, {X: r, Y: r}, {Y: r}}, []float64{1, halfRoot, 1})
}

func wholeSphere(t testing.TB, r float64) *surface.BSpline {
	return spun(t, []float64{0, 0, 0, 1, 1, 2, 2, 2},
		[]geom.Vec2{{Y: -r}, {X: r, Y: -r}, {X: r}, {X: r, Y: r}, {Y: r}}, []float64{1, halfRoot, 1, halfRoot, 1})
}

func ring(t testing.TB, major, minor float64) *surface.BSpline {
	var rz []geom.Vec2
	w := make([]float64, len(circlePoints))
	for i, c := range circlePoints {
		rz = append(rz, geom.Vec2{X: major + minor*c.X, Y: minor * c.Y})
		w[i] = 1 - (1-halfRoot)*float64(i%2)
	}
	return spun(t, circleKnots, rz, w)
}

// fan is a bilinear triangle: the side v = 0 is the point (1, 2, 3).
func fan(t testing.TB) *surface.BSpline {
	p := geom.Vec3{X: 1, Y: 2, Z: 3}
	return mustBSpline(t, 1, 1, []float64{0, 0, 2, 2}, []float64{0, 0, 5, 5},
		[]geom.Vec3{p, {X: 1, Y: 2, Z: 9}, p, {X: 8, Y: 2, Z: 3}}, nil)
}

// hairpin is a sheet folded on itself, its two leaves gap apart.
func hairpin(t testing.TB, gap float64) *surface.BSpline {
	section := []geom.Vec2{{X: 40}, {X: 20}, {X: 2}, {X: -2 * gap}, {X: -2 * gap, Y: gap}, {X: 2, Y: gap},
		{X: 20, Y: gap}, {X: 40, Y: gap}}
	var pts []geom.Vec3
	for _, q := range section {
		for j := range 4 {
			pts = append(pts, geom.Vec3{X: q.X, Y: 10 * float64(j), Z: q.Y})
		}
	}
	return mustBSpline(t, 3, 3, clamped(3, len(section)), clamped(3, 4), pts, nil)
}

// drawBSpline returns a random net over a grid of cells about 10 mm wide, rational half the time.
func drawBSpline(t *rapid.T) surface.Surface {
	side := func(name string) (degree, n int, k []float64) {
		degree = rapid.IntRange(1, 5).Draw(t, name+" degree")
		n = degree + 1 + rapid.IntRange(0, 4).Draw(t, name+" more points")
		k = clamped(degree, n)
		for i := range k {
			k[i] = 3*k[i] - 1
		}
		return degree, n, k
	}
	degU, nu, ku := side("u")
	degV, nv, kv := side("v")
	c := rapid.Float64Range(-3, 3)
	var pts []geom.Vec3
	var w []float64
	for i := range nu {
		for j := range nv {
			pts = append(pts, geom.Vec3{
				X: 10*float64(i) + c.Draw(t, "dx"), Y: 10*float64(j) + c.Draw(t, "dy"), Z: 2 * c.Draw(t, "z")})
			w = append(w, rapid.Float64Range(0.5, 2).Draw(t, "w"))
		}
	}
	if rapid.Bool().Draw(t, "polynomial") {
		w = nil
	}
	s, err := surface.NewBSpline(degU, degV, ku, kv, pts, w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// awayFromKnots returns a parameter without a knot of the surface within h.
func awayFromKnots(t *rapid.T, breaks []float64, h float64, name string) float64 {
	k := rapid.IntRange(0, len(breaks)-2).Draw(t, name+" piece")
	return rapid.Float64Range(breaks[k]+h, breaks[k+1]-h).Draw(t, name)
}

func TestBSplineDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawBSpline(t).(*surface.BSpline)
		bu, bv := s.Breaks()
		const h = 1e-4
		u, v := awayFromKnots(t, bu, 2*h, "u"), awayFromKnots(t, bv, 2*h, "v")
		checkDerivatives(t, s, u, v, h, h, 1e-3)
		_, du, dv := s.D1(u, v)
		if du.Cross(dv).Norm() > 1e-3*du.Norm()*dv.Norm() {
			checkNormal(t, s, u, v, 1e-9)
		}
	})
}

func TestBSplineInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawBSpline(t)
		du, dv := s.Domain()
		c := rapid.Float64Range(0, 1)
		u, v := du.At(c.Draw(t, "u")), dv.At(c.Draw(t, "v"))
		h := rapid.Float64Range(-0.05, 0.05)
		checkInvert(t, s, u, v, geom.Vec2{X: u + h.Draw(t, "hu"), Y: v + h.Draw(t, "hv")}, 1e-8)
	})
}

func TestBSplineClosest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawBSpline(t)
		u, v := s.Domain()
		c := rapid.Float64Range(0, 1)
		p := s.At(u.At(c.Draw(t, "u")), v.At(c.Draw(t, "v"))).Add(drawVec(t, 20, "off"))
		checkClosest(t, s, p, u, v, 2e-5) // ties within 1e-5 of the distance may have either result
	})
}

func TestBSplineTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := drawBSpline(t), drawTransform(t)
		c := rapid.Float64Range(-1, 2)
		u, v := c.Draw(t, "u"), c.Draw(t, "v")
		_, du, dv := s.D1(u, v)
		if du.Cross(dv).Norm() > 1e-3*du.Norm()*dv.Norm() {
			checkTransform(t, s, m, u, v, 1, 1, 1e-12)
		}
	})
}

func TestBSplineBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawBSpline(t)
		u, v := s.Domain()
		checkBounds(t, s, drawInterval(t, u, "u"), drawInterval(t, v, "v"), 0.02)
	})
}

func TestBSplineBoundsAreTight(t *testing.T) {
	rows := []struct {
		name string
		s    surface.Surface
		want geom.Box
	}{
		{"half sphere", halfSphere(t, 7), geom.Box{Min: v3(-7, -7, 0), Max: v3(7, 7, 7)}},
		{"sphere", wholeSphere(t, 7), geom.Box{Min: v3(-7, -7, -7), Max: v3(7, 7, 7)}},
		{"ring", ring(t, 7, 2), geom.Box{Min: v3(-9, -9, -2), Max: v3(9, 9, 2)}},
		{"fan", fan(t), geom.Box{Min: v3(1, 2, 3), Max: v3(8, 2, 9)}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			u, v := r.s.Domain()
			got := r.s.Bounds(u, v)
			tol := 1e-6 * r.want.Diagonal()
			if got.Min.Dist(r.want.Min) > tol || got.Max.Dist(r.want.Max) > tol {
				t.Errorf("Bounds = %v, want %v", got, r.want)
			}
		})
	}
}

func TestBSplineTopology(t *testing.T) {
	rows := []struct {
		name     string
		s        surface.Surface
		pu, pv   float64
		singular []surface.Singularity
	}{
		{"open sheet", hilly(t, 6, 5, 50, 3), 0, 0, nil},
		{"half sphere", halfSphere(t, 7), 4, 0, []surface.Singularity{
			{ConstV: true, Param: 1, Point: v3(0, 0, 7)}}},
		{"sphere", wholeSphere(t, 7), 4, 0, []surface.Singularity{
			{ConstV: true, Param: 0, Point: v3(0, 0, -7)}, {ConstV: true, Param: 2, Point: v3(0, 0, 7)}}},
		{"ring", ring(t, 7, 2), 4, 4, nil},
		{"fan", fan(t), 0, 0, []surface.Singularity{{ConstV: true, Param: 0, Point: v3(1, 2, 3)}}},
		{"unclamped closed tube", unclampedTube(t), 6, 0, nil},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if pu, pv := r.s.Periods(); pu != r.pu || pv != r.pv {
				t.Errorf("Periods = %g, %g, want %g, %g", pu, pv, r.pu, r.pv)
			}
			got := r.s.Singularities()
			if len(got) != len(r.singular) {
				t.Fatalf("Singularities = %v, want %v", got, r.singular)
			}
			for i, g := range got {
				w := r.singular[i]
				if g.ConstV != w.ConstV || g.Param != w.Param || g.Point.Dist(w.Point) > exact*10 {
					t.Errorf("singularity %d = %+v, want %+v", i, g, w)
				}
				inward := 1.0
				if g.Param > 0 {
					inward = -1
				}
				checkSingularity(t, r.s, g, inward)
			}
			m := geom.Rotation(v3(1, 2, 3), 1).Mul(geom.Scaling(1e-4))
			img := r.s.Transform(m)
			if pu, pv := img.Periods(); pu != r.pu || pv != r.pv || len(img.Singularities()) != len(got) {
				t.Errorf("the image at 1e-4 of the size has periods %g, %g and %d singularities",
					pu, pv, len(img.Singularities()))
			}
		})
	}
}

// unclampedTube is a closed uniform cubic with six points around, without end knots.
func unclampedTube(t testing.TB) *surface.BSpline {
	var pts []geom.Vec3
	for i := range 9 {
		s, c := math.Sincos(float64(i%6) * math.Pi / 3)
		for j := range 2 {
			pts = append(pts, geom.Vec3{X: 5 * c, Y: 5 * s, Z: 10 * float64(j)})
		}
	}
	ku := make([]float64, 13)
	for i := range ku {
		ku[i] = float64(i - 3)
	}
	return mustBSpline(t, 3, 1, ku, []float64{0, 0, 1, 1}, pts, nil)
}

func TestRationalSphereIsExact(t *testing.T) {
	s := wholeSphere(t, 7)
	rapid.Check(t, func(t *rapid.T) {
		u, v := rapid.Float64Range(-4, 8).Draw(t, "u"), rapid.Float64Range(0, 2).Draw(t, "v")
		p := s.At(u, v)
		if math.Abs(p.Norm()-7) > 1e-13*7 {
			t.Fatalf("|S(%g, %g)| = %v, want 7", u, v, p.Norm())
		}
		near(t, "normal", s.Normal(u, v), p.Unit(), 2e-7)
		q := p.Scale(rapid.Float64Range(0.2, 3).Draw(t, "height"))
		uv, dist := s.Invert(q)
		if want := math.Abs(q.Norm() - 7); math.Abs(dist-want) > 1e-9 {
			t.Fatalf("Invert(%v) is %v away, want %v", q, dist, want)
		}
		near(t, "foot", s.At(uv.X, uv.Y), p, geom.Resolution)
		hint := geom.Vec2{X: u + 0.2, Y: math.Max(0, v-0.1)}
		uv, dist = s.InvertNear(q, hint)
		near(t, "near foot", s.At(uv.X, uv.Y), p, geom.Resolution)
		onBranch(t, s, uv, hint)
		if want := math.Abs(q.Norm() - 7); math.Abs(dist-want) > geom.Resolution {
			t.Fatalf("InvertNear(%v) is %v away, want %v", q, dist, want)
		}
	})
}

func TestInvertNearCrossesSeams(t *testing.T) {
	s := ring(t, 7, 2)
	hint := geom.Vec2{X: 3.7, Y: 0.1}
	const steps = 400
	for i := range steps { // three full turns in both directions
		a := 6 * math.Pi * float64(i) / steps
		sin, cos := math.Sincos(a)
		r := 7 + 2*math.Cos(2*a)
		p := geom.Vec3{X: r * cos, Y: -r * sin, Z: 2 * math.Sin(2*a)}
		uv, dist := s.InvertNear(p, hint)
		if dist > 1e-9 || i > 0 && uv.Dist(hint) > 0.2 {
			t.Fatalf("step %d: InvertNear(%v, %v) = %v, %g away", i, p, hint, uv, dist)
		}
		hint = uv
	}
	if hint.X > -7.9 || hint.Y < 23.9 {
		t.Errorf("after three turns the parameters are %v, want three periods of 4 down and six up", hint)
	}
}

func TestInvertNearChangesLeaf(t *testing.T) {
	const gap = 0.05
	s := hairpin(t, gap)
	p := s.At(0.9, 0.5) // on the upper leaf
	uv, dist := s.InvertNear(p, geom.Vec2{X: 0.1, Y: 0.5})
	if dist > 1e-8 || uv.Dist(geom.Vec2{X: 0.9, Y: 0.5}) > 1e-6 {
		t.Errorf("from the lower leaf: InvertNear(%v) = %v, %g away", p, uv, dist)
	}
}

func TestInvertNearAcrossPole(t *testing.T) {
	s := halfSphere(t, 7)
	for _, far := range []float64{1e-5, 1e-3, 0.1, 3} {
		// A hint on the other side of the pole: the distance falls from there toward the pole only.
		p := geom.Vec3{X: far, Z: math.Sqrt(49 - far*far)}
		uv, dist := s.InvertNear(p, geom.Vec2{X: 2, Y: 0.98})
		if q := s.At(uv.X, uv.Y); dist > 1e-8 || q.Dist(p) > 1e-8 {
			t.Errorf("%g mm beyond the pole: InvertNear = %v, %g away", far, uv, dist)
		}
	}
}

// kinked is a roof with its ridge at u = 1, a double knot of a quadratic.
func kinked(t testing.TB) *surface.BSpline {
	var pts []geom.Vec3
	for _, q := range []geom.Vec2{{X: -10}, {X: -5, Y: 5}, {Y: 10}, {X: 5, Y: 5}, {X: 10}} {
		for j := range 2 {
			pts = append(pts, geom.Vec3{X: q.X, Y: 20 * float64(j), Z: q.Y})
		}
	}
	return mustBSpline(t, 2, 1, []float64{0, 0, 0, 1, 1, 2, 2, 2}, []float64{0, 0, 1, 1}, pts, nil)
}

func TestInvertOnRidge(t *testing.T) {
	s := kinked(t)
	for _, p := range []geom.Vec3{v3(0, 4, 10), v3(0, 4, 13), v3(0.5, 4, 14), v3(-3, 4, 17)} {
		want := p.Dist(v3(0, 4, 10))
		for _, hint := range []geom.Vec2{{X: 0.3, Y: 0.5}, {X: 1, Y: 0.5}, {X: 1.9, Y: 0.1}} {
			uv, dist := s.InvertNear(p, hint)
			if math.Abs(dist-want) > 1e-7 || math.Abs(uv.X-1) > 1e-6 {
				t.Errorf("InvertNear(%v, %v) = %v, %g away; want the ridge, %g", p, hint, uv, dist, want)
			}
		}
		if uv, dist := s.Invert(p); math.Abs(dist-want) > 1e-7 {
			t.Errorf("Invert(%v) = %v, %g away; want the ridge, %g", p, uv, dist, want)
		}
	}
}

func TestNewBSplineErrors(t *testing.T) {
	k, p := []float64{0, 0, 1, 1}, make([]geom.Vec3, 4)
	bad := append([]geom.Vec3{{X: math.NaN()}}, p[1:]...)
	rows := []struct {
		name   string
		degU   int
		ku     []float64
		points []geom.Vec3
		w      []float64
	}{
		{"too few points", 1, k, p[:3], nil},
		{"degree zero", 0, k, p, nil},
		{"negative degree", -7, k, p, nil},
		{"huge degree", 1 << 40, k, p, nil},
		{"falling knots", 1, []float64{0, 1, 0, 1}, p, nil},
		{"no range", 1, []float64{0, 0, 0, 0}, p, nil},
		{"point not finite", 1, k, bad, nil},
		{"zero weight", 1, k, p, []float64{1, 0, 1, 1}},
		{"too few weights", 1, k, p, []float64{1, 1}},
		{"nothing", 1, nil, nil, nil},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if s, err := surface.NewBSpline(r.degU, 1, r.ku, k, r.points, r.w); err == nil {
				t.Errorf("got %v, want an error", s)
			}
		})
	}
	if _, err := surface.NewBSpline(1, 1, k, k, p, nil); err != nil {
		t.Errorf("a net of one point is degenerate, not wrong: %v", err)
	}
}

func TestCellsAreBuiltOnceConcurrently(t *testing.T) {
	s := hilly(t, 20, 20, 100, 5)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			u, v := float64(i)/8, 0.5
			if uv, dist := s.Invert(s.At(u, v)); dist > 1e-8 {
				t.Errorf("Invert(At(%g, %g)) = %v, %g away", u, v, uv, dist)
			}
		})
	}
	wg.Wait()
}

func TestBSplineAllocs(t *testing.T) {
	for _, s := range []surface.Surface{hilly(t, 9, 9, 50, 3), halfSphere(t, 7)} {
		checkEvalAllocs(t, s, 0.3, 0.4)
	}
}

func BenchmarkBSpline(b *testing.B) {
	rows := []struct {
		name string
		s    *surface.BSpline
	}{{"bicubic", hilly(b, 40, 40, 400, 10)}, {"rational", halfSphere(b, 50)}}
	for _, r := range rows {
		s := r.s
		u, v := s.Domain()
		s.Invert(geom.Vec3{})
		path := make([]geom.Vec3, 256) // about 1.5 mm apart
		uv := make([]geom.Vec2, len(path))
		for i := range path {
			x := float64(i) / float64(len(path))
			uv[i] = geom.Vec2{X: u.At(0.1 + 0.8*x), Y: v.At(0.5 + 0.3*math.Sin(3*x))}
			path[i] = s.At(uv[i].X, uv[i].Y)
		}
		b.Run(r.name+"/At", func(b *testing.B) {
			for i := range b.N {
				q := uv[i&255]
				s.At(q.X, q.Y)
			}
		})
		b.Run(r.name+"/D2", func(b *testing.B) {
			for i := range b.N {
				q := uv[i&255]
				s.D2(q.X, q.Y)
			}
		})
		b.Run(r.name+"/InvertNear", func(b *testing.B) {
			hint := uv[0]
			for i := range b.N {
				if i&255 == 0 {
					hint = uv[0]
				}
				hint, _ = s.InvertNear(path[i&255], hint)
			}
		})
		b.Run(r.name+"/Invert", func(b *testing.B) {
			for i := range b.N {
				s.Invert(path[i&255])
			}
		})
		b.Run(r.name+"/Invert 3 mm off", func(b *testing.B) {
			for i := range b.N {
				s.Invert(path[i&255].Add(geom.Vec3{Z: 3}))
			}
		})
		b.Run(r.name+"/Bounds", func(b *testing.B) {
			for range b.N {
				s.Bounds(u, v)
			}
		})
	}
}
