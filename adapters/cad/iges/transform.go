package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
)

// skewed is the maximum deviation of a rotation matrix from an orthonormal one. Files have six digits, some have five.
const skewed = 1e-3

// maxScale is the largest scale of a matrix, and its inverse the smallest; other scales are errors.
const maxScale = 1e4

// placement returns the transformation of an entity: its matrix, then the matrix of that matrix, and so on; the
// identity if it has no matrix. Translations are in mm.
func (r *reader) placement(e *deck.Entity) (geom.Transform, error) {
	if e.Transform == 0 {
		return geom.Identity, nil
	}
	m, err := r.atKind(e, int(e.Transform), 124)
	if err != nil {
		return geom.Identity, err
	}
	return r.chain(m)
}

// chain returns a transformation matrix, followed by the matrices that it refers to.
func (r *reader) chain(m *deck.Entity) (geom.Transform, error) {
	if err := r.enter(m); err != nil {
		return geom.Identity, err
	}
	defer r.popEntity()
	own, err := r.matrix(m)
	if err != nil {
		return geom.Identity, err
	}
	outer, err := r.placement(m)
	return outer.Mul(own), err
}

// matrix reads a transformation matrix (124). Each of its rows ends with a component of the translation. The standard
// has no scaling matrix; a uniform one is accepted.
func (r *reader) matrix(e *deck.Entity) (geom.Transform, error) {
	if e.Form > 1 {
		return geom.Identity, deck.Fail(e, "is the coordinate system of a node, which moves no geometry")
	}
	p := r.file.Params(e)
	var a [12]float64
	p.Reals(a[:])
	if err := p.Err(); err != nil {
		return geom.Identity, err
	}
	x := geom.Vec3{X: a[0], Y: a[4], Z: a[8]}
	y := geom.Vec3{X: a[1], Y: a[5], Z: a[9]}
	z := geom.Vec3{X: a[2], Y: a[6], Z: a[10]}
	shift := geom.Vec3{X: a[3], Y: a[7], Z: a[11]}.Scale(r.mm)
	scale := math.Cbrt(math.Abs(x.Cross(y).Dot(z)))
	if math.Abs(scale-1) <= skewed {
		scale = 1
	}
	if scale == 0 {
		return geom.Identity, deck.Fail(e, "is not a rotation: it maps everything to a plane")
	}
	off := max(math.Abs(x.Dot(y)), math.Abs(y.Dot(z)), math.Abs(z.Dot(x)))/(scale*scale) +
		max(math.Abs(x.Norm()-scale), math.Abs(y.Norm()-scale), math.Abs(z.Norm()-scale))/scale
	if !(off <= 2*skewed && scale >= 1/maxScale && scale <= maxScale) || !shift.IsFinite() {
		return geom.Identity, deck.Fail(e, "is not a rotation: its columns are off by %.2g", off)
	}
	if scale != 1 {
		r.warn("scaled_matrix", "%s scales by %.6g; the standard has matrices that turn only", deck.Describe(e), scale)
	}
	// The Gram–Schmidt process removes the rounding; a reflection stays a reflection.
	mirror := x.Cross(y).Dot(z) < 0
	x = x.Unit()
	y = y.AddScaled(-y.Dot(x), x).Unit()
	z = x.Cross(y)
	if mirror {
		z = z.Neg()
	}
	return geom.Transform{X: x.Scale(scale), Y: y.Scale(scale), Z: z.Scale(scale), T: shift}, nil
}
