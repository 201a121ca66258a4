package estimate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/timing"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// square follows a square of a side, with a rapid to it.
func square(id string, tool int32, side float64) motion.Operation {
	o := motion.Operation{ID: id, Tool: tool, SpindleRPM: 6000, Start: geom.Vec3{Z: 50}}
	o.Moves = append(o.Moves, motion.Move{Kind: motion.Rapid, To: geom.Vec3{Z: 2}})
	for _, p := range []geom.Vec3{{}, {X: side}, {X: side, Y: side}, {Y: side}, {}} {
		o.Moves = append(o.Moves, motion.Move{Kind: motion.Cut, To: p, Feed: 1000})
	}
	return o
}

// program is a plan with the motion of as many setups as lists of tools: one operation for each tool.
func program(tools ...[]int32) (*planning.Plan, *toolpath.Set) {
	p, set := &planning.Plan{}, &toolpath.Set{}
	for _, of := range tools {
		var s motion.Setup
		for i, t := range of {
			s.Operations = append(s.Operations, square(string(rune('a'+i)), t, 30))
		}
		p.Setups = append(p.Setups, planning.Setup{})
		set.Setups = append(set.Setups, s)
	}
	return p, set
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

func TestToolChangesOnlyBetweenDifferentTools(t *testing.T) {
	m := machining.BuiltInCutConfig().Machine
	one := timing.Compute(&m).Likely
	o := square("a", 0, 30)
	alone := one.Operation(&o)
	for _, c := range []struct {
		name    string
		tools   [][]int32
		changes []int
		starts  int
	}{
		{"one operation", [][]int32{{0}}, []int{1}, 1},
		{"the same tool again", [][]int32{{0, 0}}, []int{1}, 1},
		{"another and back", [][]int32{{0, 1, 0}}, []int{3}, 3},
		{"it stays over setups", [][]int32{{0, 1}, {1, 0}}, []int{2, 1}, 3},
	} {
		p, set := program(c.tools...)
		got, err := MachiningTimes(p, set, &m)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		changes, operations := 0, 0
		for i, s := range got.Setups {
			if s.ToolChanges != c.changes[i] {
				t.Errorf("%s: setup %d has %d changes, want %d", c.name, i, s.ToolChanges, c.changes[i])
			}
			changes += c.changes[i]
			operations += len(s.Operations)
		}
		if want := float64(changes) * m.ToolChangeSeconds; !near(got.ToolChange, want) {
			t.Errorf("%s: changes take %g s, want %g", c.name, got.ToolChange, want)
		}
		if want := float64(c.starts) * m.SpindleRampSeconds; !near(got.Spindle, want) {
			t.Errorf("%s: the spindle takes %g s to its speed, want %g", c.name, got.Spindle, want)
		}
		if want := float64(operations) * alone.Cutting; !near(got.Cutting, want) {
			t.Errorf("%s: cutting takes %g s, want %g", c.name, got.Cutting, want)
		}
		if want := float64(len(c.tools)) * m.SetupSeconds; got.Setup != want {
			t.Errorf("%s: setups take %g s, want %g", c.name, got.Setup, want)
		}
	}
}

func TestOperationWithoutMovesTakesNoTime(t *testing.T) {
	m := machining.BuiltInCutConfig().Machine
	p, set := program([]int32{0, 1, 0})
	set.Setups[0].Operations[1].Moves = nil
	got, err := MachiningTimes(p, set, &m)
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Setups[0]; s.ToolChanges != 1 || s.Spindle != m.SpindleRampSeconds || s.Operations[1].Seconds != 0 {
		t.Errorf("got %+v, want one change and one start", s)
	}
}

func TestTimesAddUp(t *testing.T) {
	m := machining.LargeCutConfig().Machine
	p, set := program([]int32{0, 1, 1}, []int32{2}, nil)
	got, err := MachiningTimes(p, set, &m)
	if err != nil {
		t.Fatal(err)
	}
	var setups float64
	for _, s := range got.Setups {
		var operations float64
		for _, o := range s.Operations {
			operations += o.Seconds
			if sum := o.Cutting + o.Rapid + o.Dwell + o.Spindle; !near(sum, o.Seconds) {
				t.Errorf("operation %s of setup %d: the parts are %g s, the whole %g", o.OperationID, s.Index, sum, o.Seconds)
			}
		}
		if sum := operations + s.ToolChange + s.Load; !near(sum, s.Total) {
			t.Errorf("setup %d: the parts are %g s, the whole %g", s.Index, sum, s.Total)
		}
		setups += s.Total
	}
	parts := got.Cutting + got.Rapid + got.Dwell + got.Spindle + got.ToolChange + got.Load
	if !near(parts, got.Total) || !near(setups, got.Total) {
		t.Errorf("the parts are %g s, the setups %g, the whole %g", parts, setups, got.Total)
	}
	if got.Low > got.Total || got.High < got.Total || got.High <= got.Low {
		t.Errorf("low %g, likely %g, high %g s", got.Low, got.Total, got.High)
	}
	if got.Model.Lookahead != timing.Lookahead || got.Model.Jerk != m.Jerk {
		t.Errorf("model %+v", got.Model)
	}
}

func TestMotionOfAnotherPlan(t *testing.T) {
	p, _ := program([]int32{0})
	_, set := program([]int32{0}, []int32{0})
	m := machining.BuiltInCutConfig().Machine
	if got, err := MachiningTimes(p, set, &m); err == nil {
		t.Errorf("one setup with the motion of two takes %+v", got)
	}
}

// TestClockIsOfTheTimes: each operation ends with the time that MachiningTimes gives it, and the setup with its total.
func TestClockIsOfTheTimes(t *testing.T) {
	m := machining.BuiltInCutConfig().Machine
	p, set := program([]int32{0, 0, 1}, []int32{1, 0})
	set.Setups[0].Operations = append(set.Setups[0].Operations, motion.Operation{ID: "none", Tool: 5})
	p.Setups[0].Operations = nil
	times, err := MachiningTimes(p, set, &m)
	if err != nil {
		t.Fatal(err)
	}
	for i, setup := range Clock(set, &m) {
		at := 0.0
		for k, o := range setup {
			if got, want := len(o.Ends), len(set.Setups[i].Operations[k].Moves); got != want {
				t.Fatalf("setup %d, operation %d: %d ends of %d moves", i, k, got, want)
			}
			if o.Begin < at {
				t.Errorf("setup %d, operation %d begins at %g s, the one before it ends at %g", i, k, o.Begin, at)
			}
			if at = o.Begin; len(o.Ends) > 0 {
				last := o.Ends[len(o.Ends)-1]
				if want := times.Setups[i].Operations[k].Seconds; !near(last, want) {
					t.Errorf("setup %d, operation %d ends at %g s, want %g", i, k, last, want)
				}
				at += last
			}
		}
		if want := times.Setups[i].Total - times.Setups[i].Load; !near(at, want) {
			t.Errorf("setup %d ends at %g s, want %g", i, at, want)
		}
	}
}
