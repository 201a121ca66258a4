package verify

// The nearest point of a mesh.
//
// Method: a complete binary tree of boxes over the facets in the order of a Morton curve, searched with branch and
// bound, the nearer child first. Facets are the triangles, of which long ones that lie aslant, as there are in faces with
// holes, are halved until their boxes fit: else a place next to a face were within the boxes of most of it.
//
// Cost: O(n log n) to build, some tens of boxes for a place near the mesh.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/mesh"
)

const (
	leafSize = 4 // facets

	// equal (mm) is up to which difference two regions are equally near, as they are where they meet: more than rounding.
	equal = 1e-9

	// A triangle is halved while its box has so many times its area, and so often at most.
	roomy, halvings = 8, 8
)

// finder finds the nearest points of a mesh. It is safe for concurrent use.
type finder struct {
	facets []facet // by leaves
	boxes  []geom.Box
	leaves int // a power of two
}

// facet is a triangle of a mesh or a piece of one.
type facet struct {
	corners [3]geom.Vec3
	region  int
}

// contact is how near a mesh is to a place.
type contact struct {
	distance float64 // mm
	region   int
}

func newFinder(m *mesh.Mesh) *finder {
	region := make([]int, len(m.Triangles))
	for r := range m.Regions {
		for t := m.Regions[r].Start; t < m.Regions[r].End; t++ {
			region[t] = r
		}
	}
	f := &finder{leaves: 1}
	for i, t := range m.Triangles {
		corners := [3]geom.Vec3{m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]}
		f.facets = appendHalves(f.facets, facet{corners, region[i]}, halvings)
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
			f.boxes[k] = f.boxes[k].Union(geom.BoxOf(f.leaf(k)[i].corners[:]...))
		}
	}
	return f
}

// appendHalves appends a facet, in halves across its longest side where its box is too roomy.
func appendHalves(to []facet, t facet, often int) []facet {
	a, b, c := t.corners[0], t.corners[1], t.corners[2]
	size := geom.BoxOf(a, b, c).Size()
	area := b.Sub(a).Cross(c.Sub(a)).Norm() / 2
	if often == 0 || !(size.X*size.Y+size.Y*size.Z+size.Z*size.X > roomy*area) {
		return append(to, t)
	}
	for a.Dist(b) < max(b.Dist(c), c.Dist(a)) {
		a, b, c = b, c, a
	}
	middle := a.Lerp(b, 0.5)
	to = appendHalves(to, facet{[3]geom.Vec3{a, middle, c}, t.region}, often-1)
	return appendHalves(to, facet{[3]geom.Vec3{middle, b, c}, t.region}, often-1)
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
	best := contact{distance: math.Inf(1), region: -1}
	f.visit(p, math.Inf(1), func(t *facet, reach float64) float64 {
		if d := t.distance(p); d < best.distance-equal {
			best = contact{d, t.region}
		} else if d <= best.distance+equal {
			best = contact{min(d, best.distance), min(t.region, best.region)}
		}
		return best.distance + equal
	})
	return best
}

// visit calls look for each facet that may lie within reach, the near ones first. It returns how far to look on: less
// than nothing ends it.
func (f *finder) visit(p geom.Vec3, reach float64, look func(t *facet, reach float64) float64) {
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
		for i, leaf := 0, f.leaf(at.node); i < len(leaf) && reach >= 0; i++ {
			reach = look(&leaf[i], reach)
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
