package step

import (
	"cmp"

	"millwright.dev/millwright/adapters/cad/internal/edgerange"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// fitted is the result of fitting an edge to its curve.
type fitted struct {
	reversed bool    // the edge runs from end to start along the increasing parameter
	isPoint  bool    // different vertices at one point, to be merged
	gap      float64 // mm between the vertices and the curve
}

// fit sets the curve and the range of e from its source. start and end are the places of its vertices.
func (d *draft) fit(e *brep.Edge, source edgeSource, start, end geom.Vec3) (fitted, error) {
	var f fitted
	base, against, err := d.Basis(source.curve)
	if err != nil {
		return f, err
	}
	c, err := d.Curve(base)
	if err != nil {
		return f, err
	}
	found := edgerange.Find(c, start, end, e.Start == e.End, source.sense != against, d.Tolerance)
	f = fitted{reversed: found.Against, isPoint: found.IsPoint, gap: found.Gap}
	if f.isPoint {
		e.Curve, e.Range = nil, geom.Interval{} // also where it had a length before a vertex was moved
		return f, nil
	}
	e.Curve, e.Range = c, found.Range
	if !found.IsFinite() {
		return f, d.Fail(source.entity, "has vertices that cannot be found on its curve")
	}
	return f, nil
}

// fitEdge completes edge i of the draft. It is safe for different edges at the same time.
func (d *draft) fitEdge(i int) (fitted, error) {
	source := d.edges[i]
	if source.curve == part21.Missing {
		return fitted{}, source.fault
	}
	e := &d.model.Edges[i]
	if err := cmp.Or(d.pointFaults[e.Start], d.pointFaults[e.End]); err != nil {
		return fitted{}, err
	}
	f, err := d.fit(e, source, d.model.Vertices[e.Start].Point, d.model.Vertices[e.End].Point)
	if err != nil {
		return f, err
	}
	if f.gap > d.Tolerance {
		const rounding = 1 + 1e-9 // so that measuring the gap again does not exceed it
		e.Tolerance = f.gap * rounding
	}
	if f.reversed {
		e.Start, e.End = e.End, e.Start
	}
	return f, nil
}
