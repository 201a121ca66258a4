package feature_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/feature"
)

func TestDatasheetsSurviveJSON(t *testing.T) {
	d := 8.5
	for _, facts := range []feature.Facts{
		&feature.HoleFacts{Kind: feature.Hole, Diameter: d, Segments: []feature.SegmentFacts{{Shape: "cone", ZMax: 1}},
			Thread: &feature.ThreadFacts{Designation: "M10x1.5", Pitch: 1.5, Source: feature.ThreadInferred}},
		&feature.PocketFacts{Kind: feature.Pocket, MinCornerRadius: &d, Bevels: []feature.BevelFacts{{AngleDeg: 45}}},
		&feature.BossFacts{Kind: feature.Boss, CD: feature.CdData{MaxFullDiameter: &d}, Bevels: []feature.BevelFacts{}},
		&feature.WallFacts{Kind: feature.Wall, Thickness: &d},
		&feature.FaceFacts{Kind: feature.Face, IsOutermost: true},
		&feature.SurfaceFacts{Kind: feature.Three, SurfaceKinds: []string{"Freeform"}},
		&feature.ChamferFacts{Kind: feature.Chamfer, Bevel: feature.BevelFacts{Countersink: &feature.SinkFacts{Depth: 2}}},
		&feature.ProfileFacts{Kind: feature.Profile, Bevels: []feature.BevelFacts{}},
		&feature.DovetailFacts{Kind: feature.Dovetail, OpenEnds: 2},
		&feature.TslotFacts{Kind: feature.Tslot, SlotWidth: 18},
	} {
		in := feature.Datasheet{FeatureType: feature.Hole, ZMin: -3, ZMax: 4, Facts: facts}
		text, err := json.Marshal(&in)
		if err != nil {
			t.Fatal(err)
		}
		var out feature.Datasheet
		if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("%s came back as %+v, %+v (%v)", text, out, out.Facts, err)
		}
	}
}

func TestDatasheetsOfUnknownKindsAreRejected(t *testing.T) {
	for _, text := range []string{`{"facts":{"kind":"Gear"}}`, `{"facts":{}}`, `{}`} {
		var d feature.Datasheet
		if json.Unmarshal([]byte(text), &d) == nil {
			t.Errorf("%s is read without an error", text)
		}
	}
}
