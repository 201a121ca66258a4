package verifytest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// mutation introduces an error into an operation of a program, or into its data, and reports whether it could. The
// field at names the operations of Made in which the error is harmful: elsewhere the same change may be right, as where
// 0.2 mm are left for later.
type mutation struct {
	name  string
	at    []string
	spoil func(*rand.Rand, *Program, *motion.Operation) bool
}

var mutations = []mutation{
	{"0.05 mm too deep", []string{"face", "floor", "wall", "underside"}, func(
		_ *rand.Rand, _ *Program, o *motion.Operation,
	) bool {
		return shift(o, geom.Vec3{Z: -0.05})
	}},
	{"one move 0.05 mm too deep", []string{"face", "floor", "underside"}, tooDeep},
	{"0.1 mm to the side", []string{"outside", "wall", "hole"}, func(
		r *rand.Rand, _ *Program, o *motion.Operation,
	) bool {
		way := 0.1 * float64(1-2*r.IntN(2))
		if r.IntN(2) == 0 {
			return shift(o, geom.Vec3{X: way})
		}
		return shift(o, geom.Vec3{Y: way})
	}},
	{"the next larger tool", []string{"outside", "pocket", "floor", "wall", "hole"}, largerTool},
	{"a retract removed", []string{"outside"}, noRetract},
	{"an arc the other way", []string{"outside", "wall"}, func(r *rand.Rand, _ *Program, o *motion.Operation) bool {
		m := pick(r, o, func(m *motion.Move) bool { return m.Turn != 0 })
		if m != nil {
			m.Turn -= math.Copysign(2*math.Pi, m.Turn)
		}
		return m != nil
	}},
	{"the feed plane lost", []string{"pocket", "floor", "hole"}, noFeedPlane},
	{"the length of another tool", []string{"outside", "pocket", "floor", "wall", "hole", "underside"}, otherLength},
	{"a holder 10 mm longer", []string{"outside", "pocket", "hole"}, func(
		_ *rand.Rand, p *Program, o *motion.Operation,
	) bool {
		t := &p.Plan.Tools[o.Tool]
		t.Tool.BodyLength -= 10
		t.Stickout -= 10
		return t.Tool.BodyLength >= t.Tool.FluteLength // the holder has no flutes
	}},
	{"jaws 10 mm higher", []string{"outside", "underside"}, func(_ *rand.Rand, p *Program, o *motion.Operation) bool {
		hold := &p.Plan.Setups[p.setupOf(o)].Clamping
		for k := range hold.Solid {
			hold.Solid[k].Max.Z += 10
		}
		return len(hold.Solid) > 0
	}},
	{"a rapid past a corner that is clear only if straight", []string{"outside"}, func(
		_ *rand.Rand, _ *Program, o *motion.Operation,
	) bool {
		PastCorner(o)
		return true
	}},
	{"the stock 1 mm aside", []string{"face"}, func(r *rand.Rand, p *Program, _ *motion.Operation) bool {
		off := geom.Vec3{X: float64(1 - 2*r.IntN(2))}
		if r.IntN(2) == 0 {
			off = geom.Vec3{Y: off.X}
		}
		p.Plan.Stock.Min, p.Plan.Stock.Max = p.Plan.Stock.Min.Add(off), p.Plan.Stock.Max.Add(off)
		return true
	}},
}

// Mutant returns a copy of the program of Made with an error, and its description: the kinds in turn, the position by
// the seed. Each is harmful.
func Mutant(made *Program, seed int) (*Program, string) {
	m := &mutations[seed%len(mutations)]
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	p := made.Clone()
	at := m.at[r.IntN(len(m.at))]
	for _, o := range p.operations() {
		if o.ID == at {
			m.spoil(r, p, o)
			*o = o.Round()
		}
	}
	return p, fmt.Sprintf("%s: %s", at, m.name)
}

// AnyMutant returns a copy of any program with a change that may or may not be harmful, its description and its
// position: the kinds of Mutant in turn, in an operation that they apply to. Without such an operation ok is false.
func AnyMutant(made *Program, seed int) (p *Program, what, where string, ok bool) {
	m := &mutations[seed%len(mutations)]
	r := rand.New(rand.NewPCG(uint64(seed), 3))
	count := len(made.operations())
	for _, k := range r.Perm(count) {
		p = made.Clone()
		o := p.operations()[k]
		if o.ID != "" && len(o.Moves) > 0 && m.spoil(r, p, o) {
			*o = o.Round()
			p.join()
			return p, m.name, o.ID, true
		}
	}
	return nil, m.name, "", false
}

// join leads tools that stay in the spindle to where their next operation begins.
func (p *Program) join() {
	for i := range p.Set.Setups {
		ops := p.Set.Setups[i].Operations
		for k := 1; k < len(ops); k++ {
			last, o := &ops[k-1], &ops[k]
			if end := last.End(); last.Tool == o.Tool && end != o.Start {
				o.Moves = append([]motion.Move{{Kind: motion.Rapid, To: o.Start}}, o.Moves...)
				o.Start = end
			}
		}
	}
}

func (p *Program) operations() (all []*motion.Operation) {
	for i := range p.Set.Setups {
		for k := range p.Set.Setups[i].Operations {
			all = append(all, &p.Set.Setups[i].Operations[k])
		}
	}
	return all
}

// setupOf returns the index of the setup of an operation.
func (p *Program) setupOf(o *motion.Operation) int {
	return slices.IndexFunc(p.Set.Setups, func(s motion.Setup) bool {
		return slices.ContainsFunc(s.Operations, func(k motion.Operation) bool { return k.ID == o.ID })
	})
}

func largerTool(_ *rand.Rand, p *Program, o *motion.Operation) bool {
	larger := p.Plan.Tools[o.Tool]
	larger.Tool.Diameter *= 1.25 // the next of the series R10
	larger.Tool.ShankDiameter *= 1.25
	for _, t := range p.Plan.Tools {
		larger.Number = max(larger.Number, t.Number+1)
	}
	o.Tool = int32(len(p.Plan.Tools))
	p.Plan.Tools = append(p.Plan.Tools, larger)
	return true
}

// noFeedPlane begins to feed too low, or never.
func noFeedPlane(r *rand.Rand, _ *Program, o *motion.Operation) bool {
	if len(o.Cycles) > 0 {
		o.Cycles[0].Retract = o.Cycles[0].Bottom + 1
		return true
	}
	m := pick(r, o, func(m *motion.Move) bool { return m.Kind == motion.Plunge })
	if m != nil {
		m.Kind, m.Feed = motion.Rapid, 0
	}
	return m != nil
}

// otherLength acts like a control that uses the length of another tool.
func otherLength(r *rand.Rand, p *Program, o *motion.Operation) bool {
	var off []float64
	for _, t := range p.Plan.Tools {
		if d := t.Stickout - p.Plan.Tools[o.Tool].Stickout; d != 0 {
			off = append(off, d)
		}
	}
	return len(off) > 0 && shift(o, geom.Vec3{Z: off[r.IntN(len(off))]})
}

// Clone returns a copy that shares only the part.
func (p *Program) Clone() *Program {
	plan, set := *p.Plan, *p.Set
	plan.Tools, plan.Setups = slices.Clone(plan.Tools), slices.Clone(plan.Setups)
	for i := range plan.Setups {
		plan.Setups[i].Clamping.Solid = slices.Clone(plan.Setups[i].Clamping.Solid)
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

// pick returns a random move for which is returns true, or nil.
func pick(r *rand.Rand, o *motion.Operation, is func(*motion.Move) bool) *motion.Move {
	var all []*motion.Move
	for i := range o.Moves {
		if is(&o.Moves[i]) {
			all = append(all, &o.Moves[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[r.IntN(len(all))]
}

// shift moves an operation.
func shift(o *motion.Operation, by geom.Vec3) bool {
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
	return true
}

// tooDeep makes one of the deepest straight cuts end too deep.
func tooDeep(r *rand.Rand, _ *Program, o *motion.Operation) bool {
	low := math.Inf(1)
	for i := range o.Moves {
		low = min(low, o.Moves[i].To.Z)
	}
	m := pick(r, o, func(m *motion.Move) bool { return m.Kind == motion.Cut && m.Turn == 0 && m.To.Z == low })
	if m != nil {
		m.To.Z -= 0.05
	}
	return m != nil
}

// noRetract removes an upward rapid before a move that continues from there.
func noRetract(r *rand.Rand, _ *Program, o *motion.Operation) bool {
	var all []int
	for i := 1; i+1 < len(o.Moves); i++ {
		up := o.Moves[i].Kind == motion.Rapid && o.Moves[i].To.Z > o.Moves[i-1].To.Z
		if up && o.Moves[i+1].Kind == motion.Rapid {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return false
	}
	k := all[r.IntN(len(all))]
	o.Moves = slices.Delete(o.Moves, k, k+1)
	return true
}

// PastCorner makes an operation of the first setup start with a detour: level past a corner of the block, below its
// top, by 124 mm along X and 80 along Y. The axes of many controls move at equal speed until one arrives, and so into
// the block.
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

// Neutral returns a copy of a program with the same paths in another form: some lines in two, some arcs in two, some
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

// parted returns an operation with some of its moves split in two.
func parted(r *rand.Rand, o *motion.Operation) motion.Operation {
	out := *o
	out.Moves = nil
	at := o.Start
	for _, m := range o.Moves {
		switch {
		case r.IntN(2) == 0:
		case m.Kind == motion.CannedCycle:
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
	if !slices.ContainsFunc(out.Moves, func(m motion.Move) bool { return m.Kind == motion.CannedCycle }) {
		out.Cycles = nil
	}
	return out.Round()
}
