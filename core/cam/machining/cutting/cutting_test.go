package cutting

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

func ptr[T any](v T) *T { return &v }

// mill is a solid end mill of 10 mm with a preset for steel: 100 m/min, 0.05 mm, 10 mm deep, 2.5 mm wide.
func mill() machining.Tool {
	return machining.Tool{
		Kind: machining.FlatEndMill, Diameter: 10, FluteLength: 22, OverallLength: 72, ShankDiameter: 10, BodyLength: 30,
		FluteCount: 4, Presets: []machining.Preset{{MaterialGroup: machining.GroupP, SurfaceSpeed: 100, FeedPerTooth: 0.05,
			AxialDepth: 10, RadialDepth: 2.5}},
	}
}

func steelWork(tool *machining.Tool, purpose Purpose) Request {
	machine := machining.BuiltInCutConfig().Machine
	return Request{Tool: tool, Machine: &machine, Purpose: purpose, Material: machining.Material{
		Name: "C45", ISOGroup: machining.GroupP, SpecificCuttingForce: 1700, ForceExponent: 0.25, Density: 7.85,
	}}
}

// TestEdgesRubWithoutPower: a weak spindle thins the chip of a face mill until it rubs; at a third of its feed it still
// cuts.
func TestEdgesRubWithoutPower(t *testing.T) {
	tool := mill()
	tool.Kind, tool.Diameter, tool.ShankDiameter = machining.FaceMill, 50, 41
	for _, c := range []struct {
		share float64 // of the feed per tooth that the power is for
		rubs  bool
	}{{1, false}, {0.34, false}, {0.32, true}} {
		r := steelWork(&tool, Finish)
		full, err := Resolve(r)
		if err != nil {
			t.Fatal(err)
		}
		if c.share < 1 { // the power grows with the feed to the power 1 - mc
			r.Machine.SpindlePowerKW = full.Power * math.Pow(c.share, 0.75) / usablePower
		}
		d, err := Resolve(r)
		if err != nil || r.Rubs(&d) != c.rubs || math.Abs(d.FeedPerTooth/full.FeedPerTooth-c.share) > 1e-9 {
			t.Errorf("%g of the feed: %g mm a tooth of %g mm, rubs: %t, %v", c.share, d.FeedPerTooth, full.FeedPerTooth,
				r.Rubs(&d), err)
		}
	}
}

func TestResolveTakesThePreset(t *testing.T) {
	tool := mill()
	got, err := Resolve(steelWork(&tool, Rough))
	if err != nil {
		t.Fatal(err)
	}
	rpm := 100 * 1000 / (math.Pi * 10)
	feed := rpm * 4 * 0.05
	for _, c := range []struct {
		name  string
		got   SourcedValue
		value float64
		from  string
	}{
		{"rpm", got.SpindleRPM, rpm, "preset P"},
		{"feed", got.Feed, feed, "preset P"},
		{"plunge", got.PlungeFeed, 0.3 * feed, "of feed"},
		{"ramp", got.RampFeed, feed, "of feed"}, // 25 mm² at the cut, a turn of the helix at most 10 × 1.65
		{"axial", got.Axial, 10, "preset P"},
		{"radial", got.Radial, 2.5, "preset P"},
	} {
		if math.Abs(c.got.Value-c.value) > 1e-9 || c.got.From != c.from || len(c.got.Limits) > 0 {
			t.Errorf("%s: %+v, want %g of %s", c.name, c.got, c.value, c.from)
		}
	}
	// The chip and the power by hand: φ = 60°, h = 360·0.05·2.5/(π·10·60).
	h := 360 * 0.05 * 2.5 / (math.Pi * 10 * 60)
	if want := 10 * 2.5 * feed * 1700 * math.Pow(h, -0.25) / 60e6; math.Abs(got.Power-want) > 1e-12 {
		t.Errorf("power %g kW, want %g", got.Power, want)
	}
	if want := got.Power * 60e3 / (2 * math.Pi * rpm) * 1; math.Abs(got.Torque-want) > 1e-9 {
		t.Errorf("torque %g N·m, want %g", got.Torque, want)
	}
}

// TestResolveLimits: each limit reduces the intended value, and the result meets it exactly.
func TestResolveLimits(t *testing.T) {
	last := func(f SourcedValue) Limit {
		if len(f.Limits) == 0 {
			return ""
		}
		return f.Limits[len(f.Limits)-1]
	}
	for _, c := range []struct {
		name    string
		purpose Purpose
		change  func(*Request)
		figure  func(*CuttingData) SourcedValue
		want    Limit
		met     func(*CuttingData, *Request) float64 // 0 where the limit is met
	}{
		{"spindle", Rough, func(r *Request) { r.Machine.MaxSpindleRPM = 2000 },
			func(d *CuttingData) SourcedValue { return d.SpindleRPM }, LimitedByRPM,
			func(d *CuttingData, _ *Request) float64 { return d.Feed.Value - 2000*4*0.05 }},
		{"tool's speed", Rough, func(r *Request) { r.Tool.MaxRPM = ptr(1000.0) },
			func(d *CuttingData) SourcedValue { return d.Feed }, LimitedByRPM, func(d *CuttingData, _ *Request) float64 { return d.SpindleRPM.Value - 1000 }},
		{"axis", Rough, func(r *Request) {
			r.Machine.Axes = ptr(r.Machine.AxisLimits())
			r.Machine.Axes.Y.MaxFeed = 300
		}, func(d *CuttingData) SourcedValue { return d.Feed }, LimitedByFeed, func(d *CuttingData, _ *Request) float64 { return d.Feed.Value - 300 }},
		{"power, rough", Rough, func(r *Request) { r.Machine.SpindlePowerKW = 0.5 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByPower, func(d *CuttingData, _ *Request) float64 { return d.Power - 0.4 }},
		{"power, finish", Finish, func(r *Request) { r.Machine.SpindlePowerKW = 0.5 },
			func(d *CuttingData) SourcedValue { return d.Feed }, LimitedByPower, func(d *CuttingData, _ *Request) float64 { return d.Power - 0.4 }},
		{"torque", Rough, func(r *Request) { r.Tool.ShankDiameter, r.Tool.BodyLength = 3.2, 22 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByTorque,
			func(d *CuttingData, _ *Request) float64 { return d.Torque - 400*math.Pi*3.2*3.2*3.2/16000 }},
		{"bending, rough", Rough, func(r *Request) { r.Tool.BodyLength = 70 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByDeflection,
			func(d *CuttingData, _ *Request) float64 { return d.Deflection - 0.05 }},
		{"bending, rough, 6 mm", Rough, func(r *Request) {
			r.Tool.Diameter, r.Tool.ShankDiameter, r.Tool.BodyLength = 6, 6, 50
		},
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByDeflection,
			func(d *CuttingData, _ *Request) float64 { return d.Deflection - 0.05 }},
		{"bending, rough, 3 mm", Rough, func(r *Request) { r.Tool.Diameter, r.Tool.ShankDiameter = 3, 3 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByDeflection,
			func(d *CuttingData, _ *Request) float64 { return d.Deflection - 2*0.005*3 }},
		{"bending, chamfer", Chamfering, func(r *Request) { r.Tool.Diameter, r.Tool.ShankDiameter = 3, 3 },
			func(d *CuttingData) SourcedValue { return d.Feed }, LimitedByDeflection,
			func(d *CuttingData, _ *Request) float64 { return d.Deflection - 0.005*3 }},
		{"bending, finish", Finish, func(r *Request) { r.Tolerance = 0.02 },
			func(d *CuttingData) SourcedValue { return d.Feed }, LimitedByDeflection,
			func(d *CuttingData, _ *Request) float64 { return d.Deflection - 0.005 }},
		{"flutes", Rough, func(r *Request) { r.Axial, r.Radial = 40, 0.1 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedByFluteLength, func(d *CuttingData, _ *Request) float64 { return d.Axial.Value - 22 }},
		{"slender", Finish, func(r *Request) { r.Tool.Presets, r.Tool.BodyLength = nil, 60 },
			func(d *CuttingData) SourcedValue { return d.Axial }, LimitedBySlenderness,
			func(d *CuttingData, _ *Request) float64 { return d.Axial.Value - 8*3/6.0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := mill()
			r := steelWork(&tool, c.purpose)
			c.change(&r)
			got, err := Resolve(r)
			if err != nil {
				t.Fatal(err)
			}
			if f := c.figure(&got); last(f) != c.want || math.Abs(c.met(&got, &r)) > 1e-9 {
				t.Errorf("%+v, want it held by %s, misses by %g; %+v", f, c.want, c.met(&got, &r), got)
			}
		})
	}
}

// TestResolveBendsSteelMore: a tool of high-speed steel bends like steel, and its computed speed has a source.
func TestResolveBendsSteelMore(t *testing.T) {
	hard, soft := mill(), mill()
	soft.Material = machining.HSS
	a, errA := Resolve(steelWork(&hard, Finish))
	b, errB := Resolve(steelWork(&soft, Finish))
	if errA != nil || errB != nil || math.Abs(b.Deflection/a.Deflection-carbide/steel) > 1e-9 {
		t.Errorf("deflections %g and %g mm, %v, %v; want a ratio of %g", a.Deflection, b.Deflection, errA, errB, carbide/steel)
	}
	soft.Presets = nil
	b, err := Resolve(steelWork(&soft, Finish))
	if err != nil || b.SpindleRPM.From != "rule of flatEndMill P for hss" {
		t.Errorf("the speed is from %q, %v", b.SpindleRPM.From, err)
	}
}

func TestResolveThinsChipsOfRoughingOnly(t *testing.T) {
	tool := mill()
	for purpose, want := range map[Purpose]float64{
		Rough: 0.05 * 2 / (1 / (2 * math.Sqrt(0.25*0.75))), Finish: 0.05,
	} {
		r := steelWork(&tool, purpose)
		r.Radial = 0.2
		got, err := Resolve(r)
		if err != nil || math.Abs(got.FeedPerTooth-want) > 1e-12 || got.Radial.From != "asked" {
			t.Errorf("%s: %g mm per tooth, %v; want %g", purpose, got.FeedPerTooth, err, want)
		}
	}
}

func TestResolveInHoles(t *testing.T) {
	tap := machining.Tool{Kind: machining.TapRightHand, Diameter: 6, Pitch: ptr(1.0), FluteLength: 15, OverallLength: 80,
		ShankDiameter: 6, BodyLength: 40, FluteCount: 3}
	r := steelWork(&tap, Tapping)
	got, err := Resolve(r)
	if err != nil || got.Feed.Value != got.SpindleRPM.Value || got.SpindleRPM.From != "rule of tapRightHand P" ||
		got.PlungeFeed.Value != got.Feed.Value || got.RampFeed.Value != 0 {
		t.Errorf("tap: %+v, %v", got, err)
	}
	r.Machine.MaxFeed = 100
	if got, err = Resolve(r); err != nil || got.SpindleRPM.Value != 100 || got.Feed.Value != 100 ||
		!slices.Equal(got.Feed.Limits, []Limit{LimitedByFeed}) {
		t.Errorf("tap on a slow axis: %+v, %v; want the spindle to wait", got, err)
	}
	drill := machining.Tool{Kind: machining.Drill, Diameter: 10, TipAngleDeg: ptr(118.0), FluteLength: 80, OverallLength: 130,
		ShankDiameter: 10, BodyLength: 95, FluteCount: 2}
	got, err = Resolve(steelWork(&drill, Drilling))
	h := 0.08 * math.Sin(59*math.Pi/180)
	want := math.Pi * 25 * got.Feed.Value * 1700 * math.Pow(h, -0.25) / 60e6
	if err != nil || math.Abs(got.Power-want) > 1e-9 || got.Deflection != 0 || got.Axial.Value != 10 {
		t.Errorf("drill: %+v, %v; want %g kW", got, err, want)
	}
	pilot := steelWork(&drill, Drilling)
	pilot.Radial = 1
	if bored, err := Resolve(pilot); err != nil || math.Abs(bored.Power/got.Power-36.0/100) > 1e-9 {
		t.Errorf("drill over a pilot hole: %g kW, %v; want 0.36 of %g", bored.Power, err, got.Power)
	}
	hard := steelWork(&drill, Drilling)
	hard.Material.ISOGroup = machining.GroupH
	if _, err := Resolve(hard); err == nil || !strings.Contains(err.Error(), "drill has no cutting data") {
		t.Errorf("drill in hardened steel: %v", err)
	}
}

// TestResolveBuiltInTools keeps all built-in tools within the limits of tools and machines.
func TestResolveBuiltInTools(t *testing.T) {
	purposes := map[machining.ToolKind][]Purpose{
		machining.Drill: {Drilling}, machining.CenterDrill: {Drilling}, machining.SpotDrill: {Drilling},
		machining.Countersink: {Drilling}, machining.Reamer: {Reaming}, machining.TapRightHand: {Tapping},
		machining.ChamferMill: {Chamfering}, machining.ThreadMill: {ThreadMilled},
	}
	force := map[machining.MaterialGroup]float64{"P": 1900, "M": 2300, "K": 1500, "N": 800, "S": 2900, "H": 3500}
	for i, l := range machining.BuiltInToolLibraries() {
		machine := machining.BuiltInCutConfigs()[i].Machine
		for k := range l.Tools {
			tool := &l.Tools[k]
			uses := purposes[tool.Kind]
			if uses == nil {
				uses = []Purpose{Rough, Finish}
			}
			for _, p := range tool.Presets {
				for _, use := range uses {
					d, err := Resolve(Request{Tool: tool, Machine: &machine, Purpose: use, Tolerance: 0.05,
						Material: machining.Material{ISOGroup: p.MaterialGroup, ForceExponent: 0.25,
							SpecificCuttingForce: force[p.MaterialGroup]}})
					if err != nil {
						t.Errorf("%s, %s %s: %v", tool.Name, use, p.MaterialGroup, err)
						continue
					}
					checkData(t, tool.Name+" "+string(use)+" "+string(p.MaterialGroup), tool, &machine, use, &d)
				}
			}
		}
	}
}

func checkData(t *testing.T, name string, tool *machining.Tool, machine *machining.Machine, use Purpose, d *CuttingData) {
	t.Helper()
	const slack = 1 + 1e-9
	for _, v := range []float64{d.SpindleRPM.Value, d.Feed.Value, d.Axial.Value, d.Radial.Value, d.FeedPerTooth, d.Power} {
		if !(v > 0) || math.IsInf(v, 1) {
			t.Errorf("%s: %+v", name, d)
		}
	}
	most := (&state{Request: Request{Tool: tool, Purpose: use, Tolerance: 0.05}}).mostDeflection()
	if d.SpindleRPM.Value > machine.MaxSpindleRPM || d.Feed.Value > machine.MaxFeed ||
		d.Power > 0.8*machine.SpindlePowerKW*slack ||
		use != Tapping && d.Torque > (&state{Request: Request{Tool: tool}}).mostTorque()*slack || d.Deflection > most*slack {
		t.Errorf("%s: beyond its limits: %+v", name, d)
	}
	want := d.FeedPerTooth * float64(tool.FluteCount) * d.SpindleRPM.Value
	if math.Abs(d.Feed.Value-want) > 1e-9*want {
		t.Errorf("%s: feed %g mm/min, %g by teeth and turns", name, d.Feed.Value, want)
	}
}
