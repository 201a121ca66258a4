package motion

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// Resolution (mm) is the resolution of printed coordinates.
	Resolution = 1e-3
	// feedResolution (mm/min) is the resolution of printed feeds.
	feedResolution = 0.1
	// secondsResolution (s) is the resolution of printed dwells.
	secondsResolution = 1e-3
)

// to returns v as a post prints it: the nearest multiple of step, which is one part of a whole number.
func to(v, step float64) float64 {
	parts := math.Round(1 / step)
	// Dividing gives the double nearest to the decimal that is printed, multiplying would not; adding 0 makes a plain
	// zero of minus zero, which would print a sign.
	return math.Round(v*parts)/parts + 0
}

func round3(p geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: to(p.X, Resolution), Y: to(p.Y, Resolution), Z: to(p.Z, Resolution)}
}

// Round returns the operation in the numbers that post processors print. Ends move by at most half of Resolution along
// each axis. The center of an arc is rounded to a point equally far from both ends, up to arcMargin; controls allow 5
// µm. Arcs whose sagitta is less than half of Resolution become lines, and moves of zero length are dropped.
func (o *Operation) Round() Operation {
	r := *o
	r.SpindleRPM = math.Round(o.SpindleRPM)
	r.Start = round3(o.Start)
	r.Moves = make([]Move, 0, len(o.Moves))
	r.Cycles = make([]Cycle, len(o.Cycles))
	for i, c := range o.Cycles {
		r.Cycles[i] = Cycle{
			Kind: c.Kind, Retract: to(c.Retract, Resolution), Bottom: to(c.Bottom, Resolution),
			Peck: to(c.Peck, Resolution), Dwell: to(c.Dwell, secondsResolution), Pitch: c.Pitch,
		}
	}
	at := r.Start
	for _, m := range o.Moves {
		m.Feed = to(m.Feed, feedResolution)
		switch m.Kind {
		case Dwell:
			m.To, m.Seconds = at, to(m.Seconds, secondsResolution)
		case CannedCycle:
			m.To = round3(m.To)
		default:
			m.To = round3(m.To)
			if m.Turn != 0 {
				refit(at, &m)
			}
			if m.Turn == 0 && m.To == at {
				continue
			}
		}
		r.Moves = append(r.Moves, m)
		at = m.To
	}
	return r
}

// arcMargin (mm) is the largest difference between the distances of an arc's rounded ends from its rounded center.
const arcMargin = 1.5 * Resolution

// leastRadius (mm) is the radius of the smallest arc that is kept: controls refuse those whose ends and center print as
// all but one point (LinuxCNC: 0.00127 mm).
const leastRadius = 2 * Resolution

// refit puts an arc whose end is rounded into printed numbers; it may become a line.
func refit(from geom.Vec3, m *Move) {
	a, b := geom.Vec2{X: from.X, Y: from.Y}, geom.Vec2{X: m.To.X, Y: m.To.Y}
	center := printedCenter(a, b, m.Center)
	p, q := a.Sub(center), b.Sub(center)
	turn := math.Atan2(p.Cross(q), p.Dot(q))
	// The angle is known up to full turns: take the one nearest to the requested angle.
	turn += 2 * math.Pi * math.Round((m.Turn-turn)/(2*math.Pi))
	if math.Abs(turn) > 2*math.Pi {
		// Rounding moved the end past the start, so that a control would add a turn: end at the start.
		m.To.X, m.To.Y, turn = a.X, a.Y, math.Copysign(2*math.Pi, turn)
	}
	if sagitta := p.Norm() * (1 - math.Cos(turn/2)); turn*m.Turn <= 0 || sagitta < Resolution/2 ||
		min(p.Norm(), q.Norm()) < leastRadius {
		center, turn = geom.Vec2{}, 0
	}
	m.Center, m.Turn = center, turn
}

// printedCenter returns the printed point near c that is best as the center of an arc from a to b: as far from one as
// from the other, and near c.
func printedCenter(a, b, c geom.Vec2) geom.Vec2 {
	miss := func(p geom.Vec2) float64 { return math.Abs(p.Dist(a) - p.Dist(b)) }
	near := geom.Vec2{X: to(c.X, Resolution), Y: to(c.Y, Resolution)}
	if near == c && miss(c) <= arcMargin {
		return c // rounding is idempotent
	}
	best, least := near, math.Inf(1)
	const around = 2 // steps, as the ends are half of one off, and count twice where they face each other
	for i := -around; i <= around; i++ {
		for j := -around; j <= around; j++ {
			p := geom.Vec2{
				X: to(near.X+float64(i)*Resolution, Resolution),
				Y: to(near.Y+float64(j)*Resolution, Resolution),
			}
			if cost := miss(p) + p.Dist(c)/2; cost < least {
				best, least = p, cost
			}
		}
	}
	return best
}
