package verifytest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"millwright/core/geom"
	"millwright/core/motion"
)

// mutation spoils a program. At names the operations of Made in which it does harm: elsewhere the same change may be
// right, as where 0.2 mm are left for later.
type mutation struct {
	name  string
	at    []string
	spoil func(*rand.Rand, *Program, *motion.Operation)
}

var mutations = []mutation{
	{"0.05 mm too deep", []string{"face", "floor", "wall", "underside"}, func(
		_ *rand.Rand, _ *Program, o *motion.Operation,
	) {
		shift(o, geom.Vec3{Z: -0.05})
	}},
	{"one move 0.05 mm too deep", []string{"face", "floor", "underside"}, tooDeep},
	{"0.1 mm to the side", []string{"outside", "wall", "hole"}, func(r *rand.Rand, _ *Program, o *motion.Operation) {
		way := 0.1 * float64(1-2*r.IntN(2))
		if r.IntN(2) == 0 {
			shift(o, geom.Vec3{X: way})
		} else {
			shift(o, geom.Vec3{Y: way})
		}
	}},
	{"the next larger tool", []string{"outside", "pocket", "floor", "wall", "hole"}, func(
		_ *rand.Rand, p *Program, o *motion.Operation,
	) {
		larger := p.Plan.Tools[o.Tool]
		larger.Tool.Diameter *= 1.25 // the next of the series R10
		larger.Tool.ShankDiameter *= 1.25
		o.Tool = int32(len(p.Plan.Tools))
		p.Plan.Tools = append(p.Plan.Tools, larger)
	}},
	{"a retract removed", []string{"outside"}, noRetract},
	{"an arc the other way", []string{"outside", "wall"}, func(r *rand.Rand, _ *Program, o *motion.Operation) {
		m := &o.Moves[pick(r, o, func(m *motion.Move) bool { return m.Turn != 0 })]
		m.Turn -= math.Copysign(2*math.Pi, m.Turn)
	}},
	{"the feed plane lost", []string{"pocket", "floor", "hole"}, func(r *rand.Rand, _ *Program, o *motion.Operation) {
		if len(o.Cycles) > 0 {
			o.Cycles[0].Retract = o.Cycles[0].Bottom + 1
			return
		}
		m := &o.Moves[pick(r, o, func(m *motion.Move) bool { return m.Kind == motion.Plunge })]
		m.Kind, m.Feed = motion.Rapid, 0
	}},
	{"the length of another tool", []string{"outside", "pocket", "floor", "wall", "hole", "underside"}, func(
		r *rand.Rand, p *Program, o *motion.Operation,
	) {
		others := slices.DeleteFunc([]int32{wide, narrow, drill}, func(t int32) bool {
			return p.Plan.Tools[t].Stickout == p.Plan.Tools[o.Tool].Stickout
		})
		other := others[r.IntN(len(others))]
		shift(o, geom.Vec3{Z: p.Plan.Tools[other].Stickout - p.Plan.Tools[o.Tool].Stickout})
	}},
	{"a holder 10 mm longer", []string{"outside", "pocket", "hole"}, func(_ *rand.Rand, p *Program, o *motion.Operation) {
		t := &p.Plan.Tools[o.Tool]
		t.Tool.BodyLength -= 10
		t.Stickout -= 10
	}},
	{"jaws 10 mm higher", []string{"outside", "underside"}, func(_ *rand.Rand, p *Program, o *motion.Operation) {
		for i := range p.Plan.Setups {
			if slices.ContainsFunc(p.Set.Setups[i].Operations, func(k motion.Operation) bool { return k.ID == o.ID }) {
				for k := range p.Plan.Setups[i].Hold.Solid {
					p.Plan.Setups[i].Hold.Solid[k].Max.Z += 10
				}
			}
		}
	}},
	{"a rapid past a corner that is clear only if straight", []string{"outside"}, func(
		_ *rand.Rand, _ *Program, o *motion.Operation,
	) {
		PastCorner(o)
	}},
	{"the stock 1 mm aside", []string{"face"}, func(r *rand.Rand, p *Program, _ *motion.Operation) {
		off := geom.Vec3{X: float64(1 - 2*r.IntN(2))}
		if r.IntN(2) == 0 {
			off = geom.Vec3{Y: off.X}
		}
		p.Plan.Stock.Min, p.Plan.Stock.Max = p.Plan.Stock.Min.Add(off), p.Plan.Stock.Max.Add(off)
	}},
}

// Mutant returns a copy of the program of Made with something wrong in it, and what: the kinds in turn, the place by
// the seed. Each is harmful.
func Mutant(made *Program, seed int) (*Program, string) {
	m := &mutations[seed%len(mutations)]
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	p := made.Clone()
	at := m.at[r.IntN(len(m.at))]
	for i := range p.Set.Setups {
		for k := range p.Set.Setups[i].Operations {
			if o := &p.Set.Setups[i].Operations[k]; o.ID == at {
				m.spoil(r, p, o)
				*o = o.Round()
			}
		}
	}
	return p, fmt.Sprintf("%s: %s", at, m.name)
}

// Clone returns a copy that shares only the part.
func (p *Program) Clone() *Program {
	plan, set := *p.Plan, *p.Set
	plan.Tools, plan.Setups = slices.Clone(plan.Tools), slices.Clone(plan.Setups)
	for i := range plan.Setups {
		plan.Setups[i].Hold.Solid = slices.Clone(plan.Setups[i].Hold.Solid)
	}
	set.Setups = slices.Clone(set.Setups)
	for i := range set.Setups {
		s := &set.Setups[i]
		s.Operations = slices.Clone(s.Operations)
		for k := range s.Operations {
			o := &s.Operations[k]
			o.Moves, o.Cycles = slices.Clone(o.Moves), slices.Clone(o.Cycles)
		}
	}
	return &Program{Plan: &plan, Set: &set, Part: p.Part, Travel: p.Travel}
}

// pick returns a move that is as it should be.
func pick(r *rand.Rand, o *motion.Operation, is func(*motion.Move) bool) int {
	var all []int
	for i := range o.Moves {
		if is(&o.Moves[i]) {
			all = append(all, i)
		}
	}
	return all[r.IntN(len(all))]
}

// shift moves an operation.
func shift(o *motion.Operation, by geom.Vec3) {
	o.Start = o.Start.Add(by)
	for i := range o.Moves {
		m := &o.Moves[i]
		m.To = m.To.Add(by)
		m.Center = geom.Vec2{X: m.Center.X + by.X, Y: m.Center.Y + by.Y}
	}
	for i := range o.Cycles {
		o.Cycles[i].Retract += by.Z
		o.Cycles[i].Bottom += by.Z
	}
}

// tooDeep lets one of the deepest straight cuts end too deep.
func tooDeep(r *rand.Rand, _ *Program, o *motion.Operation) {
	low := math.Inf(1)
	for i := range o.Moves {
		low = min(low, o.Moves[i].To.Z)
	}
	k := pick(r, o, func(m *motion.Move) bool { return m.Kind == motion.Cut && m.Turn == 0 && m.To.Z == low })
	o.Moves[k].To.Z -= 0.05
}

// noRetract takes away a rapid upwards before one that goes on from there.
func noRetract(r *rand.Rand, _ *Program, o *motion.Operation) {
	var all []int
	for i := 1; i+1 < len(o.Moves); i++ {
		up := o.Moves[i].Kind == motion.Rapid && o.Moves[i].To.Z > o.Moves[i-1].To.Z
		if up && o.Moves[i+1].Kind == motion.Rapid {
			all = append(all, i)
		}
	}
	k := all[r.IntN(len(all))]
	o.Moves = slices.Delete(o.Moves, k, k+1)
}

// PastCorner lets an operation of the first setup begin with a way round: level past a corner of the block, below its
// top, by 124 mm along X and 80 along Y. The axes of many a control go as fast as each other until one is there, and so
// into the block.
func PastCorner(o *motion.Operation) {
	const low = -5
	high := o.Start.Z
	way := []motion.Move{}
	for _, to := range []geom.Vec3{
		{X: 60, Y: 90, Z: high}, {X: 60, Y: 90, Z: low}, {X: -64, Y: 10, Z: low}, {X: -64, Y: 10, Z: high}, o.Start,
	} {
		way = append(way, motion.Move{Kind: motion.Rapid, To: to})
	}
	o.Moves = append(way, o.Moves...)
}

// Neutral returns a copy of a program that goes the same ways otherwise: some lines in two, some arcs in two, some
// cycles as moves, and with dwells.
func Neutral(made *Program, seed int) *Program {
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	p := made.Clone()
	for i := range p.Set.Setups {
		for k := range p.Set.Setups[i].Operations {
			o := &p.Set.Setups[i].Operations[k]
			*o = parted(r, o)
		}
	}
	return p
}

// parted returns an operation some of whose moves are two.
func parted(r *rand.Rand, o *motion.Operation) motion.Operation {
	out := *o
	out.Moves = nil
	at := o.Start
	for _, m := range o.Moves {
		switch {
		case r.IntN(2) == 0:
		case m.Kind == motion.Canned:
			out.Moves = o.Cycles[m.Cycle].Expand(out.Moves, at, m)
			at = m.To
			continue
		case m.Kind != motion.Dwell:
			first, share := m, 0.1+0.8*r.Float64()
			way := motion.Segment{From: at, To: m.To, Turn: m.Turn, Center: m.Center}
			first.To, first.Turn = way.At(share), m.Turn*share
			m.Turn -= first.Turn
			out.Moves = append(out.Moves, first, motion.Move{Kind: motion.Dwell, To: first.To, Seconds: 0.1})
		}
		out.Moves = append(out.Moves, m)
		at = m.To
	}
	if !slices.ContainsFunc(out.Moves, func(m motion.Move) bool { return m.Kind == motion.Canned }) {
		out.Cycles = nil
	}
	return out.Round()
}
