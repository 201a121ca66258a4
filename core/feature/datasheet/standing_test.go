package datasheet_test

import (
	"math"
	"testing"

	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/geom"
)

// A trough that is nowhere as steep as a wall has no fillet between wall and floor; one that becomes a wall is its own.
func TestFloorRadiusOfTroughs(t *testing.T) {
	for _, c := range []struct {
		name string
		turn float64 // rad, of its arc
		want float64 // mm
	}{{"shallow", geom.Radians(60), 0}, {"steep", geom.Radians(160), 10}} {
		half := 10 * math.Sin(c.turn/2)
		profile := build.Polygon(pt(0, 0), pt(60, 0), pt(60, 30), pt(30+half, 30), pt(30-half, 30), pt(0, 30))
		profile[3].Bulge = -build.Bulge(c.turn)
		s := measured(t, build.Prism(c.name, profile, 50, build.Style{}))
		expect(t, s, feature.Pocket, object{"facts": object{"floorRadius": c.want}})
	}
}
