package datasheet_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
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

// The height of a pin flush with two sides of its base is its height above the base, though these sides extend below.
func TestHeightOfPinFlushWithBase(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	s := measured(t, build.Blocks("feet", build.Add(p(0, 0, 0), p(70, 70, 20)), build.Add(p(0, 0, 20), p(15, 70, 25)),
		build.Subtract(p(-1, 15, 20), p(16, 55, 26)), build.Add(p(5, 5, 25), p(15, 15, 50))))
	expect(t, s, feature.Boss, object{"facts": object{"height": 25.0}})
}

// A tool from above cannot clear a floor under an overhang of a wall at any height.
func TestClearingUnderAnOverhang(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	channel := []build.Block{build.Add(p(0, 0, 0), p(100, 60, 10)), build.Add(p(0, 0, 10), p(100, 10, 30)),
		build.Add(p(0, 50, 10), p(100, 60, 30))}
	for _, c := range []struct {
		name   string
		blocks []build.Block
		want   float64 // mm
	}{{"free", channel, 40}, {"lug", append(channel, build.Add(p(44, 38, 20), p(56, 50, 26))), 0}} {
		s := measured(t, build.Blocks(c.name, c.blocks...))
		expect(t, s, feature.Pocket, object{"facts": object{"maxClearingDiameter": c.want}})
	}
}
