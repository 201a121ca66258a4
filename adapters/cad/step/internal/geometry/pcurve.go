package geometry

import (
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pcurve reads a curve that is given only in the parameter plane of a surface. Its coordinates are in
// the file's units of the surface parameters, which may differ between u and v.
func (s *Scope) pcurve(r part21.Ref, depth int) (curve.Curve, error) {
	a := s.Own(r, schema.Pcurve)
	if s.Kind(r, nil) == schema.BoundedPcurve {
		a = s.Own(r, schema.BoundedPcurve)
	}
	on, definition := a.Ref(), a.Ref()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.surface(on, depth+1)
	if err != nil {
		return nil, err
	}
	if s.Kind(definition, nil) != schema.DefinitionalRepresentation {
		return nil, s.WrongType(definition, "a curve in a parameter plane")
	}
	b := s.Own(definition, schema.DefinitionalRepresentation)
	items := b.List()
	item := items.Ref()
	b.Join(items)
	if err := s.Check(definition, &b); err != nil {
		return nil, err
	}
	plane := Scope{Document: s.Document, Units: s.Units}
	plane.Length = 1
	flat, err := plane.curve(item, depth+1)
	if err != nil {
		return nil, err
	}
	fu, fv := s.surfaceUnits(on, 0)
	if flat, err = s.stretch(item, flat, fu, fv); err != nil {
		return nil, err
	}
	return surface.NewOnSurface(base, flat), nil
}

// stretch scales a curve in the plane z = 0 by fu along x and fv along y.
func (s *Scope) stretch(r part21.Ref, c curve.Curve, fu, fv float64) (curve.Curve, error) {
	scaled := func(p geom.Vec3) geom.Vec3 { return geom.Vec3{X: fu * p.X, Y: fv * p.Y} }
	scaledAll := func(points []geom.Vec3) []geom.Vec3 {
		out := make([]geom.Vec3, len(points))
		for i, p := range points {
			out[i] = scaled(p)
		}
		return out
	}
	switch c := c.(type) {
	case curve.Line:
		return curve.Line{Origin: scaled(c.Origin), Dir: scaled(c.Dir).Unit()}, nil
	case *curve.BSpline:
		b, err := curve.NewBSpline(c.Degree(), c.Knots().Flat(), scaledAll(c.Points()), c.Weights(), false)
		return s.built(r, b, err)
	case *curve.Trimmed:
		if line, ok := c.Base.(curve.Line); ok && fu != fv {
			ends := []geom.Vec3{line.At(c.Range.Lo), line.At(c.Range.Hi)}
			if c.Reversed {
				ends[0], ends[1] = ends[1], ends[0]
			}
			p, err := curve.NewPolyline(scaledAll(ends))
			return s.built(r, p, err)
		}
		base, err := s.stretch(r, c.Base, fu, fv)
		if err != nil {
			return nil, err
		}
		t, err := curve.NewTrimmed(base, c.Range, c.Reversed)
		return s.built(r, t, err)
	}
	if fu == fv {
		return c.Transform(geom.Scaling(fu)), nil
	}
	return nil, s.Fail(r, "is a conic in a parameter plane with different units, which cannot be read")
}
