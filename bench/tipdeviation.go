package main

import (
	"math"
	"slices"
)

// tipDeviation is the deviation of heights from reference heights.
type tipDeviation struct {
	below, above float64 // mm, the most where both are finite
	median       float64 // mm, of the absolute deviation where both are finite
	outside      int     // cells outside of the bound
}

// tipDeviationOf compares z with want where both have contact. The bound of a cell extends from lo (want itself without
// lo) to hi, each widened by room mm. Where lo and hi enclose a jump, as at walls, the two heights may be on different
// sides of it. Without lo, z must keep the bound, otherwise want must.
func tipDeviationOf(z, want, lo, hi []float64, room float64) tipDeviation {
	var d tipDeviation
	var all []float64
	for i, v := range z {
		w := want[i]
		least, checked := w, v
		if lo != nil {
			least, checked = lo[i], w
		}
		if !(checked >= least-room && checked <= hi[i]+room) && checked != least {
			d.outside++
		}
		if math.IsInf(v, 0) || math.IsInf(w, 0) {
			continue
		}
		d.below, d.above = max(d.below, w-v), max(d.above, v-w)
		all = append(all, math.Abs(v-w))
	}
	if len(all) > 0 {
		slices.Sort(all)
		d.median = all[len(all)/2]
	}
	return d
}
