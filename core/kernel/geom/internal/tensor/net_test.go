package tensor

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

// drawKnots returns a random vector with inner multiplicities up to the degree, clamped or not.
func drawKnots(t *rapid.T, name string) (degree, points int, flat []float64) {
	degree = rapid.IntRange(1, 4).Draw(t, name+" degree")
	clamped := rapid.Bool().Draw(t, name+" clamped")
	ends := 1
	if clamped {
		ends = degree + 1
	}
	x := rapid.Float64Range(-3, 3).Draw(t, name+" start")
	add := func(times int) {
		for range times {
			flat = append(flat, x)
		}
		x += rapid.Float64Range(0.2, 2).Draw(t, name+" step")
	}
	add(ends)
	inner := rapid.IntRange(0, 3).Draw(t, name+" inner")
	if !clamped {
		inner += 2 * degree
	}
	for range inner {
		most := degree
		if !clamped {
			most = 1
		}
		add(rapid.IntRange(1, most).Draw(t, name+" multiplicity"))
	}
	add(ends)
	return degree, len(flat) - degree - 1, flat
}

// naive keeps the arguments of a net, for evaluation straight from the definition.
type naive struct {
	p, q   int
	ku, kv []float64
	points []geom.Vec3
	w      []float64
}

func drawNet(t *rapid.T) (*Net, naive) {
	p, nu, ku := drawKnots(t, "u")
	q, nv, kv := drawKnots(t, "v")
	c := rapid.Float64Range(-2, 2)
	var points []geom.Vec3
	var w []float64
	for i := range nu {
		for j := range nv {
			points = append(points, geom.Vec3{
				X: 5*float64(i) + c.Draw(t, "dx"), Y: 5*float64(j) + c.Draw(t, "dy"), Z: 2 * c.Draw(t, "z"),
			})
			w = append(w, rapid.Float64Range(0.4, 2.5).Draw(t, "w"))
		}
	}
	if rapid.Bool().Draw(t, "polynomial") {
		w = nil
	}
	n, err := New(p, q, ku, kv, points, w)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return n, naive{p, q, ku, kv, points, w}
}

// coxDeBoor is the definition of basis function i of the degree (P&T eq. 2.5).
func coxDeBoor(k []float64, i, degree int, t float64) float64 {
	if degree == 0 {
		if k[i] <= t && t < k[i+1] {
			return 1
		}
		return 0
	}
	sum := 0.0
	if d := k[i+degree] - k[i]; d > 0 {
		sum += (t - k[i]) / d * coxDeBoor(k, i, degree-1, t)
	}
	if d := k[i+degree+1] - k[i+1]; d > 0 {
		sum += (k[i+degree+1] - t) / d * coxDeBoor(k, i+1, degree-1, t)
	}
	return sum
}

func (n naive) at(u, v float64) geom.Vec3 {
	nv := len(n.kv) - n.q - 1
	var sum geom.Vec3
	total := 0.0
	for k, p := range n.points {
		f := coxDeBoor(n.ku, k/nv, n.p, u) * coxDeBoor(n.kv, k%nv, n.q, v)
		if n.w != nil {
			f *= n.w[k]
		}
		sum = sum.AddScaled(f, p)
		total += f
	}
	return sum.Scale(1 / total)
}

func drawParams(t *rapid.T, n *Net) (u, v float64) {
	c := rapid.Float64Range(0, 0.999999)
	return n.U.Domain().At(c.Draw(t, "u")), n.V.Domain().At(c.Draw(t, "v"))
}

func wantNear(t rapid.TB, what string, got, want geom.Vec3, tol float64) {
	t.Helper()
	if d := got.Dist(want); !(d <= tol) {
		t.Fatalf("%s: got %v, want %v (off by %g, allowed %g)", what, got, want, d, tol)
	}
}

func TestEvaluationMatchesDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, def := drawNet(t)
		u, v := drawParams(t, n)
		want := def.at(u, v)
		wantNear(t, "At", n.At(u, v), want, 1e-12*(1+want.Norm()))
		p, du, dv := n.D1(u, v)
		var j Jet
		n.D2(u, v, &j)
		wantNear(t, "point of D1", p, want, 1e-12*(1+want.Norm()))
		wantNear(t, "point of D2", j.P, want, 1e-12*(1+want.Norm()))
		wantNear(t, "Du of D1", du, j.Du, 1e-11*(1+j.Du.Norm()))
		wantNear(t, "Dv of D1", dv, j.Dv, 1e-11*(1+j.Dv.Norm()))
	})
}

func TestDerivativesMatchDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		inside := func(breaks []float64, name string) (t0, h float64) {
			k := rapid.IntRange(0, len(breaks)-2).Draw(t, name+" piece")
			length := breaks[k+1] - breaks[k]
			return breaks[k] + length*rapid.Float64Range(0.01, 0.99).Draw(t, name), 1e-4 * length
		}
		u, hu := inside(n.U.Breaks(), "u")
		v, hv := inside(n.V.Breaks(), "v")
		var j, a, b Jet
		n.D2(u, v, &j)
		slope := func(a, b geom.Vec3, h float64) geom.Vec3 { return a.Sub(b).Scale(0.5 / h) }
		size := 1 + j.P.Norm() + j.Du.Norm() + j.Dv.Norm() + j.Duu.Norm() + j.Duv.Norm() + j.Dvv.Norm()
		tol := 1e-3 * size
		n.D2(u+hu, v, &a)
		n.D2(u-hu, v, &b)
		wantNear(t, "Du", j.Du, slope(a.P, b.P, hu), tol)
		wantNear(t, "Duu", j.Duu, slope(a.Du, b.Du, hu), tol)
		wantNear(t, "Duv", j.Duv, slope(a.Dv, b.Dv, hu), tol)
		n.D2(u, v+hv, &a)
		n.D2(u, v-hv, &b)
		wantNear(t, "Dv", j.Dv, slope(a.P, b.P, hv), tol)
		wantNear(t, "Dvu", j.Duv, slope(a.Du, b.Du, hv), tol)
		wantNear(t, "Dvv", j.Dvv, slope(a.Dv, b.Dv, hv), tol)
	})
}

func TestTransformMovesPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		u, v := drawParams(t, n)
		m := geom.Scaling(2).Mul(geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: -1}, 1))
		m.T = geom.Vec3{X: 5, Y: -7, Z: 1}
		m.X = m.X.Neg() // a mirroring
		want := m.Point(n.At(u, v))
		got := n.Transform(m)
		wantNear(t, "image", got.At(u, v), want, 1e-11*(1+want.Norm()))
		if got.Rational() != n.Rational() {
			t.Fatalf("the image is rational: %v, the net: %v", got.Rational(), n.Rational())
		}
	})
}

func TestIsoControlIsTheIsoCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, def := drawNet(t)
		if n.Rational() {
			return // the points alone do not give the curve
		}
		u, v := drawParams(t, n)
		sum := func(points []geom.Vec3, knots []float64, degree int, x float64) (p geom.Vec3) {
			for i, c := range points {
				p = p.AddScaled(coxDeBoor(knots, i, degree, x), c)
			}
			return p
		}
		want := n.At(u, v)
		tol := 1e-12 * (1 + want.Norm())
		wantNear(t, "curve v = const", sum(n.IsoControl(true, v), def.ku, def.p, u), want, tol)
		wantNear(t, "curve u = const", sum(n.IsoControl(false, u), def.kv, def.q, v), want, tol)
	})
}

func TestIsoControlHoldsRationalSides(t *testing.T) {
	// A quarter of a cylinder: the side v = 0 is the arc in the plane z = 0.
	h := math.Sqrt2 / 2
	n, err := New(2, 1, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1},
		[]geom.Vec3{{X: 2}, {X: 2, Z: 5}, {X: 2, Y: 2}, {X: 2, Y: 2, Z: 5}, {Y: 2}, {Y: 2, Z: 5}},
		[]float64{1, 1, h, h, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []geom.Vec3{{X: 2}, {X: 2, Y: 2}, {Y: 2}}
	for i, p := range n.IsoControl(true, 0) {
		wantNear(t, "control point of the arc", p, want[i], 1e-15)
	}
	want = []geom.Vec3{{X: 2 * h, Y: 2 * h}, {X: 2 * h, Y: 2 * h, Z: 5}}
	for i, p := range n.IsoControl(false, 0.5) {
		wantNear(t, "control point of the generator", p, want[i], 1e-15)
	}
	if hull := n.Hull(); hull != (geom.Box{Max: geom.Vec3{X: 2, Y: 2, Z: 5}}) {
		t.Errorf("Hull = %v", hull)
	}
}

func TestNewErrors(t *testing.T) {
	k := []float64{0, 0, 1, 1}
	four := make([]geom.Vec3, 4)
	rows := []struct {
		name   string
		p, q   int
		ku, kv []float64
		points []geom.Vec3
		w      []float64
	}{
		{"one point short", 1, 1, k, k, four[:3], nil},
		{"knots of u too short", 1, 1, k[:3], k, four, nil},
		{"degree of v too high", 1, 2, k, k, four, nil},
		{"negative degree", 1, -1, k, k, four, nil},
		{"knots of v decrease", 1, 1, k, []float64{0, 1, 0.5, 1}, four, nil},
		{"knots of u decrease", 1, 1, []float64{1, 1, 0, 0}, k, four, nil},
		{"infinite point", 1, 1, k, k, []geom.Vec3{{}, {}, {}, {Z: math.Inf(1)}}, nil},
		{"negative weight", 1, 1, k, k, four, []float64{1, 1, 1, -1}},
		{"weight not a number", 1, 1, k, k, four, []float64{1, 1, 1, math.NaN()}},
		{"weights too many", 1, 1, k, k, four, make([]float64, 5)},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if n, err := New(r.p, r.q, r.ku, r.kv, r.points, r.w); err == nil {
				t.Errorf("got %v, want an error", n)
			}
		})
	}
	n, err := New(1, 1, k, k, four, []float64{3, 3, 3, 3})
	if err != nil || n.Rational() {
		t.Errorf("equal weights: got %v, %v, want a polynomial net", n, err)
	}
}

func TestEvaluationDoesNotAllocate(t *testing.T) {
	h := math.Sqrt2 / 2
	for _, w := range [][]float64{nil, {1, 1, h, h, 1, 1}} {
		n, err := New(2, 1, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1}, make([]geom.Vec3, 6), w)
		if err != nil {
			t.Fatal(err)
		}
		n.LeafGrid()
		var j Jet
		var s Search
		calls := map[string]func(){
			"At": func() { n.At(0.3, 0.4) },
			"D1": func() { n.D1(0.3, 0.4) },
			"D2": func() { n.D2(0.3, 0.4, &j) },
			"search": func() {
				n.LeafGrid().Search(geom.Vec3{X: 1}, &s)
				s.Next(1e9)
			},
		}
		for name, f := range calls {
			if a := testing.AllocsPerRun(50, f); a != 0 {
				t.Errorf("%s allocates %g times, want 0", name, a)
			}
		}
	}
}
