package machining

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Members missing from a new cut config, at any depth, have the values of the first built-in one.
func TestMakeFillsMissingMembers(t *testing.T) {
	for _, c := range []struct {
		name, document string
		change         func(*CutConfig)
	}{
		{"name only", `{}`, func(*CutConfig) {}},
		{"one axis of the travel", `{"machine":{"travel":{"z":700}}}`, func(c *CutConfig) { c.Machine.Travel.Z = 700 }},
		{"two objects", `{"stock":{"allowance":{"x":1}},"tolerances":{"class":"f"}}`, func(c *CutConfig) {
			c.Stock.Allowance.X, c.Tolerances.Class = 1, ClassFine
		}},
		{"list", `{"toolLibraryIds":["ABC"]}`, func(c *CutConfig) { c.ToolLibraryIDs = []string{"abc"} }},
		{"density of the group", `{"material":{"isoGroup":"P"}}`, func(c *CutConfig) {
			c.Material.ISOGroup, c.Material.Density = GroupP, 7.85
		}},
		{"bite of low jaws", `{"workholding":{"jawHeight":2}}`, func(c *CutConfig) {
			c.Workholding.JawHeight, c.Workholding.Bite = 2, 2
		}},
		{"axes", `{"machine":{"axes":{"x":{"maxFeed":1,"rapidFeed":2,"acceleration":3,"jerk":4},` +
			`"y":{"maxFeed":1,"rapidFeed":2,"acceleration":3,"jerk":4},"z":{"maxFeed":1,"rapidFeed":2,"acceleration":3,"jerk":4}}}}`,
			func(c *CutConfig) {
				a := Axis{1, 2, 3, 4}
				c.Machine.Axes = &Axes{a, a, a}
			}},
		{"default width of edges", `{"breakEdges":{}}`, func(c *CutConfig) { c.BreakEdges = &BreakEdges{0.2} }},
		{"width of edges", `{"breakEdges":{"width":0.3}}`, func(c *CutConfig) { c.BreakEdges = &BreakEdges{0.3} }},
		{"null of an optional member", `{"scallopHeight":null,"machine":{"loadSeconds":null,"axes":null},"breakEdges":null}`, func(*CutConfig) {}},
	} {
		want := BuiltInCutConfig()
		want.ID, want.Name = "7", "x"
		c.change(&want)
		ch := ReadPatch([]byte(strings.Replace(c.document, "{", `{"name":"x",`, 1)))
		if c.document == `{}` {
			ch = ReadPatch([]byte(`{"name":"x"}`))
		}
		got, err := ch.Make("7")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, want)
		}
	}
}

// own is a cut config that differs from the built-in one in all that is set back by null.
func own() CutConfig {
	c := BuiltInCutConfig()
	c.Material.Density, c.Material.ForceExponent, c.Material.PricePerKgCents = 3, 0.3, 5
	c.Material.Yield, c.Material.Modulus = 9, 9
	c.Stock.Grip, c.Stock.Under = 9, 9
	c.Workholding = Workholding{
		Kind: WorkholdingVise, JawHeight: 20, JawWidth: 100, Bite: 5, Opening: 9, OuterOpening: 9, Force: 9,
	}
	a := Axis{1, 2, 3, 4}
	c.Machine.Axes, c.Machine.LoadSeconds, c.Machine.BlockMs = &Axes{a, a, a}, 9, 9
	c.ProgrammingSeconds, c.ScallopHeight, c.EngagementDeg, c.TapInferredThreads = 9, 1, ptr(60.0), true
	return c
}

func TestApply(t *testing.T) {
	const axis = `{"maxFeed":9,"rapidFeed":9,"acceleration":9,"jerk":9}`
	for _, c := range []struct {
		name, document string
		read           func([]byte) Change
		change         func(*CutConfig)
	}{
		{"nothing", `{}`, ReadPatch, func(*CutConfig) {}},
		{"deep", `{"machine":{"axes":{"y":{"jerk":5}}}}`, ReadPatch, func(c *CutConfig) { c.Machine.Axes.Y.Jerk = 5 }},
		{"the others stay", `{"material":{"isoGroup":"P"},"workholding":{"jawHeight":10}}`, ReadPatch, func(c *CutConfig) {
			c.Material.ISOGroup, c.Workholding.JawHeight = GroupP, 10
		}},
		{"list is replaced", `{"toolLibraryIds":[]}`, ReadPatch, func(c *CutConfig) { c.ToolLibraryIDs = []string{} }},
		{"null", `{"engagementDeg":null,"programmingSeconds":null,"scallopHeight":null,"tapInferredThreads":null,` +
			`"machine":{"axes":null,"loadSeconds":null,"blockMs":null},"workholding":{"jawWidth":null,"bite":null,` +
			`"opening":null,"outerOpening":null,"force":null},"stock":{"grip":null,"under":null},` +
			`"material":{"density":null,"forceExponent":null,"pricePerKgCents":null,"yield":null,"modulus":null}}`, ReadPatch, func(c *CutConfig) {
			c.ProgrammingSeconds, c.ScallopHeight, c.EngagementDeg, c.TapInferredThreads = 0, DefaultScallopHeight, nil, false
			c.Machine.Axes, c.Machine.LoadSeconds, c.Machine.BlockMs = nil, 60, 1
			c.Workholding.JawWidth, c.Workholding.Bite = DefaultJawWidth, DefaultGripDepth
			c.Workholding.Opening, c.Workholding.OuterOpening = DefaultOpening, DefaultOuterOpening
			c.Workholding.Force = DefaultClampForce
			c.Stock.Grip, c.Stock.Under = DefaultGrip, DefaultUnder
			c.Material.Yield, c.Material.Modulus = 276, 69_000
			c.Material.Density, c.Material.ForceExponent, c.Material.PricePerKgCents = 2.7, DefaultForceExponent, 0
		}},
		{"whole member", `{"material":{"name":"y","isoGroup":"P","specificCuttingForce":9},"engagementDeg":null}`, ReadMembers,
			func(c *CutConfig) {
				c.Material = Material{
					Name: "y", ISOGroup: GroupP, SpecificCuttingForce: 9, ForceExponent: 0.25, Density: 7.85, Yield: 350,
					Modulus: 210_000,
				}
				c.EngagementDeg = nil
			}},
		{"whole axes", `{"workholding":{"kind":"none","jawHeight":0,"bite":null}}`, ReadMembers, func(c *CutConfig) {
			c.Workholding = Workholding{
				Kind: WorkholdingNone, JawWidth: DefaultJawWidth, Opening: DefaultOpening,
				OuterOpening: DefaultOuterOpening, Force: DefaultClampForce,
			}
		}},
		{"new axes", `{"machine":{"axes":{"x":` + axis + `,"y":` + axis + `,"z":` + axis + `}}}`, ReadPatch, func(c *CutConfig) {
			a := Axis{9, 9, 9, 9}
			c.Machine.Axes = &Axes{a, a, a}
		}},
	} {
		want := own()
		c.change(&want)
		before := own()
		ch := c.read([]byte(c.document))
		got, err := ch.Apply(before)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, want)
		}
		if !reflect.DeepEqual(before, own()) {
			t.Errorf("%s: it changes what it is applied to", c.name)
		}
	}
}

// All errors are reported at once.
func TestApplyFindings(t *testing.T) {
	const machine = `{"name":"m","axisCount":3,"travel":{"x":1,"y":1,"z":1},"maxSpindleRpm":1,"spindlePowerKw":1,` +
		`"maxFeed":1,"rapidFeed":1,"acceleration":1,"jerk":1`
	for _, c := range []struct {
		name, document string
		read           func([]byte) Change
		want           []string
	}{
		{"words", `{"post":"Linuxcnc","material":{"isoGroup":"Q"},"stock":{"kind":"nearnet"},"workholding":{"kind":"vice"},` +
			`"tolerances":{"class":"fine"},"hourlyRateCents":-1}`, ReadPatch, []string{
			`material.isoGroup must be one of P, M, K, N, S, H, not "Q".`,
			`stock.kind must be one of box, cylinder, nearNet, not "nearnet"; is nearNet meant?`,
			`workholding.kind must be one of vise, fixture, none, not "vice"; is vise meant?`,
			`post must be one of fanuc, grbl, haas, heidenhain, linuxcnc, siemens, not "Linuxcnc"; is linuxcnc meant?`,
			`tolerances.class must be one of f, m, c, v, not "fine".`,
			"hourlyRateCents must lie between 0 and 100000000 US cents/h, not -1.",
		}},
		{"unknown members", `{"machin":{},"machine":{"axiscount":4},"stock":{"allowance":{"w":1}}}`, ReadPatch, []string{
			"machine.axiscount is not a field of a cut config; is axisCount meant?",
			"stock.allowance.w is not a field of a cut config; known: x, y, z.",
			"machin is not a field of a cut config; is machine meant?",
		}},
		{"types", `{"name":7,"isDefault":"no","hourlyRateCents":1.5,"chordTolerance":1e999,"toolLibraryIds":[1,null],` +
			`"machine":[],"stock":{"allowance":{"x":"1"}}}`, ReadPatch, []string{
			"name must be a text.", "isDefault must be true or false.", "machine must be a JSON object.",
			"stock.allowance.x must be a number.", "toolLibraryIds[0] must be a text.", "toolLibraryIds[1] must be a text.",
			"hourlyRateCents must be a whole number.", "chordTolerance must be a number.",
		}},
		{"null of what must be there", `{"name":null,"machine":{"travel":{"x":null},"maxFeed":null}}`, ReadPatch, []string{
			"name must be there and cannot be null.", "machine.travel.x must be there and cannot be null.",
			"machine.maxFeed must be there and cannot be null.",
		}},
		{"whole member with a gap", `{"machine":` + machine + `},"stock":{"kind":"box"}}`, ReadMembers, []string{
			"machine.toolChangeSeconds is missing.", "stock.allowance is missing.",
		}},
		{"axes with a gap", `{"machine":` + machine + `,"toolChangeSeconds":1,"axes":{"x":null}}}`, ReadMembers, []string{
			"machine.axes.x must be there and cannot be null.", "machine.axes.y is missing.", "machine.axes.z is missing.",
		}},
		{"no object", `[]`, ReadPatch, []string{"The body must be a JSON object."}},
		{"null", `null`, ReadMembers, []string{"The body must be a JSON object."}},
		{"no JSON", `{"name":`, ReadPatch, []string{"The body is not valid JSON."}},
		{"two", `{} {}`, ReadPatch, []string{"The body is not valid JSON."}},
	} {
		c0 := BuiltInCutConfig()
		ch := c.read([]byte(c.document))
		_, err := ch.Apply(c0)
		var invalid *ValidationError
		if errors.As(err, &invalid) {
			got := invalid.Sentences()
			if slices.Equal(got[:min(len(c.want), len(got))], c.want) {
				continue
			}
		}
		t.Errorf("%s: %q\nwant %q", c.name, err, c.want)
	}
}

// A stored cut config with a word that is no longer valid is read; the error is reported when it changes.
func TestStoredCutConfigWithUnknownPost(t *testing.T) {
	c, err := ReadCutConfig([]byte(`{"name":"old","post":"mach3","stock":{"kind":"bar"}}`))
	if err != nil || c.Post != "mach3" || c.Stock.Kind != "bar" {
		t.Fatalf("ReadCutConfig = %+v, %v", c, err)
	}
	old := BuiltInCutConfig()
	old.Post = "mach3"
	other, mended := ReadPatch([]byte(`{"name":"x"}`)), ReadPatch([]byte(`{"post":"grbl"}`))
	if _, err := other.Apply(old); err == nil || !strings.Contains(err.Error(), "post must be one of") {
		t.Errorf("a change of something else: %v", err)
	}
	if got, err := mended.Apply(old); err != nil || got.Post != "grbl" {
		t.Errorf("a change of the post: %v, %v", got.Post, err)
	}
}
