package heal

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Repair of loops
//
// A loop is sound when every edge begins at the end vertex of the one before. Other loops are treated as a set of edges
// between points, where a point is all vertices within the tolerance:
//
//  1. if it is closed between points, their vertices are merged: it had gaps;
//  2. else, if its edges in their given directions make exactly one closed path, they are put in that order;
//  3. else, if two edges meet at every point, they make one closed path; the edges in the direction of the minority
//     are reversed; edges that share no point, like the circles of a face without a seam, become separate loops,
//     each by one of these rules;
//  4. else, if its edges make a closed path in their order after some of them are reversed, these are;
//  5. else the gaps are closed, if each is at most half as wide as the adjacent edges are long and the widest is
//     rounding.
//
// Cost: one comparison for each coedge of sound loops; for others the square of the number of edges.

// maxMended bounds the edges of a loop that is put in order: the search is quadratic.
const maxMended = 1024

type mended struct {
	gaps, orders, senses int
	gap, order, sense    brep.FaceID // the first face of each
}

// repairLoops repairs the loops that are not closed chains of edges.
func (h *healer) repairLoops() {
	var done mended
	for l := range h.m.Loops {
		n, f := len(h.m.Loops[l].Coedges), h.m.Loops[l].Face
		if n == 0 || h.isChain(h.m.Loops[l].Coedges) {
			continue
		}
		before := [3]int{done.gaps, done.orders, done.senses}
		if n <= maxMended {
			h.repairLoop(brep.LoopID(l), &done)
		}
		if before[0] == 0 && done.gaps > 0 {
			done.gap = f
		}
		if before[1] == 0 && done.orders > 0 {
			done.order = f
		}
		if before[2] == 0 && done.senses > 0 {
			done.sense = f
		}
	}
	if done.orders > 0 {
		warn(h.m, LoopOrder, done.orders, "The edges of a loop of %s were out of order", h.m.FaceName(done.order))
	}
	if done.senses > 0 {
		warn(h.m, EdgesReversed, done.senses, "An edge of %s had the wrong direction", h.m.FaceName(done.sense))
	}
	if done.gaps > 0 {
		warn(h.m, LoopGap, done.gaps, "A gap in a loop of %s was closed", h.m.FaceName(done.gap))
	}
	h.applyVertices()
}

// isChain reports whether each coedge begins where the one before ends.
func (h *healer) isChain(coedges []brep.CoedgeID) bool {
	last := h.root(h.m.CoedgeEnd(coedges[len(coedges)-1]))
	for _, c := range coedges {
		if h.root(h.m.CoedgeStart(c)) != last {
			return false
		}
		last = h.root(h.m.CoedgeEnd(c))
	}
	return true
}

// repairLoop repairs one loop and counts the repairs.
func (h *healer) repairLoop(l brep.LoopID, done *mended) {
	coedges := h.m.Loops[l].Coedges
	list := h.stretches(coedges)
	if isClosed(list) {
		done.gaps += h.joinEnds(coedges)
		return
	}
	var chains [][]stretch
	for _, part := range connected(list) {
		sorted, ok := circuit(part)
		if !ok {
			sorted, ok = ring(part)
		}
		if !ok {
			sorted, ok = inOrder(part)
		}
		if !ok {
			done.gaps += h.bridge(coedges)
			return
		}
		chains = append(chains, sorted)
	}
	if len(chains) > 1 || !sameCycle(list, chains[0]) {
		done.orders++
	}
	for i, chain := range chains {
		sorted := make([]brep.CoedgeID, len(chain))
		at := l
		if i > 0 {
			at = brep.LoopID(len(h.m.Loops))
			h.m.Loops = append(h.m.Loops, h.m.Loops[l])
			face := &h.m.Faces[h.m.Loops[l].Face]
			face.Loops = append(slices.Clone(face.Loops), at)
		}
		for k, s := range chain {
			sorted[k] = s.coedge
			c := &h.m.Coedges[s.coedge]
			c.Loop = at
			if s.isTurned {
				c.Reversed = !c.Reversed
				done.senses++
			}
		}
		h.m.Loops[at].Coedges = sorted
		done.gaps += h.joinEnds(sorted)
	}
}

// joinEnds merges the vertices between consecutive coedges, and returns the number of merged vertices.
func (h *healer) joinEnds(coedges []brep.CoedgeID) int {
	count := 0
	for i, c := range coedges {
		if h.join(h.m.CoedgeEnd(c), h.m.CoedgeStart(coedges[(i+1)%len(coedges)])) {
			count++
		}
	}
	return count
}

// connected returns the stretches in sets that share no point, in the order of their first ones.
func connected(list []stretch) [][]stretch {
	group := make([]int, 2*len(list)) // by point
	for i := range group {
		group[i] = i
	}
	root := func(p int) int {
		for group[p] != p {
			p = group[p]
		}
		return p
	}
	for _, s := range list {
		a, b := root(s.from), root(s.to)
		group[max(a, b)] = min(a, b)
	}
	var sets [][]stretch
	at := map[int]int{}
	for _, s := range list {
		r := root(s.from)
		if _, ok := at[r]; !ok {
			at[r] = len(sets)
			sets = append(sets, nil)
		}
		sets[at[r]] = append(sets[at[r]], s)
	}
	return sets
}

// stretch is a coedge of a loop between two points.
type stretch struct {
	coedge   brep.CoedgeID
	edge     brep.EdgeID
	from, to int
	isTurned bool
}

// stretches returns the coedges between points: vertices within the tolerance are one.
func (h *healer) stretches(coedges []brep.CoedgeID) []stretch {
	var points []brep.VertexID
	point := func(id brep.VertexID) int {
		id = h.root(id)
		v := &h.m.Vertices[id]
		for i, other := range points {
			w := &h.m.Vertices[other]
			if other == id || v.Point.Dist(w.Point) <= max(h.tol, v.Tolerance, w.Tolerance) {
				return i
			}
		}
		points = append(points, id)
		return len(points) - 1
	}
	list := make([]stretch, len(coedges))
	for i, c := range coedges {
		list[i] = stretch{coedge: c, edge: h.m.Coedges[c].Edge,
			from: point(h.m.CoedgeStart(c)), to: point(h.m.CoedgeEnd(c))}
	}
	return list
}

// pointsOf returns one more than the highest number of a point.
func pointsOf(list []stretch) int {
	n := 0
	for _, s := range list {
		n = max(n, s.from+1, s.to+1)
	}
	return n
}

// isClosed reports whether each stretch begins where the one before ends.
func isClosed(list []stretch) bool {
	last := list[len(list)-1].to
	for _, s := range list {
		if s.from != last {
			return false
		}
		last = s.to
	}
	return true
}

// circuit returns the stretches in the order of the only closed path that uses each of them once in its direction.
func circuit(list []stretch) ([]stretch, bool) {
	const maxSteps = 1 << 14 // of the search; loops that need more are not repaired
	points := pointsOf(list)
	leaving := make([][]int, points)
	balance := make([]int, points)
	for i, s := range list {
		leaving[s.from] = append(leaving[s.from], i)
		balance[s.from]++
		balance[s.to]--
	}
	if slices.ContainsFunc(balance, func(b int) bool { return b != 0 }) {
		return nil, false
	}
	used := make([]bool, len(list))
	path := make([]int, 0, len(list))
	var found []stretch
	paths, steps := 0, 0
	var walk func(i int)
	walk = func(i int) {
		steps++
		used[i] = true
		path = append(path, i)
		if len(path) == len(list) && list[i].to == list[path[0]].from {
			if paths++; paths == 1 {
				for _, k := range path {
					found = append(found, list[k])
				}
			}
		}
		for _, k := range leaving[list[i].to] {
			if !used[k] && paths < 2 && steps < maxSteps {
				walk(k)
			}
		}
		used[i] = false
		path = path[:len(path)-1]
	}
	walk(0)
	return found, paths == 1 && steps < maxSteps
}

// ring returns the stretches in the order of their closed path, if two of them meet at each point in any direction. The
// path has the direction in which fewer stretches are reversed.
func ring(list []stretch) ([]stretch, bool) {
	meeting := make([][]int, pointsOf(list))
	for i, s := range list {
		if s.from == s.to {
			return nil, false
		}
		meeting[s.from] = append(meeting[s.from], i)
		meeting[s.to] = append(meeting[s.to], i)
		for _, other := range list[:i] {
			if other.edge == s.edge {
				return nil, false // a seam: used in both directions
			}
		}
	}
	out := []stretch{list[0]}
	turned, last := 0, 0
	for at := list[0].to; at != list[0].from; {
		if len(meeting[at]) != 2 {
			return nil, false
		}
		last = meeting[at][0] + meeting[at][1] - last
		s := list[last]
		if s.isTurned = s.from != at; s.isTurned {
			s.from, s.to = s.to, s.from
			turned++
		}
		at = s.to
		out = append(out, s)
	}
	if len(out) != len(list) || len(meeting[list[0].from]) != 2 {
		return nil, false
	}
	if 2*turned > len(list) {
		slices.Reverse(out)
		for i := range out {
			out[i].isTurned = !out[i].isTurned
		}
	}
	return out, true
}

// inOrder returns the stretches in their order, with fewer than half reversed so that they make a closed path. Where a
// seam is used in both directions, more than two stretches meet at a point, and only their order defines the path. In a
// loop that is only a seam, half may be reversed: the loop is the same with either of the two uses.
func inOrder(list []stretch) ([]stretch, bool) {
	for _, isFirstTurned := range []bool{false, true} {
		out, turned := slices.Clone(list), 0
		at := out[0].from
		if isFirstTurned {
			at = out[0].to
		}
		isPath := true
		for i := range out {
			s := &out[i]
			if s.isTurned = s.from != at || i == 0 && isFirstTurned; s.isTurned {
				s.from, s.to = s.to, s.from
				turned++
			}
			isPath = isPath && s.from == at
			at = s.to
		}
		isSeam := len(out) == 2 && out[0].edge == out[1].edge
		if isPath && at == out[0].from && (2*turned < len(out) || isSeam) {
			return out, true
		}
	}
	return nil, false
}

// sameCycle reports whether two lists have the same stretches in the same cyclic order, in either direction.
func sameCycle(a, b []stretch) bool {
	n := len(a)
	at := slices.IndexFunc(b, func(s stretch) bool { return s.coedge == a[0].coedge })
	forward, back := true, true
	for i := range a {
		forward = forward && a[i].coedge == b[(at+i)%n].coedge
		back = back && a[i].coedge == b[(at-i+n)%n].coedge
	}
	return forward || back
}

// bridge merges the vertices on both sides of every gap, if all gaps are small, and returns their number.
func (h *healer) bridge(coedges []brep.CoedgeID) int {
	n := len(coedges)
	for i, c := range coedges {
		next := coedges[(i+1)%n]
		v, w := h.root(h.m.CoedgeEnd(c)), h.root(h.m.CoedgeStart(next))
		if v == w {
			continue
		}
		a, b := &h.m.Edges[h.m.Coedges[c].Edge], &h.m.Edges[h.m.Coedges[next].Edge]
		if a.Curve == nil || b.Curve == nil {
			return 0
		}
		limit := min(h.wide, 0.5*length(a), 0.5*length(b))
		if h.m.Vertices[v].Point.Dist(h.m.Vertices[w].Point) > limit {
			return 0
		}
	}
	return h.joinEnds(coedges)
}

func length(e *brep.Edge) float64 { return curve.Length(e.Curve, e.Range) }
