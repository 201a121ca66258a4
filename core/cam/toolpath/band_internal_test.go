package toolpath

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBandsEndAtFloors(t *testing.T) {
	for name, c := range map[string]struct {
		top, bottom, depth float64
		floors             []float64
		want               string
	}{
		"one band":                     {0, -10, 20, nil, "[{0 -10 []}]"},
		"no limit of the depth":        {0, -100, 0, []float64{-5}, "[{0 -100 [-5]}]"},
		"equal bands":                  {0, -30, 20, nil, "[{0 -15 []} {-15 -30 []}]"},
		"floors within a band":         {0, -20, 20, []float64{-5, -12}, "[{0 -20 [-12 -5]}]"},
		"a band ends at a floor":       {0, -20.6, 20, []float64{-20}, "[{0 -20 []} {-20 -20.6 []}]"},
		"at the lowest floor it may":   {0, -30, 20, []float64{-16, -19}, "[{0 -19 [-16]} {-19 -30 []}]"},
		"a floor above half stays":     {0, -30, 20, []float64{-10}, "[{0 -15 [-10]} {-15 -30 []}]"},
		"a floor at the top or bottom": {0, -30, 20, []float64{0, -30}, "[{0 -15 []} {-15 -30 []}]"},
		"floors of one height":         {0, -20, 20, []float64{-5, -5.0001}, "[{0 -20 [-5]}]"},
	} {
		if got := fmt.Sprint(bands(c.top, c.bottom, c.depth, c.floors)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestBandsCoverTheDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Float64Range(-10, 50).Draw(t, "top")
		bottom := top - rapid.Float64Range(0.1, 80).Draw(t, "deep")
		depth := rapid.Float64Range(0.5, 30).Draw(t, "depth")
		floors := rapid.SliceOfN(rapid.Float64Range(bottom-1, top+1), 0, 8).Draw(t, "floors")
		list, at := bands(top, bottom, depth, floors), top
		if most := int(math.Ceil((top-bottom)/depth-1e-6)) + len(floors); len(list) > most {
			t.Fatalf("%d bands, more than %d", len(list), most)
		}
		for _, b := range list {
			if b.top != at || b.bottom >= b.top || b.top-b.bottom > depth+2e-3 {
				t.Fatalf("band %v after %g", b, at)
			}
			at = b.bottom
		}
		if math.Abs(at-bottom) > 2e-3 {
			t.Fatalf("ends at %g, not %g", at, bottom)
		}
		for _, z := range floors {
			if z < bottom+2e-3 || z > top-2e-3 {
				continue
			}
			found := false
			for _, b := range list {
				for _, h := range b.heights() {
					found = found || math.Abs(h-z) < 2e-3
				}
			}
			if !found {
				t.Fatalf("no pass at the floor %g of %v", z, list)
			}
		}
	})
}
