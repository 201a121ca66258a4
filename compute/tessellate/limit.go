package tessellate

import (
	"fmt"
	"sync"
	"sync/atomic"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// Damaged or disproportionate faces must not use up all memory and time. Where the chord tolerance cannot be coarser
// (budget.go), a part that needs more triangles than allowed is rejected. A single face that needs more than its share
// gets fewer, and a warning.
//
// The rejection names the same face for any order of work: counts are added in the order of the faces, so the
// first face at which the sum exceeds the limit is always the same.

const (
	// DefaultMaxTriangles is the default of Options.MaxTriangles: about 3 GB of memory.
	DefaultMaxTriangles = 6_000_000
	// faceShare is the fraction of all triangles that one face may have: by default a million, which takes about a
	// second.
	faceShare = 1.0 / 6
	// edgeShare is the share of a face's triangles that the samples of one edge may reach by request.
	edgeShare = 1.0 / 16
)

// tally adds up counts in the order of their items although they come in any order.
type tally struct {
	limit  int64
	full   atomic.Bool
	mu     sync.Mutex
	counts []int64 // less than 0: not known yet
	next   int     // the first item that is not known yet
	sum    int64   // of the items before it
	ahead  int64   // of those behind it
}

func newTally(items, limit int) *tally {
	t := &tally{limit: int64(limit), counts: make([]int64, items)}
	for i := range t.counts {
		t.counts[i] = -1
	}
	return t
}

// add notes the count of an item; false when the sum of the items up to some one is over the limit.
func (t *tally) add(item, count int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[item] = int64(count)
	t.ahead += int64(count)
	for t.next < len(t.counts) && t.counts[t.next] >= 0 && t.sum <= t.limit {
		t.sum += t.counts[t.next]
		t.ahead -= t.counts[t.next]
		t.next++
	}
	if t.sum > t.limit {
		t.full.Store(true)
	}
	return t.sum <= t.limit
}

// isHeldUp reports whether the counts behind one that is not known yet are over the limit by themselves.
func (t *tally) isHeldUp() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ahead > t.limit
}

// largest returns the item with the largest count, the first of several, of those that make the sum.
func (t *tally) largest() (item int, count int64) {
	for i, n := range t.counts[:t.next] {
		if n > count {
			item, count = i, n
		}
	}
	return item, count
}

// tooComplex is the refusal of a part; faces counts triangles.
func (r *run) tooComplex(faces *tally) error {
	f, n := faces.largest()
	return fault.Errorf(fault.TooComplex,
		"the part needs more than %d triangles at a tolerance of %.3g mm; "+
			"%s takes %d of them", r.most, r.chord, r.model.FaceName(brep.FaceID(f)).Text, n)
}

// edgeTooComplex is the refusal of a part for its edges; edges counts samples.
func (r *run) edgeTooComplex(edges *tally) error {
	e, n := edges.largest()
	return fault.Errorf(fault.TooComplex,
		"the part's edges need more than %d points at a tolerance of %.3g mm; "+
			"#%d EDGE_CURVE (edge %d) takes %d of them", r.most, r.chord, r.model.Edges[e].Source, e, n)
}

// faceLimit returns the maximum number of triangles of one face.
func (r *run) faceLimit() int {
	if r.mayCoarsen() {
		return r.total
	}
	return max(1, min(r.total, int(faceShare*float64(r.most))))
}

// modestFace makes a face sparser that needs more triangles than it may have; it returns the number needed, 0 if that
// is permitted.
func (w *worker) modestFace() int {
	limit := float64(w.limit) / trianglesPerSeed
	seeds := w.density.seeds(w.area())
	if !(seeds > limit) {
		return 0
	}
	w.density.thin(limit / seeds)
	const countable = 1 << 50 // beyond, the number is nonsense
	return int(min(countable, seeds*trianglesPerSeed))
}

// area returns the area of the rings in the parameter plane.
func (w *worker) area() float64 {
	area, begin := 0.0, int32(0)
	for _, end := range w.ringEnds {
		a := w.uv[end-1]
		for _, b := range w.uv[begin:end] {
			area += 0.5 * a.Cross(b)
			a = b
		}
		begin = end
	}
	return area
}

// trianglesPerSeed is the number of triangles that an interior point adds.
const trianglesPerSeed = 2

// refuseOverfull returns the refusal when the faces together have too many triangles.
func (r *run) refuseOverfull() error {
	t := newTally(len(r.faces), r.total)
	for i := range r.faces {
		if !t.add(i, r.faces[i].count()) {
			return r.tooComplex(t)
		}
	}
	return nil
}

func (w *worker) warnTooMany() {
	w.warn(WarnCoarse, fmt.Sprintf(
		"its curvature asks for %d triangles, more than the %d a face may have", w.asked, w.run.faceLimit()))
}
