//go:build gpu

package evalsurface_test

import (
	"millwright/compute/evalsurface/evalsurfacetest"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
	"testing"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { evalsurfacetest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
