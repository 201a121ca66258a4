package offsetheight_test

import (
	"testing"

	"millwright.dev/millwright/compute/offsetheight/offsetheighttest"
	"millwright.dev/millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector; TestHeightsAreDeterministic runs on many threads")
	}
	for _, threads := range []int{1, 3} {
		offsetheighttest.Suite(t, primitive.OnCPU(threads))
	}
}
