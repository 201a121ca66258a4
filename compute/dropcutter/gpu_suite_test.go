//go:build gpu

package dropcutter_test

import (
	"testing"

	"millwright/compute/dropcutter/dropcuttertest"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { dropcuttertest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
