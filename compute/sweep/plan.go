package sweep

import (
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// plan is the work on one bundle in flat arrays for a device. Every move is straight legs, and every tool is slabs
// whose squared radius is a quadratic of the height; both are within Chord.
type plan struct {
	layout // tiles, row by row

	// Rays: the one at (i, j) starts at Origin + i·Right + j·Up and runs along Dir, all in the tool frame; mm.
	Origin, Right, Up, Dir geom.Vec3

	Slabs []planSlab
	Parts []planPart
	Zones []toolprofile.Zone // of each part
	Legs  []planLeg
	Move  []int32 // of each leg

	// The legs that may reach tile t are Leg[Start[t]:Start[t+1]], in their order.
	Start []int
	Leg   []int32
}

// planSlab is the part of a tool between the heights Z0 and Z1: a disc whose squared radius at height z is
// Bend·w² + 2·Lean·w + Square with w = z - Zero. Its radii at the ends are R0 and R1; all in mm.
type planSlab struct{ Z0, Z1, R0, R1, Zero, Bend, Lean, Square float64 }

// planPart is a part of the tool: its slabs, and whether it cuts or only touches.
type planPart struct{ First, Count, Touches, _ uint32 }

// planLeg is a straight leg of the tip in the tool frame with one part of the tool, and the relevant height of the
// tool.
type planLeg struct {
	From, By geom.Vec3 // mm
	Top      float64   // mm
	Part     float64   // its number
}

// newPlan prepares the work on a bundle; in has been checked. It fails for more than most legs.
func newPlan(in *Input, bundle, most int) (*plan, error) {
	v := newView(in, bundle)
	s := sweeper{view: &v, parts: partsOf(in, true), layout: layoutOf(v.lattice, bundle)}
	p := &plan{layout: s.layout}
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
	actions := make([]action, 0, len(legs))
	for i := range legs {
		l := &legs[i]
		actions = s.appendActions(actions, l)
		for _, a := range actions[len(p.Legs):] {
			p.Move = append(p.Move, l.move)
			p.Legs = append(p.Legs, planLeg{
				From: l.from, By: l.to.Sub(l.from), Top: v.reach(l, s.parts[a.part].high), Part: float64(a.part),
			})
		}
	}
	b := s.bin(actions)
	p.Start, p.Leg = b.start, b.action
	for i := range s.parts {
		p.addPart(&s.parts[i])
	}
	step := v.lattice.Step
	across := unit(v.b).Add(unit(v.c))
	p.Origin = v.frame.Local(v.lattice.Origin.AddScaled(0.5*step, across))
	p.Right, p.Up = v.frame.LocalDir(unit(v.b)).Scale(step), v.frame.LocalDir(unit(v.c)).Scale(step)
	p.Dir = v.frame.LocalDir(unit(bundle))
	p.snap()
	return p, nil
}

func (p *plan) addPart(k *part) {
	q := planPart{First: uint32(len(p.Slabs))}
	if k.zone != toolprofile.Cutting {
		q.Touches = 1
	}
	for _, body := range k.flat {
		for _, s := range body {
			slab := planSlab{Z0: s.z0, Z1: s.z1, R0: s.r0, R1: s.r1,
				Zero: s.z0, Bend: s.slope * s.slope, Lean: s.slope * s.r0, Square: s.r0 * s.r0}
			if s.arc {
				slab.Zero, slab.Bend, slab.Lean, slab.Square = s.h, -1, 0, s.r*s.r
			}
			p.Slabs = append(p.Slabs, slab)
		}
	}
	q.Count = uint32(len(p.Slabs)) - q.First
	p.Parts, p.Zones = append(p.Parts, q), append(p.Zones, k.zone)
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

// errTooManyLegs is the error of newPlan for work that the device has to leave to the processor.
var errTooManyLegs = tooMany{}

type tooMany struct{}

func (tooMany) Error() string { return "sweep: the moves fall into too many straight legs" }
