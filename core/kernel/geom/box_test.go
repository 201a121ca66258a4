package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestInterval(t *testing.T) {
	i := Interval{2, 6}
	if i.Length() != 4 || i.Mid() != 4 || i.At(0.25) != 3 {
		t.Errorf("length %v, middle %v, quarter %v", i.Length(), i.Mid(), i.At(0.25))
	}
	if i.Clamp(1) != 2 || i.Clamp(7) != 6 || i.Clamp(5) != 5 {
		t.Error("Clamp is wrong")
	}
	if !i.Contains(1.5, 0.5) || i.Contains(1.5, 0.4) || !i.Contains(6.5, 0.5) || i.Contains(6.6, 0.5) {
		t.Error("Contains is wrong")
	}
	if !i.IsFinite() || Unbounded.IsFinite() || (Interval{Hi: math.Inf(1)}).IsFinite() {
		t.Error("IsFinite is wrong")
	}
	if !Unbounded.Contains(1e300, 0) || Unbounded.Clamp(-1e300) != -1e300 {
		t.Error("the unbounded interval bounds")
	}
	if got := EmptyInterval().Add(3).Add(1).Union(EmptyInterval()); got != (Interval{1, 3}) {
		t.Errorf("interval of 3 and 1: got %v", got)
	}
	for _, row := range []struct{ other, union, common Interval }{
		{Interval{4, 9}, Interval{2, 9}, Interval{4, 6}},
		{Interval{3, 5}, Interval{2, 6}, Interval{3, 5}},
		{Interval{7, 9}, Interval{2, 9}, Interval{7, 6}},
	} {
		if u, c := i.Union(row.other), i.Intersect(row.other); u != row.union || c != row.common {
			t.Errorf("%v and %v: got union %v and common part %v, want %v and %v",
				i, row.other, u, c, row.union, row.common)
		}
	}
}

func TestWrap(t *testing.T) {
	full := Interval{0, 2 * math.Pi}
	rows := []struct {
		name    string
		i       Interval
		t, want float64
	}{
		{"inside", full, 1, 1},
		{"start", full, 0, 0},
		{"end is the start", full, 2 * math.Pi, 0},
		{"just below the start", full, -1e-20, 0},
		{"below", full, -1, 2*math.Pi - 1},
		{"far above", Interval{-1, 1}, 101.5, -0.5},
		{"far below", Interval{-1, 1}, -102.5, -0.5},
		{"not a number", full, math.NaN(), 0},
		{"infinite", full, math.Inf(1), 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := r.i.Wrap(r.t); math.Abs(got-r.want) > 1e-15 {
				t.Errorf("Wrap(%v) in %v = %v, want %v", r.t, r.i, got, r.want)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-100, 100).Draw(t, "lo")
		i := Interval{lo, lo + rapid.Float64Range(1e-3, 100).Draw(t, "period")}
		x := rapid.Float64Range(-1e4, 1e4).Draw(t, "x")
		w := i.Wrap(x)
		if w < i.Lo || w >= i.Hi {
			t.Fatalf("Wrap(%v) in %v = %v", x, i, w)
		}
		turns := (x - w) / i.Length()
		off := math.Abs(turns-math.Round(turns)) * i.Length()
		if off > 1e-9 && i.Hi-w > 1e-9 { // a value within rounding of the end may become the start
			t.Fatalf("Wrap(%v) in %v = %v, off by %v", x, i, w, off)
		}
	})
}

func TestEmptyBox(t *testing.T) {
	e := EmptyBox()
	if !e.IsEmpty() || e.Diagonal() != 0 || e.Size() != (Vec3{}) || e.Contains(Vec3{}, 1e9) {
		t.Error("the empty box is not empty")
	}
	b := BoxOf(Vec3{1, 2, 3})
	if b.IsEmpty() || b.Union(e) != b || e.Union(b) != b {
		t.Error("the empty box is not neutral")
	}
	if !BoxOf().IsEmpty() {
		t.Error("the box of no points is not empty")
	}
}

func TestBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawVec3(t, "a"), drawVec3(t, "b"), drawVec3(t, "c")
		box := BoxOf(a, b)
		for _, p := range []Vec3{a, b, box.Center(), a.Lerp(b, 0.3)} {
			if !box.Contains(p, 1e-13) {
				t.Fatalf("%v is outside the box of %v and %v", p, a, b)
			}
		}
		if d := box.Diagonal() - a.Dist(b); math.Abs(d) > 1e-12 {
			t.Fatalf("diagonal is off by %v", d)
		}
		u := box.Union(BoxOf(c))
		if u != BoxOf(a, b, c) || u != box.Add(c) {
			t.Fatalf("union %v, want %v", u, BoxOf(a, b, c))
		}
		grown := box.Grow(2)
		if !grown.Contains(a.Add(Vec3{2, -2, 2}), 1e-12) || grown.Contains(box.Max.Add(Vec3{X: 2.1}), 0) {
			t.Fatalf("grown box %v of %v", grown, box)
		}
	})
}
