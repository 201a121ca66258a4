package curve

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Trimmed is the part of Base over Range. Its parameter is the parameter of Base; when Reversed it runs in the opposite
// direction over the same range, where t maps to Range.Lo + Range.Hi - t.
type Trimmed struct {
	Base     Curve
	Range    geom.Interval
	Reversed bool
}

// periodMargin is the fraction of a period by which a range may miss it and still be a whole turn.
const periodMargin = 1e-9

// NewTrimmed checks the range. The range of an open curve is cut to its domain and must not be empty. On a periodic
// curve Hi is raised or lowered by periods until it lies above Lo by at most one period, and equal ends mean a full
// turn.
func NewTrimmed(base Curve, iv geom.Interval, reversed bool) (*Trimmed, error) {
	if base == nil {
		return nil, errors.New("trimmed curve: no basis curve")
	}
	if math.IsNaN(iv.Lo) || math.IsNaN(iv.Hi) {
		return nil, errors.New("trimmed curve: a trim parameter is not a number")
	}
	if period := base.Period(); period > 0 {
		if !iv.IsFinite() {
			return nil, errors.New("trimmed curve: a trim parameter is infinite")
		}
		length := geom.Interval{Hi: period}.Wrap(iv.Hi - iv.Lo)
		if slack := periodMargin * period; length < slack || length > period-slack {
			length = period
		}
		if iv.Hi-iv.Lo != length {
			iv.Hi = iv.Lo + length
		}
	} else {
		iv = clip(iv, base.Domain())
	}
	if !(iv.Hi > iv.Lo) {
		return nil, fmt.Errorf("trimmed curve: the range %g … %g is empty", iv.Lo, iv.Hi)
	}
	return &Trimmed{Base: base, Range: iv, Reversed: reversed}, nil
}

// Kind returns KindTrimmed.
func (c *Trimmed) Kind() Kind { return KindTrimmed }

// Domain returns Range.
func (c *Trimmed) Domain() geom.Interval { return c.Range }

// Period returns the length of Range if that is a whole period of Base, otherwise 0.
func (c *Trimmed) Period() float64 {
	period := c.Base.Period()
	if period > 0 && c.Range.Length() >= period*(1-periodMargin) {
		return c.Range.Length()
	}
	return 0
}

// flip exchanges a parameter of the trimmed curve and of Base.
func (c *Trimmed) flip(t float64) float64 {
	if !c.Reversed {
		return t
	}
	switch t { // the ends without rounding
	case c.Range.Lo:
		return c.Range.Hi
	case c.Range.Hi:
		return c.Range.Lo
	}
	return c.Range.Lo + (c.Range.Hi - t)
}

func (c *Trimmed) flipRange(iv geom.Interval) geom.Interval {
	if c.Reversed {
		return geom.Interval{Lo: c.flip(iv.Hi), Hi: c.flip(iv.Lo)}
	}
	return iv
}

func (c *Trimmed) sign() float64 {
	if c.Reversed {
		return -1
	}
	return 1
}

// At returns the point at t.
func (c *Trimmed) At(t float64) geom.Vec3 { return c.Base.At(c.flip(t)) }

// D1 returns the point and the first derivative at t.
func (c *Trimmed) D1(t float64) (p, d1 geom.Vec3) {
	p, d1 = c.Base.D1(c.flip(t))
	return p, d1.Scale(c.sign())
}

// D2 returns the point, first and second derivative at t.
func (c *Trimmed) D2(t float64) (p, d1, d2 geom.Vec3) {
	p, d1, d2 = c.Base.D2(c.flip(t))
	return p, d1.Scale(c.sign()), d2
}

func (c *Trimmed) d3(t float64) geom.Vec3 { return third(c.Base, c.flip(t)).Scale(c.sign()) }

// Invert returns the parameter in Range of the point closest to p and the distance from p to it.
func (c *Trimmed) Invert(p geom.Vec3) (t, dist float64) {
	t, dist = c.InvertIn(p, c.Range)
	if c.Period() > 0 {
		t = c.Range.Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part over iv.
func (c *Trimmed) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	if c.Period() == 0 {
		iv = clip(iv, c.Range)
	}
	t, dist = InvertIn(c.Base, p, c.flipRange(iv))
	return iv.Clamp(c.flip(t)), dist
}

// Bounds returns the box of Base over the same part.
func (c *Trimmed) Bounds(iv geom.Interval) geom.Box {
	if c.Period() == 0 {
		iv = clip(iv, c.Range)
	}
	return c.Base.Bounds(c.flipRange(iv))
}

// Breaks appends the breaks of Base.
func (c *Trimmed) Breaks(dst []float64, iv geom.Interval) []float64 {
	n := len(dst)
	dst = Breaks(dst, c.Base, c.flipRange(iv))
	if c.Reversed {
		added := dst[n:]
		for i, j := 0, len(added)-1; i <= j; i, j = i+1, j-1 {
			added[i], added[j] = c.flip(added[j]), c.flip(added[i])
		}
	}
	return dst
}

// Transform returns the image; its range is the range of the image of Base.
func (c *Trimmed) Transform(m geom.Transform) Curve {
	return &Trimmed{
		Base: c.Base.Transform(m), Range: TransformRange(c.Base, m, c.Range), Reversed: c.Reversed,
	}
}

// TransformParam returns the parameter that t becomes under Transform.
func (c *Trimmed) TransformParam(m geom.Transform, t float64) float64 {
	image := Trimmed{Range: TransformRange(c.Base, m, c.Range), Reversed: c.Reversed}
	return image.flip(transformParam(c.Base, m, c.flip(t)))
}
