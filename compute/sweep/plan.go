package sweep

import (
	"millwright/core/geom"
)

// plan is the work on one bundle in the flat form that a device wants: every move as straight legs, and every
// tool as slabs whose squared radius is a quadratic of the height, both within Chord.
type plan struct {
	Columns, Rows int // of rays
	Across, Down  int // tiles, row by row

	// Rays: the one at (i, j) starts at Origin + i·Right + j·Up and runs along Dir, all in the tool frame; mm.
	Origin, Right, Up, Dir geom.Vec3

	Slabs []planSlab
	Legs  []planLeg
	Move  []int32 // of each leg

	// The legs that may reach tile t are Leg[Start[t]:Start[t+1]], in their order.
	Start []int
	Leg   []int32
}

// planSlab is the part of a tool between the heights Z0 and Z1: a disc whose squared radius at height z is
// Bend·w² + 2·Lean·w + Square with w = z - Zero. Its radii at the ends are R0 and R1; all in mm.
type planSlab struct{ Z0, Z1, R0, R1, Zero, Bend, Lean, Square float64 }

// planLeg is a straight leg of the tip in the tool frame, and the part of the tool's height that matters.
type planLeg struct {
	From, By geom.Vec3 // mm
	Top      float64   // mm
	_        float64   // fills the record up to what shaders read at once
}

// newPlan prepares the work on a bundle; in has been checked. It fails for more than most legs.
func newPlan(in *Input, bundle, most int) (*plan, error) {
	v := newView(in, bundle)
	s := sweeper{view: &v, bodies: bodies(in.Tool), radius: in.Tool.MaxRadius(), height: in.Tool.Top()}
	s.layout()
	p := &plan{Columns: s.columns, Rows: s.rows, Across: s.across, Down: s.down}
	var legs []leg
	for i := range in.Moves {
		var err error
		if legs, err = appendLegs(legs, &in.Moves[i], int32(i), false); err != nil {
			return nil, err
		}
		if len(legs) > most {
			return nil, errTooManyLegs
		}
	}
	actions := make([]action, len(legs))
	for i := range legs {
		l := &legs[i]
		actions[i] = v.newAction(l, s.radius, s.height)
		p.Move = append(p.Move, l.move)
		p.Legs = append(p.Legs, planLeg{From: l.from, By: l.to.Sub(l.from), Top: v.reach(l, s.height)})
	}
	b := s.bin(actions)
	p.Start, p.Leg = b.start, b.action
	for i := range s.bodies {
		for _, k := range s.bodies[i].flattened() {
			q := planSlab{Z0: k.z0, Z1: k.z1, R0: k.r0, R1: k.r1,
				Zero: k.z0, Bend: k.slope * k.slope, Lean: k.slope * k.r0, Square: k.r0 * k.r0}
			if k.arc {
				q.Zero, q.Bend, q.Lean, q.Square = k.h, -1, 0, k.r*k.r
			}
			p.Slabs = append(p.Slabs, q)
		}
	}
	step := v.lattice.Step
	across := unit(v.b).Add(unit(v.c))
	p.Origin = v.frame.Local(v.lattice.Origin.AddScaled(0.5*step, across))
	p.Right, p.Up = v.frame.LocalDir(unit(v.b)).Scale(step), v.frame.LocalDir(unit(v.c)).Scale(step)
	p.Dir = v.frame.LocalDir(unit(bundle))
	p.snap()
	return p, nil
}

// snap makes rays exactly parallel or perpendicular to the tool that are so to rounding.
func (p *plan) snap() {
	for _, c := range []*float64{&p.Dir.X, &p.Dir.Y, &p.Dir.Z} {
		switch {
		case *c <= parallel && *c >= -parallel:
			*c = 0
		case *c >= 1-parallel:
			*c = 1
		case *c <= parallel-1:
			*c = -1
		}
	}
}

// errTooManyLegs is what newPlan answers when the device has to leave the work to the processor.
var errTooManyLegs = tooMany{}

type tooMany struct{}

func (tooMany) Error() string { return "sweep: the moves fall into too many straight legs" }
