package tessellate

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// sampler contains the points that the faces share: the vertices of solids, then the inner samples of their edges, both
// in model order, then points added later where boundaries came too close.
type sampler struct {
	points  []geom.Vec3
	vertex  []int32 // index of each vertex, absent for vertices of sheet bodies only
	samples [][]trim.Sample
}

const absent = -1

var _ trim.Sampler = (*sampler)(nil)

// EdgeSamples implements trim.Sampler.
func (s *sampler) EdgeSamples(e brep.EdgeID) []trim.Sample { return s.samples[e] }

// VertexSample implements trim.Sampler.
func (s *sampler) VertexSample(v brep.VertexID) trim.Sample {
	i := s.vertex[v]
	return trim.Sample{P: s.points[i], Index: i}
}

// sampleEdges samples all edges of solids within both tolerances.
func (r *run) sampleEdges() error {
	m := r.model
	used := r.solidEdges()
	params := make([][]float64, len(m.Edges))
	count := newTally(len(m.Edges), r.total)
	err := r.parallel(len(m.Edges), few, func(w *worker, i int) {
		if count.full.Load() {
			return
		}
		defer func() { count.add(i, len(params[i])) }()
		if e := &m.Edges[i]; used[i] && e.Curve != nil {
			w.params = r.appendParams(w.params[:0], e)
			params[i] = w.ranges.keep(w.params)
		}
	})
	if err == nil && count.full.Load() {
		err = r.edgeTooComplex(count)
	}
	if err != nil {
		return err
	}
	r.separate(params)
	return r.number(used, params)
}

// appendParams appends the parameters of an edge's samples.
func (r *run) appendParams(dst []float64, e *brep.Edge) []float64 {
	if r.boundsFacets(e) {
		return append(curve.Breaks(append(dst, e.Range.Lo), e.Curve, e.Range), e.Range.Hi)
	}
	if l := r.longestPiece(e); l < e.Range.Length() {
		return divideLong(append(dst, e.Range.Lo), e.Range, l)
	}
	return curve.AppendSamples(dst, e.Curve, e.Range, r.edgeChord(e), r.angle)
}

// solidEdges marks the edges of faces that bound material.
func (r *run) solidEdges() []bool {
	m := r.model
	used := make([]bool, len(m.Edges))
	for f := range m.Faces {
		if m.IsSheet(brep.FaceID(f)) {
			continue
		}
		for _, l := range m.Faces[f].Loops {
			for _, c := range m.Loops[l].Coedges {
				used[m.Coedges[c].Edge] = true
			}
		}
	}
	return used
}

// separate adds a middle sample where several edges between the same two vertices have no inner samples. Without it
// they would be one side of a triangle, and more than two triangles would meet there.
func (r *run) separate(params [][]float64) {
	type chord struct {
		lo, hi brep.VertexID
		bent   bool
		edge   int
	}
	var chords []chord
	for i, ts := range params {
		if len(ts) == 2 {
			e := &r.model.Edges[i]
			bent := e.Curve.Kind() != curve.KindLine
			chords = append(chords, chord{min(e.Start, e.End), max(e.Start, e.End), bent, i})
		}
	}
	slices.SortFunc(chords, func(a, b chord) int {
		bent := 0
		if a.bent != b.bent {
			bent = 1
			if b.bent {
				bent = -1
			}
		}
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi), bent, cmp.Compare(a.edge, b.edge))
	})
	for i := 1; i < len(chords); i++ {
		if chords[i].lo == chords[i-1].lo && chords[i].hi == chords[i-1].hi {
			e := chords[i].edge
			ts := params[e]
			params[e] = []float64{ts[0], 0.5 * (ts[0] + ts[1]), ts[1]}
		}
	}
}

// number assigns indices to the shared points. The error is that of the context.
func (r *run) number(used []bool, params [][]float64) error {
	m := r.model
	r.vertex = slices.Repeat([]int32{absent}, len(m.Vertices))
	touch := func(v brep.VertexID) {
		if v != brep.None {
			r.vertex[v] = 0
		}
	}
	for i, u := range used {
		if u {
			touch(m.Edges[i].Start)
			touch(m.Edges[i].End)
		}
	}
	for i := range m.Loops {
		if !m.IsSheet(m.Loops[i].Face) {
			touch(m.Loops[i].Vertex)
		}
	}
	vertices := 0
	for v, i := range r.vertex {
		if i != absent {
			r.vertex[v] = int32(vertices)
			vertices++
		}
	}
	all, inner := 0, vertices
	r.samples = make([][]trim.Sample, len(m.Edges))
	first := make([]int32, len(m.Edges)) // number of the first inner sample of each edge
	for i := range m.Edges {
		first[i] = int32(inner)
		inner += max(0, len(params[i])-2)
		all += max(1, len(params[i]))
	}
	r.points = make([]geom.Vec3, inner)
	for v, i := range r.vertex {
		if i != absent {
			r.points[i] = m.Vertices[v].Point
		}
	}
	memory := make([]trim.Sample, all)
	for i := range m.Edges {
		if used[i] {
			n := max(1, len(params[i]))
			r.samples[i], memory = memory[:n:n], memory[n:]
		}
	}
	return r.parallel(len(m.Edges), few, func(_ *worker, i int) {
		if used[i] {
			r.fillSamples(brep.EdgeID(i), params[i], first[i])
		}
	})
}

// fillSamples computes the samples of an edge; next is the number of its first inner one.
func (r *run) fillSamples(edge brep.EdgeID, ts []float64, next int32) {
	e, samples := &r.model.Edges[edge], r.samples[edge]
	if e.Curve == nil {
		samples[0] = r.VertexSample(e.Start)
		return
	}
	for k, t := range ts {
		s := &samples[k]
		switch k {
		case 0:
			*s = r.VertexSample(e.Start)
		case len(ts) - 1:
			*s = r.VertexSample(e.End)
		default:
			*s = trim.Sample{P: e.Curve.At(t), Index: next}
			r.points[next] = s.P
			next++
		}
		s.T = t
	}
}

// newSample adds a sample to the numbered ones.
func (r *run) newSample(e *brep.Edge, t float64) trim.Sample {
	s := trim.Sample{T: t, P: e.Curve.At(t), Index: int32(len(r.points))}
	r.points = append(r.points, s.P)
	return s
}

// edgeLines returns the sampled points of every edge and their parameters, nil for edges without a length.
func (r *run) edgeLines(edges int) (lines [][]geom.Vec3, params [][]float64) {
	lines, params = make([][]geom.Vec3, edges), make([][]float64, edges)
	n := 0
	for _, s := range r.samples[:edges] {
		n += len(s)
	}
	all, ts := make([]geom.Vec3, 0, n), make([]float64, 0, n)
	for e := range lines {
		if len(r.samples[e]) < 2 {
			continue
		}
		first := len(all)
		for _, s := range r.samples[e] {
			all, ts = append(all, s.P), append(ts, s.T)
		}
		lines[e], params[e] = all[first:len(all):len(all)], ts[first:len(ts):len(ts)]
	}
	return lines, params
}
