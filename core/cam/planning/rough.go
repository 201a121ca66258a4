package planning

// Roughing: what clears the way before anything is finished.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
)

// enough is the share of a roughing tool's diameter from which a finishing tool takes by itself what the roughing tool
// leaves in corners: no more than 0.3 of its own diameter. A square corner keeps 0.21 of the difference of the
// diameters more after the thicker one.
const enough = 0.41

// rough clears the access to the items of the setup by each mill of the sequence: around the part, and below the jaws
// within the part. It returns the regions that thinner or longer tools have to clear after it.
func (w *writer) rough(ctx context.Context, faced bool) ([]restRoughing, error) {
	s := w.step.side
	var open, deep []item
	for _, it := range w.step.items {
		approach := w.tasks[it.task].ways[s]
		if !approach.kind.isMilled() ||
			faced && approach.kind == floor && it.bottom >= s.span(w.part).Hi-w.tol() {
			continue
		}
		if it.bottom >= w.step.clamping.limit-w.tol() {
			open = append(open, it)
		} else {
			deep = append(deep, it)
		}
	}
	top := w.top
	if faced {
		top = s.span(w.part).Hi
	}
	items := slices.Concat(open, deep)
	list, err := w.sequence(ctx, items, deep, top)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		w.first = list[0].tool
	}
	var under []int32 // of the work below the jaws
	for _, it := range deep {
		under = append(under, w.tasks[it.task].patches...)
	}
	for _, m := range list {
		// What reaches below the jaws comes first, from the top: each place takes as few levels as its depth needs.
		if m.deep < w.step.low-leaveAxial {
			w.clear(&m, deep, under, m.deep, m.deepSeconds)
		}
		w.clear(&m, items, w.besidePatches(), m.open, m.openSeconds)
	}
	return w.remnants(items, list, top), nil
}

// clear adds the operations in which a mill of the sequence clears the access to some items down to a height, beside
// some patches or everywhere. All take some time together, s.
func (w *writer) clear(m *share, items []item, beside []int32, bottom, seconds float64) {
	top := m.top
	if math.IsInf(bottom, 1) || top-bottom <= leaveAxial {
		return
	}
	var patches []int32
	for _, it := range items {
		patches = append(patches, w.tasks[it.task].patches...)
	}
	if len(items) == 0 { // a ring of stock around what is only faced or beveled
		for _, it := range w.step.items {
			patches = append(patches, w.tasks[it.task].patches...)
		}
	}
	for _, low := range w.bands(m.tool, top, bottom) {
		o := Operation{Strategy: Pocket, Features: w.featuresOf(patches), Tool: m.tool, Top: w.z(top), Bottom: w.z(low),
			LeaveRadial: w.leave(m.tool), LeaveAxial: leaveAxial}
		if len(beside) > 0 {
			o.Beside = w.faces(beside)
		}
		o.Expected = seconds * (top - low) / (m.top - bottom)
		w.add(o, cutting.Rough, nil, 0, 0)
		top = low
	}
}

// leave returns the radial stock that a tool leaves or finishes, mm: that of the first roughing tool of the setup. Less
// for a thinner tool would make it clear along all walls again. Without roughing it is that of the tool.
func (w *writer) leave(tool int) float64 {
	if w.first >= 0 {
		tool = w.first
	}
	return leaveFor(&w.tools[tool])
}

// clearance returns how wide a roughing tool may be for an item: as its finishing tool within hollows, anything
// outside.
func (w *writer) clearance(it item, approach *approach) float64 {
	g := &group{side: w.step.side, feature: w.owners[w.tasks[it.task].patches[0]][0]}
	if approach.gap != nil {
		return w.tools[approach.tool].Diameter
	}
	return w.widest(g) - 2*leaveRadial
}

// removal returns the removal rate of a tool in roughing, mm³/min.
func (p *planner) removal(i int) float64 {
	d, err := p.resolve(p.tools[i].Tool, cutting.Rough, 0, 0, 0)
	if err != nil {
		return 0
	}
	return d.Axial.Value * d.Radial.Value * d.Feed.Value
}

// restRoughing is the work of a thinner or longer tool after roughing.
type restRoughing struct {
	tool     int
	patches  []int32
	top, low float64
	floor    bool // a tool that waits for it finishes a floor
	deep     bool // the roughing tool was too short
	follows  bool // it clears what the stage of a thicker tool in finishing leaves

	finishers []int // tools that wait for it
}

// remnants returns the rest roughing for finishing tools that are thinner or longer than the roughing tool, thick ones
// first.
func (w *writer) remnants(items []item, done []share, top float64) (list []restRoughing) {
	s := w.step.side
	w.dropStages()
	add := func(tool, finisher int, it item, from float64, follows bool) *restRoughing {
		i := slices.IndexFunc(list, func(r restRoughing) bool { return r.tool == tool && r.follows == follows })
		if i < 0 {
			i = len(list)
			list = append(list, restRoughing{tool: tool, top: math.Inf(-1), low: math.Inf(1), follows: follows})
		}
		r, t := &list[i], &w.tasks[it.task]
		r.patches = append(r.patches, t.patches...)
		r.top, r.low = max(r.top, min(top, max(from, s.span(t.box).Hi))), min(r.low, it.bottom)
		r.finishers = append(r.finishers, finisher)
		return r
	}
	for _, it := range items {
		approach := w.tasks[it.task].ways[s]
		if approach.kind == slope { // see stairs
			continue
		}
		wide := w.clearance(it, approach) + 2*leaveRadial
		type cleared struct {
			tool int
			low  float64 // of the places that it has cleared
		}
		before := make([]cleared, len(done))
		for i, m := range done {
			before[i] = cleared{m.tool, m.open}
			if it.bottom < w.step.clamping.limit-w.tol() {
				before[i].low = m.deep
			}
		}
		for k, tool := range w.mills(it) {
			t := &w.tools[tool]
			from, reached, isDone := top, len(before) == 0, false // top of the remaining stock
			for _, o := range before {
				m := &w.tools[o.tool]
				if m.Diameter > max(wide, t.Diameter) {
					continue
				}
				high := max(o.low, s.span(w.part).Hi-m.assembly.Stickout+sideways)
				from, reached = min(from, high), reached || high <= it.bottom+leaveAxial
				isDone = isDone || high <= it.bottom+leaveAxial &&
					(t.Diameter >= enough*m.Diameter || k == 0 && approach.kind == floor)
			}
			if isDone {
				before = []cleared{{tool, it.bottom}}
				continue // the wall at a floor covers the corners of the floor
			}
			with := w.restTool(it, tool, wide)
			r := add(with, tool, it, from, k > 0)
			r.deep = r.deep || !reached
			before = []cleared{{with, it.bottom}}
		}
	}
	for i := range list {
		r := &list[i]
		r.floor = slices.ContainsFunc(items, func(it item) bool {
			return w.tasks[it.task].ways[s].kind == floor && slices.ContainsFunc(w.mills(it), func(tool int) bool {
				return slices.Contains(r.finishers, tool)
			})
		})
	}
	slices.SortStableFunc(list, func(a, b restRoughing) int {
		return cmp.Or(-cmp.Compare(w.tools[a.tool].Diameter, w.tools[b.tool].Diameter),
			cmp.Compare(w.balls(a.tool), w.balls(b.tool)), cmp.Compare(a.tool, b.tool))
	})
	return list
}

// restTool returns the tool that clears before another one finishes: the same, but a roughing mill for a ball or a mill
// for finishing only, which take many times as long, if one fits that leaves as little in corners.
func (w *writer) restTool(it item, finisher int, wide float64) int {
	t := &w.tools[finisher]
	if t.Kind != machining.BallEndMill && !w.isFinisher(t) {
		return finisher
	}
	spot := place{side: w.step.side, patches: w.tasks[it.task].patches, bottom: it.bottom}
	list := w.choose(func(o *tool) bool {
		spot.beside = o.Diameter / 2
		return t.Diameter >= enough*o.Diameter && o.Diameter <= max(wide, t.Diameter) && !w.isFinisher(o) && w.clears(&spot, o)
	}, machining.FlatEndMill, machining.BullNoseEndMill)
	if len(list) == 0 {
		return finisher
	}
	return list[0]
}

// balls is 1 for ball end mills, 0 for others.
func (w *writer) balls(tool int) int {
	if w.tools[tool].Kind == machining.BallEndMill {
		return 1
	}
	return 0
}

// rest clears what larger tools left, down to the floors that they have finished: a tool that finishes none here leaves
// nothing on them.
func (w *writer) rest(r *restRoughing) {
	leave := 0.0
	if r.floor {
		leave = leaveAxial
	}
	if r.top-r.low <= leaveAxial {
		return
	}
	w.add(Operation{Strategy: Pocket, Features: w.featuresOf(r.patches), Tool: r.tool, Top: w.z(r.top),
		Bottom: w.z(r.low), LeaveRadial: w.leave(r.tool), LeaveAxial: leave,
		Beside: w.faces(r.patches), Notes: []string{"What larger tools left."}, Expected: w.tail[r.tool]},
		cutting.Rough, nil, 0, 0)
	w.tail[r.tool] = 0
}
