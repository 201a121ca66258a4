package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file adds interior points to large planar faces that would otherwise consist of needles: fans from the finely
// sampled boundary of a hole to far corners.
//
// Method: Delaunay refinement (Chew 1993, Ruppert 1995) with an unchanged boundary. The needle with the largest
// circumcircle gets a point at its circumcenter, which grades the triangles from small at the hole to large elsewhere.
// It stops when no triangle is a needle or there are half as many new points as boundary points. Circumcenters outside
// the face or close to its boundary are skipped, so some needles remain where boundaries are close to each other or
// unevenly sampled.

const (
	// needle is the ratio of longest side to height from which a triangle is one.
	needle = 10
	// needles is the share of a face's triangles that must be needles for it to be treated.
	needles = 0.4
	// large is the size of a face, in chord tolerances, from which it is treated: a twentieth of the part's
	// diameter by default.
	large = 0.05 * SizeShare
)

// candidate is a needle on the heap; it is out of date when its triangle has other corners by now.
type candidate struct {
	radius2 float64 // of the circumcircle, squared
	t       int32
	corners [3]int32
}

// fatten treats the flat face in work.
func (w *worker) fatten(lo, hi geom.Vec2) {
	boundary := len(w.index)
	if boundary < 4 || hi.Sub(lo).Norm() < large*w.run.chord {
		return
	}
	w.heap = w.heap[:0]
	count := 0
	for t := range w.tri.Slots() {
		if w.tri.Inside(t) {
			count++
			w.offer(t)
		}
	}
	if float64(len(w.heap)) < needles*float64(count) {
		return
	}
	for budget := boundary/2 + 4; budget > 0 && len(w.heap) > 0; {
		c := w.pop()
		if a, b, d := w.tri.Corners(c.t); !w.tri.Inside(c.t) || [3]int32{a, b, d} != c.corners {
			continue
		}
		center := w.circumcenter(c.corners)
		e, ok := w.tri.Locate(center, w.tri.Edge(c.t, 0))
		if !ok || !w.roomy(w.tri.Triangle(e), center) || !w.insert(center, e) {
			continue
		}
		budget--
		for _, t := range w.queue {
			w.offer(t)
		}
		w.queue = w.queue[:0]
	}
}

// offer puts a triangle on the heap when it is a needle.
func (w *worker) offer(t int32) {
	a, b, c := w.tri.Corners(t)
	p, q, r := w.tri.Point(a), w.tri.Point(b), w.tri.Point(c)
	longest2 := max(p.Sub(q).Norm2(), q.Sub(r).Norm2(), r.Sub(p).Norm2())
	double := q.Sub(p).Cross(r.Sub(p)) // height · longest
	if double*needle > longest2 {
		return
	}
	center := w.circumcenter([3]int32{a, b, c})
	radius2 := center.Sub(p).Norm2()
	if math.IsInf(radius2, 0) || math.IsNaN(radius2) {
		return
	}
	w.push(candidate{radius2, t, [3]int32{a, b, c}})
}

// push puts a candidate on the heap.
func (w *worker) push(c candidate) {
	w.heap = append(w.heap, c)
	for i := len(w.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if w.heap[up].radius2 >= w.heap[i].radius2 {
			return
		}
		w.heap[up], w.heap[i] = w.heap[i], w.heap[up]
		i = up
	}
}

// pop takes the candidate with the largest circumcircle off the heap.
func (w *worker) pop() candidate {
	top := w.heap[0]
	last := len(w.heap) - 1
	w.heap[0] = w.heap[last]
	w.heap = w.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && w.heap[child+1].radius2 > w.heap[child].radius2 {
			child++
		}
		if w.heap[i].radius2 >= w.heap[child].radius2 {
			return top
		}
		w.heap[i], w.heap[child] = w.heap[child], w.heap[i]
		i = child
	}
}

// circumcenter returns the center of the circle through three vertices, in the plane.
func (w *worker) circumcenter(v [3]int32) geom.Vec2 {
	a := w.tri.Point(v[0])
	b, c := w.tri.Point(v[1]).Sub(a), w.tri.Point(v[2]).Sub(a)
	d := 2 * b.Cross(c)
	bb, cc := b.Norm2(), c.Norm2()
	return geom.Vec2{X: a.X + (c.Y*bb-b.Y*cc)/d, Y: a.Y + (b.X*cc-c.X*bb)/d}
}
