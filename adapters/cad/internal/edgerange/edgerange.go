// Package edgerange finds the range of a curve that an edge covers. A file gives the curve of an edge and its two
// vertices. The range follows from the vertices' parameters on the curve and the sense of the edge.
//
//   - A closed edge covers one period, starting at its vertex, independent of the curve's own seam.
//   - On a periodic curve, the end parameter is moved by a period if it would not follow the start in the edge's sense.
//   - On an open curve the vertices alone determine the range. The sense matters only if the ends of the
//     curve are so close to each other that the parameter found belongs to the wrong end.
//   - A closed edge on an open curve, or on a curve smaller than geom.Resolution, represents a point.
package edgerange

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// seamSnap is the fraction of a period or domain within which a parameter is at the seam or end: far more
// than the rounding of an inversion, far less than any edge.
const seamSnap = 1e-9

// EdgeRange is the part of a curve between two points.
type EdgeRange struct {
	Range   geom.Interval // zero for a point
	Against bool          // the edge runs from the end of the range to its start
	IsPoint bool          // the edge has zero length
	Gap     float64       // mm between the points and the curve
}

// Find returns the part of c between start and end, which are one vertex if closed. If forward, the parameter grows
// from start to end. reach (mm) is the maximum distance of the curve's ends from the points.
func Find(c curve.Curve, start, end geom.Vec3, closed, forward bool, reach float64) EdgeRange {
	if !forward {
		start, end = end, start
	}
	lo, gapLo := c.Invert(start)
	hi, gapHi := lo, gapLo
	if !closed {
		hi, gapHi = c.Invert(end)
	}
	s := EdgeRange{Against: !forward, Gap: math.Max(gapLo, gapHi)}
	switch {
	case closed:
		s.Range, s.IsPoint = closedRange(c, start, lo, reach)
	case c.Period() > 0:
		s.Range = periodicRange(c, lo, hi)
	default:
		var turned bool
		s.Range, turned = openRange(c, start, end, lo, hi, reach)
		s.Against = s.Against != turned
		s.IsPoint = s.Range.Lo == s.Range.Hi
	}
	if s.IsPoint {
		s.Range, s.Gap = geom.Interval{}, math.Max(s.Gap, start.Dist(end))
		return s
	}
	if s.Against == forward {
		start, end = end, start
	}
	s.Gap = math.Max(c.At(s.Range.Lo).Dist(start), c.At(s.Range.Hi).Dist(end))
	return s
}

// IsFinite reports whether the points were found.
func (s *EdgeRange) IsFinite() bool {
	return !math.IsNaN(s.Range.Lo+s.Range.Hi+s.Gap) && !math.IsInf(s.Range.Length()+s.Gap, 0)
}

// closedRange is the range of an edge that ends where it starts, at the parameter t of the point p.
func closedRange(c curve.Curve, p geom.Vec3, t, reach float64) (iv geom.Interval, isPoint bool) {
	dom := c.Domain()
	if !dom.IsFinite() {
		return iv, true // a line, parabola or hyperbola never returns
	}
	// Not below the tolerance that the file states, which is 0.01 mm with some writers: a circle of that size is the
	// whole boundary of a small cap.
	diagonal := c.Bounds(dom).Diagonal()
	if diagonal <= geom.Resolution {
		return iv, true
	}
	if period := c.Period(); period > 0 {
		t = snapToSeam(t, dom.Lo, period)
		return geom.Interval{Lo: t, Hi: t + period}, false
	}
	// An open curve with nearly coincident ends is accepted as closed, because the gap is an error of the file. Ends do
	// not coincide if their distance from the vertex is a large part of the whole curve.
	const nearlyClosed = 0.01 // of the diagonal of the curve's box
	miss := math.Max(c.At(dom.Lo).Dist(p), c.At(dom.Hi).Dist(p))
	return dom, miss > math.Max(reach, nearlyClosed*diagonal)
}

// snapToSeam returns t, or lo when t is just below the seam that lo also is.
func snapToSeam(t, lo, period float64) float64 {
	if math.Abs(t-lo) <= seamSnap*period || lo+period-t <= seamSnap*period {
		return lo
	}
	return t
}

// periodicRange is the range from lo forward to hi, no longer than one period.
func periodicRange(c curve.Curve, lo, hi float64) geom.Interval {
	period, first := c.Period(), c.Domain().Lo
	lo = snapToSeam(lo, first, period)
	hi = snapToSeam(hi, first, period)
	if hi <= lo {
		hi += period
	}
	return geom.Interval{Lo: lo, Hi: hi}
}

// openRange is the range between two parameters of an open curve. turned is true if the edge runs from end to start.
func openRange(
	c curve.Curve, start, end geom.Vec3, lo, hi, reach float64,
) (iv geom.Interval, turned bool) {
	if lo < hi {
		return geom.Interval{Lo: lo, Hi: hi}, false
	}
	if dom := c.Domain(); dom.IsFinite() {
		// Try the ends of a curve that comes back to where it began.
		const least = 0.1 // mm
		reach = math.Max(reach, least)
		a, b := lo, hi
		if dom.Hi-lo <= seamSnap*dom.Length() && c.At(dom.Lo).Dist(start) <= reach {
			a = dom.Lo
		}
		if hi-dom.Lo <= seamSnap*dom.Length() && c.At(dom.Hi).Dist(end) <= reach {
			b = dom.Hi
		}
		if a < b {
			return geom.Interval{Lo: a, Hi: b}, false
		}
	}
	return geom.Interval{Lo: hi, Hi: lo}, true
}
