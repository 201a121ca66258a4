package analyze

import (
	"testing"

	"millwright.dev/millwright/core/feature"
)

func TestInWords(t *testing.T) {
	mm := func(v float64) *float64 { return &v }
	bevels := []feature.BevelFacts{{AngleDeg: 45, Slant: 1.41421356}}
	for _, c := range []struct {
		facts feature.Facts
		want  string
	}{
		{&feature.HoleFacts{Diameter: 8.00000001, Depth: 20, IsThrough: true, Bottom: "through", SweepDeg: 360},
			"diameter 8, 20 deep, through"},
		{&feature.HoleFacts{
			Diameter: 6.8, Depth: 18, Bottom: "conical", TipAngleDeg: mm(118), SweepDeg: 270, CrossesVoid: true,
			EntryTiltDeg: 30, Counterbore: &feature.BoreFacts{Diameter: 11, Depth: 6},
			Countersink: &feature.SinkFacts{Diameter: 12, AngleDeg: 90},
			Thread:      &feature.ThreadFacts{Designation: "M8x1.25", Depth: 15, Source: feature.ThreadInferred},
		}, "diameter 6.8, 18 deep, conical bottom, tip 118 deg, counterbore 11 x 6, countersink 12 x 90 deg, " +
			"thread M8x1.25, 15 deep (inferred), goes round 270 deg, crosses a void, entered at 30 deg"},
		{&feature.PocketFacts{
			Shape: feature.ShapeSlot, Length: 30, Width: 8, Depth: 5, IsOpen: true, MinCornerRadius: mm(4),
			FloorRadius: 1, NarrowestWidth: 8, MaxClearingDiameter: 8, IslandCount: 2, FloorTiltDeg: 3, Volume: 1000.5,
			Bevels: bevels,
		}, "slot, 30 x 8, 5 deep, open, corner radius 4, floor radius 1, narrowest 8, cleared by 8, 2 islands, " +
			"floor tilted 3 deg, volume 1000.5, bevel 1.414 at 45 deg"},
		{&feature.PocketFacts{Shape: feature.ShapeGeneral, IsThrough: true},
			"0 x 0, 0 deep, through, narrowest 0, cleared by 0, volume 0"},
		{&feature.BossFacts{
			Shape: feature.ShapeCylindrical, Diameter: mm(10), Length: 10, Width: 10, Height: 4, DraftDeg: 2,
			CD: feature.CdData{MaxFullDiameter: mm(6), MaxPartialDiameter: mm(9)},
		}, "cylindrical, diameter 10, 10 x 10, 4 high, draft 2 deg, tool all round up to 6, in reach up to 9"},
		{&feature.WallFacts{Length: 50, Height: 10, IsClosed: true, FloorRadius: 2, Thickness: mm(0.8)},
			"50 x 10 high, closed, floor radius 2, 0.8 thick"},
		{&feature.FaceFacts{Length: 9, Width: 3, Area: 27, IsOutermost: true, OpenFraction: 0.75, NarrowestWidth: 3},
			"9 x 3, area 27, outermost, 75 % of the boundary open, narrowest 3"},
		{&feature.SurfaceFacts{Area: 5, MaxSlopeDeg: 30, SurfaceKinds: []string{"Torus", "Freeform"},
			MinConcaveRadius: mm(2), MaxBallDiameter: mm(4)},
			"area 5, slope 0 to 30 deg, Torus Freeform, concave radius 2, ball up to 4"},
		{&feature.ChamferFacts{Bevel: bevels[0], Length: 40, IsClosed: true, IsConvexEdge: true},
			"1.414 at 45 deg, length 40, closed"},
		{&feature.ProfileFacts{IsOuter: true, Perimeter: 100, Height: 20, MinConcaveRadius: mm(3)},
			"outer, perimeter 100, 20 high, concave radius 3"},
		{&feature.DovetailFacts{AngleDeg: 60, NeckWidth: 10, FloorWidth: 14, Depth: 4, OpenEnds: 2,
			MaxNeckDiameter: 9, MaxHeadDiameter: 12},
			"60 deg flanks, neck 10, floor 14, 4 deep, 2 open ends, tool neck up to 9, head up to 12"},
		{&feature.TslotFacts{NeckWidth: 10, NeckDepth: 8, SlotWidth: 18, SlotHeight: 7, CornerRadius: 0.5, OpenEnds: 1,
			MaxNeckDiameter: 9, MaxHeadDiameter: 17},
			"neck 10 x 8, slot 18 x 7, corner radius 0.5, 1 open ends, tool neck up to 9, head up to 17"},
	} {
		if got := inWords(c.facts); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v            float64
		bare, signed string
	}{
		{0, "0", "0"}, {-1e-9, "0", "0"}, {1e-9, "0", "0"}, {0.1, "0.1", "+0.1"}, {-0.0125, "-0.013", "-0.013"},
		{1234567.5, "1234567.5", "+1234567.5"},
	} {
		if got := number(c.v); got != c.bare {
			t.Errorf("number(%g) = %q, want %q", c.v, got, c.bare)
		}
		if got := signed(c.v); got != c.signed {
			t.Errorf("signed(%g) = %q, want %q", c.v, got, c.signed)
		}
	}
}
