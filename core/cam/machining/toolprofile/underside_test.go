package toolprofile

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestUndersideHeights(t *testing.T) {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	neck := v(1, 2+math.Sqrt(3))
	rows := []struct {
		name   string
		p      Profile
		radius float64
		at     map[float64]float64
	}{
		{"flat", EndMill(10, 0, 20), 5, map[float64]float64{0: 0, 3: 0, 5: 0}},
		{"ball", EndMill(10, 5, 20), 5, map[float64]float64{0: 0, 3: 1, 4: 2, 5: 5}},
		{"bull", EndMill(10, 2, 20), 5, map[float64]float64{0: 0, 3: 0, 5: 2, 3 + 1.2: 0.4}},
		{"drill", Drill(10, geom.Radians(90), 20), 5, map[float64]float64{0: 0, 2: 2, 5: 5}},
		{"wide start", Profile{{From: v(2, 0), To: v(4, 3)}}, 4, map[float64]float64{0: 0, 2: 0, 3: 1.5, 4: 3}},
		{"in a holder", append(EndMill(2, 0, 7), Segment{From: v(1, 7), To: v(3, 7)}, Segment{From: v(3, 7), To: v(3, 9)}), 3,
			map[float64]float64{1: 0, 1.001: 7, 3: 7}},
		{"lollipop", Profile{{To: neck, Radius: 2}, {From: neck, To: v(1, 20)}}, 2,
			map[float64]float64{0: 0, 1.2: 0.4, 1.6: 0.8}},
		{"hollow", Profile{{To: v(1, 0)}, {From: v(1, 0), To: v(3, 2), Radius: -2}}, 3,
			map[float64]float64{1: 0, 3 - 1.2: 1.6, 3: 2}},
		{"neck under a holder", Profile{{To: v(3, 1)}, {From: v(3, 1), To: v(1, 1)}, {From: v(1, 1), To: v(5, 9)}}, 5,
			map[float64]float64{3: 1, 4: 7, 5: 9}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if err := row.p.Check(); err != nil {
				t.Fatal(err)
			}
			u := row.p.Underside()
			if math.Abs(u.Radius()-row.radius) > 1e-12 {
				t.Errorf("radius %g mm, want %g", u.Radius(), row.radius)
			}
			for r, want := range row.at {
				if got := u.At(r); math.Abs(got-want) > 1e-12 {
					t.Errorf("height %g mm at %g mm, want %g", got, r, want)
				}
			}
			if got := u.At(row.radius + 0.01); !math.IsInf(got, 1) {
				t.Errorf("height %g mm beside the tool", got)
			}
			checkSpans(t, u)
		})
	}
	if u := (Profile)(nil).Underside(); u.Radius() != 0 || !math.IsInf(u.At(1), 1) {
		t.Error("no outline has an underside")
	}
}

// checkSpans demands that spans follow each other and never fall.
func checkSpans(t *testing.T, u Underside) {
	t.Helper()
	reach, height := 0.0, 0.0
	for i, s := range u {
		if s.From != reach || s.To <= s.From || s.FromHeight < height-1e-12 || s.Height < s.FromHeight {
			t.Errorf("span %d, %+v, does not follow %g mm at a height of %g mm", i, s, reach, height)
		}
		reach, height = s.To, s.Height
	}
}

func TestFilledUndersideIsSlightlyLarger(t *testing.T) {
	u := Profile{{To: geom.Vec2{X: 1}}, {From: geom.Vec2{X: 1}, To: geom.Vec2{X: 3, Y: 2}, Radius: -2}}.Underside()
	f := u.Filled()
	checkSpans(t, f)
	if f.Radius() != u.Radius() {
		t.Errorf("radius %g mm, was %g", f.Radius(), u.Radius())
	}
	for i := range 1000 {
		r := 3 * float64(i) / 999
		// The chord is at most 2·Hollow off the arc, across it: look for the arc that far to the side.
		lo, hi := u.At(max(r-2*ConcaveUnder, 0))-2*ConcaveUnder, u.At(r)
		if got := f.At(r); !(got >= lo-1e-12 && got <= hi+1e-12) {
			t.Errorf("height %g mm at %g mm, want %g to %g", got, r, lo, hi)
		}
	}
	ball := EndMill(4, 2, 9).Underside()
	if got := ball.Filled(); len(got) != len(ball) || got[0] != ball[0] {
		t.Errorf("a ball becomes %v", got)
	}
}
