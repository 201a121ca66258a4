package arcpoly

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A ring stays a ring where rounding parts the ends of its circles, and where a ray runs right through them.
func TestRingsWithRoundedEnds(t *testing.T) {
	const ulp = 3.5527136788005009e-15
	c := geom.Vec2{X: 25.768126813295, Y: 23.005685482654}
	circle := func(r, turn float64, from, to int) planar.Loop {
		p := planar.NewArc(c, c.Add(geom.Vec2{X: r, Y: float64(from) * ulp}), turn)
		p.To = c.Add(geom.Vec2{X: r, Y: float64(to) * ulp})
		return planar.Loop{p}
	}
	for from := -3; from <= 3; from++ {
		for to := -3; to <= 3; to++ {
			a := &Area{
				loops: []planar.Loop{circle(16.70389, 2*math.Pi, from, to), circle(15.19586, -2*math.Pi, to, from)},
				sizes: []float64{math.Pi * 16.70389 * 16.70389, -math.Pi * 15.19586 * 15.19586},
			}
			parts := a.Parts()
			if len(parts) != 1 || len(parts[0].Loops()) != 2 {
				t.Fatalf("from %d to %d: %d parts, the first of %d loops", from, to, len(parts), len(parts[0].Loops()))
			}
			for at := -3; at <= 3; at++ {
				for r, want := range map[float64]bool{-17: false, -16: true, -15: false, 15: false,
					16: true, 17: false} {
					p := c.Add(geom.Vec2{X: r, Y: float64(at) * ulp})
					if got := a.Contains(p); got != want {
						t.Errorf("from %d to %d: contains %v is %v", from, to, p, got)
					}
				}
			}
		}
	}
}

// Pieces are apart from a ring when all of their places are.
func TestIsApart(t *testing.T) {
	circle := func(r float64, hole bool) planar.Loop { return planar.Circle(geom.Vec2{}, r, hole) }
	ring, err := New(circle(10, false), circle(5, true))
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	for _, row := range []struct {
		name     string
		p        planar.Segment
		distance float64
		want     bool
	}{
		{"in the hole", planar.NewLine(at(-3, 0), at(3, 0)), 1.9, true},
		{"too near to the hole's edge", planar.NewLine(at(-3, 0), at(3, 0)), 2.1, false},
		{"inside", planar.NewLine(at(7, 0), at(8, 0)), 0.1, false},
		{"across", planar.NewLine(at(-20, 0), at(20, 0)), 0.1, false},
		{"beside", planar.NewLine(at(-20, 12), at(20, 12)), 1.9, true},
		{"beside, too near", planar.NewLine(at(-20, 12), at(20, 12)), 2.1, false},
		{"around", circle(12, false)[0], 1.9, true},
		{"around, too near", circle(12, false)[0], 2.1, false},
		{"far", planar.NewLine(at(50, 0), at(60, 0)), 30, true},
	} {
		if got := ring.IsApart(&row.p, row.distance); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
	if p := planar.NewLine(at(0, 0), at(1, 0)); !(*Area)(nil).IsApart(&p, 1) {
		t.Error("a piece is not apart from nothing")
	}
}
