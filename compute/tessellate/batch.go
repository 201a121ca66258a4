package tessellate

import (
	"sync"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/core/kernel/brep"
)

// This file meshes faces one by one. If the runner prefers larger calls than the probes of one face, faces with probes
// wait until there are enough probes, or no face is left.

// batch contains the waiting faces.
type batch struct {
	mu      sync.Mutex
	waiting []*draft
	probes  int
	spare   []*draft // for other faces
	err     error    // of the first call that failed
}

// meshEach meshes faces in parallel and calls done for each. Once the tally is full, it skips further faces. Faces of
// sheets have no mesh.
func (r *run) meshEach(faces []brep.FaceID, count *tally, done func(f brep.FaceID)) error {
	b := &r.batch
	err := r.parallel(len(faces), 1, func(w *worker, i int) {
		f, enough := faces[i], r.runner.Batch(evalsurface.Points.Cost)
		switch {
		case count.full.Load():
			return
		case r.model.IsSheet(f):
			done(f)
		case !w.begin(f):
			r.faces[f] = w.keep()
			done(f)
		case len(w.probeU) >= enough:
			b.fail(r.finish(w, []*draft{w.draft}, count, done))
		default:
			b.add(w)
		}
		b.fail(r.finish(w, b.due(enough, count), count, done))
	})
	rest := b.take()
	if err == nil && b.err == nil {
		b.fail(r.evaluate(rest))
	}
	if err == nil {
		err = b.err
	}
	if err != nil {
		return err
	}
	return r.parallel(len(rest), 1, func(w *worker, i int) {
		if !count.full.Load() {
			r.finishOne(w, rest[i], done)
		}
	})
}

// add makes the current face wait and gives the worker another draft.
func (b *batch) add(w *worker) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, w.draft)
	b.probes += len(w.probeU)
	w.draft = &draft{}
	if n := len(b.spare); n > 0 {
		w.draft, b.spare = b.spare[n-1], b.spare[:n-1]
	}
}

// due removes and returns the waiting faces when they have enough probes or hold up the tally.
func (b *batch) due(enough int, count *tally) []*draft {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 || b.probes < enough && !count.isHeldUp() {
		return nil
	}
	return b.take()
}

// take removes and returns all waiting faces; with mu held, or when no other goroutine is left.
func (b *batch) take() []*draft {
	taken := b.waiting
	b.waiting, b.probes = nil, 0
	return taken
}

// fail notes the error of a call, if it has one.
func (b *batch) fail(err error) {
	if err == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

// finish evaluates the probes of faces and finishes them.
func (r *run) finish(w *worker, drafts []*draft, count *tally, done func(f brep.FaceID)) error {
	if err := r.evaluate(drafts); err != nil {
		return err
	}
	for _, d := range drafts {
		if !count.full.Load() {
			r.finishOne(w, d, done)
		}
	}
	return nil
}

// evaluate fills in the points of all probes of some faces.
func (r *run) evaluate(drafts []*draft) error {
	if len(drafts) == 0 {
		return nil
	}
	in := evalsurface.Input{Batches: make([]evalsurface.Batch, len(drafts))}
	for i, d := range drafts {
		in.Batches[i] = evalsurface.Batch{Surface: d.shape.surf, U: d.probeU, V: d.probeV}
	}
	out, err := evalsurface.Points.Run(r.ctx, r.runner, in)
	if err != nil {
		return err
	}
	for i, d := range drafts {
		d.probeOrigin, d.probePoints = out.Origin[i], out.Point[out.First[i]:out.First[i+1]]
	}
	return nil
}

// finishOne finishes a face whose probes were evaluated; another face may have its draft then.
func (r *run) finishOne(w *worker, d *draft, done func(f brep.FaceID)) {
	own := w.draft
	w.draft = d
	w.output.reset()
	w.finish()
	r.faces[d.face] = w.keep()
	d.probePoints = nil
	w.draft = own
	done(d.face)
	if d == own {
		return
	}
	r.batch.mu.Lock()
	defer r.batch.mu.Unlock()
	r.batch.spare = append(r.batch.spare, d)
}
