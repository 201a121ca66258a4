package verify

// The nearest point of a mesh, and what of it lies around a place.
//
// Method: a box falls into cubes of one size, and these into cubes of cubes. What can be nearest to any place in one are
// the triangles that are farther from its middle than the nearest one by a diagonal at most; they are among those of the
// cube that it is a part of. Most of these are passed over, as their boxes are farther away than the nearest triangle so
// far. A cube is divided when some places in it have been asked for, where that pays, so what a place costs falls with
// their number; what is answered does not depend on it. What is within a distance, and what is nearest where few places
// are asked for, is looked for in a complete binary tree of boxes over the triangles in the order of a Morton curve, the
// nearer child first.
//
// Cost: O(n log n) to build; a handful of triangles for one of many places side by side.

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"millwright/core/geom"
	"millwright/core/mesh"
)

const (
	leafSize = 4 // triangles

	// equal (mm) is up to which difference two regions are equally near, as they are where they meet: more than rounding.
	equal = 1e-9

	// A cube that has more triangles than few is divided when it has been asked for as often as patience: its parts take
	// time and memory. Where many triangles are equally near no cube has few, so depth ends it.
	few, patience, depth = 32, 24, 16
)

// finder finds the nearest points of a mesh. It is safe for concurrent use.
type finder struct {
	facets []facet // by leaves
	boxes  []geom.Box
	leaves int // a power of two
	corner geom.Vec3
	size   float64 // mm, side of a cube of the box
	count  [3]int
	cubes  []undivided // x fastest
}

// undivided is a cube of the box.
type undivided struct {
	asked atomic.Int32
	cube  atomic.Pointer[cube]
}

// facet is a triangle of a mesh.
type facet struct {
	corners [3]geom.Vec3
	region  int
	box     geom.Box
}

// contact is how near a mesh is to a place.
type contact struct {
	distance float64 // mm
	region   int
}

// cube is a part of space.
type cube struct {
	middle geom.Vec3
	half   float64 // mm, of its side
	near   []near  // what can be nearest to a place in it, first what is nearest to the middle
	asked  atomic.Int32
	parts  [8]atomic.Pointer[cube]
}

// near is a facet.
type near struct {
	facet int32
	from  float32 // mm, at most as far as it is from the middle of a cube
}

// newFinder makes a mesh ready, above all for places in a box, which falls into cubes of some size (mm).
func newFinder(m *mesh.Mesh, where geom.Box, size float64) *finder {
	f := &finder{leaves: 1, facets: make([]facet, len(m.Triangles)), corner: where.Min, size: size}
	for r := range m.Regions {
		for t := m.Regions[r].Start; t < m.Regions[r].End; t++ {
			f.facets[t].region = r
		}
	}
	for i, t := range m.Triangles {
		corners := [3]geom.Vec3{m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]}
		f.facets[i].corners, f.facets[i].box = corners, geom.BoxOf(corners[:]...)
	}
	f.sort(m.Bounds())
	for f.leaves*leafSize < len(f.facets) {
		f.leaves *= 2
	}
	f.boxes = make([]geom.Box, 2*f.leaves-1)
	for k := len(f.boxes) - 1; k >= 0; k-- {
		if k < f.leaves-1 {
			f.boxes[k] = f.boxes[2*k+1].Union(f.boxes[2*k+2])
			continue
		}
		f.boxes[k] = geom.EmptyBox()
		for i := range f.leaf(k) {
			f.boxes[k] = f.boxes[k].Union(f.leaf(k)[i].box)
		}
	}
	for axis := range f.count {
		f.count[axis] = max(int(math.Ceil(where.Size().Coordinate(axis)/size)), 1)
	}
	f.cubes = make([]undivided, f.count[0]*f.count[1]*f.count[2])
	return f
}

// leaf returns the facets of node k.
func (f *finder) leaf(k int) []facet {
	first := (k - f.leaves + 1) * leafSize
	return f.facets[min(first, len(f.facets)):min(first+leafSize, len(f.facets))]
}

// sort puts the facets into the order of a Morton curve through their middles.
func (f *finder) sort(all geom.Box) {
	type key struct {
		at uint64
		i  int32
	}
	keys := make([]key, len(f.facets))
	size := all.Size()
	number := func(x, lo, size float64) uint64 {
		const cells = 1<<16 - 1
		return uint64(cells * min(max((x-lo)/max(size, math.SmallestNonzeroFloat64), 0), 1))
	}
	for i, t := range f.facets {
		c := t.corners[0].Add(t.corners[1]).Add(t.corners[2]).Scale(1.0 / 3)
		keys[i] = key{spread(number(c.X, all.Min.X, size.X)) | spread(number(c.Y, all.Min.Y, size.Y))<<1 |
			spread(number(c.Z, all.Min.Z, size.Z))<<2, int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.i, b.i)) })
	sorted := make([]facet, len(keys))
	for k := range keys {
		sorted[k] = f.facets[keys[k].i]
	}
	f.facets = sorted
}

// spread puts two zeros between the lowest 16 bits of x.
func spread(x uint64) uint64 {
	x &= 0xffff
	x = (x | x<<16) & 0x0000ff0000ff
	x = (x | x<<8) & 0x00f00f00f00f
	x = (x | x<<4) & 0x0c30c30c30c3
	return (x | x<<2) & 0x249249249249
}

// nearest returns how near the mesh is and which region, the first of those that are equally near; at an infinite
// distance where the mesh is empty.
func (f *finder) nearest(p geom.Vec3) contact {
	at := p.Sub(f.corner).Scale(1 / f.size)
	i, j, k := int(math.Floor(at.X)), int(math.Floor(at.Y)), int(math.Floor(at.Z))
	n := (k*f.count[1]+j)*f.count[0] + i
	if min(i, j, k) < 0 || i >= f.count[0] || j >= f.count[1] || k >= f.count[2] ||
		f.cubes[n].asked.Load() < patience && f.cubes[n].asked.Add(1) < patience {
		return f.direct(p)
	}
	c := f.cube(n)
	for range depth {
		if len(c.near) <= few || c.asked.Load() < patience && c.asked.Add(1) < patience {
			break
		}
		c = f.part(c, p)
	}
	return f.of(c, p)
}

// direct is nearest of a place anywhere.
func (f *finder) direct(p geom.Vec3) contact {
	best := contact{math.Inf(1), -1}
	f.visit(p, math.Inf(1), func(k int32, _ float64) float64 {
		best.add(&f.facets[k], p)
		return best.distance + equal
	})
	return best
}

// add takes in how near a facet is to a place.
func (c *contact) add(t *facet, p geom.Vec3) {
	if d := t.distance(p); d < c.distance-equal {
		*c = contact{d, t.region}
	} else if d <= c.distance+equal {
		*c = contact{min(d, c.distance), min(t.region, c.region)}
	}
}

// cube returns a cube of the box.
func (f *finder) cube(n int) *cube {
	known := &f.cubes[n].cube
	if known.Load() == nil {
		half := f.size / 2
		c := &cube{half: half, middle: f.corner.AddScaled(f.size, geom.Vec3{
			X: float64(n%f.count[0]) + 0.5, Y: float64(n/f.count[0]%f.count[1]) + 0.5, Z: float64(n/f.count[0]/f.count[1]) + 0.5,
		})}
		reach := f.direct(c.middle).distance + 2*(math.Sqrt(3)*half+equal)
		f.visit(c.middle, reach, func(k int32, reach float64) float64 {
			if d := f.facets[k].distance(c.middle); d <= reach {
				c.near = append(c.near, near{k, math.Nextafter32(float32(d), 0)})
			}
			return reach
		})
		known.CompareAndSwap(nil, c)
	}
	return known.Load()
}

// of is nearest of a place in a cube that is not divided for it.
func (f *finder) of(c *cube, p geom.Vec3) contact {
	best, off := contact{math.Inf(1), -1}, p.Dist(c.middle)
	for _, k := range c.near {
		if float64(k.from)-off > best.distance+equal {
			continue
		}
		t := &f.facets[k.facet]
		if far := best.distance + 2*equal; beside2(&t.box, p) > far*far {
			continue
		}
		best.add(t, p)
	}
	return best
}

// part returns the part of a cube that a place lies in.
func (f *finder) part(c *cube, p geom.Vec3) *cube {
	number, half, beside := 0, c.half/2, p.Sub(c.middle)
	to := geom.Vec3{X: -half, Y: -half, Z: -half}
	if beside.X > 0 {
		number, to.X = number|1, half
	}
	if beside.Y > 0 {
		number, to.Y = number|2, half
	}
	if beside.Z > 0 {
		number, to.Z = number|4, half
	}
	if known := c.parts[number].Load(); known != nil {
		return known
	}
	made := &cube{middle: c.middle.Add(to), half: half}
	made.near = f.among(c.near, made.middle, math.Sqrt(3)*half)
	if c.parts[number].CompareAndSwap(nil, made) {
		return made
	}
	return c.parts[number].Load()
}

// among returns which of some facets can be nearest to a place no farther than round from a middle; that they are from
// another middle no farther away than that.
func (f *finder) among(some []near, middle geom.Vec3, round float64) []near {
	list, nearest, first := make([]near, 0, len(some)), math.Inf(1), 0
	for _, k := range some {
		if float64(k.from) > nearest+3*(round+equal) {
			continue
		}
		t := &f.facets[k.facet]
		if far := nearest + 2*round + 3*equal; beside2(&t.box, middle) > far*far {
			continue
		}
		d := t.distance(middle)
		if d < nearest {
			nearest, first = d, len(list)
		}
		list = append(list, near{k.facet, math.Nextafter32(float32(d), 0)})
	}
	if len(list) > 0 {
		list[0], list[first] = list[first], list[0]
	}
	list = slices.DeleteFunc(list, func(k near) bool { return float64(k.from) > nearest+2*(round+equal) })
	return slices.Clone(list)
}

// visit calls look for each facet that may lie within reach, the near ones first. It returns how far to look on: less
// than nothing ends it.
func (f *finder) visit(p geom.Vec3, reach float64, look func(k int32, reach float64) float64) {
	type waiting struct {
		node int
		far2 float64
	}
	var room [64]waiting
	stack := append(room[:0], waiting{0, beside2(&f.boxes[0], p)})
	for len(stack) > 0 && reach >= 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for at.node < f.leaves-1 && at.far2 <= reach*reach {
			first := waiting{2*at.node + 1, beside2(&f.boxes[2*at.node+1], p)}
			second := waiting{2*at.node + 2, beside2(&f.boxes[2*at.node+2], p)}
			if second.far2 < first.far2 {
				first, second = second, first
			}
			stack = append(stack, second)
			at = first
		}
		if at.far2 > reach*reach {
			continue
		}
		first := (at.node - f.leaves + 1) * leafSize
		for k := first; k < min(first+leafSize, len(f.facets)) && reach >= 0; k++ {
			reach = look(int32(k), reach)
		}
	}
}

// distance returns how far a place is from a facet.
func (t *facet) distance(p geom.Vec3) float64 {
	return nearestOn(p, t.corners[0], t.corners[1], t.corners[2]).Dist(p)
}

// beside2 returns the square of the distance of a place from a box.
func beside2(b *geom.Box, p geom.Vec3) float64 {
	dx := max(b.Min.X-p.X, p.X-b.Max.X, 0)
	dy := max(b.Min.Y-p.Y, p.Y-b.Max.Y, 0)
	dz := max(b.Min.Z-p.Z, p.Z-b.Max.Z, 0)
	return dx*dx + dy*dy + dz*dz
}

// nearestOn returns the point of a triangle that is nearest to p: by the region of the plane that p lies over
// (Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
func nearestOn(p, a, b, c geom.Vec3) geom.Vec3 {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	if vc := d1*d4 - d3*d2; vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3 {
		return a.AddScaled(d1/(d1-d3), ab)
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	if vb := d5*d2 - d1*d6; vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6 {
		return a.AddScaled(d2/(d2-d6), ac)
	}
	if va := d3*d6 - d5*d4; va <= 0 && d4 >= d3 && d5 >= d6 && d4-d3+d5-d6 > 0 {
		return b.AddScaled((d4-d3)/((d4-d3)+(d5-d6)), c.Sub(b))
	}
	n := ab.Cross(ac)
	if n.Norm2() == 0 {
		return a // a triangle without area, whose sides were tried
	}
	return p.AddScaled(-ap.Dot(n)/n.Norm2(), n)
}
