package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// PolePoints appends the parameters strictly inside an edge at which it passes through a pole of the surface of one of
// its faces, such as a great circle over the poles of a sphere. Samplers should put a sample there, because the
// boundary in the parameter plane jumps by half a period at a pole.
func PolePoints(m *brep.Model, e brep.EdgeID, dst []float64) []float64 {
	edge := &m.Edges[e]
	if edge.Curve == nil {
		return dst
	}
	tol := max(edge.Tolerance, m.Tolerance.Length, geom.Resolution)
	n := len(dst)
	for _, c := range edge.Coedges {
		s := m.Faces[m.FaceOf(c)].Surface
		if k := s.Kind(); k == surface.KindPlane || k == surface.KindCylinder {
			continue
		}
		for _, g := range s.Singularities() {
			if t, ok := passes(edge, g.Point, tol); ok && !containsParam(dst[n:], t, edge.Range) {
				dst = append(dst, t)
			}
		}
	}
	return dst
}

// passes returns where the inside of an edge comes within tol of p.
func passes(e *brep.Edge, p geom.Vec3, tol float64) (float64, bool) {
	switch e.Curve.(type) {
	case curve.Line, curve.Circle:
	default: // a search: worth a look at the box first
		if !e.Curve.Bounds(e.Range).Contains(p, tol) {
			return 0, false
		}
	}
	t, dist := curve.InvertIn(e.Curve, p, e.Range)
	if dist > tol {
		return 0, false
	}
	// Not the vertices, and not so near one that the piece between would vanish.
	lo, hi := e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)
	return t, p.Dist(lo) > tol && p.Dist(hi) > tol
}

func containsParam(list []float64, t float64, iv geom.Interval) bool {
	const same = 1e-9 // share of the range
	for _, x := range list {
		if math.Abs(x-t) <= same*iv.Length() {
			return true
		}
	}
	return false
}
