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

// without returns the tools that a test does not drop.
func without(tools []machining.Tool, drop func(*machining.Tool) bool) []machining.Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t machining.Tool) bool { return drop(&t) })
}

// isDrillOf tests for drills that make a bore of a diameter without a band.
func isDrillOf(d float64) func(*machining.Tool) bool {
	const near = 0.15 // mm
	return func(t *machining.Tool) bool { return t.Kind == machining.Drill && math.Abs(t.Diameter-d) < near }
}

// A bore that is deeper than the flutes of every mill is drilled first, by a drill at least as thick as the mill, whose
// body then follows in the open core.
func TestBoreDeeperThanFlutes(t *testing.T) {
	in := input(t, "through_hole", machining.BuiltInCutConfig())
	in.Tools = without(in.Tools, isDrillOf(10))
	plan := made(t, in)
	bores := operations(plan, planning.Bore)
	if len(bores) != 1 {
		t.Fatalf("%d bores, want one", len(bores))
	}
	mill := plan.Tools[bores[0].Tool].Tool
	if deep := bores[0].Top - bores[0].Bottom; deep <= mill.FluteLength {
		t.Fatalf("the mill cuts over %g mm, and the bore is %g mm deep: it shows nothing", mill.FluteLength, deep)
	}
	wide := 0.0
	for _, o := range append(operations(plan, planning.Drill), operations(plan, planning.PeckDrill)...) {
		if d := plan.Tools[o.Tool].Tool; d.Kind == machining.Drill {
			wide = max(wide, d.Diameter)
		}
	}
	if wide < mill.Diameter {
		t.Errorf("a drill of %g mm before a mill of %g mm", wide, mill.Diameter)
	}
	if len(plan.Unmachinable) > 0 {
		t.Errorf("%+v", plan.Unmachinable)
	}
}

// A small bore that no tool makes to its end is drilled to the next size and milled as deep as a mill reaches: from
// both ends, or from one, and then the rest is named with a remedy.
func TestBoreThatNoToolReaches(t *testing.T) {
	const bore, deep = 5.5, 20.0 // mm
	bored := func(plan *planning.Plan) (ends int, sum float64) {
		for _, o := range operations(plan, planning.Bore) {
			for _, h := range o.Holes {
				if h.Diameter == bore {
					ends, sum = ends+1, sum+h.Top-h.Bottom
				}
			}
		}
		return ends, sum
	}
	rest := func(plan *planning.Plan) int {
		return slices.IndexFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
			return u.Reason == completeness.OutOfReach && strings.Contains(u.Detail, "drilled to 5.2 mm and milled") &&
				u.Remedy != ""
		})
	}
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	in.Tools = without(in.Tools, isDrillOf(bore))
	both := made(t, in)
	if ends, sum := bored(both); ends != 2 || sum < deep || rest(both) >= 0 {
		t.Errorf("bored from %d ends, %g mm in all: %+v", ends, sum, both.Unmachinable)
	}
	in.Avoid = []planning.Attempt{{Direction: geom.Vec3{Z: -1}, Regions: []int{13}}}
	one := made(t, in)
	if ends, sum := bored(one); ends != 1 || sum >= deep || rest(one) < 0 {
		t.Errorf("bored from %d ends, %g mm in all: %+v", ends, sum, one.Unmachinable)
	}
}

// A bore with a conical end and without a drill of its size is drilled thinner and milled to its size; its end is
// named.
func TestConicalEndWithoutDrill(t *testing.T) {
	const bore, end = 6.8, 18 // mm, and the face of its end
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	in.Tools = without(in.Tools, isDrillOf(bore))
	plan := made(t, in)
	bored := slices.ContainsFunc(operations(plan, planning.Bore), func(o planning.Operation) bool {
		return slices.ContainsFunc(o.Holes, func(h planning.Hole) bool { return h.Diameter == bore })
	})
	named := slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
		return slices.Equal(u.Regions, []int{end}) && u.Reason == completeness.NoToolFits &&
			strings.Contains(u.Detail, "drilled to 6.5 mm and milled")
	})
	if !bored || !named {
		t.Errorf("bored: %v, its end named: %v, %+v", bored, named, plan.Unmachinable)
	}
}

// A floor under walls that are higher than any mill sticks out is cleared as deep as one gets, and named.
func TestFloorTooDeep(t *testing.T) {
	plan := made(t, input(t, "turned_part", machining.BuiltInCutConfig()))
	const face = 3
	i := slices.IndexFunc(plan.Unmachinable,
		func(u planning.Unmachinable) bool { return slices.Equal(u.Regions, []int{face}) })
	if i < 0 || plan.Unmachinable[i].Reason != completeness.OutOfReach {
		t.Fatalf("the floor is not named: %+v", plan.Unmachinable)
	}
	feature := plan.Unmachinable[i].Feature
	cleared := false
	for _, o := range operations(plan, planning.Pocket) {
		cleared = cleared || slices.Contains(o.Features, feature)
		if o.Floor && slices.Contains(o.Regions, face) {
			t.Errorf("operation %s finishes it", o.ID)
		}
	}
	if !cleared || !strings.Contains(plan.Unmachinable[i].Detail, "clears the upper") {
		t.Errorf("cleared: %v, %+v", cleared, plan.Unmachinable[i])
	}
}

// A floor beside what is higher than the mills are long is finished where their holders get, and the rest is named.
func TestFloorBesideTallBosses(t *testing.T) {
	const floor, short = 2, 10.0 // mm of a mill: the bosses are 18 mm high
	in := input(t, "bosses", machining.BuiltInCutConfig())
	for i := range in.Tools {
		if m := &in.Tools[i]; m.Kind == machining.FlatEndMill || m.Kind == machining.BullNoseEndMill {
			m.FluteLength, m.BodyLength, m.ShankDiameter = short, short, m.Diameter
		}
	}
	plan := made(t, in)
	finished := slices.ContainsFunc(operations(plan, planning.Pocket), func(o planning.Operation) bool {
		return o.Floor && slices.Contains(o.Regions, floor)
	})
	named := slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
		return u.Reason == completeness.OutOfReach && slices.Equal(u.Regions, []int{floor}) && u.Remedy != "" &&
			strings.Contains(u.Detail, "makes it where nothing is in the way")
	})
	if !finished || !named {
		t.Errorf("finished: %v, the rest named: %v, %+v", finished, named, plan.Unmachinable)
	}
}

// A countersink that no tool has does not keep its hole from being drilled.
func TestHoleUnderCountersink(t *testing.T) {
	in := input(t, "plate_holes", machining.BuiltInCutConfig())
	sunk := slices.IndexFunc(in.Run.Features, func(f feature.Feature) bool {
		return f.Hole != nil && f.Type == feature.Hole && f.Hole.Countersink != nil
	})
	if sunk < 0 {
		t.Fatal("the part has no countersunk hole")
	}
	in.Tools = without(in.Tools, func(t *machining.Tool) bool {
		switch t.Kind {
		case machining.Countersink, machining.ChamferMill, machining.SpotDrill, machining.BallEndMill:
			return true
		}
		return false
	})
	plan := made(t, in)
	drilled := false
	for _, s := range []planning.Strategy{planning.Drill, planning.PeckDrill} {
		for _, o := range operations(plan, s) {
			drilled = drilled || slices.Contains(o.Features, sunk)
		}
	}
	named := slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
		return u.Feature == sunk && u.Reason == completeness.NoToolFits && len(u.Regions) == 1
	})
	if !drilled || !named {
		t.Errorf("drilled: %v, its countersink named: %v, %+v", drilled, named, plan.Unmachinable)
	}
}

// A machine with too little travel along Z is the reason, and not the features.
func TestShortTravel(t *testing.T) {
	in := input(t, "through_hole", machining.BuiltInCutConfig())
	in.Config.Machine.Travel.Z = 50
	_, err := planning.Make(t.Context(), in)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.DoesNotFitMachine || !strings.Contains(f.Reason, "Z travel") {
		t.Errorf("%v, want the travel to be told", err)
	}
}

// What was tried in vain is not planned again.
func TestAttemptsAreAvoided(t *testing.T) {
	in := input(t, "through_hole", machining.BuiltInCutConfig())
	first := made(t, in)
	for i := range first.Setups {
		s := &first.Setups[i]
		for k := range s.Operations {
			if o := &s.Operations[k]; len(o.Regions) > 0 && o.Strategy != planning.Face {
				in.Avoid = append(in.Avoid, planning.Attempt{
					Direction: s.Frame.Z, Tool: &first.Tools[o.Tool].Tool, Regions: o.Regions,
				})
			}
		}
	}
	again := made(t, in)
	for i := range again.Setups {
		s := &again.Setups[i]
		for _, o := range s.Operations {
			for _, a := range in.Avoid {
				same := a.Tool.ID == again.Tools[o.Tool].Tool.ID && a.Direction.Dot(s.Frame.Z) > 0.999
				if same && slices.ContainsFunc(o.Regions, func(r int) bool { return slices.Contains(a.Regions, r) }) &&
					o.Strategy != planning.Face {
					t.Errorf("operation %s makes faces %v with %s again", o.ID, o.Regions, a.Tool.Name)
				}
			}
		}
	}
}
