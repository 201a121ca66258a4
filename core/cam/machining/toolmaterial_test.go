package machining

import (
	"math"
	"strings"
	"testing"
)

// TestSpeedFollowsTheMaterial: the computed speed depends on the tool's material, except for taps.
func TestSpeedFollowsTheMaterial(t *testing.T) {
	for _, c := range []struct {
		kind     ToolKind
		material ToolMaterial
		group    MaterialGroup
		want     float64 // of the speed where no material is given; 0: no data
	}{
		{FlatEndMill, Carbide, GroupN, 1}, {FlatEndMill, HSS, GroupN, 0.25}, {FlatEndMill, HSSCobalt, GroupP, 0.3},
		{FlatEndMill, Diamond, GroupN, 1}, {FlatEndMill, HSS, GroupH, 0}, {FlatEndMill, Carbide, GroupH, 1},
		{Drill, HSSCobalt, GroupP, 1}, {Drill, HSS, GroupP, 0.25 / 0.3}, {Drill, Carbide, GroupP, 1 / 0.3},
		{TapRightHand, Carbide, GroupN, 1}, {Reamer, Carbide, GroupN, 1}, {TapRightHand, HSS, GroupN, 0.25 / 0.3},
	} {
		tool := sample(c.kind)
		base, _ := tool.RulePreset(c.group)
		tool.Material = c.material
		got, ok := tool.RulePreset(c.group)
		if ok != (c.want > 0) || ok && math.Abs(got.SurfaceSpeed-c.want*base.SurfaceSpeed) > 1e-9 {
			t.Errorf("%s of %s in %s: %g m/min, %v; want %g of %g", c.kind, c.material, c.group, got.SurfaceSpeed, ok,
				c.want, base.SurfaceSpeed)
		}
	}
}

func TestTipsAndOriginsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		kind   ToolKind
		change func(*Tool)
		want   string // beginning of the finding, "" without one
	}{
		"flat":           {ChamferMill, func(x *Tool) { x.TipDiameter = ptr(2.0) }, ""},
		"zero":           {Drill, func(x *Tool) { x.TipDiameter = ptr(0.0) }, ""},
		"as wide":        {ChamferMill, func(x *Tool) { x.TipDiameter = ptr(10.0) }, "tipDiameter 10 mm is not less than"},
		"negative":       {ChamferMill, func(x *Tool) { x.TipDiameter = ptr(-1.0) }, "tipDiameter must lie between"},
		"of an end mill": {FlatEndMill, func(x *Tool) { x.TipDiameter = ptr(1.0) }, "tipDiameter of a flatEndMill must be null."},
		"of a dovetail":  {DovetailMill, func(x *Tool) { x.TipDiameter = ptr(1.0) }, "tipDiameter of a dovetailMill must be null."},
		"material":       {Drill, func(x *Tool) { x.Material = HSS }, ""},
		"butter":         {Drill, func(x *Tool) { x.Material = "butter" }, "toolMaterial must be one of carbide, hss"},
		"guessed":        {Drill, func(x *Tool) { x.Guessed = []string{"fluteCount", "kind"} }, ""},
		"no field":       {Drill, func(x *Tool) { x.Guessed = []string{"colour"} }, "guessed must name fields among kind"},
		"many fields":    {Drill, func(x *Tool) { x.Guessed = make([]string, 1000) }, "guessed has more than 12 entries."},
	} {
		tool := sample(c.kind)
		c.change(&tool)
		err := tool.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
