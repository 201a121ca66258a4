package cpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestVisibility(t *testing.T) {
	for _, threads := range []int{1, 3} {
		conform.Visibility(t, New(threads))
	}
}
