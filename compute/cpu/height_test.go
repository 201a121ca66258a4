package cpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestHeightMap(t *testing.T) {
	for _, threads := range []int{1, 3} {
		conform.HeightMap(t, New(threads))
	}
}

func TestOffsetHeight(t *testing.T) {
	for _, threads := range []int{1, 3} {
		conform.OffsetHeight(t, New(threads))
	}
}
