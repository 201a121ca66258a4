//go:build gpu

package offsetheight_test

import (
	"testing"

	"millwright/compute/offsetheight/offsetheighttest"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { offsetheighttest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
