package cpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestEvalSurface(t *testing.T) {
	conform.EvalSurface(t, New(1))
	conform.EvalSurface(t, New(3))
}

func TestVisibility(t *testing.T) {
	conform.Visibility(t, New(1))
	conform.Visibility(t, New(3))
}

func TestRaycast(t *testing.T) {
	conform.Raycast(t, New(1))
	conform.Raycast(t, New(3))
}
