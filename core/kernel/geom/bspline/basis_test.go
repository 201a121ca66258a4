package bspline

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

	"pgregory.net/rapid"
)

// coxDeBoor is the textbook recursion (P&T eq. 2.5) on one span, continued outside it.
func coxDeBoor(u []float64, span, i, p int, t float64) float64 {
	if p == 0 {
		if i == span {
			return 1
		}
		return 0
	}
	sum := 0.0
	if d := u[i+p] - u[i]; d > 0 {
		sum += (t - u[i]) / d * coxDeBoor(u, span, i, p-1, t)
	}
	if d := u[i+p+1] - u[i+1]; d > 0 {
		sum += (u[i+p+1] - t) / d * coxDeBoor(u, span, i+1, p-1, t)
	}
	return sum
}

func TestBasisAgreesWithRecursion(t *testing.T) {
	const tol = 1e-12 // values are at most 1
	rapid.Check(t, func(t *rapid.T) {
		k := drawKnots(t)
		x := drawParam(t, k)
		span := k.Span(x)
		var n Row
		k.Basis(span, x, &n)
		for r := 0; r <= k.Degree(); r++ {
			want := coxDeBoor(k.Flat(), span, span-k.Degree()+r, k.Degree(), x)
			if math.Abs(n[r]-want) > tol || n[r] < -tol {
				t.Fatalf("N[%d](%v) = %v, want %v (≥ 0)", r, x, n[r], want)
			}
		}
	})
}

func TestBasisDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKnots(t)
		x := drawParam(t, k)
		span := k.Span(x)
		var n, lo, hi Row
		var d1 [2]Row
		var d2 [3]Row
		k.Basis(span, x, &n)
		k.Basis1(span, x, &d1)
		k.Basis2(span, x, &d2)
		width := k.Flat()[span+1] - k.Flat()[span]
		h := 1e-4 * width // of the polynomial piece; truncation and rounding are both near 1e-8
		k.Basis(span, x-h, &lo)
		k.Basis(span, x+h, &hi)
		sums := [3]float64{}
		for r := 0; r <= k.Degree(); r++ {
			if d1[0][r] != n[r] || d2[0][r] != n[r] || d1[1][r] != d2[1][r] {
				t.Fatalf("orders disagree at %v: %v, %v, %v", x, n[r], d1[0][r], d2[0][r])
			}
			for o := range sums {
				sums[o] += d2[o][r]
			}
			slope, bend := (hi[r]-lo[r])/(2*h)*width, (hi[r]-2*n[r]+lo[r])/(h*h)*width*width
			if got := d2[1][r] * width; math.Abs(got-slope) > 1e-5*(1+math.Abs(slope)) {
				t.Fatalf("N'[%d](%v)·width = %v, difference gives %v", r, x, got, slope)
			}
			if got := d2[2][r] * width * width; math.Abs(got-bend) > 1e-4*(1+math.Abs(bend)) {
				t.Fatalf("N''[%d](%v)·width² = %v, difference gives %v", r, x, got, bend)
			}
		}
		for o, want := range [3]float64{1, 0, 0} {
			if scale := math.Pow(width, float64(o)); math.Abs(sums[o]-want)*scale > 1e-9 {
				t.Fatalf("derivatives of order %d sum to %v, want %v", o, sums[o], want)
			}
		}
	})
}

func TestHighestDegree(t *testing.T) {
	flat, err := BezierKnots(MaxDegree, MaxOrder)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKnots(MaxDegree, MaxOrder, flat)
	if err != nil {
		t.Fatal(err)
	}
	var d [3]Row
	k.Basis2(k.Span(0.3), 0.3, &d)
	want, choose := 0.0, 1.0 // Bernstein polynomial r of degree 25 at 0.3
	for r := 0; r <= MaxDegree; r++ {
		want = choose * math.Pow(0.3, float64(r)) * math.Pow(0.7, float64(MaxDegree-r))
		if math.Abs(d[0][r]-want) > 1e-14 {
			t.Errorf("B[%d](0.3) = %v, want %v", r, d[0][r], want)
		}
		choose *= float64(MaxDegree-r) / float64(r+1)
	}
}

func TestExtractionReproducesPiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKnots(t)
		s := rapid.IntRange(0, k.Pieces()-1).Draw(t, "piece")
		order := k.Degree() + 1
		c := make([]float64, order*order)
		k.Extraction(s, c)
		a, b := k.Breaks()[s], k.Breaks()[s+1]
		x := rapid.Float64Range(0, 1).Draw(t, "x")
		var n Row
		k.Basis(k.PieceSpan(s), a+x*(b-a), &n)
		for r := range order { // sum of Bernstein·matrix is the basis function
			got, choose := 0.0, 1.0
			for j := range order {
				if c[j*order+r] < 0 {
					t.Fatalf("entry %d,%d is %v, not a convex combination", j, r, c[j*order+r])
				}
				bern := choose * math.Pow(x, float64(j)) * math.Pow(1-x, float64(order-1-j))
				got += bern * c[j*order+r]
				choose *= float64(order-1-j) / float64(j+1)
			}
			// The parameter is rounded to a fraction of the piece, which moves the value by degree times it.
			ulp := 0x1p-52 * max(math.Abs(a), math.Abs(b)) / (b - a)
			if math.Abs(got-n[r]) > 1e-12+float64(order)*ulp {
				t.Fatalf("piece %d of %v: function %d is %v, basis says %v", s, k.Flat(), r, got, n[r])
			}
		}
	})
}

func quarterCircle(t testing.TB) (*Knots, []Hom) {
	k, err := NewKnots(2, 3, []float64{0, 0, 0, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	return k, LiftNet([]geom.Vec3{{X: 1}, {X: 1, Y: 1}, {Y: 1}}, []float64{1, math.Sqrt2 / 2, 1})
}

func TestRationalQuarterCircle(t *testing.T) {
	k, net := quarterCircle(t)
	for x := 0.0; x <= 1; x += 1.0 / 64 {
		a, a1, a2 := k.Point2(net, 0, 1, x)
		p, d1, d2 := Quotient2(a, a1, a2)
		q, e1 := Quotient1(a, a1)
		if q != p || e1 != d1 || p != a.Point() {
			t.Fatalf("Quotient1 and Quotient2 disagree at %v", x)
		}
		if math.Abs(p.Norm()-1) > 1e-15 {
			t.Errorf("|C(%v)| = %.17g, want 1", x, p.Norm())
		}
		if math.Abs(p.Dot(d1)) > 1e-15 { // tangent to the circle
			t.Errorf("C·C' at %v is %v, want 0", x, p.Dot(d1))
		}
		if got := d1.Norm2() + p.Dot(d2); math.Abs(got) > 1e-13 { // (C·C')' = 0
			t.Errorf("C'² + C·C'' at %v is %v, want 0", x, got)
		}
	}
	if k.IsClosed(net, 0, 1, 1) {
		t.Error("a quarter circle counts as closed")
	}
}

func TestQuotientMixed(t *testing.T) {
	// S = (u·v, u+v, u²)/(1 + u + 2v), checked against differences of the first derivative.
	at := func(u, v float64) (a, au, av, auv Hom) {
		return Hom{u * v, u + v, u * u, 1 + u + 2*v}, Hom{v, 1, 2 * u, 1}, Hom{u, 1, 0, 2}, Hom{X: 1}
	}
	const u, v, h = 0.4, 0.7, 1e-5
	a, au, av, auv := at(u, v)
	p, du := Quotient1(a, au)
	_, dv := Quotient1(a, av)
	got := QuotientMixed(a.W, au, av, auv, p, du, dv)
	a2, au2, _, _ := at(u, v+h)
	_, hi := Quotient1(a2, au2)
	a0, au0, _, _ := at(u, v-h)
	_, lo := Quotient1(a0, au0)
	if want := hi.Sub(lo).Scale(0.5 / h); got.Dist(want) > 1e-9 {
		t.Errorf("mixed derivative %v, want %v", got, want)
	}
}

func TestNetLines(t *testing.T) {
	k, err := NewKnots(2, 3, []float64{0, 0, 0, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	// Two interleaved lines: line 1 is a closed lens, line 0 is not.
	net := LiftNet([]geom.Vec3{{X: 5}, {}, {X: 6}, {Y: 2}, {X: 7}, {}}, nil)
	if !k.IsClosed(net, 1, 2, 0) || k.IsClosed(net, 0, 2, 1) {
		t.Error("closedness of interleaved lines is wrong")
	}
	if got := k.Point(net, 1, 2, 0.5).Point(); got != (geom.Vec3{Y: 1}) {
		t.Errorf("middle of line 1 is %v, want (0,1,0)", got)
	}
}

func TestWeights(t *testing.T) {
	rows := []struct {
		name     string
		w        []float64
		ok       bool
		rational bool
	}{
		{"none", nil, true, false},
		{"equal", []float64{2, 2}, true, false},
		{"different", []float64{1, 2}, true, true},
		{"too few", []float64{1}, false, false},
		{"zero", []float64{0, 1}, false, true},
		{"negative", []float64{1, -1}, false, true},
		{"NaN", []float64{1, math.NaN()}, false, true},
		{"infinite", []float64{1, math.Inf(1)}, false, true},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if err := CheckWeights(2, r.w); (err == nil) != r.ok {
				t.Errorf("CheckWeights(%v) = %v, want accepted: %v", r.w, err, r.ok)
			}
			if got := IsRational(r.w); got != r.rational {
				t.Errorf("IsRational(%v) = %v, want %v", r.w, got, r.rational)
			}
		})
	}
	if CheckPoints([]geom.Vec3{{}, {Y: math.NaN()}}) || !CheckPoints([]geom.Vec3{{X: 1}}) {
		t.Error("CheckPoints is wrong")
	}
}

func TestNoAllocation(t *testing.T) {
	k, net := quarterCircle(t)
	var d [3]Row
	if n := testing.AllocsPerRun(100, func() {
		k.Basis2(k.SpanNear(0.3, 2), 0.3, &d)
		k.Point2(net, 0, 1, 0.3)
	}); n != 0 {
		t.Errorf("%v allocations per evaluation, want 0", n)
	}
}

func BenchmarkBasis2Cubic(b *testing.B) {
	k, err := NewKnots(3, 40, QuasiUniformKnots(3, 40))
	if err != nil {
		b.Fatal(err)
	}
	var d [3]Row
	x := 0.0
	for b.Loop() {
		k.Basis2(k.Span(x), x, &d)
		if x += 0.7; x > 37 {
			x -= 37
		}
	}
}

// TestContinuityOfBasis compares the derivatives on both sides of a break.
func TestContinuityOfBasis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKnots(t)
		if k.Pieces() < 2 {
			return
		}
		s := rapid.IntRange(1, k.Pieces()-1).Draw(t, "break")
		x := k.Breaks()[s]
		left, right := k.PieceSpan(s-1), k.PieceSpan(s)
		var a, b [3]Row
		k.Basis2(left, x, &a)
		k.Basis2(right, x, &b)
		// Function r on the right is function r + right - left on the left.
		width := min(x-k.Breaks()[s-1], k.Breaks()[s+1]-x)
		for order := 0; order <= min(2, k.Continuity(s)); order++ {
			scale := math.Pow(width, float64(order))
			for r := 0; r <= k.Degree(); r++ {
				other := 0.0
				if q := r + right - left; q <= k.Degree() {
					other = a[order][q]
				}
				if d := math.Abs(b[order][r]-other) * scale; d > 1e-9 {
					t.Fatalf("derivative %d of function %d jumps by %v at %v in %v", order, r, d, x, k.Flat())
				}
			}
		}
	})
}

// TestQuotientsAgreeWithDifferences takes random rational cubics.
func TestQuotientsAgreeWithDifferences(t *testing.T) {
	k, err := NewKnots(3, 6, QuasiUniformKnots(3, 6))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		points, weights := make([]geom.Vec3, 6), make([]float64, 6)
		f := rapid.Float64Range(-5, 5)
		for i := range points {
			points[i] = geom.Vec3{X: f.Draw(t, "x"), Y: f.Draw(t, "y"), Z: f.Draw(t, "z")}
			weights[i] = rapid.Float64Range(0.3, 3).Draw(t, "w")
		}
		net := LiftNet(points, weights)
		const h = 2e-5
		x := rapid.Float64Range(0.01, 0.98).Draw(t, "t") + float64(rapid.IntRange(0, 2).Draw(t, "piece"))
		at := func(x float64) (p, d1, d2 geom.Vec3) { return Quotient2(k.Point2(net, 0, 1, x)) }
		_, d1, d2 := at(x)
		a, a1, _ := at(x - h)
		b, b1, _ := at(x + h)
		// Truncation is h²/6 of the next but one derivative, each up to some hundred times the last.
		const tol = 1e-5
		if e := b.Sub(a).Scale(0.5 / h).Dist(d1); e > tol*(1+d1.Norm()) {
			t.Fatalf("first derivative %v is off by %v at %v", d1, e, x)
		}
		if e := b1.Sub(a1).Scale(0.5 / h).Dist(d2); e > tol*(1+d1.Norm()+d2.Norm()) {
			t.Fatalf("second derivative %v is off by %v at %v", d2, e, x)
		}
	})
}

// TestExtractionOfBezierIsIdentity: there the control points are the Bézier points, to the last bit.
func TestExtractionOfBezierIsIdentity(t *testing.T) {
	for p := 1; p <= MaxDegree; p += 4 {
		flat, err := BezierKnots(p, 3*p+1)
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKnots(p, 3*p+1, flat)
		if err != nil {
			t.Fatal(err)
		}
		fast, slow := make([]float64, (p+1)*(p+1)), make([]float64, (p+1)*(p+1))
		for s := range k.Pieces() {
			fast[1] = 99 // the remains of an earlier call
			k.Extraction(s, fast)
			k.Restriction(s, k.Breaks()[s], k.Breaks()[s+1], slow)
			for i := range fast {
				if fast[i] != slow[i] {
					t.Fatalf("degree %d, piece %d: entry %d is %v, want %v", p, s, i, fast[i], slow[i])
				}
			}
		}
	}
}
