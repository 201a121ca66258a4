package arcpoly

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// TestClippedLoopsMatchAllLoops compares the intersection and difference of areas with the results from all of their
// loops.
func TestClippedLoopsMatchAllLoops(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	w := &scratch{}
	w.isSparse = true
	fewer, all := 0, 0
	resolved := func(loops []planar.Loop, in box, times int32) (*Area, int) {
		w.reset()
		w.enter(nearby(loops), in)
		n := len(w.curves)
		a, err := w.area(atLeast(times))
		if err != nil {
			t.Fatal(err)
		}
		return a, n
	}
	hold := func(what string, n int, loops []planar.Loop, in box, times int32) {
		t.Helper()
		clipped, few := resolved(loops, in, times)
		whole, many := resolved(loops, everywhere, times)
		fewer, all = fewer+few, all+many
		if how := differ(clipped, whole); how != "" {
			t.Errorf("%s %d: %s", what, n, how)
		}
	}
	for n := range 400 {
		areas := scene(t, random)
		if len(areas) < 4 {
			continue
		}
		a, err := Union(areas[2:]...)
		if err != nil {
			t.Fatal(err)
		}
		b := areas[0]
		hold("common", n, gather([]*Area{a, b}), common([]*Area{a, b}), 2)
		hold("common of three", n, gather([]*Area{a, b, areas[1]}), common([]*Area{a, b, areas[1]}), 3)
		rest := gather([]*Area{b})
		for _, l := range gather([]*Area{a, areas[1]}) {
			rest = append(rest, l.Reverse())
		}
		hold("difference", n, rest, common([]*Area{b}), 1)
	}
	t.Logf("%d pieces of %d", fewer, all)
	if 4*fewer > 3*all {
		t.Errorf("%d pieces count where there are %d", fewer, all)
	}
}

func TestBeyondSides(t *testing.T) {
	in := box{-1, -1, 1, 1}
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	const right, left, above, below = 1, 2, 4, 8
	for _, c := range []struct {
		name  string
		piece planar.Segment
		want  uint8
	}{
		{"inside", planar.NewLine(at(0, 0), at(5, 0)), 0},
		{"round a corner", planar.NewLine(at(2, 0), at(0, 2)), 0},
		{"right", planar.NewLine(at(2, -5), at(3, 5)), right},
		{"on the side", planar.NewLine(at(1, -5), at(1, 5)), 0},
		{"right and above", planar.NewLine(at(2, 2), at(3, 3)), right | above},
		{"left and below", planar.NewLine(at(-2, -2), at(-3, -3)), left | below},
		{"arc that bends away", planar.NewArc(at(20, 0), at(20, -8), math.Pi), right},
		{"arc that bends into it", planar.NewArc(at(2, 0), at(2, -2), -math.Pi), 0},
		{"circle from beyond", planar.NewArc(at(2, 0), at(4, 0), 2*math.Pi), 0},
		{"circle beyond", planar.NewArc(at(9, 0), at(11, 0), 2*math.Pi), right},
	} {
		if got := in.beyond(&c.piece); got != c.want {
			t.Errorf("%s: beyond sides %04b, want %04b", c.name, got, c.want)
		}
	}
}
