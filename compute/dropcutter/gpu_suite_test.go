//go:build gpu

package dropcutter_test

import (
	"testing"

	"millwright.dev/millwright/compute/dropcutter/dropcuttertest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { dropcuttertest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
