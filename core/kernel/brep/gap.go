package brep

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom/curve"
)

// EdgeGap returns the largest distance (mm) of a point of one edge from the other one, over samples of both, and
// whether their directions agree. It stops at the first sample further away than enough, so that edges far from each
// other cost two inversions.
func EdgeGap(a, b *Edge, enough float64) (gap float64, same bool) {
	t1, d1 := curve.InvertIn(b.Curve, a.Curve.At(a.Range.At(0.25)), b.Range)
	t2, d2 := curve.InvertIn(b.Curve, a.Curve.At(a.Range.At(0.75)), b.Range)
	same = t1 < t2
	if gap = max(d1, d2); gap > enough {
		return gap, same
	}
	if gap = max(gap, oneWay(a, b, enough)); gap > enough {
		return gap, same
	}
	return max(gap, oneWay(b, a, enough)), same
}

// oneWay returns the largest distance of samples of a from b.
func oneWay(a, b *Edge, enough float64) float64 {
	// Curves that agree at every such turn and halfway in between agree everywhere.
	const turn = math.Pi / 8
	var room [32]float64
	params := append(room[:0], a.Range.Lo, a.Range.Hi)
	if a.Curve.Kind() != curve.KindLine {
		params = curve.AppendSamples(room[:0], a.Curve, a.Range, 0, turn)
	}
	gap, last := 0.0, params[0]
	for _, t := range params {
		for _, x := range [2]float64{0.5 * (last + t), t} {
			_, d := curve.InvertIn(b.Curve, a.Curve.At(x), b.Range)
			if gap = max(gap, d); gap > enough {
				return gap
			}
		}
		last = t
	}
	return gap
}
