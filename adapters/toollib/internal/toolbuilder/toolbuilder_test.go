package toolbuilder

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// add builds one tool and returns it with the remarks about it.
func add(d Tool) (tool *machining.Tool, skipped, guessed string) {
	d.Entry = "entry"
	c := New()
	c.Add(&d)
	if len(c.Tools) > 0 {
		tool = &c.Tools[0]
	}
	if len(c.Report.Skipped) > 0 {
		skipped = c.Report.Skipped[0].Detail
	}
	if len(c.Report.Guessed) > 0 {
		guessed = c.Report.Guessed[0].Detail
	}
	return tool, skipped, guessed
}

func TestCompleteToolsNeedNoGuess(t *testing.T) {
	for _, want := range machining.BuiltInTools() {
		d := Tool{
			ID: want.ID, Name: want.Name, Number: want.Number, Kind: want.Kind, Diameter: want.Diameter,
			CornerRadius: want.CornerRadius, FluteLength: want.FluteLength, OverallLength: want.OverallLength,
			ShankDiameter: want.ShankDiameter, BodyLength: want.BodyLength, FluteCount: want.FluteCount,
			Holder: want.Holder, Presets: want.Presets,
		}
		if want.TipAngleDeg != nil {
			d.TipAngleDeg = *want.TipAngleDeg
		}
		if want.Pitch != nil {
			d.Pitch = *want.Pitch
		}
		got, skipped, guessed := add(d)
		if got == nil || skipped+guessed != "" || got.Kind != want.Kind || got.Diameter != want.Diameter ||
			got.BodyLength != want.BodyLength || len(got.Presets) != len(want.Presets) || got.Holder == nil {
			t.Errorf("%s: %+v, skipped %q, guessed %q", want.Name, got, skipped, guessed)
		}
	}
}

// TestDiameterIsEnough guesses a tool of every kind from its diameter, and a thread mill from its diameter and pitch.
func TestDiameterIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Tool{
			Kind:     rapid.SampledFrom(machining.Kinds).Draw(t, "kind"),
			Diameter: rapid.Float64Range(0.1, 200).Draw(t, "diameter"),
		}
		if d.Kind == machining.TapRightHand {
			d.Diameter = 6
		}
		if d.Kind == machining.ThreadMill {
			d.Pitch = min(d.Diameter/4, 25)
		}
		if rapid.Bool().Draw(t, "length known") {
			d.OverallLength = d.Diameter * rapid.Float64Range(1, 9).Draw(t, "length")
		}
		tool, skipped, guessed := add(d)
		if tool == nil || guessed == "" {
			t.Fatalf("%s %g: skipped %q, guessed %q", d.Kind, d.Diameter, skipped, guessed)
		}
		tool.ID = "x"
		if err := tool.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAnyNumbersGiveValidToolOrReason checks that no numbers give an invalid tool.
func TestAnyNumbersGiveValidToolOrReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any64 := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 100), rapid.Just(math.NaN()), rapid.Just(0.0))
		length := func(name string) float64 { return any64.Draw(t, name) }
		d := Tool{
			Name: rapid.String().Draw(t, "name"), Kind: rapid.SampledFrom(machining.Kinds).Draw(t, "kind"),
			Diameter: length("diameter"), CornerRadius: length("corner"), FluteLength: length("flute"),
			OverallLength: length("overall"), ShankDiameter: length("shank"), BodyLength: length("body"),
			FluteCount: rapid.IntRange(-5, 200).Draw(t, "flutes"), TipAngleDeg: length("tip"),
			TipDiameter: length("flat"), Pitch: length("pitch"),
			Holder: &machining.Holder{GaugeLength: length("gauge"), Cones: []machining.Cone{{
				DiameterBottom: length("bottom"), DiameterTop: length("top"), Height: length("height"),
			}}},
			Presets: []machining.Preset{{
				MaterialGroup: machining.GroupN, SurfaceSpeed: length("speed"), FeedPerTooth: length("feed"),
				AxialDepth: length("axial"), RadialDepth: length("radial"),
			}},
		}
		tool, skipped, _ := add(d)
		if tool == nil {
			if !strings.HasSuffix(skipped, ".") {
				t.Fatalf("skipped without a sentence: %q", skipped)
			}
			return
		}
		if err := tool.Validate(); err != nil {
			t.Fatalf("an unsound tool: %v", err)
		}
	})
}

func TestGuesses(t *testing.T) {
	for _, c := range []struct {
		name    string
		draft   Tool
		kind    machining.ToolKind
		guessed string // substring of the report
		skipped string
	}{
		{"flat with a corner", Tool{Kind: machining.FlatEndMill, Diameter: 10, CornerRadius: 1},
			machining.BullNoseEndMill, "makes it a bull nose end mill.", ""},
		{"flat with a ball", Tool{Kind: machining.FlatEndMill, Diameter: 10, CornerRadius: 5},
			machining.BallEndMill, "makes it a ball end mill.", ""},
		{"bull nose with a ball", Tool{Kind: machining.BullNoseEndMill, Diameter: 10, CornerRadius: 5},
			machining.BallEndMill, "makes it a ball end mill.", ""},
		{"bull nose without a corner", Tool{Kind: machining.BullNoseEndMill, Diameter: 10},
			machining.FlatEndMill, "taken for a flat end mill.", ""},
		{"ball with another radius", Tool{Kind: machining.BallEndMill, Diameter: 10, CornerRadius: 1},
			machining.BallEndMill, "corner radius of 1 mm was ignored", ""},
		{"drill", Tool{Kind: machining.Drill, Diameter: 5}, machining.Drill, "Tip angle taken as 118°.", ""},
		{"tap", Tool{Kind: machining.TapRightHand, Diameter: 8}, machining.TapRightHand,
			"Pitch taken as 1.25 mm, the coarse one of M8.", ""},
		{"odd tap", Tool{Kind: machining.TapRightHand, Diameter: 6.35}, "", "", "its pitch is not given."},
		{"thread mill", Tool{Kind: machining.ThreadMill, Diameter: 8}, "", "", "its pitch is not given."},
		{"no diameter", Tool{Kind: machining.Drill}, "", "", "It has no diameter."},
		{"holder over the flutes", Tool{Kind: machining.Reamer, Diameter: 5, FluteLength: 20, BodyLength: 10},
			machining.Reamer, "raised from 10 mm to the flute length.", ""},
		{"sticks out of itself", Tool{Kind: machining.Reamer, Diameter: 5, OverallLength: 20, BodyLength: 30},
			machining.Reamer, "Overall length raised from 20 to the 30 mm", ""},
		{"flutes longer than the tool", Tool{Kind: machining.Reamer, Diameter: 5, OverallLength: 20, FluteLength: 30},
			"", "", "It contradicts itself: fluteLength 30 mm is more than the overallLength of 20 mm."},
		{"bad holder", Tool{Kind: machining.Reamer, Diameter: 5, Holder: &machining.Holder{}}, machining.Reamer,
			"Its holder was left out: holder.gaugeLength", ""},
		{"bad preset", Tool{Kind: machining.Reamer, Diameter: 5, Presets: []machining.Preset{{MaterialGroup: "Z"}}},
			machining.Reamer, "A preset was left out: presets[0].materialGroup", ""},
	} {
		tool, skipped, guessed := add(c.draft)
		if !strings.Contains(guessed, c.guessed) || !strings.HasSuffix(skipped, c.skipped) ||
			(tool == nil) != (c.kind == "") || tool != nil && tool.Kind != c.kind {
			t.Errorf("%s: %+v, skipped %q, guessed %q", c.name, tool, skipped, guessed)
		}
	}
}

// TestPresetsForAll applies a preset without a group to the groups that the kind cuts and that no other preset names.
// Without stated depths it uses the depths of the rule.
func TestPresetsForAll(t *testing.T) {
	own := machining.Preset{
		MaterialGroup: machining.GroupP, SurfaceSpeed: 20, FeedPerTooth: 0.1, AxialDepth: 3, RadialDepth: 2,
	}
	all := machining.Preset{SurfaceSpeed: 40, FeedPerTooth: 0.05, AxialDepth: 2}
	tool, _, said := add(Tool{
		Kind: machining.FlatEndMill, Diameter: 10, FluteLength: 20, Material: machining.HSS,
		Presets: []machining.Preset{all, own},
	})
	if len(tool.Presets) != 5 { // high-speed steel does not cut hardened steel
		t.Fatalf("presets = %+v", tool.Presets)
	}
	p, _ := tool.Preset(machining.GroupP)
	n, _ := tool.Preset(machining.GroupN)
	rule, _ := tool.RulePreset(machining.GroupN)
	want := machining.Preset{MaterialGroup: machining.GroupN, SurfaceSpeed: 40, FeedPerTooth: 0.05, AxialDepth: 2,
		RadialDepth: rule.RadialDepth}
	if p != own || n != want || !strings.Contains(said, "those of the rule for its kind.") {
		t.Errorf("presets = %+v, said %q", tool.Presets, said)
	}
}

// TestGuessedFieldsAreMarked: every field that is taken is listed, and nothing else is.
func TestGuessedFieldsAreMarked(t *testing.T) {
	whole := Tool{
		Kind: machining.ChamferMill, Diameter: 6, FluteLength: 2, OverallLength: 60, ShankDiameter: 6, BodyLength: 31,
		FluteCount: 2, TipAngleDeg: 90, TipDiameter: 2, Material: machining.Carbide,
	}
	for _, c := range []struct {
		field  string
		change func(*Tool)
	}{
		{"", func(*Tool) {}},
		{"tipAngleDeg", func(d *Tool) { d.TipAngleDeg = 0 }},
		{"fluteCount", func(d *Tool) { d.FluteCount = 0 }},
		{"fluteLength", func(d *Tool) { d.FluteLength = 0 }},
		{"fluteLength", func(d *Tool) { d.TipDiameter = 0 }}, // its cone is then higher than its flutes
		{"overallLength", func(d *Tool) { d.OverallLength = 0 }},
		{"shankDiameter", func(d *Tool) { d.ShankDiameter = 0 }},
		{"bodyLength", func(d *Tool) { d.BodyLength = 0 }},
		{"toolMaterial", func(d *Tool) { d.Material = "" }},
	} {
		d := whole
		c.change(&d)
		tool, skipped, _ := add(d)
		if tool == nil || strings.Join(tool.Guessed, " ") != c.field {
			t.Errorf("without %s: %+v, skipped %q", c.field, tool, skipped)
		}
	}
}

func TestTapFeedEqualsPitch(t *testing.T) {
	preset := machining.Preset{
		MaterialGroup: machining.GroupN, SurfaceSpeed: 10, FeedPerTooth: 3, AxialDepth: 50, RadialDepth: 50,
	}
	tool, _, _ := add(Tool{
		Kind: machining.TapRightHand, Diameter: 6, Pitch: 1, FluteCount: 4, Presets: []machining.Preset{preset},
	})
	if p := tool.Presets[0]; p.FeedPerTooth != 0.25 || p.AxialDepth != tool.FluteLength || p.RadialDepth != 6 {
		t.Errorf("preset = %+v, want a feed of 0.25 mm and depths within the tool", p)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"  a\tb\x00c\n": "a b c", "\xff\xfeok": "�ok", "ää": "ää", strings.Repeat("ä", 9): "ääää",
	} {
		if got := Clean(in, 9); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCountEnds(t *testing.T) {
	c := New()
	for range catalog.MaxTools {
		if err := c.Count(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Count(); err == nil || c.Report.Entries != catalog.MaxTools {
		t.Errorf("entry %d was counted: %v", catalog.MaxTools+1, err)
	}
}
