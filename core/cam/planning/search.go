package planning

// The sides of the setups, and their order.
//
// Every order of up to six sides is tested. In each setup the part is clamped, and every open task with an approach
// from there is made as far as the jaws allow. Orders are compared by these criteria, in this sequence:
//
//   - least area unmade of what must be made,
//   - least area milled on a part on edge,
//   - least cost (cost.go),
//   - most area made at once,
//   - most area made from its recognized direction,
//   - first in sequence.
//
// Orders with an empty setup, or worse than the best one in any case, are skipped with all orders of the same
// beginning. Longer orders are tried as long as they can cost less, and one more setup if all work is made and a part
// of it needs improvement.
//
// The first pass tries the next clamping of a setup if the jaws of the one before obstruct work, or allow light cuts
// only, in the end a fixture. What it finds bounds the second pass, which tries all clampings, and ends after some
// number of setups.

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

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
type score [5]int

// The figures of worth.
const (
	unmade  = iota // area
	slender        // area
	effort         // cents, for a batch
	atOnce         // area made in the first setup, negative
	asSeen         // area made from where recognition looks at it, negative
)

// search finds the best order. It returns *fault.Error where no setup makes anything, and the error of ctx.
func (p *planner) search(ctx context.Context) ([]setup, error) {
	r, err := p.bestRoute(ctx)
	if err != nil {
		return nil, err
	}
	return r.tidy(), nil
}

func (p *planner) bestRoute(ctx context.Context) (*route, error) {
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
	for _, r.isThorough = range [2]bool{false, true} {
		if err := r.deepen(ctx); err != nil {
			return nil, err
		}
	}
	if r.best == nil {
		return nil, p.noSetup()
	}
	if r.tried > mostTried {
		least := p.fastest(len(p.bulk.at)) + r.fewest()*p.cents(nil)
		p.plan.Gap = math.Round(1e3*max(1-float64(least)/float64(r.score[effort]), 0)) / 1e3
	}
	return r, nil
}

// mostTried is the number of setups that the second pass tries. Finding how a state can be held counts as much as some
// setups.
const mostTried, stateTries = 4000, 10

// mostStates is the number of states after which a search ends that has found an order which makes all. Another ends
// after four times as many.
const mostStates = 2000

// deepen tries orders of more and more setups, as long as they can be better.
func (r *route) deepen(ctx context.Context) error {
	p := r.p
	for r.length = max(len(p.fixed), 1); r.length <= max(sides, len(p.fixed)); r.length++ {
		if r.best != nil && r.score[unmade] == 0 {
			enough := (r.score[effort] - p.fastest(len(p.bulk.at))) / p.cents(nil)
			if r.score[slender] > 0 {
				enough = max(enough, len(r.best)+1)
			}
			if r.length > max(enough, len(p.fixed)) {
				break
			}
		}
		if err := r.follow(ctx, p.begin(), nil, score{}); err != nil {
			return err
		}
	}
	return nil
}

// fewest returns a number of setups that no order goes below which makes as much.
func (r *route) fewest() int {
	least := int(sides)
	for set := range 1 << sides {
		never := 0.0
		for t := range r.p.tasks {
			open := slices.ContainsFunc(r.p.tasks[t].ways[:], func(w *approach) bool { return w != nil })
			for s, w := range r.p.tasks[t].ways {
				if w != nil && set>>s&1 != 0 {
					open = false
				}
			}
			if open && r.p.owed[t] {
				never += r.p.tasks[t].weight
			}
		}
		if r.unit(never) <= r.score[unmade] {
			least = min(least, bits.OnesCount(uint(set)))
		}
	}
	return least
}

// tidy goes the best order again without what it makes in part where another of its setups makes all of it, unless
// that leaves more unmade or takes the faces that a vise grips.
func (r *route) tidy() []setup {
	p := r.p
	before, _ := p.priceOfOrder(r.best, len(r.best), nil)
	p.without = map[option]bool{}
	for t := range p.tasks {
		var in []int
		whole := -1
		for i := range r.best {
			for _, it := range r.best[i].items {
				if it.task == t {
					in = append(in, i)
					if w := p.tasks[t].ways[r.best[i].side]; (w.kind == floor || w.kind == slope && p.tasks[t].shares == nil) && w.short == nil ||
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
	st, empty := p.begin(), 0
	var so []setup
	for i := range r.best {
		so = append(so, p.again(st, &r.best[i]))
		if len(so[i].items) == 0 {
			empty++
		}
	}
	whole, _ := p.unmadeAreas(st)
	cents, _ := p.priceOfOrder(r.best, len(r.best), nil)
	if r.unit(whole) > r.score[unmade] || empty > 0 || cents > before {
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

	isThorough bool // all clampings are tried
	tried      int  // setups, by the thorough pass
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
		tried, known := trial{isHindered: true, slow: math.Inf(1)}, len(r.p.known)
		holds := r.p.holdsFor(st, s, len(so))
		if states := len(r.p.known); states > mostStates && (r.score[unmade] == 0 || states > 4*mostStates) && r.best != nil {
			r.tried = mostTried + 1
			return nil
		}
		if r.isThorough {
			if r.tried += stateTries * (len(r.p.known) - known); r.tried > mostTried {
				return nil
			}
		}
		if err := r.try(ctx, st, so, w, s, holds, &tried); err != nil {
			return err
		}
		made := w // with a fixture that is made for the part
		made[effort] += r.p.fixtureCents()
		if !tried.isHindered || r.isLost(st, len(so), made) {
			continue
		}
		if err := r.try(ctx, st, so, w, s, r.p.fixturesFor(st, s, len(so)), &tried); err != nil {
			return err
		}
	}
	return nil
}

// trial is the progress of the clampings of a side.
type trial struct {
	isHindered bool    // no clamping let the setup make all of its work
	slow       float64 // pace of the fastest clamping that did
}

// try follows the clampings of a side that may be better than those tried before.
func (r *route) try(
	ctx context.Context, st *state, so []setup, w score, s side, holds []clamping, tried *trial,
) error {
	for i := range holds {
		if r.isThorough {
			if r.tried++; r.tried > mostTried {
				return nil
			}
		} else if h := &holds[i]; !tried.isHindered && (r.p.isNamed(*h) || h.pace > fasterPace*tried.slow) {
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
			tried.isHindered, tried.slow = false, min(tried.slow, holds[i].pace)
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
	w[unmade] = r.unit(whole)
	w[effort] += r.p.handwork(part) + r.p.priceOfStock(st)
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
	c.from = append([]set(nil), st.from...)
	c.gone = append([]uint64(nil), st.gone...)
	return &c
}
