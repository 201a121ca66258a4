//go:build gpu

package evalsurface_test

import (
	"testing"

	"millwright.dev/millwright/compute/evalsurface/evalsurfacetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { evalsurfacetest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }

func TestGPUPoints(t *testing.T) {
	evalsurfacetest.PointsSuite(t, primitive.OnGPU(primitivetest.GPU(t)))
}
