package arcpoly

// Intersection of chords by snap rounding.
//
// Every end of a chord and every crossing, rounded to the lattice, owns the square of one lattice step around it. A
// chord through the square of such a point is routed through the point. The resulting chords intersect only at shared
// points, and each is within a step of its original (J. Hobby, "Practical segment intersection with finite precision
// output", Computational Geometry 13, 1999; L. Guibas, D. Marimont, "Rounding arrangements dynamically", 1998). The
// squares are half open and thus disjoint: a chord enters one after the other.
//
// Consecutive chords that all run into one quadrant meet only at their ends, so that these pairs are skipped.
//
// Cost: O(n log n) for loops whose chords are near only their neighbors in the loop, plus the crossings.

import (
	"cmp"
	"math"
	"slices"
)

// stop is a point between the ends of a chord through which the chord is routed.
type stop struct {
	chord int32
	at    point
	along float64
}

// crosser finds the intersections of chords.
type crosser struct {
	chains
	tree      tree
	own       []box  // of the chords
	marked    []bool // points that other chords go through
	stops     []stop // at last by chord and in the order along it
	crossings []point

	quadrants  []uint8 // by node of the tree, into which its chords run
	isMonotone []bool  // by node of the tree

	refiner
}

// cross finds the intersections of the chords.
func (x *crosser) cross() {
	x.refine()
	x.marked = resized(x.marked, len(x.pts))
	clear(x.marked)
	x.stops, x.crossings = x.stops[:0], x.crossings[:0]
	x.tree.pairs(x.monotone(), nil, x.leaves)
	slices.SortFunc(x.crossings, comparePoints)
	for _, p := range slices.Compact(x.crossings) {
		x.tree.meeting(box{p.x, p.y, p.x, p.y}, func(i int) {
			if x.curve[i] >= 0 && x.passes(i, p) {
				x.lead(i, p)
			}
		})
	}
	slices.SortFunc(x.stops, func(a, b stop) int {
		switch {
		case a.chord != b.chord:
			return cmp.Compare(a.chord, b.chord)
		case a.along != b.along:
			return cmp.Compare(a.along, b.along)
		}
		return comparePoints(a.at, b.at)
	})
	x.stops = slices.CompactFunc(x.stops, func(a, b stop) bool { return a.chord == b.chord && a.at == b.at })
}

func comparePoints(a, b point) int {
	if a.x != b.x {
		return cmp.Compare(a.x, b.x)
	}
	return cmp.Compare(a.y, b.y)
}

// monotone returns, by node of the tree, whether its chords are consecutive and run into one quadrant.
func (x *crosser) monotone() []bool {
	t := &x.tree
	x.quadrants, x.isMonotone = resized(x.quadrants, 2*t.leaves), resized(x.isMonotone, 2*t.leaves)
	for k := 2*t.leaves - 1; k > 0; k-- {
		var into uint8
		if k < t.leaves {
			into = x.quadrants[2*k] | x.quadrants[2*k+1]
		} else {
			lo, hi := t.span(int32(k))
			for i := lo; i < hi; i++ {
				into |= x.quadrant(i)
			}
		}
		x.quadrants[k], x.isMonotone[k] = into, into&(into-1) == 0
	}
	return x.isMonotone
}

// quadrant returns a bit for the quadrant, with one of its sides, that a chord runs into; several where a loop ends.
func (x *crosser) quadrant(i int) uint8 {
	if x.curve[i] < 0 {
		return 1 | 2
	}
	switch d := x.pts[i+1].sub(x.pts[i]); {
	case d.x > 0 && d.y >= 0:
		return 1
	case d.x <= 0 && d.y > 0:
		return 2
	case d.x < 0:
		return 4
	}
	return 8
}

func boxOf(p, q point) box { return box{min(p.x, q.x), min(p.y, q.y), max(p.x, q.x), max(p.y, q.y)} }

// leaves intersects the chords of two leaves of the tree.
func (x *crosser) leaves(a, b int32) {
	lo, hi := x.tree.span(a)
	first, last := x.tree.span(b)
	other := &x.tree.boxes[b]
	for i := lo; i < hi; i++ {
		mine := &x.own[i]
		if a == b {
			first = i + 1
			if first < last && x.curve[i] >= 0 && x.continues(i) {
				first++
			}
		} else if !mine.meets(other) {
			continue
		}
		for j := first; j < last; j++ {
			if mine.meets(&x.own[j]) {
				x.pair(i, j)
			}
		}
	}
}

// continues reports whether chord i meets the next one, if there is one, at their common end alone, as it does unless
// the next one turns back.
func (x *crosser) continues(i int) bool {
	if x.curve[i+1] < 0 || x.curve[i+2] < 0 {
		return false
	}
	q := x.pts[i+1]
	return x.pts[i].sub(q).dot(x.pts[i+2].sub(q)) <= 0
}

// pair intersects two chords.
func (x *crosser) pair(i, j int) {
	p, q, r, s := x.pts[i], x.pts[i+1], x.pts[j], x.pts[j+1]
	// Neighbors meet only at their common end unless they fold back.
	isNext, isLast := j == i+1, int(x.same(int32(j+1))) == i
	if isNext && !isLast && p.sub(q).dot(s.sub(q)) <= 0 || isLast && !isNext && q.sub(p).dot(r.sub(p)) <= 0 {
		return
	}
	d, e := q.sub(p), s.sub(r)
	fr, fs, wide := d.cross(r.sub(p)), d.cross(s.sub(p)), (math.Abs(d.x)+math.Abs(d.y))/2
	if fr > wide && fs > wide || fr < -wide && fs < -wide {
		return
	}
	gp, gq, broad := e.cross(p.sub(r)), e.cross(q.sub(r)), (math.Abs(e.x)+math.Abs(e.y))/2
	if gp > broad && gq > broad || gp < -broad && gq < -broad {
		return
	}
	x.touch(i, j, fr)
	x.touch(i, j+1, fs)
	x.touch(j, i, gp)
	x.touch(j, i+1, gq)
	if (fr > 0) == (fs > 0) || fr == 0 || fs == 0 || (gp > 0) == (gq > 0) || gp == 0 || gq == 0 {
		return
	}
	t := fr / (fr - fs)
	c := point{math.RoundToEven(r.x + t*e.x), math.RoundToEven(r.y + t*e.y)}
	x.crossings = append(x.crossings, c)
	x.lead(i, c)
	x.lead(j, c)
}

// touch routes chord i through point v if the chord intersects the square of v. f is the determinant of v with the
// chord.
func (x *crosser) touch(i, v int, f float64) {
	p, q, at := x.pts[i], x.pts[i+1], x.pts[v]
	if !isThrough(p, q, at, f) {
		return
	}
	switch at {
	case p:
		x.meet(i, v)
	case q:
		x.meet(i+1, v)
	default:
		x.meet(-1, v)
		x.lead(i, at)
	}
}

// meet marks two points at one position, unless they are the same.
func (x *crosser) meet(i, j int) {
	k := x.same(int32(j))
	if i >= 0 {
		if i := x.same(int32(i)); i != k {
			x.marked[i], x.marked[k] = true, true
		}
		return
	}
	x.marked[k] = true
}

// lead leads chord i through a point.
func (x *crosser) lead(i int, at point) {
	p, q := x.pts[i], x.pts[i+1]
	switch at {
	case p:
		x.marked[x.same(int32(i))] = true
	case q:
		x.marked[x.same(int32(i+1))] = true
	default:
		x.stops = append(x.stops, stop{int32(i), at, at.sub(p).dot(q.sub(p))})
	}
}

// passes reports whether chord i intersects the square of a point.
func (x *crosser) passes(i int, at point) bool {
	p, q := x.pts[i], x.pts[i+1]
	return isThrough(p, q, at, q.sub(p).cross(at.sub(p)))
}

// isThrough reports whether the chord from p to q passes through the half-open square around a point, given its
// determinant f: its line separates two corners, or passes through the lower left one.
func isThrough(p, q, at point, f float64) bool {
	if at.x < min(p.x, q.x) || at.x > max(p.x, q.x) || at.y < min(p.y, q.y) || at.y > max(p.y, q.y) {
		return false
	}
	d := q.sub(p)
	return math.Abs(f) < (math.Abs(d.x)+math.Abs(d.y))/2 || f+(d.y-d.x)/2 == 0
}
