package raycast_test

import (
	"millwright/compute/primitive"
	"millwright/compute/raycast/raycasttest"
	"testing"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		raycasttest.Suite(t, primitive.OnCPU(threads))
	}
}
