package iges

import (
	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// maxNesting bounds how deep entities refer to each other: transformations of transformations, composites
// of composites, offsets of offsets, subfigures in subfigures.
const maxNesting = 32

// reader maps the entities of one file.
type reader struct {
	file     *deck.File
	mm       float64 // mm per unit of the file
	depth    int
	visits   int // references followed so far
	warnings []fault.Warning
	counted  map[string]int // index into warnings by code
	patches  map[int32]patch

	hidden       int // bodies and surfaces that are blanked
	showsBlanked bool
}

func newReader(f *deck.File) *reader {
	return &reader{file: f, mm: f.Global.MM(), counted: map[string]int{}, patches: map[int32]patch{}}
}

// A file may refer to its entities so often, and no more: nested references double with every level.
const (
	minVisits       = 1 << 20
	visitsPerEntity = 64
)

// warn counts a repair or something left out; the first of a code gives the sentence.
func (r *reader) warn(code, format string, args ...any) {
	r.note(fault.Warnf(code, 1, format, args...))
}

func (r *reader) note(w fault.Warning) {
	if i, ok := r.counted[w.Code]; ok {
		r.warnings[i].Count++
		return
	}
	r.counted[w.Code] = len(r.warnings)
	r.warnings = append(r.warnings, w)
}

// enter descends one reference; r.leave ascends again.
func (r *reader) enter(e *deck.Entity) error {
	if r.visits++; r.visits > minVisits+visitsPerEntity*len(r.file.Entities) {
		return &fault.Error{Code: fault.TooComplex,
			Reason: "The entities of the IGES file refer to each other too often."}
	}
	if r.depth++; r.depth > maxNesting {
		r.depth--
		return deck.Fail(e, "is nested too deep, or is part of itself")
	}
	return nil
}

func (r *reader) popEntity() { r.depth-- }

// at returns the entity that of refers to.
func (r *reader) at(of *deck.Entity, de int) (*deck.Entity, error) {
	if e, ok := r.file.At(de); ok {
		return e, nil
	}
	if de == 0 {
		return nil, deck.Fail(of, "lacks a reference to another entity")
	}
	return nil, deck.Fail(of, "refers to D%d, which is not an entity of the file", de)
}

// atKind is at for an entity of a given type.
func (r *reader) atKind(of *deck.Entity, de int, kind int32) (*deck.Entity, error) {
	e, err := r.at(of, de)
	if err == nil && e.Type != kind {
		err = deck.Fail(of, "refers to %s where an entity %d belongs", deck.Describe(e), kind)
	}
	return e, err
}

// point reads three coordinates, in mm.
func (r *reader) point(p *deck.Params) geom.Vec3 {
	var x [3]float64
	p.Reals(x[:])
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}.Scale(r.mm)
}

// direction reads three components without a unit.
func direction(p *deck.Params) geom.Vec3 {
	var x [3]float64
	p.Reals(x[:])
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}
}

// pointOf reads a point (116).
func (r *reader) pointOf(of *deck.Entity, de int) (geom.Vec3, error) {
	e, err := r.atKind(of, de, 116)
	if err != nil {
		return geom.Vec3{}, err
	}
	p := r.file.Params(e)
	x := r.point(&p)
	if err := p.Err(); err != nil {
		return x, err
	}
	t, err := r.placement(e)
	return t.Point(x), err
}

// directionOf reads a direction (123) as a unit vector.
func (r *reader) directionOf(of *deck.Entity, de int) (geom.Vec3, error) {
	e, err := r.atKind(of, de, 123)
	if err != nil {
		return geom.Vec3{}, err
	}
	p := r.file.Params(e)
	d := direction(&p)
	if err := p.Err(); err != nil {
		return d, err
	}
	t, err := r.placement(e)
	if err != nil {
		return d, err
	}
	if d = t.Dir(d).Unit(); d == (geom.Vec3{}) {
		return d, deck.Fail(e, "has no length")
	}
	return d, nil
}

// frameOf reads a location (116), an axis (123) and, unless it is 0, a reference direction (123).
func (r *reader) frameOf(of *deck.Entity, location, axis, reference int) (geom.Frame, error) {
	var x geom.Vec3
	o, err := r.pointOf(of, location)
	if err != nil {
		return geom.Frame{}, err
	}
	z := geom.World.Z
	if axis != 0 {
		if z, err = r.directionOf(of, axis); err != nil {
			return geom.Frame{}, err
		}
	}
	if reference != 0 {
		if x, err = r.directionOf(of, reference); err != nil {
			return geom.Frame{}, err
		}
	}
	if x.Cross(z).Norm() <= geom.AngularResolution {
		x = z.Perp()
	}
	return geom.NewFrame(o, z, x), nil
}
