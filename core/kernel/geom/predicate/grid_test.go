package predicate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// The grids of Kettner, Mehlhorn, Pion, Schirra and Yap, "Classroom examples of robustness problems in
// geometric computations" (2008): a point moves by single ulps near a line through points
// with few digits, where plain arithmetic gives a speckled picture.

func TestOrientOnUlpGrid(t *testing.T) {
	const n = 24
	lines := []struct {
		name string
		o    geom.Vec2 // corner of the grid
		b, c geom.Vec2
	}{
		{"diagonal", geom.Vec2{X: 0.5, Y: 0.5}, geom.Vec2{X: 12, Y: 12}, geom.Vec2{X: 24, Y: 24}},
		{"decimal diagonal", geom.Vec2{X: 0.5, Y: 0.5}, geom.Vec2{X: 8.8, Y: 8.8}, geom.Vec2{X: 12.1, Y: 12.1}},
		{"steep", geom.Vec2{X: 1, Y: 3}, geom.Vec2{X: 5, Y: 15}, geom.Vec2{X: 7, Y: 21}},
	}
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			on := 0
			for i := range n {
				for j := range n {
					a := geom.Vec2{X: l.o.X * (1 + float64(i)*eps), Y: l.o.Y * (1 + float64(j)*eps)}
					got, want := sign(Orient2D(a, l.b, l.c)), trueOrient(a, l.b, l.c)
					if got != want {
						t.Fatalf("Orient2D(%v, %v, %v) has sign %d, want %d", a, l.b, l.c, got, want)
					}
					if want == 0 {
						on++
					}
				}
			}
			if on == 0 || on == n*n {
				t.Errorf("%d of %d points on the line: the grid does not straddle it", on, n*n)
			}
		})
	}
}

// TestIntegerGrid compares every triple of a small grid with integer arithmetic.
func TestIntegerGrid(t *testing.T) {
	const n = 4
	var points []geom.Vec2
	for x := range n {
		for y := range n {
			points = append(points, geom.Vec2{X: float64(x), Y: float64(y)})
		}
	}
	orient := func(a, b, c geom.Vec2) int {
		return int((a.X-c.X)*(b.Y-c.Y) - (a.Y-c.Y)*(b.X-c.X))
	}
	for _, a := range points {
		for _, b := range points {
			for _, c := range points {
				if got, want := Orient2D(a, b, c), orient(a, b, c); got != float64(want) {
					t.Fatalf("Orient2D(%v, %v, %v) = %v, want %d", a, b, c, got, want)
				}
			}
		}
	}
}

// TestMovedRows moves exact rows far from the origin and scales them by powers of two, which changes
// no sign as long as the coordinates stay exact.
func TestMovedRows(t *testing.T) {
	triangle := [3]geom.Vec2{{}, {X: 3}, {X: 3, Y: 2}}
	for _, scale := range []float64{0x1p-400, 0x1p-190, 0x1p-20, 1, 0x1p20, 0x1p200, 0x1p400} {
		for _, by := range []float64{0, 7, 0x1p40} {
			var p [3]geom.Vec2
			for i, q := range triangle {
				p[i] = geom.Vec2{X: (q.X + by) * scale, Y: (q.Y - by) * scale}
			}
			if got := Orient2D(p[0], p[1], p[2]); !(got > 0) {
				t.Errorf("triangle scaled by %g, moved by %g: %v, want it positive", scale, by, got)
			}
			mid := p[0].Lerp(p[2], 0.5)
			if got := Orient2D(p[0], mid, p[2]); got != 0 {
				t.Errorf("middle scaled by %g, moved by %g: %v, want 0", scale, by, got)
			}
		}
	}
}

func TestExpansions(t *testing.T) {
	big, small := 0x1p60, 0x1p-60
	rows := []struct {
		name string
		got  []float64
		want []float64
	}{
		{"sum of nothing", sum(nil, nil, nil), nil},
		{"sum with nothing", sum(nil, []float64{3}, nil), []float64{3}},
		{"sum that cancels", sum(nil, []float64{3}, []float64{-3}), nil},
		{"sum far apart", sum(nil, []float64{small}, []float64{big}), []float64{small, big}},
		{"sum that carries", sum(nil, []float64{1, big}, []float64{1, big}), []float64{2, 2 * big}},
		{"scale by zero", scale(nil, []float64{1, big}, 0), nil},
		{"scale of nothing", scale(nil, nil, 5), nil},
		{"scale by two", scale(nil, []float64{small, big}, 2), []float64{2 * small, 2 * big}},
		{"scale with a tail", scale(nil, []float64{1 + eps}, 1+eps), []float64{eps * eps, 1 + 2*eps}},
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
	if last(nil) != 0 || last([]float64{1, 2}) != 2 {
		t.Error("last is wrong")
	}
	if d := difference(1, 0x1p-80); d.hi != 1 || d.lo != -0x1p-80 {
		t.Errorf("difference keeps %v", d)
	}
	if p := twoProduct(1+eps, 1-eps); p.hi+p.lo != 1 || p.lo != -eps*eps || math.Abs(p.hi) != 1 {
		t.Errorf("product is %v", p)
	}
}
