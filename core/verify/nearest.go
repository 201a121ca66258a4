package verify

// The nearest point of a mesh.
//
// Method: a complete binary tree of boxes over the triangles in the order of a Morton curve, searched with branch and
// bound, the nearer child first.
//
// Cost: O(n log n) to build, some tens of boxes for a place near the mesh.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/mesh"
)

const leafSize = 4 // triangles

// finder finds the nearest points of a mesh. It is safe for concurrent use.
type finder struct {
	points    []geom.Vec3
	triangles [][3]int32
	region    []int32 // by triangle
	order     []int32 // triangles, by leaves
	boxes     []geom.Box
	leaves    int // a power of two
}

// contact is the point of a mesh that is nearest to a place.
type contact struct {
	at       geom.Vec3
	distance float64 // mm
	region   int
}

func newFinder(m *mesh.Mesh) *finder {
	f := &finder{points: m.Points, triangles: m.Triangles, region: make([]int32, len(m.Triangles)), leaves: 1}
	for r := range m.Regions {
		for t := m.Regions[r].Start; t < m.Regions[r].End; t++ {
			f.region[t] = int32(r)
		}
	}
	f.sort(m.Bounds())
	for f.leaves*leafSize < len(f.order) {
		f.leaves *= 2
	}
	f.boxes = make([]geom.Box, 2*f.leaves-1)
	for k := len(f.boxes) - 1; k >= 0; k-- {
		if k < f.leaves-1 {
			f.boxes[k] = f.boxes[2*k+1].Union(f.boxes[2*k+2])
			continue
		}
		f.boxes[k] = geom.EmptyBox()
		for _, t := range f.leaf(k) {
			for _, v := range f.triangles[t] {
				f.boxes[k] = f.boxes[k].Add(f.points[v])
			}
		}
	}
	return f
}

// leaf returns the triangles of node k.
func (f *finder) leaf(k int) []int32 {
	first := (k - f.leaves + 1) * leafSize
	return f.order[min(first, len(f.order)):min(first+leafSize, len(f.order))]
}

// sort puts the triangles into the order of a Morton curve through their middles.
func (f *finder) sort(all geom.Box) {
	type key struct {
		at uint64
		t  int32
	}
	keys := make([]key, len(f.triangles))
	size := all.Size()
	number := func(x, lo, size float64) uint64 {
		const cells = 1<<16 - 1
		return uint64(cells * min(max((x-lo)/max(size, math.SmallestNonzeroFloat64), 0), 1))
	}
	for i, t := range f.triangles {
		c := f.points[t[0]].Add(f.points[t[1]]).Add(f.points[t[2]]).Scale(1.0 / 3)
		keys[i] = key{spread(number(c.X, all.Min.X, size.X)) | spread(number(c.Y, all.Min.Y, size.Y))<<1 |
			spread(number(c.Z, all.Min.Z, size.Z))<<2, int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.t, b.t)) })
	f.order = make([]int32, len(keys))
	for k := range keys {
		f.order[k] = keys[k].t
	}
}

// spread puts two zeros between the lowest 16 bits of x.
func spread(x uint64) uint64 {
	x &= 0xffff
	x = (x | x<<16) & 0x0000ff0000ff
	x = (x | x<<8) & 0x00f00f00f00f
	x = (x | x<<4) & 0x0c30c30c30c3
	return (x | x<<2) & 0x249249249249
}

// nearest returns the nearest point of the mesh, at an infinite distance where it is empty.
func (f *finder) nearest(p geom.Vec3) contact {
	best := contact{distance: math.Inf(1), region: -1}
	f.visit(p, func() float64 { return best.distance }, func(c contact) {
		if c.distance < best.distance || c.distance == best.distance && c.region < best.region {
			best = c
		}
	})
	return best
}

// within returns for each region that comes within reach (mm) of a place how far it is.
func (f *finder) within(p geom.Vec3, reach float64) map[int]float64 {
	near := map[int]float64{}
	f.visit(p, func() float64 { return reach }, func(c contact) {
		if old, ok := near[c.region]; !ok || c.distance < old {
			near[c.region] = c.distance
		}
	})
	return near
}

// visit calls tell for the nearest point of each triangle that may lie within reach, the near ones first.
func (f *finder) visit(p geom.Vec3, reach func() float64, tell func(contact)) {
	var room [64]int32
	stack := append(room[:0], 0)
	for len(stack) > 0 {
		k := int(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if r := reach(); beside2(&f.boxes[k], p) > r*r {
			continue
		}
		if k >= f.leaves-1 {
			for _, t := range f.leaf(k) {
				v := f.triangles[t]
				at := nearestOn(p, f.points[v[0]], f.points[v[1]], f.points[v[2]])
				if d := at.Dist(p); d <= reach() {
					tell(contact{at, d, int(f.region[t])})
				}
			}
			continue
		}
		first, second := int32(2*k+1), int32(2*k+2)
		if beside2(&f.boxes[first], p) < beside2(&f.boxes[second], p) {
			first, second = second, first
		}
		stack = append(stack, first, second)
	}
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
