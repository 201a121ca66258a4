package offsetheight

import (
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestWindowsCoverChords(t *testing.T) {
	for window := 2; window <= blockSize; window *= 2 {
		for n := window/2 + 1; n < 80; n++ {
			covered := make([]bool, 2*n-1)
			for k := range pairs(n, window) {
				for i := range window {
					covered[k*window+i] = true
					covered[2*n-2-k*window-i] = true
				}
			}
			for i, is := range covered {
				if !is {
					t.Fatalf("windows of %d miss cell %d of a chord of %d", window, i, 2*n-1)
				}
			}
		}
	}
}

func TestWindowIsUsedForFlatToolsOnly(t *testing.T) {
	for name, row := range map[string]struct {
		tool toolprofile.Profile
		wide bool
	}{
		"flat": {toolprofile.EndMill(100, 0, 9), true}, "ball": {toolprofile.EndMill(100, 50, 60), false},
		"bull": {toolprofile.EndMill(100, 5, 9), true}, "small": {toolprofile.EndMill(1, 0, 9), false},
	} {
		in := Input{Grid: grid.Grid{Step: 1, Width: 1, Height: 1}, Z: []float32{0}, Tool: row.tool}
		taps := in.Footprint()
		if got := windowOf(&taps); got > 1 != row.wide {
			t.Errorf("%s: windows of %d cells", name, got)
		}
	}
}
