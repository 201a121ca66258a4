package canonical

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// bounded is a line, circle or ellipse over a range; c is nil if there is no such curve.
type bounded struct {
	c       curve.Curve
	iv      geom.Interval
	isPlain bool // only taken out of a trimmed curve
}

// edge finds the line, circle or ellipse that an edge is, in the direction of the edge.
func (r *recoverer) edge(e *brep.Edge) bounded {
	if e.Curve == nil || e.Curve.Kind() < curve.KindBSpline || !e.Range.IsFinite() || r.boundsFacets(e) {
		return bounded{}
	}
	if b, ok := untrimmed(e.Curve, e.Range); ok {
		return b
	}
	const parts = 4
	box := geom.EmptyBox()
	for k := range parts {
		box = box.Add(e.Curve.At(e.Range.At(float64(k) / parts)))
	}
	if !finite(box) {
		return bounded{}
	}
	return recognize(e.Curve, e.Range, e.Curve.At, r.tolerance(box.Diagonal()))
}

// boundsFacets reports whether an edge consists of sides of triangles whose corners lie on it.
func (r *recoverer) boundsFacets(e *brep.Edge) bool {
	return slices.ContainsFunc(e.Coedges, func(c brep.CoedgeID) bool {
		s := r.m.Faces[r.m.FaceOf(c)].Surface
		return s != nil && s.Kind() == surface.KindFacets
	})
}

// untrimmed takes a line, circle or ellipse out of trimmed curves.
func untrimmed(c curve.Curve, iv geom.Interval) (bounded, bool) {
	switch k := c.(type) {
	case curve.Line, curve.Circle, curve.Ellipse:
		return bounded{c: c, iv: iv, isPlain: true}, true
	case *curve.Trimmed:
		if !k.Reversed {
			return untrimmed(k.Base, iv)
		}
		sum := k.Range.Lo + k.Range.Hi
		b, ok := untrimmed(k.Base, geom.Interval{Lo: sum - iv.Hi, Hi: sum - iv.Lo})
		if !ok {
			return b, false
		}
		return turnedRound(b), true
	}
	return bounded{}, false
}

// turnedRound returns the same points in the other direction.
func turnedRound(b bounded) bounded {
	b.iv = geom.Interval{Lo: -b.iv.Hi, Hi: -b.iv.Lo}
	back := func(f geom.Frame) geom.Frame { f.Y, f.Z = f.Y.Neg(), f.Z.Neg(); return f }
	switch k := b.c.(type) {
	case curve.Line:
		k.Dir = k.Dir.Neg()
		b.c = k
	case curve.Circle:
		k.Frame = back(k.Frame)
		b.c = k
	case curve.Ellipse:
		k.Frame = back(k.Frame)
		b.c = k
	}
	return b
}

const (
	// fewSamples is the number of samples that reject most curves without an analytic form.
	fewSamples = 13
	// anyDegree replaces the degree of a piece of a non-polynomial curve.
	anyDegree = 8
	// maxNodes bounds the points at which one curve is compared with its candidate.
	maxNodes = 1 << 14
)

// recognize returns the line, circle or ellipse within tol (mm) of at, a map of the points of c, over iv. Between the
// nodes on the pieces of c the bound of bound.go applies, with the map taken as linear.
func recognize(c curve.Curve, iv geom.Interval, at func(float64) geom.Vec3, tol float64) bounded {
	if !iv.IsFinite() || !(iv.Hi > iv.Lo) {
		return bounded{}
	}
	closed := at(iv.Lo).Dist(at(iv.Hi)) <= tol
	few := make([]geom.Vec3, fewSamples)
	for k := range few {
		few[k] = at(iv.At(float64(k) / (fewSamples - 1)))
	}
	guess, span, ok := fit.Curve(few, closed, tol)
	if !ok {
		return bounded{}
	}
	breaks := append([]float64{iv.Lo}, curve.Breaks(nil, c, iv)...)
	breaks = clipped(append(breaks, iv.Hi), iv)
	degree, ratio := smoothness(c)
	n := 2*degree + 1
	if n*(len(breaks)-1) > maxNodes {
		return bounded{}
	}
	factor := lebesgue(n) * ratio * ratio
	if e, ok := guess.(curve.Ellipse); ok {
		factor *= min(e.Major/e.Minor, maxVaries)
	}
	ts := nodes(breaks, n)
	if guess.Kind() != curve.KindEllipse && follows(guess, span, ts, at, tol/factor) {
		return bounded{c: guess, iv: span}
	}
	pts := make([]geom.Vec3, 0, len(ts)+2)
	pts = append(pts, at(iv.Lo))
	for _, t := range ts {
		pts = append(pts, at(t))
	}
	pts = append(pts, at(iv.Hi))
	b := bounded{}
	if b.c, b.iv, ok = fit.Curve(pts, closed, tol/factor); !ok || b.c.Kind() != guess.Kind() {
		return bounded{}
	}
	return b
}

// follows reports whether points are within tol (mm) of a line or circle, each farther along it than the one before. It
// saves exact curves a second fit.
func follows(c curve.Curve, span geom.Interval, ts []float64, at func(float64) geom.Vec3, tol float64) bool {
	last := span.Lo
	for _, t := range ts {
		s, dist := c.Invert(at(t))
		if p := c.Period(); p > 0 {
			s = last + math.Remainder(s-last, p)
		}
		if !(dist <= tol && s > last && s < span.Hi) {
			return false
		}
		last = s
	}
	return true
}

// smoothness returns the degree of the pieces of a curve and the ratio of its weights.
func smoothness(c curve.Curve) (degree int, ratio float64) {
	switch k := c.(type) {
	case *curve.BSpline:
		lo, hi := 1.0, 1.0
		for i, w := range k.Weights() {
			if i == 0 {
				lo, hi = w, w
			}
			lo, hi = min(lo, w), max(hi, w)
		}
		return k.Degree(), hi / lo
	case *curve.Trimmed:
		return smoothness(k.Base)
	case *curve.Polyline, curve.Line:
		return 1, 1
	case *curve.Composite:
		ratio = 1
		for _, s := range k.Segments() {
			d, r := smoothness(s)
			degree, ratio = max(degree, d), math.Max(ratio, r)
		}
		return degree, ratio
	}
	return anyDegree, 1
}
