package httpapi

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// contract are the fields of datasheets as clients know them; a ? may be null, a - may be absent.
var contract = map[string]string{
	"FeatureDatasheet": "featureType zMin zMax extendedZMin extendedZMax radialStockToLeave axialStockToLeave " +
		"toleranceBand hasFloor hasWall floorishArea wallishArea facts",
	"ToleranceBand": "radialLower radialUpper axialLower axialUpper source",
	"SinkFacts":     "diameter angleDeg depth",
	"BoreFacts":     "diameter depth",
	"BevelFacts":    "angleDeg slant lowerAdjacentZMin isOpenPocketBottom countersink-",
	"CdData":        "maxFullDiameter? maxPartialDiameter? limitingZ?",
	"SegmentFacts":  "shape zMin zMax diameterTop diameterBottom",
	"ThreadFacts":   "designation pitch depth source confidence",
	"HoleFacts": "kind diameter depth isThrough bottom tipAngleDeg? center axis sweepDeg segments counterbore? " +
		"countersink? farCounterbore? farCountersink? thread? crossesVoid entryTiltDeg",
	"PocketFacts": "kind depth isOpen isThrough shape length width minCornerRadius? floorRadius narrowestWidth " +
		"maxClearingDiameter islandCount floorTiltDeg volume bevels",
	"BossFacts": "kind cd maxBottomDiameter height shape diameter? length width minConcaveRadius? draftDeg bevels",
	"WallFacts": "kind height length minConcaveRadius? floorRadius isClosed draftDeg thickness? cd",
	"FaceFacts": "kind length width area isOutermost openFraction minConcaveRadius? narrowestWidth",
	"SurfaceFacts": "kind area minConcaveRadius? minSlopeDeg maxSlopeDeg surfaceKinds " +
		"maxBallDiameter?",
	"ChamferFacts": "kind bevel length isClosed isConvexEdge",
	"ProfileFacts": "kind height perimeter isOuter minConcaveRadius? minConvexRadius? draftDeg bevels",
	"DovetailFacts": "kind angleDeg neckWidth floorWidth depth cornerRadius openEnds maxNeckDiameter " +
		"maxHeadDiameter",
	"TslotFacts": "kind neckWidth neckDepth slotWidth slotHeight cornerRadius openEnds maxNeckDiameter " +
		"maxHeadDiameter",
}

func described() map[string]*huma.Schema {
	r := huma.NewMapRegistry(schemaPath, huma.DefaultSchemaNamer)
	new(FeatureDatasheet).Schema(r)
	return r.Map()
}

func TestDatasheetFieldsAreTheContract(t *testing.T) {
	schemas := described()
	for name, fields := range contract {
		s := schemas[name]
		if s == nil {
			t.Errorf("%s is not described", name)
			continue
		}
		var got []string
		for key, p := range s.Properties {
			switch {
			case !slices.Contains(s.Required, key):
				key += "-"
			case p.Nullable || len(p.AnyOf) == 2 && p.AnyOf[1].Type == "null":
				key += "?"
			}
			got = append(got, key)
		}
		want := strings.Fields(fields)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
		if s.AdditionalProperties != false {
			t.Errorf("%s may have further properties", name)
		}
	}
	for name := range schemas {
		if contract[name] == "" && name != "Vec3" && name != "FeatureType" {
			t.Errorf("%s is described and no part of the contract", name)
		}
	}
}

func TestEveryDatasheetFieldIsDescribed(t *testing.T) {
	unused, words := maps.Clone(datasheetText), maps.Clone(datasheetWords)
	for name, s := range described() {
		if contract[name] == "" {
			continue
		}
		for _, at := range append(slices.Collect(maps.Keys(s.Properties)), "") {
			at = strings.TrimSuffix(name+"."+at, ".")
			if text := datasheetText[at]; !strings.HasSuffix(text, ".") {
				t.Errorf("%s is described by %q, which is no sentence", at, text)
			}
			delete(unused, at)
			delete(words, at)
		}
	}
	for at := range unused {
		t.Errorf("%s is described and does not exist", at)
	}
	for at := range words {
		t.Errorf("%s has a list of words and does not exist", at)
	}
}

func TestFactsHaveKindDiscriminator(t *testing.T) {
	schemas := described()
	facts := schemas["FeatureDatasheet"].Properties["facts"]
	if len(facts.OneOf) != 10 || facts.Discriminator.PropertyName != "kind" {
		t.Fatalf("facts: %d shapes, told apart by %q", len(facts.OneOf), facts.Discriminator.PropertyName)
	}
	shapes := map[string]string{
		"Hole": "HoleFacts", "Pocket": "PocketFacts", "Boss": "BossFacts", "Wall": "WallFacts", "Face": "FaceFacts",
		"Three": "SurfaceFacts", "Chamfer": "ChamferFacts", "Profile": "ProfileFacts",
		"Dovetail": "DovetailFacts", "Tslot": "TslotFacts",
	}
	for kind, shape := range shapes {
		if got := facts.Discriminator.Mapping[kind]; got != schemaPath+shape {
			t.Errorf("%s maps to %q, want %s", kind, got, shape)
		}
		if got := schemas[shape].Properties["kind"].Const; got != kind {
			t.Errorf("the kind of %s is %v, want %s", shape, got, kind)
		}
		if !slices.Contains(schemas["FeatureType"].Enum, any(kind)) {
			t.Errorf("FeatureType lacks %s", kind)
		}
	}
}
