package tessellate

import (
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file writes the triangles of a face. A worker writes into scratch memory that it reuses from face to face and
// then stores a copy of the right size. So the growing mesh is not copied again and uses no excess memory.

// output is the mesh of one face. A corner of a triangle is the index of a shared point, or ^k for
// points[k].
type output struct {
	triangles [][3]int32
	points    []geom.Vec3 // interior points
	corners   []int32     // shared points that the face uses, ascending, then its own as ^k
	normals   []geom.Vec3 // of each corner
}

func (o *output) reset() {
	o.triangles, o.points, o.corners = o.triangles[:0], o.points[:0], o.corners[:0]
	o.normals = o.normals[:0]
}

// store keeps the outputs of a worker.
type store struct {
	triangles pool[[3]int32]
	points    pool[geom.Vec3]
	corners   pool[int32]
	normals   pool[geom.Vec3]
	requests  pool[request]
}

// keep returns a copy that stays when o is reset.
func (s *store) keep(o *output) output {
	return output{
		triangles: s.triangles.keep(o.triangles),
		points:    s.points.keep(o.points),
		corners:   s.corners.keep(o.corners),
		normals:   s.normals.keep(o.normals),
	}
}

// pool keeps slices one after the other in blocks.
type pool[T any] struct {
	free []T
	size int // of the next block
}

// keep returns a copy of x that shares no memory with others; nil for an empty slice.
func (p *pool[T]) keep(x []T) []T {
	const smallest, largest = 64, 1 << 14 // blocks grow, so that small parts take little
	if len(x) == 0 {
		return nil
	}
	if len(x) > len(p.free) {
		if len(x) > p.size/4 && p.size == largest { // so as not to waste the remaining part of the block
			kept := make([]T, len(x))
			copy(kept, x)
			return kept
		}
		p.size = min(max(2*p.size, smallest), largest)
		p.free = make([]T, max(p.size, len(x)))
	}
	kept := p.free[:len(x):len(x)]
	p.free = p.free[len(x):]
	copy(kept, x)
	return kept
}

// write converts triangles over the vertices into output. Triangles with two corners at one point in space are omitted.
// The mesh stays closed, because their other two sides are one edge.
func (w *worker) write(tris [][3]int32, reversed bool) {
	if w.whole.isOpen {
		w.whole.add(w, tris)
		return
	}
	rings := int32(len(w.index))
	w.slot = slices.Grow(w.slot[:0], len(w.p)+len(w.extra))[:len(w.p)+len(w.extra)]
	for i := range w.slot {
		w.slot[i] = absent
	}
	w.seen = append(w.seen[:0], make([]bool, len(w.p))...)
	w.shared, w.inner = w.shared[:0], w.inner[:0]
	w.triangles = slices.Grow(w.triangles, len(tris))
	for _, t := range tris {
		var c [3]int32
		for k, v := range t {
			switch {
			case v >= rings:
				c[k] = w.own(int(v), w.p[v])
			case w.index[v] < 0:
				c[k] = w.own(len(w.p)+int(^w.index[v]), w.extra[^w.index[v]])
			default:
				c[k] = w.index[v]
			}
		}
		if c[0] == c[1] || c[1] == c[2] || c[2] == c[0] {
			continue
		}
		for k, v := range t {
			if !w.seen[v] {
				w.seen[v] = true
				if c[k] < 0 {
					w.inner = append(w.inner, vertexKey(^c[k], v))
				} else {
					w.shared = append(w.shared, vertexKey(c[k], v))
				}
			}
		}
		if reversed {
			c[1], c[2] = c[2], c[1]
		}
		w.triangles = append(w.triangles, c)
	}
	w.writeCorners(w.shared, 0, reversed)
	w.writeCorners(w.inner, absent, reversed)
}

// own returns the corner of a point of the face alone, which gets its number when it is first used.
func (w *worker) own(slot int, p geom.Vec3) int32 {
	if w.slot[slot] == absent {
		w.slot[slot] = int32(len(w.points))
		w.points = append(w.points, p)
	}
	return ^w.slot[slot]
}

// vertexKey sorts vertices by their point.
func vertexKey(point, v int32) uint64 { return uint64(point)<<32 | uint64(uint32(v)) }

// writeCorners writes each point of the vertices once, ascending, with the mean of the normals at its vertices. The
// bits of mask are flipped in the corners.
func (w *worker) writeCorners(vertices []uint64, mask int32, reversed bool) {
	slices.Sort(vertices)
	w.corners = slices.Grow(w.corners, len(vertices))
	w.normals = slices.Grow(w.normals, len(vertices))
	for i := 0; i < len(vertices); {
		point := vertices[i] >> 32
		var sum, first geom.Vec3
		for ; i < len(vertices) && vertices[i]>>32 == point; i++ {
			n := w.n[uint32(vertices[i])]
			sum = sum.Add(n)
			if first == (geom.Vec3{}) {
				first = n
			}
		}
		const opposed = 1e-3 // a sum of unit vectors so short has no direction
		n := first
		if sum.Norm() > opposed {
			n = sum.Unit()
		}
		if reversed {
			n = n.Neg()
		}
		w.corners = append(w.corners, int32(point)^mask)
		w.normals = append(w.normals, n)
	}
}
