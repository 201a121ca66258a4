package raycast

import (
	"millwright/compute/bvh"
)

// ray is a line as the boxes and blocks of a wide tree are tested against it; the assembly reads it up to slack.
type ray struct {
	org    [3]float32 // mm
	inv    [3]float32 // of the direction
	from   float32    // where a box has to be left at least
	to     float32    // where it has to be entered at most
	near   [3]int64   // bytes from the start of a node to the sides that the ray enters by, along x, y and z
	shear  [2]float32 // slopes along the axes x and y of the shear
	base   [3]float32 // origin along these and along the axis of the shear
	_      float32
	corner [3]int64 // bytes from the start of a corner to these coordinates
	slack  float32  // mm, by which from and to are wider than the line
	axis   [3]int
	scale  float64 // of z to mm along the line
	line   bvh.Line
}

// set makes r the ray of a line through a tree whose points lie within radius mm.
func (r *ray) set(l *bvh.Line, radius float64) {
	const float, row = 4, 4 * bvh.Lanes // bytes
	r.line = *l
	r.slack = float32(bvh.LineRounding * radius)
	r.from, r.to = l.From-r.slack, l.To+r.slack
	kz := 0
	for k, d := range l.Direction {
		r.org[k], r.inv[k] = l.Origin[k], 1/max(d, bvh.LeastDirection)
		r.near[k] = int64(k) * row
		if d < 0 {
			r.inv[k] = 1 / min(d, -bvh.LeastDirection)
			r.near[k] += 3 * row
		}
		if abs(d) > abs(l.Direction[kz]) {
			kz = k
		}
	}
	r.axis = [3]int{(kz + 1) % 3, (kz + 2) % 3, kz}
	along := float64(l.Direction[kz])
	r.scale = 1 / along
	for i, k := range r.axis {
		r.base[i], r.corner[i] = l.Origin[k], int64(k)*row
	}
	for i := range r.shear {
		r.shear[i] = float32(float64(l.Direction[r.axis[i]]) / along)
	}
}

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

// sheared returns a corner of a triangle of a block, moved along the line into the plane through its origin, and how
// far it was moved along the axis of the shear. The conversions forbid fused multiply-add: a corner has to come out
// the same in all triangles, here, in assembly and on other devices.
func (r *ray) sheared(b *bvh.Block, corner, lane int) (x, y, z float32) {
	at := 3 * corner
	z = b.Corner[at+r.axis[2]][lane] - r.base[2]
	x = b.Corner[at+r.axis[0]][lane] - r.base[0]
	y = b.Corner[at+r.axis[1]][lane] - r.base[1]
	return x - float32(r.shear[0]*z), y - float32(r.shear[1]*z), z
}

// meets tests one triangle and returns where on the line it is met. Products of float32 are exact in float64, and so
// are the signs of their differences: both triangles at a side see the same.
func (r *ray) meets(b *bvh.Block, lane int) (t float64, hit bool) {
	ax, ay, az := r.sheared(b, 0, lane)
	bx, by, bz := r.sheared(b, 1, lane)
	cx, cy, cz := r.sheared(b, 2, lane)
	u := float64(float64(cx)*float64(by)) - float64(float64(cy)*float64(bx))
	v := float64(float64(ax)*float64(cy)) - float64(float64(ay)*float64(cx))
	w := float64(float64(bx)*float64(ay)) - float64(float64(by)*float64(ax))
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	area := u + v + w
	if area == 0 {
		return 0, false
	}
	t = r.scale * (float64(u*float64(az)) + float64(v*float64(bz)) + float64(w*float64(cz))) / area
	return t, t > float64(r.line.From) && t < float64(r.line.To)
}

// hit is a place on a line.
type hit struct {
	t        float64 // mm from its origin
	triangle int32   // in the mesh, -1 for none
}
