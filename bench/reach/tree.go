package reach

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// point is a place in the frame of a part, or as a direction sees it: u, v, height.
type point [3]float64

func local(f geom.Frame, p geom.Vec3) point {
	q := f.Local(p)
	return point{q.X, q.Y, q.Z}
}

type triangle [3]point

// node is a box about triangles; a leaf has left < 0.
type node struct {
	min, max    point
	left, right int32 // children, or the range [^left, right) of triangles
}

// tree is a bounding volume hierarchy over the triangles of a part.
type tree struct {
	triangles []triangle
	nodes     []node
}

func newTree(m *mesh.Mesh, f geom.Frame) (t tree) {
	for _, c := range m.Triangles {
		t.triangles = append(t.triangles, triangle{
			local(f, m.Points[c[0]]), local(f, m.Points[c[1]]), local(f, m.Points[c[2]]),
		})
	}
	if len(t.triangles) > 0 {
		t.build(0, len(t.triangles))
	}
	return t
}

func (t *tree) build(lo, hi int) int32 {
	const leaf = 4
	n := node{min: t.triangles[lo][0], max: t.triangles[lo][0], left: int32(^lo), right: int32(hi)}
	for _, x := range t.triangles[lo:hi] {
		for _, c := range x {
			for k := range 3 {
				n.min[k], n.max[k] = min(n.min[k], c[k]), max(n.max[k], c[k])
			}
		}
	}
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, n)
	if hi-lo <= leaf {
		return at
	}
	k := 0
	for a := range 3 {
		if n.max[a]-n.min[a] > n.max[k]-n.min[k] {
			k = a
		}
	}
	slices.SortFunc(t.triangles[lo:hi], func(x, y triangle) int {
		return cmp.Compare(x[0][k]+x[1][k]+x[2][k], y[0][k]+y[1][k]+y[2][k])
	})
	mid := (lo + hi) / 2
	left := t.build(lo, mid)
	right := t.build(mid, hi)
	t.nodes[at].left, t.nodes[at].right = left, right
	return at
}

// probe is a tool at a place, and the least slack found yet.
type probe struct {
	view      view
	x, y, tip float64
	lift, gap float64
	ball      float64
	discs     []disc
	best      float64
	least     float64 // below which it does not matter how much
}

// seen returns the box of a node as the direction sees it.
func (n *node) seen(w *view) (lo, hi point) {
	lo, hi = w.seen(n.min), w.seen(n.max)
	lo[2], hi[2] = min(lo[2], hi[2]), max(lo[2], hi[2])
	return lo, hi
}

// bound is a slack that no triangle of a node is below.
func (q *probe) bound(n *node) float64 {
	lo, hi := n.seen(&q.view)
	dx, dy := max(lo[0]-q.x, 0, q.x-hi[0]), max(lo[1]-q.y, 0, q.y-hi[1])
	away := math.Hypot(dx, dy)
	widest := math.Inf(-1)
	for i := len(q.discs) - 1; i >= 0; i-- {
		d := q.discs[i]
		if q.tip+d.height+q.lift >= hi[2] {
			continue
		}
		if widest = max(widest, q.wide(d)); !d.behind {
			break // flutes become wider upward
		}
	}
	out := away - widest
	if q.ball > 0 {
		dz := max(lo[2]-(q.tip+q.ball), 0, q.tip+q.ball-hi[2])
		out = min(out, math.Hypot(away, dz)-q.ball)
	}
	return out
}

func (q *probe) wide(d disc) float64 {
	if d.wide {
		return d.radius + q.gap
	}
	return d.radius
}

// ask lowers the slack of a probe to what the part leaves it.
func (t *tree) ask(q *probe) {
	if len(t.nodes) == 0 {
		return
	}
	type item struct {
		node  int32
		bound float64
	}
	stack := append(make([]item, 0, 64), item{0, q.bound(&t.nodes[0])})
	for len(stack) > 0 && q.best >= q.least {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.bound >= q.best {
			continue
		}
		n := &t.nodes[top.node]
		if n.left < 0 {
			for i := int(^n.left); i < int(n.right); i++ {
				q.triangle(&t.triangles[i])
			}
			continue
		}
		a, b := item{n.left, q.bound(&t.nodes[n.left])}, item{n.right, q.bound(&t.nodes[n.right])}
		if a.bound < b.bound {
			a, b = b, a
		}
		stack = append(stack, a, b)
	}
}

func (q *probe) triangle(t *triangle) {
	s := triangle{q.view.seen(t[0]), q.view.seen(t[1]), q.view.seen(t[2])}
	top := max(s[0][2], s[1][2], s[2][2])
	dx := max(min(s[0][0], s[1][0], s[2][0])-q.x, 0, q.x-max(s[0][0], s[1][0], s[2][0]))
	dy := max(min(s[0][1], s[1][1], s[2][1])-q.y, 0, q.y-max(s[0][1], s[1][1], s[2][1]))
	for _, d := range q.discs {
		from := q.tip + d.height + q.lift
		if from >= top || max(dx, dy)-q.wide(d) >= q.best {
			continue
		}
		var room [4]point
		q.best = min(q.best, distance(s.above(from, &room), q.x, q.y)-q.wide(d))
	}
	if q.ball > 0 {
		c := point{q.x, q.y, q.tip + q.ball}
		q.best = min(q.best, s.distance(c)-q.ball)
	}
}

// above is the polygon of a triangle above a height.
func (t *triangle) above(height float64, room *[4]point) []point {
	out := room[:0]
	for i := range 3 {
		a, b := t[i], t[(i+1)%3]
		if a[2] > height {
			out = append(out, a)
		}
		if (a[2] > height) != (b[2] > height) {
			s := (height - a[2]) / (b[2] - a[2])
			out = append(out, point{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1]), height})
		}
	}
	return out
}

// distance is that of a place from a convex polygon, seen from above.
func distance(polygon []point, x, y float64) float64 {
	best, left, right := math.Inf(1), false, false
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		dx, dy, px, py := b[0]-a[0], b[1]-a[1], x-a[0], y-a[1]
		l := dx*dx + dy*dy
		s := 0.0
		if l > 0 {
			s = min(max((px*dx+py*dy)/l, 0), 1)
		}
		best = min(best, math.Hypot(px-s*dx, py-s*dy))
		side := dx*py - dy*px
		left, right = left || side > 0, right || side < 0
	}
	if left != right { // on one side of all edges
		return 0
	}
	return best
}

// distance is that of a point in space (the plane, then the edges).
func (t *triangle) distance(c point) float64 {
	a, u, v, w := t[0], sub(t[1], t[0]), sub(t[2], t[0]), sub(c, t[0])
	uu, uv, vv, wu, wv := dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v)
	if det := uu*vv - uv*uv; det > 0 {
		r, s := (vv*wu-uv*wv)/det, (uu*wv-uv*wu)/det
		if r >= 0 && s >= 0 && r+s <= 1 {
			foot := point{a[0] + r*u[0] + s*v[0], a[1] + r*u[1] + s*v[1], a[2] + r*u[2] + s*v[2]}
			d := sub(c, foot)
			return math.Sqrt(dot(d, d))
		}
	}
	best := math.Inf(1)
	for i := range 3 {
		d, e := sub(t[(i+1)%3], t[i]), sub(c, t[i])
		s := 0.0
		if l := dot(d, d); l > 0 {
			s = min(max(dot(d, e)/l, 0), 1)
		}
		r := point{e[0] - s*d[0], e[1] - s*d[1], e[2] - s*d[2]}
		best = min(best, math.Sqrt(dot(r, r)))
	}
	return best
}

func sub(a, b point) point   { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func dot(a, b point) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// covered reports whether the part lies above a point as a direction sees it, farther than slack.
func (t *tree) covered(w *view, p point, slack float64) bool {
	q := probe{view: *w, x: p[0], y: p[1], tip: p[2], lift: slack, discs: []disc{{}}, best: slack, least: 1e-12}
	t.ask(&q)
	return q.best < q.least
}
