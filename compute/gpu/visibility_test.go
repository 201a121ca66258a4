//go:build gpu

package gpu

import (
	"testing"

	"millwright/compute/conform"
)

func TestVisibility(t *testing.T) { conform.Visibility(t, open(t)) }
