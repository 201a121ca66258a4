package machining

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ptr[T any](v T) *T { return &v }

// sample is a sound tool of a kind.
func sample(kind ToolKind) Tool {
	t := Tool{
		ID: "t", Name: "a tool", Number: ptr(7), Kind: kind, Diameter: 10, FluteLength: 4, OverallLength: 70,
		ShankDiameter: 6, BodyLength: 40, FluteCount: 3,
		Holder: &Holder{GaugeLength: 100, Cones: []Cone{{DiameterBottom: 28, DiameterTop: 40, Height: 60}}},
		Presets: []Preset{
			{MaterialGroup: GroupN, SurfaceSpeed: 300, FeedPerTooth: 0.1, AxialDepth: 4, RadialDepth: 10},
		},
	}
	switch {
	case kind.Round():
		t.CornerRadius = 5
	case kind == BullNoseEndMill:
		t.CornerRadius = 1
	case kind.Pointed():
		t.TipAngleDeg = ptr(90.0)
	case kind.Threading():
		t.Pitch = ptr(1.5)
	}
	return t
}

func TestToolsOfAllKindsAreValid(t *testing.T) {
	if len(Kinds) != 15 {
		t.Errorf("%d kinds, want 15", len(Kinds))
	}
	for _, k := range Kinds {
		tool := sample(k)
		if err := tool.Validate(); err != nil {
			t.Errorf("%s: %v", k, err)
		}
	}
}

func TestToolFindings(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		kind   ToolKind
		change func(*Tool)
		want   string // a part of the only sentence
	}{
		{"no id", Drill, func(x *Tool) { x.ID = "" }, "id is missing."},
		{"line feed in the name", Drill, func(x *Tool) { x.Name = "a\nb" },
			"name holds characters that are not text."},
		{"long name", Drill, func(x *Tool) { x.Name = strings.Repeat("x", 201) }, "name is longer than 200 bytes."},
		{"number", Drill, func(x *Tool) { x.Number = ptr(-1) }, "number must lie between 0 and"},
		{"unknown kind", "boringHead", func(*Tool) {}, "kind must be one of flatEndMill, ballEndMill"},
		{"no diameter", Reamer, func(x *Tool) { x.Diameter = 0; x.Presets = nil },
			"diameter must be more than 0 and at most 500 mm, not 0."},
		{"diameter is no number", Reamer, func(x *Tool) { x.Diameter = nan }, "diameter must be more than 0"},
		{"huge diameter", Reamer, func(x *Tool) { x.Diameter = math.Inf(1) }, "diameter must be more than 0"},
		{"corner beyond the axis", FaceMill, func(x *Tool) { x.CornerRadius = 5.1 },
			"cornerRadius 5.1 mm is more than half the diameter of 10 mm."},
		{"negative corner", FaceMill, func(x *Tool) { x.CornerRadius = -1 },
			"cornerRadius must lie between 0 and 250 mm"},
		{"flutes beyond the tool", FaceMill, func(x *Tool) { x.FluteLength, x.OverallLength, x.BodyLength = 4.1, 4, 4 },
			"fluteLength 4.1 mm is more than the overallLength"},
		{"flutes in the holder", FaceMill, func(x *Tool) { x.BodyLength = 3.5 },
			"the holder would cover the flutes."},
		{"sticks out too far", FaceMill, func(x *Tool) { x.BodyLength = 71 },
			"bodyLength 71 mm is more than the overallLength of 70 mm."},
		{"no flutes", FaceMill, func(x *Tool) { x.FluteCount = 0 },
			"fluteCount must lie between 1 and 100, not 0."},
		{"no shank", FaceMill, func(x *Tool) { x.ShankDiameter = 0 }, "shankDiameter must be more than 0"},
		{"ball with a flat", BallEndMill, func(x *Tool) { x.CornerRadius = 4 },
			"cornerRadius of a ballEndMill is half its diameter, 5 mm, not 4."},
		{"flat with a corner", FlatEndMill, func(x *Tool) { x.CornerRadius = 1 }, "is a bullNoseEndMill."},
		{"bull nose without a corner", BullNoseEndMill, func(x *Tool) { x.CornerRadius = 0 },
			"cornerRadius of a bullNoseEndMill lies between"},
		{"drill without a tip", Drill, func(x *Tool) { x.TipAngleDeg = nil }, "tipAngleDeg of a drill is missing."},
		{"drill with a flat tip", Drill, func(x *Tool) { x.TipAngleDeg = ptr(181.0) }, "at most 180°, not 181."},
		{"countersink without a cone", Countersink, func(x *Tool) { x.TipAngleDeg = ptr(180.0) }, "at most 170°"},
		{"end mill with a tip", FlatEndMill, func(x *Tool) { x.TipAngleDeg = ptr(90.0) },
			"tipAngleDeg of a flatEndMill must be null."},
		{"dovetail without a neck", DovetailMill, func(x *Tool) { x.FluteLength = 5 },
			"leaves no neck on a diameter of 10 mm."},
		{"tap without a pitch", TapRightHand, func(x *Tool) { x.Pitch = nil },
			"pitch of a tapRightHand is missing."},
		{"thread mill without a pitch", ThreadMill, func(x *Tool) { x.Pitch = ptr(0.0) },
			"pitch must be more than 0"},
		{"pitch beyond the diameter", TapRightHand, func(x *Tool) { x.Pitch = ptr(10.0) },
			"pitch 10 mm is not less than the diameter of 10 mm."},
		{"drill with a pitch", Drill, func(x *Tool) { x.Pitch = ptr(1.0) }, "pitch of a drill must be null."},
		{"overhanging ramp", FlatEndMill, func(x *Tool) { x.MaxRampDeg = ptr(91.0) },
			"maxRampDeg must lie between 0 and 90°, not 91."},
		{"tool that may not turn", Drill, func(x *Tool) { x.MaxRPM = ptr(0.0) }, "maxRpm must be more than 0"},
		{"group", Drill, func(x *Tool) { x.Presets[0].MaterialGroup = "Q" },
			"presets[0].materialGroup must be one of P, M, K, N, S, H, not \"Q\"."},
		{"speed", Drill, func(x *Tool) { x.Presets[0].SurfaceSpeed = 5001 },
			"presets[0].surfaceSpeed must be more than 0"},
		{"feed", Drill, func(x *Tool) { x.Presets[0].FeedPerTooth = 0 },
			"presets[0].feedPerTooth must be more than 0"},
		{"too deep", Drill, func(x *Tool) { x.Presets[0].AxialDepth = 4.1 },
			"presets[0].axialDepth 4.1 mm is more than the fluteLength of 4 mm."},
		{"too wide", Drill, func(x *Tool) { x.Presets[0].RadialDepth = 10.1 },
			"presets[0].radialDepth 10.1 mm is more than the diameter of 10 mm."},
		{"many presets", Drill, func(x *Tool) {
			for len(x.Presets) <= maxPresets {
				x.Presets = append(x.Presets, x.Presets[0])
			}
		}, "presets has more than 100 entries."},
		{"holder without cones", Drill, func(x *Tool) { x.Holder.Cones = nil }, "holder.cones is empty"},
		{"cone without a width", Drill, func(x *Tool) { x.Holder.Cones[0].DiameterTop = 0 },
			"holder.cones[0].diameterTop must be more than 0"},
		{"holder in the spindle", Drill, func(x *Tool) { x.Holder.GaugeLength = 59 },
			"holder.cones are 60 mm high together, more than the gaugeLength of 59 mm."},
		{"holder without height", Drill, func(x *Tool) { x.Holder.Cones[0].Height = 0 },
			"holder.cones have no height."},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := sample(c.kind)
			c.change(&tool)
			var got *ValidationError
			if err := tool.Validate(); !errors.As(err, &got) {
				t.Fatalf("Validate = %v, want %q", err, c.want)
			}
			if len(got.Sentences()) != 1 || !strings.Contains(got.Sentences()[0], c.want) ||
				!strings.HasSuffix(got.Sentences()[0], ".") {
				t.Errorf("Validate = %q, want one sentence with %q", got.Sentences(), c.want)
			}
		})
	}
}

func TestFindingsAreReportedAtOnce(t *testing.T) {
	tool := Tool{Kind: TapRightHand}
	var got *ValidationError
	if err := tool.Validate(); !errors.As(err, &got) || len(got.Sentences()) < 7 {
		t.Errorf("Validate of an empty tap = %v, want all that is missing", got)
	}
}

// TestInchSizesAreValid: lengths that were inches may be off by rounding.
func TestInchSizesAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := float64(rapid.IntRange(1, 256).Draw(t, "64ths")) / 64 * 25.4
		tool := sample(BallEndMill)
		tool.Diameter, tool.CornerRadius = d, d/25.4/2*25.4*(1+1e-14)
		tool.OverallLength, tool.BodyLength, tool.FluteLength = 10*d, 10*d*(1+1e-15), 2*d
		tool.Presets[0].AxialDepth, tool.Presets[0].RadialDepth = 2*d*(1+1e-15), d
		if err := tool.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestToolJSON fixes the names that clients read.
func TestToolJSON(t *testing.T) {
	tool := sample(Drill)
	tool.TipDiameter, tool.Material, tool.Guessed = ptr(2.0), HSS, []string{"fluteCount"}
	data, err := json.Marshal(tool)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"t","name":"a tool","number":7,"kind":"drill","diameter":10,"cornerRadius":0,"fluteLength":4,` +
		`"overallLength":70,"shankDiameter":6,"bodyLength":40,"fluteCount":3,"tipAngleDeg":90,"pitch":null,` +
		`"maxRampDeg":null,"centerCutting":null,"maxRpm":null,` +
		`"holder":{"name":"","gaugeLength":100,"cones":[{"diameterBottom":28,"diameterTop":40,"height":60}]},` +
		`"presets":[{"materialGroup":"N","surfaceSpeed":300,"feedPerTooth":0.1,"axialDepth":4,"radialDepth":10}],` +
		`"tipDiameter":2,"toolMaterial":"hss","guessed":["fluteCount"]}`
	if string(data) != want {
		t.Errorf("JSON %s\nwant %s", data, want)
	}
	var back Tool
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, tool) {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestHolder(t *testing.T) {
	h := Holder{Name: "Chuck", GaugeLength: 100, Cones: []Cone{{20, 30, 40}, {30, 63, 0}, {63, 63, 60}}}
	if err := h.Validate(); err != nil || h.Height() != 100 {
		t.Errorf("Validate = %v, height %g; want none and 100", err, h.Height())
	}
	h.Name = " "
	if err := h.Validate(); err == nil || err.Error() != "name is missing." {
		t.Errorf("a nameless holder: %v", err)
	}
	h.Cones = make([]Cone, maxCones+1)
	if err := h.Validate(); err == nil || !strings.Contains(err.Error(), "more than 100 entries") {
		t.Errorf("a tower of cones: %v", err)
	}
}

func TestRampAndPlungeByKind(t *testing.T) {
	for _, c := range []struct {
		kind   ToolKind
		change func(*Tool)
		ramp   float64
		plunge bool
	}{
		{FlatEndMill, func(*Tool) {}, 3, true},
		{BullNoseEndMill, func(x *Tool) { x.Diameter = 20.1 }, 5, false},
		{BallEndMill, func(x *Tool) { x.MaxRampDeg, x.CenterCutting = ptr(12.0), ptr(false) }, 12, false},
		{FaceMill, func(*Tool) {}, 0, false},
		{FaceMill, func(x *Tool) { x.MaxRampDeg, x.CenterCutting = ptr(0.5), ptr(true) }, 0.5, true},
		{Drill, func(*Tool) {}, 0, true},
		{Reamer, func(*Tool) {}, 0, false},
	} {
		tool := sample(c.kind)
		c.change(&tool)
		if tool.RampDeg() != c.ramp || tool.CutsCenter() != c.plunge {
			t.Errorf("%s of %g mm: ramp %g°, plunges %v; want %g°, %v", c.kind, tool.Diameter, tool.RampDeg(),
				tool.CutsCenter(), c.ramp, c.plunge)
		}
	}
}
