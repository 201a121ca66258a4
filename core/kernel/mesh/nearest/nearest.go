// Package nearest finds the points of a mesh that are nearest to given points.
//
// Method: branch and bound in a complete binary tree of boxes over the triangles, halved at the median repeatedly, the
// nearer child first. A caller with neighboring points passes the previous contact. The search then skips farther
// boxes, so that a point needs only a few triangles. The result does not depend on that hint.
//
// Cost: O(n log n) to build. A query costs the logarithm, plus all triangles that are as near as the nearest one, such
// as the triangles of a bore for a point on its axis.
package nearest

import (
	"math"
	"math/bits"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	leafSize = 4 // triangles

	// Equal (mm) is the difference up to which two regions count as equally near, as at their common edges. It is
	// larger than rounding.
	Equal = 1e-9
)

// Finder finds the nearest points of a mesh. It is safe for concurrent use.
type Finder struct {
	facets []facet // by leaves
	boxes  []geom.Box
	leaves int // a power of two
}

// facet is a triangle of a mesh.
type facet struct {
	corners [3]geom.Vec3
	region  int
	box     geom.Box
}

// Contact is the nearest part of a mesh to a point.
type Contact struct {
	Distance float64 // mm
	Region   int     // -1: the mesh is empty
	facet    int32   // of the same distance
}

// Nowhere is the contact of a point with an empty mesh.
var Nowhere = Contact{math.Inf(1), -1, -1}

// New prepares a mesh, which may not change afterward.
func New(m *mesh.Mesh) *Finder {
	f := &Finder{leaves: 1, facets: make([]facet, len(m.Triangles))}
	for r := range m.Regions {
		for t := m.Regions[r].Start; t < m.Regions[r].End; t++ {
			f.facets[t].region = r
		}
	}
	for i, t := range m.Triangles {
		corners := [3]geom.Vec3{m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]}
		f.facets[i].corners, f.facets[i].box = corners, geom.BoxOf(corners[:]...)
	}
	for f.leaves*leafSize < len(f.facets) {
		f.leaves *= 2
	}
	f.sort(0, 0)
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
	return f
}

// leaf returns the facets of node k.
func (f *Finder) leaf(k int) []facet {
	first := (k - f.leaves + 1) * leafSize
	return f.facets[min(first, len(f.facets)):min(first+leafSize, len(f.facets))]
}

// sort gives node k the facets from first on: halves by their middles along the longer side of the box around these,
// the lower ones to the left.
func (f *Finder) sort(k, first int) {
	if k >= f.leaves-1 {
		return
	}
	depth := bits.Len(uint(k+1)) - 1
	half := f.leaves >> depth * leafSize / 2
	some := f.facets[min(first, len(f.facets)):min(first+2*half, len(f.facets))]
	if len(some) <= half {
		f.sort(2*k+1, first)
		return
	}
	all := geom.EmptyBox()
	for i := range some {
		all = all.Add(some[i].middle())
	}
	axis := 0
	for other := 1; other < 3; other++ {
		if all.Size().Coordinate(other) > all.Size().Coordinate(axis) {
			axis = other
		}
	}
	halve(some, half, axis)
	f.sort(2*k+1, first)
	f.sort(2*k+2, first+half)
}

// halve puts the n facets that are lowest along an axis first (C. Hoare, "Algorithm 65: find", 1961).
func halve(some []facet, n, axis int) {
	at := func(i int) float64 { return some[i].middle().Coordinate(axis) }
	for lo, hi := 0, len(some)-1; lo < hi; {
		pivot := at((lo + hi) / 2)
		i, j := lo, hi
		for i <= j {
			for at(i) < pivot {
				i++
			}
			for at(j) > pivot {
				j--
			}
			if i <= j {
				some[i], some[j] = some[j], some[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
}

// middle returns the middle of a facet's box, twice as far from the origin.
func (t *facet) middle() geom.Vec3 { return t.box.Min.Add(t.box.Max) }

// Nearest returns the distance of the mesh and its nearest region, the first of several at the same distance. The
// distance is infinite if the mesh is empty. like is the contact of a point that may be nearby, or Nowhere.
func (f *Finder) Nearest(p geom.Vec3, like Contact) Contact {
	best, reach := Nowhere, math.Inf(1)
	if like.facet >= 0 {
		reach = f.facets[like.facet].distance(p) + Equal
	}
	f.visit(p, reach, nil, func(k int32, reach float64) float64 {
		best.add(f.facets, k, p)
		return min(reach, best.Distance+Equal)
	})
	return best
}

// add takes in the distance of a facet.
func (c *Contact) add(facets []facet, k int32, p geom.Vec3) {
	t := &facets[k]
	if d := t.distance(p); d < c.Distance-Equal {
		*c = Contact{d, t.region, k}
	} else if d <= c.Distance+Equal {
		*c = Contact{min(d, c.Distance), min(t.region, c.Region), c.facet}
	}
}

// Normal returns the outward unit normal of the facet of a contact.
func (f *Finder) Normal(c Contact) geom.Vec3 {
	t := &f.facets[c.facet]
	n := t.corners[1].Sub(t.corners[0]).Cross(t.corners[2].Sub(t.corners[0]))
	if l := n.Norm(); l > 0 {
		return n.Scale(1 / l)
	}
	return geom.Vec3{}
}

// Toward returns the vector from the nearest point of the facet of a contact to p.
func (f *Finder) Toward(p geom.Vec3, c Contact) geom.Vec3 {
	t := &f.facets[c.facet]
	return p.Sub(nearestOn(p, t.corners[0], t.corners[1], t.corners[2]))
}

// Within calls look with the region and the distance of each facet within reach (mm) of a point, until look returns
// false.
func (f *Finder) Within(p geom.Vec3, reach float64, look func(region int, distance float64) bool) {
	f.visit(p, reach, nil, func(k int32, reach float64) float64 {
		t := &f.facets[k]
		if d := t.distance(p); d <= reach && !look(t.region, d) {
			return -1
		}
		return reach
	})
}

// visit calls look for each facet that may lie within reach, near ones first, only below the nodes in some; nil: all
// facets. look returns the new reach; a negative one ends the search.
func (f *Finder) visit(p geom.Vec3, reach float64, some []bool, look func(k int32, reach float64) float64) {
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
			if some != nil {
				if !some[first.node] {
					at = second // which has some
					continue
				}
				if !some[second.node] {
					at = first
					continue
				}
			}
			stack = append(stack, second)
			at = first
		}
		if at.far2 > reach*reach {
			continue
		}
		first := (at.node - f.leaves + 1) * leafSize
		for k := first; k < min(first+leafSize, len(f.facets)) && reach >= 0; k++ {
			if beside2(&f.facets[k].box, p) <= reach*reach {
				reach = look(int32(k), reach)
			}
		}
	}
}

// distance returns the distance of a point from the facet.
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
