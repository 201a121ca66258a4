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
}

// waiting is a node with the upper bound of the tip height (mm) of its contents.
type waiting struct {
	node  int
	limit float64
}

func (d *descent) drop(at geom.Vec3) float64 {
	d.x, d.y, d.best = at.X, at.Y, at.Z
	d.box = extent{at.X, at.X, at.Y, at.Y, at.Z}
	d.search(func(k int) { d.touch(int(d.order[k])) })
	return d.best
}

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
		first, second := waiting{node: 2*w.node + 1}, waiting{node: 2*w.node + 2}
		first.limit, second.limit = d.limit(&d.nodes[first.node]), d.limit(&d.nodes[second.node])
		if first.limit > second.limit {
			first, second = second, first
		}
		d.push(first)
		d.push(second)
	}
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
		d.best = max(d.best, p.Z-d.tool.At(r))
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
		if z, ok := heightAt(p, d.x+gu*r, d.y+gv*r); ok {
			d.best = max(d.best, z-d.tool.At(r))
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
	d.best = max(d.best, d.tool.over(&r, margin))
}
