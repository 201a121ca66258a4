package cpu

// Parallel rays: is a point outside of a closed body free along one direction?
//
// Method: the points are rotated once per direction into a frame whose z runs along the rays, and
// the tree is refitted there. A ray is then a point of the xy plane with a height: a box is passed or
// not by five comparisons, and a triangle by the edge functions of ray.go without the shear. Rotating
// a point once for all its triangles keeps the test watertight. Comparing float32 with float32 is
// conservative because rounding is monotonic.
//
// A ray that starts outside of the material is stopped where it enters it, so only triangles that
// face against the rays are kept, and subtrees without one vanish: half the tests, and the facet a
// ray starts from can never stop it. Of two children the higher one comes first: it is the likelier
// obstacle.
//
// Cost: O(points + nodes) to prepare, some 2 ms at 60,000 triangles; a ray about a third of one of
// ray.go. Pays off from a few hundred rays on.
// Limits: those of BVH; the mesh must be closed and oriented outwards. Coordinates carry a rotation
// error of up to 2^-50 of their distance from the scene's centre.

import "millwright/core/geom"

const packetMax = 16 // rays per bundle

// flatNode is a node whose box is seen along the rays; its far side along the ray is all that
// matters of its depth.
type flatNode struct {
	xLo, xHi, yLo, yHi, zHi float32
	skip                    int32
	leaf                    uint32 // as in node, counting view.tris
}

// flatTriangle is a triangle in view coordinates.
type flatTriangle struct{ a, b, c geom.Vec3 }

// view is the scene seen along one direction.
type view struct {
	center geom.Vec3
	frame  geom.Frame // axes only; z along the rays
	nodes  []flatNode
	tris   []flatTriangle

	points []geom.Vec3 // scratch
	boxes  []flatNode  // scratch: in the order of BVH.nodes
}

// viewSize estimates the memory of a view in bytes: half of the triangles face against the rays.
func (b *BVH) viewSize() int {
	const point, flat, triangle = 24, 28, 72
	return point*len(b.points) + 2*flat*len(b.nodes) + triangle*len(b.tris)/2
}

// setView fills v with the scene seen along dir, a unit vector; v's memory is reused.
func (b *BVH) setView(v *view, dir geom.Vec3) {
	v.center = b.center
	v.frame = geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	v.points = resize(v.points, len(b.points))
	v.boxes = resize(v.boxes, len(b.nodes))
	v.tris = v.tris[:0]
	v.nodes = v.nodes[:0]
	for i, p := range b.points {
		v.points[i] = v.frame.LocalDir(p)
	}
	for i := len(b.nodes) - 1; i >= 0; i-- {
		n := &b.nodes[i]
		if n.leaf != 0 {
			first := n.leaf >> leafBits
			v.boxes[i] = v.leafBox(b.tris[first : first+n.leaf&leafMax])
		} else {
			v.boxes[i] = v.boxes[i+1].union(&v.boxes[b.nodes[i+1].skip])
		}
	}
	if len(b.nodes) > 0 {
		v.emit(b, 0)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

var nothing = flatNode{xLo: inf32, xHi: -inf32, yLo: inf32, yHi: -inf32, zHi: -inf32}

// leafBox bounds those of the triangles that face against the rays and appends them to v.tris.
func (v *view) leafBox(tris [][3]int32) flatNode {
	f := nothing
	first := len(v.tris)
	for _, t := range tris {
		a, b, c := v.points[t[0]], v.points[t[1]], v.points[t[2]]
		if (b.X-a.X)*(c.Y-a.Y)-(b.Y-a.Y)*(c.X-a.X) >= 0 {
			continue
		}
		v.tris = append(v.tris, flatTriangle{a, b, c})
		f.xLo, f.xHi = min(f.xLo, float32(min(a.X, b.X, c.X))), max(f.xHi, float32(max(a.X, b.X, c.X)))
		f.yLo, f.yHi = min(f.yLo, float32(min(a.Y, b.Y, c.Y))), max(f.yHi, float32(max(a.Y, b.Y, c.Y)))
		f.zHi = max(f.zHi, float32(max(a.Z, b.Z, c.Z)))
	}
	f.leaf = uint32(first)<<leafBits | uint32(len(v.tris)-first)
	return f
}

func (f *flatNode) union(g *flatNode) flatNode {
	return flatNode{
		xLo: min(f.xLo, g.xLo), xHi: max(f.xHi, g.xHi),
		yLo: min(f.yLo, g.yLo), yHi: max(f.yHi, g.yHi), zHi: max(f.zHi, g.zHi),
	}
}

// emit appends the subtree of b's node i in depth-first order, higher children first.
func (v *view) emit(b *BVH, i int32) {
	at := len(v.nodes)
	v.nodes = append(v.nodes, v.boxes[i])
	if b.nodes[i].leaf == 0 {
		first, second := i+1, b.nodes[i+1].skip
		if v.boxes[second].zHi > v.boxes[first].zHi {
			first, second = second, first
		}
		if v.boxes[first].zHi > -inf32 {
			v.emit(b, first)
		}
		if v.boxes[second].zHi > -inf32 {
			v.emit(b, second)
		}
	}
	v.nodes[at].skip = int32(len(v.nodes))
}

// local maps a point of the part into the frame of the view.
func (v *view) local(p geom.Vec3) geom.Vec3 { return v.frame.LocalDir(p.Sub(v.center)) }

// packet is a bundle of parallel rays that walk the tree together. Neighbouring rays visit the same
// nodes, so a bundle costs little more than one ray as long as it is narrow.
type packet struct {
	rays                          []packetRay
	xLo, xHi, yLo, yHi, zLo, size float64 // mm, the box of the rays' origins
}

// packetRay starts at p, in view coordinates.
type packetRay struct {
	p       geom.Vec3
	x, y, z float32
	id      int32 // the caller's
}

// reset empties the bundle; origins will lie in a square of the given size (mm) or less.
func (q *packet) reset(size float64) {
	inf := float64(inf32)
	q.rays = q.rays[:0]
	q.xLo, q.xHi, q.yLo, q.yHi, q.zLo, q.size = inf, -inf, inf, -inf, inf, size
}

// add takes a ray into the bundle, or reports false when it is full or would become too wide.
func (q *packet) add(p geom.Vec3, id int32) bool {
	xLo, xHi, yLo, yHi := min(q.xLo, p.X), max(q.xHi, p.X), min(q.yLo, p.Y), max(q.yHi, p.Y)
	if len(q.rays) > 0 && (len(q.rays) >= packetMax || xHi-xLo > q.size || yHi-yLo > q.size) {
		return false
	}
	q.xLo, q.xHi, q.yLo, q.yHi, q.zLo = xLo, xHi, yLo, yHi, min(q.zLo, p.Z)
	q.rays = append(q.rays, packetRay{p, float32(p.X), float32(p.Y), float32(p.Z), id})
	return true
}

// trace removes the rays that a triangle above their origin blocks; what is left is free.
func (v *view) trace(q *packet) {
	xLo, xHi, yLo, yHi := float32(q.xLo), float32(q.xHi), float32(q.yLo), float32(q.yHi)
	zLo := float32(q.zLo)
	nodes := v.nodes
	for i := int32(0); int(i) < len(nodes) && len(q.rays) > 0; {
		n := &nodes[i]
		if xHi < n.xLo || xLo > n.xHi || yHi < n.yLo || yLo > n.yHi || zLo > n.zHi {
			i = n.skip
			continue
		}
		i++
		if n.leaf != 0 {
			first := n.leaf >> leafBits
			q.drop(n, v.tris[first:first+n.leaf&leafMax])
		}
	}
}

// drop removes the rays that the triangles of leaf n block.
func (q *packet) drop(n *flatNode, tris []flatTriangle) {
	for k := 0; k < len(q.rays); {
		r := &q.rays[k]
		if r.x < n.xLo || r.x > n.xHi || r.y < n.yLo || r.y > n.yHi || r.z > n.zHi || !anyAbove(tris, r.p) {
			k++
			continue
		}
		last := len(q.rays) - 1
		q.rays[k] = q.rays[last]
		q.rays = q.rays[:last]
	}
}

func anyAbove(tris []flatTriangle, p geom.Vec3) bool {
	for i := range tris {
		if tris[i].above(p) {
			return true
		}
	}
	return false
}

// above reports whether the vertical line through p meets the triangle at a greater z.
func (t *flatTriangle) above(p geom.Vec3) bool {
	az, bz, cz := t.a.Z-p.Z, t.b.Z-p.Z, t.c.Z-p.Z
	if az <= 0 && bz <= 0 && cz <= 0 {
		return false
	}
	u, v, w, inside := edgeFunctions(t.a.X-p.X, t.a.Y-p.Y, t.b.X-p.X, t.b.Y-p.Y, t.c.X-p.X, t.c.Y-p.Y)
	if !inside {
		return false
	}
	h := u*az + v*bz + w*cz
	return h != 0 && (h > 0) == (u+v+w > 0)
}
