//go:build gpu

package engage_test

import (
	"testing"

	"millwright.dev/millwright/compute/engage/engagetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { engagetest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
