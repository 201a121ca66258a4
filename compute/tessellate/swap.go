package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file flips the diagonals of pairs of triangles that are tilted far out of the surface. Along an edge that is
// nearly straight on the surface, three samples may form a triangle that is perpendicular to the surface in space. It
// is well-shaped in the plane, whose map is curved there.
//
// Method: edge swapping by the normals (Dyn, Levin and Rippa 1990, data-dependent triangulations), only for the few
// triangles that refinement leaves tilted by more than the angle tolerance. A swap must reduce the larger tilt of the
// two triangles and must not move the diagonal away from the surface. The cost is one normal a triangle.

// swapTilted improves the triangles that refinement left tilted.
func (w *worker) swapTilted() {
	const passes = 3
	limit := math.Cos(w.run.angle)
	for range passes {
		swapped := false
		for s := range w.tri.Slots() {
			if w.tri.Inside(s) && w.upright(s) < limit {
				swapped = w.swap(s) || swapped
			}
		}
		if !swapped {
			return
		}
	}
}

// upright is the cosine of the angle between triangle s and the surface.
func (w *worker) upright(s int32) float64 {
	a, b, c := w.tri.Corners(s)
	return w.cosine(a, b, c)
}

// cosine returns the cosine of the angle between the triangle a, b, c and the mean of its normals; 0 for a triangle
// without area, 1 if it is too small or has no normals.
func (w *worker) cosine(a, b, c int32) float64 {
	p, q, o := w.p[a], w.p[b], w.p[c]
	n := q.Sub(p).Cross(o.Sub(p))
	size := max(p.Dist2(q), q.Dist2(o), o.Dist2(p))
	mean := w.meanNormal(a, b, c)
	if size <= w.run.smallest*w.run.smallest || mean == (geom.Vec3{}) {
		return 1
	}
	const flat = 1e-9 // height over length below which a triangle has no normal
	double := n.Norm()
	if double <= flat*size {
		return 0
	}
	return n.Dot(mean) / (double * max(mean.Norm(), math.SmallestNonzeroFloat32))
}

// swap flips the side of triangle s that helps the most; false if no side does.
func (w *worker) swap(s int32) bool {
	best, gain := int32(absent), 0.0
	for k := range int32(3) {
		e := w.tri.Edge(s, k)
		if !w.tri.Convex(e) {
			continue
		}
		f := w.tri.Twin(e)
		a, b := w.tri.Origin(e), w.tri.Origin(f)
		c, d := w.tri.Origin(w.tri.Next(w.tri.Next(e))), w.tri.Origin(w.tri.Next(w.tri.Next(f)))
		before := min(w.cosine(a, b, c), w.cosine(b, a, d))
		after := min(w.cosine(a, d, c), w.cosine(d, b, c))
		if after-before <= gain {
			continue
		}
		if w.sideGap(c, d) > max(w.sideGap(a, b), w.chordGoal) {
			continue
		}
		best, gain = e, after-before
	}
	const worthwhile = 1e-3
	if gain < worthwhile {
		return false
	}
	w.tri.Swap(best)
	return true
}
