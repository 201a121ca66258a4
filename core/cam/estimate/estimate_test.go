package estimate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// drawn is a part with features of every kind.
func drawn(t *rapid.T) *Part {
	length := func(most float64) *rapid.Generator[float64] { return rapid.Float64Range(0.5, most) }
	size := geom.Vec3{X: length(300).Draw(t, "x"), Y: length(200).Draw(t, "y"), Z: length(90).Draw(t, "z")}
	box := size.X * size.Y * size.Z
	p := &Part{
		Size: size, Volume: rapid.Float64Range(0.1, 1).Draw(t, "full") * box,
		Area: 2 * (size.X*size.Y + size.Y*size.Z + size.Z*size.X), Setups: rapid.IntRange(0, 6).Draw(t, "setups"),
	}
	radius := length(15).Draw(t, "radius")
	small := &radius
	if rapid.Bool().Draw(t, "sharp") {
		small = nil
	}
	deep, wide := length(60).Draw(t, "deep"), length(60).Draw(t, "wide")
	kinds := []feature.Facts{
		&feature.HoleFacts{
			Diameter: length(40).Draw(t, "bore"), Depth: deep, Counterbore: &feature.BoreFacts{Diameter: wide + 40, Depth: 3},
			Countersink: &feature.SinkFacts{Depth: 2}, Thread: &feature.ThreadFacts{Pitch: 1, Depth: 8, Source: feature.ThreadFromPMI},
		},
		&feature.PocketFacts{Volume: wide * wide * deep, MaxClearingDiameter: wide, Depth: deep, MinCornerRadius: small},
		&feature.BossFacts{Height: deep, MinConcaveRadius: small}, &feature.WallFacts{Height: deep, MinConcaveRadius: small},
		&feature.FaceFacts{}, &feature.SurfaceFacts{Area: wide * deep, MaxBallDiameter: small},
		&feature.ChamferFacts{Length: wide}, &feature.ProfileFacts{Height: deep, MinConcaveRadius: small},
		&feature.DovetailFacts{}, &feature.TslotFacts{},
	}
	for i := range rapid.IntRange(0, len(kinds)).Draw(t, "features") {
		p.Sheets = append(p.Sheets, &feature.Datasheet{
			ZMax: deep, WallishArea: deep * wide, FloorishArea: wide * wide, Facts: kinds[i],
		})
		p.Unmeasured = append(p.Unmeasured, Unmeasured{Area: wide * wide})
	}
	return p
}

func must(t rapid.TB, p *Part, c *machining.CutConfig, n int) Estimate {
	e, err := Fast(p, machining.BuiltInTools(), c, n)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// checkSums checks the invariants of all estimates.
func checkSums(t *rapid.T, e *Estimate) {
	if got := e.Breakdown.sum(); got != e.CostCents {
		t.Fatalf("the items are %d cents, the whole %d", got, e.CostCents)
	}
	if e.Low.CostCents > e.CostCents || e.CostCents > e.High.CostCents ||
		e.Low.TimeSeconds > e.TimeSeconds || e.TimeSeconds > e.High.TimeSeconds {
		t.Fatalf("%+v is not between %+v and %+v", e.PartCost, e.Low, e.High)
	}
	if e.TimeSeconds < 0 || e.CostCents < 0 || len(e.Assumptions) == 0 {
		t.Fatalf("%+v", e)
	}
}

func TestFastGrowsWithEveryLimit(t *testing.T) {
	for name, change := range map[string]func(c *machining.CutConfig, by float64){
		"maxFeed":            func(c *machining.CutConfig, by float64) { c.Machine.MaxFeed *= by },
		"maxSpindleRpm":      func(c *machining.CutConfig, by float64) { c.Machine.MaxSpindleRPM *= by },
		"acceleration":       func(c *machining.CutConfig, by float64) { c.Machine.Acceleration *= by },
		"rapidFeed":          func(c *machining.CutConfig, by float64) { c.Machine.RapidFeed *= by },
		"spindlePowerKw":     func(c *machining.CutConfig, by float64) { c.Machine.SpindlePowerKW *= by },
		"toolChangeSeconds":  func(c *machining.CutConfig, by float64) { c.Machine.ToolChangeSeconds /= by },
		"setupSeconds":       func(c *machining.CutConfig, by float64) { c.Machine.SetupSeconds /= by },
		"loadSeconds":        func(c *machining.CutConfig, by float64) { c.Machine.LoadSeconds /= by },
		"programmingSeconds": func(c *machining.CutConfig, by float64) { c.ProgrammingSeconds = 600 / by },
		"spindleRampSeconds": func(c *machining.CutConfig, by float64) { c.Machine.SpindleRampSeconds /= by },
		"hourlyRateCents":    func(c *machining.CutConfig, by float64) { c.HourlyRateCents = int(9000 / by) },
		"pricePerKgCents":    func(c *machining.CutConfig, by float64) { c.Material.PricePerKgCents /= by },
		"scallopHeight":      func(c *machining.CutConfig, by float64) { c.ScallopHeight *= by },
		"allowance":          func(c *machining.CutConfig, by float64) { c.Stock.Allowance.Z /= by },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, n := drawn(t), rapid.IntRange(1, 500).Draw(t, "quantity")
				slow, quick := machining.BuiltInCutConfig(), machining.BuiltInCutConfig()
				by := rapid.Float64Range(0.1, 1).Draw(t, "by")
				change(&slow, by)
				change(&quick, rapid.Float64Range(by, 4).Draw(t, "more"))
				a, b := must(t, p, &slow, n), must(t, p, &quick, n)
				checkSums(t, &a)
				if b.TimeSeconds > a.TimeSeconds || b.CostCents > a.CostCents {
					t.Fatalf("the better takes %+v, the worse %+v", b.PartCost, a.PartCost)
				}
			})
		})
	}
}

// Before measurement, the cost of a hole follows from recognition, and the cost of a face from its area.
func TestUnmeasuredFeaturesAreCharged(t *testing.T) {
	c := machining.BuiltInCutConfig()
	price := func(sheets []*feature.Datasheet, unmeasured ...Unmeasured) Estimate {
		e, err := Fast(&Part{
			Size: geom.Vec3{X: 100, Y: 80, Z: 20}, Volume: 1.2e5, Area: 3e4, Setups: 1, Sheets: sheets, Unmeasured: unmeasured,
		}, machining.BuiltInTools(), &c, 1)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	hole := &feature.HoleFacts{Diameter: 6, Depth: 20}
	measured, unmeasured := price([]*feature.Datasheet{{Facts: hole}}), price(nil, Unmeasured{Hole: hole})
	if measured.PartCost != unmeasured.PartCost {
		t.Errorf("a hole is %+v with a datasheet, %+v without", measured.PartCost, unmeasured.PartCost)
	}
	none, face := price(nil), price(nil, Unmeasured{Area: 8000})
	if face.CostCents <= none.CostCents {
		t.Errorf("a face of 80 cm² costs nothing: %d cents with and %d without it", face.CostCents, none.CostCents)
	}
	if !strings.Contains(strings.Join(face.Assumptions, " "), "1 feature is not measured, and estimated from") {
		t.Errorf("assumptions %q", face.Assumptions)
	}
}

// The times of a plan take precedence over features, where it has them.
func TestEstimateUsesThePlan(t *testing.T) {
	c := machining.BuiltInCutConfig()
	part := &Part{Size: geom.Vec3{X: 100, Y: 80, Z: 20}, Volume: 1.2e5, Area: 3e4, Setups: 1}
	guess := must(t, part, &c, 1)
	part.Plan = &planning.Plan{Stock: geom.Box{Max: geom.Vec3{X: 100, Y: 80, Z: 20}}, Tools: make([]planning.Tool, 2)}
	for _, tools := range [][]int{{0, 1, 0}, {0}, {1, 1}} {
		var s planning.Setup
		for _, tool := range tools {
			s.Operations = append(s.Operations, planning.Operation{Tool: tool})
		}
		part.Plan.Setups = append(part.Plan.Setups, s)
	}
	if old := must(t, part, &c, 1); old.PartCost != guess.PartCost {
		t.Errorf("a plan without times changes %+v to %+v", guess.PartCost, old.PartCost)
	}
	for i := range part.Plan.Setups {
		for k := range part.Plan.Setups[i].Operations {
			part.Plan.Setups[i].Operations[k].Expected = 50
		}
	}
	part.Plan.Setups[1].Clamping.Making = planning.Making{Seconds: 600, Cents: 3000}
	got := must(t, part, &c, 1)
	const changes, operations = 4, 6
	m := &c.Machine
	want := work{
		machining: 50*operations + changes*m.SpindleRampSeconds, toolChange: changes * m.ToolChangeSeconds,
		load: 3 * m.LoadSeconds, setup: 3*m.SetupSeconds + 600, programming: c.ProgrammingSeconds, devices: 3000,
		material: stock{volume: 160_000}.cents(&c.Material),
	}
	if _, items := want.bill(&c, 1); got.Breakdown != items {
		t.Errorf("got %+v, want %+v", got.Breakdown, items)
	}
	if text := strings.Join(got.Assumptions, " "); !strings.Contains(text, "3 setups") ||
		!strings.Contains(text, "There are no paths yet") {
		t.Errorf("assumptions %q", text)
	}
}

// The tool that clears a pocket with a sharp corner is chosen by the width between its walls.
func TestSharpCornersDoNotSelectRoughingTool(t *testing.T) {
	c := machining.BuiltInCutConfig()
	price := func(clearing float64) Estimate {
		e, err := Fast(&Part{
			Size: geom.Vec3{X: 100, Y: 80, Z: 20}, Volume: 1.2e5, Area: 3e4, Setups: 1, Sheets: []*feature.Datasheet{{Facts: &feature.PocketFacts{
				Volume: 9000, Depth: 8, NarrowestWidth: 25, MaxClearingDiameter: clearing,
			}}},
		}, machining.BuiltInTools(), &c, 1)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if sharp, round := price(0), price(25); sharp.PartCost != round.PartCost {
		t.Errorf("with a sharp corner %+v, without %+v", sharp.PartCost, round.PartCost)
	}
}

func TestLargerBatchesCostNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, c := drawn(t), machining.LargeCutConfig()
		c.ProgrammingSeconds = 3600
		n := rapid.IntRange(1, 1000).Draw(t, "quantity")
		few, many := must(t, p, &c, n), must(t, p, &c, n+rapid.IntRange(0, 9000).Draw(t, "more"))
		if many.CostCents > few.CostCents || many.TimeSeconds > few.TimeSeconds {
			t.Fatalf("%d cost %+v, %d cost %+v each", few.Quantity, few.PartCost, many.Quantity, many.PartCost)
		}
	})
}

func TestRefined(t *testing.T) {
	p, set := program([]int32{0, 1}, []int32{2})
	p.Account = completeness.New(completeness.Found, []completeness.Entry{{
		Feature: 1, Volume: 60, Height: 1, Reason: completeness.OutOfReach,
	}}, 1000, 100)
	rapid.Check(t, func(t *rapid.T) {
		c := machining.BuiltInCutConfig()
		c.Machine.Acceleration *= rapid.Float64Range(0.05, 2).Draw(t, "acceleration")
		times, err := MachiningTimes(p, set, &c.Machine)
		if err != nil {
			t.Fatal(err)
		}
		p.Stock = geom.BoxOf(geom.Vec3{}, geom.Vec3{X: rapid.Float64Range(0, 200).Draw(t, "x"), Y: 300, Z: 150})
		n := rapid.IntRange(1, 100).Draw(t, "quantity")
		e := Refined(&times, p, &c, n)
		checkSums(t, &e)
		more := Refined(&times, p, &c, n+1)
		if more.CostCents > e.CostCents {
			t.Fatalf("one part more costs %d cents each instead of %d", more.CostCents, e.CostCents)
		}
		quick := c
		quick.Machine.Acceleration *= 2
		faster, err := MachiningTimes(p, set, &quick.Machine)
		if err != nil {
			t.Fatal(err)
		}
		if got := Refined(&faster, p, &quick, n); got.TimeSeconds > e.TimeSeconds {
			t.Fatalf("twice the acceleration takes %d s instead of %d", got.TimeSeconds, e.TimeSeconds)
		}
		if !strings.Contains(strings.Join(e.Assumptions, " "), "The price does not contain the remaining work. INCOMPLETE: 94 %") {
			t.Fatalf("assumptions %q", e.Assumptions)
		}
	})
}

func TestRefinedOfOnePartByHand(t *testing.T) {
	c := machining.BuiltInCutConfig()
	times := Times{Total: 1200, Low: 1150, High: 1500, Cutting: 900, Rapid: 120, Spindle: 20, ToolChange: 40, Load: 120, Setup: 3600}
	got := Refined(&times, &planning.Plan{Stock: geom.BoxOf(geom.Vec3{X: -50}, geom.Vec3{X: 50, Y: 100, Z: 100})}, &c, 10)
	want := Estimate{
		Quality: FromMotion, Quantity: 10, PartCost: PartCost{1560, 3900 + 1890},
		Low: PartCost{936 + 160 + 360, 1890 + 900 + 100 + 300 + 2340}, High: PartCost{1340 + 160 + 360, 1890 + 900 + 100 + 300 + 3350},
		Breakdown: Breakdown{MaterialCents: 1890, SetupCents: 900, MachiningCents: 2600, ToolChangeCents: 100, HandlingCents: 300},
	}
	if got.PartCost != want.PartCost || got.Low != want.Low || got.High != want.High || got.Breakdown != want.Breakdown {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Stock other than a block is planned as one, but not bought as one.
func TestStockOfBarsAndCastings(t *testing.T) {
	c := machining.BuiltInCutConfig()
	c.Stock.Allowance = machining.Extent{X: 1, Y: 1, Z: 2}
	part := &Part{Size: geom.Vec3{X: 60, Y: 80, Z: 46}, Volume: 2e5, Area: 3e4, Setups: 1}
	for _, k := range []struct {
		kind           machining.StockKind
		box            geom.Vec3 // of the plan
		fast, refined  float64   // mm³
		before, proven string
	}{
		{machining.StockBox, geom.Vec3{X: 62, Y: 82, Z: 50}, 62 * 82 * 50, 62 * 82 * 50, "The stock is", "The stock is"},
		{machining.StockCylinder, geom.Vec3{X: 102, Y: 50, Z: 102}, math.Pi * 51 * 51 * 50, math.Pi * 51 * 51 * 50,
			"The round bar is", "The round bar is"},
		{machining.StockNearNet, geom.Vec3{X: 62, Y: 82, Z: 50}, 2e5 + 3e4*4/3, 62 * 82 * 50, "The casting is",
			"The block around the casting, as planned, is"},
	} {
		c.Stock.Kind = k.kind
		fast, err := Fast(part, machining.BuiltInTools(), &c, 1)
		if err != nil {
			t.Fatal(err)
		}
		refined := Refined(&Times{}, &planning.Plan{Stock: geom.BoxOf(geom.Vec3{}, k.box)}, &c, 1)
		for _, e := range []struct {
			got    Estimate
			volume float64
			says   string
		}{{fast, k.fast, k.before}, {refined, k.refined, k.proven}} {
			cents := int64(math.Round(e.volume / 1e6 * c.Material.Density * c.Material.PricePerKgCents))
			if e.got.Breakdown.MaterialCents != cents || !strings.Contains(strings.Join(e.got.Assumptions, " "), e.says) {
				t.Errorf("%s, %s: material %d cents, want %d; %q", k.kind, e.got.Quality, e.got.Breakdown.MaterialCents, cents,
					e.got.Assumptions)
			}
		}
	}
}

func TestFastWithoutEndMillFails(t *testing.T) {
	c := machining.BuiltInCutConfig()
	p := &Part{Size: geom.Vec3{X: 10, Y: 10, Z: 10}, Volume: 500}
	if e, err := Fast(p, nil, &c, 1); !errors.Is(err, ErrNoTools) {
		t.Errorf("got %+v, %v", e, err)
	}
}

func BenchmarkFast(b *testing.B) {
	c, p := machining.BuiltInCutConfig(), &Part{Size: geom.Vec3{X: 300, Y: 200, Z: 80}, Volume: 2e6, Setups: 3}
	for range 500 {
		p.Sheets = append(p.Sheets, &feature.Datasheet{
			ZMax: 20, WallishArea: 900, FloorishArea: 800, Facts: &feature.PocketFacts{Volume: 9000, MaxClearingDiameter: 8, Depth: 20},
		}, &feature.Datasheet{ZMax: 20, Facts: &feature.HoleFacts{Diameter: 6.6, Depth: 20}})
	}
	tools := machining.BuiltInTools()
	for b.Loop() {
		if _, err := Fast(p, tools, &c, 1); err != nil {
			b.Fatal(err)
		}
	}
}
