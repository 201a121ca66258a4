package visibility_test

import (
	"millwright/compute/primitive"
	"millwright/compute/visibility/visibilitytest"
	"testing"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		visibilitytest.Suite(t, primitive.OnCPU(threads))
	}
}
