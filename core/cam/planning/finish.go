package planning

// Finishing: floors and walls, the thickest tools first.
//
// Thicker mills may take a share of a floor or a wall before the mill that makes the rest (fit.go). A mill that saves
// less time than it costs is dropped. This is repeated from the largest loss, since other mills take over the share.
// A mill that the setup uses for nothing else costs a tool change, any other an approach.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
)

// approachSeconds is the estimated time of an operation beyond its cuts, s.
const approachSeconds = 2.0

// floorShare is the stepover on a floor, of the part of the mill that is flat: the skin is thin, and neighboring paths
// overlap.
const floorShare = 0.6

// floorStepover returns the stepover of a mill that finishes a floor, mm; 0 of a ball, which has no flat.
func floorStepover(t *tool) float64 {
	if t.Kind == machining.BallEndMill {
		return 0
	}
	return floorShare * (t.Diameter - 2*t.CornerRadius)
}

// mills returns the tools that make a task of the setup, in their order. Each cuts the stock that the earlier ones
// leave.
func (w *writer) mills(it item) []int {
	var list []int
	way := w.tasks[it.task].ways[w.step.side]
	for _, s := range way.stages {
		if !w.spare[s.tool] {
			list = append(list, s.tool)
		}
	}
	if len(list) > 0 && way.kind == floor {
		return append(list, way.rest)
	}
	return append(list, w.clearer(it))
}

// clearer returns the tool that clears what others leave of the way to an item.
func (w *writer) clearer(it item) int {
	if way := w.tasks[it.task].ways[w.step.side]; way.kind == undercut {
		return way.rest
	}
	return w.tasks[it.task].ways[w.step.side].tool
}

// dropStages drops the thicker mills that do not pay.
func (w *writer) dropStages() {
	used := map[int]bool{}
	for i := range w.out.Operations {
		used[w.out.Operations[i].Tool] = true
	}
	var list []int // of the stages
	for _, it := range w.step.items {
		way := w.tasks[it.task].ways[w.step.side]
		used[way.tool] = true
		for _, s := range way.stages {
			list = append(list, s.tool)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	change := w.in.Config.Machine.ToolChangeSeconds + 2*w.in.Config.Machine.SpindleRampSeconds
	for {
		worst, loss := -1, 0.0
		now := w.finishSeconds()
		for _, tool := range list {
			if w.spare[tool] {
				continue
			}
			w.spare[tool] = true
			more := round(now - w.finishSeconds() + approachSeconds)
			w.spare[tool] = false
			if !used[tool] {
				more += change
			}
			if more > loss || more >= 0 && worst < 0 {
				worst, loss = tool, more
			}
		}
		if worst < 0 {
			return
		}
		w.spare[worst] = true
	}
}

// finishSeconds returns the estimated time of all floors and walls with stages, s.
func (w *writer) finishSeconds() float64 {
	sum := 0.0
	for _, it := range w.step.items {
		if len(w.tasks[it.task].ways[w.step.side].stages) == 0 {
			continue
		}
		for _, tool := range w.mills(it) {
			if size := w.share(it, tool); size > 0 {
				sum += size / w.finishRate(it, w.tasks[it.task].ways[w.step.side].kind, tool)
			}
		}
	}
	return sum
}

// share returns the size of a tool's share of a floor (mm²) or a wall (mm of path).
func (w *writer) share(it item, tool int) float64 {
	way, task := w.tasks[it.task].ways[w.step.side], &w.tasks[it.task]
	whole := way.whole
	if len(way.stages) == 0 {
		whole = task.weight
		if way.kind == wall {
			whole /= max(w.step.side.span(task.box).Length(), w.tol())
		}
	}
	done := 0.0
	for _, m := range w.mills(it) {
		size := whole
		if i := slices.IndexFunc(way.stages, func(s stage) bool { return s.tool == m }); i >= 0 {
			size = way.stages[i].size
		}
		if m == tool {
			return max(size-done, 0)
		}
		done = max(done, size)
	}
	return 0
}

// finishRate returns the progress of a tool in a second: mm of path along a wall, or mm² of a floor.
func (w *writer) finishRate(it item, k kind, tool int) float64 {
	if k == slope {
		return w.slopeRate(w.tasks[it.task].patches[0], &w.tools[tool])
	}
	if k == floor {
		data, err := w.resolve(w.tools[tool].Tool, cutting.Finish, leaveAxial, floorStepover(&w.tools[tool]), 0)
		if err != nil {
			return math.SmallestNonzeroFloat64
		}
		return data.Feed.Value * data.Radial.Value / 60
	}
	high := w.step.side.span(w.tasks[it.task].box).Hi - it.bottom
	_, feed := w.wallDepth(tool, high, w.tasks[it.task].patches)
	return feed / 60
}

// finish makes the floors and walls. The tools follow one another from the thickest, each after its rest roughing. If
// the roughing tool was too short for some items, these are cleared before any wall: high stock may obstruct a holder.
func (w *writer) finish(faced bool, later []restRoughing) {
	done := make([]bool, len(later))
	clear := func(test func(r *restRoughing) bool) {
		for i := range later {
			if r := &later[i]; !done[i] && test(r) {
				w.rest(r)
				done[i] = true
			}
		}
	}
	tools := w.finishers()
	early := map[int]bool{} // finish floors before any wall
	if slices.ContainsFunc(later, func(r restRoughing) bool { return r.deep }) {
		for _, tool := range tools {
			clear(func(r *restRoughing) bool { return !r.follows && slices.Contains(r.finishers, tool) })
			waits := func(r restRoughing) bool { return r.follows && slices.Contains(r.finishers, tool) }
			if !slices.ContainsFunc(later, waits) {
				w.floors(faced, tool)
				early[tool] = true
			}
		}
	}
	for _, tool := range tools {
		clear(func(r *restRoughing) bool { return slices.Contains(r.finishers, tool) })
		if !early[tool] {
			w.floors(faced, tool)
		}
		w.walls(tool)
	}
}

// finishers returns the tools of floors and walls, the thickest first.
func (w *writer) finishers() (tools []int) {
	for _, it := range w.step.items {
		if k := w.tasks[it.task].ways[w.step.side].kind; k == floor || k == wall {
			tools = append(tools, w.mills(it)...)
		}
	}
	slices.SortFunc(tools, func(a, b int) int {
		return cmp.Or(cmp.Compare(w.tools[b].Diameter, w.tools[a].Diameter), cmp.Compare(a, b))
	})
	return slices.Compact(tools)
}

// floors finishes planes that face the tool.
func (w *writer) floors(faced bool, tool int) {
	s := w.step.side
	high := s.span(w.part).Hi
	for _, b := range w.batches(floor, func(it item, with int) bool {
		isDown := it.bottom <= s.span(w.tasks[it.task].box).Lo+w.tol()
		return with == tool && isDown && !(faced && it.bottom >= high-w.tol())
	}) {
		w.add(Operation{Strategy: Pocket, Floor: true, Features: w.featuresOf(b.patches), Tool: b.tool,
			Top: w.z(b.low + leaveAxial), Bottom: w.z(b.low), Expected: b.seconds}, cutting.Finish, b.patches, leaveAxial,
			floorStepover(&w.tools[b.tool]))
	}
}

// walls finishes along the tool.
func (w *writer) walls(tool int) {
	for _, b := range w.batches(wall, func(_ item, with int) bool { return with == tool }) {
		depth, _ := w.wallDepth(b.tool, b.top-b.low, b.patches)
		w.add(Operation{Strategy: Contour, Features: w.featuresOf(b.patches), Tool: b.tool, Top: w.z(b.top),
			Bottom: w.z(b.low), Spring: w.isTight(b.patches), Expected: b.seconds},
			cutting.Finish, b.patches, depth, w.leave(b.tool))
	}
}

// unheldLoss is the factor by which passes that the clamping does not hold count as slower.
const unheldLoss = 1e6

// leastRate is a rate of finishing below all others, mm/s or mm²/s.
const leastRate = 1e-3

// mostSplits is the largest number of passes over a wall beyond those that the length of the flutes requires.
const mostSplits = 5

// wallDepth returns the axial depth (mm) with which a tool finishes walls of some height fastest, and the path that it
// finishes in a minute, mm. It is the whole height where the flutes are long enough. It is less where the deflection
// that the tolerance permits makes one pass slower than several.
func (w *writer) wallDepth(tool int, high float64, patches []int32) (depth, rate float64) {
	t := &w.tools[tool]
	tolerance := w.tolerance(w.featuresOf(patches))
	depth = high
	first := 1.0
	// a round corner leaves a cusp above each pass but the last, which the shank does not pass
	if high > t.FluteLength {
		first = math.Ceil(high/(t.FluteLength-t.CornerRadius) - w.tol())
	}
	for n := first; n <= first+mostSplits; n++ {
		data, err := w.resolve(t.Tool, cutting.Finish, high/n, w.leave(tool), tolerance)
		if err != nil {
			break
		}
		r := data.Feed.Value / n
		if h := w.step.clamping.strength; h != nil {
			e := w.engagement(t.Tool, &data)
			e.Axial = high / n
			if !h.holds(e.Peak(), h.top-e.Axial/2) {
				r /= unheldLoss
			}
		}
		if r > rate {
			depth, rate = high/n, r
		}
	}
	return depth, rate
}

// isTight reports whether walls have a band that a bent tool would miss: the last pass is done twice.
func (w *writer) isTight(patches []int32) bool {
	const tight = 0.05 // mm
	t := w.tolerance(w.featuresOf(patches))
	return t > 0 && t <= tight
}

// batch is the work of one operation.
type batch struct {
	tool     int
	low, top float64
	patches  []int32
	tasks    []int
	seconds  float64 // that it should take, of floors and walls
}

// batches collects items of one kind that pass a test with a tool, by tool and height, the highest first, then the
// largest tool.
func (w *writer) batches(k kind, test func(it item, tool int) bool) []batch {
	var out []batch
	for _, it := range w.step.items {
		if w.tasks[it.task].ways[w.step.side].kind != k {
			continue
		}
		for _, tool := range w.mills(it) {
			if !test(it, tool) {
				continue
			}
			low := it.bottom
			i := slices.IndexFunc(out, func(b batch) bool { return b.tool == tool && math.Abs(b.low-low) <= w.tol() })
			if i < 0 {
				i = len(out)
				out = append(out, batch{tool: tool, low: low, top: math.Inf(-1)})
			}
			b := &out[i]
			b.patches = append(b.patches, w.tasks[it.task].patches...)
			b.tasks = append(b.tasks, it.task)
			if k != bevel {
				rate := w.finishRate(it, k, tool)
				if rate < leastRate { // the clamping does not hold it
					rate *= unheldLoss
				}
				b.seconds += w.share(it, tool) / max(rate, leastRate)
			}
			b.top = max(b.top, w.step.side.span(w.tasks[it.task].box).Hi)
		}
	}
	slices.SortStableFunc(out, func(a, b batch) int {
		return cmp.Or(cmp.Compare(w.tools[b.tool].Diameter, w.tools[a.tool].Diameter), cmp.Compare(a.tool, b.tool),
			-cmp.Compare(round(a.low), round(b.low)))
	})
	return out
}
