package delaunay

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

type place uint8

const (
	inTriangle place = iota // strictly inside the triangle of the half-edge
	onEdge                  // inside the half-edge
	onVertex                // at the origin of the half-edge
	blocked                 // behind the half-edge, which is a boundary or the rim, or out of reach
)

// locate walks from half-edge e toward p and stops at fixed edges. It is a visibility walk with random turns, so that
// it cannot run in circles. Where settling has left overlapping triangles it still may: it stops after as many steps as
// there are half-edges.
func (t *Triangulation) locate(p geom.Vec2, e int32) (int32, place) {
	he, pts := t.he, t.pts
	o := predicate.Orient2D(pts[he[e].org], pts[he[next(e)].org], p)
	if o < 0 {
		if t.con[e] != 0 || he[e].twin == none {
			return e, blocked
		}
		e, o = he[e].twin, -o
	}
	for range he {
		n, q := next(e), prev(e)
		t.coin ^= t.coin << 13
		t.coin ^= t.coin >> 17
		t.coin ^= t.coin << 5
		if t.coin&1 != 0 {
			n, q = q, n
		}
		a := predicate.Orient2D(pts[he[n].org], pts[he[next(n)].org], p)
		if a < 0 {
			if t.con[n] != 0 || he[n].twin == none {
				return n, blocked
			}
			e, o = he[n].twin, -a
			continue
		}
		b := predicate.Orient2D(pts[he[q].org], pts[he[next(q)].org], p)
		if b < 0 {
			if t.con[q] != 0 || he[q].twin == none {
				return q, blocked
			}
			e, o = he[q].twin, -b
			continue
		}
		return corner([3]int32{e, n, q}, [3]bool{o == 0, a == 0, b == 0})
	}
	return e, blocked
}

// corner returns the place in a triangle of a point on the lines of the marked half-edges.
func corner(e [3]int32, on [3]bool) (int32, place) {
	for i := range 3 {
		j := (i + 1) % 3
		if on[i] && on[j] {
			if next(e[i]) == e[j] {
				return e[j], onVertex
			}
			return e[i], onVertex
		}
	}
	for i := range 3 {
		if on[i] {
			return e[i], onEdge
		}
	}
	return e[0], inTriangle
}

// insert adds vertex v and restores the Delaunay property. If another vertex is at the same place, it adds nothing and
// returns that vertex.
func (t *Triangulation) insert(v int32) int32 {
	e, where := t.locate(t.pts[v], t.last)
	switch where {
	case onVertex:
		return t.he[e].org
	case onEdge:
		t.splitEdge(e, v)
	case inTriangle:
		t.splitTriangle(e, v)
	}
	t.legalize(v)
	t.last = t.out[v]
	return none
}

// Insert adds a point to the region near half-edge e, which must belong to it, and returns its number.
// It adds nothing and returns false when p is not in the region, lies on the boundary or on another
// point, or cannot be seen from e. All changed triangles have the new point as a corner.
func (t *Triangulation) Insert(p geom.Vec2, e int32) (v int32, ok bool) {
	e, where := t.locate(p, e)
	if where == blocked || where == onVertex || where == onEdge && t.con[e] != 0 {
		return none, false
	}
	v = int32(len(t.pts))
	t.pts = append(t.pts, p)
	t.out = append(t.out, none)
	if where == onEdge {
		t.splitEdge(e, v)
	} else {
		t.splitTriangle(e, v)
	}
	t.legalize(v)
	return v - super, true
}

// Locate returns a half-edge of the triangle of the region that contains p, walking from half-edge e; false if a
// boundary obstructs the walk.
func (t *Triangulation) Locate(p geom.Vec2, e int32) (int32, bool) {
	e, where := t.locate(p, e)
	return e, where != blocked
}

// triangle appends an empty triangle with the winding number of half-edge e's triangle.
func (t *Triangulation) triangle(e int32) int32 {
	s := int32(len(t.he))
	t.he = append(t.he, half{}, half{}, half{}, t.he[e|3])
	t.con = append(t.con, 0, 0, 0, 0)
	return s
}

// set makes half-edge e run from org, opposite to twin, and fixed as con says.
func (t *Triangulation) set(e, org, twin int32, con int8) {
	t.he[e] = half{org, twin}
	t.con[e] = con
	if twin != none {
		t.he[twin].twin = e
	}
}

// splitTriangle replaces the triangle a, b, c of e = a→b by a,b,v; b,c,v; c,a,v.
func (t *Triangulation) splitTriangle(e, v int32) {
	n, q := next(e), prev(e)
	a, b, c := t.he[e].org, t.he[n].org, t.he[q].org
	te, tn, tq := t.he[e].twin, t.he[n].twin, t.he[q].twin
	ce, cn, cq := t.con[e], t.con[n], t.con[q]
	x := e &^ 3
	y := t.triangle(e)
	z := t.triangle(e)
	t.set(x, a, te, ce)
	t.set(y, b, tn, cn)
	t.set(z, c, tq, cq)
	t.set(x+1, b, none, 0)
	t.set(y+2, v, x+1, 0)
	t.set(y+1, c, none, 0)
	t.set(z+2, v, y+1, 0)
	t.set(z+1, a, none, 0)
	t.set(x+2, v, z+1, 0)
	t.out[a], t.out[b], t.out[c], t.out[v] = x, y, z, x+2
	t.stack = append(t.stack[:0], x, y, z)
}

// splitEdge puts v into e = a→b, between the triangles a, b, c and b, a, d. The edge is not fixed.
func (t *Triangulation) splitEdge(e, v int32) {
	f := t.he[e].twin
	n, q, fn, fq := next(e), prev(e), next(f), prev(f)
	a, b, c, d := t.he[e].org, t.he[f].org, t.he[q].org, t.he[fq].org
	tn, tq, tfn, tfq := t.he[n].twin, t.he[q].twin, t.he[fn].twin, t.he[fq].twin
	cn, cq, cfn, cfq := t.con[n], t.con[q], t.con[fn], t.con[fq]
	w, y := e&^3, f&^3
	x := t.triangle(e)
	z := t.triangle(f)
	t.set(w, c, tq, cq)   // c, a, v
	t.set(x, b, tn, cn)   // b, c, v
	t.set(y, d, tfq, cfq) // d, b, v
	t.set(z, a, tfn, cfn) // a, d, v
	t.set(w+1, a, none, 0)
	t.set(z+2, v, w+1, 0)
	t.set(x+1, c, none, 0)
	t.set(w+2, v, x+1, 0)
	t.set(y+1, b, none, 0)
	t.set(x+2, v, y+1, 0)
	t.set(z+1, d, none, 0)
	t.set(y+2, v, z+1, 0)
	t.out[a], t.out[b], t.out[c], t.out[d], t.out[v] = z, x, w, y, w+2
	t.stack = append(t.stack[:0], w, x, y, z)
}

// legalize flips edges opposite to v, starting with those on the stack, until no edge has its far vertex inside the
// circle of its triangle.
func (t *Triangulation) legalize(v int32) {
	he, pts := t.he, t.pts
	p := pts[v]
	stack := t.stack
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		f := he[e].twin
		if f == none || t.con[e] != 0 ||
			!predicate.SurelyInCircle(pts[he[e].org], pts[he[f].org], p, pts[he[prev(f)].org]) {
			stack = stack[:len(stack)-1]
			continue
		}
		t.flip(e)
		stack = append(stack, next(f))
	}
	t.stack = stack
}

// flip turns the edge e = p→q between the triangles p, q, r and q, p, s into r–s. Afterward e is s→q
// and its twin of before is r→p; the new edge is prev of either.
func (t *Triangulation) flip(e int32) {
	he, con := t.he, t.con
	f := he[e].twin
	ep, fp := prev(e), prev(f)
	t.out[he[e].org], t.out[he[f].org] = next(f), next(e)
	h, g := he[fp].twin, he[ep].twin
	he[e] = half{he[fp].org, h}
	he[f] = half{he[ep].org, g}
	if h != none {
		he[h].twin = e
	}
	if g != none {
		he[g].twin = f
	}
	he[ep].twin, he[fp].twin = fp, ep
	con[e], con[f], con[ep], con[fp] = con[fp], con[ep], 0, 0
}
