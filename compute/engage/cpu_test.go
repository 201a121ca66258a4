package engage_test

import (
	"testing"

	"millwright.dev/millwright/compute/engage/engagetest"
	"millwright.dev/millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	for _, threads := range []int{1, 3} {
		engagetest.Suite(t, primitive.OnCPU(threads))
	}
}
