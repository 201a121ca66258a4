package rastertest

import (
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// Contact is the reference for all algorithms that drop a tool onto triangles: the height of the tip at which it
// touches them, in float64. It maximizes z - h(distance) over all points of the mesh: at corners, along sides, and
// inside facets straight uphill from the axis. Between adjacent ends of the tool's spans, that function is concave
// along a line unless the span is concave, so a ternary search finds the maximum.
type Contact struct {
	Part Part
	Tool toolprofile.Underside
}

// Offset returns the tool with its underside moved by d mm away from the axis, toward it for a negative d.
func Offset(u toolprofile.Underside, d float64) toolprofile.Underside {
	var out toolprofile.Underside
	if d > 0 && len(u) > 0 {
		out = append(out, toolprofile.Span{To: d, FromHeight: u[0].FromHeight, Height: u[0].FromHeight})
	}
	for _, s := range u {
		if s.To+d <= 0 {
			continue
		}
		from := max(s.From+d, 0)
		s.FromHeight = s.At(from - d)
		s.From, s.To, s.CenterX = from, s.To+d, s.CenterX+d
		out = append(out, s)
	}
	return out
}

// Tip returns the height of the tip above (x, y), -Inf where the tool touches nothing.
func (c *Contact) Tip(x, y float64) float64 {
	at := geom.Vec3{X: x, Y: y}
	z := math.Inf(-1)
	reach := c.Tool.Radius()
	for i := range c.Part {
		p := [3]geom.Vec3{c.Part[i][0].Sub(at), c.Part[i][1].Sub(at), c.Part[i][2].Sub(at)}
		if min(p[0].X, p[1].X, p[2].X) > reach || max(p[0].X, p[1].X, p[2].X) < -reach ||
			min(p[0].Y, p[1].Y, p[2].Y) > reach || max(p[0].Y, p[1].Y, p[2].Y) < -reach {
			continue
		}
		for k := range p {
			z = max(z, p[k].Z-c.Tool.At(math.Hypot(p[k].X, p[k].Y)), c.alongSide(p[k], p[(k+1)%3]))
		}
		z = max(z, c.insideFacet(&p))
	}
	return z
}

// alongSide returns the greatest tip height along the segment from a to b.
func (c *Contact) alongSide(a, b geom.Vec3) float64 {
	z := math.Inf(-1)
	at := func(t float64) float64 {
		p := a.Lerp(b, t)
		return p.Z - c.Tool.At(math.Hypot(p.X, p.Y))
	}
	// Where the segment crosses the circles between the spans the function has its kinks.
	d := b.Sub(a)
	dd := d.X*d.X + d.Y*d.Y
	foot := 0.0
	if dd > 0 {
		foot = -(a.X*d.X + a.Y*d.Y) / dd
	}
	off := math.Abs(a.X*d.Y-a.Y*d.X) / math.Sqrt(dd)
	ends := []float64{0, 1}
	for _, s := range c.Tool {
		if half := math.Sqrt((s.To - off) * (s.To + off) / dd); half >= 0 {
			const inside = 1 - 1e-14 // so that a rim that is touched counts in spite of rounding
			ends = append(ends, foot-half*inside, foot+half*inside)
		}
	}
	ends = append(ends, foot)
	for i, s := range ends {
		ends[i] = min(max(s, 0), 1)
	}
	for _, s := range ends {
		z = max(z, at(s))
		next := 2.0
		for _, e := range ends {
			if e > s {
				next = min(next, e)
			}
		}
		if next <= 1 {
			z = max(z, greatest(at, s, next))
		}
	}
	return z
}

// insideFacet returns the greatest tip height at inner points of the facet; all these contacts lie straight uphill.
func (c *Contact) insideFacet(p *[3]geom.Vec3) float64 {
	n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
	if n.Z < 0 {
		n = n.Scale(-1)
	}
	if n.Z == 0 {
		return math.Inf(-1)
	}
	z0, rise := n.Dot(p[0])/n.Z, math.Hypot(n.X, n.Y)
	up := geom.Vec2{X: 1}
	if rise > 0 {
		up = geom.Vec2{X: -n.X / rise, Y: -n.Y / rise}
	}
	slope := rise / n.Z
	best := math.Inf(-1)
	for i := range c.Tool {
		s := &c.Tool[i]
		at := func(r float64) float64 { return slope*r - s.At(r) }
		r := greatestAt(at, s.From, s.To)
		for _, r := range []float64{s.From, r, s.To} {
			if inside(p, up.X*r, up.Y*r) {
				best = max(best, z0+at(r))
			}
		}
	}
	return best
}

// inside reports whether (x, y) lies in the triangle.
func inside(p *[3]geom.Vec3, x, y float64) bool {
	var left, right bool
	for k := range p {
		a, b := p[k], p[(k+1)%3]
		s := (b.X-a.X)*(y-a.Y) - (b.Y-a.Y)*(x-a.X)
		left, right = left || s > 0, right || s < 0
	}
	return !left || !right
}

// greatest returns the greatest value of a concave function between lo and hi.
func greatest(f func(float64) float64, lo, hi float64) float64 { return f(greatestAt(f, lo, hi)) }

// greatestAt returns the position of the maximum of a concave function by ternary search.
func greatestAt(f func(float64) float64, lo, hi float64) float64 {
	const steps = 60 // (2/3)⁶⁰ of the range is 3e-11 of it
	for range steps {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if f(a) < f(b) {
			lo = a
		} else {
			hi = b
		}
	}
	return (lo + hi) / 2
}
