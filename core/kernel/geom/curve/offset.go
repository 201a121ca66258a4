package curve

import (
	"errors"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
)

// Offset is the OFFSET_CURVE_3D of ISO 10303-42: Base + Distance·N with the unit vector N along
// Ref × T, T being the tangent of Base. Where T vanishes or is parallel to Ref, N is zero.
//
// Inversion and bounds come from a Table, since an offset has no closed form.
type Offset struct {
	Base     Curve
	Distance float64   // mm, negative for the other side
	Ref      geom.Vec3 // unit vector

	sampled sync.Once
	samples *SampleTable
}

// NewOffset builds the offset of base. The offset of a line is a line, and the offset of a circle in a plane
// perpendicular to ref is a circle as long as its radius stays positive. Any other base must have a bounded domain.
func NewOffset(base Curve, distance float64, ref geom.Vec3) (Curve, error) {
	if base == nil {
		return nil, errors.New("offset curve: no basis curve")
	}
	ref = ref.Unit()
	if ref == (geom.Vec3{}) {
		return nil, errors.New("offset curve: the reference direction is zero")
	}
	switch b := base.(type) {
	case Line:
		b.Origin = b.Origin.AddScaled(distance, ref.Cross(b.Dir).Unit())
		return b, nil
	case Circle:
		axis := b.Frame.X.Cross(b.Frame.Y)
		if r := b.Radius - distance*axis.Dot(ref); r > 0 && axis.Cross(ref).Norm() <= geom.AngularResolution {
			b.Radius = r
			return b, nil
		}
	}
	if !base.Domain().IsFinite() {
		return nil, errors.New("offset curve: the basis curve is unbounded")
	}
	return &Offset{Base: base, Distance: distance, Ref: ref}, nil
}

// table is made at the first question.
func (c *Offset) table() *SampleTable {
	c.sampled.Do(func() { c.samples = NewTable(c, c.Domain()) })
	return c.samples
}

// Kind returns KindOffset.
func (c *Offset) Kind() Kind { return KindOffset }

// Domain returns the domain of Base.
func (c *Offset) Domain() geom.Interval { return c.Base.Domain() }

// Period returns the period of Base.
func (c *Offset) Period() float64 { return c.Base.Period() }

// At returns the point at t.
func (c *Offset) At(t float64) geom.Vec3 {
	p, d1 := c.Base.D1(t)
	return p.AddScaled(c.Distance, c.Ref.Cross(d1).Unit())
}

// D1 returns the point and the first derivative at t.
func (c *Offset) D1(t float64) (p, d1 geom.Vec3) {
	b, b1, b2 := c.Base.D2(t)
	n, n1, _ := unitDerivs(c.Ref.Cross(b1), c.Ref.Cross(b2), geom.Vec3{})
	return b.AddScaled(c.Distance, n), b1.AddScaled(c.Distance, n1)
}

// D2 returns the point, first and second derivative at t.
func (c *Offset) D2(t float64) (p, d1, d2 geom.Vec3) {
	b, b1, b2 := c.Base.D2(t)
	n, n1, n2 := unitDerivs(c.Ref.Cross(b1), c.Ref.Cross(b2), c.Ref.Cross(third(c.Base, t)))
	return b.AddScaled(c.Distance, n), b1.AddScaled(c.Distance, n1), b2.AddScaled(c.Distance, n2)
}

// unitDerivs returns w/|w| and its first two derivatives from the derivatives of w.
func unitDerivs(w, w1, w2 geom.Vec3) (n, n1, n2 geom.Vec3) {
	l := w.Norm()
	if l == 0 {
		return n, n1, n2
	}
	n = w.Scale(1 / l)
	l1 := n.Dot(w1)
	n1 = w1.AddScaled(-l1, n).Scale(1 / l)
	l2 := n1.Dot(w1) + n.Dot(w2)
	return n, n1, w2.AddScaled(-l2, n).AddScaled(-2*l1, n1).Scale(1 / l)
}

// Invert returns the parameter in Domain of the point closest to p and the distance from p to it.
func (c *Offset) Invert(p geom.Vec3) (t, dist float64) {
	t, dist = c.InvertIn(p, c.Domain())
	if c.Period() > 0 {
		t = c.Domain().Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part over iv.
func (c *Offset) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	return c.table().InvertIn(p, iv)
}

// Bounds returns the box of the curve over iv.
func (c *Offset) Bounds(iv geom.Interval) geom.Box { return c.table().Bounds(iv) }

// Breaks appends the breaks of Base.
func (c *Offset) Breaks(dst []float64, iv geom.Interval) []float64 { return Breaks(dst, c.Base, iv) }

// Transform returns the image. A mirror reverses Ref × T, so it changes the sign of Distance.
func (c *Offset) Transform(m geom.Transform) Curve {
	d := &Offset{Base: c.Base.Transform(m), Distance: c.Distance * m.Scale(), Ref: m.Dir(c.Ref).Unit()}
	if m.IsMirror() {
		d.Distance = -d.Distance
	}
	return d
}

// TransformParam returns the parameter that t becomes under Transform.
func (c *Offset) TransformParam(m geom.Transform, t float64) float64 {
	return transformParam(c.Base, m, t)
}
