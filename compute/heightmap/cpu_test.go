package heightmap_test

import (
	"testing"

	"millwright.dev/millwright/compute/heightmap/heightmaptest"
	"millwright.dev/millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	heightmaptest.Suite(t, primitive.OnCPU(3))
}
