package trim

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// This file finds a path around a torus between its holes if all straight ones are blocked.
//
// Method: breadth-first search over a grid of the parameter plane, from a point of one meridian to its copy one period
// further on, in single steps that cross no loop. The path leaves the first column and enters the last one once, so it
// does not meet its own copies. The grid becomes finer until there is a path; a passage narrower than half a cell of
// the finest is not found. Cost: the cells of the grid times the pieces of the loops, only for faces without a free
// straight line.

// pathGrids are the cells per period that are tried.
var pathGrids = [...]int{24, 64, 160}

// freePath returns the corners of a path around the u direction, the last one period beyond the first.
func (b *Builder) freePath() ([]geom.Vec2, bool) {
	for _, n := range pathGrids {
		w := pathFinder{b: b, n: n, step: geom.Vec2{X: b.period[0] / float64(n), Y: b.period[1] / float64(n)}}
		for row := range n {
			if way, ok := w.from(row); ok {
				return way, true
			}
		}
	}
	return nil, false
}

// pathFinder searches a grid of n columns. Rows run over three periods, so that a path may run up or down by less than
// half a period; with more it could meet itself from the other side.
type pathFinder struct {
	b    *Builder
	n    int
	step geom.Vec2
	// They say for each column and row of one period whether the step right or up is free: 0 not
	// known, 1 free, 2 not.
	right, up []uint8
}

func (w *pathFinder) at(col, row int) geom.Vec2 {
	const inset = 0.37 // of a cell, because loops often lie on round parameters
	return geom.Vec2{X: w.b.ranges[0].Lo + (float64(col)+inset)*w.step.X,
		Y: w.b.ranges[1].Lo + (float64(row)+inset)*w.step.Y}
}

// isFree reports whether the step from a node to the right or upward crosses nothing.
func (w *pathFinder) isFree(known []uint8, col, row, right, up int) bool {
	k := (col%w.n)*w.n + (row%w.n+w.n)%w.n
	if known[k] == 0 {
		known[k] = 1
		if w.b.blocked(w.at(col, row), w.at(col+right, row+up)) {
			known[k] = 2
		}
	}
	return known[k] == 1
}

// from searches from a row of the first column.
func (w *pathFinder) from(row int) ([]geom.Vec2, bool) {
	n, rows := w.n, 3*w.n
	if w.right == nil {
		w.right, w.up = make([]uint8, n*n), make([]uint8, n*n)
	}
	parent := make([]int32, (n+1)*rows)
	for i := range parent {
		parent[i] = -1
	}
	start, goal := row+n, n*rows+row+n // as col·rows + row, the rows from -n on
	parent[start] = int32(start)
	queue := []int{start}
	visit := func(from, to int) {
		if wander := to%rows - start; parent[to] < 0 && 2*max(wander, -wander) < n {
			parent[to] = int32(from)
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 && parent[goal] < 0 {
		k := queue[0]
		queue = queue[1:]
		col, r := k/rows, k%rows
		if col < n && (col+1 < n || k+rows == goal) && w.isFree(w.right, col, r-n, 1, 0) {
			visit(k, k+rows)
		}
		if col > 1 && col < n && w.isFree(w.right, col-1, r-n, 1, 0) {
			visit(k, k-rows)
		}
		if col > 0 && col < n && r+1 < rows && w.isFree(w.up, col, r-n, 0, 1) {
			visit(k, k+1)
		}
		if col > 0 && col < n && r > 0 && w.isFree(w.up, col, r-1-n, 0, 1) {
			visit(k, k-1)
		}
	}
	if parent[goal] < 0 {
		return nil, false
	}
	return w.path(parent, start, goal), true
}

// path follows the parents back and leaves out points on straight runs.
func (w *pathFinder) path(parent []int32, start, goal int) []geom.Vec2 {
	rows := 3 * w.n
	place := func(k int) geom.Vec2 { return w.at(k/rows, k%rows-w.n) }
	var back []int
	for k := goal; ; k = int(parent[k]) {
		if m := len(back); m > 1 && back[m-1]-back[m-2] == k-back[m-1] {
			back[m-1] = k
		} else {
			back = append(back, k)
		}
		if k == start {
			break
		}
	}
	way := make([]geom.Vec2, 0, len(back))
	for i := len(back) - 1; i >= 0; i-- {
		way = append(way, place(back[i]))
	}
	end := &way[len(way)-1] // exactly one period on
	*end = geom.Vec2{X: way[0].X + w.b.period[0], Y: way[0].Y}
	return way
}

// makePath adds a ring of new points along a path of corners and returns its chain.
func (b *Builder) makePath(a across, way []geom.Vec2) int {
	c := chain{lo: len(b.verts), turns: a.turns}
	for i, p := range way[:len(way)-1] {
		q := b.surf.At(p.X, p.Y)
		b.verts = append(b.verts, Vertex{UV: p, P: q, Index: b.addExtra(q), Coedge: brep.None})
		b.cuts = b.cuts[:0]
		b.sampleLine(p, way[i+1])
		for _, k := range b.cuts {
			b.verts = append(b.verts, Vertex{UV: k.uv, P: k.p, Index: k.index, Coedge: brep.None})
		}
	}
	c.hi = len(b.verts)
	c.min, c.max = extent(b.verts[c.lo:c.hi])
	b.chains, b.used = append(b.chains, c), append(b.used, true)
	return len(b.chains) - 1
}

// straightPath returns a free line of constant v around the u direction, the one in the widest gap first.
func (b *Builder) straightPath(a across) ([]geom.Vec2, bool) {
	start := geom.Vec2{X: b.widestGap(0), Y: b.widestGap(1)}
	for k := range asked + 1 {
		if !b.blocked(start, start.Add(a.along)) {
			return []geom.Vec2{start, start.Add(a.along)}, true
		}
		start.Y = b.ranges[1].Lo + (float64(k)+0.5)*b.period[1]/asked
	}
	return nil, false
}
