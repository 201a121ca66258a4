package machining

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestCutConfigFindings(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*CutConfig)
		want   string
	}{
		{"no name", func(c *CutConfig) { c.Name = "" }, "name is missing."},
		{"axes", func(c *CutConfig) { c.Machine.AxisCount = 6 }, "machine.axisCount must lie between 3 and 5, not 6."},
		{"travel", func(c *CutConfig) { c.Machine.Travel.Y = 0 }, "machine.travel.y must be more than 0"},
		{"nameless machine", func(c *CutConfig) { c.Machine.Name = "" }, "machine.name is missing."},
		{"spindle", func(c *CutConfig) { c.Machine.MaxSpindleRPM = math.NaN() }, "machine.maxSpindleRpm must be"},
		{"power", func(c *CutConfig) { c.Machine.SpindlePowerKW = -1 }, "machine.spindlePowerKw must be"},
		{"rapid below feed", func(c *CutConfig) { c.Machine.RapidFeed = 100 },
			"machine.rapidFeed 100 mm/min is less than machine.maxFeed of 12000 mm/min."},
		{"acceleration", func(c *CutConfig) { c.Machine.Acceleration = 0 },
			"machine.acceleration must be more than 0"},
		{"jerk", func(c *CutConfig) { c.Machine.Jerk = math.Inf(1) }, "machine.jerk must be more than 0"},
		{"tool change", func(c *CutConfig) { c.Machine.ToolChangeSeconds = -1 },
			"machine.toolChangeSeconds must lie"},
		{"slow axis", func(c *CutConfig) {
			a := Axis{100, 50, 1, 1}
			c.Machine.Axes = &Axes{c.Machine.AxisLimits().X, a, c.Machine.AxisLimits().Z}
		}, "machine.axes.y.rapidFeed 50 mm/min is less than machine.axes.y.maxFeed of 100 mm/min."},
		{"corner", func(c *CutConfig) { c.Machine.CornerTolerance = -1 }, "machine.cornerTolerance must lie"},
		{"block", func(c *CutConfig) { c.Machine.BlockMs = 1e9 }, "machine.blockMs must lie"},
		{"ramp", func(c *CutConfig) { c.Machine.SpindleRampSeconds = -1 }, "machine.spindleRampSeconds must lie"},
		{"setup", func(c *CutConfig) { c.Machine.SetupSeconds = -1 }, "machine.setupSeconds must lie"},
		{"load", func(c *CutConfig) { c.Machine.LoadSeconds = math.NaN() }, "machine.loadSeconds must lie"},
		{"exponent", func(c *CutConfig) { c.Material.ForceExponent = 1 }, "material.forceExponent must lie"},
		{"density", func(c *CutConfig) { c.Material.Density = 0 }, "material.density must be more than 0"},
		{"price", func(c *CutConfig) { c.Material.PricePerKgCents = -1 }, "material.pricePerKgCents must lie"},
		{"bite beyond the jaws", func(c *CutConfig) { c.Workholding.JawHeight, c.Workholding.Bite = 5, 6 },
			"workholding.bite 6 mm is more than workholding.jawHeight of 5 mm."},
		{"jaws", func(c *CutConfig) { c.Workholding.JawWidth = -1 }, "workholding.jawWidth must lie"},
		{"programming", func(c *CutConfig) { c.ProgrammingSeconds = -1 }, "programmingSeconds must lie"},
		{"scallop", func(c *CutConfig) { c.ScallopHeight = 0 }, "scallopHeight must be more than 0"},
		{"engagement", func(c *CutConfig) { c.EngagementDeg = ptr(181.0) }, "engagementDeg must lie between 5 and 180°"},
		{"edges", func(c *CutConfig) { c.BreakEdges = &BreakEdges{2.5} },
			"breakEdges.width must lie between 0 and 2 mm"},
		{"group", func(c *CutConfig) { c.Material.ISOGroup = "n" },
			"material.isoGroup must be one of P, M, K, N, S, H, not \"n\"; is N meant?"},
		{"force", func(c *CutConfig) { c.Material.SpecificCuttingForce = 0 },
			"material.specificCuttingForce must be"},
		{"stock", func(c *CutConfig) { c.Stock.Kind = "sphere" },
			"stock.kind must be one of box, cylinder, nearNet, not \"sphere\"."},
		{"allowance", func(c *CutConfig) { c.Stock.Allowance.Z = -1 },
			"stock.allowance.z must lie between 0 and 1000 mm"},
		{"grip", func(c *CutConfig) { c.Stock.Grip = -1 }, "stock.grip must lie between 0 and 200 mm"},
		{"under", func(c *CutConfig) { c.Stock.Under = 101 }, "stock.under must lie between 0 and 100 mm"},
		{"opening", func(c *CutConfig) { c.Workholding.Opening = 0 }, "workholding.opening must be"},
		{"clamping force", func(c *CutConfig) { c.Workholding.Force = 0 }, "workholding.force must be"},
		{"yield", func(c *CutConfig) { c.Material.Yield = 0 }, "material.yield must be"},
		{"modulus", func(c *CutConfig) { c.Material.Modulus = 0 }, "material.modulus must be"},
		{"oval bar", func(c *CutConfig) { c.Stock.Kind, c.Stock.Allowance = StockCylinder, Extent{1, 2, 3} },
			"must be equal."},
		{"hold", func(c *CutConfig) { c.Workholding.Kind = "magnet" },
			"workholding.kind must be one of vise, fixture, none, not \"magnet\"."},
		{"jaws of nothing", func(c *CutConfig) { c.Workholding.Kind = WorkholdingNone }, "jawHeight must be 0"},
		{"library twice", func(c *CutConfig) { c.ToolLibraryIDs = []string{"a", "b", "a"} },
			"toolLibraryIds[2] is named twice."},
		{"post", func(c *CutConfig) { c.Post = "linuxnc" },
			"post must be one of fanuc, grbl, haas, heidenhain, linuxcnc, siemens, not \"linuxnc\"; is linuxcnc meant?"},
		{"no post", func(c *CutConfig) { c.Post = "" }, "post must be one of"},
		{"class", func(c *CutConfig) { c.Tolerances.Class = "x" }, "tolerances.class must be one of f, m, c, v, not \"x\"."},
		{"profile", func(c *CutConfig) { c.Tolerances.Profile = 0 }, "tolerances.profile must be more than 0"},
		{"rate", func(c *CutConfig) { c.HourlyRateCents = -1 }, "hourlyRateCents must lie between 0 and"},
		{"chord", func(c *CutConfig) { c.ChordTolerance = 11 },
			"chordTolerance must be more than 0 and at most 10 mm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := BuiltInCutConfig()
			c.change(&config)
			var got *ValidationError
			if err := config.Validate(); !errors.As(err, &got) {
				t.Fatalf("Validate = %v, want %q", err, c.want)
			}
			if len(got.Sentences()) != 1 || !strings.Contains(got.Sentences()[0], c.want) {
				t.Errorf("Validate = %q, want one sentence with %q", got.Sentences(), c.want)
			}
		})
	}
}

// TestCutConfigJSON fixes the names that clients read.
func TestCutConfigJSON(t *testing.T) {
	data, err := json.Marshal(BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"00000000-0000-8000-8000-000000000001","name":"Aluminium 6061, 3-axis mill","isDefault":false,` +
		`"machine":{"name":"Vertical mill, 760 × 400 × 500 mm","axisCount":3,"travel":{"x":760,"y":400,"z":500},` +
		`"maxSpindleRpm":12000,"spindlePowerKw":15,"maxFeed":12000,"rapidFeed":25000,"acceleration":4000,` +
		`"jerk":50000,"toolChangeSeconds":6,"spindleRampSeconds":2,"axes":null,"cornerTolerance":0.01,"blockMs":1,` +
		`"setupSeconds":1800,"loadSeconds":60},"material":{"name":"Aluminium 6061-T6","isoGroup":"N",` +
		`"specificCuttingForce":700,"forceExponent":0.25,"density":2.7,"pricePerKgCents":700,"yield":276,"modulus":69000},` +
		`"stock":{"kind":"box","allowance":{"x":2,"y":2,"z":2},"grip":6,"under":1,"size":null},` +
		`"workholding":{"kind":"vise","jawHeight":44,"jawWidth":150,"bite":3,"opening":220,"outerOpening":430,"force":20000},` +
		`"toolLibraryIds":["00000000-0000-8000-8000-000000000002"],` +
		`"post":"linuxcnc","tolerances":{"class":"m","profile":0.1},"hourlyRateCents":9000,"chordTolerance":0.01,` +
		`"programmingSeconds":0,"scallopHeight":0.01,"engagementDeg":null,"tapInferredThreads":false,"breakEdges":null}`
	if string(data) != want {
		t.Errorf("JSON %s\nwant %s", data, want)
	}
}

// TestOldCutConfigsAreRead: rows stored before the later fields get their defaults, and stated values, 0 included,
// are kept.
func TestOldCutConfigsAreRead(t *testing.T) {
	const before = `{"name":"Steel","machine":{"name":"mill","axisCount":3,"travel":{"x":1,"y":2,"z":3},` +
		`"maxSpindleRpm":9000,"spindlePowerKw":5,"maxFeed":5000,"rapidFeed":9000,"acceleration":1,"jerk":2,` +
		`"toolChangeSeconds":6},"material":{"name":"C45","isoGroup":"P","specificCuttingForce":1700},` +
		`"stock":{"kind":"box","allowance":{"x":2,"y":2,"z":2}},"workholding":{"kind":"vise","jawHeight":2},` +
		`"post":"linuxcnc","tolerances":{"class":"m","profile":0.1},"hourlyRateCents":9000,"chordTolerance":0.01}`
	c, err := ReadCutConfig([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	machine, material, hold := DefaultMachine(), c.Material, c.Workholding
	if c.Machine.BlockMs != machine.BlockMs || c.Machine.SetupSeconds != machine.SetupSeconds || c.Machine.Axes != nil ||
		c.Machine.MaxFeed != 5000 || c.Machine.AxisLimits().Y != (Axis{5000, 9000, 1, 2}) {
		t.Errorf("machine %+v", c.Machine)
	}
	if hold.Opening != DefaultOpening || hold.Force != DefaultClampForce || c.Stock.Grip != DefaultGrip ||
		c.Stock.Under != DefaultUnder || material.Yield != 350 || material.Modulus != 210_000 {
		t.Errorf("stock %+v, material %+v, workholding %+v", c.Stock, material, hold)
	}
	if material.ForceExponent != DefaultForceExponent || material.Density != 7.85 || material.PricePerKgCents != 0 ||
		hold.JawWidth != DefaultJawWidth || hold.Bite != 2 || c.ScallopHeight != DefaultScallopHeight {
		t.Errorf("material %+v, workholding %+v, scallop %g mm", material, hold, c.ScallopHeight)
	}
	c, err = ReadCutConfig([]byte(strings.NewReplacer(`"toolChangeSeconds":6`, `"blockMs":0,"loadSeconds":0,`+
		`"axes":{"x":{"maxFeed":1,"rapidFeed":1e9,"acceleration":0.5,"jerk":9},"y":{},"z":{}}`,
		`"jawHeight":2`, `"jawHeight":2,"bite":0`, `1700`, `1700,"density":7.7,"forceExponent":0`).Replace(before)))
	if err != nil || c.Machine.BlockMs != 0 || c.Machine.LoadSeconds != 0 || c.Workholding.Bite != 0 ||
		c.Material.Density != 7.7 || c.Material.ForceExponent != 0 ||
		c.Machine.AxisLimits().X != (Axis{1, 9000, 0.5, 2}) {
		t.Errorf("said figures: %+v, %v", c, err)
	}
	data, err := json.Marshal(c)
	if again, _ := ReadCutConfig(data); err != nil || !reflect.DeepEqual(again, c) {
		t.Errorf("read back %+v, %v\nwant %+v", again, err, c)
	}
	for _, broken := range []string{`{"machine":3}`, `{"material":[]}`, `{"workholding":""}`} {
		if _, err := ReadCutConfig([]byte(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}
