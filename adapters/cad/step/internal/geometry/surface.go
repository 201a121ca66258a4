package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// surfaceKinds are the names that decide how a complex surface instance is read.
var surfaceKinds = []part21.Keyword{schema.BSplineSurface, schema.RectangularTrimmedSurface,
	schema.CurveBoundedSurface}

// IsSurface reports whether r is of a kind that Surface reads.
func (d *Document) IsSurface(r part21.Ref) bool {
	switch d.Kind(r, surfaceKinds) {
	case schema.Plane, schema.CylindricalSurface, schema.ConicalSurface, schema.SphericalSurface,
		schema.ToroidalSurface, schema.DegenerateToroidalSurface, schema.BSplineSurface,
		schema.BSplineSurfaceWithKnots, schema.BezierSurface, schema.UniformSurface, schema.QuasiUniformSurface,
		schema.SurfaceOfLinearExtrusion, schema.SurfaceOfRevolution, schema.OffsetSurface,
		schema.CurveBoundedSurface, schema.SurfaceReplica, schema.RectangularTrimmedSurface,
		schema.RectangularCompositeSurface:
		return true
	}
	return false
}

// Surface reads any surface in mm and radians.
func (s *Scope) Surface(r part21.Ref) (surface.Surface, error) { return s.surface(r, 0) }

// surface is Surface at some depth of a chain of surfaces defined by others.
func (s *Scope) surface(r part21.Ref, depth int) (surface.Surface, error) {
	if depth > MaxChain {
		return nil, s.Fail(r, "is defined by too long a chain of surfaces, or by itself")
	}
	switch k := s.Kind(r, surfaceKinds); k {
	case schema.Plane, schema.CylindricalSurface, schema.ConicalSurface,
		schema.SphericalSurface, schema.ToroidalSurface,
		schema.DegenerateToroidalSurface:
		return s.elementary(r, k)
	case schema.BSplineSurface, schema.BSplineSurfaceWithKnots, schema.BezierSurface,
		schema.UniformSurface, schema.QuasiUniformSurface:
		return s.splineSurface(r)
	case schema.SurfaceOfLinearExtrusion, schema.SurfaceOfRevolution:
		return s.swept(r, k, depth)
	case schema.OffsetSurface, schema.CurveBoundedSurface, schema.SurfaceReplica,
		schema.RectangularTrimmedSurface:
		return s.derived(r, k, depth)
	case schema.RectangularCompositeSurface:
		list, err := s.patches(r, depth+1)
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, s.Fail(r, "consists of %d patches and is used as one surface", len(list))
		}
		return list[0].Surface, nil
	}
	return nil, s.WrongType(r, "a surface")
}

func (s *Scope) elementary(r part21.Ref, k part21.Keyword) (surface.Surface, error) {
	a := s.Own(r, k)
	position := a.Ref()
	var p, q float64
	var outer bool
	switch k {
	case schema.CylindricalSurface, schema.SphericalSurface:
		p = a.Real() * s.Length
	case schema.ConicalSurface:
		p, q = a.Real()*s.Length, a.Real()*s.Angle
	case schema.ToroidalSurface, schema.DegenerateToroidalSurface:
		p, q = a.Real()*s.Length, a.Real()*s.Length
		outer = k == schema.DegenerateToroidalSurface && a.Enum() != schema.F
	}
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	f, err := s.Frame(position)
	if err != nil {
		return nil, err
	}
	isFinite := math.Abs(p)+q <= MaxExtent
	switch {
	case k == schema.Plane:
		return surface.Plane{Frame: f}, nil
	case k == schema.CylindricalSurface && p > 0 && isFinite:
		return surface.Cylinder{Frame: f, Radius: p}, nil
	case k == schema.SphericalSurface && p > 0 && isFinite:
		return surface.Sphere{Frame: f, Radius: p}, nil
	case k == schema.ConicalSurface && p > 0 && isFinite && math.Abs(q) <= geom.AngularResolution:
		return surface.Cylinder{Frame: f, Radius: p}, nil
	case k == schema.ConicalSurface && p >= 0 && isFinite && math.Abs(q) < math.Pi/2 && q != 0:
		return surface.Cone{Frame: f, Radius: p, HalfAngle: q}, nil
	case k == schema.ToroidalSurface && q > max(0, -p) && isFinite:
		return torus(f, p, q)
	case k == schema.DegenerateToroidalSurface && p >= 0 && q > 0 && isFinite:
		part := surface.Lemon
		if outer {
			part = surface.Apple
		}
		return surface.Torus{Frame: f, Major: p, Minor: q, Part: part}, nil
	}
	return nil, s.Fail(r, "has impossible dimensions (%g, %g)", p, q)
}

// torus is a TOROIDAL_SURFACE. If its tube crosses the axis, which the standard forbids, kernels mean one of the two
// parts: the apple, or with a negative major radius the lemon, with an outward normal.
func torus(f geom.Frame, major, minor float64) (surface.Surface, error) {
	if major >= 0 {
		return surface.DefaultTorusPart(f, major, minor), nil
	}
	t := surface.Torus{Frame: f, Major: -major, Minor: minor, Part: surface.Lemon}
	u, v := t.Domain()
	return surface.NewTrimmed(t, u, v, true, false)
}

// swept reads an extrusion or a surface of revolution. The length of the extrusion's vector only scales a parameter
// that is never used.
func (s *Scope) swept(r part21.Ref, k part21.Keyword, depth int) (surface.Surface, error) {
	a := s.Own(r, k)
	profile, along := a.Ref(), a.Ref()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	c, err := s.curve(profile, depth+1)
	if err != nil {
		return nil, err
	}
	var made surface.Surface
	if k == schema.SurfaceOfLinearExtrusion {
		dir, err := s.heading(along)
		if err != nil {
			return nil, err
		}
		made, err = surface.NewExtrusion(c, dir)
		if err != nil {
			return nil, s.Fail(r, "has no valid geometry: %v", err)
		}
		return made, nil
	}
	origin, dir, err := s.axis(along)
	if err != nil {
		return nil, err
	}
	if made, err = surface.NewRevolution(meridian(c, origin, dir), origin, dir); err != nil {
		return nil, s.Fail(r, "has no valid geometry: %v", err)
	}
	return made, nil
}

// derived reads surfaces based on another surface.
func (s *Scope) derived(r part21.Ref, k part21.Keyword, depth int) (surface.Surface, error) {
	a := s.Own(r, k)
	parent := a.Ref()
	var distance float64
	var operator part21.Ref
	switch k {
	case schema.OffsetSurface:
		distance = a.Real() * s.Length
	case schema.SurfaceReplica:
		operator = a.Ref()
	}
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.surface(parent, depth+1)
	if err != nil {
		return nil, err
	}
	switch k {
	case schema.OffsetSurface:
		made, err := surface.NewOffset(base, distance)
		if err != nil {
			return nil, s.Fail(r, "has no valid geometry: %v", err)
		}
		return made, nil
	case schema.SurfaceReplica:
		t, err := s.Operator(operator)
		if err != nil {
			return nil, err
		}
		return base.Transform(t), nil
	case schema.RectangularTrimmedSurface:
		return s.rectangle(r, &a, parent, base)
	}
	return base, nil // the face's own loops bound it; bounds of the surface are redundant
}

// rectangle cuts base to the parameter rectangle that is next among the parameters.
func (s *Scope) rectangle(
	r part21.Ref, a *part21.Args, parent part21.Ref, base surface.Surface,
) (surface.Surface, error) {
	fu, fv := s.surfaceUnits(parent, 0)
	u := geom.Interval{Lo: a.Real() * fu, Hi: a.Real() * fu}
	v := geom.Interval{Lo: a.Real() * fv, Hi: a.Real() * fv}
	senseU, senseV := a.Enum() != schema.F, a.Enum() != schema.F
	if err := s.Check(r, a); err != nil {
		return nil, err
	}
	made, err := surface.NewTrimmed(base, u, v, senseU, senseV)
	if err != nil {
		return nil, s.Fail(r, "has no valid geometry: %v", err)
	}
	return made, nil
}

// surfaceUnits are the factors from surface parameters of the file to parameters of package surface.
func (s *Scope) surfaceUnits(r part21.Ref, depth int) (u, v float64) {
	k := s.Kind(r, surfaceKinds)
	switch k {
	case schema.Plane:
		return s.Length, s.Length
	case schema.CylindricalSurface:
		return s.Angle, s.Length
	case schema.ConicalSurface:
		return s.Angle, s.Length
	case schema.SphericalSurface, schema.ToroidalSurface, schema.DegenerateToroidalSurface:
		return s.Angle, s.Angle
	case schema.SurfaceOfLinearExtrusion, schema.SurfaceOfRevolution:
		a := s.Own(r, k)
		f, err := s.parameterUnit(a.Ref())
		if err != nil {
			f = 1
		}
		if k == schema.SurfaceOfRevolution {
			return s.Angle, f
		}
		_, magnitude, err := s.vector(a.Ref())
		if err != nil {
			return f, s.Length
		}
		return f, math.Abs(magnitude)
	case schema.OffsetSurface, schema.CurveBoundedSurface, schema.SurfaceReplica,
		schema.RectangularTrimmedSurface:
		if a := s.Own(r, k); depth < MaxChain && a.IsRef() {
			return s.surfaceUnits(a.Ref(), depth+1)
		}
	}
	return 1, 1
}
