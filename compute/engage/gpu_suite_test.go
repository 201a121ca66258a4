//go:build gpu

package engage_test

import (
	"testing"

	"millwright/compute/engage/engagetest"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

func TestGPU(t *testing.T) { engagetest.Suite(t, primitive.OnGPU(primitivetest.GPU(t))) }
