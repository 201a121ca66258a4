package planning_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/planningtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
)

// made plans and checks what is true of all plans.
func made(t *testing.T, in planning.Input) *planning.Plan {
	t.Helper()
	plan, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if in.Only == nil {
		planningtest.Check(t, plan, in.Run)
	}
	return plan
}

// operations returns those of a strategy.
func operations(p *planning.Plan, s planning.Strategy) (list []planning.Operation) {
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			if o.Strategy == s {
				list = append(list, o)
			}
		}
	}
	return list
}

// TestNoPlan: what cannot be planned at all says why, with the figures.
func TestNoPlan(t *testing.T) {
	for _, c := range []struct {
		name, part string
		change     func(in *planning.Input)
		code       fault.Code
		says       []string
	}{
		{"a small machine", "pockets",
			func(in *planning.Input) { in.Config.Machine.Travel = machining.Extent{X: 100, Y: 80, Z: 60} },
			fault.DoesNotFitMachine,
			[]string{"144 × 94 × 34 mm", "100 × 80 × 60 mm", "with z up it needs 168 × 118 mm"}},
		{"a low machine", "pockets",
			func(in *planning.Input) { in.Config.Machine.Travel = machining.Extent{X: 900, Y: 900, Z: 30} },
			fault.DoesNotFitMachine, []string{"with z up it needs 44 mm of height"}},
		{"no tools", "pockets", func(in *planning.Input) { in.Tools = nil }, fault.NoTools,
			[]string{"None of the 0 tools", "group N"}},
		{"no mills", "pockets", func(in *planning.Input) {
			in.Tools = slices.DeleteFunc(in.Tools, func(x machining.Tool) bool { return x.Kind != machining.Drill })
		}, fault.NoTools, []string{"end mill"}},
		{"a ball without ball end mills", "sphere", func(in *planning.Input) {
			in.Tools = slices.DeleteFunc(in.Tools, func(x machining.Tool) bool { return x.Kind == machining.BallEndMill })
		}, fault.NoSetup, []string{"None of the 1 features"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(t, c.part, machining.BuiltInCutConfig())
			c.change(&in)
			_, err := planning.Make(t.Context(), in)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != c.code {
				t.Fatalf("%v, want %s", err, c.code)
			}
			for _, s := range c.says {
				if !strings.Contains(f.Reason, s) {
					t.Errorf("%q does not say %q", f.Reason, s)
				}
			}
		})
	}
}

// TestAPartIsTurnedToFit: a machine that is deep rather than wide takes the long side of the stock along y.
func TestAPartIsTurnedToFit(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	in.Config.Machine.Travel = machining.Extent{X: 120, Y: 200, Z: 150}
	for _, s := range made(t, in).Setups {
		if size := s.Before.Size(); size.Y < size.X {
			t.Errorf("the stock lies %g × %g mm", size.X, size.Y)
		}
	}
}

// TestWaysOfHolding: jaws where a vise holds, nothing in the way where none does, and a warning where a fixture has to
// be made although the cut config has a vise.
func TestWaysOfHolding(t *testing.T) {
	for _, kind := range []machining.WorkholdingKind{machining.WorkholdingVise, machining.WorkholdingFixture,
		machining.WorkholdingNone} {
		in := input(t, "turned_part", machining.BuiltInCutConfig())
		in.Config.Workholding.Kind = kind
		plan, fixtures := made(t, in), 0
		for _, s := range plan.Setups {
			if (len(s.Clamping.Solid) >= 2) != (s.Clamping.Device != "") || s.Clamping.Text == "" {
				t.Errorf("%s: %+v", kind, s.Clamping)
			}
			if s.Clamping.Kind != kind {
				fixtures++
			}
		}
		warned := 0
		for _, w := range plan.Warnings {
			if w.Code == "fixture_named" {
				warned++
			}
		}
		if warned != fixtures || kind != machining.WorkholdingVise && fixtures > 0 {
			t.Errorf("%s: %d setups are held otherwise, %d warnings", kind, fixtures, warned)
		}
	}
}

// TestOnlySomeFeatures: nothing else is made or named.
func TestOnlySomeFeatures(t *testing.T) {
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	for i, f := range in.Run.Features {
		if f.Type == feature.Hole {
			in.Only = append(in.Only, i)
		}
	}
	plan := made(t, in)
	seen := map[int]bool{}
	for i := range plan.Setups {
		for _, o := range plan.Setups[i].Operations {
			for _, f := range o.Features {
				seen[f] = true
			}
		}
	}
	for _, u := range plan.Unmachinable {
		seen[u.Feature] = true
	}
	for i := range in.Run.Features {
		if seen[i] != slices.Contains(in.Only, i) {
			t.Errorf("feature %d of %v: %t", i, in.Only, seen[i])
		}
	}
	if len(operations(plan, planning.Contour)) > 2 { // of the one hole that is milled as a pocket
		t.Errorf("walls are made that nobody wants: %s", planningtest.Text(plan, in.Run))
	}
}

// TestThreadsThatAreWanted: a thread that only its diameter suggests is cut when the cut config says so.
func TestThreadsThatAreWanted(t *testing.T) {
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	if got := operations(made(t, in), planning.Tap); len(got) > 0 {
		t.Errorf("nobody asked for %+v", got)
	}
	in.Config.TapInferredThreads = true
	plan := made(t, in)
	taps := operations(plan, planning.Tap)
	if len(taps) != 1 || len(taps[0].Holes) != 1 || taps[0].Holes[0].Diameter != 8 ||
		plan.Tools[taps[0].Tool].Tool.Kind != machining.TapRightHand || !slices.Contains(taps[0].Notes, "M8x1.25") {
		t.Errorf("%+v", taps)
	}
	for _, u := range plan.Unmachinable {
		if u.Reason == completeness.ThreadNotStated {
			t.Errorf("%+v", u)
		}
	}
}

// TestThreadsThatNoTapCuts: a tap for a right-handed thread of one start cuts no other one of its size.
func TestThreadsThatNoTapCuts(t *testing.T) {
	for _, c := range []struct {
		designation string
		taps        int
	}{{"M8x1.25", 1}, {"M8x1.25-LH", 0}, {"M8xPh2.5P1.25", 0}} {
		in := input(t, "plate_holes", machining.BuiltInCutConfig())
		for i := range in.Sheets {
			if h, ok := in.Sheets[i].Facts.(*feature.HoleFacts); ok && h.Thread != nil {
				h.Thread.Designation, h.Thread.Source = c.designation, feature.ThreadFromPMI
			}
		}
		plan := made(t, in)
		if got := len(operations(plan, planning.Tap)) + len(operations(plan, planning.ThreadMill)); got != c.taps {
			t.Errorf("%s is cut by %d operations, want %d", c.designation, got, c.taps)
		}
		isNamed := slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
			return u.Reason == completeness.NoToolFits && strings.Contains(u.Detail, c.designation)
		})
		if isNamed != (c.taps == 0) {
			t.Errorf("%s: named as not made: %v", c.designation, isNamed)
		}
	}
}

// TestTightBores: the finer the band that the file states, the better the step that ends the bore.
func TestTightBores(t *testing.T) {
	for _, c := range []struct {
		name  string
		upper float64 // of the radius, mm
		chain []planning.Strategy
	}{
		{"H7", 0.0075, []planning.Strategy{planning.Drill, planning.Ream}},
		{"H9", 0.018, []planning.Strategy{planning.Drill, planning.Ream}},
		{"H10", 0.029, []planning.Strategy{planning.Drill}},
		{"H13", 0.11, []planning.Strategy{planning.Drill}},
	} {
		in := input(t, "through_hole", machining.BuiltInCutConfig())
		for i, f := range in.Run.Features {
			if f.Type == feature.Hole {
				in.Sheets[i].ToleranceBand = feature.ToleranceBand{RadialUpper: c.upper,
					Source: feature.ToleranceFromPMI}
			}
		}
		var chain []planning.Strategy
		plan := made(t, in)
		for i := range plan.Setups {
			for _, o := range plan.Setups[i].Operations {
				if len(o.Holes) > 0 {
					chain = append(chain, o.Strategy)
				}
			}
		}
		if !slices.Equal(chain, c.chain) {
			t.Errorf("%s: %v, want %v", c.name, chain, c.chain)
		}
	}
}

// TestHolesAreMadeByTheQuickestMethod: a method that takes longer than its share of the tool change is worth another
// tool only for enough holes, and one that needs no further tool wins for few.
func TestHolesAreMadeByTheQuickestMethod(t *testing.T) {
	for _, c := range []struct {
		name   string
		change float64 // s
		drop   func(*machining.Tool) bool
		long   bool // an end mill of 8 mm has flutes as long as the bore
		chain  []planning.Strategy
	}{
		{"a drill of its size", 6, isDrillOf(0), false, []planning.Strategy{planning.Drill}},
		{"no drill of its size", 60, isDrillOf(10), false, []planning.Strategy{planning.Drill, planning.Bore}},
		{"a long mill, free changes", 0, isDrillOf(10), true, []planning.Strategy{planning.Drill, planning.Bore}},
		{"a long mill, slow changes", 60, isDrillOf(10), true, []planning.Strategy{planning.Bore}},
	} {
		in := input(t, "through_hole", machining.BuiltInCutConfig())
		in.Tools = without(in.Tools, c.drop)
		for i := range in.Tools {
			if m := &in.Tools[i]; c.long && m.Kind == machining.FlatEndMill && m.Diameter == 8 {
				m.FluteLength, m.BodyLength, m.OverallLength = 30, 35, 80
			}
		}
		in.Config.Machine.ToolChangeSeconds = c.change
		var chain []planning.Strategy
		plan := made(t, in)
		for _, s := range plan.Setups {
			for _, o := range s.Operations {
				if len(o.Holes) > 0 {
					chain = append(chain, o.Strategy)
				}
			}
		}
		if !slices.Equal(chain, c.chain) {
			t.Errorf("%s: %v, want %v", c.name, chain, c.chain)
		}
	}
}

// TestWeakSpindleFacesWithASmallerMill: a face mill that rubs is not taken where a smaller mill cuts.
func TestWeakSpindleFacesWithASmallerMill(t *testing.T) {
	for _, c := range []struct {
		power float64 // kW
		kind  machining.ToolKind
	}{{15, machining.FaceMill}, {0.8, machining.FlatEndMill}} {
		in := input(t, "pockets", machining.BuiltInCutConfig())
		in.Config.Machine.SpindlePowerKW = c.power
		plan := made(t, in)
		faces := operations(plan, planning.Face)
		if len(faces) == 0 {
			t.Fatalf("%g kW: nothing is faced", c.power)
		}
		for _, o := range faces {
			tool := &plan.Tools[o.Tool].Tool
			p, _ := tool.Preset(machining.GroupN)
			if tool.Kind != c.kind || o.Cutting.FeedPerTooth < p.FeedPerTooth/3 {
				t.Errorf("%g kW: %s faces by %g mm a tooth, its preset has %g", c.power, tool.Name,
					o.Cutting.FeedPerTooth, p.FeedPerTooth)
			}
		}
	}
}

// TestStocks: bars and castings are planned as boxes round them, and say so; no vise presses on a bar that is round.
func TestStocks(t *testing.T) {
	for _, kind := range []machining.StockKind{machining.StockCylinder, machining.StockNearNet} {
		in := input(t, "turned_part", machining.BuiltInCutConfig())
		in.Config.Stock.Kind = kind
		plan := made(t, in)
		if size := plan.Stock.Size(); size.X < 54-1e-6 || size.X > 54.1 || size.Y != size.X ||
			size.Z < 67.9 || size.Z > 73.7 {
			t.Errorf("%s: stock of %v for a part of 50 × 50 × 64 mm", kind, size)
		}
		if !slices.ContainsFunc(plan.Warnings, func(w fault.Warning) bool { return w.Code == "stock_as_box" }) {
			t.Errorf("%s: %v", kind, plan.Warnings)
		}
		if isBar := plan.Bar != nil && *plan.Bar == 2; isBar != (kind == machining.StockCylinder) {
			t.Errorf("%s: a bar: %t", kind, isBar)
		}
		want, first := plan.Stock.Size().X*plan.Stock.Size().Y*plan.Stock.Size().Z, planning.DeviceVise
		if plan.Bar != nil {
			want, first = want*math.Pi/4, planning.DeviceChuck
		}
		if got := plan.RawVolume(); math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: %g mm³ of stock, want %g", kind, got, want)
		}
		if got := plan.Setups[0].Clamping; got.Device != first {
			t.Errorf("%s: the raw stock is held by %s: %s", kind, got.Device, got.Text)
		}
	}
}

// TestToolsHaveNumbersOfTheirOwn: tools of two libraries with equal numbers get different ones.
func TestToolsHaveNumbersOfTheirOwn(t *testing.T) {
	plan := made(t, input(t, "pockets", machining.LargeCutConfig()))
	if len(plan.Tools) < 3 {
		t.Fatalf("%d tools", len(plan.Tools))
	}
	for i := range plan.Tools {
		if x := &plan.Tools[i]; i > 0 && x.Number <= plan.Tools[i-1].Number || x.Stickout != x.Tool.BodyLength {
			t.Errorf("tool %d: number %d, sticks out %g mm", i, x.Number, x.Stickout)
		}
	}
}

// The ways of roughing are as far apart as the engagement that is asked for wants it; those on floors are by the mill.
func TestEngagementThatIsAsked(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	for angle, share := range map[float64]float64{60: 0.25, 90: 0.5} { // of the diameter
		in.Config.EngagementDeg = &angle
		plan := made(t, in)
		rough := 0
		for _, o := range operations(plan, planning.Pocket) {
			mill := &plan.Tools[o.Tool].Tool
			switch d := mill.Diameter; {
			case o.Floor:
				if want := 0.6 * (d - 2*mill.CornerRadius); math.Abs(o.Cutting.Radial.Value-want) > 1e-9 {
					t.Errorf("%g°: operation %s cuts %g mm wide, not %g", angle, o.ID, o.Cutting.Radial.Value, want)
				}
			default:
				rough++
				if got := o.Cutting.Radial.Value; math.Abs(got-share*d) > 1e-9 {
					t.Errorf("%g°: operation %s with a mill of %g mm cuts %g mm wide", angle, o.ID, d, got)
				}
			}
		}
		if rough == 0 {
			t.Error("nothing is roughed")
		}
	}
}
