package visibility_test

import (
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/visibility/visibilitytest"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		visibilitytest.Suite(t, primitive.OnCPU(threads))
	}
}
