package heightmap_test

import (
	"testing"

	"millwright/compute/heightmap/heightmaptest"
	"millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	heightmaptest.Suite(t, primitive.OnCPU(3))
}
