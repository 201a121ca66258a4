//go:build gpu

package gpu

import (
	"math"
	"testing"

	"millwright/compute/conform"
)

func TestHeightMap(t *testing.T) { conform.HeightMap(t, open(t)) }

func TestOffsetHeight(t *testing.T) { conform.OffsetHeight(t, open(t)) }

func TestKeysOfHeights(t *testing.T) {
	for _, z := range []float32{0, 1, -1, 3.5, -2.25e-30, math.MaxFloat32, -math.MaxFloat32} {
		key := math.Float32bits(z)
		if z < 0 {
			key = ^key
		} else {
			key |= 1 << 31
		}
		if got := fromKey(key); got != z {
			t.Errorf("key %#x of %g comes back as %g", key, z, got)
		}
	}
	if got := fromKey(0); !math.IsInf(float64(got), -1) {
		t.Errorf("an empty cell has the height %g", got)
	}
}
