package cpu

// Any-hit queries with arbitrary rays.
//
// Method: S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection", JCGT 2(1), 2013. The
// ray is sheared onto the z axis and the three edge functions are evaluated at the origin. A product
// difference of two floats, computed without fused multiplication, is never of the wrong sign, and
// two triangles at an edge compute exactly opposite values; a zero counts as inside. So a ray through
// a closed mesh hits it, whatever edge or vertex it passes. Boxes are tested by slabs, widened by
// boxPad; a comparison with NaN (a ray in the plane of a slab) lets the box pass.
//
// Cost: O(log n) for the usual mesh, some 100 ns per ray at 60,000 triangles.
// Limits: an origin farther than about 10^6 diagonals from the mesh loses the widening to rounding.

import (
	"math"

	"millwright/core/geom"
)

// ray is a query in the frame of the shear: kz is the dominant axis of the direction.
type ray struct {
	org        [3]float64
	inv        [3]float64
	kx, ky, kz int
	sx, sy, sz float64
	tMin, tMax float64
}

// Occluded reports whether a triangle meets origin + t·dir for some t in (tMin, tMax). dir need not
// be a unit vector; a zero or non-finite one meets nothing. Both sides of a triangle count, one seen
// exactly edge-on does not.
func (b *BVH) Occluded(origin, dir geom.Vec3, tMin, tMax float64) bool {
	r, ok := newRay(origin.Sub(b.center), dir, tMin, tMax)
	if !ok {
		return false
	}
	for i := int32(0); int(i) < len(b.nodes); {
		n := &b.nodes[i]
		switch {
		case !r.meets(n):
			i = n.skip
		case n.leaf == 0:
			i++
		default:
			first := n.leaf >> leafBits
			for _, t := range b.tris[first : first+n.leaf&leafMax] {
				if r.hits(&b.points[t[0]], &b.points[t[1]], &b.points[t[2]]) {
					return true
				}
			}
			i = n.skip
		}
	}
	return false
}

func newRay(o, d geom.Vec3, tMin, tMax float64) (ray, bool) {
	if !o.IsFinite() || !d.IsFinite() || d == (geom.Vec3{}) {
		return ray{}, false
	}
	r := ray{org: [3]float64{o.X, o.Y, o.Z}, tMin: tMin, tMax: tMax}
	dir := [3]float64{d.X, d.Y, d.Z}
	for k := range 3 {
		r.inv[k] = 1 / dir[k]
		if math.Abs(dir[k]) > math.Abs(dir[r.kz]) {
			r.kz = k
		}
	}
	r.kx, r.ky = (r.kz+1)%3, (r.kz+2)%3
	if dir[r.kz] < 0 { // keeps the orientation of the triangles
		r.kx, r.ky = r.ky, r.kx
	}
	r.sx, r.sy, r.sz = dir[r.kx]/dir[r.kz], dir[r.ky]/dir[r.kz], 1/dir[r.kz]
	return r, true
}

// meets is the slab test. A NaN bound (origin in the slab's plane, direction along it) constrains
// nothing.
func (r *ray) meets(n *node) bool {
	enter, exit := r.tMin, r.tMax
	for k := range 3 {
		near := (float64(n.lo[k]) - r.org[k]) * r.inv[k]
		far := (float64(n.hi[k]) - r.org[k]) * r.inv[k]
		if near > far {
			near, far = far, near
		}
		if near > enter {
			enter = near
		}
		if far < exit {
			exit = far
		}
	}
	return enter <= exit
}

// hits is the watertight triangle test.
func (r *ray) hits(pa, pb, pc *geom.Vec3) bool {
	ax, ay, az := r.shear(pa)
	bx, by, bz := r.shear(pb)
	cx, cy, cz := r.shear(pc)
	u, v, w, inside := edgeFunctions(ax, ay, bx, by, cx, cy)
	if !inside {
		return false
	}
	det := u + v + w
	t := r.sz * (u*az + v*bz + w*cz) / det
	return t > r.tMin && t < r.tMax
}

func (r *ray) shear(p *geom.Vec3) (x, y, z float64) {
	q := [3]float64{p.X - r.org[0], p.Y - r.org[1], p.Z - r.org[2]}
	z = q[r.kz]
	return q[r.kx] - float64(r.sx*z), q[r.ky] - float64(r.sy*z), z
}

// edgeFunctions returns twice the signed areas that the origin spans with the sides of the triangle
// a b c, opposite to a, b and c, and whether the origin is inside or on its border. The conversions
// forbid fused multiply-add, which would break the exact opposition of both sides of an edge.
func edgeFunctions(ax, ay, bx, by, cx, cy float64) (u, v, w float64, inside bool) {
	u = float64(cx*by) - float64(cy*bx)
	v = float64(ax*cy) - float64(ay*cx)
	if (u < 0 && v > 0) || (u > 0 && v < 0) {
		return u, v, 0, false
	}
	w = float64(bx*ay) - float64(by*ax)
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return u, v, w, false
	}
	return u, v, w, u+v+w != 0
}
