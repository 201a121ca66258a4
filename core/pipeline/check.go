package pipeline

import (
	"context"
	"fmt"
	"strings"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline/crosscheck"
)

// check compares the part with its displayed mesh. A part that contradicts itself is an error. check returns warnings
// of material that is counted twice.
func (r *run) check(ctx context.Context) ([]fault.Warning, error) {
	exact, tess := value[MassProperties](r, Properties), r.displayed()
	p := crosscheck.Subject{
		Model: value[Part](r, Model).Model, Exact: exact.properties(), Mesh: tess.Mesh,
		Chord: tess.ChordTolerance, Angle: tess.AngleTolerance,
	}
	if found := crosscheck.Run(p); len(found) > 0 {
		return nil, inconsistent(found)
	}
	return crosscheck.Overlaps(ctx, p)
}

// properties returns the stored figures as mass.Properties; figures that are not stored are zero.
func (e *MassProperties) properties() *mass.Properties {
	p := &mass.Properties{Faces: make([]mass.Face, len(e.FaceAreas)), Solids: make([]mass.Solid, len(e.Bodies))}
	for i := range p.Faces {
		p.Faces[i] = mass.Face{Area: e.FaceAreas[i], Gap: e.FaceGaps[i]}
	}
	for i, b := range e.Bodies {
		p.Solids[i] = mass.Solid{Volume: b.Volume, Bounds: geom.Box{Min: b.Bounds.Min, Max: b.Bounds.Max}}
	}
	return p
}

// mostFindings is the largest number of contradictions in an error.
const mostFindings = 3

// inconsistent returns the error of a part that contradicts itself, or that is too far from the origin.
func inconsistent(found []crosscheck.Violation) error {
	if found[0].Check == crosscheck.Far {
		return fault.Errorf(fault.TooComplex,
			"The part is too far away: %s, beyond which coordinates are too coarse. Move it to "+
				"the origin, or give it the right unit of length.", found[0].Detail)
	}
	told := make([]string, min(len(found), mostFindings))
	for i := range told {
		told[i] = found[i].Detail
	}
	more := ""
	if n := len(found) - len(told); n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return &fault.Error{
		Code: fault.InconsistentGeometry, Check: string(found[0].Check),
		Reason: fmt.Sprintf("The part contradicts itself: %s%s.", strings.Join(told, "; "), more),
	}
}
