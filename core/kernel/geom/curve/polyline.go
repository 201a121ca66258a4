package curve

import (
	"errors"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Polyline joins points by straight segments; segment i runs over [i, i+1]. It is periodic when the
// last point is the first one within geom.Resolution.
type Polyline struct {
	points []geom.Vec3
	closed bool
}

// NewPolyline checks and builds a polyline of two or more points. The slice is stored and must not be modified.
func NewPolyline(points []geom.Vec3) (*Polyline, error) {
	if len(points) < 2 {
		return nil, errors.New("polyline: fewer than two points")
	}
	for _, p := range points {
		if !p.IsFinite() {
			return nil, errors.New("polyline: a point is not finite")
		}
	}
	closed := len(points) > 3 && points[0].Dist(points[len(points)-1]) <= geom.Resolution
	return &Polyline{points: points, closed: closed}, nil
}

// RestorePolyline builds the polyline that had these points and was periodic or not.
func RestorePolyline(points []geom.Vec3, closed bool) (*Polyline, error) {
	if len(points) < 2 {
		return nil, errors.New("polyline: fewer than two points")
	}
	return &Polyline{points: points, closed: closed}, nil
}

// Kind returns KindPolyline.
func (c *Polyline) Kind() Kind { return KindPolyline }

// Points returns the points; they must not be modified.
func (c *Polyline) Points() []geom.Vec3 { return c.points }

// Domain returns [0, number of segments].
func (c *Polyline) Domain() geom.Interval { return geom.Interval{Hi: float64(len(c.points) - 1)} }

// Period returns the number of segments of a closed polyline, 0 for an open one.
func (c *Polyline) Period() float64 {
	if c.closed {
		return c.Domain().Hi
	}
	return 0
}

// locate returns the segment of t and the fraction of it. Ends continue straight.
func (c *Polyline) locate(t float64) (i int, x float64) {
	if dom := c.Domain(); c.closed && (t < 0 || t > dom.Hi) {
		t = dom.Wrap(t)
	}
	last := float64(len(c.points) - 2)
	f := math.Floor(t)
	if !(f > 0) { // also when it is not a number
		f = 0
	}
	f = min(f, last)
	return int(f), t - f
}

// At returns the point at t.
func (c *Polyline) At(t float64) geom.Vec3 {
	i, x := c.locate(t)
	return c.points[i].Lerp(c.points[i+1], x)
}

// D1 returns the point and the first derivative at t; at a corner the one to the right.
func (c *Polyline) D1(t float64) (p, d1 geom.Vec3) {
	i, x := c.locate(t)
	d1 = c.points[i+1].Sub(c.points[i])
	return c.points[i].AddScaled(x, d1), d1
}

// D2 returns the point, first and second derivative at t.
func (c *Polyline) D2(t float64) (p, d1, d2 geom.Vec3) {
	p, d1 = c.D1(t)
	return p, d1, geom.Vec3{}
}

func (c *Polyline) d3(float64) geom.Vec3 { return geom.Vec3{} }

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c *Polyline) Invert(p geom.Vec3) (t, dist float64) {
	t, dist = c.InvertIn(p, c.Domain())
	if c.closed {
		t = c.Domain().Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part over iv.
func (c *Polyline) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	dist = math.Inf(1)
	c.each(iv, func(i int, lo, hi float64) {
		a := c.points[i]
		d := c.points[i+1].Sub(a)
		x := lo
		if n := d.Norm2(); n > 0 {
			x = max(lo, min(hi, p.Sub(a).Dot(d)/n))
		}
		if e := a.AddScaled(x, d).Dist2(p); e < dist {
			t, dist = float64(i)+x, e
		}
	})
	if c.closed { // each reports segments of the domain
		t, _ = within(t, iv, c.Domain().Hi)
	}
	return iv.Clamp(t), math.Sqrt(dist)
}

// each calls f with every segment that iv touches and the part of it, in fractions, inside iv.
func (c *Polyline) each(iv geom.Interval, f func(i int, lo, hi float64)) {
	dom := c.Domain()
	if !c.closed {
		iv = clip(iv, dom)
		c.eachInside(iv, f)
		return
	}
	lo := dom.Wrap(iv.Lo)
	hi := lo + min(iv.Length(), dom.Hi)
	c.eachInside(geom.Interval{Lo: lo, Hi: min(hi, dom.Hi)}, f)
	if hi > dom.Hi {
		c.eachInside(geom.Interval{Hi: hi - dom.Hi}, f)
	}
}

func (c *Polyline) eachInside(iv geom.Interval, f func(i int, lo, hi float64)) {
	first, _ := c.locate(iv.Lo)
	for i := first; i+1 < len(c.points); i++ {
		lo, hi := max(0, iv.Lo-float64(i)), min(1, iv.Hi-float64(i))
		if hi < lo {
			return
		}
		f(i, lo, hi)
	}
}

// Bounds returns the box of the points over iv.
func (c *Polyline) Bounds(iv geom.Interval) geom.Box {
	b := geom.EmptyBox()
	c.each(iv, func(i int, lo, hi float64) {
		p, q := c.points[i], c.points[i+1]
		b = b.Add(p.Lerp(q, lo)).Add(p.Lerp(q, hi))
	})
	return b
}

// Breaks appends the corners strictly inside iv.
func (c *Polyline) Breaks(dst []float64, iv geom.Interval) []float64 {
	if !c.closed {
		iv = clip(iv, c.Domain())
	}
	for t := math.Floor(iv.Lo) + 1; t < iv.Hi; t++ {
		dst = append(dst, t)
	}
	return dst
}

// Transform returns the image with the same parametrization.
func (c *Polyline) Transform(m geom.Transform) Curve {
	points := make([]geom.Vec3, len(c.points))
	for i, p := range c.points {
		points[i] = m.Point(p)
	}
	return &Polyline{points: points, closed: c.closed}
}
