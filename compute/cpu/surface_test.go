package cpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestEvalSurface(t *testing.T) {
	conform.EvalSurface(t, New(1))
	conform.EvalSurface(t, New(3))
}
