// Package estimate computes the time of a program and the cost of a part: roughly from the recognized features, and
// closely from the motion of its program.
//
// Times are s, money is US cents. The package reads no clock and has no other input: the same plan, motion and cut
// config give the same figures.
package estimate

import (
	"fmt"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/timing"
	"millwright.dev/millwright/core/cam/toolpath"
)

// Version is part of the key of stored program times. It rises whenever some program has other times.
const Version = 3

// Times is the time of one part on the machine after the setups are prepared. The sums are for the likely control:
// Total is the sum of Cutting, Rapid, Dwell, Spindle, ToolChange and Load.
type Times struct {
	Total      float64 `json:"totalSeconds"`
	Low        float64 `json:"lowSeconds"`  // for a control that looks ahead over the whole program
	High       float64 `json:"highSeconds"` // with one that stops at every corner
	Cutting    float64 `json:"cuttingSeconds"`
	Rapid      float64 `json:"rapidSeconds"`
	Dwell      float64 `json:"dwellSeconds"`
	Spindle    float64 `json:"spindleSeconds"` // until it has its speed
	ToolChange float64 `json:"toolChangeSeconds"`
	Load       float64 `json:"loadSeconds"`  // to put the part in and take it out, for every setup
	Setup      float64 `json:"setupSeconds"` // to prepare the setups, once for all parts, and so in no total

	Setups []SetupTimes `json:"setups"`
	Model  Model        `json:"model"`
}

// SetupTimes is the share of one setup in Times.
type SetupTimes struct {
	Index       int              `json:"index"`
	Total       float64          `json:"totalSeconds"`
	Cutting     float64          `json:"cuttingSeconds"`
	Rapid       float64          `json:"rapidSeconds"`
	Dwell       float64          `json:"dwellSeconds"`
	Spindle     float64          `json:"spindleSeconds"`
	ToolChanges int              `json:"toolChanges"`
	ToolChange  float64          `json:"toolChangeSeconds"`
	Load        float64          `json:"loadSeconds"`
	Operations  []OperationTimes `json:"operations"`
}

// OperationTimes is the share of one operation, without the change to its tool.
type OperationTimes struct {
	OperationID string  `json:"operationId"`
	Seconds     float64 `json:"seconds"`
	Cutting     float64 `json:"cuttingSeconds"`
	Rapid       float64 `json:"rapidSeconds"`
	Dwell       float64 `json:"dwellSeconds"`
	Spindle     float64 `json:"spindleSeconds"`
}

// Model is the machine model of the computed times.
type Model struct {
	Acceleration    float64 `json:"acceleration"`    // mm/s²
	Jerk            float64 `json:"jerk"`            // mm/s³; 0: unlimited
	CornerTolerance float64 `json:"cornerTolerance"` // mm
	Lookahead       int     `json:"lookahead"`       // blocks, of the likely control
}

// MachiningTimes returns the times of the motion of a plan. A tool is changed only for another one, also across setups,
// and a spindle that turns already is not started again. For an operation without moves nothing is.
func MachiningTimes(p *planning.Plan, set *toolpath.Set, m *machining.Machine) (Times, error) {
	if len(p.Setups) != len(set.Setups) {
		return Times{}, fmt.Errorf("estimate: the plan has %d setups, its motion %d", len(p.Setups), len(set.Setups))
	}
	band := timing.Compute(m)
	t := Times{
		Setup: float64(len(p.Setups)) * m.SetupSeconds, Setups: []SetupTimes{},
		Model: Model{m.Acceleration, m.Jerk, m.CornerTolerance, band.Likely.Lookahead},
	}
	tool := int32(-1)
	for i := range set.Setups {
		s := SetupTimes{Index: i, Load: m.LoadSeconds, Operations: []OperationTimes{}}
		var low, high timing.Times
		for k := range set.Setups[i].Operations {
			o := &set.Setups[i].Operations[k]
			if len(o.Moves) == 0 {
				s.add(o.ID, timing.Times{})
				continue
			}
			turning := o.Tool == tool
			clock := func(l *timing.Limits) timing.Times {
				took := l.Operation(o)
				took.Spindle -= saved(l, o, turning)
				return took
			}
			s.add(o.ID, clock(&band.Likely))
			low, high = low.Add(clock(&band.Low)), high.Add(clock(&band.High))
			if !turning {
				s.ToolChanges++
				tool = o.Tool
			}
		}
		s.ToolChange = float64(s.ToolChanges) * m.ToolChangeSeconds
		s.Total = s.Cutting + s.Rapid + s.Dwell + s.Spindle + s.ToolChange + s.Load
		t.add(s, low.Total()+s.ToolChange+s.Load, high.Total()+s.ToolChange+s.Load)
	}
	return t, nil
}

// saved returns the time (s) for which the spindle does not start, because it turns already.
func saved(l *timing.Limits, o *motion.Operation, turning bool) float64 {
	if turning && o.SpindleRPM > 0 {
		return l.SpindleRampSeconds
	}
	return 0
}

func (s *SetupTimes) add(id string, o timing.Times) {
	s.Operations = append(s.Operations, OperationTimes{id, o.Total(), o.Cutting, o.Rapid, o.Dwell, o.Spindle})
	s.Cutting += o.Cutting
	s.Rapid += o.Rapid
	s.Dwell += o.Dwell
	s.Spindle += o.Spindle
}

func (t *Times) add(s SetupTimes, low, high float64) {
	t.Setups = append(t.Setups, s)
	t.Total += s.Total
	t.Low += low
	t.High += high
	t.Cutting += s.Cutting
	t.Rapid += s.Rapid
	t.Dwell += s.Dwell
	t.Spindle += s.Spindle
	t.ToolChange += s.ToolChange
	t.Load += s.Load
}
