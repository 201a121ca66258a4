package dropcutter

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// cover is a plane above the contents of a node, as steep as they are on average: much closer to them than the top of
// their box.
type cover struct {
	u, v, top float64   // the plane z = top + u·x + v·y
	w         float64   // √(1 + u² + v²)
	normal    geom.Vec3 // sum over the triangles, mm²
}

// lean gives the plane the slope of the normal.
func (c *cover) lean() {
	const steepest = 50 // slope; such contents, and no contents, get a level plane
	if c.normal.Z*steepest > math.Hypot(c.normal.X, c.normal.Y) {
		c.u, c.v = -c.normal.X/c.normal.Z, -c.normal.Y/c.normal.Z
	}
	c.w, c.top = math.Sqrt(1+c.u*c.u+c.v*c.v), math.Inf(-1)
}

// coverTriangles sets the plane of a leaf.
func (t *tree) coverTriangles(leaf int) {
	c := &t.covers[leaf]
	list := t.order[t.leaf(leaf):t.leaf(leaf+1)]
	for _, i := range list {
		var p [3]geom.Vec3
		for k, q := range t.Triangle(int(i)) {
			p[k] = geom.Vec3{X: q.U, Y: q.V, Z: q.Z}
		}
		n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		c.normal = c.normal.Add(n.Scale(math.Copysign(1, n.Z)))
	}
	c.lean()
	for _, i := range list {
		for _, q := range t.Triangle(int(i)) {
			c.top = max(c.top, q.Z-c.u*q.U-c.v*q.V)
		}
	}
}

// coverChildren sets the plane of a node above those of its children, over their boxes.
func (t *tree) coverChildren(node int) {
	c, children := &t.covers[node], [2]int{2*node + 1, 2*node + 2}
	for _, k := range children {
		c.normal = c.normal.Add(t.covers[k].normal)
	}
	c.lean()
	for _, k := range children {
		a, e := &t.covers[k], &t.nodes[k]
		if e.left <= e.right {
			u, v := a.u-c.u, a.v-c.v
			c.top = max(c.top, a.top+max(u*e.left, u*e.right)+max(v*e.near, v*e.far))
		}
	}
}
