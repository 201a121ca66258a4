package leftover

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// triangle is one of the part's mesh, in the frame of the first setup.
type triangle struct {
	corner [3]point
	normal point
	face   int32
	box    box
}

func triangles(m *mesh.Mesh, f geom.Frame) []triangle {
	out := make([]triangle, 0, len(m.Triangles))
	for face, region := range m.Regions {
		for _, t := range m.Triangles[region.Start:region.End] {
			x := triangle{face: int32(face)}
			for k := range 3 {
				x.corner[k] = of(f.Local(m.Points[t[k]]))
			}
			x.box.min, x.box.max = x.corner[0], x.corner[0]
			for _, c := range x.corner[1:] {
				for k := range 3 {
					x.box.min[k], x.box.max[k] = min(x.box.min[k], c[k]), max(x.box.max[k], c[k])
				}
			}
			a, b := sub(x.corner[1], x.corner[0]), sub(x.corner[2], x.corner[0])
			x.normal = point{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
			out = append(out, x)
		}
	}
	return out
}

func sub(a, b point) point   { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func dot(a, b point) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func norm(a point) float64   { return math.Sqrt(dot(a, a)) }
func axpy(s float64, a, b point) point { // s·a + b
	return point{s*a[0] + b[0], s*a[1] + b[1], s*a[2] + b[2]}
}

// closest is the nearest point of a triangle (C. Ericson, Real-Time Collision Detection, 5.1.5).
func (t *triangle) closest(p point) point {
	a, b, c := t.corner[0], t.corner[1], t.corner[2]
	ab, ac, ap := sub(b, a), sub(c, a), sub(p, a)
	d1, d2 := dot(ab, ap), dot(ac, ap)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bp := sub(p, b)
	d3, d4 := dot(ab, bp), dot(ac, bp)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return axpy(d1/(d1-d3), ab, a)
	}
	cp := sub(p, c)
	d5, d6 := dot(ab, cp), dot(ac, cp)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return axpy(d2/(d2-d6), ac, a)
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return axpy((d4-d3)/((d4-d3)+(d5-d6)), sub(c, b), b)
	}
	s := 1 / (va + vb + vc)
	return axpy(vb*s, ab, axpy(vc*s, ac, a))
}

// faces are up to three faces that are equally near, ascending; −1 fills the rest.
type faces [3]int32

var noFaces = faces{-1, -1, -1}

// near is the result of a query.
type near struct {
	distance float64
	outside  bool // of the part; not certain where several faces are nearest
	axis     int  // along which the direction to the nearest point is longest
	faces    faces
}

// tree is a bounding volume hierarchy over the triangles of the part.
type tree struct {
	nodes     []node
	triangles []triangle
}

type node struct {
	box         box
	left, right int32 // children; a leaf has left < 0 and holds triangles [^left, right)
}

func newTree(list []triangle) *tree {
	t := &tree{triangles: slices.Clone(list)}
	t.build(0, len(list))
	return t
}

func (t *tree) build(lo, hi int) int32 {
	const leaf = 4
	b := t.triangles[lo].box
	for _, x := range t.triangles[lo+1 : hi] {
		for k := range 3 {
			b.min[k], b.max[k] = min(b.min[k], x.box.min[k]), max(b.max[k], x.box.max[k])
		}
	}
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{b, int32(^lo), int32(hi)})
	if hi-lo <= leaf {
		return at
	}
	size, k := sub(b.max, b.min), 0
	for a := range 3 {
		if size[a] > size[k] {
			k = a
		}
	}
	slices.SortFunc(t.triangles[lo:hi], func(x, y triangle) int {
		return cmp.Compare(x.box.min[k]+x.box.max[k], y.box.min[k]+y.box.max[k])
	})
	mid := (lo + hi) / 2
	left := t.build(lo, mid)
	right := t.build(mid, hi)
	t.nodes[at].left, t.nodes[at].right = left, right
	return at
}

func (b *box) distance2(p point) (d float64) {
	for k := range 3 {
		if e := b.min[k] - p[k]; e > 0 {
			d += e * e
		} else if e := p[k] - b.max[k]; e > 0 {
			d += e * e
		}
	}
	return d
}

// equal (mm) is the difference of distances that is rounding: at an edge two faces are equally near.
const equal = 1e-6

// weight makes the choice between axes certain for directions of 45°, which are common.
var weight = point{1, 1.0173, 1.0391}

// query finds the nearest faces, which are no farther than most.
func (t *tree) query(p point, most float64) near {
	out := near{distance: most + 2*equal, faces: noFaces}
	var best point
	var normal point
	type open struct {
		node      int32
		distance2 float64
	}
	stack := make([]open, 1, 64)
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		reach := out.distance + equal
		if top.distance2 > reach*reach {
			continue
		}
		n := &t.nodes[top.node]
		if n.left >= 0 {
			a := open{n.left, t.nodes[n.left].box.distance2(p)}
			b := open{n.right, t.nodes[n.right].box.distance2(p)}
			if a.distance2 < b.distance2 {
				a, b = b, a
			}
			for _, next := range [2]open{a, b} {
				if next.distance2 <= reach*reach {
					stack = append(stack, next)
				}
			}
			continue
		}
		for i := int(^n.left); i < int(n.right); i++ {
			x := &t.triangles[i]
			if reach := out.distance + equal; x.box.distance2(p) > reach*reach {
				continue
			}
			c := x.closest(p)
			d := norm(sub(p, c))
			switch {
			case d < out.distance-equal:
				out.distance, out.faces = d, faces{x.face, -1, -1}
				best, normal = c, x.normal
			case d <= out.distance+equal:
				out.faces.add(x.face)
				if d < out.distance {
					out.distance, best, normal = d, c, x.normal
				}
			}
		}
	}
	direction := sub(p, best)
	out.outside = dot(direction, normal) > 0
	if out.distance < equal {
		direction = normal
	}
	for k := range 3 {
		if weight[k]*math.Abs(direction[k]) > weight[out.axis]*math.Abs(direction[out.axis]) {
			out.axis = k
		}
	}
	return out
}

// add adds a face, unless three are there.
func (f *faces) add(face int32) {
	for i := range f {
		if f[i] == face {
			return
		}
		if f[i] < 0 {
			f[i] = face
			slices.SortFunc(f[:i+1], cmp.Compare[int32])
			return
		}
	}
}
