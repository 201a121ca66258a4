package step

import (
	"cmp"
	"errors"
	"slices"

	"millwright/adapters/cad/step/internal/geometry"
	"millwright/core/brep"
	"millwright/core/fault"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// A record that cannot be used costs what stands on it: a face, a solid or sheet, a component. What is left is read,
// and repaired where the rest says what was there (sewing caps plane holes, a straight edge follows from its ends). The
// failure of the first loss is that of the file when nothing is left.

// madeEdge is the code of the warning that edges were made anew.
const madeEdge = "made_edge"

// isDamage reports whether an error is that of records, not of a limit or of the reader's own.
func isDamage(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == fault.UnreadableFile
}

// lose records what was left out because of damage; false for any other error.
func lose(j *geometry.Journal, code, what string, err error) bool {
	var f *fault.Error
	if !isDamage(err) || !errors.As(err, &f) {
		return false
	}
	j.Warn(code, 1, "%s was left out: %s", what, f.Reason)
	return true
}

// loseFace records a face.
func (d *draft) loseFace(err error) bool { return lose(&d.Journal, brep.LostFace, "A face", err) }

// lose records a shape or component, and the first of them.
func (s *structure) lose(err error) bool {
	lost := lose(&s.Journal, brep.LostShape, "A shape or component", err)
	if lost {
		s.lost = cmp.Or(s.lost, err)
	}
	return lost
}

// lostAll is the failure when damage has cost all shapes.
func (s *structure) lostAll() error {
	if len(s.instances) > 0 {
		return nil
	}
	return s.lost
}

// dropDamaged takes the faces out of a draft whose surfaces or edges cannot be used, after linking, and returns the
// first failure when none is left. An edge that is straight on all of its faces is made from its ends.
func (d *draft) dropDamaged() error {
	m := &d.model
	damaged := make([]error, len(m.Faces))
	for i, at := range d.surface {
		if at >= 0 {
			damaged[i] = d.shapeFaults[at]
		}
	}
	for i, err := range d.edgeFaults {
		e := &m.Edges[i]
		if err == nil || len(e.Coedges) == 0 || d.makeStraight(i, damaged) {
			continue
		}
		for _, c := range e.Coedges {
			f := m.FaceOf(c)
			damaged[f] = cmp.Or(damaged[f], err)
		}
	}
	var first error
	for _, err := range damaged {
		if err != nil {
			d.loseFace(err)
			first = cmp.Or(first, err)
		}
	}
	if first == nil {
		return nil
	}
	isGone := func(f brep.FaceID) bool { return damaged[f] != nil }
	var moved []brep.ShellID
	shells := m.Shells[:0]
	for _, sh := range m.Shells {
		moved = append(moved, brep.ShellID(len(shells)))
		if sh.Faces = slices.DeleteFunc(slices.Clone(sh.Faces), isGone); len(sh.Faces) > 0 {
			shells = append(shells, sh)
		} else {
			moved[len(moved)-1] = brep.None
		}
	}
	m.Shells = shells
	solids := m.Solids[:0]
	for _, solid := range m.Solids {
		var kept []brep.ShellID
		for _, sh := range solid.Shells {
			if moved[sh] != brep.None {
				kept = append(kept, moved[sh])
			}
		}
		if solid.Shells = kept; len(kept) > 0 {
			solids = append(solids, solid)
		}
	}
	m.Solids = solids
	if len(shells) == 0 {
		return first
	}
	m.Compact()
	return nil
}

// makeStraight makes a line of an edge whose curve cannot be used, if that lies on all faces that use it.
func (d *draft) makeStraight(i int, damaged []error) bool {
	e := &d.model.Edges[i]
	p, q := d.model.Vertices[e.Start].Point, d.model.Vertices[e.End].Point
	length := p.Dist(q)
	if length <= d.Tolerance {
		return false
	}
	const samples = 8
	for _, c := range e.Coedges {
		f := d.model.FaceOf(c)
		if damaged[f] != nil {
			return false
		}
		for k := range samples {
			if _, off := d.model.Faces[f].Surface.Invert(p.Lerp(q, (float64(k)+0.5)/samples)); off > d.Tolerance {
				return false
			}
		}
	}
	e.Curve, e.Range = curve.Line{Origin: p, Dir: q.Sub(p).Unit()}, geom.Interval{Hi: length}
	d.Warn(madeEdge, 1, "The curve of %s cannot be used; a straight one between its ends lies on its faces and was taken",
		d.Entity(d.edges[i].entity))
	return true
}
