package sew

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// sampleTurn (rad) is the most that an edge turns between two samples: its length is right to 1 %.
const sampleTurn = math.Pi / 8

// polyline is an edge by samples of its curve, ends included.
type polyline struct {
	t      []float64
	p      []geom.Vec3
	length float64 // mm
}

// polyline returns the samples of an edge.
func (s *sewer) polyline(id brep.EdgeID) *polyline {
	for len(s.lines) < len(s.m.Edges) {
		s.lines = append(s.lines, make([]polyline, len(s.m.Edges)-len(s.lines))...)
	}
	l := &s.lines[id]
	if l.t != nil {
		return l
	}
	e := &s.m.Edges[id]
	if e.Curve.Kind() == curve.KindLine {
		l.t = []float64{e.Range.Lo, e.Range.Hi}
	} else {
		l.t = curve.Sample(e.Curve, e.Range, 0, sampleTurn)
	}
	l.p = make([]geom.Vec3, len(l.t))
	for i, t := range l.t {
		l.p[i] = e.Curve.At(t)
		if i > 0 {
			l.length += l.p[i].Dist(l.p[i-1])
		}
	}
	return l
}

// at returns the parameter a length (mm) along the polyline.
func (l *polyline) at(along float64) float64 {
	for i := 1; i < len(l.t); i++ {
		d := l.p[i].Dist(l.p[i-1])
		if along <= d && d > 0 {
			return l.t[i-1] + (l.t[i]-l.t[i-1])*along/d
		}
		along -= d
	}
	return l.t[len(l.t)-1]
}

// middle returns the parameter at half the length.
func (l *polyline) middle() float64 { return l.at(0.5 * l.length) }

// EdgeSamples implements trim.Sampler.
func (s *sewer) EdgeSamples(id brep.EdgeID) []trim.Sample {
	e := &s.m.Edges[id]
	start := trim.Sample{T: e.Range.Lo, P: s.m.Vertices[e.Start].Point, Index: int32(e.Start)}
	if e.Curve == nil {
		return []trim.Sample{start}
	}
	line := s.polyline(id)
	out := make([]trim.Sample, len(line.t), len(line.t)+1)
	for i, t := range line.t {
		out[i] = trim.Sample{T: t, P: line.p[i], Index: s.sampleIndex(id, i)}
	}
	out[0] = start
	last := trim.Sample{T: e.Range.Hi, P: s.m.Vertices[e.End].Point, Index: int32(e.End)}
	if n := len(out) - 1; n > 1 {
		out[n] = last
		return out
	}
	mid := e.Range.Mid() // the face between a shallow arc and its chord needs three
	out[1] = trim.Sample{T: mid, P: e.Curve.At(mid), Index: s.sampleIndex(id, 1)}
	return append(out, last)
}

// maxSamples is the number of indices reserved for the samples of one edge.
const maxSamples = 1 << 10

// sampleIndex numbers the samples of edges after the vertices. Numbers are distinct only within the samples of one
// face.
func (s *sewer) sampleIndex(id brep.EdgeID, i int) int32 {
	n := len(s.m.Vertices) + int(id)*maxSamples + i%maxSamples
	return int32(n % math.MaxInt32)
}

// VertexSample implements trim.Sampler.
func (s *sewer) VertexSample(v brep.VertexID) trim.Sample {
	return trim.Sample{P: s.m.Vertices[v].Point, Index: int32(v)}
}
