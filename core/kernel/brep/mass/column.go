package mass

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// column computes G(u, v), the integrals over v (or u, see inner) from the base line, at any point of one surface.
//
// A surface of revolution S = O + r(v)·e(u) + z(v)·Z has N = h·r·(z'·e - r'·Z), where h is the handedness of its frame.
// With o = O in the directions e, e' and Z, everything that varies with v is in five integrals of the meridian alone
// (see profile), which have closed forms for cylinder, cone and torus:
//
//	∫S·N   = oe·A₁ + A₂ - oz·B₁ - B₂
//	∫S(S·N) = (oe·∫S·N + oe·A₂ + A₃ - oz·B₃ - B₄)·e + (oe'·∫S·N)·e'
//	        + (oz·∫S·N + oe·C₁ + C₂ - oz·B₂ - B₅)·Z
//
// with A_k = ∫r^k z', C_k = ∫r^k z z', and by parts B₁ = r²/2, B₃ = r³/3, B₂ = r²z/2 - A₂/2, B₄ = r³z/3 - A₃/3, B₅ =
// r²z²/2 - C₂.
type column struct {
	surf     surface.Surface
	center   geom.Vec3
	inner    int     // axis of the inner integral: 1, except for surfaces without closed form
	outer    int     // the other axis
	sense    float64 // of the boundary integral: -∮G du, +∮G dv
	base     float64
	width    float64 // of the domain along the outer axis, or 1
	isTurned bool    // a surface of revolution in closed form
	isRuled  bool    // a straight edge with equal u at its ends keeps it

	frame  geom.Frame
	hand   float64 // ±1
	origin geom.Vec3
	r, k   float64 // radius at v = 0 and its slope (cylinder, cone); major radius (torus)
	minor  float64
	kind   surface.Kind
	start  profile // at the base
	breaks [2][]float64
	period [2]float64
	domain [2]geom.Interval
}

// set prepares for a face whose domain extends from lo to hi.
func (c *column) set(s surface.Surface, center geom.Vec3, lo, hi geom.Vec2) {
	*c = column{surf: s, center: center, kind: s.Kind(), isTurned: true}
	c.period[0], c.period[1] = s.Periods()
	c.domain[0], c.domain[1] = s.Domain()
	switch t := s.(type) {
	case surface.Cylinder:
		c.frame, c.r, c.isRuled = t.Frame, t.Radius, true
	case surface.Cone:
		c.frame, c.r, c.k, c.isRuled = t.Frame, t.Radius, math.Tan(t.HalfAngle), true
	case surface.Torus:
		c.frame, c.r, c.minor = t.Frame, t.Major, t.Minor
	default:
		c.isTurned = false
		c.isRuled = c.kind == surface.KindExtrusion
		c.findBreaks(lo, hi)
		return
	}
	c.hand = 1
	if !c.frame.IsRightHanded() {
		c.hand = -1
	}
	c.origin = c.frame.LocalDir(c.frame.Origin.Sub(center))
}

// setBase fixes the axis of the inner integral and the line where it begins.
func (c *column) setBase(inner int, base float64) {
	c.inner, c.outer, c.base = inner, 1-inner, base
	c.sense, c.width = float64(1-2*inner), 1
	if d := c.domain[c.outer]; d.IsFinite() && d.Length() > 0 {
		c.width = d.Length()
	}
	if c.isTurned {
		c.start = c.profile(base)
	}
}

// rate returns the rate of the outer coordinate along a curve with point p, derivative d, and foot point uv.
func (c *column) rate(uv geom.Vec2, p, d geom.Vec3) float64 {
	if c.isTurned {
		q, t := c.frame.Local(p), c.frame.LocalDir(d)
		r2 := q.X*q.X + q.Y*q.Y
		if r2 == 0 {
			return 0
		}
		return (q.X*t.Y - q.Y*t.X) / r2
	}
	return c.freeRate(uv, p, d)
}

// at returns the integrals from the base line to uv.
func (c *column) at(uv geom.Vec2) moments {
	if !c.isTurned {
		return c.free(uv)
	}
	b, p := &c.start, c.profile(uv.Y)
	a1, a2, a3 := p.a1-b.a1, p.a2-b.a2, p.a3-b.a3
	c1, c2 := p.c1-b.c1, p.c2-b.c2
	p2, p3 := p.r*p.r, p.r*p.r*p.r
	q2, q3 := b.r*b.r, b.r*b.r*b.r
	b1 := 0.5 * (p2 - q2)
	b2 := 0.5*(p2*p.z-q2*b.z) - 0.5*a2
	b3 := (p3 - q3) / 3
	b4 := (p3*p.z-q3*b.z)/3 - a3/3
	b5 := 0.5*(p2*p.z*p.z-q2*b.z*b.z) - c2

	sin, cos := math.Sincos(uv.X)
	oe := c.origin.X*cos + c.origin.Y*sin
	of := c.origin.Y*cos - c.origin.X*sin
	oz := c.origin.Z
	v := oe*a1 + a2 - oz*b1 - b2
	me := oe*v + oe*a2 + a3 - oz*b3 - b4
	mf := of * v
	mz := oz*v + oe*c1 + c2 - oz*b2 - b5
	return moments{
		area:   p.area - b.area,
		volume: c.hand * v,
		first:  c.frame.Dir(geom.Vec3{X: me*cos - mf*sin, Y: me*sin + mf*cos, Z: mz}).Scale(c.hand),
	}
}

// profile is a meridian's point with the integrals up to it: A₁, A₂, A₃, C₁, C₂ and the area under one radian.
type profile struct{ r, z, a1, a2, a3, c1, c2, area float64 }

func (c *column) profile(v float64) profile {
	if c.kind == surface.KindCylinder || c.kind == surface.KindCone {
		return c.ruled(v)
	}
	// z' = m·cos v and r = R + m·cos v.
	s, x := math.Sincos(v)
	m, r := c.minor, c.r
	i1, i2, i3 := s, (v+s*x)/2, s-s*s*s/3
	i4 := (3*v + 2*s*x*x*x + 3*s*x) / 8
	x2, x3, x4 := x*x, x*x*x, x*x*x*x
	p := profile{
		r: r + m*x, z: m * s,
		a1:   m * (r*i1 + m*i2),
		a2:   m * (r*r*i1 + 2*r*m*i2 + m*m*i3),
		a3:   m * (r*r*r*i1 + 3*r*r*m*i2 + 3*r*m*m*i3 + m*m*m*i4),
		c1:   -m * m * (r*x2/2 + m*x3/3),
		c2:   -m * m * (r*r*x2/2 + 2*r*m*x3/3 + m*m*x4/4),
		area: m * (r*v + m*s),
	}
	return p
}

// ruled counts from the base line, where the radius is b: r = b + k·w and z = base + w.
func (c *column) ruled(v float64) profile {
	k, b, w := c.k, c.r+c.k*c.base, v-c.base
	if math.Abs(b) < geom.Resolution*1e-3 { // the base is the apex
		b = 0
	}
	w2, w3, w4 := w*w, w*w*w, w*w*w*w
	a1 := b*w + k*w2/2
	a2 := b*b*w + b*k*w2 + k*k*w3/3
	return profile{
		r: b + k*w, z: v, a1: a1, a2: a2,
		a3:   b*b*b*w + 1.5*b*b*k*w2 + b*k*k*w3 + k*k*k*w4/4,
		c1:   c.base*a1 + b*w2/2 + k*w3/3,
		c2:   c.base*a2 + b*b*w2/2 + 2*b*k*w3/3 + k*k*w4/4,
		area: math.Sqrt(1+k*k) * math.Copysign(1, b+k*w/2) * a1,
	}
}
