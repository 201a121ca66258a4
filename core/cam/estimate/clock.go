package estimate

import (
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/timing"
	"millwright.dev/millwright/core/cam/toolpath"
)

// Moment is the place of an operation in the time of its setup, for the likely control.
type Moment struct {
	// Begin (s) is when the operation begins, after the change to its tool. The setup begins with the part loaded.
	Begin float64
	Ends  []float64 // s from Begin, the end of each move; the last is the operation's time in Times
}

// Clock returns the time of each move of the motion, by setup and operation. It is the clock of MachiningTimes.
func Clock(set *toolpath.Set, m *machining.Machine) [][]Moment {
	limits := timing.Compute(m).Likely
	tool := int32(-1)
	out := make([][]Moment, len(set.Setups))
	for i := range set.Setups {
		at := 0.0
		out[i] = make([]Moment, len(set.Setups[i].Operations))
		for k := range set.Setups[i].Operations {
			o := &set.Setups[i].Operations[k]
			if len(o.Moves) == 0 {
				out[i][k] = Moment{Begin: at, Ends: []float64{}}
				continue
			}
			if o.Tool != tool {
				at += m.ToolChangeSeconds
			}
			ends, _ := limits.Ends(o)
			less := saved(&limits, o, o.Tool == tool)
			for j := range ends {
				ends[j] = max(ends[j]-less, 0)
			}
			out[i][k] = Moment{Begin: at, Ends: ends}
			at += ends[len(ends)-1]
			tool = o.Tool
		}
	}
	return out
}
