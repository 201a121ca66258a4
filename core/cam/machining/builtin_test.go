package machining

import (
	"math"
	"slices"
	"testing"
)

func TestBuiltInCutConfigsAreValid(t *testing.T) {
	known := map[string]bool{}
	for i, l := range BuiltInToolLibraries() {
		known[l.ID] = true
		if l.ID != BuiltInToolLibraryIDs[i] || l.Name == "" {
			t.Errorf("library %s %q, want %s with a name", l.ID, l.Name, BuiltInToolLibraryIDs[i])
		}
	}
	for i, c := range BuiltInCutConfigs() {
		if err := c.Validate(); err != nil || c.ID != BuiltInCutConfigIDs[i] {
			t.Errorf("cut config %s: %v", c.ID, err)
		}
		for _, id := range c.ToolLibraryIDs {
			if !known[id] {
				t.Errorf("cut config %s names library %s, which is not built in", c.Name, id)
			}
		}
	}
}

// TestLargeToolsReach: some mill, ball and drill of the large library reach deep, and no tool needs more than the
// travel.
func TestLargeToolsReach(t *testing.T) {
	reach := map[ToolKind]float64{}
	machine := LargeCutConfig().Machine
	for _, tool := range builtInLargeTools() {
		reach[tool.Kind] = max(reach[tool.Kind], tool.BodyLength)
		if a := tool.Assembly(); a.Total() > machine.Travel.Z*0.75 {
			t.Errorf("%s is %g mm long with its holder", tool.Name, a.Total())
		}
		if milling := tool.Kind == BullNoseEndMill || tool.Kind == BallEndMill; milling && tool.ShankDiameter >= tool.Diameter {
			t.Errorf("%s: its shank rubs", tool.Name)
		}
	}
	for kind, want := range map[ToolKind]float64{BullNoseEndMill: 320, BallEndMill: 320, Drill: 235} {
		if reach[kind] < want {
			t.Errorf("the longest %s reaches %g mm, want %g", kind, reach[kind], want)
		}
	}
}

func TestBuiltInToolsAreValid(t *testing.T) {
	ids, kinds := map[string]bool{}, map[ToolKind]int{}
	for _, l := range BuiltInToolLibraries() {
		checkTools(t, l.Tools, ids, kinds)
	}
	for _, k := range Kinds {
		if kinds[k] == 0 {
			t.Errorf("no built-in tool is a %s", k)
		}
	}
}

func checkTools(t *testing.T, tools []Tool, ids map[string]bool, kinds map[ToolKind]int) {
	t.Helper()
	for i, tool := range tools {
		if err := tool.Validate(); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if ids[tool.ID] || *tool.Number != i+1 {
			t.Errorf("%s: id %s twice, or number %d at place %d", tool.Name, tool.ID, *tool.Number, i)
		}
		ids[tool.ID] = true
		kinds[tool.Kind]++
		if tool.Name == "" || tool.Holder == nil {
			t.Errorf("%s %s: name or holder is missing", tool.Kind, tool.Name)
		}
		if _, ok := tool.Preset(GroupN); !ok {
			t.Errorf("%s: has no preset for aluminium", tool.Name)
		}
	}
}

// TestBuiltInToolsKeepTheirIdentifiers: tools that are added do not change the place of others.
func TestBuiltInToolsKeepTheirIdentifiers(t *testing.T) {
	tools := BuiltInTools()
	for number, name := range map[int]string{
		1: "End mill 1 mm", 11: "End mill 20 mm", 24: "Drill 1 mm", 39: "Drill 12 mm", 48: "Reamer 3 mm H7",
		65: "Face mill 50 mm", 70: "Lollipop cutter 6 mm", 71: "Drill 1.1 mm", 190: "Carbide drill 3 mm",
		296: "Carbide drill 20 mm", 297: "Reamer 2 mm H7", 306: "Finishing end mill 3 mm", 319: "Tap M16 × 2",
	} {
		if got := tools[number-1].Name; got != name {
			t.Errorf("tool %d is %s, want %s", number, got, name)
		}
	}
}

// TestShopHasItsDrills: a drill for every tenth of a millimeter to 13 mm and for the clearance holes of screws, with
// flutes for five diameters in steel and for four in carbide.
func TestShopHasItsDrills(t *testing.T) {
	has := func(d float64, m ToolMaterial, deep float64) bool {
		return slices.ContainsFunc(BuiltInTools(), func(t Tool) bool {
			return t.Kind == Drill && t.Diameter == d && t.Material == m && t.FluteLength >= deep*d
		})
	}
	for n := 10; n <= 130; n++ {
		if d := float64(n) / 10; !has(d, "", 5) {
			t.Errorf("no drill of %g mm", d)
		}
	}
	for _, d := range []float64{3.4, 4.5, 5.5, 6.6, 9, 11, 13.5, 15.5, 17.5, 20} { // ISO 273, medium, M3 to M18
		if !has(d, "", 5) || !has(d, Carbide, 4) {
			t.Errorf("no drill of steel or carbide for the clearance hole of %g mm", d)
		}
	}
}

// TestEveryTapHasItsDrill: a coarse metric thread is tapped into a hole of its diameter less its pitch.
func TestEveryTapHasItsDrill(t *testing.T) {
	const slack = 0.1 // mm, by which customary tap drills differ from the rule
	for _, tap := range BuiltInTools() {
		if tap.Kind != TapRightHand {
			continue
		}
		found := false
		for _, drill := range BuiltInTools() {
			found = found || drill.Kind == Drill && math.Abs(drill.Diameter-(tap.Diameter-*tap.Pitch)) <= slack
		}
		if !found {
			t.Errorf("%s: no drill of %g mm", tap.Name, tap.Diameter-*tap.Pitch)
		}
	}
}

// TestBuiltInPresetsArePhysical checks each preset against limits of machines, tools and chips.
func TestBuiltInPresetsArePhysical(t *testing.T) {
	for i, l := range BuiltInToolLibraries() {
		checkPhysics(t, l.Tools, BuiltInCutConfigs()[i].Machine)
	}
}

func checkPhysics(t *testing.T, tools []Tool, machine Machine) {
	t.Helper()
	force := map[MaterialGroup]float64{ // upper kc1.1 of common materials of the group, N/mm²
		GroupN: 800, GroupP: 1900, GroupM: 2300, GroupK: 1500, GroupS: 2600, GroupH: 3000,
	}
	fastest := map[MaterialGroup]float64{ // with carbide, m/min
		GroupN: 1000, GroupP: 250, GroupM: 160, GroupK: 250, GroupS: 80, GroupH: 120,
	}
	for _, tool := range tools {
		for _, p := range tool.Presets {
			rpm := math.Min(p.SpindleSpeed(tool.Diameter), machine.MaxSpindleRPM)
			feed := rpm * p.FeedPerTooth * float64(tool.FluteCount)
			removed := p.AxialDepth * p.RadialDepth * feed // mm³/min
			drilling := tool.Kind == Drill || tool.Kind == SpotDrill || tool.Kind == CenterDrill
			if drilling {
				removed = math.Pi / 4 * tool.Diameter * tool.Diameter * feed
			}
			name := tool.Name + " in " + string(p.MaterialGroup)
			if p.SurfaceSpeed > fastest[p.MaterialGroup] || p.SurfaceSpeed < 2 {
				t.Errorf("%s: surface speed %g m/min", name, p.SurfaceSpeed)
			}
			if tool.Kind == TapRightHand {
				if p.SurfaceSpeed > 30 || math.Abs(p.FeedPerTooth*float64(tool.FluteCount)-*tool.Pitch) > 1e-12 {
					t.Errorf("%s: %g m/min, %g mm per tooth", name, p.SurfaceSpeed, p.FeedPerTooth)
				}
				continue
			}
			if feed > machine.MaxFeed || feed < 5 {
				t.Errorf("%s: feed %g mm/min", name, feed)
			}
			// Chips thinner than a few µm rub; thicker than a few percent of the diameter break the tool.
			if p.FeedPerTooth < 0.0015 || p.FeedPerTooth > 0.025*tool.Diameter {
				t.Errorf("%s: feed per tooth %g mm of %g mm", name, p.FeedPerTooth, tool.Diameter)
			}
			if tool.Kind == Reamer {
				continue // removes a few tenths only
			}
			// Kienzle's law for the mean chip: kc = kc1.1·h^-0.25.
			kc := force[p.MaterialGroup] * math.Pow(math.Max(p.FeedPerTooth, 0.01), -0.25)
			if kw := removed * kc / 60e6; kw > machine.SpindlePowerKW {
				t.Errorf("%s: needs %.1f kW", name, kw)
			}
		}
	}
}

func TestSpindleSpeed(t *testing.T) {
	p := Preset{SurfaceSpeed: 100 * math.Pi}
	if got := p.SpindleSpeed(10); math.Abs(got-10000) > 1e-9 {
		t.Errorf("%g m/min at 10 mm = %g rpm, want 10000", p.SurfaceSpeed, got)
	}
	tool := Tool{Presets: []Preset{
		{MaterialGroup: GroupP, SurfaceSpeed: 1}, {MaterialGroup: GroupP, SurfaceSpeed: 2},
	}}
	if got, ok := tool.Preset(GroupP); !ok || got.SurfaceSpeed != 1 {
		t.Errorf("Preset(P) = %+v, %v; want the first", got, ok)
	}
	if got, ok := tool.Preset(GroupH); ok {
		t.Errorf("Preset(H) = %+v, want none", got)
	}
}
