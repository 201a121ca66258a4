package bspline

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawKnots draws a valid vector: clamped or not, any multiplicities, spans of very unequal length.
func drawKnots(t *rapid.T) *Knots {
	p := rapid.IntRange(1, 7).Draw(t, "degree")
	pieces := rapid.IntRange(1, 12).Draw(t, "pieces")
	u := rapid.Float64Range(-100, 100).Draw(t, "start")
	step := func() float64 {
		return rapid.SampledFrom([]float64{1, 1, 1, 0.5, 1e-3, 40}).Draw(t, "step")
	}
	var flat []float64
	if rapid.Bool().Draw(t, "clamped") {
		for range p + 1 {
			flat = append(flat, u)
		}
		for i := range pieces {
			u += step()
			m := p + 1
			if i < pieces-1 {
				m = rapid.IntRange(1, p).Draw(t, "multiplicity")
			}
			for range m {
				flat = append(flat, u)
			}
		}
	} else {
		for range pieces + 2*p + 1 {
			flat = append(flat, u)
			u += step()
		}
	}
	k, err := NewKnots(p, len(flat)-p-1, flat)
	if err != nil {
		t.Fatalf("NewKnots(%d, %v): %v", p, flat, err)
	}
	return k
}

func drawParam(t *rapid.T, k *Knots) float64 {
	if rapid.IntRange(0, 3).Draw(t, "at a knot") == 0 {
		return rapid.SampledFrom(k.Breaks()).Draw(t, "knot")
	}
	return k.Domain().Clamp(k.Domain().At(rapid.Float64Range(0, 1).Draw(t, "s")))
}

func TestNewKnotsRejects(t *testing.T) {
	rows := []struct {
		name           string
		degree, points int
		flat           []float64
		want           string
	}{
		{"degree zero", 0, 2, []float64{0, 1, 2}, "degree 0"},
		{"degree too high", 26, 30, make([]float64, 57), "degree 26"},
		{"too few points", 3, 3, make([]float64, 7), "too few"},
		{"wrong count", 1, 2, []float64{0, 0, 1}, "3 knots"},
		{"decreasing", 1, 3, []float64{0, 0, 2, 1, 3}, "decreases"},
		{"NaN", 1, 2, []float64{0, 0, math.NaN(), 1}, "finite"},
		{"infinite", 1, 2, []float64{0, 0, 1, math.Inf(1)}, "finite"},
		{"no range", 1, 2, []float64{1, 1, 1, 1}, "no parameter range"},
		{"overflowing range", 1, 2, []float64{-1e308, -1e308, 1e308, 1e308}, "no parameter range"},
		{"multiplicity inside", 1, 5, []float64{0, 0, 1, 1, 1, 2, 2}, "more than"},
		{"multiplicity at the end", 1, 4, []float64{0, 0, 1, 1, 1, 1}, "more than"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			k, err := NewKnots(r.degree, r.points, r.flat)
			if err == nil {
				t.Fatalf("accepted %v as %+v", r.flat, k)
			}
			if !strings.Contains(err.Error(), r.want) {
				t.Errorf("error %q does not contain %q", err, r.want)
			}
		})
	}
}

func TestNewKnotsSnaps(t *testing.T) {
	flat := []float64{0, 1e-15, 0, 0, 0.5, 0.5 + 2e-15, 0.5 - 1e-15, 1, 1, 1 - 1e-16, 1}
	k, err := NewKnots(3, 7, flat)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Breaks(); len(got) != 3 || got[0] != 0 || got[1] != 0.5 || got[2] != 1 {
		t.Errorf("breaks %v, want 0 0.5 1", got)
	}
	if got := k.Continuity(1); got != 0 {
		t.Errorf("continuity at 0.5 is %d, want 0 (multiplicity 3, degree 3)", got)
	}
	if flat[1] != 1e-15 {
		t.Error("the caller's slice was changed")
	}
}

func TestContinuity(t *testing.T) {
	rows := []struct {
		name string
		flat []float64
		want []int
	}{
		{"clamped", []float64{0, 0, 0, 1, 2, 2, 3, 3, 3}, []int{-1, 1, 0, -1}},
		{"jump inside", []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}, []int{-1, -1, -1}},
		{"periodic", []float64{-2, -1, 0, 1, 2, 3, 4}, []int{1, 1, 1}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			k, err := NewKnots(2, len(r.flat)-3, r.flat)
			if err != nil {
				t.Fatal(err)
			}
			for s, want := range r.want {
				if got := k.Continuity(s); got != want {
					t.Errorf("continuity at break %d of %v is %d, want %d", s, r.flat, got, want)
				}
			}
		})
	}
}

func TestPieceAgreesWithScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKnots(t)
		x := drawParam(t, k)
		if rapid.IntRange(0, 4).Draw(t, "outside") == 0 {
			x += rapid.SampledFrom([]float64{-1e300, -1, 1, 1e300}).Draw(t, "shift")
		}
		want := 0
		for s := range k.Pieces() {
			if k.Breaks()[s] <= x {
				want = s
			}
		}
		if got := k.Piece(x); got != want {
			t.Fatalf("Piece(%v) = %d, want %d in %v", x, got, want, k.Breaks())
		}
		for _, hint := range []int{-1, 0, k.Degree(), k.Span(x), k.Points(), k.Points() + 9} {
			if got := k.SpanNear(x, hint); got != k.PieceSpan(want) {
				t.Fatalf("SpanNear(%v, %d) = %d, want %d", x, hint, got, k.PieceSpan(want))
			}
		}
	})
}

func TestPieceOfNaN(t *testing.T) {
	k, err := NewKnots(1, 3, []float64{0, 0, 1, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Piece(math.NaN()); got != 0 {
		t.Errorf("Piece(NaN) = %d, want 0", got)
	}
}

func TestForms(t *testing.T) {
	bez, err := BezierKnots(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	exp, err := Expand([]float64{0, 1.5, 2}, []int{2, 1, 2}, 5)
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name      string
		got, want []float64
	}{
		{"uniform", UniformKnots(2, 4), []float64{-2, -1, 0, 1, 2, 3, 4}},
		{"quasi uniform", QuasiUniformKnots(2, 4), []float64{0, 0, 0, 1, 2, 2, 2}},
		{"bezier", bez, []float64{0, 0, 0, 1, 1, 2, 2, 2}},
		{"expand", exp, []float64{0, 0, 1.5, 2, 2}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if len(r.got) != len(r.want) {
				t.Fatalf("got %v, want %v", r.got, r.want)
			}
			for i := range r.got {
				if r.got[i] != r.want[i] {
					t.Fatalf("got %v, want %v", r.got, r.want)
				}
			}
		})
	}
	if _, err := BezierKnots(3, 6); err == nil {
		t.Error("6 points of degree 3 accepted as whole Bézier pieces")
	}
	for _, bad := range [][]int{{1}, {0, 1}, {-3, 1}, {math.MaxInt, 1}, {1, math.MaxInt}, {4, 1}, {1, 4}} {
		if _, err := Expand([]float64{0, 1}, bad, 4); err == nil {
			t.Errorf("multiplicities %v accepted", bad)
		}
	}
}
