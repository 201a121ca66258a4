package toolpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// shattered parts a piece into n, whose ends are off it by up to some mm, across and along.
func shattered(p planar.Segment, n int, off float64, random *rand.Rand) (out []planar.Segment) {
	at := p.From
	for i := 1; i <= n; i++ {
		to := p.To
		if i < n {
			shift := geom.Vec2{X: random.Float64() - 0.5, Y: random.Float64() - 0.5}.Scale(2 * off / math.Sqrt2)
			to = p.At((float64(i) + random.Float64() - 0.5) / float64(n)).Add(shift)
		}
		out = append(out, planar.NewLine(at, to))
		at = to
	}
	return out
}

// A line and the arc that follows it, with a long segment of each, are recovered from rounded fragments.
func TestMergedPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	line := planar.NewLine(geom.Vec2{X: -40}, geom.Vec2{})
	arc := planar.NewArc(geom.Vec2{Y: 28}, geom.Vec2{}, 2.5)
	begin, rest := split(line, line.At(0.3))
	first, last := split(arc, arc.At(0.4))
	way := append(shattered(begin, 40, rounding/4, random), rest, first)
	way = append(way, shattered(last, 2000, rounding/4, random)...) // chords of 0.02 mm are 2e-6 mm off
	got := merged(way)
	if len(got) != 2 || got[0].Turn != 0 || got[1].Center != arc.Center {
		t.Fatalf("%d pieces of %d: %+v", len(got), len(way), got)
	}
	if got[0].From.Dist(line.From) > rounding || got[0].To.Dist(got[1].From) > rounding ||
		got[1].To.Dist(arc.To) > rounding ||
		math.Abs(got[1].Turn-arc.Turn) > 1e-5 {
		t.Errorf("they run %+v", got)
	}
	for _, off := range []float64{3 * rounding, 1e-3} { // no rounding
		got := merged(append([]planar.Segment{rest}, shattered(first, 20, off, random)...))
		if len(got) < 15 {
			t.Errorf("%g mm off: %d pieces of 21", off, len(got))
		}
	}
}

// A segment on the circle of an arc, but beyond its end and reversed, stays separate.
func TestMergedPiecesKeepTurns(t *testing.T) {
	arc := planar.NewArc(geom.Vec2{}, geom.Vec2{X: 10}, 1)
	back := planar.NewArc(geom.Vec2{}, arc.To, -0.5)
	if got := merged([]planar.Segment{arc, back}); len(got) != 2 || got[0] != arc || got[1] != back {
		t.Errorf("%+v", got)
	}
	half := planar.NewArc(geom.Vec2{}, geom.Vec2{X: 10}, math.Pi)
	on := planar.NewArc(geom.Vec2{}, half.To, math.Pi*0.9)
	if got := merged([]planar.Segment{half, on}); lengthOf(got) != lengthOf([]planar.Segment{half, on}) {
		t.Errorf("%+v", got)
	}
}
