package datasheet_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Parts made by boolean operations in another kernel, with the cuts that their makers made, by kind. Each row names the
// fields that its recipe fixes; exactly one datasheet of the part has them.
func TestFactsOfKnownParts(t *testing.T) {
	for _, row := range []struct {
		part string
		kind feature.Type
		want string
	}{
		{"pockets", feature.Pocket, `
			{"zMin":18,"zMax":30,"hasFloor":true,"hasWall":true,"floorishArea":1553.5398163,
			"facts":{"depth":12,"isOpen":false,"isThrough":false,"shape":"rectangular","length":45,"width":35,
			"minCornerRadius":5,"floorRadius":0,"narrowestWidth":35,"maxClearingDiameter":15.6455572,"islandCount":0,
			"floorTiltDeg":0,"volume":18642.4777961,"bevels":[]}}`},
		{"pockets", feature.Pocket, `
			{"facts":{"depth":15,"length":50,"width":35,"minCornerRadius":6,"islandCount":1,
			"narrowestWidth":10.5,"maxClearingDiameter":10.5,"shape":"rectangular"}}`},
		{"pockets", feature.Pocket, `
			{"zMin":0,"zMax":30,"hasFloor":false,"floorishArea":0,"facts":{"isThrough":true,
			"depth":30,"length":35,"width":25,"minCornerRadius":4,"volume":25837.9644737,"narrowestWidth":25}}`},
		{"pockets", feature.Pocket, `
			{"facts":{"isOpen":true,"depth":18,"length":90,"width":8,"minCornerRadius":null,
			"narrowestWidth":8,"maxClearingDiameter":8,"volume":12960}}`},
		{"pockets", feature.Boss, `
			{"zMin":15,"zMax":30,"extendedZMax":30,"facts":{"height":15,"shape":"cylindrical",
			"diameter":14,"length":14,"width":14,"draftDeg":0,"maxBottomDiameter":10.5,"minConcaveRadius":null,
			"cd":{"maxFullDiameter":10.5,"limitingZ":30}}}`},
		{"pockets", feature.Face, `{"facts":{"length":140,"width":90,"area":11738.7345175,"isOutermost":true,
			"openFraction":1,"minConcaveRadius":null,"narrowestWidth":90}}`},
		{"bosses", feature.Boss, `
			{"facts":{"height":12,"shape":"rectangular","diameter":null,"length":30,"width":30,
			"cd":{"maxPartialDiameter":null,"limitingZ":22}}}`},
		{"bosses", feature.Boss, `{"hasWall":false,"facts":{"height":12,"diameter":12,"draftDeg":9.4623222}}`},
		{"bosses", feature.Hole, `{"zMin":14,"facts":{"diameter":10,"depth":14,"bottom":"flat","tipAngleDeg":null,
			"center":{"x":25,"y":35,"z":28},"axis":{"x":0,"y":0,"z":1},"sweepDeg":360,"crossesVoid":false}}`},
		{"plate_holes", feature.Hole, `{"hasFloor":true,"facts":{"diameter":6.6,"depth":20,"isThrough":true,
			"counterbore":{"diameter":11,"depth":6.5},"countersink":null,"thread":null,"entryTiltDeg":0}}`},
		{"plate_holes", feature.Hole, `{"facts":{"diameter":5.5,"countersink":{"diameter":11.2,"angleDeg":90,
			"depth":2.85},"counterbore":null}}`},
		{"plate_holes", feature.Hole, `{"zMax":20,"facts":{"diameter":6.8,"depth":14,"bottom":"conical",
			"tipAngleDeg":118,"thread":{"designation":"M8x1.25","pitch":1.25,"depth":14,"source":"inferred"}}}`},
		{"plate_holes", feature.Hole, `{"facts":{"diameter":8,"isThrough":true,"entryTiltDeg":16.6992442,
			"crossesVoid":false}}`},
		{"cross_holes", feature.Hole, `{"facts":{"diameter":24,"depth":60,"crossesVoid":true}}`},
		{"cross_holes", feature.Hole, `{"facts":{"diameter":16,"depth":40,"crossesVoid":true}}`},
		{"chamfers", feature.Chamfer, `{"zMin":23,"zMax":25,"hasFloor":false,"hasWall":false,"floorishArea":364,
			"wallishArea":364,"facts":{"length":188,"isClosed":false,"isConvexEdge":true,"bevel":{"angleDeg":45,
			"slant":2.8284271,"lowerAdjacentZMin":0,"isOpenPocketBottom":false}}}`},
		{"chamfers", feature.Chamfer, `{"facts":{"length":23,"bevel":{"angleDeg":45,"slant":8.4852814}}}`},
	} {
		t.Run(fmt.Sprintf("%s/%s", row.part, row.kind), func(t *testing.T) {
			var want map[string]any
			if err := json.Unmarshal([]byte(row.want), &want); err != nil {
				t.Fatal(err)
			}
			matches, best, fewest := 0, []string(nil), -1
			for _, got := range example(t, row.part).facts(t, row.kind) {
				wrong := differences("", got, want)
				if len(wrong) == 0 {
					matches++
				}
				if fewest < 0 || len(wrong) < fewest {
					best, fewest = wrong, len(wrong)
				}
			}
			if matches != 1 {
				t.Errorf("%d datasheets have %s; the nearest differs in %q", matches, row.want, best)
			}
		})
	}
}

// differences lists the paths at which got lacks or contradicts a value of want.
func differences(path string, got, want any) []string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: got %v, want %v", path, got, want)}
		}
		var out []string
		for name, v := range w {
			out = append(out, differences(path+"."+name, g[name], v)...)
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return []string{fmt.Sprintf("%s: got %v, want %v", path, got, want)}
		}
		var out []string
		for i := range w {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), g[i], w[i])...)
		}
		return out
	case float64:
		if g, ok := got.(float64); ok && near(g, w) {
			return nil
		}
	default:
		if got == want {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: got %v, want %v", path, got, want)}
}

// A groove turned into a shaft of 40 mm is a ring: of 4 mm and 5 mm deep, 2 mm deep between cones that spread to 8 mm,
// or half a circle.
func TestFactsOfTurnedGrooves(t *testing.T) {
	at := func(x, y float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}} }
	round := at(20, 10)
	round.Bulge = -build.Bulge(math.Pi)
	for _, row := range []struct {
		name                        string
		groove                      []build.Corner
		depth, width, tool, rounded float64
	}{
		{"planes", []build.Corner{at(20, 10), at(15, 10), at(15, 14), at(20, 14)}, 5, 4, 4, 0},
		{"cones", []build.Corner{at(20, 10), at(18, 12), at(18, 16), at(20, 18)}, 2, 8, 4, 0},
		{"half a circle", []build.Corner{round, at(20, 16)}, 3, 6, 6, 3},
	} {
		profile := append(append([]build.Corner{at(0, 0), at(20, 0)}, row.groove...), at(20, 40), at(0, 40))
		in := 20 - row.depth
		want := map[string]any{"facts": map[string]any{"depth": row.depth, "length": 40.0, "width": row.width,
			"narrowestWidth": row.tool, "maxClearingDiameter": row.tool, "floorRadius": row.rounded, "isOpen": true,
			"isThrough": false, "volume": math.Pi * (20*20 - in*in) * row.width}}
		got := measured(t, build.Revolve("shaft", geom.World, profile, build.Style{})).facts(t, feature.Pocket)
		if len(got) != 1 {
			t.Errorf("%s: %d pockets", row.name, len(got))
			continue
		}
		if wrong := differences("", got[0], want); len(wrong) > 0 {
			t.Errorf("%s: %v", row.name, wrong)
		}
	}
}

// A mantle that tapers is as round as it is at its narrow end.
func TestConvexRadiusOfATaper(t *testing.T) {
	at := func(x, y float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}} }
	for _, row := range [][2]float64{{20, 15}, {15, 20}} {
		s := measured(t, build.Revolve("taper", geom.World, []build.Corner{at(0, 0), at(row[0], 0), at(row[1], 40), at(0, 40)},
			build.Style{Seams: build.SeamEdge}))
		found := 0
		for i := range s.all {
			if k, ok := s.all[i].Facts.(*feature.ProfileFacts); ok {
				found++
				if k.MinConvexRadius == nil || math.Abs(*k.MinConvexRadius-15) > 1e-9 {
					t.Errorf("%v: %v", row, k)
				}
			}
		}
		if found != 1 {
			t.Errorf("%v: %d profiles", row, found)
		}
	}
}
