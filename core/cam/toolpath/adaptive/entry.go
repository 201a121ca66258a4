package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Parameters of entries, in radii.
const (
	leastHelix = 0.5 // of the helix radius: a place with less clearance has no helix
	leastLoad  = 0.3 // of the blocks of a full disc: less is not worth a helix
	firstOrbit = 0.1 // radius of the circle that opens a hole
)

// enter goes down where material is in reach: in air or cleared ground at a front, in a hole, or by a helix. It
// sets the anchor, and reports whether there is such a place.
func (c *clearing) enter() (bool, error) {
	if k := c.nearestOpening(); k >= 0 {
		c.anchor = k
		return true, nil
	}
	for i, p := range c.level.Entries {
		if !c.isUsed[i] && c.level.Allowed.Distance(p) >= 0 && c.clearanceAt(p) > 0 && c.demand[c.nodeAt(p)] > 0 {
			c.isUsed[i] = true
			c.openHole(p)
			return true, nil
		}
	}
	return c.helix(), nil
}

// nearestOpening returns the free node at a front that is nearest to the position of the cutter, or -1.
func (c *clearing) nearestOpening() int {
	p, hasPosition := c.level.Start, c.level.HasStart
	if len(c.path) > 0 {
		p, hasPosition = c.end(), true
	}
	best, at := math.Inf(1), -1
	for k := range c.isOpen {
		if !c.isFree(k) {
			continue
		}
		for d := 0; d < len(neighbors); d += 2 {
			if q := c.neighbor(k, d); q < 0 || !c.isFront(q) {
				continue
			}
			if !hasPosition {
				return k
			}
			if dist := c.node(k).Dist(p); dist < best {
				best, at = dist, k
			}
			break
		}
	}
	return at
}

// openHole goes down in a hole and widens it by a circle, then cuts from there.
func (c *clearing) openHole(p geom.Vec2) {
	c.reenter(p)
	c.clearDisc(p, c.radius)
	// A half circle out, then the full circle; the arcs are those of the entry, not bounded.
	orbit := firstOrbit * c.radius
	half := p.Add(geom.Vec2{X: orbit / 2})
	const parts = 8
	for i := 1; i <= 3*parts; i++ {
		center, r, angle := half, orbit/2, math.Pi*(1+float64(i)/parts)
		if i > parts {
			center, r, angle = p, orbit, math.Pi*float64(i-parts)/parts
		}
		s, co := math.Sincos(angle)
		q := center.Add(geom.Vec2{X: r * co, Y: r * s})
		dir := geom.Vec2{X: -s, Y: co}
		c.path = append(c.path, step{to: q, kind: Cut, arc: c.measure(q, dir).arc})
		c.trace()
		c.clearDisc(q, c.radius)
	}
	c.walkFrom(c.end(), geom.Vec2{Y: 1})
	c.anchorAt(p)
}

// anchorAt sets the anchor to a free node near a position, if there is one.
func (c *clearing) anchorAt(p geom.Vec2) {
	c.anchor = c.nodeAt(p)
	if !c.isFree(c.anchor) {
		if k := c.hook(p, p); k >= 0 {
			c.anchor = k
		}
	}
}

// helix goes down by a helix where the walls are farthest.
func (c *clearing) helix() bool {
	if c.level.HelixRadius <= 0 || c.barren >= mostBarren {
		return false
	}
	p, clearance := c.widest()
	radius := min(c.level.HelixRadius, clearance)
	if radius < leastHelix*c.level.HelixRadius {
		return false
	}
	c.reenter(p)
	c.path[len(c.path)-1].air = false
	c.path[len(c.path)-1].helix = radius
	c.discs = append(c.discs, int32(len(c.path)-1))
	c.clearDisc(p, c.radius+radius)
	q := p.Add(geom.Vec2{X: radius})
	c.link(q)
	base := len(c.path)
	if c.walkFrom(q, geom.Vec2{Y: 1}); len(c.path) == base {
		c.path = c.path[:base-1]
		c.barren++
	}
	c.anchorAt(p)
	return true
}

// mostBarren is the number of helices without a cut after them that end the search for places.
const mostBarren = 3

// widest returns the position in material with the largest clearance, and the clearance.
func (c *clearing) widest() (geom.Vec2, float64) {
	full := 0
	for _, s := range c.spans {
		full += 2*s + 1
	}
	// Distances by two passes over the lattice, in pitches.
	far := make([]float32, c.lx*c.ly)
	relax := func(k int, directions ...int) {
		if !c.isOpen[k] {
			return
		}
		best := float32(math.Inf(1))
		for _, d := range directions {
			length := float32(1)
			if d&1 != 0 {
				length = math.Sqrt2
			}
			if q := c.neighbor(k, d); q >= 0 {
				best = min(best, far[q]+length)
			} else {
				best = min(best, length)
			}
		}
		if far[k] == 0 || best < far[k] {
			far[k] = best
		}
	}
	for k := range far {
		relax(k, 4, 5, 6, 7)
	}
	at, best := -1, float32(0)
	for k := len(far) - 1; k >= 0; k-- {
		relax(k, 0, 1, 2, 3)
		if far[k] > best && float64(c.demand[k]) > leastLoad*float64(full) {
			at, best = k, far[k]
		}
	}
	if at < 0 {
		return geom.Vec2{}, -1
	}
	p := c.node(at)
	clearance := c.allowed.Distance(p)
	for s := blockCells * c.step; s > 0.01*c.radius; s /= 2 {
		for _, o := range neighbors {
			q := p.Add(geom.Vec2{X: s * float64(o[0]), Y: s * float64(o[1])})
			if d := c.allowed.Distance(q); d > clearance && c.clearanceAt(q) > 0 {
				p, clearance = q, d
			}
		}
	}
	return p, clearance
}
