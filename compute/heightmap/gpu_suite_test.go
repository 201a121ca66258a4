//go:build gpu

package heightmap_test

import (
	"testing"

	"millwright.dev/millwright/compute/heightmap/heightmaptest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { heightmaptest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
