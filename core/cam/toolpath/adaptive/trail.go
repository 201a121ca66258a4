package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Bilinear values lose ribs thinner than a cell: the distance has a ridge there, and values between the points are too
// small. The trail gives exact distances for samples that may be on such a ridge.

// binsPerRadius is the resolution of the trail.
const binsPerRadius = 8

// ridge is the largest depth below zero, in cells, of a bilinear value whose exact value may be positive.
const ridge = 0.7

// trail finds the steps of the path by the bins of their middles.
type trail struct {
	bx, by   int
	heads    []int32     // of the steps of a bin, newest first: indices plus 1
	nexts    []trailLink // in the order of the path
	ring     [][2]int    // offsets of the bins at about a radius
	discs    []int32     // entries by a helix
	hasAir   bool        // the border of the stock is in the raster
	binScale float64     // bins per mm
}

type trailLink struct{ step, bin, next int32 }

func (c *clearing) layTrail() {
	c.binScale = binsPerRadius / c.radius
	c.bx = int(float64(c.nx)*c.step*c.binScale) + 2
	c.by = int(float64(c.ny)*c.step*c.binScale) + 2
	c.heads = make([]int32, c.bx*c.by)
	// A step within a radius of a sample, less the depth of a ridge, has its middle in these bins.
	const longest = stepLength * calmFactor
	diagonal := math.Sqrt2
	lo := (1-bandCells/12-longest)*binsPerRadius - diagonal
	hi := (1+longest)*binsPerRadius + diagonal
	n := int(hi) + 1
	for j := -n; j <= n; j++ {
		for i := -n; i <= n; i++ {
			if d := math.Hypot(float64(i), float64(j)); d >= lo && d <= hi {
				c.ring = append(c.ring, [2]int{i, j})
			}
		}
	}
	for _, v := range c.field {
		if v < float32(c.band) {
			c.hasAir = true
			break
		}
	}
}

func (c *clearing) binAt(p geom.Vec2) (i, j int) {
	i, j = int((p.X-c.origin.X)*c.binScale), int((p.Y-c.origin.Y)*c.binScale)
	return max(0, min(c.bx-1, i)), max(0, min(c.by-1, j))
}

// forget drops the steps that were removed from the end of the path.
func (c *clearing) forget() {
	n := len(c.nexts)
	for ; n > 0 && int(c.nexts[n-1].step) >= len(c.path); n-- {
		c.heads[c.nexts[n-1].bin] = c.nexts[n-1].next
	}
	c.nexts = c.nexts[:n]
}

// trace enters the last step of the path.
func (c *clearing) trace() {
	k := len(c.path) - 1
	i, j := c.binAt(c.path[k-1].to.Lerp(c.path[k].to, 0.5))
	bin := int32(j*c.bx + i)
	c.nexts = append(c.nexts, trailLink{int32(k), bin, c.heads[bin]})
	c.heads[bin] = int32(len(c.nexts))
}

// exactAt returns the distance of a place in cells to the cleared ground, mm, where it is near zero.
func (c *clearing) exactAt(x, y float64) float64 {
	p := geom.Vec2{X: c.origin.X + x*c.step, Y: c.origin.Y + y*c.step}
	bi, bj := c.binAt(p)
	best := math.Inf(1)
	for _, o := range c.ring {
		i, j := bi+o[0], bj+o[1]
		if i < 0 || j < 0 || i >= c.bx || j >= c.by {
			continue
		}
		for n := c.heads[j*c.bx+i]; n > 0; n = c.nexts[n-1].next {
			k := c.nexts[n-1].step
			a, b := c.path[k-1].to, c.path[k].to
			dx, dy, x, y := b.X-a.X, b.Y-a.Y, p.X-a.X, p.Y-a.Y
			t := max(0, min(1, (x*dx+y*dy)/(dx*dx+dy*dy)))
			x, y = x-t*dx, y-t*dy
			best = min(best, x*x+y*y)
		}
	}
	d := math.Sqrt(best) - c.radius
	for _, k := range c.discs {
		d = min(d, p.Dist(c.path[k].to)-c.radius-c.path[k].helix)
	}
	if c.hasAir {
		d = min(d, c.level.Stock.Distance(p))
	}
	return min(d, c.band)
}
