package mass

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// sampler cuts every edge into pieces on which it is smooth and turns little: integration needs no
// chord tolerance, as it follows the curve itself between the samples.
type sampler struct {
	m       *brep.Model
	samples []trim.Sample
	first   []int32     // samples of edge e: [first[e], first[e+1])
	boxes   []geom.Box  // of the edges
	centers []geom.Vec3 // by face: of its solid, or of the model for sheets
}

// pieceAngle (rad) is the largest turn of a piece, an eighth of a circle.
const pieceAngle = math.Pi / 4

func sampleEdges(m *brep.Model) *sampler {
	s := &sampler{
		m:     m,
		first: make([]int32, 1, len(m.Edges)+1),
		boxes: make([]geom.Box, len(m.Edges)),
	}
	s.samples = make([]trim.Sample, 0, 4*len(m.Edges))
	var params []float64
	index := int32(len(m.Vertices))
	for i := range m.Edges {
		e := &m.Edges[i]
		start := trim.Sample{T: e.Range.Lo, P: m.Vertices[e.Start].Point, Index: int32(e.Start)}
		s.samples = append(s.samples, start)
		s.boxes[i] = geom.BoxOf(start.P)
		if e.Curve != nil {
			s.boxes[i] = e.Curve.Bounds(e.Range)
			params = s.params(params[:0], brep.EdgeID(i))
			for _, t := range params[1 : len(params)-1] {
				s.samples = append(s.samples, trim.Sample{T: t, P: e.Curve.At(t), Index: index})
				index++
			}
			end := trim.Sample{T: e.Range.Hi, P: m.Vertices[e.End].Point, Index: int32(e.End)}
			s.samples = append(s.samples, end)
			if e.Tolerance > m.Tolerance.Length { // the part ends at vertices that are off their curves
				s.boxes[i] = s.boxes[i].Add(start.P).Add(end.P)
			}
		}
		s.first = append(s.first, int32(len(s.samples)))
	}
	s.setCenters()
	return s
}

// setCenters takes the middle of each solid's edges, or a point of a surface without edges. There the terms of volumes
// are small, and gaps between faces weigh little: moving the point by d changes the volume by a third of the product of
// d and the area vector that the faces lack to close.
func (s *sampler) setCenters() {
	m := s.m
	s.centers = make([]geom.Vec3, len(m.Faces))
	all := geom.EmptyBox()
	for i := range s.boxes {
		all = all.Union(s.boxes[i])
	}
	set := func(faces []brep.FaceID, box geom.Box) {
		for _, f := range faces {
			if s.centers[f] = box.Center(); box.IsEmpty() && m.Faces[faces[0]].Surface != nil {
				s.centers[f] = m.Faces[faces[0]].Surface.At(0, 0)
			}
		}
	}
	for i := range m.Shells {
		if m.Shells[i].Solid == brep.None {
			set(m.Shells[i].Faces, all)
		}
	}
	for _, solid := range m.Solids {
		box := geom.EmptyBox()
		var faces []brep.FaceID
		for _, sh := range solid.Shells {
			faces = append(faces, m.Shells[sh].Faces...)
		}
		for _, f := range faces {
			for _, l := range m.Faces[f].Loops {
				for _, c := range m.Loops[l].Coedges {
					box = box.Union(s.boxes[m.Coedges[c].Edge])
				}
			}
		}
		set(faces, box)
	}
}

// params appends where to cut an edge: breaks of its curve, poles it passes, and turns.
func (s *sampler) params(dst []float64, i brep.EdgeID) []float64 {
	e := &s.m.Edges[i]
	if _, ok := e.Curve.(curve.Line); ok {
		dst = append(dst, e.Range.Lo, e.Range.Hi)
	} else {
		dst = curve.AppendSamples(dst, e.Curve, e.Range, 0, pieceAngle)
		if len(dst) == 2 { // the face between a shallow arc and its chord needs three
			dst = append(dst[:1], e.Range.Mid(), e.Range.Hi)
		}
	}
	n := len(dst)
	dst = curve.Breaks(dst, e.Curve, e.Range)
	dst = trim.PolePoints(s.m, i, dst)
	if len(dst) == n {
		return dst
	}
	slices.Sort(dst)
	const same = 1e-9 // share of the range: cuts that mean the same point
	eps := same * e.Range.Length()
	dst = slices.CompactFunc(dst, func(a, b float64) bool { return math.Abs(b-a) < eps })
	dst[0], dst[len(dst)-1] = e.Range.Lo, e.Range.Hi
	return dst
}

// EdgeSamples implements trim.Sampler.
func (s *sampler) EdgeSamples(e brep.EdgeID) []trim.Sample {
	return s.samples[s.first[e]:s.first[e+1]]
}

// VertexSample implements trim.Sampler.
func (s *sampler) VertexSample(v brep.VertexID) trim.Sample {
	return trim.Sample{P: s.m.Vertices[v].Point, Index: int32(v)}
}
