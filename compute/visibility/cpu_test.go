package visibility_test

import (
	"testing"

	"millwright/compute/primitive"
	"millwright/compute/visibility/visibilitytest"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		visibilitytest.Suite(t, primitive.OnCPU(threads))
	}
}
