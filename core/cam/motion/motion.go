// Package motion defines the motion of a machine: the moves of a tool's tip, in one typed stream. Strategies write it,
// verification replays it, package timing times it and post processors print it.
//
// Points are positions of the tip in the frame of a setup, mm: its origin is the work offset of the machine, its Z
// points to the spindle. Arcs lie in the XY plane and may rise evenly along Z. Feeds are mm/min, angles rad.
//
// A stream is rounded to the printed resolution before verification (Round), so verification uses the numbers that
// reach the machine. Canned cycles stay cycles. Users without support for cycles expand them, all by one function
// (Operation.Steps, by Cycle.Expand), so that verification sees the motion of any post processor.
package motion

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Kind is the purpose of a move.
type Kind uint8

// The kinds of moves.
const (
	Rapid       Kind = iota // through the air, as fast as the machine can; straight along Z or level
	Cut                     // at the feed of the cut
	Plunge                  // straight down, at the feed of the plunge
	Ramp                    // down along a slope or a helix
	LeadIn                  // onto a cut
	LeadOut                 // off a cut
	Link                    // between cuts, at a feed and off the material
	Dwell                   // no motion: waits Seconds
	CannedCycle             // a Cycle at To
)

// Flags say more of a move.
type Flags uint8

// The flags.
const (
	ExpectedAir Flags = 1 << iota // the strategy expects no contact with material
	Finishing                     // makes a surface of the part
)

// Move takes the tip from the end of the previous move to To: along a line, or, if Turn is not 0, along an arc around
// Center. For a Canned move, X and Y of To are the hole and Z is the height to which the tip returns.
type Move struct {
	To     geom.Vec3
	Center geom.Vec2 // of an arc, XY
	// rad, of an arc: positive counter-clockwise seen from the spindle, at most a full turn; 0 = a line
	Turn    float64
	Feed    float64 // mm/min; 0 of rapids and dwells
	Seconds float64 // of a dwell
	Cycle   int32   // of a Canned move: index into Operation.Cycles
	Kind    Kind
	Flags   Flags
}

// Coolant is the coolant during an operation.
type Coolant uint8

// The coolants.
const (
	Dry Coolant = iota
	Flood
	Mist
	ThroughTool
)

// Operation is an uninterrupted sequence of moves of one tool. The tip is at Start before the first move: at the end of
// the previous operation, or, with another tool, at its position above the first move after the change.
type Operation struct {
	ID         string // of the operation of the plan
	Tool       int32  // index into the tools of the program
	SpindleRPM float64
	Coolant    Coolant
	Start      geom.Vec3
	Moves      []Move
	Cycles     []Cycle // of its Canned moves
}

// Setup is the sequence of operations in one clamping of the part. Frame maps the frame of the setup to the part's.
type Setup struct {
	Frame      geom.Frame
	Operations []Operation
}

// Segment is the path of one move with both ends, without its purpose: the path that a tool sweeps.
type Segment struct {
	From, To geom.Vec3 // mm

	// Turn (rad) is the angle of an arc, positive counter-clockwise seen from the spindle; 0 for a line. An arc turns
	// around Center, and its height rises evenly from From to To.
	Turn   float64
	Center geom.Vec2 // mm, XY
}

// At returns where the tip is after the share t of the segment.
func (s *Segment) At(t float64) geom.Vec3 {
	if s.Turn == 0 {
		return s.From.Lerp(s.To, t)
	}
	sin, cos := math.Sincos(t * s.Turn)
	x, y := s.From.X-s.Center.X, s.From.Y-s.Center.Y
	return geom.Vec3{
		X: s.Center.X + cos*x - sin*y, Y: s.Center.Y + sin*x + cos*y,
		Z: s.From.Z + t*(s.To.Z-s.From.Z),
	}
}

// Length returns the length of the tip's path, mm.
func (s *Segment) Length() float64 {
	if s.Turn == 0 {
		return s.From.Dist(s.To)
	}
	return math.Hypot(s.Turn*s.Radius(), s.To.Z-s.From.Z)
}

// Radius returns the radius of an arc at its start, mm.
func (s *Segment) Radius() float64 { return math.Hypot(s.From.X-s.Center.X, s.From.Y-s.Center.Y) }

// Tangent returns the unit direction of travel at the share t of the segment; zero for one without length.
func (s *Segment) Tangent(t float64) geom.Vec3 {
	d := s.To.Sub(s.From)
	if s.Turn != 0 {
		at := s.At(t)
		d.X, d.Y = -s.Turn*(at.Y-s.Center.Y), s.Turn*(at.X-s.Center.X)
	}
	if n := d.Norm(); n > 0 {
		return d.Scale(1 / n)
	}
	return geom.Vec3{}
}

// Step is a segment with the move that it comes from.
type Step struct {
	Segment
	Kind    Kind
	Flags   Flags
	Move    int32   // index into Operation.Moves
	Feed    float64 // mm/min; 0 of rapids and dwells
	Seconds float64 // of a dwell, whose segment has no length
}

// Steps calls visit for each segment of the operation in turn, cycles expanded, until it returns false.
func (o *Operation) Steps(visit func(Step) bool) {
	at := o.Start
	var expanded []Move
	for i := range o.Moves {
		expanded = append(expanded[:0], o.Moves[i])
		if o.Moves[i].Kind == CannedCycle {
			expanded = o.Cycles[o.Moves[i].Cycle].Expand(expanded[:0], at, o.Moves[i])
		}
		for _, m := range expanded {
			s := Step{
				Segment: Segment{From: at, To: m.To, Turn: m.Turn, Center: m.Center},
				Kind:    m.Kind, Flags: m.Flags, Move: int32(i), Feed: m.Feed, Seconds: m.Seconds,
			}
			if m.Kind == Dwell {
				s.To = at
			}
			if !visit(s) {
				return
			}
			at = s.To
		}
	}
}

// End returns where the tip is after the last move.
func (o *Operation) End() geom.Vec3 {
	for i := len(o.Moves) - 1; i >= 0; i-- {
		if o.Moves[i].Kind != Dwell {
			return o.Moves[i].To
		}
	}
	return o.Start
}
