package datasheet_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A trough whose one flank is cut off is open there, and takes the ball of its bottom.
func TestTroughWithAFlankCutOff(t *testing.T) {
	const radius = 10.0
	for _, turn := range []float64{math.Pi, geom.Radians(150)} {
		s, c := math.Sincos(turn)
		end := pt(40-radius*c, 30-radius*s)
		profile := build.Polygon(pt(0, 0), pt(80, 0), pt(80, end.Y), end, pt(30, 30), pt(30, 45), pt(0, 45))
		profile[3].Bulge = -build.Bulge(turn)
		got := measured(t, build.Prism("trough", profile, 70, build.Style{}))
		expect(t, got, feature.Pocket, object{"facts": object{"width": radius * (1 - c), "maxClearingDiameter": 2 * radius}})
	}
}
