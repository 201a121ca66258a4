//go:build gpu

package sweep_test

import (
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/sweep/sweeptest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { sweeptest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
