package timing

import "millwright.dev/millwright/core/cam/machining"

// ControlQuality is how good a control is at its limits: between them a real machine lies.
type ControlQuality struct {
	Low    Limits // looks ahead over the whole program
	Likely Limits // over Lookahead blocks
	High   Limits // stops at every corner
}

// Lookahead is how many blocks a control is taken to look ahead: an assumption, as machines seldom state it.
const Lookahead = 80

// Compute returns what a machine can do.
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
