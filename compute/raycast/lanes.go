package raycast

import (
	"math/bits"

	"millwright/compute/bvh"
)

// nextGo returns the next leaf on the way of the ray, nearest box first, or 0 after the last.
func (w *walk) nextGo() int32 {
	for w.top > 0 {
		w.top--
		e := w.stack[w.top]
		if e.near > w.ray.to {
			continue
		}
		if e.child < 0 {
			return e.child
		}
		n := &w.nodes[e.child]
		first := w.top
		for mask := boxes(n, &w.ray, &w.near); mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros32(mask)
			e := entry{w.near[i], n.Child[i]}
			at := w.top
			for ; at > first && w.stack[at-1].near < e.near; at-- {
				w.stack[at] = w.stack[at-1]
			}
			w.stack[at] = e
			w.top++
		}
	}
	return 0
}

// boxes returns the children of a node whose boxes the ray passes through, as bits, and where it enters them.
//
// A number less the origin, times the inverse of the direction, is off by 3 roundings of the number: less than the
// boxes are too wide. Neither factor is ever 0 times infinite: no part of a direction is 0, and empty boxes have no
// finite side.
func boxes(n *bvh.WideNode, r *ray, near *[bvh.Lanes]float32) (mask uint32) {
	for i := range bvh.Lanes {
		enter, leave := r.from, r.to
		for k := range 3 {
			in, out := k, k+3
			if r.inv[k] < 0 {
				in, out = out, in
			}
			enter = max(enter, float32((n.Box[in][i]-r.org[k])*r.inv[k]))
			leave = min(leave, float32((n.Box[out][i]-r.org[k])*r.inv[k]))
		}
		near[i] = enter
		if enter <= leave {
			mask |= 1 << i
		}
	}
	return mask
}

// trianglesGo returns the triangles of a block that the line may meet, as bits: those whose edge functions in single
// precision do not have different signs. A difference of two rounded products has the right sign or is zero.
func trianglesGo(b *bvh.Block, r *ray) (mask uint32) {
	for i := range bvh.Lanes {
		ax, ay, _ := r.sheared(b, 0, i)
		bx, by, _ := r.sheared(b, 1, i)
		cx, cy, _ := r.sheared(b, 2, i)
		u := float32(cx*by) - float32(cy*bx)
		v := float32(ax*cy) - float32(ay*cx)
		w := float32(bx*ay) - float32(by*ax)
		if !(min(u, v, w) < 0 && max(u, v, w) > 0) {
			mask |= 1 << i
		}
	}
	return mask
}
