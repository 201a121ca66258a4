package arcpoly

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// scene makes areas of lines and arcs that touch, share sides and cross: slots, discs and rounded rectangles whose
// sizes and places are multiples of a step, which is small or large, on a plane that is turned or not.
func scene(t *testing.T, random *rand.Rand) []*Area {
	t.Helper()
	scale := [3]float64{1, 1e-3, 1e3}[random.IntN(3)]
	sin, cos := math.Sincos(float64(random.IntN(2)) * random.Float64())
	place := func(p geom.Vec2) geom.Vec2 {
		return geom.Vec2{X: cos*p.X - sin*p.Y, Y: sin*p.X + cos*p.Y}.Scale(scale)
	}
	line := func(p, q geom.Vec2) planar.Segment { return planar.NewLine(place(p), place(q)) }
	at := func() float64 { return float64(random.IntN(40)) / 4 }
	must := func(a *Area, err error) *Area {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	var areas []*Area
	for range 2 + random.IntN(4) {
		p := geom.Vec2{X: at(), Y: at()}
		q := geom.Vec2{X: p.X + at(), Y: p.Y}
		radius := 0.25 + float64(random.IntN(8))/4
		switch random.IntN(4) {
		case 0:
			areas = append(areas, must(New(planar.Circle(place(p), radius*scale, false))))
		case 1:
			q.Y += at() - 5
			fallthrough
		case 2:
			if q != p {
				areas = append(areas, must(SweepDisc(radius*scale, []planar.Segment{line(p, q)})))
			}
		default:
			r := q.Add(geom.Vec2{Y: 0.25 + at()})
			q.X += 0.25
			s := geom.Vec2{X: p.X, Y: r.Y}
			r.X += 0.25
			box := must(New(planar.Loop{line(p, q), line(q, r), line(r, s), line(s, p)}))
			areas = append(areas, must(box.Offset(radius*scale)))
		}
	}
	return areas
}

// differ returns the difference of two results, to the bit; "" if they are equal.
func differ(a, b *Area) string {
	if len(a.loops) != len(b.loops) || !slices.Equal(a.sizes, b.sizes) {
		return fmt.Sprintf("loops of %v and %v mm²", a.sizes, b.sizes)
	}
	for i := range a.loops {
		if !slices.Equal(a.loops[i], b.loops[i]) {
			return fmt.Sprintf("loop %d: %v and %v", i, a.loops[i], b.loops[i])
		}
	}
	return ""
}

// TestSparseArcsMatchAllChords compares the results from arcs of few chords with the results from all chords.
func TestSparseArcsMatchAllChords(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	dense, sparse := &scratch{}, &scratch{}
	sparse.isSparse = true
	fewer, all := 0, 0
	hold := func(what string, enter func(b *scratch), keep rule) {
		t.Helper()
		var out [2]*Area
		for i, b := range [2]*scratch{dense, sparse} {
			b.reset()
			enter(b)
			a, err := b.area(keep)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			out[i] = a
		}
		fewer, all = fewer+len(sparse.pts), all+len(dense.pts)
		if how := differ(out[0], out[1]); how != "" {
			t.Errorf("%s: %s", what, how)
		}
	}
	for n := range 200 {
		areas := scene(t, random)
		hold(fmt.Sprint("union ", n), func(b *scratch) { b.enter(nearby(gather(areas)), everywhere) }, atLeast(1))
		hold(fmt.Sprint("common ", n), func(b *scratch) { b.enter(nearby(gather(areas)), everywhere) }, atLeast(2))
		rest := gather(areas[:1])
		for _, l := range gather(areas[1:]) {
			rest = append(rest, l.Reverse())
		}
		hold(fmt.Sprint("difference ", n), func(b *scratch) { b.enter(nearby(rest), everywhere) }, atLeast(1))
		whole, err := Union(areas...)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := whole.Extent()
		by := math.Round(random.Float64()*12-6) / 40 * max(hi.X-lo.X, hi.Y-lo.Y)
		hold(fmt.Sprintf("offset %d by %g", n, by), func(b *scratch) {
			o := &offsetter{scratch: b, by: by}
			for i, l := range whole.loops {
				o.loop(l, whole.sizes[i], (whole.sizes[i] > 0) == (by < 0))
			}
		}, atLeast(1))
	}
	t.Logf("%d chords where all are %d", fewer, all)
	if 3*fewer > all {
		t.Errorf("%d chords where all are %d", fewer, all)
	}
}
