//go:build gpu

package heightmap_test

import (
	"testing"

	"millwright/compute/heightmap/heightmaptest"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { heightmaptest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
