//go:build gpu

package gpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestDropCutter(t *testing.T) { conform.DropCutter(t, open(t)) }
