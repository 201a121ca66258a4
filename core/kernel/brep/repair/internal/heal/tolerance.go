package heal

import (
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Tolerant edges
//
// The distance of an edge from its faces is a by-product. Faces whose sense can be judged are inverted in any case
// (sense.go); the others invert two points of each edge. Only if one of these is off by more than the tolerance is the
// edge measured along its length. Its tolerance then grows to the largest distance, so that later stages know the gap.
// Poles and meshed surfaces are skipped. A vertex that bounds a face by itself is its pole, or the surface is not the
// intended one.

// noticed (mm) is the distance off a face from which an edge is worth a warning; systems exchange edges that
// are off by less all the time.
const noticed = 1e-3

// offFace measures two points of every edge of a face that sense.go does not invert.
func offFace(m *brep.Model, f brep.FaceID, gaps []float64) {
	s := m.Faces[f].Surface
	if s.Kind() == surface.KindFacets {
		return
	}
	isAnalytic := s.Kind().IsAnalytic()
	var uv geom.Vec2
	started := false
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			if e.Curve == nil {
				continue
			}
			for _, share := range [2]float64{0.31, 0.69} { // off the middle, where errors may vanish
				p, d := e.Curve.At(e.Range.At(share)), 0.0
				if isAnalytic || !started {
					uv, d = s.Invert(p)
					started = true
				} else {
					uv, d = s.InvertNear(p, uv)
				}
				gaps[c] = max(gaps[c], d)
			}
		}
	}
}

// widen gives the edges that lie off a face by more than the tolerance their own tolerance. gaps contains, by coedge,
// the distances measured before.
func widen(m *brep.Model, gaps []float64) {
	count, worst, at := 0, 0.0, fault.Location{}
	for c, gap := range gaps {
		if gap <= m.Tolerance.Length {
			continue
		}
		e := &m.Edges[m.Coedges[c].Edge]
		if gap <= e.Tolerance {
			continue
		}
		gap = largestGap(m, brep.CoedgeID(c))
		if gap <= max(m.Tolerance.Length, e.Tolerance) {
			continue
		}
		e.Tolerance = gap * rounding
		if gap > noticed {
			count++
		}
		if gap > worst {
			worst, at = gap, m.EdgeName(m.Coedges[c].Edge)
		}
	}
	if count > 0 {
		warn(m, TolerantEdge, count, "%s lies %.2g mm off a face", at, worst)
	}
	widenVertices(m)
}

// widenVertices does the same for the vertices of loops without edges.
func widenVertices(m *brep.Model) {
	count, worst, at := 0, 0.0, fault.Location{}
	for i := range m.Loops {
		l := &m.Loops[i]
		if l.Vertex == brep.None || len(l.Coedges) > 0 || !hasDomain(m, l.Face) {
			continue
		}
		v := &m.Vertices[l.Vertex]
		_, gap := m.Faces[l.Face].Surface.Invert(v.Point)
		if !(gap > max(noticed, m.Tolerance.Length, v.Tolerance)) {
			continue
		}
		v.Tolerance = gap * rounding
		if count++; gap > worst {
			worst, at = gap, m.FaceName(l.Face)
		}
	}
	if count > 0 {
		warn(m, VertexOffFace, count, "The vertex that bounds %s lies %.2g mm off it", at, worst)
	}
}

// largestGap returns the largest distance of an edge from the face of one of its uses, over samples.
func largestGap(m *brep.Model, c brep.CoedgeID) float64 {
	const samples = 17
	e, s := &m.Edges[m.Coedges[c].Edge], m.Faces[m.FaceOf(c)].Surface
	if e.Curve == nil {
		return 0
	}
	gap := 0.0
	for k := range samples {
		p := e.Curve.At(e.Range.At(float64(k) / (samples - 1)))
		if _, d := s.Invert(p); !math.IsNaN(d) {
			gap = max(gap, d)
		}
	}
	return gap
}
