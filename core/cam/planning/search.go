package planning

// The sides of the setups, and their order.
//
// Every order of up to six sides is tested. In each setup the part is clamped, and every open task with an approach
// from there is made as far as the jaws allow. Orders are compared by these criteria, in this sequence:
//
//   - least area unmade of what must be made,
//   - least area milled on a part on edge,
//   - no ring of stock left around the part,
//   - fewest fixtures,
//   - least cost (cost.go),
//   - most area made at once,
//   - most area made from its recognized direction,
//   - first in sequence.
//
// If the jaws of a vise obstruct work, or allow light cuts only, the next clamping is tried, in the end a fixture.
// Orders with an empty setup, or worse than the best one in any case, are skipped with all orders of the same
// beginning. Longer orders are tried as long as they can cost less, and one more setup if all work is made and a part
// of it needs improvement.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// item is a task as a setup makes it.
type item struct {
	task   int
	bottom float64 // along the side: where the tip goes
}

// option is a way of a task.
type option struct {
	task int
	side side
}

// setup is one step of an order.
type setup struct {
	side       side
	clamping   clamping
	before     geom.Box // the workpiece when it begins
	isHindered bool     // the jaws keep it from making something
	low        float64  // along the side: down to where all around the part is cut away; +Inf: nowhere
	items      []item
	seconds    float64 // of roughing
}

// score is the rating of an order, less is better, the first value first.
type score [7]int

// The figures of worth.
const (
	unmade   = iota // area
	slender         // area
	staying         // sides of the part with stock
	fixtures        // number
	effort          // cents, for a batch
	atOnce          // area made in the first setup, negative
	asSeen          // area made from where recognition looks at it, negative
)

// search finds the best order. It returns *fault.Error where no setup makes anything, and the error of ctx.
func (p *planner) search(ctx context.Context) ([]setup, error) {
	r := &route{p: p}
	isOpen := false
	for t := range p.tasks {
		if p.tasks[t].isDone {
			continue
		}
		r.total += p.tasks[t].weight
		isOpen = isOpen || p.tasks[t].hasApproach()
	}
	if !isOpen {
		return nil, p.noSetup()
	}
	p.fixSetups()
	p.measureBulk()
	enough := max(sides, len(p.fixed))
	for r.length = max(len(p.fixed), 1); r.length <= enough; r.length++ {
		if err := r.follow(ctx, p.begin(), nil, score{}); err != nil {
			return nil, err
		}
		if r.best != nil && r.score[unmade] == 0 {
			more := (r.score[effort] - p.fastest(len(p.bulk.at))) / p.cents(nil)
			if r.score[slender] > 0 || r.score[staying] > 0 {
				more = max(more, r.length+1)
			}
			if enough = max(min(enough, more), len(p.fixed)); r.length >= enough {
				break
			}
		}
	}
	if r.best == nil {
		return nil, p.noSetup()
	}
	return r.tidy(), nil
}

// tidy goes the best order again without what it makes in part where another of its setups makes all of it, unless
// that leaves more unmade or takes the faces that a vise grips.
func (r *route) tidy() []setup {
	p := r.p
	p.without = map[option]bool{}
	for t := range p.tasks {
		var in []int
		whole := -1
		for i := range r.best {
			for _, it := range r.best[i].items {
				if it.task == t {
					in = append(in, i)
					if w := p.tasks[t].ways[r.best[i].side]; w.kind == floor && w.short == nil ||
						it.bottom <= r.best[i].side.span(p.tasks[t].box).Lo+p.tol() {
						whole = i
					}
				}
			}
		}
		for _, i := range in {
			if whole >= 0 && i != whole {
				p.without[option{t, r.best[i].side}] = true
			}
		}
	}
	if len(p.without) == 0 {
		return r.best
	}
	st, named := p.begin(), 0
	var so []setup
	for i := range r.best {
		so = append(so, p.again(st, &r.best[i]))
		if p.isNamed(so[i].clamping) {
			named++
		}
		if len(so[i].items) == 0 {
			named++
		}
	}
	whole, _ := p.unmadeAreas(st)
	if r.unit(whole) > r.score[unmade] || p.stays(st) > r.score[staying] || named > r.score[fixtures] {
		p.without = nil
		return r.best
	}
	return so
}

// route is the search.
type route struct {
	p      *planner
	total  float64 // mm²
	length int
	best   []setup
	score  score
}

// isNamed reports whether a fixture is named where something else is asked for.
func (p *planner) isNamed(h clamping) bool { return h.kind != h.asked && !h.isBed }

// fasterPace is the share of the time of roughing that a later clamping may take at most to be tried.
const fasterPace = 0.8

// areaSteps: areas that differ by less than this part of all are equal.
const areaSteps = 1e6

func (r *route) unit(area float64) int { return int(math.Round(area / r.total * areaSteps)) }

// follow tries all continuations of a state.
func (r *route) follow(ctx context.Context, st *state, so []setup, w score) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(so) == r.length {
		r.judge(st, so, w)
		return nil
	}
	for s := side(0); s < sides; s++ {
		if !r.p.mayComeUp(st, len(so), s) || !r.p.fits[s] || !r.p.isOpen(st, s) ||
			len(so)+1 == r.length && r.isLost(st, len(so), w, s) {
			continue
		}
		holds := r.p.holdsFor(st, s, len(so))
		isHindered, slow := true, math.Inf(1)
		for i := range holds {
			if h := &holds[i]; !isHindered && (r.p.isNamed(*h) || h.pace > fasterPace*slow) {
				continue
			}
			next := st.clone()
			step := r.p.work(next, s, &holds[i])
			if len(step.items) > 0 {
				all := append(so[:len(so):len(so)], step)
				if sum := r.and(w, all); !r.isLost(next, len(all), sum) {
					if err := r.follow(ctx, next, all, sum); err != nil {
						return err
					}
				}
			}
			if !step.isHindered {
				isHindered, slow = false, min(slow, holds[i].pace)
			}
		}
	}
	return nil
}

// isLost reports whether no continuation of a state is better than the best order so far. It continues after some
// setups from the given sides, or without any from all sides that were not up.
func (r *route) isLost(st *state, done int, w score, from ...side) bool {
	if r.best == nil {
		return false
	}
	never, part := 0.0, 0.0 // area that no side makes that is left
	for t := range r.p.tasks {
		open := false
		for s, approach := range r.p.tasks[t].ways {
			open = open || approach != nil && (slices.Contains(from, side(s)) || len(from) == 0 &&
				r.p.mayBeUpAgain(st, done, side(s)))
		}
		if !open {
			r.p.count(t, r.p.unmade(st, t), &never, &part)
		}
	}
	w[unmade] = r.unit(never)
	w[effort] += (r.length-done)*r.p.cents(nil) + r.p.handwork(part) + r.p.fastest(len(r.p.bulk.at)-st.removed)
	for i := range atOnce {
		if c := cmp.Compare(w[i], r.score[i]); c != 0 {
			return c > 0
		}
	}
	return false
}

// isOpen reports whether something is not done that has a way from a side.
func (p *planner) isOpen(st *state, s side) bool {
	for t := range p.tasks {
		if p.tasks[t].ways[s] != nil && !st.done[t] {
			return true
		}
	}
	return false
}

// and adds what the last setup of an order is worth to what those before it are.
func (r *route) and(w score, so []setup) score {
	last := &so[len(so)-1]
	w[effort] += r.p.cents(&last.clamping) + r.p.rated(r.p.batch()*last.seconds)
	if r.p.isNamed(last.clamping) {
		w[fixtures]++
	}
	for _, it := range last.items {
		t := &r.p.tasks[it.task]
		if r.p.isSlender(last.side, it) {
			w[slender] += r.unit(t.weight)
		}
		if t.ways[last.side].own {
			w[asSeen] -= r.unit(t.weight)
		}
		if len(so) == 1 {
			w[atOnce] -= r.unit(t.weight)
		}
	}
	return w
}

// judge keeps an order if it is better than the best so far.
func (r *route) judge(st *state, so []setup, w score) {
	whole, part := r.p.unmadeAreas(st)
	w[unmade], w[staying] = r.unit(whole), r.p.stays(st)
	w[effort] += r.p.handwork(part) + 2*r.p.fastest(len(r.p.bulk.at)-st.removed)
	if r.best != nil {
		for i := range w {
			if c := cmp.Compare(w[i], r.score[i]); c > 0 {
				return
			} else if c < 0 {
				break
			}
			if i == len(w)-1 {
				return
			}
		}
	}
	r.best, r.score = so, w
}

// slenderness is the largest ratio of height to thickness of a part whose faces are milled along the tool. Beyond it a
// plate that is gripped by its lower edge bends and vibrates. Thin walls on a stiff floor may be twice as high.
const slenderness = 4

// isSlender reports whether an item mills the side of a part on edge that is too thin for its height.
func (p *planner) isSlender(s side, it item) bool {
	t := &p.tasks[it.task]
	if t.ways[s].kind != wall {
		return false
	}
	high := s.span(p.part).Hi - it.bottom
	a, b := s.across()
	for _, axis := range [2]int{a, b} {
		if thick := along(p.part, axis).Length(); high > slenderness*thick &&
			(p.isSquare(t.patches[0], axis, true) || p.isSquare(t.patches[0], axis, false)) {
			return true
		}
	}
	return false
}

// stays returns on how many sides of the part a ring or a plate of the stock is left when all is done.
func (p *planner) stays(st *state) int {
	n := 0
	for axis := range 3 {
		left, part := along(st.left, axis), along(p.part, axis)
		for _, more := range [2]float64{part.Lo - left.Lo, left.Hi - part.Hi} {
			if more > p.tol() {
				n++
			}
		}
	}
	return n
}

func (st *state) clone() *state {
	c := *st
	c.made = append([][3]geom.Interval(nil), st.made...)
	c.done = append([]bool(nil), st.done...)
	c.gone = append([]uint64(nil), st.gone...)
	return &c
}

// again makes what a setup makes, from a state that may be another one now.
func (p *planner) again(st *state, was *setup) setup {
	list := p.clampingsBy(st, was.side, was.clamping.asked)
	return p.work(st, was.side, &list[min(was.clamping.choice, len(list)-1)])
}

// work makes what can be made with a side up.
func (p *planner) work(st *state, s side, h *clamping) setup {
	if h.stock != nil {
		st.stock, st.left = *h.stock, *h.stock
	}
	out := setup{side: s, clamping: *h, before: st.left}
	st.before[s] = true
	low := math.Inf(1) // to where all around is cut away
	mills := false
	for _, edges := range [2]bool{false, true} { // edges are broken when what meets in them is there
		for t := range p.tasks {
			w := p.tasks[t].ways[s]
			if w == nil || st.done[t] || p.without[option{t, s}] || (w.kind == bevel) != edges ||
				edges && !p.isBare(st, t, s,
					w) {
				continue
			}
			it, ok := p.makes(st, &out.clamping, s, t, w)
			out.isHindered = out.isHindered || !ok || it.bottom > w.z.Lo+p.tol()
			if !ok {
				continue
			}
			out.items = append(out.items, it)
			if w.kind == floor || w.kind == wall {
				mills = true
				if it.bottom >= out.clamping.limit-p.tol() {
					low = min(low, it.bottom)
				}
			}
		}
	}
	out.low = math.Inf(1)
	if mills {
		// What another side has left around the part goes too: else a ring of the stock stays where no wall is.
		if met := s.flip(st.cleared[s.axis()]); met.Length() >= 0 && met.Hi >= out.clamping.limit-p.tol() {
			low = min(low, met.Hi)
		}
		out.low = max(low, s.span(p.part).Hi-p.farthest+sideways)
		p.cutAway(st, s, out.low)
	}
	out.seconds = p.remove(st, &out)
	return out
}

// isBare reports whether the faces that share an edge are made next to it, except for their unmachinable parts.
func (p *planner) isBare(st *state, t int, s side, w *approach) bool {
	bare := true
	for _, q := range p.tasks[t].patches {
		p.neighbors(q, func(_ *graph.Adjacency, o int32) {
			n := p.taskOf[o]
			if n < 0 || st.done[n] || !p.tasks[n].hasApproach() || p.isBevel(o) {
				return
			}
			made := s.flip(st.made[n][s.axis()])
			bare = bare && made.Lo <= w.z.Lo-jawClear && made.Hi >= w.z.Lo-p.tol()
		})
	}
	return bare
}

// makes records what a way makes of a task beside the jaws; it returns false where that is nothing.
func (p *planner) makes(st *state, h *clamping, s side, t int, w *approach) (item, bool) {
	task := &p.tasks[t]
	it := item{task: t, bottom: w.z.Lo}
	blocked := h.blocks(s, task.box, w)
	if w.kind != wall {
		reach := w.z.Lo
		if w.kind == hole { // a tool within the hole does not touch the jaws
			reach = w.z.Hi
		}
		if blocked && reach < h.limit-p.tol() {
			return it, false
		}
		if w.short != nil {
			return it, w.kind == floor || p.makesPart(st, s, t, w)
		}
		st.done[t] = true
		return it, true
	}
	if blocked && it.bottom < h.limit {
		it.bottom = h.limit
	}
	it.bottom = max(it.bottom, s.span(st.left).Lo) // nor into what it lies on
	z := s.span(task.box)
	got := s.flip(geom.Interval{Lo: it.bottom + w.lift, Hi: z.Hi})
	if !w.ends && w.z.Lo >= z.Lo-p.tol() && w.lift > 0 && it.bottom <= w.z.Lo+p.tol() {
		got = s.flip(geom.Interval{Lo: z.Lo, Hi: z.Hi}) // the corner of the tool at a foot is named by itself
	}
	old := st.made[t][s.axis()]
	if got.Length() <= p.tol() || got.Lo >= old.Lo-p.tol() && got.Hi <= old.Hi+p.tol() {
		return it, false
	}
	if old.Length() > 0 { // from the other end: they meet or overlap, or a strip stays between
		if overlap(old, got).Length() < -p.tol() {
			return it, false
		}
		got = geom.Interval{Lo: min(old.Lo, got.Lo), Hi: max(old.Hi, got.Hi)}
		// No lower than what the other side has left, and some more to leave no burr.
		it.bottom = max(it.bottom, s.flip(old).Hi-seam-w.lift)
	}
	st.made[t][s.axis()] = got
	whole := along(task.box, s.axis())
	st.done[t] = got.Lo <= whole.Lo+p.tol() && got.Hi >= whole.Hi-p.tol()
	return it, true
}

// seam is the overlap of the cuts of a wall from both ends, mm.
const seam = 0.5

// blocks reports whether the tool meets jaws as it makes a task, as low as their top.
func (h *clamping) blocks(s side, box geom.Box, w *approach) bool {
	a, b := s.across()
	for _, jaw := range h.jaws {
		near := true
		for _, axis := range [2]int{a, b} {
			iv := along(box, axis)
			iv.Lo, iv.Hi = iv.Lo-w.wide-jawClear, iv.Hi+w.wide+jawClear
			near = near && overlap(iv, along(jaw, axis)).Length() > 0
		}
		if near {
			return true
		}
	}
	return false
}

// cutAway notes that everything above the part and around it down to a height is gone.
func (p *planner) cutAway(st *state, s side, low float64) {
	axis := s.axis()
	left, part := s.span(st.left), s.span(p.part)
	left.Hi = part.Hi
	put(&st.left, axis, s.flip(left))
	st.cuts = append(st.cuts[:len(st.cuts):len(st.cuts)], cut{s, low})
	if low < left.Hi {
		cut := s.flip(geom.Interval{Lo: low, Hi: left.Hi})
		if old := st.cleared[axis]; old.Length() >= 0 && overlap(old, cut).Length() >= -p.tol() {
			cut = geom.Interval{Lo: min(old.Lo, cut.Lo), Hi: max(old.Hi, cut.Hi)}
		}
		st.cleared[axis] = cut
	}
	if c, l := st.cleared[axis], along(st.left, axis); c.Lo <= l.Lo+p.tol() && c.Hi >= l.Hi-p.tol() {
		a, b := s.across()
		put(&st.left, a, along(p.part, a))
		put(&st.left, b, along(p.part, b))
	}
}
