package tessellate

import (
	"math"
	"slices"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file evaluates the surface points for the first pass of refinement over a face, its probes: the midpoints of all
// sides of its triangles, and their centroids. Probes are most of the evaluations of a B-spline surface and do not
// depend on each other. So the probes of many faces go to a primitive in one call (batch.go), which may use a graphics
// device.
//
// A mesh must not depend on the backend of its probes, within the bound of the primitive. So probes only prove
// triangles good. Refinement adds the bound to every distance that it measures by probes, and skips a triangle that is
// still good. It measures any other triangle with points in float64, as it does all triangles that it created itself.
// Of the first triangulations of the measured parts, more than 99 % are proven.
//
// Other surface types have no probes: analytic ones are measured in closed form, the rest are rare.

// probes are the probes of the current face. The point of a side is shared by both its half-edges.
type probes struct {
	probeU, probeV []float64
	probeOf        []int32 // per half-edge, its point; slot 4t+3 is the centroid of triangle t
	probedVertices int32   // vertices of the triangulation then: a triangle with another one came later; 0: no probes
	probeOrigin    geom.Vec3
	probePoints    [][3]float32 // from the origin, mm
	probeSlack     float64      // mm: maximum error of the probes
	probeFaults    []sideFault  // of sides, by point; NaN: not measured yet
}

// sideFault is the measured error of a side: see worker.sideFault.
type sideFault struct{ height, turn float64 }

const (
	// maxMargin is the share of the chord tolerance that probes may be off for them to prove anything.
	maxMargin = 0.1
	// fewestProbed is the least number of triangles of a face for which a call pays: it evaluates sides once rather
	// than twice.
	fewestProbed = 100
	// roundingMargin is the factor on the bound of the primitive: the middle of a side is rounded differently from its
	// other end. farAway bounds that difference, as a ratio of parameters to pieces of knots.
	roundingMargin = 1 + 1.0/64
	farAway        = 1 << 20
)

// probe collects the parameters of the probes of the triangulated current face; false if it has none.
func (w *worker) probe() bool {
	s, ok := w.shape.surf.(*surface.BSpline)
	if !ok || w.tri.Slots() < fewestProbed {
		return false
	}
	b := evalsurface.Batch{Surface: s}
	w.probeSlack = roundingMargin * b.PointError()
	if !(w.probeSlack < maxMargin*w.run.chord) || isFar(s.Breaks()) {
		return false
	}
	slots := int(w.tri.Slots())
	const most = 3 // per triangle: its centroid and its sides; most sides are shared
	w.probeU, w.probeV = slices.Grow(w.probeU[:0], most*slots), slices.Grow(w.probeV[:0], most*slots)
	w.probeOf = slices.Grow(w.probeOf[:0], 4*slots)[:4*slots]
	inU, inV := evalsurface.EvalDomain(s)
	inside := true
	add := func(e int32, q geom.Vec2) {
		uv := w.chart.param(q)
		inside = inside && inU.Contains(uv.X, 0) && inV.Contains(uv.Y, 0)
		w.probeOf[e] = int32(len(w.probeU))
		w.probeU, w.probeV = append(w.probeU, uv.X), append(w.probeV, uv.Y)
	}
	for t := range int32(slots) {
		if !w.tri.Inside(t) {
			continue
		}
		a, b, c := w.tri.Corners(t)
		v := [3]int32{a, b, c}
		for k := range int32(3) {
			e := w.tri.Edge(t, k)
			switch isFixed, twin := w.tri.Fixed(e), w.tri.Twin(e); {
			case isFixed && w.density.oneSided: // not measured
			case !isFixed && twin < e:
				w.probeOf[e] = w.probeOf[twin]
			default:
				add(e, w.middle(v[k], v[(k+1)%3]))
			}
		}
		add(centerOf(t), w.centroid(v))
	}
	if !inside {
		return false
	}
	w.probedVertices = int32(w.tri.Points())
	w.probeFaults = slices.Grow(w.probeFaults[:0], len(w.probeU))[:len(w.probeU)]
	for i := range w.probeFaults {
		w.probeFaults[i].height = math.NaN()
	}
	return true
}

// isFar reports whether parameters count from so far that rounding moves them by much of a piece.
func isFar(u, v []float64) bool {
	for _, knots := range [2][]float64{u, v} {
		last := len(knots) - 1
		farthest := max(math.Abs(knots[0]), math.Abs(knots[last]))
		for i := range last {
			if !(farthest < farAway*(knots[i+1]-knots[i])) {
				return true
			}
		}
	}
	return false
}

// centerOf returns the index of the centroid of a triangle in the probes.
func centerOf(t int32) int32 { return 4*t + 3 }

// isProbed reports whether a triangle has probes.
func (w *worker) isProbed(t int32) bool {
	a, b, c := w.tri.Corners(t)
	return max(a, b, c) < w.probedVertices
}

// at returns the point of a half-edge, or of a centroid.
func (p *probes) at(e int32) geom.Vec3 {
	x := p.probePoints[p.probeOf[e]]
	return p.probeOrigin.Add(geom.Vec3{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])})
}

// probedSide is sideFault by the probe of half-edge e, which runs from i to j.
func (w *worker) probedSide(i, j, e int32) (height, turn float64) {
	f := &w.probeFaults[w.probeOf[e]]
	if math.IsNaN(f.height) {
		f.height, f.turn = w.sideFault(i, j, w.probes.at(e))
	}
	return f.height, f.turn
}
