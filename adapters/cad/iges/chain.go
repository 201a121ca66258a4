package iges

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// The pieces of a boundary form one closed chain, the pieces of a swept curve an open one. Some writers list them in
// any order, or reverse some. With their ends as vertices, the chain is an Eulerian circuit, found by C. Hierholzer's
// method: first with the pieces in their direction, which keeps the sense of full circles next to a seam, then with
// reversible pieces. Ends are one vertex within a tolerance that grows up to joint. If there is no circuit, each piece
// is followed by the nearest remaining piece. Cost: the square of the number of pieces, only if the order in the file
// does not fit.

// maxUnordered bounds the pieces that are put in order by circuit.
const maxUnordered = 2000

// arrange puts the pieces of a chain in an order and directions in which each piece starts at the end of the previous
// one. It keeps the order and directions of the file if they fit.
func arrange(chain []piece) {
	if len(chain) < 2 || inOrder(chain) {
		return
	}
	if len(chain) <= maxUnordered {
		for tol := joint / 100; tol <= joint; tol *= 10 {
			c := newCircuit(chain, tol)
			if c.find(chain, false) || c.find(chain, true) {
				return
			}
		}
	}
	followNearest(chain)
}

// inOrder reports whether each piece except the first starts at the end of the previous one.
func inOrder(chain []piece) bool {
	for i := 1; i < len(chain); i++ {
		if chain[i-1].end().Dist(chain[i].start()) > joint {
			return false
		}
	}
	return true
}

// circuit is a multigraph of pieces.
type circuit struct {
	from, to []int   // by piece: its vertices
	at       [][]int // by vertex: pieces that start there, then those that end there
	starts   []int   // by vertex: how many start there
}

// newCircuit makes vertices of the ends of pieces that are within tol of each other.
func newCircuit(chain []piece, tol float64) *circuit {
	c := &circuit{from: make([]int, len(chain)), to: make([]int, len(chain))}
	var points []geom.Vec3
	vertex := func(p geom.Vec3) int {
		i := slices.IndexFunc(points, func(q geom.Vec3) bool { return p.Dist(q) <= tol })
		if i < 0 {
			i, points = len(points), append(points, p)
		}
		return i
	}
	for i := range chain {
		c.from[i], c.to[i] = vertex(chain[i].start()), vertex(chain[i].end())
	}
	c.at, c.starts = make([][]int, len(points)), make([]int, len(points))
	for i, v := range c.from {
		c.at[v] = append(c.at[v], i)
		c.starts[v]++
	}
	for i, v := range c.to {
		c.at[v] = append(c.at[v], i)
	}
	return c
}

// first returns a vertex where a circuit may begin, or where an open chain must begin; ok is false if there is neither.
func (c *circuit) first(turns bool) (vertex int, ok bool) {
	vertex = c.from[0]
	begins, ends := 0, 0
	for v, pieces := range c.at {
		surplus := 2*c.starts[v] - len(pieces) // pieces that start here minus pieces that end here
		switch {
		case turns && len(pieces)%2 == 0 || !turns && surplus == 0:
		case turns && begins == 0 || !turns && surplus == 1:
			begins, vertex = begins+1, v
		case turns || surplus == -1:
			ends++
		default:
			return 0, false
		}
	}
	return vertex, begins <= 1 && ends == begins
}

// find arranges the chain as a circuit. It returns false, and does not change the chain, if there is no circuit. Pieces
// are reversed only if turns is set.
func (c *circuit) find(chain []piece, turns bool) bool {
	first, ok := c.first(turns)
	if !ok {
		return false
	}
	type step struct {
		piece, to int
		turned    bool
	}
	used, next := make([]bool, len(chain)), make([]int, len(c.at))
	path := []step{{piece: -1, to: first}} // of the tour; closed loops are inserted on the way back
	var tour []step
	for len(path) > 0 {
		v := path[len(path)-1].to
		limit := len(c.at[v])
		if !turns {
			limit = c.starts[v]
		}
		for next[v] < limit && used[c.at[v][next[v]]] {
			next[v]++
		}
		if next[v] == limit {
			tour = append(tour, path[len(path)-1])
			path = path[:len(path)-1]
			continue
		}
		i := c.at[v][next[v]]
		used[i] = true
		if next[v] < c.starts[v] {
			path = append(path, step{i, c.to[i], false})
		} else {
			path = append(path, step{i, c.from[i], true})
		}
	}
	if len(tour) != len(chain)+1 {
		return false
	}
	old := slices.Clone(chain)
	slices.Reverse(tour)
	for k, s := range tour[1:] {
		chain[k] = old[s.piece]
		chain[k].reversed = chain[k].reversed != s.turned
	}
	return true
}

// followNearest orders the chain so that each piece is followed by the nearest remaining piece.
func followNearest(chain []piece) {
	first, next := &chain[0], &chain[1]
	near := func(p geom.Vec3) float64 { return math.Min(p.Dist(next.start()), p.Dist(next.end())) }
	if near(first.end()) > joint && near(first.start()) < near(first.end()) {
		first.reversed = !first.reversed
	}
	for i := 1; i < len(chain); i++ {
		at := chain[i-1].end()
		if at.Dist(chain[i].start()) <= joint {
			continue
		}
		best, turn, nearest := i, false, math.Inf(1)
		for k := i; k < len(chain); k++ {
			if d := at.Dist(chain[k].start()); d < nearest {
				best, turn, nearest = k, false, d
			}
			if d := at.Dist(chain[k].end()); d < nearest {
				best, turn, nearest = k, true, d
			}
		}
		chain[i], chain[best] = chain[best], chain[i]
		chain[i].reversed = chain[i].reversed != turn
	}
}
