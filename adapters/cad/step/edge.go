package step

import (
	"cmp"
	"math"

	"millwright/adapters/cad/step/internal/geometry"
	"millwright/adapters/cad/step/internal/part21"
	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// Parameter ranges of edges. A file gives the curve of an edge and its two vertices, but not the range:
// it follows from the vertices' parameters on the curve and the direction of travel.
//
//   - A closed edge covers one period, from its vertex on, wherever the curve's own seam is.
//   - On a periodic curve the end lies behind the start in the direction of travel, by a period if need be.
//   - On an open curve the vertices alone decide; the direction of travel matters only where an end of
//     the curve comes back so close to the other that the parameter found is that of the wrong one.
//   - A closed edge on an open curve, or on one smaller than what is one point, stands for a point.

// seamSnap is the fraction of a period or domain within which a parameter is at the seam or end: far more
// than the rounding of an inversion, far less than any edge.
const seamSnap = 1e-9

// fitted is what fitting an edge to its curve found.
type fitted struct {
	reversed bool    // the edge runs from end to start along growing parameter
	isPoint  bool    // different vertices at one place: to be merged
	gap      float64 // mm between the vertices and the curve
}

// fit sets the curve and the range of e from its source. start and end are the places of its vertices.
func (d *draft) fit(e *brep.Edge, source edgeSource, start, end geom.Vec3) (fitted, error) {
	var f fitted
	base, against, err := d.Basis(source.curve)
	if err != nil {
		return f, err
	}
	c, err := d.Curve(base)
	if err != nil {
		return f, err
	}
	forward := source.sense != against
	if !forward {
		start, end = end, start
	}
	lo, gapLo := c.Invert(start)
	hi, gapHi := lo, gapLo
	if e.Start != e.End {
		hi, gapHi = c.Invert(end)
	}
	f.gap = math.Max(gapLo, gapHi)
	f.reversed = !forward
	switch {
	case e.Start == e.End:
		e.Range, f.isPoint = d.closedRange(c, start, lo)
	case c.Period() > 0:
		e.Range = periodicRange(c, lo, hi)
	default:
		var turned bool
		e.Range, turned = d.openRange(c, start, end, lo, hi)
		f.reversed = f.reversed != turned
		f.isPoint = e.Range.Lo == e.Range.Hi
	}
	if f.isPoint {
		e.Range, f.gap = geom.Interval{}, math.Max(f.gap, start.Dist(end))
		return f, nil
	}
	e.Curve = c
	if f.reversed != !forward {
		start, end = end, start
	}
	f.gap = math.Max(c.At(e.Range.Lo).Dist(start), c.At(e.Range.Hi).Dist(end))
	if math.IsNaN(e.Range.Lo+e.Range.Hi+f.gap) || math.IsInf(e.Range.Length()+f.gap, 0) {
		return f, d.Fail(source.entity, "has vertices that cannot be found on its curve")
	}
	return f, nil
}

// closedRange is the range of an edge that ends where it starts, at the parameter t of the point p.
func (d *draft) closedRange(c curve.Curve, p geom.Vec3, t float64) (iv geom.Interval, isPoint bool) {
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
	// An open curve whose ends nearly meet: the gap is the file's, and no reason to lose the edge. Ends
	// that miss the vertex by a large part of the whole curve do not meet.
	const nearlyClosed = 0.01 // of the diagonal of the curve's box
	miss := math.Max(c.At(dom.Lo).Dist(p), c.At(dom.Hi).Dist(p))
	return dom, miss > math.Max(d.Tolerance, nearlyClosed*diagonal)
}

// snapToSeam returns t, or lo when t is just below the seam that lo also is.
func snapToSeam(t, lo, period float64) float64 {
	if math.Abs(t-lo) <= seamSnap*period || lo+period-t <= seamSnap*period {
		return lo
	}
	return t
}

// periodicRange is the range from lo forward to hi, at most one period.
func periodicRange(c curve.Curve, lo, hi float64) geom.Interval {
	period, first := c.Period(), c.Domain().Lo
	lo = snapToSeam(lo, first, period)
	hi = snapToSeam(hi, first, period)
	if hi <= lo {
		hi += period
	}
	return geom.Interval{Lo: lo, Hi: hi}
}

// openRange is the range between two parameters of an open curve. turned: it runs from end to start.
func (d *draft) openRange(
	c curve.Curve, start, end geom.Vec3, lo, hi float64,
) (iv geom.Interval, turned bool) {
	if lo < hi {
		return geom.Interval{Lo: lo, Hi: hi}, false
	}
	if dom := c.Domain(); dom.IsFinite() {
		// Try the ends of a curve that comes back to where it began.
		reach := math.Max(d.Tolerance, geometry.MaxUncertainty)
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

// fitEdge completes edge i of the draft. It is safe for different edges at the same time.
func (d *draft) fitEdge(i int) (fitted, error) {
	source := d.edges[i]
	if source.curve == part21.Missing {
		return fitted{}, source.fault
	}
	e := &d.model.Edges[i]
	if err := cmp.Or(d.pointFaults[e.Start], d.pointFaults[e.End]); err != nil {
		return fitted{}, err
	}
	f, err := d.fit(e, source, d.model.Vertices[e.Start].Point, d.model.Vertices[e.End].Point)
	if err != nil {
		return f, err
	}
	if f.gap > d.Tolerance {
		const rounding = 1 + 1e-9 // so that measuring the gap again does not exceed it
		e.Tolerance = f.gap * rounding
	}
	if f.reversed {
		e.Start, e.End = e.End, e.Start
	}
	return f, nil
}
