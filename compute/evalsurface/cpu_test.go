package evalsurface_test

import (
	"millwright/compute/evalsurface/evalsurfacetest"
	"millwright/compute/primitive"
	"testing"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		evalsurfacetest.Suite(t, primitive.OnCPU(threads))
	}
}
