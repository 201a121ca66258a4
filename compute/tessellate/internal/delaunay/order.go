package delaunay

import "slices"

// This file determines the order in which points are inserted: along a Hilbert curve, first every 4^k-th point, then
// every 4^(k-1)-th and so on (a biased insertion order without randomness, after Amenta, Choi and Rote 2003). Points
// adjacent in the order are close in the plane, so walks are short. The coarse points come first and keep the triangles
// well shaped, so flips are few.

const (
	hilbertBits = 12 // per axis: 4096 × 4096 cells
	hilbertMask = 1<<hilbertBits - 1
)

// hilbertStep[state][x bit, y bit] is digit | next state << 2; the four states are the orientations of
// the curve's U shape.
var hilbertStep = [4][4]uint8{
	{0 | 1<<2, 1 | 0<<2, 3 | 3<<2, 2 | 0<<2},
	{0 | 0<<2, 3 | 2<<2, 1 | 1<<2, 2 | 1<<2},
	{2 | 2<<2, 3 | 1<<2, 1 | 2<<2, 0 | 3<<2},
	{2 | 3<<2, 1 | 3<<2, 3 | 0<<2, 0 | 2<<2},
}

// hilbert returns the place of a cell along the curve.
func hilbert(x, y uint32) uint32 {
	d, state := uint32(0), uint8(0)
	for i := hilbertBits - 1; i >= 0; i-- {
		s := hilbertStep[state][(x>>i&1)<<1|y>>i&1]
		d = d<<2 | uint32(s&3)
		state = s >> 2
	}
	return d
}

// order sorts the points along the curve into keys: place << 32 | vertex.
func (t *Triangulation) order(n int) {
	t.keys = t.keys[:0]
	lo, hi := t.box[0], t.box[1]
	scale := hilbertMask / max(hi.X-lo.X, hi.Y-lo.Y)
	for i, p := range t.pts[super:] {
		x, y := uint32((p.X-lo.X)*scale), uint32((p.Y-lo.Y)*scale)
		t.keys = append(t.keys, uint64(hilbert(x&hilbertMask, y&hilbertMask))<<32|uint64(i+super))
	}
	const radixFrom = 400 // fewer are sorted faster by comparing
	if n < radixFrom {
		slices.Sort(t.keys)
		return
	}
	t.spare = slices.Grow(t.spare[:0], n)[:n]
	t.keys, t.spare = radix(t.keys, t.spare)
}

// radix sorts keys by the curve's place, stable, with spare as second array; it returns them swapped or not.
func radix(keys, spare []uint64) (sorted, other []uint64) {
	const digit = 8
	for shift := 32; shift < 32+2*hilbertBits; shift += digit {
		var count [1 << digit]int
		for _, k := range keys {
			count[uint8(k>>shift)]++
		}
		at := 0
		for i, c := range count {
			count[i] = at
			at += c
		}
		for _, k := range keys {
			d := uint8(k >> shift)
			spare[count[d]] = k
			count[d]++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}

// insertAll inserts all points that are in use.
func (t *Triangulation) insertAll() {
	const coarsest = 8 // points in the first pass at least
	n := len(t.keys)
	stride := 1
	for n/(4*stride) >= coarsest {
		stride *= 4
	}
	for first := true; stride > 0; first = false {
		for i := 0; i < n; i += stride {
			if first || i%(4*stride) != 0 {
				t.insertInput(int32(uint32(t.keys[i])))
			}
		}
		stride /= 4
	}
}

// insertInput inserts one of the input's points and records the conflict when it meets another.
func (t *Triangulation) insertInput(v int32) {
	if t.alias[v] == none {
		return
	}
	u := t.insert(v)
	if u == none {
		return
	}
	rings := t.rings() + super
	switch {
	case v >= rings:
		t.alias[v] = none
	case u >= rings:
		t.conflicts = append(t.conflicts, conflict{kind: drop, v: u})
	case t.ids == nil || t.ids[u-super] == t.ids[v-super]:
		t.alias[v] = u
		t.same = append(t.same, v)
	default:
		t.conflicts = append(t.conflicts, conflict{kind: apart, v: v, a: u})
	}
}
