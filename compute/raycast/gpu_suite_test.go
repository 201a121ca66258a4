//go:build gpu

package raycast_test

import (
	"testing"

	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
	"millwright/compute/raycast/raycasttest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { raycasttest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
