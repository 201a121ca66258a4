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
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// plain makes a plan without the checks that hold only where all is made or named.
func plain(t *testing.T, in planning.Input) *planning.Plan {
	t.Helper()
	plan, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func madeFaces(p *planning.Plan) map[int]bool {
	out := map[int]bool{}
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			for _, r := range o.Regions {
				out[r] = true
			}
		}
	}
	return out
}

func warningsOf(p *planning.Plan, code string) (list []string) {
	for _, w := range p.Warnings {
		if w.Code == code {
			list = append(list, w.Message)
		}
	}
	return list
}

// TestExcludedFeatures: no operation makes or clears an excluded pocket or hole, and the plan names it.
func TestExcludedFeatures(t *testing.T) {
	for _, c := range []struct {
		part string
		kind feature.Type
	}{{"pockets", feature.Pocket}, {"plate_holes", feature.Hole}, {"bosses", feature.Boss}} {
		in := input(t, c.part, machining.BuiltInCutConfig())
		i := slices.IndexFunc(in.Run.Features, func(f feature.Feature) bool { return f.Type == c.kind })
		regions := in.Run.Features[i].Regions
		if before := madeFaces(made(t, in)); !before[regions[0]] {
			t.Fatalf("%s: face %d is not made anyway", c.part, regions[0])
		}
		in.Excluded = []int{i}
		plan := made(t, in)
		faces := madeFaces(plan)
		for _, r := range regions {
			if faces[r] {
				t.Errorf("%s: face %d of the excluded feature %d is made", c.part, r, i)
			}
		}
		for s := range plan.Setups {
			for _, o := range plan.Setups[s].Operations {
				if slices.Contains(o.Features, i) {
					t.Errorf("%s: operation %s is for the excluded feature %d", c.part, o.ID, i)
				}
				if o.Strategy == planning.Pocket && !o.Floor && len(o.Beside) == 0 {
					t.Errorf("%s: operation %s clears the excluded feature too", c.part, o.ID)
				}
				for _, r := range regions {
					if slices.Contains(o.Beside, r) {
						t.Errorf("%s: operation %s clears beside face %d", c.part, o.ID, r)
					}
				}
			}
		}
		named := slices.IndexFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
			return u.Feature == i && u.Reason == completeness.NotRequested
		})
		if named < 0 || plan.Unmachinable[named].Detail != "The request excludes it." ||
			!slices.Equal(plan.Unmachinable[named].Regions, slices.Sorted(slices.Values(regions))) {
			t.Errorf("%s: feature %d is not named as excluded: %+v", c.part, i, plan.Unmachinable)
		}
	}
}

// TestWayThroughExcludedPocket: roughing goes into an excluded pocket where something below it is made.
func TestWayThroughExcludedPocket(t *testing.T) {
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	for i, f := range in.Run.Features {
		if f.Type == feature.Face && f.Direction.Z > 0.9 {
			in.Excluded = append(in.Excluded, i)
		}
	}
	plan := made(t, in)
	cleared := 0
	for i := range plan.Setups {
		for _, o := range plan.Setups[i].Operations {
			if plan.Setups[i].Frame.Z.Z < 0.9 || o.Strategy != planning.Pocket || o.Floor {
				continue
			}
			if cleared++; len(o.Beside) > 0 {
				t.Errorf("operation %s leaves the stock over the holes: it clears beside %v only", o.ID, o.Beside)
			}
		}
	}
	if cleared == 0 {
		t.Error("nothing is cleared")
	}
}

// endFace returns the face of the part at its end along a direction of the world.
func endFace(in planning.Input, d geom.Vec3) int {
	best, far := -1, math.Inf(-1)
	for r, q := range in.Run.Graph.PatchOf {
		if in.Run.Graph.Facing(q, d) {
			if h := in.Run.Graph.HeightsAlong(d).Of(q).Hi; h > far {
				best, far = r, h
			}
		}
	}
	return best
}

// TestDoneRegions: faces that are finished are not made, have no stock on them, and soft jaws grip them.
func TestDoneRegions(t *testing.T) {
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	x, y, top := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, endFace(in, geom.Vec3{Z: 1})
	bottom := endFace(in, geom.Vec3{Z: -1})
	in.DoneRegions = []int{bottom, endFace(in, x), endFace(in, x.Neg()), endFace(in, y), endFace(in, y.Neg())}
	plan := plain(t, in)
	faces := madeFaces(plan)
	for _, r := range in.DoneRegions {
		if faces[r] {
			t.Errorf("the finished face %d is made", r)
		}
		for _, u := range plan.Unmachinable {
			if slices.Contains(u.Regions, r) {
				t.Errorf("the finished face %d is named: %+v", r, u)
			}
		}
	}
	if !faces[top] {
		t.Errorf("the top, face %d, is not made", top)
	}
	if s := plan.Stock.Size(); s != (geom.Vec3{X: 120, Y: 60, Z: 22}) {
		t.Errorf("stock of %v, want 120 × 60 × 22: nothing on finished faces", s)
	}
	if h := plan.Setups[0].Clamping.Hold; h == nil || h.Jaw != planning.JawSoft {
		t.Errorf("the first setup is held %q (%+v), want in soft jaws on the finished faces", plan.Setups[0].Clamping.Text, h)
	}
	for i := range plan.Setups {
		if plan.Setups[i].Frame.Z.Z < -0.9 {
			t.Errorf("setup %d turns the finished bottom up", i+1)
		}
	}
	if !slices.Equal(plan.Finished, slices.Sorted(slices.Values(in.DoneRegions))) {
		t.Errorf("the plan has finished faces %v", plan.Finished)
	}
}

// TestDoneHole: a hole that is there already is not drilled, and roughing does not clear it.
func TestDoneHole(t *testing.T) {
	in := input(t, "through_hole", machining.BuiltInCutConfig())
	i := slices.IndexFunc(in.Run.Features, func(f feature.Feature) bool { return f.Type == feature.Hole })
	in.DoneRegions = in.Run.Features[i].Regions
	plan := plain(t, in)
	for s := range plan.Setups {
		for _, o := range plan.Setups[s].Operations {
			if len(o.Holes) > 0 || slices.Contains(o.Features, i) {
				t.Errorf("operation %s: %+v", o.ID, o)
			}
		}
	}
}

// TestFixedSetups: they come first, in their order, and others follow where something is left.
func TestFixedSetups(t *testing.T) {
	up := func(p *planning.Plan) (list []geom.Vec3) {
		for i := range p.Setups {
			z := p.Setups[i].Frame.Z
			list = append(list, geom.Vec3{X: math.Round(z.X) + 0, Y: math.Round(z.Y) + 0, Z: math.Round(z.Z) + 0})
		}
		return list
	}
	x, y, z := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	for _, c := range []struct {
		name  string
		fixed []planning.FixedSetup
		want  []geom.Vec3 // the first ones
		more  bool        // others follow
		warn  string
	}{
		{"from below first", []planning.FixedSetup{{Direction: z.Neg()}}, []geom.Vec3{z.Neg()}, true, ""},
		{"from a side first", []planning.FixedSetup{{Direction: x.Scale(7)}, {Direction: z}}, []geom.Vec3{x, z}, true, ""},
		{"a direction of nothing", []planning.FixedSetup{{Direction: z}, {Direction: z}, {Direction: z.Neg()}},
			[]geom.Vec3{z, z.Neg()}, true, "Fixed setup 2 is left out: nothing can be made with +z of the workpiece up"},
		{"an oblique direction", []planning.FixedSetup{{Direction: y.Add(z)}, {Direction: z.Neg()}},
			[]geom.Vec3{z.Neg()}, true, "Fixed setup 1 is left out: (0, 1, 1) is oblique"},
	} {
		in := input(t, "plate_holes", machining.BuiltInCutConfig())
		in.Setups = c.fixed
		plan := made(t, in)
		got := up(plan)
		if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) || (len(got) > len(c.want)) != c.more {
			t.Errorf("%s: setups %v, want %v first", c.name, got, c.want)
		}
		warned := strings.Join(warningsOf(plan, "fixed_setup_left_out"), "; ")
		if c.warn == "" && warned != "" || !strings.Contains(warned, c.warn) {
			t.Errorf("%s: warnings %q, want %q", c.name, warned, c.warn)
		}
	}
}

// TestFixedWorkholding: a fixed setup is held as asked, and the others by the cut config.
func TestFixedWorkholding(t *testing.T) {
	z := geom.Vec3{Z: 1}
	for _, kind := range []machining.WorkholdingKind{machining.WorkholdingVise, machining.WorkholdingFixture, machining.WorkholdingNone} {
		for _, usual := range []machining.WorkholdingKind{machining.WorkholdingVise, machining.WorkholdingFixture} {
			in := input(t, "through_hole", machining.BuiltInCutConfig())
			in.Config.Workholding.Kind = usual
			in.Setups = []planning.FixedSetup{{Direction: z, Workholding: kind}}
			plan := made(t, in)
			if got := plan.Setups[0].Clamping; got.Kind != kind || plan.Setups[0].Frame.Z.Z < 0.9 {
				t.Errorf("%s asked: %s", kind, got.Text)
			}
			if w := warningsOf(plan, "fixture_named"); kind == machining.WorkholdingFixture && len(plan.Setups) == 1 && len(w) > 0 {
				t.Errorf("%s asked: %q", kind, w)
			}
		}
	}
	in := input(t, "pockets", machining.BuiltInCutConfig()) // 140 × 90 × 30 mm
	in.Config.Workholding.Opening, in.Config.Workholding.OuterOpening = 30, 0
	in.Setups = []planning.FixedSetup{{Direction: z, Workholding: machining.WorkholdingVise},
		{Direction: z.Neg(), Workholding: machining.WorkholdingVise}}
	plan := made(t, in)
	if w := warningsOf(plan, "fixture_named"); len(w) != 1 || !strings.Contains(w[0], "etup 1 (+z up)") {
		t.Errorf("in a vise that is too small: %q", w)
	}
	if w := warningsOf(plan, "held_otherwise"); len(w) != 1 || !strings.Contains(w[0], "etup 2 (−z up) is held on a bed") {
		t.Errorf("in a vise that is too small: %q", w)
	}
}

// TestStockAsBought: a block or a bar of a fixed size, with the part under its top, or refused where it is too small.
func TestStockAsBought(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig()) // 140 × 90 × 30 mm
	in.Config.Stock.Size = &machining.StockSize{X: 150, Y: 100, Z: 50}
	plan := made(t, in)
	if s := plan.Stock.Size(); s != (geom.Vec3{X: 150, Y: 100, Z: 50}) {
		t.Errorf("stock of %v", s)
	}
	first := plan.Setups[0]
	if d := first.Frame.Z.Z * first.Frame.Origin.Z; math.Abs(d-32) > 1e-6 && math.Abs(d-2) > 1e-6 {
		t.Errorf("the top of the stock is at %g, want 2 mm over the part", d)
	}
	if first.Clamping.Kind != machining.WorkholdingVise || first.Clamping.Hold.Depth < 10 {
		t.Errorf("held %q, want by the 18 mm below the part", first.Clamping.Text)
	}
	in.Config.Stock.Size.Y = 89
	_, err := planning.Make(t.Context(), in)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.StockTooSmall || !strings.Contains(f.Reason, "140 × 90 × 30 mm") {
		t.Errorf("in 89 mm: %v", err)
	}
	in = input(t, "stepped_disc", machining.BuiltInCutConfig()) // ⌀60 × 24 mm
	in.Config.Stock.Kind = machining.StockCylinder
	in.Config.Stock.Size = &machining.StockSize{X: 65, Y: 65, Z: 40}
	plan = made(t, in)
	if s := plan.Stock.Size(); plan.Bar == nil || math.Abs(s.X-65) > 1e-6 || math.Abs(s.Z-40) > 1e-6 {
		t.Errorf("bar of %v", s)
	}
	in.Config.Stock.Size = &machining.StockSize{X: 59, Y: 59, Z: 40}
	if _, err = planning.Make(t.Context(), in); !errors.As(err, &f) || f.Code != fault.StockTooSmall {
		t.Errorf("of ⌀59 mm: %v", err)
	}
}

// TestPartlyDoneSurface: a surface of which some faces are finished is milled as a whole, with a warning.
func TestPartlyDoneSurface(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	r := -1
	for q := range in.Run.Graph.Patches {
		if list := in.Run.Graph.Regions([]int32{int32(q)}); r < 0 && len(list) > 1 {
			r = list[0]
		}
	}
	if r < 0 {
		t.Skip("no surface has two faces")
	}
	in.DoneRegions = []int{r}
	plan := plain(t, in)
	if w := warningsOf(plan, "done_in_part"); len(w) != 1 || len(plan.Finished) != 0 || !madeFaces(plan)[r] {
		t.Errorf("warnings %q, finished %v", w, plan.Finished)
	}
}

// TestQuantityDecidesSetups: what is filed by hand on one part pays its own setups in a large batch.
func TestQuantityDecidesSetups(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: plans parts for many quantities")
	}
	in := input(t, "eared_drum", machining.LargeCutConfig())
	var setups []int
	for _, in.Quantity = range []int{1, 5000} {
		setups = append(setups, len(made(t, in).Setups))
	}
	if setups[0] >= setups[1] {
		t.Errorf("%d setups for one part, %d for thousands", setups[0], setups[1])
	}
}
