package heightmap

// The greatest height of a triangle in each cell it touches.
//
// Method: a plane over the part of a triangle in a cell is highest at a corner of that part. If that is a corner of the
// cell inside the triangle, it is the one toward which the plane rises: otherwise the plane would be even higher next
// to it along a side of the cell. All other corners lie on the sides of the triangle. So the triangle is rasterized
// once at those corners of the cells (scan.go with the grid moved by half a cell), and the sides are followed through
// all the cells they touch.
//
// Cells, with their corners, are wider by slack on all sides. That exceeds the rounding of coordinates, so no point in
// a cell is missed, and a side on the border of two cells counts for both.
//
// Cost: O(rows + cells) per triangle and per side.

import (
	"math"

	"millwright.dev/millwright/compute/raster"
)

// margin (fraction of the greatest coordinate in cells) is 2¹⁰ roundings of float64. It is a quarter of a cell for the
// farthest points that kernel accepts.
const margin = 1.0 / (1 << 42)

// coverReach (cells) exceeds the half width of a cell and its slack.
const coverReach = 1

// target is the part of a map that one goroutine writes to.
type target struct{ raster.Target }

// cover proposes the greatest heights of a triangle in the cells.
func (t *target) cover(p *[3]raster.Point) {
	vLo, vHi := min(p[0].V, p[1].V, p[2].V), max(p[0].V, p[1].V, p[2].V)
	uLo, uHi := min(p[0].U, p[1].U, p[2].U), max(p[0].U, p[1].U, p[2].U)
	w := 0.5 + margin*max(math.Abs(uLo), math.Abs(uHi), math.Abs(vLo), math.Abs(vHi), 1)
	if uHi+w < 0 || uLo-w > float64(t.Width-1) || vHi+w < float64(t.First) || vLo-w > float64(t.Last) {
		return
	}
	aLo, aHi := raster.RowsBetween(uLo-w, uHi+w)
	bLo, bHi := raster.RowsBetween(vLo-w, vHi+w)
	if aLo == aHi && bLo == bHi { // within one cell
		t.propose(aLo, bLo, max(p[0].Z, p[1].Z, p[2].Z))
		return
	}
	for k := range p {
		t.follow(&p[k], &p[(k+1)%3], w)
	}
	u, v := uphill(p)
	t.Triangle(p, -u*w, -v*w, 0)
}

// propose proposes a height for a cell, if it is one of the target's.
func (t *target) propose(i, j int, z float64) {
	if i < 0 || i >= t.Width || j < t.First || j > t.Last {
		return
	}
	if c := &t.Z[j*t.Width+i]; z > float64(*c) {
		*c = raster.Narrow(z, t.Up)
	}
}

// uphill returns the signs of the directions in which the triangle rises; 1 for level or edge-on.
func uphill(p *[3]raster.Point) (u, v float64) {
	bu, bv, bz := p[1].U-p[0].U, p[1].V-p[0].V, p[1].Z-p[0].Z
	cu, cv, cz := p[2].U-p[0].U, p[2].V-p[0].V, p[2].Z-p[0].Z
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
func (t *target) follow(a, b *raster.Point, w float64) {
	du, dv, dz := b.U-a.U, b.V-a.V, b.Z-a.Z
	first, last := raster.RowsBetween(min(a.V, b.V)-w, max(a.V, b.V)+w)
	for j := max(first, t.First); j <= min(last, t.Last); j++ {
		lo, hi := raster.Within(a.V, dv, float64(j)-w, float64(j)+w, 0, 1)
		if lo > hi {
			continue
		}
		ua, ub := a.U+lo*du, a.U+hi*du
		left, right := raster.RowsBetween(min(ua, ub)-w, max(ua, ub)+w)
		for i := max(left, 0); i <= min(right, t.Width-1); i++ {
			s, e := raster.Within(a.U, du, float64(i)-w, float64(i)+w, lo, hi)
			if s > e {
				continue
			}
			if dz > 0 {
				s = e
			}
			t.propose(i, j, min(max(a.Z, b.Z), a.Z+s*dz))
		}
	}
}
