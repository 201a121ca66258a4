//go:build gpu

package gpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestRaycast(t *testing.T) { conform.Raycast(t, open(t)) }
