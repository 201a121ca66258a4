//go:build gpu

package offsetheight_test

import (
	"testing"

	"millwright.dev/millwright/compute/offsetheight/offsetheighttest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { offsetheighttest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
