package mesh

import "slices"

// This file groups the sides of all triangles by undirected edge.
//
// Method: a counting sort of the 3n sides by their smaller vertex, then a sort inside each bucket by the larger one.
// Buckets contain about six sides, so the whole is linear, except k log k for the hub of a large fan of k sides. Memory
// is 8 bytes a side and 4 bytes a point, without allocation per edge. A side is numbered 3·triangle + k for the side
// from corner k to corner k+1.

// sideTable lists all sides, sides of one edge next to each other, in ascending order of edge
// (smaller vertex, larger vertex) and then of side. An entry is larger vertex << 32 | side.
type sideTable struct {
	entries []uint64
	first   []int32 // first[v] is the start of the sides whose smaller vertex is v; len = points + 1
}

func (m *Mesh) sides() sideTable {
	st := sideTable{
		entries: make([]uint64, 3*len(m.Triangles)),
		first:   make([]int32, len(m.Points)+2),
	}
	// Counts go in two places ahead, so that after the prefix sum first[v+1] is the cursor of bucket v
	// and, once the bucket is full, the start of the next one.
	for _, t := range m.Triangles {
		for k := range 3 {
			st.first[min(t[k], t[next(k)])+2]++
		}
	}
	for v := 2; v < len(st.first); v++ {
		st.first[v] += st.first[v-1]
	}
	for i, t := range m.Triangles {
		for k := range 3 {
			a, b := t[k], t[next(k)]
			lo, hi := min(a, b), max(a, b)
			st.entries[st.first[lo+1]] = uint64(hi)<<32 | uint64(3*i+k)
			st.first[lo+1]++
		}
	}
	st.first = st.first[:len(m.Points)+1]
	for v := range m.Points {
		sortSides(st.entries[st.first[v]:st.first[v+1]])
	}
	return st
}

// sortSides is an insertion sort for the usual handful and the library's sort beyond.
func sortSides[T uint32 | uint64](s []T) {
	const handful = 24
	if len(s) > handful {
		slices.Sort(s)
		return
	}
	for i := 1; i < len(s); i++ {
		x := s[i]
		j := i
		for ; j > 0 && s[j-1] > x; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

// each calls f with the sides of every edge in order.
func (st *sideTable) each(f func(sides []uint64)) {
	for v := 0; v+1 < len(st.first); v++ {
		bucket := st.entries[st.first[v]:st.first[v+1]]
		for len(bucket) > 0 {
			n := 1
			for n < len(bucket) && bucket[n]>>32 == bucket[0]>>32 {
				n++
			}
			f(bucket[:n])
			bucket = bucket[n:]
		}
	}
}

func next(k int) int {
	if k == 2 {
		return 0
	}
	return k + 1
}

// sideOf unpacks an entry.
func sideOf(entry uint64) (triangle int32, k int) {
	s := uint32(entry)
	return int32(s / 3), int(s % 3)
}
