package height

// The greatest height of a triangle in each cell it touches.
//
// Method: a plane over the part of a triangle in a cell is highest at a corner of that part. If that is a
// corner of the cell inside of the triangle then it is the one the plane rises towards, as otherwise the plane
// would be higher still next to it along a side of the cell; all other corners lie on the sides of the triangle.
// So the triangle is rasterised once at those corners of the cells (scan.go with the grid moved by half a cell),
// and the sides are followed through all the cells they touch.
//
// Cells are wider by slack on all sides, for their corners too. That exceeds the rounding of coordinates, so what
// lies in a cell is never missed, and a side on the border of two cells counts for both.
//
// Cost: O(rows + cells) per triangle and per side.

import "math"

// slack (share of the greatest coordinate in cells) is 2¹⁰ roundings of float64, and a quarter of a cell for the
// farthest points that kernel lets pass.
const slack = 1.0 / (1 << 42)

// coverReach (cells) exceeds the half width of a cell and its slack.
const coverReach = 1

// cover proposes the greatest heights of a triangle in the cells.
func (t *target) cover(p *[3]point) {
	vLo, vHi := min(p[0].v, p[1].v, p[2].v), max(p[0].v, p[1].v, p[2].v)
	uLo, uHi := min(p[0].u, p[1].u, p[2].u), max(p[0].u, p[1].u, p[2].u)
	w := 0.5 + slack*max(math.Abs(uLo), math.Abs(uHi), math.Abs(vLo), math.Abs(vHi), 1)
	if uHi+w < 0 || uLo-w > float64(t.width-1) || vHi+w < float64(t.first) || vLo-w > float64(t.last) {
		return
	}
	aLo, aHi := rowsBetween(uLo-w, uHi+w)
	bLo, bHi := rowsBetween(vLo-w, vHi+w)
	if aLo == aHi && bLo == bHi { // within one cell
		t.propose(aLo, bLo, max(p[0].z, p[1].z, p[2].z))
		return
	}
	for k := range p {
		t.follow(&p[k], &p[(k+1)%3], w)
	}
	u, v := uphill(p)
	t.triangle(p, -u*w, -v*w, 0)
}

// propose proposes a height for a cell, if it is one of the target's.
func (t *target) propose(i, j int, z float64) {
	if i < 0 || i >= t.width || j < t.first || j > t.last {
		return
	}
	if c := &t.z[j*t.width+i]; z > float64(*c) {
		*c = narrow(z, t.up)
	}
}

// uphill returns the signs of the directions in which the triangle rises; 1 for level or edge-on.
func uphill(p *[3]point) (u, v float64) {
	bu, bv, bz := p[1].u-p[0].u, p[1].v-p[0].v, p[1].z-p[0].z
	cu, cv, cz := p[2].u-p[0].u, p[2].v-p[0].v, p[2].z-p[0].z
	area := bu*cv - bv*cu
	u, v = 1, 1
	if (bz*cv-bv*cz)*area < 0 {
		u = -1
	}
	if (bu*cz-bz*cu)*area < 0 {
		v = -1
	}
	return u, v
}

// follow proposes the greatest heights of the segment from a to b in the cells of half width w that it touches.
func (t *target) follow(a, b *point, w float64) {
	du, dv, dz := b.u-a.u, b.v-a.v, b.z-a.z
	first, last := rowsBetween(min(a.v, b.v)-w, max(a.v, b.v)+w)
	for j := max(first, t.first); j <= min(last, t.last); j++ {
		lo, hi := within(a.v, dv, float64(j)-w, float64(j)+w, 0, 1)
		if lo > hi {
			continue
		}
		ua, ub := a.u+lo*du, a.u+hi*du
		left, right := rowsBetween(min(ua, ub)-w, max(ua, ub)+w)
		for i := max(left, 0); i <= min(right, t.width-1); i++ {
			s, e := within(a.u, du, float64(i)-w, float64(i)+w, lo, hi)
			if s > e {
				continue
			}
			if dz > 0 {
				s = e
			}
			t.propose(i, j, min(max(a.z, b.z), a.z+s*dz))
		}
	}
}

// within limits the parameters from s to e of a line from a along d to where it runs between lo and hi; s > e
// where it does not.
func within(a, d, lo, hi, s, e float64) (float64, float64) {
	if d == 0 {
		if a < lo || a > hi {
			return 1, 0
		}
		return s, e
	}
	p, q := (lo-a)/d, (hi-a)/d
	if p > q {
		p, q = q, p
	}
	return max(s, p), min(e, q)
}
