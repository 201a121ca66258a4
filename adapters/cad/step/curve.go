package step

import (
	"math"

	"millwright/adapters/cad/step/part21"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// curveKinds are the names that decide how a complex curve instance is read, most specific first.
var curveKinds = []part21.Keyword{
	kwBSplineCurve, kwTrimmedCurve, kwCompositeCurve, kwSeamCurve, kwIntersectionCurve, kwSurfaceCurve,
	kwPcurve, kwPolyline,
}

// curve reads any curve in mm. A curve on a surface gives its curve in space.
func (s *scope) curve(r part21.Ref, depth int) (curve.Curve, error) {
	if depth > maxChain {
		return nil, s.fail(r, "is defined by too long a chain of curves, or by itself")
	}
	switch k := s.kind(r, curveKinds); k {
	case kwLine:
		return s.line(r)
	case kwCircle, kwEllipse, kwHyperbola, kwParabola:
		return s.conic(r, k)
	case kwPolyline:
		a := s.own(r, k)
		points, err := s.pointList(r, &a)
		if err != nil {
			return nil, err
		}
		c, err := curve.NewPolyline(points)
		return s.built(r, c, err)
	case kwBSplineCurve, kwBSplineCurveWithKnots, kwBezierCurve, kwUniformCurve, kwQuasiUniformCurve:
		return s.splineCurve(r)
	case kwSurfaceCurve, kwSeamCurve, kwIntersectionCurve, kwBoundedSurfaceCurve:
		space, err := s.spaceCurve(r)
		if err != nil {
			return nil, err
		}
		return s.curve(space, depth+1)
	case kwTrimmedCurve:
		return s.trimmed(r, depth)
	case kwCompositeCurve, kwCompositeCurveOnSurface, kwBoundaryCurve, kwOuterBoundaryCurve:
		return s.composite(r, k, depth)
	case kwPcurve, kwBoundedPcurve:
		return s.pcurve(r, depth)
	case kwOffsetCurve3d:
		return s.offsetCurve(r, depth)
	case kwCurveReplica:
		a := s.own(r, k)
		parent, operator := a.Ref(), a.Ref()
		if err := s.check(r, &a); err != nil {
			return nil, err
		}
		t, err := s.operator(operator)
		if err != nil {
			return nil, err
		}
		base, err := s.curve(parent, depth+1)
		if err != nil {
			return nil, err
		}
		return base.Transform(t), nil
	}
	return nil, s.wrongType(r, "a curve")
}

// built turns the error of a geometry constructor into a failure naming r.
func (s *scope) built(r part21.Ref, c curve.Curve, err error) (curve.Curve, error) {
	if err != nil {
		return nil, s.fail(r, "has no valid geometry: %v", err)
	}
	return c, nil
}

// pointList reads a list of points that is the next parameter of r.
func (s *scope) pointList(r part21.Ref, a *part21.Args) ([]geom.Vec3, error) {
	list := a.List()
	points, err := s.points(&list)
	if err != nil {
		return nil, err
	}
	a.Join(list)
	return points, s.check(r, a)
}

func (s *scope) line(r part21.Ref) (curve.Curve, error) {
	a := s.own(r, kwLine)
	at, along := a.Ref(), a.Ref()
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	origin, err := s.point(at)
	if err != nil {
		return nil, err
	}
	dir, err := s.heading(along)
	if err != nil {
		return nil, err
	}
	return curve.Line{Origin: origin, Dir: dir}, nil
}

func (s *scope) conic(r part21.Ref, k part21.Keyword) (curve.Curve, error) {
	a := s.own(r, k)
	position := a.Ref()
	p := a.Real() * s.length
	q := p
	if k == kwEllipse || k == kwHyperbola {
		q = a.Real() * s.length
	}
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	if !(p > 0 && q > 0 && p+q <= maxExtent) {
		return nil, s.fail(r, "has a radius or axis of %g mm", math.Min(p, q))
	}
	f, err := s.frame(position)
	if err != nil {
		return nil, err
	}
	switch k {
	case kwCircle:
		return curve.Circle{Frame: f, Radius: p}, nil
	case kwEllipse:
		return curve.Ellipse{Frame: f, Major: p, Minor: q}, nil
	case kwHyperbola:
		return curve.Hyperbola{Frame: f, Major: p, Minor: q}, nil
	}
	return curve.Parabola{Frame: f, Focal: p}, nil
}

// spaceCurve returns the curve_3d of a curve on surfaces.
func (s *scope) spaceCurve(r part21.Ref) (part21.Ref, error) {
	k := s.kind(r, curveKinds)
	a := s.own(r, k)
	if s.file.IsComplex(r) {
		a, _ = s.file.Partial(r, kwSurfaceCurve) // the subtypes declare nothing of their own
	}
	space := a.Ref()
	return space, s.check(r, &a)
}

// basis strips what does not change the points of an edge's curve: the trims, which the edge's vertices
// replace, and the curves in parameter planes. reversed: the curve given runs against the one returned.
func (s *scope) basis(r part21.Ref) (base part21.Ref, reversed bool, err error) {
	for depth := 0; ; depth++ {
		if depth > maxChain {
			return r, false, s.fail(r, "is defined by too long a chain of curves, or by itself")
		}
		switch k := s.kind(r, curveKinds); k {
		case kwSurfaceCurve, kwSeamCurve, kwIntersectionCurve, kwBoundedSurfaceCurve:
			space, err := s.spaceCurve(r)
			if err != nil {
				return r, false, err
			}
			r = space
		case kwTrimmedCurve:
			a := s.own(r, k)
			next := a.Ref()
			a.Skip(2)
			sense := a.Enum()
			if err := s.check(r, &a); err != nil {
				return r, false, err
			}
			reversed = reversed != (sense == kwF)
			r = next
		default:
			return r, reversed, nil
		}
	}
}

func (s *scope) trimmed(r part21.Ref, depth int) (curve.Curve, error) {
	a := s.own(r, kwTrimmedCurve)
	basis := a.Ref()
	trim1, trim2 := a.List(), a.List()
	sense := a.Enum()
	if err := s.check(r, &a); err != nil {
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
	if sense == kwF {
		iv = geom.Interval{Lo: to, Hi: from}
	}
	c, err := curve.NewTrimmed(base, iv, sense == kwF)
	return s.built(r, c, err)
}

// trim returns the parameter of one end of a trimmed curve. A set of trims may hold a parameter, a
// point or both; the point is preferred whatever the master representation, because parameters depend
// on the unit of angle and on the length of a line's vector, which many writers mistake.
func (s *scope) trim(r, basis part21.Ref, base curve.Curve, set part21.Args) (float64, error) {
	value, hasValue := 0.0, false
	for set.More() {
		switch {
		case set.IsRef():
			at := set.Ref()
			if err := s.check(r, &set); err != nil {
				return 0, err
			}
			p, err := s.point(at)
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
	if err := s.check(r, &set); err != nil {
		return 0, err
	}
	if !hasValue {
		return 0, s.fail(r, "does not say where it ends")
	}
	factor, err := s.parameterUnit(basis)
	return value * factor, err
}

// parameterUnit is the factor from parameters of the file to those of package curve: lines count in
// lengths of their vector, circles and ellipses in the file's unit of angle.
func (s *scope) parameterUnit(r part21.Ref) (float64, error) {
	base, _, err := s.basis(r)
	if err != nil {
		return 1, err
	}
	switch s.kind(base, curveKinds) {
	case kwLine:
		a := s.own(base, kwLine)
		a.Skip(1)
		_, magnitude, err := s.vector(a.Ref())
		return math.Abs(magnitude), err
	case kwCircle, kwEllipse:
		return s.angle, nil
	}
	return 1, nil
}

func (s *scope) composite(r part21.Ref, k part21.Keyword, depth int) (curve.Curve, error) {
	a := s.own(r, k)
	list := a.List()
	var segments []curve.Curve
	for list.More() {
		segment := list.Ref()
		if segment == part21.Missing {
			break
		}
		sk := s.kind(segment, []part21.Keyword{kwCompositeCurveSegment})
		if sk != kwCompositeCurveSegment && sk != kwReparametrisedCompositeCurveSegment {
			return nil, s.wrongType(segment, "a segment of a composite curve")
		}
		b, _ := s.file.Partial(segment, sk)
		b.Skip(1) // transition
		sense, parent := b.Enum(), b.Ref()
		if err := s.check(segment, &b); err != nil {
			return nil, err
		}
		c, err := s.curve(parent, depth+1)
		if err != nil {
			return nil, err
		}
		if sense == kwF {
			t, err := curve.NewTrimmed(c, c.Domain(), true)
			if c, err = s.built(segment, t, err); err != nil {
				return nil, err
			}
		}
		segments = append(segments, c)
	}
	a.Join(list)
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	c, err := curve.NewComposite(segments)
	return s.built(r, c, err)
}

func (s *scope) offsetCurve(r part21.Ref, depth int) (curve.Curve, error) {
	a := s.own(r, kwOffsetCurve3d)
	basis, distance := a.Ref(), a.Real()*s.length
	a.Skip(1)
	towards := a.Ref()
	if err := s.check(r, &a); err != nil {
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
