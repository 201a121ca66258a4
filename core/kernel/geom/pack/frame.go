package pack

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Directions of CAD parts mostly lie along an axis, and the Y axis of a frame is mostly Z × X: a few bits encode both
// instead of 24 bytes each.

// axes are the directions with individual numbers; all others share one number, the constant after these.
var axes = [...]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}

const askew = 7

func same(a, b geom.Vec3) bool {
	bits := math.Float64bits
	return bits(a.X) == bits(b.X) && bits(a.Y) == bits(b.Y) && bits(a.Z) == bits(b.Z)
}

func axisOf(d geom.Vec3) uint64 {
	for i, a := range axes {
		if same(a, d) {
			return uint64(i)
		}
	}
	return askew
}

// axis sets d to the axis of that number or serializes it in full.
func (c *Archive) axis(number uint64, d *geom.Vec3) {
	switch {
	case number == askew:
		c.Vec(d)
	case number >= uint64(len(axes)):
		c.Fail("there is no axis %d", number)
	case c.reading:
		*d = axes[number]
	}
}

// Dir serializes a vector that often lies along an axis.
func (c *Archive) Dir(d *geom.Vec3) {
	number := axisOf(*d)
	c.Uint(&number)
	c.axis(number, d)
}

// Frame serializes an origin with its axes.
func (c *Archive) Frame(f *geom.Frame) {
	c.Vec(&f.Origin)
	const bits = 3 // of an axis' number
	z, x := axisOf(f.Z), axisOf(f.X)
	isRegular := same(f.Y, third(f.Z, f.X))
	u := z | x<<bits
	if !isRegular {
		u |= 1 << (2 * bits)
	}
	c.Uint(&u)
	if c.reading {
		z, x, isRegular = u&askew, u>>bits&askew, u>>(2*bits) == 0
		if u>>(2*bits) > 1 {
			c.Fail("the axes of a frame are written as %d", u)
		}
	}
	c.axis(z, &f.Z)
	c.axis(x, &f.X)
	if !isRegular {
		c.Vec(&f.Y)
	} else if c.reading {
		f.Y = third(f.Z, f.X)
	}
}

// third is a × b. The conversions forbid the compiler to fuse a product with the difference, so that every
// processor gets the same bits.
func third(a, b geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}
