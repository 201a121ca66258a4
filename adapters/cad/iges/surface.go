package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// patch is a surface with its parameter range in the file. The range bounds a face that has no boundary.
type patch struct {
	s    surface.Surface
	u, v geom.Interval
	// flipped: the normal of s is opposite to the normal in the file, where u and v are swapped.
	flipped bool
	params  *plane // nil: the file's parameters are unknown
}

// whole is a surface over its whole domain.
func whole(s surface.Surface) patch {
	u, v := s.Domain()
	return patch{s: s, u: u, v: v}
}

// parametrized is a surface with the parameters of the file.
func parametrized(s surface.Surface) patch {
	out := whole(s)
	out.params = &plane{first: same(out.u), second: same(out.v)}
	return out
}

// transform moves the surface; parameters that are lengths grow with it.
func (p *patch) transform(t geom.Transform) {
	u, v := surface.ParamScale(p.s, t)
	p.s = p.s.Transform(t)
	stretch := func(iv *geom.Interval, by float64) { iv.Lo, iv.Hi = iv.Lo*by, iv.Hi*by }
	stretch(&p.u, u)
	stretch(&p.v, v)
	if p.params == nil {
		return
	}
	q := *p.params
	if q.swapped {
		u, v = v, u
	}
	stretch(&q.first.to, u)
	stretch(&q.second.to, v)
	p.params = &q
}

// isBounded reports whether the limits of the surface bound a face.
func (p *patch) isBounded() bool { return p.u.IsFinite() && p.v.IsFinite() }

// surface reads a surface. Faces with one surface entity share the result.
func (r *reader) surface(e *deck.Entity) (patch, error) {
	if s, ok := r.patches[e.DE]; ok {
		return s, nil
	}
	if err := r.enter(e); err != nil {
		return patch{}, err
	}
	defer r.popEntity()
	s, err := r.rawSurface(e)
	if err != nil {
		return patch{}, err
	}
	t, err := r.placement(e)
	if err != nil {
		return patch{}, err
	}
	if t != geom.Identity {
		s.transform(t)
	}
	r.patches[e.DE] = s
	return s, nil
}

// isSurface reports whether a surface can be read from entities of the type.
func isSurface(kind int32) bool {
	switch kind {
	case 108, 114, 118, 120, 122, 128, 140, 190, 192, 194, 196, 198:
		return true
	}
	return false
}

// rawSurface reads a surface in its own definition space.
func (r *reader) rawSurface(e *deck.Entity) (patch, error) {
	p := r.file.Params(e)
	switch e.Type {
	case 108:
		return r.plane(e, p)
	case 114:
		return r.parametricSplineSurface(e, p)
	case 118:
		return r.ruledSurface(e, p)
	case 120:
		return r.revolution(e, p)
	case 122:
		return r.tabulatedCylinder(e, p)
	case 128:
		return r.splineSurface(e, p)
	case 140:
		return r.offsetSurface(e, p)
	case 190, 192, 194, 196, 198:
		return r.analytic(e, p)
	}
	return patch{}, deck.Fail(e, "is not a readable surface")
}

// plane reads A·x + B·y + C·z = D (108).
func (r *reader) plane(e *deck.Entity, p deck.Params) (patch, error) {
	n := direction(&p)
	d := p.Real() * r.mm
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	if n.Unit() == (geom.Vec3{}) {
		return patch{}, deck.Fail(e, "has no normal")
	}
	z := n.Unit()
	return whole(surface.Plane{Frame: geom.NewFrame(n.Scale(d/n.Norm2()), z, z.Perp())}), nil
}

// revolution reads a surface of revolution (120).
func (r *reader) revolution(e *deck.Entity, p deck.Params) (patch, error) {
	axis, generatrix := p.Pointer(), p.Pointer()
	from, to := p.Real(), p.RealOr(2*math.Pi)
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	a, err := r.atKind(e, axis, 110)
	if err != nil {
		return patch{}, err
	}
	o, dir, err := r.axis(a)
	if err != nil {
		return patch{}, err
	}
	profile, along, err := r.profile(e, generatrix)
	if err != nil {
		return patch{}, err
	}
	s, err := surface.NewRevolution(profile, o, dir)
	if err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	out := whole(s)
	out.flipped = true // the file's first parameter belongs to the profile
	out.params = &plane{first: angleParameter, second: angleParameter, swapped: true}
	out.params.first = parameter{file: along, to: out.v}
	if to < from {
		to += 2 * math.Pi
	}
	if turn := to - from; turn > 0 && turn < 2*math.Pi*(1-closes) {
		out.u = geom.Interval{Lo: from, Hi: to} // u starts at the profile, as in the file
	}
	return out, nil
}

// axis reads a line (110) of any form, bounded or not, as a point and a direction.
func (r *reader) axis(e *deck.Entity) (o, dir geom.Vec3, err error) {
	p := r.file.Params(e)
	a, b := r.point(&p), r.point(&p)
	if err := p.Err(); err != nil {
		return o, dir, err
	}
	t, err := r.placement(e)
	if err == nil && b.Sub(a).Unit() == (geom.Vec3{}) {
		err = deck.Fail(e, "has no length and cannot be an axis")
	}
	return t.Point(a), t.Dir(b.Sub(a)), err
}

// profile reads the curve that a surface is swept from, which must be one piece. It returns the curve with the piece as
// its domain, and the parameter range in the file.
func (r *reader) profile(of *deck.Entity, de int) (curve.Curve, geom.Interval, error) {
	var file geom.Interval
	e, err := r.at(of, de)
	if err != nil {
		return nil, file, err
	}
	pieces, err := r.curve(e)
	if err != nil {
		return nil, file, err
	}
	arrange(pieces)
	segments := make([]curve.Curve, len(pieces))
	for i := range pieces {
		if segments[i], err = pieces[i].curve(); err != nil {
			return nil, file, deck.Fail(e, "has no valid geometry: %v", err)
		}
		file.Hi += pieces[i].parameters().Length()
	}
	if len(segments) == 1 {
		return segments[0], pieces[0].parameters(), nil
	}
	c, err := curve.NewComposite(segments)
	if err != nil {
		return nil, file, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return c, file, nil
}

// tabulatedCylinder reads a curve moved along a line (122); the line ends at a given point and starts where
// the curve does.
func (r *reader) tabulatedCylinder(e *deck.Entity, p deck.Params) (patch, error) {
	directrix := p.Pointer()
	end := r.point(&p)
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	c, profile, err := r.profile(e, directrix)
	if err != nil {
		return patch{}, err
	}
	along := end.Sub(c.At(c.Domain().Lo))
	s, err := surface.NewExtrusion(c, along)
	if err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	out := whole(s)
	_, _, dv := s.D1(c.Domain().Lo, 0)
	out.v = geom.Interval{Hi: along.Norm() / dv.Norm()}
	out.params = &plane{first: parameter{file: profile, to: out.u},
		second: parameter{file: unitRange, to: out.v, isFixed: true}}
	return out, nil
}

// offsetSurface reads an offset surface (140). The file gives the side as a direction at the middle of the domain.
func (r *reader) offsetSurface(e *deck.Entity, p deck.Params) (patch, error) {
	side := direction(&p)
	distance := p.Real() * r.mm
	base, err := r.at(e, p.Pointer())
	if err != nil {
		return patch{}, err
	}
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	out, err := r.surface(base)
	if err != nil {
		return patch{}, err
	}
	mid := geom.Vec2{}
	if out.u.IsFinite() {
		mid.X = out.u.Mid()
	}
	if out.v.IsFinite() {
		mid.Y = out.v.Mid()
	}
	if out.s.Normal(mid.X, mid.Y).Dot(side) < 0 {
		distance = -distance
	}
	if out.s, err = surface.NewOffset(out.s, distance); err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return out, nil
}

// analytic reads the elementary surfaces (190 to 198).
func (r *reader) analytic(e *deck.Entity, p deck.Params) (patch, error) {
	location := p.Pointer()
	axis, reference := 0, 0
	var a, b float64
	switch e.Type {
	case 190:
		axis = p.Pointer()
	case 196:
		a = p.Real()
		if e.Form == 1 {
			axis = p.Pointer()
		}
	case 192:
		axis, a = p.Pointer(), p.Real()
	default:
		axis, a, b = p.Pointer(), p.Real(), p.Real()
	}
	if e.Form == 1 {
		reference = p.Pointer()
	}
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	f, err := r.frameOf(e, location, axis, reference)
	if err != nil {
		return patch{}, err
	}
	a *= r.mm
	out, err := elementary(e, f, a, b, r.mm)
	if err == nil && e.Form == 1 {
		out.params = &plane{first: angleParameter, second: r.lengthParameter()}
		switch e.Type {
		case 190:
			out.params.first = r.lengthParameter()
		case 196, 198:
			out.params.second = angleParameter
		}
	}
	return out, err
}

// elementary is the surface of an entity in a frame with the parameters a (mm) and b (a length in units of mm
// each, or an angle in degrees).
func elementary(e *deck.Entity, f geom.Frame, a, b, mm float64) (patch, error) {
	var s surface.Surface
	switch e.Type {
	case 190:
		return whole(surface.Plane{Frame: f}), nil
	case 192:
		s = surface.Cylinder{Frame: f, Radius: a}
	case 194:
		if !(math.Abs(b) > 0 && math.Abs(b) < 90) || a < 0 {
			return patch{}, deck.Fail(e, "has no valid radius or angle")
		}
		if b < 0 { // the radius decreases along the axis
			f.Y, f.Z, b = f.Y.Neg(), f.Z.Neg(), -b
		}
		return whole(surface.Cone{Frame: f, Radius: a, HalfAngle: geom.Radians(b)}), nil
	case 196:
		s = surface.Sphere{Frame: f, Radius: a}
	default:
		b *= mm
		// the format forbids that the tube crosses the axis; where it does the skin is meant
		s = surface.DefaultTorusPart(f, a, b)
		if !(b > 0) || math.IsInf(b, 0) {
			return patch{}, deck.Fail(e, "has no valid radius")
		}
	}
	if !(a > 0) || math.IsInf(a, 0) {
		return patch{}, deck.Fail(e, "has no valid radius")
	}
	return whole(s), nil
}
