package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file bounds the aspect, longest side over height, of triangles on planar and cylindrical faces.
//
// Method: Delaunay refinement (Ruppert 1995), only of the triangles beyond the bound. A needle gets a point at its
// off-center (Üngör 2004), or on a cylinder in the middle of its longest side, which is nearly a ruling. If its longest
// side, or one nearly as long, is on the boundary, that side is divided instead. The face requests samples of the edge
// (request.go), and the adjacent faces are processed again; points inside wait until then. A boundary side that
// obstructs a point is divided too. Straight edges and cuts along cylinders are divided from the start, because the
// triangles beside them are as wide as the curvature requires. The plane of a cylinder is stretched by the planned
// length of its sides (density.go), which the bound must exceed.
//
// The bound is 150. It does not apply to strips narrower than the chord tolerance, in corners sharper than its
// reciprocal, beside edges that are noise (shorter than a tenth of the chord tolerance), and where budgets end. Of
// random valid parts about one in five hundred keeps a needle beyond it, which the tests permit. Cost: one test of each
// triangle of these faces.

const (
	// goalAspect is the target for dividing boundary sides and for planning cylinders. treatAspect is the aspect from
	// which triangles are treated.
	goalAspect  = 45.0
	treatAspect = 60.0
)

// bound treats the needles of the face in work, which is a plane or a cylinder; it reports whether it put
// points into any.
func (w *worker) bound() bool {
	w.heap = w.heap[:0]
	for t := range w.tri.Slots() {
		if w.tri.Inside(t) {
			w.offerNeedle(t)
		}
	}
	before, asked := len(w.p), len(w.requests)
	if !w.run.lastRound {
		for _, c := range w.heap {
			w.requestLong(c)
		}
		if len(w.requests) > asked {
			return false // the face is done again
		}
	}
	for budget := len(w.index) + 64; budget > 0 && len(w.heap) > 0; budget-- {
		c := w.pop()
		if a, b, d := w.tri.Corners(c.t); !w.tri.Inside(c.t) || [3]int32{a, b, d} != c.corners {
			continue
		}
		w.treat(c)
		for _, t := range w.queue {
			w.offerNeedle(t)
		}
		w.queue = w.queue[:0]
	}
	return len(w.p) > before
}

// sidesOf returns the lengths of a triangle's sides in space, mm, its longest side and its aspect.
func (w *worker) sidesOf(v [3]int32) (length [3]float64, longest int, aspect float64) {
	p, q, o := w.p[v[0]], w.p[v[1]], w.p[v[2]]
	length = [3]float64{p.Dist(q), q.Dist(o), o.Dist(p)}
	for k := range 3 {
		if length[k] > length[longest] {
			longest = k
		}
	}
	double := q.Sub(p).Cross(o.Sub(p)).Norm()
	return length, longest, length[longest] * length[longest] / max(double, math.SmallestNonzeroFloat32)
}

// offerNeedle puts a triangle on the heap when its aspect calls for it.
func (w *worker) offerNeedle(t int32) {
	a, b, c := w.tri.Corners(t)
	v := [3]int32{a, b, c}
	length, longest, aspect := w.sidesOf(v)
	if aspect < treatAspect || length[longest] < w.run.smallest ||
		min(length[0], length[1], length[2]) < w.run.smallest {
		return
	}
	w.push(candidate{length[longest] * length[longest], t, v})
}

// requestLong requests a division of the longest side of a needle, or one nearly as long, if that is on the boundary:
// the needle is part of a strip.
func (w *worker) requestLong(c candidate) {
	const nearly = 0.7 // of the longest side
	length, longest, aspect := w.sidesOf(c.corners)
	if length[longest] < w.run.chord*aspect {
		return
	}
	second := (longest + 1) % 3
	if k := (longest + 2) % 3; length[k] > length[second] {
		second = k
	}
	e, f := w.tri.Edge(c.t, int32(longest)), w.tri.Edge(c.t, int32(second))
	switch isFixed, other := w.tri.Fixed(e), w.tri.Fixed(f); {
	case isFixed && other: // the smallest angle is between these two: it is the part's
	case isFixed:
		w.requestSide(e, aspect/goalAspect)
	case other && length[second] > nearly*length[longest]:
		w.requestSide(f, aspect/goalAspect)
	}
}

// treat inserts a point into a needle, or requests a division of the obstructing side.
func (w *worker) treat(c candidate) {
	length, longest, aspect := w.sidesOf(c.corners)
	side := w.tri.Edge(c.t, int32(longest))
	if w.tri.Fixed(side) {
		isSeen := length[longest] >= w.run.chord*aspect // as in requestLong
		if isSeen && !w.tri.Fixed(w.tri.Next(side)) && !w.tri.Fixed(w.tri.Next(w.tri.Next(side))) {
			w.requestSide(side, aspect/goalAspect) // a point opposite to it is too near
		}
		return
	}
	blocked := int32(absent)
	if w.shape.isFlat() {
		if blocked = w.insertOffCenter(c); blocked == inserted {
			return
		}
	} else if w.swapNeedle(side, aspect) {
		return
	}
	twin := w.tri.Twin(side)
	mid := w.tri.Point(w.tri.Origin(side)).Lerp(w.tri.Point(w.tri.Origin(twin)), 0.5)
	if w.roomy(c.t, mid) && w.roomy(w.tri.Triangle(twin), mid) && w.insert(mid, side) {
		return
	}
	if !w.shape.isFlat() {
		if blocked = w.insertOffCenter(c); blocked == inserted {
			return
		}
	}
	if blocked != absent {
		w.requestSide(blocked, math.Sqrt(aspect/goalAspect))
	}
}

// offCenter returns the point of the plane for a needle: its circumcenter or, if that is far from the shortest side, a
// point between them, so that sizes grow by a factor from point to point. It also returns the middle of the shortest
// side.
func (w *worker) offCenter(v [3]int32) (mid, center geom.Vec2) {
	const grade = 16 // distance from the shortest side over its length
	short, length := 0, math.Inf(1)
	for k := range 3 {
		if l := w.tri.Point(v[k]).Sub(w.tri.Point(v[(k+1)%3])).Norm2(); l < length {
			short, length = k, l
		}
	}
	center = w.circumcenter(v)
	mid = w.tri.Point(v[short]).Lerp(w.tri.Point(v[(short+1)%3]), 0.5)
	if d2 := center.Sub(mid).Norm2(); d2 > grade*grade*length {
		center = mid.Lerp(center, grade*math.Sqrt(length/d2))
	}
	return mid, center
}

// swapNeedle flips the longest side of a flat obtuse triangle if the result is better and not farther from the surface.
// In the stretched plane such a triangle is not a needle.
func (w *worker) swapNeedle(e int32, aspect float64) bool {
	if !w.tri.Convex(e) {
		return false
	}
	f := w.tri.Twin(e)
	a, b := w.tri.Origin(e), w.tri.Origin(f)
	c, d := w.tri.Origin(w.tri.Next(w.tri.Next(e))), w.tri.Origin(w.tri.Next(w.tri.Next(f)))
	_, _, x := w.sidesOf([3]int32{a, d, c})
	_, _, y := w.sidesOf([3]int32{d, b, c})
	const better = 0.7 // of the aspect: turning back must not pay
	if max(x, y) > better*aspect {
		return false
	}
	if w.sideGap(c, d) > max(w.sideGap(a, b), w.chordGoal) {
		return false
	}
	w.tri.Swap(e)
	w.queue = append(w.queue, w.tri.Triangle(e), w.tri.Triangle(f))
	return true
}

// inserted is the answer of insertOffCenter that it inserted a point.
const inserted = -2

// insertOffCenter inserts a point at the off-center of a triangle or, if that is too near to an obstacle, nearer to its
// shortest side. Otherwise it returns the obstructing boundary side, absent if there is another reason.
func (w *worker) insertOffCenter(c candidate) int32 {
	mid, center := w.offCenter(c.corners)
	if s := center.X + center.Y; math.IsNaN(s) || math.IsInf(s, 0) {
		return absent
	}
	blocked := int32(absent)
	shares := [3]float64{1, 0.5, 0.25}
	tries := shares[:]
	if !w.shape.isFlat() { // the plane is stretched: nearer is no better
		tries = shares[:1]
	}
	for _, share := range tries {
		at := mid.Lerp(center, share)
		e, ok := w.tri.Locate(at, w.tri.Edge(c.t, 0))
		t := w.tri.Triangle(e)
		switch {
		case ok && w.roomy(t, at) && w.insert(at, e):
			return inserted
		case !ok && w.tri.Fixed(e):
			blocked = e
		case ok && blocked == absent:
			for k := range int32(3) {
				if s := w.tri.Edge(t, k); w.tri.Fixed(s) {
					blocked = s
				}
			}
		}
	}
	return blocked
}

// requestSide requests a division of a boundary side, but not into negligible pieces.
func (w *worker) requestSide(e int32, pieces float64) {
	a, b := w.tri.Origin(e), w.tri.Origin(w.tri.Twin(e))
	const most, least = 64, 2 // pieces; chord tolerances that a piece is long at least
	n := min(most, math.Ceil(pieces), w.p[a].Dist(w.p[b])/(least*w.run.chord))
	if n < 2 || int(a) >= len(w.index) || int(b) >= len(w.index) {
		return
	}
	i := w.ringPiece(a, b)
	if i != absent {
		w.request(i, int(n))
	}
}

// ringPiece returns the ring point from which the boundary piece between two ring points runs.
func (w *worker) ringPiece(a, b int32) int32 {
	for _, x := range [2][2]int32{{a, b}, {b, a}} {
		next, begin := x[0]+1, int32(0)
		for _, end := range w.ringEnds {
			if next == end && x[0] >= begin {
				next = begin
			}
			begin = end
		}
		if next == x[1] {
			return x[0]
		}
	}
	return absent
}

// longestPiece returns the maximum length (mm) of an edge's pieces that its adjacent cylinders permit.
func (r *run) longestPiece(e *brep.Edge) float64 {
	longest := math.Inf(1)
	if e.Curve.Kind() != curve.KindLine {
		return longest
	}
	for _, c := range e.Coedges {
		if s, ok := r.model.Faces[r.model.FaceOf(c)].Surface.(surface.Cylinder); ok {
			longest = min(longest, r.longestOn(s))
		}
	}
	return longest
}

// longestOn returns the maximum length (mm) of boundary sides along a cylinder for triangles as wide as its curvature
// requires.
func (r *run) longestOn(s surface.Cylinder) float64 {
	bend := 1 / s.Radius
	return goalAspect * max(1/sides(bend, bend, r.chord, r.angle), r.smallest)
}

// divideLong appends the end of a straight range and, before it, points that divide it into pieces no longer than the
// given length.
func divideLong(dst []float64, iv geom.Interval, longest float64) []float64 {
	const most = 1000
	n := int(max(1, min(most, math.Ceil(iv.Length()/longest-stepRounding))))
	for k := 1; k < n; k++ {
		dst = append(dst, iv.At(float64(k)/float64(n)))
	}
	return append(dst, iv.Hi)
}
