package machining

import (
	"encoding/json"
	"errors"
	"math"
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
		{"axes", func(c *CutConfig) { c.Machine.AxisCount = 6 }, "machine.axisCount must be 3, 4 or 5, not 6."},
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
		{"group", func(c *CutConfig) { c.Material.ISOGroup = "n" },
			"material.isoGroup must be one of P, M, K, N, S, H."},
		{"force", func(c *CutConfig) { c.Material.SpecificCuttingForce = 0 },
			"material.specificCuttingForce must be"},
		{"stock", func(c *CutConfig) { c.Stock.Kind = "sphere" },
			"stock.kind must be one of box, cylinder, nearNet."},
		{"allowance", func(c *CutConfig) { c.Stock.Allowance.Z = -1 },
			"stock.allowance.z must lie between 0 and 1000 mm"},
		{"oval bar", func(c *CutConfig) { c.Stock = Stock{StockCylinder, Extent{1, 2, 3}} }, "must be equal."},
		{"hold", func(c *CutConfig) { c.Workholding.Kind = "magnet" },
			"workholding.kind must be one of vise, fixture, none."},
		{"jaws of nothing", func(c *CutConfig) { c.Workholding.Kind = HoldNone }, "jawHeight is 0 when"},
		{"library twice", func(c *CutConfig) { c.ToolLibraryIDs = []string{"a", "b", "a"} },
			"toolLibraryIds[2] is named twice."},
		{"post", func(c *CutConfig) { c.Post = "../x" }, "post is a name of"},
		{"class", func(c *CutConfig) { c.Tolerances.Class = "x" }, "tolerances.class must be one of f, m, c, v."},
		{"profile", func(c *CutConfig) { c.Tolerances.Profile = 0 }, "tolerances.profile must be more than 0"},
		{"rate", func(c *CutConfig) { c.HourlyRateCents = -1 }, "hourlyRateCents must lie between 0 and"},
		{"chord", func(c *CutConfig) { c.ChordTolerance = 11 },
			"chordTolerance must be more than 0 and at most 10 mm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := BuiltInCutConfig()
			c.change(&config)
			var got *Invalid
			if err := config.Validate(); !errors.As(err, &got) {
				t.Fatalf("Validate = %v, want %q", err, c.want)
			}
			if len(got.Sentences) != 1 || !strings.Contains(got.Sentences[0], c.want) {
				t.Errorf("Validate = %q, want one sentence with %q", got.Sentences, c.want)
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
		`"jerk":50000,"toolChangeSeconds":6},"material":{"name":"Aluminium 6061-T6","isoGroup":"N",` +
		`"specificCuttingForce":700},"stock":{"kind":"box","allowance":{"x":2,"y":2,"z":2}},` +
		`"workholding":{"kind":"vise","jawHeight":5},"toolLibraryIds":["00000000-0000-8000-8000-000000000002"],` +
		`"post":"linuxcnc","tolerances":{"class":"m","profile":0.1},"hourlyRateCents":9000,"chordTolerance":0.01}`
	if string(data) != want {
		t.Errorf("JSON %s\nwant %s", data, want)
	}
}
