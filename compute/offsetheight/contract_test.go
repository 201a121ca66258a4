package offsetheight

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestOffsetBoundIsARounding(t *testing.T) {
	in := Input{
		Grid: grid.Grid{Step: 1, Width: 3, Height: 1}, Z: []float32{-96, float32(math.Inf(-1)), 3},
		Tool: toolprofile.EndMill(4, 0, 32),
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := in.Bound(), 128.0/(1<<24); got != want {
		t.Errorf("bound %g mm, want %g", got, want)
	}
}

func TestFootprintCells(t *testing.T) {
	in := Input{Grid: grid.Grid{Step: 1}, Tool: toolprofile.EndMill(6, 3, 10)}
	for _, row := range []struct {
		sampling     heightmap.Sampling
		reach, count int
		at30, at00   float64
	}{
		{heightmap.Center, 3, 29, 3, 0},
		{heightmap.Cover, 3, 45, 3 - math.Sqrt(9-6.25), 0},
	} {
		in.Sampling = row.sampling
		taps := in.Footprint()
		if taps.Reach() != row.reach || taps.Count() != row.count {
			t.Errorf("sampling %d: %d taps within %d cells, want %d within %d",
				row.sampling, taps.Count(), taps.Reach(), row.count, row.reach)
		}
		at30, at00 := float64(taps.Rows[0][3]), float64(taps.Rows[0][0])
		if math.Abs(at30-row.at30) > 1e-6 || at00 != row.at00 {
			t.Errorf("sampling %d: heights %g and %g, want %g and %g", row.sampling, at30, at00, row.at30, row.at00)
		}
	}
}
