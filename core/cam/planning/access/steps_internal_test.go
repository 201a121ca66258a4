package access

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// A ball that is lifted by Lower is over all of a fillet of its own radius where that ends level, as it is drawn.
func TestLiftedBallsGetIntoTheirFillets(t *testing.T) {
	for _, radius := range []float64{0.25, 0.5, 1, 3, 6, 12.5} {
		ball := machining.Tool{
			Kind: machining.BallEndMill, Diameter: 2 * radius, CornerRadius: radius, FluteLength: 3 * radius,
			ShankDiameter: 2 * radius, BodyLength: 40, OverallLength: 80,
		}
		a := ball.Assembly()
		foot := newSteps(&a, 0).cutting[0]
		if fillet := radius - math.Sqrt(radius*radius-foot.radius*foot.radius); fillet > CornerFacetDrop {
			const text = "%g mm off its axis a ball of %g mm is drawn level, where its fillet is %g mm high"
			t.Errorf(text, foot.radius, 2*radius, fillet)
		}
	}
}
