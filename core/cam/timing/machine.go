package timing

import "millwright.dev/millwright/core/cam/machining"

// ControlQuality is the pair of limits of a control, the best and the worst; a real machine lies between them.
type ControlQuality struct {
	Low    Limits // looks ahead over the whole program
	Likely Limits // over Lookahead blocks
	High   Limits // stops at every corner
}

// Lookahead is the assumed lookahead of a control in blocks, since machines seldom state it.
const Lookahead = 80

// Compute returns the limits of a machine.
func Compute(m *machining.Machine) ControlQuality {
	const minute = 60
	axis := func(a machining.Axis) Axis {
		return Axis{Feed: a.MaxFeed / minute, Rapid: a.RapidFeed / minute, Acceleration: a.Acceleration, Jerk: a.Jerk}
	}
	each := m.AxisLimits()
	low := Limits{
		Axes:            [3]Axis{axis(each.X), axis(each.Y), axis(each.Z)},
		CornerTolerance: m.CornerTolerance, BlockSeconds: m.BlockMs / 1000,
		SpindleRampSeconds: m.SpindleRampSeconds,
	}
	likely, high := low, low
	likely.Lookahead = Lookahead
	high.ExactStop = true
	return ControlQuality{Low: low, Likely: likely, High: high}
}
