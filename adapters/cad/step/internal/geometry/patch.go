package geometry

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep/trimface"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Patch is a bounded piece of a surface without a face.
type Patch struct {
	Surface  surface.Surface
	Reversed bool                         // the piece's normal is the opposite of the surface's
	Loops    [][]trimface.BoundarySegment // see trimface.AddFace; empty for a closed surface
}

// boundedKinds are the surfaces that are bounded by definition; others may be, too.
var boundedKinds = []part21.Keyword{schema.RectangularTrimmedSurface, schema.CurveBoundedSurface,
	schema.RectangularCompositeSurface, schema.SurfaceReplica, schema.BSplineSurface}

// IsPatch reports whether r is a surface that may be bounded.
func (d *Document) IsPatch(r part21.Ref) bool {
	switch d.Kind(r, boundedKinds) {
	case schema.RectangularTrimmedSurface, schema.CurveBoundedSurface, schema.RectangularCompositeSurface,
		schema.SurfaceReplica, schema.BSplineSurface, schema.BSplineSurfaceWithKnots, schema.BezierSurface,
		schema.UniformSurface, schema.QuasiUniformSurface, schema.OffsetSurface, schema.SphericalSurface,
		schema.ToroidalSurface, schema.DegenerateToroidalSurface:
		return true
	}
	return false
}

// Patches reads a bounded surface. Without bounding curves, its parameter range is the boundary.
func (s *Scope) Patches(r part21.Ref) ([]Patch, error) { return s.patches(r, 0) }

func (s *Scope) patches(r part21.Ref, depth int) ([]Patch, error) {
	if depth > MaxChain {
		return nil, s.Fail(r, "is defined by too long a chain of surfaces, or by itself")
	}
	switch k := s.Kind(r, boundedKinds); k {
	case schema.CurveBoundedSurface:
		return s.curveBounded(r, depth)
	case schema.RectangularCompositeSurface:
		return s.compositeSurface(r, depth)
	case schema.SurfaceReplica:
		return s.replicas(r, depth)
	}
	made, err := s.surface(r, depth)
	if err != nil {
		return nil, err
	}
	return s.rectangularPatch(r, made)
}

// rectangularPatch is the whole of a surface over its parameter rectangle.
func (s *Scope) rectangularPatch(r part21.Ref, made surface.Surface) ([]Patch, error) {
	p := Patch{Surface: made}
	u, v := made.Domain()
	if t, ok := made.(*surface.Trimmed); ok {
		p.Surface, p.Reversed = t.Base, t.SenseU != t.SenseV
	}
	var err error
	if p.Loops, err = trimface.Rectangle(p.Surface, u, v); err != nil {
		return nil, s.Fail(r, "cannot be used: %v", err)
	}
	return []Patch{p}, nil
}

// curveBounded reads a surface bounded by 3-D curves, and also by its own rectangle if its flag says so.
func (s *Scope) curveBounded(r part21.Ref, depth int) ([]Patch, error) {
	a := s.Own(r, schema.CurveBoundedSurface)
	basis, list := a.Ref(), a.List()
	implicit := a.Enum() == schema.T
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	base, err := s.surface(basis, depth+1)
	if err != nil {
		return nil, err
	}
	s = s.inComposite()
	p := Patch{Surface: base}
	if t, ok := base.(*surface.Trimmed); ok && !implicit {
		p.Surface, p.Reversed = t.Base, t.SenseU != t.SenseV
	}
	for list.More() {
		boundary := list.Ref()
		if boundary == part21.Missing {
			break
		}
		pieces, err := s.pieces(boundary, depth+1)
		if err != nil {
			return nil, err
		}
		p.Loops = append(p.Loops, pieces)
	}
	if err := s.Check(r, &list); err != nil {
		return nil, err
	}
	if implicit || len(p.Loops) == 0 {
		outer, err := s.rectangularPatch(r, base)
		if err != nil {
			return nil, err
		}
		outer[0].Loops = append(outer[0].Loops, p.Loops...)
		return outer, nil
	}
	return []Patch{p}, nil
}

// compositeSurface reads a grid of patches.
func (s *Scope) compositeSurface(r part21.Ref, depth int) ([]Patch, error) {
	s = s.inComposite()
	a := s.Own(r, schema.RectangularCompositeSurface)
	rows := a.List()
	var out []Patch
	for rows.More() {
		row := rows.List()
		for row.More() {
			cell := row.Ref()
			if cell == part21.Missing {
				break
			}
			if err := s.count(r); err != nil {
				return nil, err
			}
			if s.Kind(cell, []part21.Keyword{schema.SurfacePatch}) != schema.SurfacePatch {
				return nil, s.WrongType(cell, "a patch of a surface")
			}
			b, _ := s.File.Partial(cell, schema.SurfacePatch)
			parent := b.Ref()
			b.Skip(2) // transitions
			senseU, senseV := b.Enum() != schema.F, b.Enum() != schema.F
			if err := s.Check(cell, &b); err != nil {
				return nil, err
			}
			list, err := s.patches(parent, depth+1)
			if err != nil {
				return nil, err
			}
			for i := range list {
				list[i].Reversed = list[i].Reversed != (senseU != senseV)
			}
			out = append(out, list...)
		}
		rows.Join(row)
	}
	a.Join(rows)
	return out, s.Check(r, &a)
}

// replicas reads a moved copy of a bounded surface.
func (s *Scope) replicas(r part21.Ref, depth int) ([]Patch, error) {
	a := s.Own(r, schema.SurfaceReplica)
	parent, operator := a.Ref(), a.Ref()
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	t, err := s.Operator(operator)
	if err != nil {
		return nil, err
	}
	out, err := s.patches(parent, depth+1)
	for i := range out {
		out[i].Surface = out[i].Surface.Transform(t)
		for _, loop := range out[i].Loops {
			for k := range loop {
				p := &loop[k]
				p.Range = curve.TransformRange(p.Curve, t, p.Range)
				p.Curve = p.Curve.Transform(t)
			}
		}
	}
	return out, err
}

// pieces reads a boundary curve: the segments of a composite curve, or one closed curve.
func (s *Scope) pieces(r part21.Ref, depth int) ([]trimface.BoundarySegment, error) {
	if depth > MaxChain {
		return nil, s.Fail(r, "is defined by too long a chain of curves, or by itself")
	}
	switch k := s.Kind(r, curveKinds); k {
	case schema.CompositeCurve, schema.CompositeCurveOnSurface, schema.BoundaryCurve, schema.OuterBoundaryCurve:
		var out []trimface.BoundarySegment
		s = s.inComposite()
		err := s.eachSegment(r, k, func(_, parent part21.Ref, sense bool) error {
			list, err := s.pieces(parent, depth+1)
			if !sense {
				slices.Reverse(list)
				for i := range list {
					list[i].Reversed = !list[i].Reversed
				}
			}
			out = append(out, list...)
			return err
		})
		return out, err
	}
	c, err := s.curve(r, depth)
	if err != nil {
		return nil, err
	}
	p := trimface.BoundarySegment{Curve: c, Range: c.Domain()}
	if t, ok := c.(*curve.Trimmed); ok {
		p = trimface.BoundarySegment{Curve: t.Base, Range: t.Range, Reversed: t.Reversed}
	}
	if !p.Range.IsFinite() || p.Range.Length() <= 0 {
		return nil, s.Fail(r, "has no ends and bounds nothing")
	}
	return []trimface.BoundarySegment{p}, nil
}

// eachSegment visits the segments of a composite curve of kind k. The scope is the scope of its segments.
func (s *Scope) eachSegment(
	r part21.Ref, k part21.Keyword, visit func(segment, parent part21.Ref, sense bool) error,
) error {
	a := s.Own(r, schema.CompositeCurve)
	if !s.File.IsComplex(r) {
		a = s.Own(r, k)
	}
	list := a.List()
	for list.More() {
		segment := list.Ref()
		if segment == part21.Missing {
			break
		}
		sk := s.Kind(segment, []part21.Keyword{schema.CompositeCurveSegment})
		if sk != schema.CompositeCurveSegment && sk != schema.ReparametrizedCompositeCurveSegment {
			return s.WrongType(segment, "a segment of a composite curve")
		}
		if err := s.count(r); err != nil {
			return err
		}
		b, _ := s.File.Partial(segment, sk)
		b.Skip(1) // transition
		sense, parent := b.Enum() != schema.F, b.Ref()
		if err := s.Check(segment, &b); err != nil {
			return err
		}
		if err := visit(segment, parent, sense); err != nil {
			return err
		}
	}
	a.Join(list)
	return s.Check(r, &a)
}

// IsWhole reports whether a surface covers the whole domain of its base surface.
func IsWhole(s surface.Surface) bool {
	t, ok := s.(*surface.Trimmed)
	if !ok {
		return true
	}
	u, v := t.Base.Domain()
	return t.U == u && t.V == v
}

// Unbounded returns the surface of a face that has its own loops. It drops the bounds of a rectangular surface, which
// are redundant at best. reversed reports whether its normal is the opposite.
func Unbounded(s surface.Surface) (base surface.Surface, reversed bool) {
	for {
		t, ok := s.(*surface.Trimmed)
		if !ok {
			return s, reversed
		}
		s, reversed = t.Base, reversed != (t.SenseU != t.SenseV)
	}
}
