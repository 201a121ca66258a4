package datasheet_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// expect requires one datasheet of a kind with all fields in want.
func expect(t *testing.T, s sheets, kind feature.Type, want map[string]any) {
	t.Helper()
	var closest []string
	for i, got := range s.facts(t, kind) {
		wrong := differences("", got, want)
		if len(wrong) == 0 {
			return
		}
		if i == 0 || len(wrong) < len(closest) {
			closest = wrong
		}
	}
	t.Errorf("no %s has %v; the closest differs in %q", kind, want, closest)
}

type object = map[string]any

// Channels are extruded, so that every size of their cross-section is known.
func TestChannels(t *testing.T) {
	const length = 60.0
	for _, c := range []struct {
		name    string
		profile []geom.Vec2
		kind    feature.Type
		want    object
	}{
		{"T-slot", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 30), pt(52, 30), pt(52, 22),
			pt(28, 22), pt(28, 30), pt(34, 30), pt(34, 40), pt(0, 40)}, feature.Tslot,
			object{"hasFloor": true, "hasWall": true, "facts": object{"neckWidth": 12.0, "neckDepth": 10.0,
				"slotWidth": 24.0, "slotHeight": 8.0, "cornerRadius": 0.0, "openEnds": 2.0, "maxNeckDiameter": 12.0,
				"maxHeadDiameter": 24.0}}},
		{"T-slot off the middle", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 30), pt(60, 30),
			pt(60, 22), pt(28, 22), pt(28, 30), pt(34, 30), pt(34, 40), pt(0, 40)}, feature.Tslot,
			object{"facts": object{"neckWidth": 12.0, "slotWidth": 32.0}}},
		{"T-slot with slopes and a neck that flares", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(46, 32),
			pt(52, 32), pt(46, 24), pt(34, 24), pt(28, 32), pt(34, 32), pt(30, 40), pt(0, 40)}, feature.Tslot,
			object{"facts": object{"neckWidth": 12.0, "neckDepth": 8.0, "slotWidth": 24.0, "slotHeight": 8.0}}},
		{"T-slot with ledges that lean", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 33), pt(52, 31),
			pt(52, 22), pt(28, 22), pt(28, 31), pt(34, 33), pt(34, 40), pt(0, 40)}, feature.Tslot,
			object{"facts": object{"neckWidth": 12.0, "neckDepth": 7.0, "slotWidth": 24.0, "slotHeight": 9.0}}},
		{"dovetail", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(60, 40-10*math.Sqrt(3)),
			pt(20, 40-10*math.Sqrt(3)), pt(30, 40), pt(0, 40)}, feature.Dovetail,
			object{"facts": object{"angleDeg": 60.0, "neckWidth": 20.0, "floorWidth": 40.0, "depth": 10 * math.Sqrt(3),
				"cornerRadius": 0.0, "openEnds": 2.0, "maxNeckDiameter": 20.0, "maxHeadDiameter": 40.0}}},
		{"slot", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(50, 25), pt(32, 25), pt(32, 40),
			pt(0, 40)}, feature.Pocket,
			object{"floorishArea": 18 * length, "wallishArea": 30 * length, "facts": object{"isOpen": true,
				"depth": 15.0, "length": length, "width": 18.0, "narrowestWidth": 18.0, "maxClearingDiameter": 18.0,
				"minCornerRadius": nil, "volume": 18 * 15 * length, "shape": "rectangular"}}},
		{"step", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 25), pt(64, 25), pt(64, 40), pt(0, 40)}, feature.Pocket,
			object{"facts": object{"isOpen": true, "depth": 15.0, "length": length, "width": 16.0,
				"narrowestWidth": 16.0, "maxClearingDiameter": length, "minCornerRadius": nil,
				"volume": 16 * 15 * length}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build.Prism(c.name, build.Polygon(c.profile...), length, build.Style{})
			expect(t, measured(t, m), c.kind, c.want)
		})
	}
}

func TestProfilesOfPrisms(t *testing.T) {
	hexagon := make([]geom.Vec2, 6)
	for i := range hexagon {
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		hexagon[i] = pt(30*c, 30*s)
	}
	for _, c := range []struct {
		name    string
		profile []build.Corner
		want    object
	}{
		{"hexagon", build.Polygon(hexagon...), object{"height": 12.0, "perimeter": 180.0, "isOuter": true,
			"minConcaveRadius": nil, "minConvexRadius": nil, "draftDeg": 0.0}},
		{"rounded", build.Rounded(60, 40, 8), object{"perimeter": 200 - 64 + 16*math.Pi, "isOuter": true,
			"minConcaveRadius": nil, "minConvexRadius": 8.0}},
		{"slot", build.Slot(pt(0, 0), pt(50, 0), 20), object{"perimeter": 100 + 20*math.Pi, "minConvexRadius": 10.0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build.Prism(c.name, c.profile, 12, build.Style{})
			expect(t, measured(t, m), feature.Profile, object{"hasFloor": false, "hasWall": true, "facts": c.want})
		})
	}
}

// Every fact of a rounded pocket follows from its recipe.
func TestMilledPockets(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		grid := func(lo, hi float64, name string) float64 {
			return lo + 0.25*float64(rapid.IntRange(0, int((hi-lo)*4)).Draw(r, name))
		}
		x, y := grid(40, 60, "x"), grid(30, 36, "y")
		corner, depth := grid(2, 6, "corner"), grid(5, 15, "depth")
		area := x*y - (4-math.Pi)*corner*corner
		// A disc leaves the rest of four corners: (4-π)(R² - corner²).
		clearing := min(min(x, y)/2, math.Sqrt(0.02*area/(4-math.Pi)+corner*corner))
		plain := build.Milled("pocket", build.Rectangle(90, 70), 30, build.Style{}, []build.Cut{{
			Profile: build.Moved(build.Rounded(x, y, corner), pt(10, 15)), Depth: depth,
		}})
		name := fmt.Sprintf("%v x %v x %v, corners %v", x, y, depth, corner)
		t.Run(name, func(t *testing.T) {
			perimeter := 2*(x+y) - (8-2*math.Pi)*corner
			expect(t, measured(t, plain), feature.Pocket, object{"zMin": 30 - depth, "zMax": 30.0,
				"extendedZMin": 30 - depth, "extendedZMax": 30.0, "floorishArea": area, "wallishArea": perimeter * depth,
				"facts": object{"shape": "rectangular", "length": max(x, y), "width": min(x, y), "depth": depth,
					"minCornerRadius": corner, "maxClearingDiameter": 2 * clearing, "narrowestWidth": min(x, y),
					"isOpen": false, "isThrough": false, "islandCount": 0.0, "floorRadius": 0.0, "volume": area * depth}})
		})
	})
}

// A slot and a turned groove are cut from the surface: their depth includes the bevels of their edges.
func TestDepthCountsBevelsOfRims(t *testing.T) {
	slot := build.Prism("slot", build.Polygon(pt(0, 0), pt(60, 0), pt(60, 30), pt(37, 30), pt(36, 29), pt(36, 20), pt(24, 20), pt(24, 29),
		pt(23, 30), pt(0, 30)), 40, build.Style{})
	expect(t, measured(t, slot), feature.Pocket, object{"facts": object{"depth": 10.0, "width": 12.0}})
	groove := build.Revolve("groove", geom.World, build.Polygon(pt(0, 0), pt(20, 0), pt(20, 9), pt(19.5, 9.5), pt(15, 9.5), pt(15, 14.5),
		pt(19.5, 14.5), pt(20, 15), pt(20, 40), pt(0, 40)), build.Style{})
	expect(t, measured(t, groove), feature.Pocket, object{"facts": object{"depth": 5.0, "length": 40.0, "width": 5.0}})
}
