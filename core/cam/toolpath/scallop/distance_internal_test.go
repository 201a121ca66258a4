package scallop

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// square returns a tip surface without heights, of one metric.
func square(n int, m form) *tips {
	t := &tips{Input: &Input{Grid: grid.Grid{Step: 1, Width: n, Height: n}}, s: 1}
	t.mask, t.form = make([]bool, n*n), make([]form, n*n)
	for k := range t.form {
		i, j := k%n, k/n
		t.mask[k], t.form[k] = i > 0 && j > 0 && i < n-1 && j < n-1, m
	}
	return t
}

// In a constant metric, the distance from a line is the length of the shortest offset to it, at any anisotropy and
// direction of the line.
func TestDistanceFromLines(t *testing.T) {
	const n = 60
	for name, m := range map[string]form{
		"round": {1, 0, 1}, "stretched": {1, 0, 9}, "skew": {5, 2, 2}, "more anisotropic than eight neighbors": {9.75, -15.155, 27.25},
	} {
		for _, normal := range []geom.Vec2{{X: 1}, {Y: 1}, {X: 0.6, Y: 0.8}, {X: 0.8, Y: -0.6}} {
			s := square(n, m)
			phi := endless(n * n)
			middle := geom.Vec2{X: n / 2, Y: n / 2}
			along := geom.Vec2{X: -normal.Y, Y: normal.X}.Scale(2 * n)
			seeds := s.seed(phi, [][]geom.Vec2{{middle.Sub(along), middle.Add(along)}})
			if err := s.spread(t.Context(), s.mask, phi, seeds); err != nil {
				t.Fatal(err)
			}
			// The dual norm of the normal: √(nᵀ·M⁻¹·n).
			dual := math.Sqrt((m.c*normal.X*normal.X - 2*m.b*normal.X*normal.Y + m.a*normal.Y*normal.Y) /
				(m.a*m.c - m.b*m.b))
			for k, d := range phi {
				off := s.xy(k).Sub(middle)
				if !s.mask[k] || off.Norm() > n/6 {
					continue
				}
				if want := math.Abs(off.Dot(normal)) / dual; math.Abs(d-want) > 0.01*want+1e-3 {
					t.Fatalf("%s, normal %v: %g at %v, want %g", name, normal, d, off, want)
				}
			}
		}
	}
}

// Isolines have the value asked and greater values on their right; closed ones end at their start.
func TestIsolines(t *testing.T) {
	const n = 40
	s := square(n, form{1, 0, 1})
	z := make([]float64, n*n)
	middle := geom.Vec2{X: n/2 + 0.3, Y: n/2 - 0.2}
	for k := range z {
		z[k] = s.xy(k).Dist(middle)
	}
	lines, numbers := s.isolines(z, s.mask, 4.5)
	closed := 0
	for i, l := range lines {
		want := 4.5 + float64(numbers[i])
		for k, at := range l {
			if math.Abs(at.Dist(middle)-want) > 0.05 {
				t.Fatalf("line %d is at %v, %g from the middle, want %g", i, at, at.Dist(middle), want)
			}
			if k > 0 && at != l[k-1] && at.Sub(l[k-1]).Cross(l[k-1].Sub(middle)) > 0 {
				t.Fatalf("line %d: greater values are on the left at %v", i, at)
			}
		}
		if l[0] == last(l) {
			closed++
		}
	}
	if closed < 14 || closed == len(lines) {
		t.Errorf("%d of %d lines are closed", closed, len(lines))
	}
}

// Lines keep short parts outside of a set, lose long ones, and lose short pieces.
func TestClip(t *testing.T) {
	const n = 40
	s := square(n, form{1, 0, 1})
	set := make([]bool, n*n)
	for k := range set {
		x := k % n
		set[k] = x >= 5 && x < 10 || x >= 12 && x < 20 || x >= 30 && x < 31
	}
	var l []geom.Vec2
	for x := range n {
		l = append(l, geom.Vec2{X: float64(x), Y: 20})
	}
	out := s.clip([][]geom.Vec2{l, {{X: 25, Y: 20}}, {{X: 6, Y: 20}}}, s.in(set), 4, 3) // also single points
	if len(out) != 1 || out[0][0].X != 5 || last(out[0]).X != 19 {
		t.Errorf("%v", out)
	}
}
