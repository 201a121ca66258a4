package arcpoly

// The planar subdivision by the chords.
//
// The chains between the points where chords meet are runs. At each such point, a node, its runs are sorted by their
// exact direction. Crossing a run changes the winding number by the number of times that the loops use it. So one known
// face determines all faces connected with it. A ray from the leftmost point of each connected component links it to
// the others, as in any sweep, but once for each component. All of it is exact. If chords still crossed, two paths to a
// face would disagree; that is an error.
//
// Cost: linear in the points, and O(log n) for each component.

import (
	"errors"
	"math"
)

// ErrOpenResult reports that the loops of a result do not close. It is a defect of this package; no input is known that
// causes it.
var ErrOpenResult = errors.New("arcpoly: the crossings of the loops contradict one another")

// run is a stretch of a loop between two nodes, or a whole loop without any.
type run struct {
	from, to    int32 // nodes, -1 for a whole loop
	chord       int32 // that it begins on
	inner       int32 // points of the loop between
	left, right int32 // winding numbers on its sides
	known       bool
}

// graph is the runs and nodes.
type graph struct {
	crosser
	runs   []run
	nodes  []point
	nodeOf map[point]int32
	fan    []int32 // by node, its first entry of darts
	darts  []int32 // 2·run where the run leaves the node, 2·run + 1 where it arrives; counter-clockwise from the west
	group  []int32 // of each entry of darts, the first entry with the same direction
	part   []int32 // by loop, its connected component
	runOf  []int32 // by loop, its first run
	todo   []arrival
	ways   []point // of the darts
	filled []int32 // scratch of sortDarts
	walk   tracer
}

// arrival is a run by which a node has been reached.
type arrival struct{ node, dart int32 }

// build makes the graph of the chords.
func (g *graph) build() error {
	g.cross()
	g.runs, g.nodes, g.todo = g.runs[:0], g.nodes[:0], g.todo[:0]
	if g.nodeOf == nil {
		g.nodeOf = make(map[point]int32)
	}
	clear(g.nodeOf)
	g.divide()
	g.sortDarts()
	return g.wind()
}

// divide cuts the loops at the nodes.
func (g *graph) divide() {
	next := 0 // of the stops
	g.runOf = resized(g.runOf, len(g.first)+1)
	for l := range g.first {
		lo, hi := g.loopSpan(l)
		begin := len(g.runs)
		g.runOf[l] = int32(begin)
		var before, inner int32
		node := func(at point, chord int32) {
			k := g.nodeAt(at)
			if len(g.runs) > begin {
				last := &g.runs[len(g.runs)-1]
				last.to, last.inner = k, inner
			} else {
				before = inner
			}
			g.runs = append(g.runs, run{from: k, chord: chord})
			inner = 0
		}
		for i := lo; i < hi; i++ {
			if g.marked[i] {
				node(g.pts[i], i)
			} else {
				inner++
			}
			for ; next < len(g.stops) && g.stops[next].chord == i; next++ {
				node(g.stops[next].at, i)
			}
		}
		if len(g.runs) == begin {
			g.runs = append(g.runs, run{from: -1, to: -1, chord: lo, inner: hi - lo - 1})
			continue
		}
		last := &g.runs[len(g.runs)-1]
		last.to, last.inner = g.runs[begin].from, inner+before
	}
	g.runOf[len(g.first)] = int32(len(g.runs))
}

// loopSpan returns the first and the last point of a loop, which are one.
func (c *chains) loopSpan(l int) (lo, hi int32) {
	lo, hi = c.first[l], int32(len(c.pts)-1)
	if l+1 < len(c.first) {
		hi = c.first[l+1] - 1
	}
	return lo, hi
}

func (g *graph) nodeAt(p point) int32 {
	k, ok := g.nodeOf[p]
	if !ok {
		k = int32(len(g.nodes))
		g.nodeOf[p] = k
		g.nodes = append(g.nodes, p)
	}
	return k
}

// innerAt returns point k of those between the nodes of a run.
func (g *graph) innerAt(r *run, k int32) int32 {
	i := r.chord + 1 + k
	lo, hi := g.loopSpan(int(g.loop[r.chord]))
	if i >= hi {
		i -= hi - lo
	}
	return i
}

// heading returns the direction in which a dart leaves its node.
func (g *graph) heading(dart int32) point {
	r := &g.runs[dart/2]
	from, to := r.from, r.to
	if dart%2 == 1 {
		from, to = to, from
	}
	switch {
	case r.inner == 0:
		return g.nodes[to].sub(g.nodes[from])
	case dart%2 == 0:
		return g.pts[g.innerAt(r, 0)].sub(g.nodes[from])
	default:
		return g.pts[g.innerAt(r, r.inner-1)].sub(g.nodes[from])
	}
}

// compareHeadings orders directions counter-clockwise from just after the west.
func compareHeadings(a, b point) int {
	upper := func(p point) bool { return p.y > 0 || p.y == 0 && p.x < 0 }
	switch ua, ub := upper(a), upper(b); {
	case ua != ub && ub:
		return -1
	case ua != ub:
		return 1
	}
	switch f := a.cross(b); {
	case f > 0:
		return -1
	case f < 0:
		return 1
	}
	return 0
}

// sortDarts gives every node its darts in order.
func (g *graph) sortDarts() {
	g.fan = resized(g.fan, len(g.nodes)+1)
	clear(g.fan)
	for i := range g.runs {
		if r := &g.runs[i]; r.from >= 0 {
			g.fan[r.from+1]++
			g.fan[r.to+1]++
		}
	}
	for k := range g.nodes {
		g.fan[k+1] += g.fan[k]
	}
	g.darts = resized(g.darts, int(g.fan[len(g.nodes)]))
	g.ways = resized(g.ways, len(g.darts))
	g.filled = append(g.filled[:0], g.fan...)
	ways, filled := g.ways, g.filled
	enter := func(node, dart int32) {
		at, way := filled[node], g.heading(dart)
		filled[node]++
		for ; at > g.fan[node] && compareHeadings(way, ways[at-1]) < 0; at-- {
			g.darts[at], ways[at] = g.darts[at-1], ways[at-1]
		}
		g.darts[at], ways[at] = dart, way
	}
	for i := range g.runs {
		if r := &g.runs[i]; r.from >= 0 {
			enter(r.from, int32(2*i))
			enter(r.to, int32(2*i+1))
		}
	}
	g.group = resized(g.group, len(g.darts))
	for k := range g.nodes {
		for d := g.fan[k]; d < g.fan[k+1]; d++ {
			g.group[d] = d
			if d > g.fan[k] && compareHeadings(ways[d-1], ways[d]) == 0 {
				g.group[d] = g.group[d-1]
			}
		}
	}
}

// groupEnd returns the entry after those with the same direction as entry d of a node.
func (g *graph) groupEnd(d, end int32) int32 {
	e := d + 1
	for e < end && g.group[e] == g.group[d] {
		e++
	}
	return e
}

// change returns the winding number left of some darts minus the winding number right of them.
func (g *graph) change(lo, hi int32) int32 {
	sum := int32(0)
	for _, d := range g.darts[lo:hi] {
		sum += 1 - 2*(d%2)
	}
	return sum
}

// wind finds the winding numbers on the two sides of each run.
func (g *graph) wind() error {
	g.part = resized(g.part, len(g.first))
	for i := range g.part {
		g.part[i] = -1
	}
	parts := int32(0)
	for l := range g.part {
		if g.part[l] < 0 {
			g.spread(int32(l), parts)
			parts++
		}
	}
	lowest := make([]extreme, parts)
	for i := range lowest {
		lowest[i] = extreme{at: point{math.Inf(1), 0}}
	}
	for l := range g.part {
		lowest[g.part[l]].take(g, l)
	}
	for k, e := range lowest {
		outside := g.westOf(e.at, int32(k))
		if e.node >= 0 {
			if err := g.settle(e.node, outside); err != nil {
				return err
			}
		} else {
			g.settleInner(e.index, outside)
		}
		for len(g.todo) > 0 {
			a := g.todo[len(g.todo)-1]
			g.todo = g.todo[:len(g.todo)-1]
			if err := g.settle(a.node, g.west(a)); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread makes all loops that are connected with loop l one part.
func (g *graph) spread(l, part int32) {
	stack := []int32{l}
	g.part[l] = part
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i := g.runOf[l]; i < g.runOf[l+1]; i++ {
			k := g.runs[i].from
			if k < 0 {
				continue
			}
			for _, d := range g.darts[g.fan[k]:g.fan[k+1]] {
				if other := g.loop[g.runs[d/2].chord]; g.part[other] < 0 {
					g.part[other] = part
					stack = append(stack, other)
				}
			}
		}
	}
}

// extreme is the leftmost point of a part, of these the lowest.
type extreme struct {
	at    point
	node  int32 // -1 for an interior point
	index int32 // of the point of a loop
}

func (e *extreme) take(g *graph, l int) {
	isBefore := func(p point) bool { return p.x < e.at.x || p.x == e.at.x && p.y < e.at.y }
	lo, hi := g.loopSpan(l)
	for i := lo; i < hi; i++ {
		if isBefore(g.pts[i]) {
			*e = extreme{g.pts[i], -1, i}
			if g.marked[i] {
				e.node = g.nodeAt(g.pts[i])
			}
		}
	}
	for i := g.runOf[l]; i < g.runOf[l+1]; i++ {
		if k := g.runs[i].from; k >= 0 && isBefore(g.nodes[k]) {
			*e = extreme{g.nodes[k], k, 0}
		}
	}
}

// westOf returns the winding number, west of p, of the loops outside the given component.
func (g *graph) westOf(p point, part int32) int32 {
	sum := int32(0)
	g.tree.meeting(box{math.Inf(-1), p.y, p.x, p.y}, func(i int) {
		if g.curve[i] < 0 || g.part[g.loop[i]] == part {
			return
		}
		a, b := g.pts[i], g.pts[i+1]
		if (a.y <= p.y) == (b.y <= p.y) {
			return
		}
		side := b.sub(a).cross(p.sub(a))
		switch {
		case b.y > a.y && side < 0:
			sum--
		case b.y < a.y && side > 0:
			sum++
		}
	})
	return sum
}

// settleInner sets the sides of the run through an interior point, the leftmost of its component.
func (g *graph) settleInner(i, outside int32) {
	l := g.loop[i]
	lo, hi := g.loopSpan(int(l))
	k, ahead := g.runOf[l], i-lo
	for ; g.runs[k].from >= 0; k++ {
		if ahead = (i - g.runs[k].chord - 1 + hi - lo) % (hi - lo); ahead < g.runs[k].inner {
			break
		}
	}
	r := &g.runs[k]
	at := g.pts[i]
	before, after := g.pts[(i-lo+hi-lo-1)%(hi-lo)+lo], g.pts[i+1]
	if r.from >= 0 && ahead == 0 {
		before = g.nodes[r.from]
	}
	if r.from >= 0 && ahead == r.inner-1 {
		after = g.nodes[r.to]
	}
	switch turn := at.sub(before).cross(after.sub(at)); {
	case turn > 0:
		r.left, r.right = outside+1, outside
	case turn < 0:
		r.left, r.right = outside, outside-1
	default: // there and back
		r.left, r.right = outside, outside
	}
	r.known = true
	if r.from >= 0 {
		g.todo = append(g.todo, arrival{r.from, 2 * k}, arrival{r.to, 2*k + 1})
	}
}

// settle sets the sides of all runs at a node; west is the winding number west of the node.
func (g *graph) settle(node, west int32) error {
	w := west
	for d, end := g.fan[node], g.fan[node+1]; d < end; {
		e := g.groupEnd(d, end)
		before := w
		w += g.change(d, e)
		for _, dart := range g.darts[d:e] {
			r := &g.runs[dart/2]
			left, right, other := w, before, r.to
			if dart%2 == 1 {
				left, right, other = before, w, r.from
			}
			switch {
			case !r.known:
				r.left, r.right, r.known = left, right, true
				g.todo = append(g.todo, arrival{other, dart ^ 1})
			case r.left != left || r.right != right:
				return ErrOpenResult
			}
		}
		d = e
	}
	if w != west {
		return ErrOpenResult
	}
	return nil
}

// west returns the winding number west of a node that was reached.
func (g *graph) west(a arrival) int32 {
	r := &g.runs[a.dart/2]
	right := r.right
	if a.dart%2 == 1 {
		right = r.left
	}
	at := g.fan[a.node]
	for g.darts[at] != a.dart {
		at++
	}
	return right - g.change(g.fan[a.node], g.group[at])
}
