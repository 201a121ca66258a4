package arcpoly

import (
	"errors"
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

func TestRecentResultIsAnotherArea(t *testing.T) {
	r := results{most: 8}
	finds := 0
	find := func() (*Area, error) {
		finds++
		return &Area{loops: append(make([]planar.Loop, 0, 4), square(0, 1)), sizes: append(make([]float64, 0, 4), 1)}, nil
	}
	key := digestOf(byOffset, 1)
	first, err := r.get(key, find)
	if err != nil {
		t.Fatal(err)
	}
	first.loops = append(first.loops, square(5, 1))
	again, err := r.get(key, find)
	if err != nil || again == first || differ(again, &Area{loops: []planar.Loop{square(0, 1)}, sizes: []float64{1}}) != "" {
		t.Errorf("%v, error %v, want the first result as another area", again, err)
	}
	if again.loops = append(again.loops, square(9, 1)); first.loops[1][0].From.X != 5 {
		t.Error("an area shares the list of its loops with another one")
	}
	if finds != 1 {
		t.Errorf("found %d times", finds)
	}
	wrong := errors.New("wrong")
	for range 2 {
		if _, err := r.get(digestOf(byOffset, 2), func() (*Area, error) { return nil, wrong }); err != wrong {
			t.Errorf("error %v, want %v", err, wrong)
		}
	}
}

// TestRecentResultsAreBounded checks that results in use stay, and that others go after at most two generations.
func TestRecentResultsAreBounded(t *testing.T) {
	const most = 50 // segments, so ten squares and what they are counted with
	r := results{most: most}
	find := func(by float64, is *bool) {
		*is = false
		_, err := r.get(digestOf(byOffset, by), func() (*Area, error) {
			*is = true
			return &Area{loops: []planar.Loop{square(by, 1)}, sizes: []float64{1}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var isFound bool
	find(0, &isFound)
	for i := range 100 {
		find(float64(i+1), &isFound)
		if n := len(r.young) + len(r.old); n > 2*most/5 {
			t.Fatalf("%d results", n)
		}
		if find(0, &isFound); isFound {
			t.Fatal("a result in use was dropped")
		}
	}
	if find(1, &isFound); !isFound {
		t.Error("an old result was kept")
	}
	_, err := r.get(digestOf(bySweep, 1), func() (*Area, error) {
		return &Area{loops: []planar.Loop{make(planar.Loop, most)}, sizes: []float64{1}}, nil
	})
	if err != nil || r.young[digestOf(bySweep, 1)] != nil {
		t.Error("a result larger than a generation was kept")
	}
}
