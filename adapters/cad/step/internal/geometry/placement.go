package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
)

// Scope reads geometry in the units of one representation context.
type Scope struct {
	*Document
	Units
	left *int // further pieces allowed for the current composite; nil outside of a composite
}

// MaxExtent (mm) is the largest credible coordinate or radius, a million kilometers. It prevents overflow.
const MaxExtent = 1e12

// MaxChain bounds chains of curves or surfaces defined by others: trimmed, replicated, offset, swept.
const MaxChain = 16

// maxPieces limits the segments of a composite curve and the patches of a composite surface, including nested
// composites, which could otherwise grow without bound.
const maxPieces = 1 << 14

// inComposite returns the scope in which the pieces of a composite are read: they count together.
func (s *Scope) inComposite() *Scope {
	if s.left != nil {
		return s
	}
	left := maxPieces
	return &Scope{Document: s.Document, Units: s.Units, left: &left}
}

// count takes one more piece of the composite r.
func (s *Scope) count(r part21.Ref) error {
	if *s.left--; *s.left < 0 {
		return s.Fail(r, "is made of more than %d pieces", maxPieces)
	}
	return nil
}

// Kind returns the name that determines how a geometric instance is read: its own name, or for a complex instance the
// first of the candidates among its partial entities.
func (d *Document) Kind(r part21.Ref, candidates []part21.Keyword) part21.Keyword {
	if r == part21.Missing {
		return part21.NoKeyword
	}
	if !d.File.IsComplex(r) {
		return d.File.Keyword(r)
	}
	for _, k := range candidates {
		if _, ok := d.File.Partial(r, k); ok {
			return k
		}
	}
	return part21.NoKeyword
}

// Own returns the attributes that entity k itself declares: a simple instance has the name of the
// representation item before them, a partial entity does not.
func (d *Document) Own(r part21.Ref, k part21.Keyword) part21.Args {
	a, _ := d.File.Partial(r, k)
	if !d.File.IsComplex(r) {
		a.Skip(1)
	}
	return a
}

// triple reads the up to three numbers of a point or direction; coordinates not given are 0.
func (d *Document) triple(r part21.Ref, k part21.Keyword, what string) (geom.Vec3, error) {
	if d.Kind(r, []part21.Keyword{k}) != k {
		return geom.Vec3{}, d.WrongType(r, what)
	}
	a := d.Own(r, k)
	list := a.List()
	var v [3]float64
	n := 0
	for ; n < 3 && list.More(); n++ {
		v[n] = list.Real()
	}
	a.Join(list)
	if err := d.Check(r, &a); err != nil {
		return geom.Vec3{}, err
	}
	p := geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
	if n == 0 || !p.IsFinite() {
		return geom.Vec3{}, d.Fail(r, "has no finite coordinates")
	}
	return p, nil
}

// Point reads a CARTESIAN_POINT in mm.
func (s *Scope) Point(r part21.Ref) (geom.Vec3, error) {
	p, err := s.triple(r, schema.CartesianPoint, "a point")
	if p = p.Scale(s.Length); err == nil && !(p.Norm() <= MaxExtent) {
		err = s.Fail(r, "lies %.3g mm away from the origin", p.Norm())
	}
	return p, err
}

// points reads a list of points in mm.
func (s *Scope) points(list *part21.Args) ([]geom.Vec3, error) {
	out := make([]geom.Vec3, 0, list.Len())
	for list.More() {
		r := list.Ref()
		if r == part21.Missing {
			return nil, nil // the caller's check names the missing item
		}
		p, err := s.Point(r)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// direction reads a DIRECTION as a unit vector; an unset one is zero.
func (d *Document) direction(r part21.Ref) (geom.Vec3, error) {
	if r == part21.Missing {
		return geom.Vec3{}, nil
	}
	v, err := d.triple(r, schema.Direction, "a direction")
	return v.Unit(), err
}

// vector reads a VECTOR: a unit direction and a magnitude in mm.
func (s *Scope) vector(r part21.Ref) (dir geom.Vec3, magnitude float64, err error) {
	if s.Kind(r, nil) != schema.Vector {
		return dir, 0, s.WrongType(r, "a vector")
	}
	a := s.Own(r, schema.Vector)
	orientation, magnitude := a.Ref(), a.Real()
	if err := s.Check(r, &a); err != nil {
		return dir, 0, err
	}
	dir, err = s.direction(orientation)
	if err == nil && dir == (geom.Vec3{}) {
		err = s.Fail(orientation, "has no length")
	}
	return dir, magnitude * s.Length, err
}

// heading reads a VECTOR of which only the direction is used, so its length may be zero: writers give such vectors to
// the lines of degenerate edges.
func (s *Scope) heading(r part21.Ref) (geom.Vec3, error) {
	dir, magnitude, err := s.vector(r)
	if magnitude < 0 {
		dir = dir.Neg()
	}
	return dir, err
}

// Frame reads an AXIS2_PLACEMENT_3D, or a two-dimensional placement as a frame in the plane z = 0, in mm. Axis and
// reference direction are optional; the defaults are z and x. The reference direction need not be perpendicular to the
// axis. If it is parallel, another direction is used.
func (s *Scope) Frame(r part21.Ref) (geom.Frame, error) {
	k := s.Kind(r, nil)
	if k != schema.Axis2Placement3d && k != schema.Axis2Placement2d {
		return geom.Frame{}, s.WrongType(r, "a placement")
	}
	a := s.Own(r, k)
	location, axis := a.Ref(), part21.Missing
	if k == schema.Axis2Placement3d {
		axis = a.OptRef()
	}
	ref := a.OptRef()
	if err := s.Check(r, &a); err != nil {
		return geom.Frame{}, err
	}
	origin, err := s.Point(location)
	if err != nil {
		return geom.Frame{}, err
	}
	z, err := s.direction(axis)
	if err != nil {
		return geom.Frame{}, err
	}
	x, err := s.direction(ref)
	if err != nil {
		return geom.Frame{}, err
	}
	if x == (geom.Vec3{}) {
		x = geom.Vec3{X: 1}
	}
	return geom.NewFrame(origin, z, x), nil
}

// axis reads an AXIS1_PLACEMENT: a point in mm and a unit direction, z when unset.
func (s *Scope) axis(r part21.Ref) (origin, dir geom.Vec3, err error) {
	if s.Kind(r, nil) != schema.Axis1Placement {
		return origin, dir, s.WrongType(r, "an axis")
	}
	a := s.Own(r, schema.Axis1Placement)
	location, axis := a.Ref(), a.OptRef()
	if err = s.Check(r, &a); err != nil {
		return origin, dir, err
	}
	if origin, err = s.Point(location); err != nil {
		return origin, dir, err
	}
	if dir, err = s.direction(axis); err == nil && dir == (geom.Vec3{}) {
		dir = geom.Vec3{Z: 1}
	}
	return origin, dir, err
}

// Operator reads a CARTESIAN_TRANSFORMATION_OPERATOR_3D: axes, origin and a uniform scale. The third
// axis may make it a mirroring.
func (s *Scope) Operator(r part21.Ref) (geom.Transform, error) {
	var axis1, axis2, axis3, origin part21.Ref
	var scale float64
	var hasScale bool
	if s.File.IsComplex(r) {
		base, _ := s.File.Partial(r, schema.CartesianTransformationOperator)
		third, _ := s.File.Partial(r, schema.CartesianTransformationOperator3d)
		axis1, axis2, origin = base.OptRef(), base.OptRef(), base.Ref()
		scale, hasScale = base.OptReal()
		axis3 = third.OptRef()
		base.Join(third)
		if err := s.Check(r, &base); err != nil {
			return geom.Identity, err
		}
	} else {
		a := s.File.Args(r)
		for a.Len() > 5 {
			a.Skip(1) // names and descriptions of the supertypes
		}
		axis1, axis2, origin = a.OptRef(), a.OptRef(), a.Ref()
		scale, hasScale = a.OptReal()
		axis3 = a.OptRef()
		if err := s.Check(r, &a); err != nil {
			return geom.Identity, err
		}
	}
	if !hasScale {
		scale = 1
	}
	if scale <= 0 {
		return geom.Identity, s.Fail(r, "has a scale of %g", scale)
	}
	at, err := s.Point(origin)
	if err != nil {
		return geom.Identity, err
	}
	var axes [3]geom.Vec3
	for i, ref := range []part21.Ref{axis1, axis2, axis3} {
		if axes[i], err = s.direction(ref); err != nil {
			return geom.Identity, err
		}
	}
	return operatorTransform(axes, at, scale), nil
}

// operatorTransform orthonormalizes the axes of a transformation operator as function base_axis of ISO 10303-42 does:
// the third axis is kept, the first is made perpendicular to it, and the second keeps its side. An omitted third axis
// is z, unless the others do not lie in the plane z = 0.
func operatorTransform(axes [3]geom.Vec3, origin geom.Vec3, scale float64) geom.Transform {
	const level = 1e-9 // sine of the angle up to which an axis lies in the plane z = 0
	z := axes[2]
	if z == (geom.Vec3{}) {
		z = geom.Vec3{Z: 1}
		if math.Max(math.Abs(axes[0].Z), math.Abs(axes[1].Z)) > level {
			if n := axes[0].Cross(axes[1]).Unit(); n != (geom.Vec3{}) {
				z = n
			}
		}
	}
	x := axes[0]
	if x == (geom.Vec3{}) {
		x = geom.Vec3{X: 1}
	}
	f := geom.NewFrame(origin, z, x)
	if axes[1].Dot(f.Y) < 0 {
		f.Y = f.Y.Neg()
	}
	return geom.Transform{X: f.X.Scale(scale), Y: f.Y.Scale(scale), Z: f.Z.Scale(scale), T: origin}
}
