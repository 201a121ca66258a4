package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
)

// setup is the replay of one clamping.
type setup struct {
	*replay
	index    int
	plan     *planning.Setup
	inWork   geom.Frame      // of the setup; maps to the workpiece frame
	surface  removal.Surface // the part from the spindle's side
	top      float64         // mm, of the part in the frame of the setup
	passages []*passage

	before, after *dexel.Stock
}

func newSetup(r *replay, index int) *setup {
	frame := r.Set.Setups[index].Frame
	s := &setup{
		replay: r, index: index, plan: &r.Plan.Setups[index], inWork: compose(r.Plan.Workpiece, frame),
		top: math.Inf(-1),
	}
	for _, p := range r.Part.Points {
		s.top = max(s.top, frame.Local(p).Z)
	}
	ops := r.Set.Setups[index].Operations
	var last *motion.Operation
	for i := range ops {
		s.passages = append(s.passages, newPassage(s, i, last))
		last = &ops[i]
	}
	return s
}

// pass finds where the tools come too near to the part or to its clamping.
func (s *setup) pass(ctx context.Context) error {
	var err error
	if s.surface, err = s.Mill.Over(ctx, s.Part, s.Set.Setups[s.index].Frame); err != nil {
		return fmt.Errorf("setup %d: %w", s.index+1, err)
	}
	for _, p := range s.passages {
		if err = p.clear(ctx); err == nil {
			err = p.jaws(ctx)
		}
		if err != nil {
			return fmt.Errorf("setup %d: operation %s: %w", s.index+1, p.plan.ID, err)
		}
	}
	return nil
}

// judge adds the findings of the setup.
func (s *setup) judge(ctx context.Context) error {
	for _, p := range s.passages {
		p.touches()
		for _, n := range p.near {
			p.note(n.kind, n.step, n.share, n.depth)
		}
	}
	s.travel()
	if err := s.gouges(ctx); err != nil {
		return err
	}
	s.report()
	return nil
}

// passage is an operation that is replayed.
type passage struct {
	*setup
	plan *planning.Operation
	op   *motion.Operation
	tool *tool
	// with expanded cycles; moves that the control adds have the previous or next move of the operation
	steps []motion.Step
	bits  []bit // simulated moves: the steps, long ones divided
	met   removal.CutResult
	rays  map[ray]int // rays cut into, from the session, with the number of the first step from 1
	near  []noted     // notes from the part and its clamping
	worst map[Kind]*Finding
	moves map[Kind]map[int]bool
}

// bit is the range of a step that is judged at once.
type bit struct {
	motion.Segment
	step int
}

// noted is an error of a step at a share of its path.
type noted struct {
	kind         Kind
	step         int
	share, depth float64
}

// ray names a ray of the lattice.
type ray struct{ axis, number int }

func newPassage(s *setup, i int, last *motion.Operation) *passage {
	op := &s.Set.Setups[s.index].Operations[i]
	p := &passage{
		setup: s, plan: &s.Plan.Setups[s.index].Operations[i], op: op, tool: s.tools[op.Tool],
		worst: map[Kind]*Finding{}, moves: map[Kind]map[int]bool{}, rays: map[ray]int{},
	}
	if last != nil && last.Tool == op.Tool {
		p.rapid(last.End(), op.Start, -1)
	} else { // after a change the tool comes down from above
		p.rapid(geom.Vec3{X: op.Start.X, Y: op.Start.Y, Z: max(s.plan.Safe, op.Start.Z)}, op.Start, -1)
	}
	op.Steps(func(step motion.Step) bool {
		if step.Kind == motion.Rapid && step.Turn == 0 {
			p.rapid(step.From, step.To, step.Move)
		} else if step.Length() > 0 {
			p.steps = append(p.steps, step)
		}
		return true
	})
	end := op.End()
	p.rapid(end, geom.Vec3{X: end.X, Y: end.Y, Z: max(s.plan.Safe, end.Z)}, int32(len(op.Moves)))
	return p
}

// rapid appends a rapid. Below the height at which rapids are free it must be along Z or level, since the path of other
// rapids depends on the control. A level oblique rapid is also tested on controls that do not coordinate the axes: each
// axis moves at its own speed until the first arrives, and the other continues alone.
func (p *passage) rapid(from, to geom.Vec3, move int32) {
	if from == to {
		return
	}
	add := func(from, to geom.Vec3) {
		p.steps = append(p.steps,
			motion.Step{Segment: motion.Segment{From: from, To: to}, Kind: motion.Rapid, Move: move})
	}
	add(from, to)
	dx, dy := to.X-from.X, to.Y-from.Y
	switch {
	case min(from.Z, to.Z) >= p.setup.plan.Safe:
	case math.Abs(to.Z-from.Z) > snap:
		if math.Hypot(dx, dy) > snap {
			p.note(RapidCollision, len(p.steps)-1, 1, 0)
		}
	case math.Abs(dx) > snap && math.Abs(dy) > snap:
		fast := geom.Vec2{X: cmp.Or(p.RapidX, 1), Y: cmp.Or(p.RapidY, 1)}
		first := min(math.Abs(dx)/fast.X, math.Abs(dy)/fast.Y)
		knee := from.Add(geom.Vec3{X: math.Copysign(first*fast.X, dx), Y: math.Copysign(first*fast.Y, dy)})
		add(from, knee)
		add(knee, to)
	}
}

// cut has the operation done.
func (p *passage) cut(ctx context.Context) error {
	c := removal.ToolMotion{Tool: &p.tool.swept, Frame: p.inWork}
	p.divide()
	for i := range p.bits {
		c.Moves = append(c.Moves, p.bits[i].Segment)
	}
	var err error
	if p.met, err = p.session.Cut(ctx, c); err != nil {
		return err
	}
	for _, g := range p.met.Gouges {
		if r := (ray{g.Axis, g.Ray}); p.rays[r] == 0 {
			p.rays[r] = p.bits[g.Move].step + 1
		}
	}
	return nil
}

// divide splits the steps whose tool body is within the stock into segments no longer than the tool's width. Grazing is
// judged over the shadow of the tool, and rounding grows with the path.
func (p *passage) divide() {
	low := math.Inf(1)
	for i, k := range p.tool.assembly.Outline {
		if p.tool.assembly.Zones[i] != toolprofile.Cutting {
			low = min(low, k.From.Y)
		}
	}
	for i := range p.steps {
		s, n := p.steps[i].Segment, 1
		if min(s.From.Z, s.To.Z)+low < p.setup.plan.Before.Max.Z && p.steps[i].Kind != motion.Rapid {
			n = max(1, int(math.Ceil(s.Length()/(2*p.tool.radius))))
		}
		for k := range n {
			from, to := float64(k)/float64(n), float64(k+1)/float64(n)
			b := bit{s, i}
			b.Turn /= float64(n)
			if k > 0 {
				b.From = s.At(from)
			}
			if k < n-1 {
				b.To = s.At(to)
			}
			p.bits = append(p.bits, b)
		}
	}
}

// touches finds rapids that remove material, and collisions of neck, shank and holder.
func (p *passage) touches() {
	limit := rub * p.tool.area(toolprofile.Cutting)
	for i, v := range p.met.Removed {
		p.proof.RemovedVolume += v
		if step := p.bits[i].step; v > limit && p.steps[step].Kind == motion.Rapid {
			p.note(RapidCollision, step, 1, v)
		}
	}
	for zone, volumes := range p.met.Touched {
		if volumes == nil {
			continue
		}
		kind := ShankCollision
		if toolprofile.Zone(zone) == toolprofile.Holder {
			kind = HolderCollision
		}
		p.rubs(kind, toolprofile.Zone(zone), volumes)
	}
}

// rubs finds contact of a zone with material, large in one stretch or small in many. Rounding can cause a small contact
// on fresh surface in each of many stretches, so the permitted sum grows with the path.
func (p *passage) rubs(kind Kind, zone toolprofile.Zone, volumes []float64) {
	area := p.tool.area(zone)
	limit, sum, way, worst := rub*area, 0.0, 0.0, 0
	for i, v := range volumes {
		sum += v
		way += p.bits[i].Length()
		if v > volumes[worst] {
			worst = i
		}
		if v > limit {
			p.note(kind, p.bits[i].step, 1, v)
		}
	}
	if p.worst[kind] == nil && sum > limit*(1+way/(2*p.tool.radius)) {
		p.note(kind, p.bits[worst].step, 1, sum)
	}
}

// note records an error of a step at a share of its path; the worst of each kind counts.
func (p *passage) note(kind Kind, step int, share, depth float64) {
	s := &p.steps[step]
	p.found(kind, int(s.Move), p.Set.Setups[p.index].Frame.Point(s.At(share)), depth)
}

func (p *passage) found(kind Kind, move int, at geom.Vec3, depth float64) {
	if p.moves[kind] == nil {
		p.moves[kind] = map[int]bool{}
	}
	p.moves[kind][move] = true
	if old := p.worst[kind]; old != nil && old.Depth >= depth {
		return
	}
	f := &Finding{Kind: kind, Setup: p.index, Operation: p.plan.ID, Move: move, Position: at, Depth: depth}
	if near := p.finder.Nearest(p.Plan.Workpiece.Local(at), nearest.Nowhere); near.Region >= 0 {
		f.Regions = []int{near.Region}
		if edge, isEdge := p.edges.of(near.Region); isEdge {
			f.Regions = []int{min(edge[0], edge[1]), max(edge[0], edge[1])}
		}
	}
	p.worst[kind] = f
}

// report adds the findings of the setup to the proof.
func (s *setup) report() {
	for _, p := range s.passages {
		first := len(s.proof.Findings)
		for _, f := range p.worst {
			s.proof.Findings = append(s.proof.Findings, *f)
			if f.Kind == Gouge {
				s.proof.MaxGouge = max(s.proof.MaxGouge, f.Depth)
			}
		}
		slices.SortFunc(s.proof.Findings[first:], func(a, b Finding) int { return cmp.Compare(a.Kind, b.Kind) })
		s.proof.RapidCollisions += len(p.moves[RapidCollision])
		s.proof.FixtureCollisions += len(p.moves[FixtureCollision])
		s.proof.HolderCollisions += len(p.moves[ShankCollision]) + len(p.moves[HolderCollision])
	}
}

// travel records an overtravel if the tips of the setup are farther apart than the machine's travel.
func (s *setup) travel() {
	all := geom.EmptyBox()
	for _, p := range s.passages {
		own := all
		for i := range p.steps {
			own = own.Union(bounds(&p.steps[i].Segment))
		}
		if all = own; all.IsEmpty() {
			continue
		}
		size := all.Size()
		over := max(size.X-s.Travel.X, size.Y-s.Travel.Y, size.Z-s.Travel.Z)
		if over > snap {
			at := s.Set.Setups[s.index].Frame.Point(all.Max)
			p.found(Overtravel, len(p.op.Moves)-1, at, over)
			return
		}
	}
}

// bounds returns the box of a segment.
func bounds(s *motion.Segment) geom.Box {
	b := geom.BoxOf(s.From, s.To)
	if s.Turn == 0 {
		return b
	}
	const quarter = math.Pi / 2
	r, begin := s.Radius(), math.Atan2(s.From.Y-s.Center.Y, s.From.X-s.Center.X)
	lo, hi := min(begin, begin+s.Turn), max(begin, begin+s.Turn)
	for k := math.Ceil(lo / quarter); k*quarter <= hi; k++ { // where it turns back along an axis
		sin, cos := math.Sincos(k * quarter)
		b = b.Add(geom.Vec3{X: s.Center.X + r*cos, Y: s.Center.Y + r*sin, Z: s.From.Z})
	}
	return b
}
