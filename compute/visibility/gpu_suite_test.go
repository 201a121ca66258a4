//go:build gpu

package visibility_test

import (
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/visibility/visibilitytest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { visibilitytest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
