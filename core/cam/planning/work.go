package planning

// The work of a setup: what its clamping lets it make of the open tasks.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// again makes what a setup makes, from a state that may be another one now.
func (p *planner) again(st *state, was *setup) setup {
	list := p.clampingsBy(st, was.side, was.clamping.asked)
	if was.clamping.choice >= len(list) {
		list = slices.Concat(list, p.fixturesBy(st, was.side, was.clamping.asked))
	}
	if len(list) == 0 { // the part is in another state, in which nothing holds it
		return setup{side: was.side, clamping: was.clamping, before: st.left, low: math.Inf(1)}
	}
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
			out.seconds += w.seconds
			if w.kind.isMilled() {
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
	out.seconds += p.remove(st, &out)
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
	if w.kind == ring && !p.isBored(st, w.groove) {
		return it, false
	}
	if w.kind != wall {
		reach := w.z.Lo
		if w.kind == hole || w.kind == ring { // a tool within the hole does not touch the jaws
			reach = w.z.Hi
		}
		// A cutter enters a channel from beside the part, where stock is left below the jaws.
		if (blocked || w.kind == undercut) && reach < h.limit-p.tol() {
			return it, false
		}
		if task.shares != nil {
			return it, st.adds(t, s, task.shares)
		}
		if w.short != nil {
			return it, w.kind == floor || w.kind == slope || p.makesPart(st, s, t, w)
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

// adds records that a side makes its share of a slope; it returns false where others have made nearly all of that.
func (st *state) adds(t int, s side, shares *byMany) bool {
	from := st.from[t] | 1<<s
	if shares.reached(from)-shares.reached(st.from[t]) < leastPart {
		return false
	}
	st.from[t] = from
	st.done[t] = shares.reached(from) >= fullSlope
	return true
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
