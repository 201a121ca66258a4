package heal

import (
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// fitEnds fits the ranges of edges whose curves pass their vertices but end before or behind them. Cost: two
// points of every curve.
func (h *healer) fitEnds() {
	count, first := 0, fault.Location{}
	for i := range h.m.Edges {
		e := &h.m.Edges[i]
		if e.Curve == nil || len(e.Coedges) == 0 {
			continue
		}
		lo, hi := e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)
		if !h.misses(e, e.Start, lo) && !h.misses(e, e.End, hi) {
			continue
		}
		if !h.fit(e) {
			h.loose = append(h.loose, brep.EdgeID(i))
			continue
		}
		if count++; count == 1 {
			first = h.m.EdgeName(brep.EdgeID(i))
		}
	}
	if count > 0 {
		warn(h.m, EdgeRangeFitted, count, "%s ended before or past its vertices and was fitted to them", first)
	}
}

// misses reports whether p, the end of an edge's curve, is off the vertex there.
func (h *healer) misses(e *brep.Edge, id brep.VertexID, p geom.Vec3) bool {
	v := &h.m.Vertices[id]
	d2 := p.Dist2(v.Point)
	if d2 <= h.m.Tolerance.Length*h.m.Tolerance.Length {
		return false
	}
	tol := max(e.Tolerance, v.Tolerance)
	return d2 > tol*tol
}

// fit finds the parameters of an edge's vertices on its curve. It fails if the curve does not pass near them, or if the
// edge would become a different one.
func (h *healer) fit(e *brep.Edge) bool {
	if e.Start == e.End {
		return false // the intended part of an open curve is unknown
	}
	const most = 4 // times as long, or as short, as before
	domain := e.Curve.Domain()
	below := geom.Interval{Lo: domain.Lo, Hi: e.Range.Hi}
	above := geom.Interval{Lo: e.Range.Lo, Hi: domain.Hi}
	if p := e.Curve.Period(); p > 0 {
		below.Lo, above.Hi = e.Range.Hi-p, e.Range.Lo+p
	}
	fitted := *e
	if h.misses(e, e.Start, e.Curve.At(e.Range.Lo)) {
		fitted.Range.Lo, _ = curve.InvertIn(e.Curve, h.m.Vertices[e.Start].Point, below)
	}
	if h.misses(e, e.End, e.Curve.At(e.Range.Hi)) {
		fitted.Range.Hi, _ = curve.InvertIn(e.Curve, h.m.Vertices[e.End].Point, above)
	}
	ratio := fitted.Range.Length() / e.Range.Length()
	if !(ratio < most && ratio > 1.0/most) ||
		h.misses(e, e.Start, e.Curve.At(fitted.Range.Lo)) || h.misses(e, e.End, e.Curve.At(fitted.Range.Hi)) {
		return false
	}
	e.Range = fitted.Range
	return true
}

// rounding widens a measured tolerance, so that measuring it again does not exceed it.
const rounding = 1 + 1e-9

// GrowVertexTolerance widens the tolerances of an edge's vertices to reach the ends of its curve.
func GrowVertexTolerance(m *brep.Model, e *brep.Edge) {
	if e.Curve == nil || len(e.Coedges) == 0 {
		return
	}
	for _, end := range [2]struct {
		id brep.VertexID
		t  float64
	}{{e.Start, e.Range.Lo}, {e.End, e.Range.Hi}} {
		v := &m.Vertices[end.id]
		if d := e.Curve.At(end.t).Dist(v.Point); d > max(m.Tolerance.Length, e.Tolerance, v.Tolerance) {
			v.Tolerance = d * rounding
		}
	}
}
