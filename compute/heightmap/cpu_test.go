package heightmap_test

import (
	"millwright/compute/heightmap/heightmaptest"
	"millwright/compute/primitive"
	"testing"
)

func TestCPU(t *testing.T) {
	heightmaptest.Suite(t, primitive.OnCPU(3))
}
