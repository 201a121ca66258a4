//go:build gpu

package gpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestSweep(t *testing.T) { conform.Sweep(t, open(t)) }
