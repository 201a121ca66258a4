package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// dividePoles adds points to the boundary pieces that run along a pole, one per step of the plane. In space they are
// one point, but with only two in the plane, triangles would join the pole to points on opposite sides of it.
func (w *worker) dividePoles() {
	if len(w.poles) == 0 {
		return
	}
	const finest = 64 // pieces a pole is divided into at most
	old := w.ringData
	w.ringData, w.spare = w.spare, old
	w.ringData.clear()
	k, begin := 0, int32(0)
	for r, end := range w.ringEnds {
		for i := begin; i < end; i++ {
			n := 1.0
			to := i + 1
			if to == end {
				to = begin
			}
			isPole := k < len(old.poles) && old.poles[k] == i
			if isPole {
				k++
				n = max(1, min(finest, math.Ceil(w.chart.alongPole(old.uv[i], old.uv[to])-stepRounding)))
			}
			for j := 0.0; j < n; j++ {
				if isPole {
					w.poles = append(w.poles, int32(len(w.uv)))
				}
				w.uv = append(w.uv, old.uv[i].Lerp(old.uv[to], j/n))
				w.p, w.index = append(w.p, old.p[i]), append(w.index, old.index[i])
				w.pieces = append(w.pieces, old.pieces[i])
			}
		}
		begin = end
		w.ringEnds[r] = int32(len(w.uv))
	}
}

// smoothPoles gives both ends of each piece along a pole the mean of the normals along it, and marks them if those
// differ.
func (w *worker) smoothPoles() {
	begin := int32(0)
	k := 0
	for _, end := range w.ringEnds {
		for ; k < len(w.poles) && w.poles[k] < end; k++ {
			from, to := w.poles[k], w.poles[k]+1
			if to == end {
				to = begin
			}
			const places = 8
			sum := w.n[from].Add(w.n[to])
			for i := 1.0; i < places; i++ {
				sum = sum.Add(w.shape.normal(w.uv[from].Lerp(w.uv[to], i/places)))
			}
			const straight = 1e-6 // maximum difference between the number of unit normals and the length of their sum
			if sum.Norm() < (places+1)*(1-straight) {
				w.blunt[from], w.blunt[to] = true, true
				if n := sum.Unit(); n != (geom.Vec3{}) {
					w.n[from], w.n[to] = n, n
				}
			}
		}
		begin = end
	}
}

// ringData contains the points of the current face: first the ring points, then, except in index, all others of the
// triangulation.
type ringData struct {
	uv    []geom.Vec2
	p     []geom.Vec3
	index []int32
	poles []int32 // ring points from which a piece runs along a pole
	// pieces are the boundary pieces from each ring point to the next.
	pieces []piece
}

// piece is a piece of the boundary: the coedge and the curve parameters of its ends, or the crease and the parameters
// along it.
type piece struct {
	coedge   brep.CoedgeID // None: not a model edge
	crease   int32         // number of the crease that bounds a cell, 0 if there is none
	from, to float64
}

// isDivisible reports whether more points on a piece can be asked for.
func (p piece) isDivisible() bool { return p.coedge != brep.None || p.crease > 0 }

func (r *ringData) clear() {
	r.uv, r.p, r.index, r.poles, r.pieces = r.uv[:0], r.p[:0], r.index[:0], r.poles[:0], r.pieces[:0]
}
