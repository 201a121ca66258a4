package dropcutter_test

import (
	"testing"

	"millwright.dev/millwright/compute/dropcutter/dropcuttertest"
	"millwright.dev/millwright/compute/primitive"
)

func TestCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector; TestHeightsAreDeterministic runs on many threads")
	}
	dropcuttertest.Suite(t, primitive.OnCPU(3))
}

func TestAtPointsOnCPU(t *testing.T) { dropcuttertest.PlacesSuite(t, primitive.OnCPU(3)) }

func TestAlongPathsOnCPU(t *testing.T) { dropcuttertest.PathsSuite(t, primitive.OnCPU(3)) }
