package curve

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
)

// Composite is a chain of bounded curves. As in ISO 10303-42 its parameter runs over the domains of
// the segments one after the other, from 0 to the sum of their lengths. It is periodic when the end of
// the last segment is the start of the first within geom.Resolution.
type Composite struct {
	segments []Curve
	starts   []float64 // parameter at which each segment starts, and the end of the last
	closed   bool

	boxed sync.Once
	boxes []geom.Box // of the segments, filled by bounds
}

// NewComposite checks and builds a chain. Gaps between the segments are accepted. The slice is stored and must not be
// modified.
func NewComposite(segments []Curve) (*Composite, error) {
	c, err := RestoreComposite(segments, false)
	if err != nil {
		return nil, err
	}
	last := segments[len(segments)-1]
	c.closed = segments[0].At(segments[0].Domain().Lo).Dist(last.At(last.Domain().Hi)) <= geom.Resolution
	return c, nil
}

// RestoreComposite builds the chain that had these segments and was periodic or not.
func RestoreComposite(segments []Curve, closed bool) (*Composite, error) {
	if len(segments) == 0 {
		return nil, errors.New("composite curve: no segments")
	}
	c := &Composite{segments: segments, starts: make([]float64, 1, len(segments)+1), closed: closed}
	for i, s := range segments {
		if s == nil {
			return nil, fmt.Errorf("composite curve: segment %d is missing", i+1)
		}
		dom := s.Domain()
		if !dom.IsFinite() || !(dom.Length() > 0) {
			return nil, fmt.Errorf("composite curve: segment %d is not a bounded curve", i+1)
		}
		c.starts = append(c.starts, c.starts[i]+dom.Length())
	}
	return c, nil
}

// bounds returns the box of every segment. They are made at the first question.
func (c *Composite) bounds() []geom.Box {
	c.boxed.Do(func() {
		c.boxes = make([]geom.Box, len(c.segments))
		for i, s := range c.segments {
			c.boxes[i] = s.Bounds(s.Domain())
		}
	})
	return c.boxes
}

// Kind returns KindComposite.
func (c *Composite) Kind() Kind { return KindComposite }

// Segments returns the segments; they must not be modified.
func (c *Composite) Segments() []Curve { return c.segments }

// Domain returns the interval from 0 to the sum of the lengths of the segments' domains.
func (c *Composite) Domain() geom.Interval { return geom.Interval{Hi: c.starts[len(c.segments)]} }

// Period returns the length of the domain of a closed chain, 0 for an open one.
func (c *Composite) Period() float64 {
	if c.closed {
		return c.Domain().Hi
	}
	return 0
}

// locate returns the segment of t and the parameter on it.
func (c *Composite) locate(t float64) (Curve, float64) {
	if dom := c.Domain(); c.closed && (t < 0 || t > dom.Hi) {
		t = dom.Wrap(t)
	}
	i := sort.SearchFloat64s(c.starts[1:len(c.segments)], t)
	if i < len(c.segments)-1 && c.starts[i+1] == t {
		i++
	}
	return c.segments[i], c.local(i, t)
}

// local returns the parameter on segment i, exact at its ends.
func (c *Composite) local(i int, t float64) float64 {
	dom := c.segments[i].Domain()
	switch t {
	case c.starts[i]:
		return dom.Lo
	case c.starts[i+1]:
		return dom.Hi
	}
	return dom.Lo + (t - c.starts[i])
}

// At returns the point at t.
func (c *Composite) At(t float64) geom.Vec3 {
	s, x := c.locate(t)
	return s.At(x)
}

// D1 returns the point and the first derivative at t; at a joint the one to the right.
func (c *Composite) D1(t float64) (p, d1 geom.Vec3) {
	s, x := c.locate(t)
	return s.D1(x)
}

// D2 returns the point, first and second derivative at t.
func (c *Composite) D2(t float64) (p, d1, d2 geom.Vec3) {
	s, x := c.locate(t)
	return s.D2(x)
}

func (c *Composite) d3(t float64) geom.Vec3 {
	s, x := c.locate(t)
	return third(s, x)
}

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c *Composite) Invert(p geom.Vec3) (t, dist float64) {
	t, dist = c.InvertIn(p, c.Domain())
	if c.closed {
		t = c.Domain().Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part over iv. Segments whose box is farther than the best point are
// skipped.
func (c *Composite) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	dist = math.Inf(1)
	boxes := c.bounds()
	c.each(iv, func(i int, part geom.Interval, start float64) {
		if boxDist2(&boxes[i], p) >= dist*dist {
			return
		}
		if x, d := InvertIn(c.segments[i], p, part); d < dist {
			t, dist = start+(x-part.Lo), d
		}
	})
	return iv.Clamp(t), dist
}

// each calls f for every segment that iv touches, in order, with the part of the segment's own domain
// inside iv and the parameter of the chain, inside iv, at which that part starts.
func (c *Composite) each(iv geom.Interval, f func(i int, part geom.Interval, start float64)) {
	dom := c.Domain()
	if !c.closed {
		c.eachInside(clip(iv, dom), 0, f)
		return
	}
	lo := dom.Wrap(iv.Lo)
	hi := lo + min(iv.Length(), dom.Hi)
	c.eachInside(geom.Interval{Lo: lo, Hi: min(hi, dom.Hi)}, iv.Lo-lo, f)
	if hi > dom.Hi {
		c.eachInside(geom.Interval{Hi: hi - dom.Hi}, iv.Lo-lo+dom.Hi, f)
	}
}

func (c *Composite) eachInside(
	iv geom.Interval, shift float64, f func(i int, part geom.Interval, start float64),
) {
	for i := range c.segments {
		lo, hi := max(iv.Lo, c.starts[i]), min(iv.Hi, c.starts[i+1])
		// A part of no length counts only when nothing else does, at the very end of an empty range.
		if lo < hi || lo == hi && iv.Lo == iv.Hi {
			f(i, geom.Interval{Lo: c.local(i, lo), Hi: c.local(i, hi)}, lo+shift)
		}
	}
}

// Bounds returns the box of the parts over iv.
func (c *Composite) Bounds(iv geom.Interval) geom.Box {
	b := geom.EmptyBox()
	c.each(iv, func(i int, part geom.Interval, _ float64) { b = b.Union(c.segments[i].Bounds(part)) })
	return b
}

// Breaks appends the joints and the breaks of the segments strictly inside iv.
func (c *Composite) Breaks(dst []float64, iv geom.Interval) []float64 {
	c.each(iv, func(i int, part geom.Interval, start float64) {
		if start > iv.Lo {
			dst = append(dst, start)
		}
		n := len(dst)
		dst = Breaks(dst, c.segments[i], part)
		for k := range dst[n:] {
			dst[n+k] += start - part.Lo
		}
	})
	return dst
}

// Transform returns the image; the segments' domains have the lengths of their images' domains.
func (c *Composite) Transform(m geom.Transform) Curve {
	d := &Composite{starts: make([]float64, 1, len(c.starts)), closed: c.closed}
	for i, s := range c.segments {
		image := s.Transform(m)
		d.segments = append(d.segments, image)
		d.starts = append(d.starts, d.starts[i]+image.Domain().Length())
	}
	return d
}

// TransformParam returns the parameter that t becomes under Transform.
func (c *Composite) TransformParam(m geom.Transform, t float64) float64 {
	total, turns := 0.0, 0.0
	if dom := c.Domain(); c.closed && (t < 0 || t > dom.Hi) {
		w := dom.Wrap(t)
		turns = math.Round((t - w) / dom.Hi)
		t = w
	}
	at := math.Inf(-1)
	for i, s := range c.segments {
		image := TransformRange(s, m, s.Domain())
		if math.IsInf(at, -1) && (t <= c.starts[i+1] || i == len(c.segments)-1) {
			at = total + (transformParam(s, m, c.local(i, t)) - image.Lo)
		}
		total += image.Length()
	}
	return at + turns*total
}
