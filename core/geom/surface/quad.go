package surface

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/bspline/tensor"
)

// Bounds for a cell of a surface of which the corners and bounds of the second derivatives are known.
//
// Where Suu and Svv are at most a and b by the cell's own parameters from 0 to 1, the surface stays within
// (a + b)/8 of the bilinear patch of its corners, and that within a quarter of its twist of two triangles,
// point by point: a lower and an upper bound of the distance. Let f be any point of the cell, q another one, x
// the step between in parameters, d the distance of f, s a lower bound of the singular values of J on the
// cell, m the bound of D²S along p - f, and g the gradient of d²/2 without what leads out of the cell. Then
//
//	|q - p|² = d² + |q - f|² - 2(p - f)·(q - f) ≥ d² + (s² - d·m)x² - 2gx ≥ d² - g²/(s² - d·m)
//
// where s² > d·m: at a local minimum, where g is rounding, nothing in the cell is nearer than f.

// quad is a cell of a surface.
type quad struct {
	U, V geom.Interval
	*tensor.Patch
}

// legs returns the mean sides along u and v.
func (c *quad) legs() (a, b geom.Vec3) {
	d1, d2 := c.Corner[3].Sub(c.Corner[0]), c.Corner[1].Sub(c.Corner[2])
	return d1.Add(d2).Scale(0.5), d1.Sub(d2).Scale(0.5)
}

// sag is how far a point of the surface may be from that of the triangles at the same parameters.
func (c *quad) sag() float64 {
	twist := c.Corner[0].Sub(c.Corner[1]).Sub(c.Corner[2]).Add(c.Corner[3]).Norm()
	return (c.UU.Most+c.VV.Most)/8 + twist/4
}

// nearest returns the distance from p to the triangles, the parameters at which it is reached and the way
// from there to p.
func (c *quad) nearest(p geom.Vec3) (dist float64, uv geom.Vec2, off geom.Vec3) {
	k := &c.Corner
	d, x, y := triangleFoot(p, k[0], k[1], k[3])
	foot := k[0].AddScaled(x, k[1].Sub(k[0])).AddScaled(y, k[3].Sub(k[1]))
	if e, v, u := triangleFoot(p, k[0], k[2], k[3]); e < d {
		d, x, y = e, u, v
		foot = k[0].AddScaled(y, k[2].Sub(k[0])).AddScaled(x, k[3].Sub(k[2]))
	}
	return math.Sqrt(d), geom.Vec2{X: c.U.At(x), Y: c.V.At(y)}, p.Sub(foot)
}

// reach is the distance s²/m up to which a constrained minimum on c is the closest point of c, 0 if
// nothing is known; off points from the minimum to the query.
func (c *quad) reach(off geom.Vec3) float64 {
	s, m, _, _ := c.stretch(off.Unit())
	return s * s / m
}

// stretch returns the lower bound s of the singular values of J, 0 if nothing is known, and the bound m of D²S
// along n, with the parameters scaled so that the mean sides, of the lengths returned, have length 1.
func (c *quad) stretch(n geom.Vec3) (s, m, la, lb float64) {
	a, b := c.legs()
	la, lb = a.Norm(), b.Norm()
	if la == 0 || lb == 0 {
		return 0, 1, la, lb
	}
	// Su differs from the mean side along u by half of what it changes along u and along v.
	change := 0.5 * math.Hypot((c.UU.Most+c.UV.Most)/la, (c.VV.Most+c.UV.Most)/lb)
	s = math.Sqrt(max(0, 1-math.Abs(a.Dot(b))/(la*lb))) - change
	if s <= 0 {
		return 0, 1, la, lb
	}
	uu, uv, vv := c.UU.Along(n), c.UV.Along(n), c.VV.Along(n)
	return s, max(uu/(la*la), vv/(lb*lb)) + uv/(la*lb), la, lb
}

// least is a lower bound of the distance from the part of c inside all to a query, from the point of it at uv,
// r from the query, with the derivatives du and dv.
func (c *quad) least(uv geom.Vec2, r, du, dv geom.Vec3, all *rect) float64 {
	d := r.Norm()
	s, m, la, lb := c.stretch(r.Unit())
	k := s*s - d*m
	if !(k > 0) {
		return 0
	}
	in := all.cut(c)
	gu := downhill(r.Dot(du)*c.U.Length(), uv.X, in.u) / la
	gv := downhill(r.Dot(dv)*c.V.Length(), uv.Y, in.v) / lb
	return math.Sqrt(max(0, d*d-(gu*gu+gv*gv)/k))
}

// downhill is the derivative g at t of what falls against it, 0 if that leads out of iv.
func downhill(g, t float64, iv geom.Interval) float64 {
	if t <= iv.Lo && g > 0 || t >= iv.Hi && g < 0 {
		return 0
	}
	return g
}

// triangleFoot returns the squared distance of p from the triangle a, b, c, which may be a line or a point,
// and its closest point a + x·(b-a) + y·(c-b): in its plane if p lies over it, else on one of its sides.
func triangleFoot(p, a, b, c geom.Vec3) (dist2, x, y float64) {
	n := b.Sub(a).Cross(c.Sub(a))
	pa, pb, pc := a.Sub(p), b.Sub(p), c.Sub(p)
	wa, wb, wc := pb.Cross(pc).Dot(n), pc.Cross(pa).Dot(n), pa.Cross(pb).Dot(n)
	if n2 := n.Norm2(); wa >= 0 && wb >= 0 && wc >= 0 && n2 > 0 {
		h := pa.Dot(n)
		y = min(1, wc/n2)
		return h * h / n2, max(y, min(1, (wb+wc)/n2)), y
	}
	dist2, x = segmentFoot(pa, pb)
	if d, t := segmentFoot(pb, pc); d < dist2 {
		dist2, x, y = d, 1, t
	}
	if d, t := segmentFoot(pa, pc); d < dist2 {
		dist2, x, y = d, t, t
	}
	return dist2, x, y
}

// segmentFoot returns the squared distance of the origin from the segment a, b and its closest point
// a + t·(b-a).
func segmentFoot(a, b geom.Vec3) (dist2, t float64) {
	d := b.Sub(a)
	if n2 := d.Norm2(); n2 > 0 {
		t = max(0, min(1, -a.Dot(d)/n2))
	}
	return a.AddScaled(t, d).Norm2(), t
}
