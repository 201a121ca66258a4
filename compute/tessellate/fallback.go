package tessellate

import (
	"millwright.dev/millwright/compute/tessellate/internal/delaunay"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// This file triangulates faces whose boundary makes no proper region of the parameter plane: by the
// boundary points alone, so that the mesh stays closed.

// loadLoops loads the loops of a face without a domain as rings, projected to the best-fit plane of the longest loop
// (Newell's normal).
func (w *worker) loadLoops(f brep.FaceID) {
	m := w.run.model
	face := &m.Faces[f]
	w.clear()
	w.ringEnds, w.extra = w.ringEnds[:0], w.extra[:0]
	begin, outer, size := 0, -1, 0.0
	var normal geom.Vec3
	for _, l := range face.Loops {
		for _, c := range m.Loops[l].Coedges {
			w.loadCoedge(c)
		}
		if len(w.p)-begin < 3 {
			w.p, w.index = w.p[:begin], w.index[:begin]
			continue
		}
		if n := newell(w.p[begin:]); n.Norm() > size || outer < 0 {
			outer, size, normal = len(w.ringEnds), n.Norm(), n
		}
		begin = len(w.p)
		w.ringEnds = append(w.ringEnds, int32(begin))
	}
	if outer < 0 {
		return
	}
	w.rotateRings(outer)
	if face.Reversed { // rings follow the surface's own orientation, as in a domain
		w.reverseRings()
		normal = normal.Neg()
	}
	frame := geom.NewFrame(w.p[0], normal, geom.Vec3{})
	for _, p := range w.p {
		q := frame.Local(p)
		w.uv = append(w.uv, geom.Vec2{X: q.X, Y: q.Y})
	}
	w.plane = append(w.plane[:0], w.uv...)
}

// loadCoedge appends the samples of a coedge without the last.
func (w *worker) loadCoedge(c brep.CoedgeID) {
	ce := w.run.model.Coedges[c]
	s := w.run.EdgeSamples(ce.Edge)
	for i := range len(s) - 1 {
		x := s[i]
		if ce.Reversed {
			x = s[len(s)-1-i]
		}
		w.p, w.index = append(w.p, x.P), append(w.index, x.Index)
	}
}

// rotateRings makes ring k the first.
func (w *worker) rotateRings(k int) {
	if k == 0 {
		return
	}
	begin, end := w.ringEnds[k-1], w.ringEnds[k]
	p := append([]geom.Vec3(nil), w.p[begin:end]...)
	index := append([]int32(nil), w.index[begin:end]...)
	copy(w.p[end-begin:end], w.p[:begin])
	copy(w.index[end-begin:end], w.index[:begin])
	copy(w.p, p)
	copy(w.index, index)
	for i := k; i > 0; i-- {
		w.ringEnds[i] = w.ringEnds[i-1] + end - begin
	}
	w.ringEnds[0] = end - begin
}

func (w *worker) reverseRings() {
	begin := int32(0)
	for _, end := range w.ringEnds {
		for i, j := begin, end-1; i < j; i, j = i+1, j-1 {
			w.p[i], w.p[j] = w.p[j], w.p[i]
			w.index[i], w.index[j] = w.index[j], w.index[i]
		}
		begin = end
	}
}

// newell returns the area vector of a closed polygon, doubled.
func newell(p []geom.Vec3) geom.Vec3 {
	var n geom.Vec3
	for i := range p {
		n = n.Add(p[i].Sub(p[0]).Cross(p[(i+1)%len(p)].Sub(p[0])))
	}
	return n
}

// emitClip writes the loaded rings triangulated without interior points, with flat normals.
func (w *worker) emitClip(reversed bool) {
	w.clip = delaunay.Clip(w.plane, w.ringEnds, w.clip[:0])
	w.n = append(w.n[:0], make([]geom.Vec3, len(w.p))...)
	for _, t := range w.clip {
		a := w.p[t[0]]
		n := w.p[t[1]].Sub(a).Cross(w.p[t[2]].Sub(a))
		for _, v := range t {
			w.n[v] = w.n[v].Add(n)
		}
	}
	for i := range w.n {
		w.n[i] = w.n[i].Unit()
	}
	w.write(w.clip, reversed)
}
