package tessellate

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file inserts points where triangles are too far from the surface or their sides turn too fast.
//
// Each triangle is measured at the midpoints of its sides and at its centroid. The distance from an analytic surface is
// in closed form; otherwise it is the distance of the surface point at the same parameters along the normal. Where the
// surface is curved in both directions, it may be farther away in between. The quadratic that vanishes at the corners
// and has the measured heights at the midpoints of the sides gives that distance. The worst position gets a point.
// Boundary sides cannot be improved. So that the points near them come to an end, a new point keeps away from its
// triangle's corners and boundary sides by a share of their size.
//
// Edges may be off the surface by more than the tolerance: that error is in the file, and no point inside repairs it.
// The part of an error that linear interpolation of the corners' distances explains therefore does not count against a
// triangle. No point is inserted at the position of a corner that is off: sides to that corner stay as long and as far
// from the surface, so points would follow each other to within rounding. Nor is a point inserted into a triangle that
// is flat in the plane: points would follow each other onto a boundary side that leaves the surface.

const (
	// near is the share of a triangle's longest side that a new point stays away from its corners, and
	// of a boundary side's length that it stays away from that side; in the plane.
	near = 0.12
	// flattest is the height over the longest side, in the plane, of the flattest triangle that gets a point.
	flattest = 1e-9
	// within is the share of the chord tolerance that the measured points may use where the surface is doubly curved.
	// withinPeak is the share of the farthest point between them, as estimated.
	within     = 0.94
	withinPeak = 0.99
	// withinTurn is the same for the angle between a triangle and the mean normal of its corners.
	withinTurn = 0.8
	// sideTurn times the angle tolerance is the maximum turn of the surface along a side before the side is divided.
	// Seeds are placed for one time the tolerance. The normal of a triangle differs from the surface's by about half
	// the turn along its sides.
	sideTurn = 1.4
	// smallest times the chord tolerance is the length of a side below which the angle is not tested: there the surface
	// has a crease, or detail finer than the tolerance.
	smallest = 0.1
	// growth limits the points added by refinement, as a multiple of the points before.
	growth = 60
)

// defect is the worst place of a triangle: how bad, as a multiple of the tolerance, and on which side,
// or at the centroid.
type defect struct {
	badness float64
	edge    int32   // half-edge; absent: the centroid
	gap     float64 // mm: the largest measured distance from the surface
}

// refine inserts points until every triangle is good or cannot be improved. It inserts no point if the face already has
// too many. It returns the number of triangles that cannot be improved and miss the tolerance by far.
func (w *worker) refine(isFull bool) int {
	budget := min(growth*len(w.uv)+1000, w.limit/trianglesPerSeed)
	if isFull {
		budget = 0
	}
	w.heap = w.heap[:0] // triangles that could not be helped
	w.stuck = false
	w.cosAngle = math.Cos(withinTurn * w.run.angle)
	w.chordGoal = w.run.chord * (1 + stepRounding)
	if !w.density.oneSided {
		w.chordGoal *= within
	}
	w.cosSide = math.Cos(min(math.Pi, sideTurn*w.run.angle))
	for s := int32(0); s < w.tri.Slots(); s++ {
		w.queue = append(w.queue[:0], s)
		for len(w.queue) > 0 {
			t := w.queue[len(w.queue)-1]
			w.queue = w.queue[:len(w.queue)-1]
			if !w.tri.Inside(t) {
				continue
			}
			if w.isProbed(t) && w.inspect(t, &w.probes).badness <= 1 {
				continue
			}
			f := w.inspect(t, nil)
			if f.badness <= 1 {
				continue
			}
			if budget <= 0 || w.run.ctx.Err() != nil || !w.improve(t, f) {
				const far = 1.5 // times the tolerance
				if f.gap > far*w.run.chord {
					a, b, c := w.tri.Corners(t)
					w.heap = append(w.heap, candidate{t: t, corners: [3]int32{a, b, c}})
				}
				w.stuck = w.stuck || f.gap > w.chordGoal
				continue
			}
			budget--
		}
	}
	slices.SortFunc(w.heap, func(a, b candidate) int { return cmp.Compare(a.t, b.t) }) // one may be there again
	bad, last := 0, int32(absent)
	for _, c := range w.heap {
		a, b, d := w.tri.Corners(c.t)
		if c.t != last && w.tri.Inside(c.t) && [3]int32{a, b, d} == c.corners {
			bad, last = bad+1, c.t // no later point has changed it
		}
	}
	return bad
}

// inspect measures a triangle: in float64, or by its probes if they are given. With probes, a defect is never
// underestimated, but may be overestimated.
func (w *worker) inspect(t int32, p *probes) defect {
	a, b, c := w.tri.Corners(t)
	v := [3]int32{a, b, c}
	worst, off := defect{edge: absent}, 0.0
	if p != nil {
		off = p.probeSlack
	}
	longest, length := int32(absent), 0.0
	var heights [3]float64
	for k := range int32(3) {
		e := w.tri.Edge(t, k)
		i, j := v[k], v[(k+1)%3]
		if d := w.p[i].Dist2(w.p[j]); d > length {
			longest, length = e, d
		}
		if isFixed := w.tri.Fixed(e); !isFixed || !w.density.oneSided {
			var turn float64
			if p != nil {
				heights[k], turn = w.probedSide(i, j, e)
			} else {
				heights[k], turn = w.sideFault(i, j, w.overMiddle(i, j))
			}
			if gap := math.Abs(heights[k]) + off; !isFixed {
				worst.raise(max(turn, gap/w.chordGoal), gap, e)
			}
		}
	}
	var x geom.Vec3
	if p != nil {
		x = p.at(centerOf(t))
	} else {
		x = w.overCentroid(v)
	}
	gap, turn := w.centerFault(v, x)
	gap += off
	worst.raise(gap/w.chordGoal, gap, absent)
	if !w.density.oneSided {
		gap = peak(heights)
		if p != nil {
			gap = highest(heights, gap) + 4./3*off
		}
		worst.raise(gap/(withinPeak*w.run.chord), gap, absent)
	}
	// A triangle is tilted by the bulge of its longest side over its height: halving the side helps, a
	// point inside would make it worse, and nothing helps when the side is on the boundary.
	if longest != absent && !w.tri.Fixed(longest) { // absent: all corners are one point of space
		worst.raise(turn, gap, longest)
	}
	if sum := heights[0] + heights[1] + heights[2] + gap; p != nil && sum-sum != 0 { // a probe is not a number
		worst.badness = math.Inf(1)
	}
	return worst
}

// highest returns the largest distance from zero of the quadratic of peak over the triangle: at the middle of a
// side, or at its peak. Heights that are off by 1 move it by 4(x₀x₁ + x₁x₂ + x₂x₀), 4/3 at most.
func highest(h [3]float64, peak float64) float64 {
	return max(math.Abs(h[0]), math.Abs(h[1]), math.Abs(h[2]), peak)
}

// middle and centroid are places in the plane.
func (w *worker) middle(i, j int32) geom.Vec2 { return w.tri.Point(i).Lerp(w.tri.Point(j), 0.5) }

func (w *worker) centroid(v [3]int32) geom.Vec2 {
	return w.tri.Point(v[0]).Add(w.tri.Point(v[1])).Add(w.tri.Point(v[2])).Scale(1.0 / 3)
}

// overMiddle returns the point of the surface at the parameters of the middle of the side i–j; zero for surfaces
// that are measured in closed form. overCentroid does so for the centroid of a triangle.
func (w *worker) overMiddle(i, j int32) geom.Vec3 {
	if w.shape.exact() {
		return geom.Vec3{}
	}
	uv := w.chart.param(w.middle(i, j))
	return w.shape.surf.At(uv.X, uv.Y)
}

func (w *worker) overCentroid(v [3]int32) geom.Vec3 {
	if w.shape.exact() {
		return geom.Vec3{}
	}
	uv := w.chart.param(w.centroid(v))
	return w.shape.surf.At(uv.X, uv.Y)
}

// peak returns the maximum of a quadratic inside a triangle. It vanishes at the corners and has the given heights at
// the midpoints of the sides, from side 0–1 on. The result is 0 without a level point between the corners and the
// sides.
//
// With barycentric coordinates x, it is 4(a·x₀x₁ + b·x₁x₂ + c·x₂x₀). Its derivatives are equal where x is as b(a+c-b) :
// c(a+b-c) : a(b+c-a).
func peak(h [3]float64) float64 {
	a, b, c := h[0], h[1], h[2]
	x, y, z := b*(a+c-b), c*(a+b-c), a*(b+c-a)
	if sum := x + y + z; min(x, y, z) > 0 || max(x, y, z) < 0 {
		return math.Abs(4 * a * b * c / sum)
	}
	return 0
}

func (f *defect) raise(badness, gap float64, edge int32) {
	f.gap = max(f.gap, gap)
	if badness > f.badness {
		f.badness, f.edge = badness, edge
	}
}

// sideGap returns the distance of the side i–j from the surface, mm.
func (w *worker) sideGap(i, j int32) float64 {
	height, _ := w.sideFault(i, j, w.overMiddle(i, j))
	return math.Abs(height)
}

// sideFault measures the side i–j, with x from overMiddle: its height over the surface in mm, less the distances of its
// ends, and the turn as a multiple of the tolerance. The height is signed, with the same sign for all sides of a
// triangle that are on one side of the surface.
func (w *worker) sideFault(i, j int32, x geom.Vec3) (height, turn float64) {
	p, q := w.p[i], w.p[j]
	n, m := w.n[i], w.n[j]
	d := q.Sub(p)
	length2 := d.Norm2()
	if length2 > w.run.smallest*w.run.smallest && !w.isBlunt(i) && !w.isBlunt(j) {
		if cos := n.Dot(m); cos < w.cosSide {
			turn = math.Acos(max(-1, cos)) / (sideTurn * w.run.angle)
		}
	}
	off := 0.5 * (w.offset(i) + w.offset(j))
	if w.shape.exact() {
		return lessen(w.shape.height(p.Lerp(q, 0.5)), off), turn
	}
	x = x.Sub(p)
	if length2 > 0 {
		x = x.AddScaled(-x.Dot(d)/length2, d)
	}
	const opposed = 0.1 // a sum of unit normals so short has no direction
	normal := n.Add(m)
	if l := normal.Norm(); l > opposed {
		return lessen(x.Dot(normal)/l, off), turn
	}
	return max(0, x.Norm()-off), turn
}

// lessen moves a height toward zero by off, but not beyond zero.
func lessen(height, off float64) float64 {
	return math.Copysign(max(0, math.Abs(height)-off), height)
}

// offset returns the distance (mm) of vertex v from the surface: only vertices on edges have one.
func (w *worker) offset(v int32) float64 {
	if int(v) < len(w.off) {
		return w.off[v]
	}
	return 0
}

func (w *worker) isBlunt(v int32) bool { return int(v) < len(w.blunt) && w.blunt[v] }

// meanNormal returns the sum of the normals at three vertices, without missing normals.
func (w *worker) meanNormal(a, b, c int32) (sum geom.Vec3) {
	for _, v := range [3]int32{a, b, c} {
		if !w.isBlunt(v) {
			sum = sum.Add(w.n[v])
		}
	}
	return sum
}

// centerFault measures a triangle at its centroid, with x from overCentroid, and by its own normal.
func (w *worker) centerFault(v [3]int32, x geom.Vec3) (gap, turn float64) {
	a, b, c := w.p[v[0]], w.p[v[1]], w.p[v[2]]
	n := b.Sub(a).Cross(c.Sub(a))
	size := max(b.Dist2(a), c.Dist2(a), c.Dist2(b))
	const flat = 1e-6 // height over length below which a triangle's normal is rounding
	double := n.Norm()
	// A triangle so narrow is not seen, and its normal depends on how well edges and surface agree.
	narrow := smallest * w.run.smallest * math.Sqrt(size)
	mean := w.meanNormal(v[0], v[1], v[2])
	off, least, most := 0.0, math.Inf(1), 0.0
	for _, i := range v {
		x := w.offset(i)
		off, least, most = off+x/3, min(least, x), max(most, x)
	}
	if double > max(flat*size, narrow) && size > w.run.smallest*w.run.smallest {
		if cos := n.Dot(mean) / (double * mean.Norm()); cos < w.cosAngle {
			tilted := (most - least) * math.Sqrt(size) / double // by corners that are off by different distances
			turn = (math.Acos(max(-1, cos)) - tilted) / (withinTurn * w.run.angle)
		}
	}
	center := a.Add(b).Add(c).Scale(1.0 / 3)
	if w.shape.exact() {
		return w.shape.gap(center) - off, turn
	}
	if double > flat*size {
		gap = math.Abs(x.Sub(a).Dot(n))/double - off
	}
	return gap, turn
}

// improve inserts a point for a defect; it returns false if there is no suitable position.
func (w *worker) improve(t int32, f defect) bool {
	if f.edge != absent {
		o := w.tri.Twin(f.edge)
		p, q := w.tri.Point(w.tri.Origin(f.edge)), w.tri.Point(w.tri.Origin(o))
		mid := p.Lerp(q, 0.5)
		if w.roomy(t, mid) && w.roomy(w.tri.Triangle(o), mid) && w.insert(mid, f.edge) {
			return true
		}
		if f.gap <= w.chordGoal {
			return false
		}
		// The larger of the two triangles may have space where the side has none.
		if other := w.tri.Triangle(o); w.tri.Inside(other) && w.insertCenter(other) {
			return true
		}
	}
	return w.insertCenter(t)
}

func (w *worker) insertCenter(t int32) bool {
	a, b, c := w.tri.Corners(t)
	q := w.centroid([3]int32{a, b, c})
	return w.roomy(t, q) && w.insert(q, w.tri.Edge(t, 0))
}

// roomy reports whether a point of triangle t is far enough from its corners and boundary sides.
func (w *worker) roomy(t int32, q geom.Vec2) bool {
	a, b, c := w.tri.Corners(t)
	corners, v := [3]int32{a, b, c}, [3]geom.Vec2{w.tri.Point(a), w.tri.Point(b), w.tri.Point(c)}
	longest := max(v[0].Sub(v[1]).Norm2(), v[1].Sub(v[2]).Norm2(), v[2].Sub(v[0]).Norm2())
	if v[1].Sub(v[0]).Cross(v[2].Sub(v[0])) < flattest*longest {
		return false
	}
	for k := range 3 {
		if q.Sub(v[k]).Norm2() < near*near*longest || w.isAtFootPoint(corners[k], q) {
			return false
		}
		if w.tri.Fixed(w.tri.Edge(t, int32(k))) {
			d := v[(k+1)%3].Sub(v[k])
			if x := d.Cross(q.Sub(v[k])); x < near*d.Norm2() {
				return false
			}
		}
	}
	return true
}

// isAtFootPoint reports whether vertex v is off the surface and the surface's point at place q of the plane is nearer
// to the one at v's parameters than the smallest side that matters.
func (w *worker) isAtFootPoint(v int32, q geom.Vec2) bool {
	if w.offset(v) == 0 {
		return false
	}
	uv, foot := w.chart.param(q), w.uv[v]
	return w.shape.surf.At(uv.X, uv.Y).Dist2(w.shape.surf.At(foot.X, foot.Y)) < w.run.smallest*w.run.smallest
}

// insert adds a point of the plane to the triangulation and queues the triangles around it.
func (w *worker) insert(q geom.Vec2, edge int32) bool {
	v, ok := w.tri.Insert(q, edge)
	if !ok {
		return false
	}
	uv := w.chart.param(q)
	p, n := w.shape.at(uv)
	w.uv = append(w.uv, uv)
	w.p, w.n = append(w.p, p), append(w.n, n)
	first := w.tri.Out(v)
	for e := first; ; {
		w.queue = append(w.queue, w.tri.Triangle(e))
		if e = w.tri.Around(e); e == first {
			return true
		}
	}
}
