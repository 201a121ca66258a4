package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// curveKinds are the names that decide how a complex curve instance is read, most specific first.
var curveKinds = []part21.Keyword{
	schema.BSplineCurve, schema.TrimmedCurve, schema.CompositeCurve,
	schema.SeamCurve, schema.IntersectionCurve, schema.SurfaceCurve,
	schema.Pcurve, schema.Polyline,
}

// Curve reads any curve in mm. A curve on a surface gives its curve in space.
func (s *Scope) Curve(r part21.Ref) (curve.Curve, error) { return s.curve(r, 0) }

// curve is Curve at some depth of a chain of curves defined by others.
func (s *Scope) curve(r part21.Ref, depth int) (curve.Curve, error) {
	if depth > MaxChain {
		return nil, s.Fail(r, "is defined by too long a chain of curves, or by itself")
	}
	switch k := s.Kind(r, curveKinds); k {
	case schema.Line:
		return s.line(r)
	case schema.Circle, schema.Ellipse, schema.Hyperbola, schema.Parabola:
		return s.conic(r, k)
	case schema.Polyline:
		a := s.Own(r, k)
		points, err := s.pointList(r, &a)
		if err != nil {
			return nil, err
		}
		c, err := curve.NewPolyline(points)
		return s.built(r, c, err)
	case schema.BSplineCurve, schema.BSplineCurveWithKnots, schema.BezierCurve,
		schema.UniformCurve, schema.QuasiUniformCurve:
		return s.splineCurve(r)
	case schema.SurfaceCurve, schema.SeamCurve, schema.IntersectionCurve, schema.BoundedSurfaceCurve:
		space, err := s.spaceCurve(r)
		if err != nil {
			return nil, err
		}
		return s.curve(space, depth+1)
	case schema.TrimmedCurve:
		return s.trimmed(r, depth)
	case schema.CompositeCurve, schema.CompositeCurveOnSurface, schema.BoundaryCurve, schema.OuterBoundaryCurve:
		return s.composite(r, k, depth)
	case schema.Pcurve, schema.BoundedPcurve:
		return s.pcurve(r, depth)
	case schema.OffsetCurve3d:
		return s.offsetCurve(r, depth)
	case schema.CurveReplica:
		a := s.Own(r, k)
		parent, operator := a.Ref(), a.Ref()
		if err := s.Check(r, &a); err != nil {
			return nil, err
		}
		t, err := s.Operator(operator)
		if err != nil {
			return nil, err
		}
		base, err := s.curve(parent, depth+1)
		if err != nil {
			return nil, err
		}
		return base.Transform(t), nil
	}
	return nil, s.WrongType(r, "a curve")
}

// built turns the error of a geometry constructor into a failure naming r.
func (s *Scope) built(r part21.Ref, c curve.Curve, err error) (curve.Curve, error) {
	if err != nil {
		return nil, s.Fail(r, "has no valid geometry: %v", err)
	}
	return c, nil
}

// pointList reads a list of points that is the next parameter of r.
func (s *Scope) pointList(r part21.Ref, a *part21.Args) ([]geom.Vec3, error) {
	list := a.List()
	points, err := s.points(&list)
	if err != nil {
		return nil, err
	}
	a.Join(list)
	return points, s.Check(r, a)
}

func (s *Scope) line(r part21.Ref) (curve.Curve, error) {
	a := s.Own(r, schema.Line)
	at, along := a.Ref(), a.Ref()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	origin, err := s.Point(at)
	if err != nil {
		return nil, err
	}
	dir, err := s.heading(along)
	if err != nil {
		return nil, err
	}
	return curve.Line{Origin: origin, Dir: dir}, nil
}

func (s *Scope) conic(r part21.Ref, k part21.Keyword) (curve.Curve, error) {
	a := s.Own(r, k)
	position := a.Ref()
	p := a.Real() * s.Length
	q := p
	if k == schema.Ellipse || k == schema.Hyperbola {
		q = a.Real() * s.Length
	}
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	if !(p > 0 && q > 0 && p+q <= MaxExtent) {
		return nil, s.Fail(r, "has a radius or axis of %g mm", math.Min(p, q))
	}
	f, err := s.Frame(position)
	if err != nil {
		return nil, err
	}
	switch k {
	case schema.Circle:
		return curve.Circle{Frame: f, Radius: p}, nil
	case schema.Ellipse:
		return curve.Ellipse{Frame: f, Major: p, Minor: q}, nil
	case schema.Hyperbola:
		return curve.Hyperbola{Frame: f, Major: p, Minor: q}, nil
	}
	return curve.Parabola{Frame: f, Focal: p}, nil
}

// spaceCurve returns the curve_3d of a curve on surfaces. If it is missing, the result is the first pcurve of its
// surfaces.
func (s *Scope) spaceCurve(r part21.Ref) (part21.Ref, error) {
	k := s.Kind(r, curveKinds)
	a := s.Own(r, k)
	if s.File.IsComplex(r) {
		a, _ = s.File.Partial(r, schema.SurfaceCurve) // the subtypes declare no attributes
	}
	space := a.OptRef()
	associated := a.List()
	if space != part21.Missing {
		return space, nil
	}
	for associated.More() {
		if g := associated.OptRef(); s.Kind(g, []part21.Keyword{schema.Pcurve}) == schema.Pcurve {
			return g, nil
		}
	}
	if err := s.Check(r, &a); err != nil {
		return space, err
	}
	return space, s.Fail(r, "has no curve in space and none on a surface")
}

// Basis removes wrappers that do not change the points of an edge's curve: the trims, which the edge's vertices
// replace, and the pcurves. reversed is true if the given curve has the opposite direction of the returned one.
func (s *Scope) Basis(r part21.Ref) (base part21.Ref, reversed bool, err error) {
	for depth := 0; ; depth++ {
		if depth > MaxChain {
			return r, false, s.Fail(r, "is defined by too long a chain of curves, or by itself")
		}
		switch k := s.Kind(r, curveKinds); k {
		case schema.SurfaceCurve, schema.SeamCurve, schema.IntersectionCurve, schema.BoundedSurfaceCurve:
			space, err := s.spaceCurve(r)
			if err != nil {
				return r, false, err
			}
			r = space
		case schema.TrimmedCurve:
			a := s.Own(r, k)
			next := a.Ref()
			a.Skip(2)
			sense := a.Enum()
			if err := s.Check(r, &a); err != nil {
				return r, false, err
			}
			reversed = reversed != (sense == schema.F)
			r = next
		default:
			return r, reversed, nil
		}
	}
}

func (s *Scope) trimmed(r part21.Ref, depth int) (curve.Curve, error) {
	a := s.Own(r, schema.TrimmedCurve)
	basis := a.Ref()
	trim1, trim2 := a.List(), a.List()
	sense := a.Enum()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.curve(basis, depth+1)
	if err != nil {
		return nil, err
	}
	from, err := s.trim(r, basis, base, trim1)
	if err != nil {
		return nil, err
	}
	to, err := s.trim(r, basis, base, trim2)
	if err != nil {
		return nil, err
	}
	iv := geom.Interval{Lo: from, Hi: to}
	if sense == schema.F {
		iv = geom.Interval{Lo: to, Hi: from}
	}
	c, err := curve.NewTrimmed(base, iv, sense == schema.F)
	return s.built(r, c, err)
}

// trim returns the parameter of one end of a trimmed curve. A set of trims may contain a parameter, a point or both.
// The point has precedence over the master representation, because parameters depend on the unit of angle and on the
// length of a line's vector, which many writers get wrong.
func (s *Scope) trim(r, basis part21.Ref, base curve.Curve, set part21.Args) (float64, error) {
	value, hasValue := 0.0, false
	for set.More() {
		switch {
		case set.IsRef():
			at := set.Ref()
			if err := s.Check(r, &set); err != nil {
				return 0, err
			}
			p, err := s.Point(at)
			if err != nil {
				return 0, err
			}
			t, _ := base.Invert(p)
			return t, nil
		case set.IsUnset():
			set.Skip(1)
		default:
			value, hasValue = set.Real(), true
		}
	}
	if err := s.Check(r, &set); err != nil {
		return 0, err
	}
	if !hasValue {
		return 0, s.Fail(r, "does not say where it ends")
	}
	factor, err := s.parameterUnit(basis)
	return value * factor, err
}

// parameterUnit is the factor from parameters of the file to parameters of package curve: lines count in lengths of
// their vector, circles and ellipses in the file's unit of angle.
func (s *Scope) parameterUnit(r part21.Ref) (float64, error) {
	base, _, err := s.Basis(r)
	if err != nil {
		return 1, err
	}
	switch s.Kind(base, curveKinds) {
	case schema.Line:
		a := s.Own(base, schema.Line)
		a.Skip(1)
		_, magnitude, err := s.vector(a.Ref())
		return math.Abs(magnitude), err
	case schema.Circle, schema.Ellipse:
		return s.Angle, nil
	}
	return 1, nil
}

func (s *Scope) composite(r part21.Ref, k part21.Keyword, depth int) (curve.Curve, error) {
	s = s.inComposite()
	var segments []curve.Curve
	err := s.eachSegment(r, k, func(segment, parent part21.Ref, sense bool) error {
		c, err := s.curve(parent, depth+1)
		if err != nil {
			return err
		}
		if !sense {
			t, err := curve.NewTrimmed(c, c.Domain(), true)
			if c, err = s.built(segment, t, err); err != nil {
				return err
			}
		}
		segments = append(segments, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	c, err := curve.NewComposite(segments)
	return s.built(r, c, err)
}

func (s *Scope) offsetCurve(r part21.Ref, depth int) (curve.Curve, error) {
	a := s.Own(r, schema.OffsetCurve3d)
	basis, distance := a.Ref(), a.Real()*s.Length
	a.Skip(1)
	towards := a.Ref()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.curve(basis, depth+1)
	if err != nil {
		return nil, err
	}
	ref, err := s.direction(towards)
	if err != nil {
		return nil, err
	}
	c, err := curve.NewOffset(base, distance, ref)
	return s.built(r, c, err)
}
