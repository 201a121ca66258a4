package mesh

import "sort"

// Report counts the defects that keep a mesh from being the closed, consistently oriented boundary of a body.
type Report struct {
	OpenEdges         int // used by one triangle
	NonManifoldEdges  int // used by three or more triangles
	InconsistentEdges int // used by two triangles in the same direction
	Degenerate        int // triangles with two equal corners
	OutOfRange        int // triangles with a corner that is no point of the mesh
	Watertight        bool
}

// Check examines every edge. A mesh is watertight when it has triangles, all of them with three different corners, and
// each edge is used by exactly two triangles in opposite directions. The cost is linear in the number of triangles.
func (m *Mesh) Check() Report {
	var r Report
	for _, t := range m.Triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(m.Points) {
				r.OutOfRange++
				break
			}
		}
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			r.Degenerate++
		}
	}
	if r.OutOfRange > 0 {
		return r
	}
	m.countUses(&r)
	r.Watertight = len(m.Triangles) > 0 && r.OpenEdges == 0 && r.NonManifoldEdges == 0 &&
		r.InconsistentEdges == 0 && r.Degenerate == 0
	return r
}

// countUses counts the triangles at every edge, which does not need to know which they are: the sides at
// each smaller vertex are sorted by larger vertex << 1 | whether they start there, half the size of a
// sideTable.
func (m *Mesh) countUses(r *Report) {
	first := make([]int32, len(m.Points)+2)
	for _, t := range m.Triangles {
		first[min(t[0], t[1])+2]++
		first[min(t[1], t[2])+2]++
		first[min(t[2], t[0])+2]++
	}
	for v := 2; v < len(first); v++ {
		first[v] += first[v-1]
	}
	uses := make([]uint32, 3*len(m.Triangles))
	put := func(a, b int32) {
		lo, use := a, uint32(b)<<1
		if b < a {
			lo, use = b, uint32(a)<<1|1
		}
		uses[first[lo+1]] = use
		first[lo+1]++
	}
	for _, t := range m.Triangles {
		put(t[0], t[1])
		put(t[1], t[2])
		put(t[2], t[0])
	}
	for v := range m.Points {
		at := uses[first[v]:first[v+1]]
		sortSides(at)
		for len(at) > 0 {
			n := 1
			for n < len(at) && at[n]>>1 == at[0]>>1 {
				n++
			}
			switch {
			case n == 1:
				r.OpenEdges++
			case n > 2:
				r.NonManifoldEdges++
			case at[0] == at[1]:
				r.InconsistentEdges++
			}
			at = at[n:]
		}
	}
}

// Neighbors returns for each triangle the triangle on the other side of the side from corner k to
// corner k+1, or -1 when that edge is not used by exactly two triangles. All corners must be points
// of the mesh.
func (m *Mesh) Neighbors() [][3]int32 {
	adj := make([][3]int32, len(m.Triangles))
	for i := range adj {
		adj[i] = [3]int32{-1, -1, -1}
	}
	st := m.sides()
	st.each(func(sides []uint64) {
		if len(sides) != 2 {
			return
		}
		t0, k0 := sideOf(sides[0])
		t1, k1 := sideOf(sides[1])
		adj[t0][k0], adj[t1][k1] = t1, t0
	})
	return adj
}

// EachCrowdedEdge calls f for every edge used by more than two triangles, in ascending order of its
// points a < b, with the triangles in ascending order. The slice is valid during the call only. All
// corners must be points of the mesh.
func (m *Mesh) EachCrowdedEdge(f func(a, b int32, triangles []int32)) {
	st := m.sides()
	var triangles []int32
	st.each(func(sides []uint64) {
		if len(sides) < 3 {
			return
		}
		triangles = triangles[:0]
		for _, s := range sides {
			t, _ := sideOf(s)
			triangles = append(triangles, t)
		}
		t, k := sideOf(sides[0])
		a, b := m.Triangles[t][k], m.Triangles[t][next(k)]
		f(min(a, b), max(a, b), triangles)
	})
}

// RegionOf returns the region of triangle t, found by bisection, -1 when no region covers it.
func (m *Mesh) RegionOf(t int32) int32 {
	i := sort.Search(len(m.Regions), func(i int) bool { return m.Regions[i].End > t })
	if i == len(m.Regions) || m.Regions[i].Start > t {
		return -1
	}
	return int32(i)
}
