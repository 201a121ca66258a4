package dropcutter

import (
	"math"

	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/kernel/geom"
)

// descent drops a tool at one place after the other.
type descent struct {
	*tree
	tool  *cutter
	stack []waiting
	radii []float64
	box   extent  // bounding box of all positions
	x, y  float64 // of the place, where it is one
	best  float64
	ball  float64 // mm, radius of a ball that drops at a place, else 0
	found int     // the triangle of the last contact, by its number in the order: the next place is often near
	plane tangent // at the best contact, if that is at a corner or inside a facet
}

// tangent is the plane of slope (u, v) that touches the convex inner part of the underside in one point. With the tip
// at height 0 over the place this part is nowhere below the plane, so a point of the height z above the origin's plane
// of the slope raises the tip at most to z + lift. A ball of radius r is w·e²/(2r) above the plane at a distance e from
// the contact, or more: with the center c = r/w above the contact at the distance a = √(r² - c²) from the axis, the
// height is c - √(c² - 2a·x - e²) - a·x/c, x along the slope, and √(c² - b) ≤ c - b/(2c).
type tangent struct {
	u, v, lift float64
	w          float64 // √(1 + u² + v²)
	x, y       float64 // of the contact
	isSet      bool
}

// waiting is a node with the upper bound of the tip height (mm) of its contents.
type waiting struct {
	node  int
	limit float64
}

func (d *descent) drop(at geom.Vec3) float64 {
	d.x, d.y, d.best = at.X, at.Y, at.Z
	d.box = extent{at.X, at.X, at.Y, at.Y, at.Z}
	if d.ball, d.plane.isSet = 0, false; d.tool.roundness > 0 {
		d.ball = 1 / d.tool.roundness
	}
	if len(d.order) > 0 {
		d.touch(int(d.order[d.found]))
	}
	d.search(func(k int) {
		if !d.plane.isSet || d.over(k) > d.best {
			before := d.best
			if d.touch(int(d.order[k])); d.best > before {
				d.found = k
			}
		}
	})
	return d.best
}

// over returns an upper bound of the tip height for the contacts with a triangle under the convex part of the tool,
// +Inf for other triangles.
func (d *descent) over(k int) float64 {
	p, t, e := d.Triangle(int(d.order[k])), &d.plane, &d.own[k]
	if !d.isUnderConvex(e) {
		return math.Inf(1)
	}
	top := math.Inf(-1)
	for i := range p {
		top = max(top, p[i].Z-t.u*(p[i].U-d.x)-t.v*(p[i].V-d.y))
	}
	away := e.distanceBeside(&extent{t.x, t.x, t.y, t.y, 0})
	return top + t.lift - t.w*d.tool.roundness*away/2 + slack*(1+math.Abs(t.u)+math.Abs(t.v))
}

// slack (mm) is more than contacts lie outside of a triangle.
const slack = 4 * margin

// isUnderConvex reports whether only the convex part of the tool is over a box.
func (d *descent) isUnderConvex(e *extent) bool {
	if d.tool.convex == d.tool.radius {
		return true
	}
	dx, dy := max(e.right-d.x, d.x-e.left), max(e.far-d.y, d.y-e.near)
	r := d.tool.convex - slack
	return dx*dx+dy*dy < r*r
}

// overCover returns an upper bound of a ball's tip height for the contents of a node, by the plane above them and the
// ball's distance from its tangent plane of that slope.
func (d *descent) overCover(node int) float64 {
	c, e := &d.covers[node], &d.nodes[node]
	if !d.isUnderConvex(e) {
		return math.Inf(1)
	}
	x, y := d.x+d.ball*c.u/c.w, d.y+d.ball*c.v/c.w
	away := e.distanceBeside(&extent{x, x, y, y, 0})
	return c.top + c.u*d.x + c.v*d.y + d.ball*(c.w-1) - c.w*away/(2*d.ball) + slack*(1+math.Abs(c.u)+math.Abs(c.v))
}

// raise raises the tip to a contact at a point r mm from the axis.
func (d *descent) raise(x, y, z, r float64) {
	h := d.tool.At(r)
	if z-h <= d.best {
		return
	}
	d.best = z - h
	d.lean(x, y, r)
}

// lean puts the plane at a contact r mm from the axis.
func (d *descent) lean(x, y, r float64) {
	if r > 0 && r < d.tool.convex {
		if slope := d.tool.slope(r); slope < steep {
			d.plane = tangent{slope * (x - d.x) / r, slope * (y - d.y) / r, slope*r - d.tool.At(r), math.Hypot(1, slope),
				x, y, true}
		}
	}
}

// steep is the slope of a tool from which on its tangents bound nothing of use.
const steep = 1e3

// search passes to try, by their numbers in the order, all triangles with a possible contact higher than the best so
// far.
func (d *descent) search(try func(k int)) {
	d.push(waiting{0, d.limit(&d.nodes[0])})
	for len(d.stack) > 0 {
		w := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if w.limit <= d.best {
			continue
		}
		if w.node >= d.leaves-1 {
			for i := d.leaf(w.node); i < d.leaf(w.node+1); i++ {
				if d.limit(&d.own[i]) > d.best {
					try(i)
				}
			}
			continue
		}
		first, second := d.waiting(2*w.node+1), d.waiting(2*w.node+2)
		if first.limit > second.limit {
			first, second = second, first
		}
		d.push(first)
		d.push(second)
	}
}

func (d *descent) waiting(node int) waiting {
	l := d.limit(&d.nodes[node])
	if d.ball > 0 && l > d.best {
		l = min(l, d.overCover(node))
	}
	return waiting{node, l}
}

// limit returns the upper bound of the tip height for the contents of a box, -Inf if the box does not raise the tip.
func (d *descent) limit(e *extent) float64 {
	if e.top-d.tool.floor[0] <= d.best {
		return math.Inf(-1)
	}
	d2 := e.distanceBeside(&d.box)
	if d2 > d.rim() {
		return math.Inf(-1)
	}
	return e.top - d.tool.above(min(d2, d.tool.radius*d.tool.radius))
}

// rim is the square of the tool's radius plus the slack of contacts.
func (d *descent) rim() float64 { return (d.tool.radius + margin) * (d.tool.radius + margin) }

func (d *descent) push(w waiting) {
	if w.limit > d.best {
		d.stack = append(d.stack, w)
	}
}

// touch raises the tip to its contacts with one triangle.
func (d *descent) touch(i int) {
	p := d.Triangle(i)
	for k, has := range d.has[i].corner {
		if has {
			d.corner(&p[k])
		}
	}
	d.inside(&p)
	for k, has := range d.has[i].side {
		if has {
			d.side(&p[k], &p[(k+1)%3])
		}
	}
}

func (d *descent) corner(p *raster.Point) {
	if r := math.Hypot(p.U-d.x, p.V-d.y); r <= d.tool.radius {
		d.raise(p.U, p.V, p.Z, r)
	}
}

// inside tries the facet where it has the slope of the tool: straight uphill from the axis.
func (d *descent) inside(p *[3]raster.Point) {
	on := dropper{step: 1}
	gu, gv, slope, ok := on.gradient(p)
	if !ok {
		return
	}
	d.radii = d.tool.canReach(slope, d.radii[:0])
	for _, r := range d.radii {
		x, y := d.x+gu*r, d.y+gv*r
		if z, ok := heightAt(p, x, y); ok {
			d.raise(x, y, z, r)
		}
	}
}

// heightAt returns the height of a triangle at a point inside or just outside.
func heightAt(p *[3]raster.Point, x, y float64) (z float64, ok bool) {
	area := (p[1].U-p[0].U)*(p[2].V-p[0].V) - (p[1].V-p[0].V)*(p[2].U-p[0].U)
	if area == 0 {
		return 0, false
	}
	for k := range p {
		a, b, c := &p[k], &p[(k+1)%3], &p[(k+2)%3]
		du, dv := b.U-a.U, b.V-a.V
		share := (du*(y-a.V) - dv*(x-a.U)) / area // of the area, of the corner c
		if share*math.Abs(area) < -margin*math.Hypot(du, dv) {
			return 0, false
		}
		z += min(max(share, 0), 1) * c.Z
	}
	return min(z, max(p[0].Z, p[1].Z, p[2].Z)), true
}

// side tries a side between its ends.
func (d *descent) side(a, b *raster.Point) {
	length := math.Hypot(b.U-a.U, b.V-a.V)
	tu, tv := (b.U-a.U)/length, (b.V-a.V)/length
	along, off := (d.x-a.U)*tu+(d.y-a.V)*tv, math.Abs((d.y-a.V)*tu-(d.x-a.U)*tv)
	if off > d.tool.radius {
		return
	}
	r := ridge{rise: (b.Z - a.Z) / length, off: off, back: -along, ahead: length - along}
	r.z = a.Z + r.rise*along
	if z := d.tool.over(&r, margin); z > d.best {
		d.best = z
		x, y := a.U+tu*(along+r.contact), a.V+tv*(along+r.contact)
		d.lean(x, y, math.Hypot(x-d.x, y-d.y))
	}
}
