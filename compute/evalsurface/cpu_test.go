package evalsurface_test

import (
	"testing"

	"millwright.dev/millwright/compute/evalsurface/evalsurfacetest"
	"millwright.dev/millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		evalsurfacetest.Suite(t, primitive.OnCPU(threads))
		evalsurfacetest.PointsSuite(t, primitive.OnCPU(threads))
	}
}
