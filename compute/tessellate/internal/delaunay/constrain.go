package delaunay

import "millwright.dev/millwright/core/kernel/geom/predicate"

// constrainAll makes every ring segment an edge, or notes why it cannot be one.
func (t *Triangulation) constrainAll() {
	begin := int32(0)
	for _, end := range t.ringEnds {
		for i := begin; i < end; i++ {
			j := i + 1
			if j == end {
				j = begin
			}
			a, b := t.alias[i+super], t.alias[j+super]
			if a != b && a != none && b != none {
				t.recover(a, b)
			}
		}
		begin = end
	}
}

// recover makes a→b an edge by flips and marks it.
func (t *Triangulation) recover(a, b int32) {
	if t.crossed(a, b) {
		t.uncross(a, b)
		if e := t.edge(a, b); e != none {
			t.mark(e)
		} else {
			t.conflicts = append(t.conflicts, conflict{kind: stuck})
		}
	}
}

// mark adds one segment along e.
func (t *Triangulation) mark(e int32) {
	f := t.he[e].twin
	const most = 100 // segments on top of each other that still fit the marks
	if t.con[e] > most || t.con[e] < -most {
		t.conflicts = append(t.conflicts, conflict{kind: stuck})
		return
	}
	if t.con[e] == 0 {
		t.con[e], t.con[f] = 1, 1
	}
	t.con[e] += 2
	t.con[f] -= 2
}

// edge returns the half-edge a→b, or none.
func (t *Triangulation) edge(a, b int32) int32 {
	first := t.out[a]
	for e := first; ; {
		if t.he[next(e)].org == b {
			return e
		}
		e = t.he[prev(e)].twin
		if e == first || e == none {
			return none
		}
	}
}

// crossed collects in cross the edges that the segment a→b crosses, from a to b, each as the half-edge
// that runs from its right to its left. It returns false when a→b is an edge already, which it marks,
// or cannot become one, which it notes.
func (t *Triangulation) crossed(a, b int32) bool {
	he, pts := t.he, t.pts
	pa, pb := pts[a], pts[b]
	t.cross = t.cross[:0]
	e := t.out[a]
	right := predicate.Orient2D(pa, pb, pts[he[next(e)].org])
	for first := e; ; {
		x, y := he[next(e)].org, he[prev(e)].org
		if x == b {
			t.mark(e)
			return false
		}
		if right == 0 && pts[x].Sub(pa).Dot(pb.Sub(pa)) > 0 {
			t.conflicts = append(t.conflicts, conflict{kind: beside, v: x, a: a, b: b})
			return false
		}
		left := predicate.Orient2D(pa, pb, pts[y])
		if right < 0 && left > 0 {
			break
		}
		e, right = he[prev(e)].twin, left
		if e == first {
			t.conflicts = append(t.conflicts, conflict{kind: stuck})
			return false
		}
	}
	for h := next(e); ; {
		if t.con[h] != 0 {
			t.conflicts = append(t.conflicts,
				conflict{kind: crossing, v: he[h].org, c: he[next(h)].org, a: a, b: b})
			return false
		}
		t.cross = append(t.cross, h)
		f := he[h].twin
		z := he[prev(f)].org
		if z == b {
			return true
		}
		switch o := predicate.Orient2D(pa, pb, pts[z]); {
		case o > 0:
			h = next(f)
		case o < 0:
			h = prev(f)
		default:
			t.conflicts = append(t.conflicts, conflict{kind: beside, v: z, a: a, b: b})
			return false
		}
	}
}

// uncross flips the edges in cross until they no longer cross a→b, and returns the number of edges examined. It repeats
// passes over them from a to b, but only over edges whose triangles have changed.
func (t *Triangulation) uncross(a, b int32) (looked int) {
	he, pts, cross := t.he, t.pts, t.cross
	pa, pb := pts[a], pts[b]
	last := int32(len(cross))
	before, after, todo, later := t.before[:0], t.after[:0], t.todo[:0], t.later[:0]
	for i := range last {
		before, after, todo = append(before, i-1), append(after, i+1), append(todo, i)
	}
	for budget := len(cross)*len(cross) + 1; len(todo) > 0 && budget > 0; budget-- {
		later = later[:0]
		for k, changed := 0, last; k < len(todo) || changed < last; {
			i := changed
			if k < len(todo) && todo[k] <= i {
				i = todo[k]
				k++
			}
			changed = last
			looked++
			h := cross[i]
			f := he[h].twin
			p, q, r, s := he[h].org, he[f].org, he[prev(h)].org, he[prev(f)].org
			if predicate.Orient2D(pts[s], pts[q], pts[r]) <= 0 || predicate.Orient2D(pts[r], pts[p], pts[s]) <= 0 {
				continue
			}
			moved := prev(f) // s→q, which the flip puts in place of h
			t.flip(h)
			left, right := before[i], after[i]
			if right < last && cross[right] == moved {
				cross[right] = h
			}
			changed = right
			if left >= 0 && (len(later) == 0 || later[len(later)-1] != left) {
				later = append(later, left)
			}
			isCrossing := false
			if r != a && s != b && r != b && s != a {
				or, os := predicate.Orient2D(pa, pb, pts[r]), predicate.Orient2D(pa, pb, pts[s])
				if or < 0 && os > 0 {
					cross[i], isCrossing = prev(h), true // r→s
				} else if or > 0 && os < 0 {
					cross[i], isCrossing = moved, true // s→r
				}
			}
			if isCrossing {
				later = append(later, i)
				continue
			}
			if left >= 0 {
				after[left] = right
			}
			if right < last {
				before[right] = left
			}
		}
		todo, later = later, todo
	}
	t.before, t.after, t.todo, t.later = before, after, todo, later
	return looked
}

// classify writes the winding number of the rings around every triangle, starting with 0 at the rim.
func (t *Triangulation) classify() {
	const unknown = -1 << 30
	for i := 3; i < len(t.he); i += 4 {
		t.he[i] = half{unknown, 0}
	}
	begin := t.out[0]
	t.he[begin|3].org = 0
	stack := append(t.stack[:0], begin&^3)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w := t.he[x|3].org
		for e := x; e < x+3; e++ {
			f := t.he[e].twin
			if f == none || t.he[f|3].org != unknown {
				continue
			}
			t.he[f|3].org = w - int32(t.con[e]>>1)
			stack = append(stack, f&^3)
		}
	}
	t.stack = stack
}

// relax flips free edges of the region until all are Delaunay.
func (t *Triangulation) relax() {
	for x := int32(0); x < int32(len(t.he)); x += 4 {
		if t.he[x|3].org <= 0 {
			continue
		}
		for e := x; e < x+3; e++ {
			if t.con[e] == 0 && e < t.he[e].twin {
				t.stack = append(t.stack[:0], e)
				t.relaxStack()
			}
		}
	}
}

func (t *Triangulation) relaxStack() {
	he, pts := t.he, t.pts
	stack := t.stack
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f := he[e].twin
		if t.con[e] != 0 || f == none {
			continue
		}
		p, q, r, s := he[e].org, he[f].org, he[prev(e)].org, he[prev(f)].org
		if predicate.SurelyInCircle(pts[p], pts[q], pts[r], pts[s]) {
			t.flip(e)
			stack = append(stack, e, next(e), f, next(f))
		}
	}
	t.stack = stack
}

// Crossings calls f for every pair of ring segments that crossed each other when the last Build failed,
// with the first point of either segment.
func (t *Triangulation) Crossings(f func(i, j int32)) {
	for _, c := range t.conflicts {
		if c.kind == crossing {
			if i, j := t.segment(c.a, c.b), t.segment(c.v, c.c); i != none && j != none {
				f(i, j)
			}
		}
	}
}

// segment finds the ring segment between two vertices, in either direction: the first of several.
func (t *Triangulation) segment(a, b int32) int32 {
	first := int32(none)
	for _, ends := range [2][2]int32{{a, b}, {b, a}} {
		t.occurrences(ends[0], func(u int32) {
			_, after := t.onRing(u)
			if i := u - super; after != none && t.alias[after] == ends[1] && (first == none || i < first) {
				first = i
			}
		})
	}
	return first
}
