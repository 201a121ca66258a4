package arcpoly

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// square is a square with a corner at (x, 0).
func square(x, side float64) planar.Loop {
	at := [4]geom.Vec2{{X: x}, {X: x + side}, {X: x + side, Y: side}, {X: x, Y: side}}
	l := make(planar.Loop, 4)
	for i := range l {
		l[i] = planar.NewLine(at[i], at[(i+1)%4])
	}
	return l
}

// digestOf is the digest of an operation of paths.
func digestOf(o operation, by float64, paths ...[]planar.Segment) [32]byte {
	var k key
	k.begin(o, by)
	for _, p := range paths {
		k.path(p)
	}
	return k.digest()
}

func TestDigestDependsOnAllOperands(t *testing.T) {
	l := square(0, 2)
	with := func(change func(p *planar.Segment)) planar.Loop {
		out := slices.Clone(l)
		change(&out[2])
		return out
	}
	known := map[[32]byte]string{}
	for name, d := range map[string][32]byte{
		"itself":    digestOf(byOffset, 1, l),
		"operation": digestOf(bySweep, 1, l),
		"distance":  digestOf(byOffset, 2, l),
		"loops":     digestOf(byOffset, 1, l[:2], l[2:]),
		"order":     digestOf(byOffset, 1, l[2:], l[:2]),
		"from":      digestOf(byOffset, 1, with(func(p *planar.Segment) { p.From.X += 1e-12 })),
		"to":        digestOf(byOffset, 1, with(func(p *planar.Segment) { p.To.Y += 1e-12 })),
		"center":    digestOf(byOffset, 1, with(func(p *planar.Segment) { p.Center.X = 1 })),
		"turn":      digestOf(byOffset, 1, with(func(p *planar.Segment) { p.Turn = 1 })),
		"tag":       digestOf(byOffset, 1, with(func(p *planar.Segment) { p.Tag = 7 })),
	} {
		if other, is := known[d]; is {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		known[d] = name
	}
}

// TestRecentResultIsAnotherArea checks that an operation with the operands of an earlier one finds its result, and that
// the two areas share no list.
func TestRecentResultIsAnotherArea(t *testing.T) {
	finds := 0
	get := func() *Area {
		var k key
		k.begin(byOffset, 0.123456789, 1, 2, 3) // of no other test
		a, err := k.resulting(func() (*Area, error) {
			finds++
			return &Area{
				loops: append(make([]planar.Loop, 0, 4), square(0, 1)), sizes: append(make([]float64, 0, 4), 1),
			}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := get()
	first.loops = append(first.loops, square(5, 1))
	again := get()
	want := &Area{loops: []planar.Loop{square(0, 1)}, sizes: []float64{1}}
	if how := differ(again, want); again == first || how != "" {
		t.Errorf("the second result: %s", how)
	}
	again.loops = append(again.loops, square(9, 1))
	if first.loops[1][0].From.X != 5 {
		t.Error("an area shares the list of its loops with another one")
	}
	if finds != 1 {
		t.Errorf("found %d times", finds)
	}
}

func TestAreaDigest(t *testing.T) {
	a, b := &Area{loops: []planar.Loop{square(0, 1)}}, &Area{loops: []planar.Loop{square(0, 1)}}
	c := &Area{loops: []planar.Loop{square(0, 2)}}
	if a.Digest() != b.Digest() || a.Digest() == c.Digest() || c.Digest() == (*Area)(nil).Digest() {
		t.Error("a digest does not follow from the boundary")
	}
}
