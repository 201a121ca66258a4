package cpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestSweep(t *testing.T) { conform.Sweep(t, New(3)) }
