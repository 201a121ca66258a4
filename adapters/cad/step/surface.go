package step

import (
	"math"

	"millwright/adapters/cad/step/part21"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// surfaceKinds are the names that decide how a complex surface instance is read.
var surfaceKinds = []part21.Keyword{kwBSplineSurface, kwRectangularTrimmedSurface, kwCurveBoundedSurface}

// surface reads any surface in mm and radians.
func (s *scope) surface(r part21.Ref, depth int) (surface.Surface, error) {
	if depth > maxChain {
		return nil, s.fail(r, "is defined by too long a chain of surfaces, or by itself")
	}
	switch k := s.kind(r, surfaceKinds); k {
	case kwPlane, kwCylindricalSurface, kwConicalSurface, kwSphericalSurface, kwToroidalSurface,
		kwDegenerateToroidalSurface:
		return s.elementary(r, k)
	case kwBSplineSurface, kwBSplineSurfaceWithKnots, kwBezierSurface, kwUniformSurface, kwQuasiUniformSurface:
		return s.splineSurface(r)
	case kwSurfaceOfLinearExtrusion, kwSurfaceOfRevolution:
		return s.swept(r, k, depth)
	case kwOffsetSurface, kwCurveBoundedSurface, kwSurfaceReplica, kwRectangularTrimmedSurface:
		return s.derived(r, k, depth)
	}
	return nil, s.wrongType(r, "a surface")
}

func (s *scope) elementary(r part21.Ref, k part21.Keyword) (surface.Surface, error) {
	a := s.own(r, k)
	position := a.Ref()
	var p, q float64
	var outer bool
	switch k {
	case kwCylindricalSurface, kwSphericalSurface:
		p = a.Real() * s.length
	case kwConicalSurface:
		p, q = a.Real()*s.length, a.Real()*s.angle
	case kwToroidalSurface, kwDegenerateToroidalSurface:
		p, q = a.Real()*s.length, a.Real()*s.length
		outer = k == kwDegenerateToroidalSurface && a.Enum() != kwF
	}
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	f, err := s.frame(position)
	if err != nil {
		return nil, err
	}
	isFinite := p+q <= maxExtent
	switch {
	case k == kwPlane:
		return surface.Plane{Frame: f}, nil
	case k == kwCylindricalSurface && p > 0 && isFinite:
		return surface.Cylinder{Frame: f, Radius: p}, nil
	case k == kwSphericalSurface && p > 0 && isFinite:
		return surface.Sphere{Frame: f, Radius: p}, nil
	case k == kwConicalSurface && p > 0 && isFinite && math.Abs(q) <= geom.AngularResolution:
		return surface.Cylinder{Frame: f, Radius: p}, nil
	case k == kwConicalSurface && p >= 0 && isFinite && math.Abs(q) < math.Pi/2 && q != 0:
		return surface.Cone{Frame: f, Radius: p, HalfAngle: q}, nil
	case k == kwToroidalSurface && p >= 0 && q > 0 && isFinite:
		return surface.Torus{Frame: f, Major: p, Minor: q}, nil
	case k == kwDegenerateToroidalSurface && p >= 0 && q > 0 && isFinite:
		part := surface.Lemon
		if outer {
			part = surface.Apple
		}
		return surface.Torus{Frame: f, Major: p, Minor: q, Part: part}, nil
	}
	return nil, s.fail(r, "has impossible dimensions (%g, %g)", p, q)
}

// swept reads a curve moved along a direction or turned about an axis. The length of the extrusion's
// vector only scales a parameter that no one refers to.
func (s *scope) swept(r part21.Ref, k part21.Keyword, depth int) (surface.Surface, error) {
	a := s.own(r, k)
	profile, along := a.Ref(), a.Ref()
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	c, err := s.curve(profile, depth+1)
	if err != nil {
		return nil, err
	}
	var made surface.Surface
	if k == kwSurfaceOfLinearExtrusion {
		dir, err := s.heading(along)
		if err != nil {
			return nil, err
		}
		made, err = surface.NewExtrusion(c, dir)
		if err != nil {
			return nil, s.fail(r, "has no valid geometry: %v", err)
		}
		return made, nil
	}
	origin, dir, err := s.axis(along)
	if err != nil {
		return nil, err
	}
	if made, err = surface.NewRevolution(c, origin, dir); err != nil {
		return nil, s.fail(r, "has no valid geometry: %v", err)
	}
	return made, nil
}

// derived reads surfaces made from another one.
func (s *scope) derived(r part21.Ref, k part21.Keyword, depth int) (surface.Surface, error) {
	a := s.own(r, k)
	parent := a.Ref()
	var distance float64
	var operator part21.Ref
	switch k {
	case kwOffsetSurface:
		distance = a.Real() * s.length
	case kwSurfaceReplica:
		operator = a.Ref()
	}
	if err := s.check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.surface(parent, depth+1)
	if err != nil {
		return nil, err
	}
	switch k {
	case kwOffsetSurface:
		made, err := surface.NewOffset(base, distance)
		if err != nil {
			return nil, s.fail(r, "has no valid geometry: %v", err)
		}
		return made, nil
	case kwSurfaceReplica:
		t, err := s.operator(operator)
		if err != nil {
			return nil, err
		}
		return base.Transform(t), nil
	case kwRectangularTrimmedSurface:
		return s.rectangle(r, &a, parent, base)
	}
	return base, nil // the face's own loops bound it, those of the surface say the same
}

// rectangle cuts base to the parameter rectangle that is next among the parameters.
func (s *scope) rectangle(
	r part21.Ref, a *part21.Args, parent part21.Ref, base surface.Surface,
) (surface.Surface, error) {
	fu, fv := s.surfaceUnits(parent, 0)
	u := geom.Interval{Lo: a.Real() * fu, Hi: a.Real() * fu}
	v := geom.Interval{Lo: a.Real() * fv, Hi: a.Real() * fv}
	senseU, senseV := a.Enum() != kwF, a.Enum() != kwF
	if err := s.check(r, a); err != nil {
		return nil, err
	}
	made, err := surface.NewTrimmed(base, u, v, senseU, senseV)
	if err != nil {
		return nil, s.fail(r, "has no valid geometry: %v", err)
	}
	return made, nil
}

// surfaceUnits are the factors from surface parameters of the file to those of package surface.
func (s *scope) surfaceUnits(r part21.Ref, depth int) (u, v float64) {
	k := s.kind(r, surfaceKinds)
	switch k {
	case kwPlane:
		return s.length, s.length
	case kwCylindricalSurface:
		return s.angle, s.length
	case kwConicalSurface:
		return s.angle, s.length
	case kwSphericalSurface, kwToroidalSurface, kwDegenerateToroidalSurface:
		return s.angle, s.angle
	case kwSurfaceOfLinearExtrusion, kwSurfaceOfRevolution:
		a := s.own(r, k)
		f, err := s.parameterUnit(a.Ref())
		if err != nil {
			f = 1
		}
		if k == kwSurfaceOfRevolution {
			return s.angle, f
		}
		_, magnitude, err := s.vector(a.Ref())
		if err != nil {
			return f, s.length
		}
		return f, math.Abs(magnitude)
	case kwOffsetSurface, kwCurveBoundedSurface, kwSurfaceReplica, kwRectangularTrimmedSurface:
		if a := s.own(r, k); depth < maxChain && a.IsRef() {
			return s.surfaceUnits(a.Ref(), depth+1)
		}
	}
	return 1, 1
}
