package raycast_test

import (
	"testing"

	"millwright/compute/primitive"
	"millwright/compute/raycast/raycasttest"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		raycasttest.Suite(t, primitive.OnCPU(threads))
	}
}
