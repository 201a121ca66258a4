package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// The path stays in the allowed area by the raster of clearances where that is accurate enough, and by exact tests
// elsewhere. Bilinear values of the distance from a convex wall of radius r are too large by up to h²/(8r), with cells
// of side h: 0.001 radii of the cutter where r is at least half of it. The chords of walls add 0.0005. With tolerance,
// this is less than wallMargin. At sharper convex walls the tests are exact.

// bluntRadius is the smallest radius of convex walls that the raster resolves, in radii of the cutter.
const bluntRadius = 0.5

// markSharp marks the nodes near convex walls that the raster does not resolve.
func (c *clearing) markSharp() {
	c.isSharp = make([]bool, len(c.isOpen))
	const corner = 0.02 // rad; the chords of a curve make smaller angles
	for _, l := range c.allowed.Loops() {
		for i := range l {
			p, before := &l[i], &l[(i+len(l)-1)%len(l)]
			u, v := before.Tangent(1), p.Tangent(0)
			if math.Atan2(u.Cross(v), u.Dot(v)) < -corner {
				c.markAround(p.From)
			}
			if p.Turn >= 0 || p.Radius() >= bluntRadius*c.radius {
				continue
			}
			n := int(p.Length()/c.step) + 1
			for k := 0; k <= n; k++ {
				c.markAround(p.At(float64(k) / float64(n)))
			}
		}
	}
}

// markAround marks the nodes within four cells of a point as sharp.
func (c *clearing) markAround(p geom.Vec2) {
	const reach = 4 / blockCells
	x, y := c.cell(p)
	i, j := int(math.Floor(x/blockCells)), int(math.Floor(y/blockCells))
	for q := max(0, j-reach); q <= min(c.ly-1, j+reach); q++ {
		for k := max(0, i-reach); k <= min(c.lx-1, i+reach); k++ {
			c.isSharp[q*c.lx+k] = true
		}
	}
}

// clearanceAt returns the distance of a position to the boundary of the allowed area, negative outside.
func (c *clearing) clearanceAt(p geom.Vec2) float64 {
	x, y := c.cell(p)
	if !(x >= 0 && y >= 0 && x < float64(c.nx-1) && y < float64(c.ny-1)) {
		return -clearanceCells * c.step
	}
	return c.sample(c.clearance, x, y)
}

// slopeAt returns the clearance of a position and its slope along both axes.
func (c *clearing) slopeAt(p geom.Vec2) (d, gx, gy float64) {
	x, y := c.cell(p)
	if !(x >= 0 && y >= 0 && x < float64(c.nx-1) && y < float64(c.ny-1)) {
		return -clearanceCells * c.step, 0, 0
	}
	i, j := int(x), int(y)
	u, v := float32(x-float64(i)), float32(y-float64(j))
	k := j*c.nx + i
	low, high := c.clearance[k:k+2:k+2], c.clearance[k+c.nx:k+c.nx+2:k+c.nx+2]
	south, north := low[1]-low[0], high[1]-high[0]
	below, above := low[0]+u*south, high[0]+u*north
	rise := above - below
	return float64(below + v*rise), float64(south+v*(north-south)) * c.inverse, float64(rise) * c.inverse
}

// isAllowed reports whether the center may move along a segment of the path.
func (c *clearing) isAllowed(p *planar.Segment) bool {
	const pitch = 0.5 // cells: a wall of bluntRadius is nearer between two points by 0.0003 radii
	length := p.Length()
	n := int(length*c.inverse/pitch) + 1
	for k := 0; k <= n; {
		q := p.At(float64(k) / float64(n))
		d := c.clearanceAt(q)
		if d < -tolerance*c.radius || d < 2*c.step && c.isSharp[c.nodeAt(q)] {
			return c.forbidden.IsApart(p, 1e-6)
		}
		// Where the wall is far, the points up to it need no test.
		k += max(1, int((d*c.inverse-1)/pitch))
	}
	return true
}
