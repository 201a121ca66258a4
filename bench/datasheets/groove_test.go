package datasheets_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// pocketFigures returns the figures of a pocket by their names, and none of other features.
func pocketFigures(d *feature.Datasheet) map[string]*float64 {
	k, ok := d.Facts.(*feature.PocketFacts)
	if !ok {
		return nil
	}
	return map[string]*float64{"narrowestWidth": &k.NarrowestWidth, "floorRadius": &k.FloorRadius,
		"maxClearingDiameter": &k.MaxClearingDiameter, "minCornerRadius": k.MinCornerRadius}
}

// with selects the pockets with a value of a figure, within 1e-3 mm.
func with(figure string, want float64) func(*feature.Datasheet) bool {
	return func(d *feature.Datasheet) bool {
		x := pocketFigures(d)[figure]
		return x != nil && math.Abs(*x-want) < 1e-3
	}
}

// agrees expects a figure of the pockets of a part to agree, of some of them with a value, and a wrong value in its
// place not to. Short tests check only those with the value. It returns the figures of all checked pockets.
func agrees(t *testing.T, m *brep.Model, figure string, want, wrong float64) (right []datasheets.Row) {
	t.Helper()
	of := func(r datasheets.Row) bool { return r.Kind == feature.Pocket && r.Figure == figure }
	right, unseen := checked(t, m, shortly(with(figure, want)), nil)
	spoiled, _ := checked(t, m, with(figure, want), func(d *feature.Datasheet) { *pocketFigures(d)[figure] = wrong })
	for _, r := range right {
		if of(r) && !r.Agrees() {
			t.Errorf("%s: %s %v, by force %v to %v", m.Name, r.Figure, r.Sheet, r.Lo, r.Hi)
		}
	}
	for _, r := range spoiled {
		if of(r) && r.Agrees() {
			t.Errorf("%s: %s of %v is taken for right: %v to %v", m.Name, figure, wrong, r.Lo, r.Hi)
		}
	}
	if !slices.ContainsFunc(spoiled, of) || unseen > 0 {
		t.Errorf("%s: no %s of %v among %v, %d features not seen", m.Name, figure, want, right, unseen)
	}
	return right
}

// shaft has a groove turned into it, between its ends, with the edges of its mouth rounded.
func shaft(bottom, width, rounded float64) *brep.Model {
	at := func(x, y float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}} }
	profile := []build.Corner{at(0, 0), at(20, 0), at(20, 30), at(bottom, 30), at(bottom, 30+width), at(20, 30+width), at(20, 70),
		at(0, 70)}
	if rounded > 0 {
		low, high := at(20, 30-rounded), at(20-rounded, 30+width)
		low.Bulge, high.Bulge = build.Bulge(math.Pi/2), build.Bulge(math.Pi/2)
		profile = slices.Replace(profile, 5, 6, high, at(20, 30+width+rounded))
		profile = slices.Replace(profile, 2, 3, low, at(20-rounded, 30))
	}
	return build.Revolve("shaft", geom.World, profile, build.Style{Seams: build.SeamEdge})
}

// The bottom of a turned groove, seen from its side, rounds no edge: it lies between walls that stand higher.
func TestBottomOfATurnedGroove(t *testing.T) {
	agrees(t, shaft(15, 4, 0), "narrowestWidth", 4, 3.8)
	agrees(t, shaft(15, 4, 0), "maxClearingDiameter", 4, 3.6)
}

// TestRoundedMouthOfATurnedGroove checks that the round at the opening of a turned groove is not a floor that a wide
// tool clears, although walls rise from it on the back of the shaft.
func TestRoundedMouthOfATurnedGroove(t *testing.T) {
	agrees(t, shaft(15, 4, 1), "narrowestWidth", 4, 3.8)
	agrees(t, shaft(15, 4, 1), "maxClearingDiameter", 4, 40)
}

// The neck between two fillets takes a tool as wide as it is: its bottom, which bulges, leaves no ball alone to reach
// down.
func TestNeckBetweenFillets(t *testing.T) {
	m := partOf(t, "step", "nist_ap203", "nist_ftc_06_asme1_rd.stp")
	agrees(t, m, "maxClearingDiameter", 21.5575, 6.35)
	agrees(t, m, "floorRadius", 3.175, 2.8)
}

// A hollow that is parted into faces, one of them as steep as a wall all over, is one floor with a round outline.
func TestHollowInSeveralFaces(t *testing.T) {
	m := partOf(t, "step", "nist_ap242", "nist_ftc_06_asme1_ap242-e2.stp")
	rows := agrees(t, m, "narrowestWidth", 25.3964, 23.6)
	n := 0
	for _, r := range rows {
		if r.Kind != feature.Pocket || r.Figure != "minCornerRadius" {
			continue
		}
		n++
		if !r.Agrees() {
			t.Errorf("minCornerRadius %v, by force %v to %v", r.Sheet, r.Lo, r.Hi)
		}
	}
	if n == 0 {
		t.Errorf("no minCornerRadius among %v", rows)
	}
}

// TestFilletThatGoesOnBelowItsFloor checks a fillet that continues down the side of its floor and meets no wall there.
// That side faces no wall. The pocket, in a corner between walls that do not face each other, is as wide as its floor.
func TestFilletThatGoesOnBelowItsFloor(t *testing.T) {
	agrees(t, partOf(t, "step", "nist_ap242", "nist_ftc_07_asme1_ap242-e2.stp"), "narrowestWidth", 25.292, 1.536)
}

// Where fillets at the feet of two walls meet, the passage is as wide as it is over both.
func TestPassageBetweenFilletsThatMeet(t *testing.T) {
	agrees(t, partOf(t, "step", "odri", "lower_leg_structure_base.STEP"), "narrowestWidth", 1.7, 1.0757)
}

// A wall that another one touches along a line makes a sharp corner with it, here over the lower of several floors.
func TestCuspIsASharpCorner(t *testing.T) {
	agrees(t, partOf(t, "step", "odri", "lower_leg_structure_fork.STEP"), "minCornerRadius", 0, 1.5)
}

// TestPassageRoundBosses checks that material between the walls of a through pocket obstructs a tool, and that the
// holes in the material do not belong to the pocket.
func TestPassageRoundBosses(t *testing.T) {
	m := partOf(t, "step", "odri", "lower_leg_structure_base.STEP")
	const gap = 0.5528 // mm, between a flank of the passage and a boss
	for _, spoilt := range []float64{gap, 7.6297, 0.5} {
		rows, _ := checked(t, m, with("narrowestWidth", gap), func(d *feature.Datasheet) {
			*pocketFigures(d)["narrowestWidth"] = spoilt
		})
		found := false
		for _, r := range rows {
			found = found || r.Kind == feature.Pocket && r.Figure == "narrowestWidth" && r.Sheet == spoilt && r.Agrees() == (spoilt == gap)
		}
		if !found {
			t.Errorf("%v is taken for %v", spoilt, spoilt != gap)
		}
	}
}

// trough is a block with a groove along it that turns by an angle.
func trough(radius, turn float64) *brep.Model {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	half := radius * math.Sin(turn/2)
	profile := build.Polygon(at(0, 0), at(60, 0), at(60, 30), at(30+half, 30), at(30-half, 30), at(0, 30))
	profile[3].Bulge = -build.Bulge(turn)
	return build.Prism("trough", profile, 50, build.Style{})
}

// A round floor that is nowhere as steep as a wall has no fillet; one that is somewhere is its own.
func TestFloorsBecomeFilletsWhereTheyAreSteep(t *testing.T) {
	agrees(t, trough(10, geom.Radians(60)), "floorRadius", 0, 10)
	agrees(t, trough(10, geom.Radians(84)), "floorRadius", 0, 10)
	agrees(t, trough(10, geom.Radians(96)), "floorRadius", 10, 0)
	agrees(t, trough(10, geom.Radians(160)), "floorRadius", 10, 9.7)
}

// bitten is a plate with a bite in its upper side, through the points given from right to left.
func bitten(bite ...geom.Vec2) *brep.Model {
	outline := append([]geom.Vec2{{}, {X: 100}, {X: 100, Y: 60}}, bite...)
	return build.Prism("bitten", build.Polygon(append(outline, geom.Vec2{Y: 60})...), 10, build.Style{})
}

// TestGapsBesideMouths checks that walls that are not opposite form no gap where they end at an opening. Opposite walls
// do, also where the wall behind is nearer than their distance.
func TestGapsBesideMouths(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: 50 + x, Y: 60 - y} }
	r := math.Sqrt(3)
	hexagon := bitten(at(5, 0), at(10, 5*r), at(5, 10*r), at(-5, 10*r), at(-10, 5*r), at(-5, 0))
	agrees(t, hexagon, "narrowestWidth", 10*r, 10)
	half := math.Hypot(10, (100-9.9*9.9)/(2*9.9))
	agrees(t, bitten(at(10, 0), at(10.5, 9.9), at(-10.5, 9.9), at(-10, 0)), "narrowestWidth", 2*half, 9.9)
}

// shelf is a block with a round floor along it that ends in a wall on one side and, as steep as slope, at a lower level
// on the other.
func shelf(radius, slope, level float64) *brep.Model {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	s, c := math.Sincos(slope)
	profile := build.Polygon(at(0, 0), at(60, 0), at(60, 30-radius*c), at(30+radius*s, 30-radius*c), at(30-radius, 30),
		at(30-radius, level), at(0, level))
	profile[3].Bulge = -build.Bulge(math.Pi/2 + slope)
	return build.Prism("shelf", profile, 50, build.Style{})
}

// TestSteepFloorsAreOpenWhereNothingRises checks that the further rise of a steep floor within a cell beyond its border
// is not a wall.
func TestSteepFloorsAreOpenWhereNothingRises(t *testing.T) {
	for radius := 9.0; radius < 10; radius += 0.13 {
		agrees(t, shelf(radius, geom.Radians(42), 40), "maxClearingDiameter", 2*radius, 1.8*radius)
	}
}

// TestFloorsThatLeanTakeMoreThanABall checks that wide tools clear an inclined floor with any fillet at its base; a
// round floor takes a ball.
func TestFloorsThatLeanTakeMoreThanABall(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	s, c := math.Sincos(geom.Radians(10))
	foot := at(22+2*s, 20-2*c)
	profile := build.Polygon(at(0, 0), at(60, 0), at(60, foot.Y+(60-foot.X)*s/c), foot, at(20, 20), at(20, 40), at(0, 40))
	profile[3].Bulge = -build.Bulge(geom.Radians(100))
	agrees(t, build.Prism("lean", profile, 50, build.Style{}), "maxClearingDiameter", 50, 4)
	agrees(t, trough(10, geom.Radians(160)), "maxClearingDiameter", 2*10*math.Sin(geom.Radians(80)), 25)
}

// TestRoundedEdgesAreNoFloors checks that the round at the edge of a groove is not a floor, also where a higher wall
// crosses it.
func TestRoundedEdgesAreNoFloors(t *testing.T) {
	agrees(t, read(t, filepath.Join("testdata", "rounded_groove.stpz")), "maxClearingDiameter", 2.9485, 1.69)
}
