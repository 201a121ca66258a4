package nearest

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

// TestSelectionMatchesAllFacets compares queries of some regions with a search of all facets.
func TestSelectionMatchesAllFacets(t *testing.T) {
	f := New(prism(40))
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-45, 45)
		p := geom.Vec3{X: at.Draw(t, "x"), Y: at.Draw(t, "y"), Z: at.Draw(t, "z")}
		reach := rapid.Float64Range(0, 40).Draw(t, "reach")
		kept := rapid.IntRange(0, 7).Draw(t, "kept")
		keep := func(region int) bool { return kept>>region&1 == 1 }
		want, least := -1, math.Inf(1)
		f.Within(p, reach, func(region int, d float64) bool {
			if keep(region) && d < least {
				want, least = region, d
			}
			return true
		})
		s := f.Select(keep)
		if got := s.Nearest(p, reach); got != want {
			t.Errorf("%v within %g of regions %b: %d, want %d", p, reach, kept, got, want)
		}
		if got := s.IsWithin(p, reach); got != (want >= 0) {
			t.Errorf("%v within %g of regions %b: %v, want %v", p, reach, kept, got, want >= 0)
		}
	})
}

func TestSelectionOfNothing(t *testing.T) {
	s := New(prism(5)).Select(func(int) bool { return false })
	if s.Nearest(geom.Vec3{}, 100) >= 0 || s.IsWithin(geom.Vec3{}, 100) {
		t.Error("no region is near")
	}
}
