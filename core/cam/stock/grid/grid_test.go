package grid

import (
	"math"
	"testing"
)

func TestGridCheck(t *testing.T) {
	sound := Grid{Step: 0.1, Width: 3, Height: 2}
	if err := sound.Check(); err != nil || sound.Len() != 6 {
		t.Errorf("a sound grid of 6 cells: %d, %v", sound.Len(), err)
	}
	for name, g := range map[string]Grid{
		"no step":     {Width: 1, Height: 1},
		"endless":     {Step: math.Inf(1), Width: 1, Height: 1},
		"nowhere":     {Step: 1, X: math.NaN(), Width: 1, Height: 1},
		"far away":    {Step: 1, Y: math.Inf(-1), Width: 1, Height: 1},
		"inside out":  {Step: 1, Width: -1, Height: 1},
		"huge":        {Step: 1, Width: 1 << 20, Height: 1 << 11},
		"overflowing": {Step: 1, Width: math.MaxInt, Height: math.MaxInt},
	} {
		if g.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
