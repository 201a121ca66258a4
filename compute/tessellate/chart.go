package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// chart maps the parameter plane of a face to the plane it is triangulated in, where the wanted side
// of a triangle is about one in every direction: a scale in u and v, and on a sphere the Mercator
// projection in v, which is as good near the poles as at the equator.
type chart struct {
	su, sv   float64
	mercator bool
	pole     float64 // latitude beyond which the projection continues straight
	poleY    float64 // its image and slope
	poleRise float64
}

// set chooses the scales from the densities; a flat face is scaled to length in mm.
func (c *chart) set(s *shape, d *density, lo, hi geom.Vec2) {
	*c = chart{su: 1, sv: 1}
	if s.isFlat() {
		return
	}
	c.su, c.sv = d.mean()
	if !(c.su > 0 && c.sv > 0) || math.IsInf(c.su+c.sv, 0) { // nowhere curved
		mid := lo.Lerp(hi, 0.5)
		_, du, dv := s.surf.D1(mid.X, mid.Y)
		c.su, c.sv = du.Norm(), dv.Norm()
		if !(c.su > 0 && c.sv > 0) {
			c.su, c.sv = 1/max(hi.X-lo.X, math.SmallestNonzeroFloat32), 1/max(hi.Y-lo.Y, math.SmallestNonzeroFloat32)
		}
		return
	}
	if s.kind == surface.KindSphere {
		_, c.su = d.at(geom.Vec2{}) // the density along a meridian applies to u at the equator too
		c.sv = c.su
		c.mercator = true
		c.pole = max(0, math.Pi/2-1/c.su)
		c.poleY = mercator(c.pole)
		c.poleRise = 1 / math.Cos(c.pole)
	}
}

func mercator(v float64) float64 { return math.Asinh(math.Tan(v)) }

// plane maps parameters to the plane.
func (c *chart) plane(uv geom.Vec2) geom.Vec2 {
	y := uv.Y
	if c.mercator {
		if a := math.Abs(y); a > c.pole {
			y = math.Copysign(c.poleY+(a-c.pole)*c.poleRise, y)
		} else {
			y = mercator(y)
		}
	}
	return geom.Vec2{X: uv.X * c.su, Y: y * c.sv}
}

// alongPole returns the number of pieces into which a line along a pole is divided.
func (c *chart) alongPole(a, b geom.Vec2) float64 {
	if c.mercator {
		return math.Abs(b.X-a.X) / (math.Pi / 3) // the corners of a hexagon around the pole
	}
	return c.plane(a).Dist(c.plane(b))
}

// param is the inverse of plane.
func (c *chart) param(p geom.Vec2) geom.Vec2 {
	y := p.Y / c.sv
	if c.mercator {
		if a := math.Abs(y); a > c.poleY {
			y = math.Copysign(c.pole+(a-c.poleY)/c.poleRise, y)
		} else {
			y = math.Atan(math.Sinh(y))
		}
	}
	return geom.Vec2{X: p.X / c.su, Y: y}
}

// perLength returns the length in the plane of 1 mm of the surface at the middle of the box lo … hi, in the direction
// of the smaller scale.
func (c *chart) perLength(s *shape, lo, hi geom.Vec2) float64 {
	mid := lo.Lerp(hi, 0.5)
	_, du, dv := s.surf.D1(mid.X, mid.Y)
	scale := min(c.su/du.Norm(), c.sv/dv.Norm())
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return 0
	}
	return scale
}
