package planning

// Terms of a request for a plan, in addition to its cut config.

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// DefaultQuantity is the usual number of parts in a batch.
const DefaultQuantity = 10

// Terms steer a plan. The zero value asks for nothing.
type Terms struct {
	// Quantity is the number of parts in a batch, over which setups and devices are spread; 0: DefaultQuantity.
	Quantity int `json:"quantity,omitempty"`
	// Setups come first, in this order. One from which nothing can be made is left out, with a warning.
	Setups []FixedSetup `json:"setups,omitempty"`
	// DoneRegions are faces of the part that are finished before the first setup, ascending.
	DoneRegions []int `json:"doneRegions,omitempty"`
	// FallbackTools asks for tools that are made up for what the library cannot cut.
	FallbackTools bool `json:"fallbackTools,omitempty"`
}

// FixedSetup is a setup that a request asks for.
type FixedSetup struct {
	Direction geom.Vec3 `json:"direction"` // toward the spindle, in the part frame; of any length
	// Workholding is the device; "": any that holds.
	Workholding machining.WorkholdingKind `json:"workholding,omitempty"`
}

// batch returns the number of parts in a batch.
func (p *planner) batch() float64 {
	if p.in.Quantity > 0 {
		return float64(p.in.Quantity)
	}
	return DefaultQuantity
}

// noteDone finds the patches that are finished, and warns of faces that are milled together with others.
func (p *planner) noteDone() {
	p.finished = make([]bool, len(p.g.Patches))
	for q := range p.finished {
		all := p.faces([]int32{int32(q)})
		var open, done []int
		for _, r := range all {
			if slices.Contains(p.in.DoneRegions, r) {
				done = append(done, r)
			} else {
				open = append(open, r)
			}
		}
		p.finished[q] = len(open) == 0 && len(all) > 0
		if len(open) > 0 && len(done) > 0 {
			p.warn("done_in_part", "faces %v are finished, and are milled again with faces %v of the same surface", done, open)
		}
	}
}

// finishedFaces returns the faces that are finished before the first setup, ascending.
func (p *planner) finishedFaces() []int {
	var list []int32
	for q, is := range p.finished {
		if is {
			list = append(list, int32(q))
		}
	}
	return p.faces(list)
}

// isReady reports whether the part has faces at its end toward a side, and all of them are finished.
func (p *planner) isReady(s side) bool {
	end, any := outer(p.part, s), false
	for q := range p.finished {
		if !p.isSquare(int32(q), s.axis(), s.sign() > 0) || outer(p.boxes[q], s) < end-p.tol() {
			continue
		}
		if !p.finished[q] {
			return false
		}
		any = true
	}
	return any
}

// trimStock takes the stock away over the ends of the part that are finished. Stock of a fixed size moves instead.
func (p *planner) trimStock() {
	for s := range p.ready {
		isRound := p.plan.Bar != nil && *p.plan.Bar != side(s).axis()
		p.ready[s] = !isRound && p.isReady(side(s))
	}
	for s := side(0); s < sides; s++ {
		if !p.ready[s] {
			continue
		}
		span := s.span(p.stock)
		if over := span.Hi - outer(p.part, s); p.in.Config.Stock.Size != nil && !p.ready[s.opposite()] {
			span.Lo -= over
		}
		span.Hi = outer(p.part, s)
		put(&p.stock, s.axis(), s.flip(span))
	}
}

// doneTasks adds tasks for finished faces without one, so that they can be gripped, and marks those of finished faces.
func (p *planner) doneTasks() {
	for q := range p.finished {
		if p.finished[q] && p.taskOf[q] < 0 {
			p.addTask([]int32{int32(q)})
		}
	}
	for t := range p.tasks {
		p.tasks[t].isDone = !slices.ContainsFunc(p.tasks[t].patches, func(q int32) bool { return !p.finished[q] })
	}
}

// isExcluded reports whether the request excludes a feature.
func (p *planner) isExcluded(feature int) bool { return slices.Contains(p.in.Excluded, feature) }

// excludedPatches returns the patches of excluded features, by patch.
func (p *planner) excludedPatches() []bool {
	out := make([]bool, len(p.g.Patches))
	for _, f := range p.in.Excluded {
		for _, q := range p.patchesOf(f) {
			out[q] = true
		}
	}
	return out
}

// excludedFeatures names the excluded features, and the faces that other features share with them.
func (p *planner) excludedFeatures() (list []Unmachinable) {
	excluded := p.excludedPatches()
	for f := range p.in.Run.Features {
		var lost []int32
		for _, q := range p.patchesOf(f) {
			if excluded[q] && !p.finished[q] {
				lost = append(lost, q)
			}
		}
		detail := "The request excludes it."
		if !p.isExcluded(f) {
			detail = "It shares these faces with a feature that the request excludes."
		}
		if len(lost) > 0 && (p.isExcluded(f) || p.isWanted(f)) {
			list = append(list, refuse(completeness.NotRequested, "%s", detail).of(f, p.faces(lost)))
		}
	}
	return list
}

// spared returns the patches whose surroundings a setup leaves alone: of excluded and finished features that have
// nothing below them that it makes.
func (w *writer) spared() map[int32]bool {
	out := map[int32]bool{}
	excluded := w.excludedPatches()
	s := w.step.side
	a, b := s.across()
	for q := range excluded {
		if !excluded[q] && !w.finished[q] {
			continue
		}
		isUsed := slices.ContainsFunc(w.step.items, func(it item) bool {
			box := w.tasks[it.task].box
			return s.span(box).Lo < s.span(w.boxes[q]).Lo-w.tol() &&
				overlap(along(box, a), along(w.boxes[q], a)).Length() > w.tol() &&
				overlap(along(box, b), along(w.boxes[q], b)).Length() > w.tol()
		})
		if !isUsed {
			out[int32(q)] = true
		}
	}
	return out
}

// besidePatches returns the patches beside which roughing clears; nil: all.
func (w *writer) besidePatches() []int32 {
	if len(w.in.Excluded) == 0 && len(w.in.DoneRegions) == 0 {
		return nil
	}
	spared := w.spared()
	if len(spared) == 0 {
		return nil
	}
	var out []int32
	for q := range w.g.Patches {
		if !spared[int32(q)] {
			out = append(out, int32(q))
		}
	}
	return out
}

// fixedSetup is a fixed setup along an axis of the workpiece.
type fixedSetup struct {
	side side
	kind machining.WorkholdingKind
}

// fixSetups turns the setups of the request into sides. It leaves out those from which nothing can be made.
func (p *planner) fixSetups() {
	st := p.begin()
	for i, f := range p.in.Setups {
		s := p.sideAlong(f.Direction)
		label := fmt.Sprintf("fixed setup %d", i+1)
		switch {
		case s == sides:
			p.warn("fixed_setup_left_out", "%s is left out: (%.4g, %.4g, %.4g) is oblique to the axes of the stock, and "+
				"the machine sets those up only", label, f.Direction.X, f.Direction.Y, f.Direction.Z)
			continue
		case !p.fits[s]:
			p.warn("fixed_setup_left_out", "%s is left out: the stock does not fit the machine with %v of the workpiece up",
				label, s)
			continue
		}
		p.fixed = append(p.fixed, fixedSetup{s, f.Workholding})
		if !p.makesFixed(st) {
			p.fixed = p.fixed[:len(p.fixed)-1]
			p.warn("fixed_setup_left_out", "%s is left out: nothing can be made with %v of the workpiece up", label, s)
		}
	}
}

// makesFixed makes the last fixed setup in the first clamping that lets it make something; false without one.
func (p *planner) makesFixed(st *state) bool {
	last := len(p.fixed) - 1
	holds := slices.Concat(p.holdsFor(st, p.fixed[last].side, last), p.fixturesFor(st, p.fixed[last].side, last))
	for i := range holds {
		next := st.clone()
		if step := p.work(next, p.fixed[last].side, &holds[i]); len(step.items) > 0 {
			*st = *next
			return true
		}
	}
	return false
}

// sideAlong returns the side of a direction in the part frame; sides if it is oblique to all.
func (p *planner) sideAlong(d geom.Vec3) side {
	for s := side(0); s < sides; s++ {
		if axis := s.dir(p.frame); d.Dot(axis) > 0 && d.Cross(axis).Norm() <= graph.DirectionTolerance*d.Norm() {
			return s
		}
	}
	return sides
}

// mayComeUp reports whether a side may be up in the setup at an index: the fixed one, or one that was not up before.
func (p *planner) mayComeUp(st *state, index int, s side) bool {
	if index < len(p.fixed) {
		return p.fixed[index].side == s
	}
	return !st.before[s]
}

// mayBeUpAgain reports whether a side may be up in the setup at an index or in a later one.
func (p *planner) mayBeUpAgain(st *state, index int, s side) bool {
	return !st.before[s] || slices.ContainsFunc(p.fixed[min(index, len(p.fixed)):],
		func(f fixedSetup) bool { return f.side == s })
}

// holdsFor returns the ways to hold the part in the setup at an index: those of the device that the request asks for,
// or all if that device does not hold it.
func (p *planner) holdsFor(st *state, s side, index int) []clamping {
	if index >= len(p.fixed) || p.fixed[index].kind == "" {
		return p.clampings(st, s)
	}
	kind := p.fixed[index].kind
	list := p.clampingsBy(st, s, kind)
	asked := slices.DeleteFunc(slices.Clone(list), func(h clamping) bool { return h.kind != kind || h.isBed })
	if len(asked) == 0 {
		return list
	}
	return asked
}

// fixturesFor returns the fixtures that may hold the part in the setup at an index: none where the request asks for
// another device, and that one holds it.
func (p *planner) fixturesFor(st *state, s side, index int) []clamping {
	if index >= len(p.fixed) || p.fixed[index].kind == "" {
		return p.fixturesBy(st, s, p.in.Config.Workholding.Kind)
	}
	kind := p.fixed[index].kind
	if len(p.clampingsBy(st, s, kind)) > 0 {
		return nil
	}
	return p.fixturesBy(st, s, kind)
}

// warnOfDevice warns of a fixed setup that is not held as asked.
func (w *writer) warnOfDevice() {
	if w.index >= len(w.fixed) || !w.step.clamping.isBed {
		return
	}
	if kind := w.fixed[w.index].kind; kind != "" {
		w.warn("held_otherwise", "setup %d (%v up) is held on a bed: no %s holds the part there", w.index+1, w.step.side, kind)
	}
}
