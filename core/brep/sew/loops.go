package sew

import (
	"math"

	"millwright/core/brep"
	"millwright/core/brep/trim"
)

// turnLoops turns the loops that run the wrong way round their face: writers of trimmed surfaces care
// little, but neighbours are told to agree by the directions in which loops walk their edges. What is the
// inside of a face follows from all its loops together (package trim). Faces that bound no region stay.
func (s *sewer) turnLoops() {
	var builder trim.Builder
	options := trim.Options{ChordTolerance: math.Inf(1), AngleTolerance: sampleTurn}
	isTurned := map[brep.LoopID]bool{}
	for _, f := range s.faces {
		d, err := builder.Build(s.m, f, s, options)
		if err != nil || d.Turned == 0 {
			continue
		}
		clear(isTurned)
		for _, polygon := range d.Polygons {
			for i := range polygon {
				v := &polygon[i]
				if v.Coedge == brep.None || v.From == v.To {
					continue
				}
				c := &s.m.Coedges[v.Coedge]
				isTurned[c.Loop] = (v.To < v.From) != (c.Reversed != s.m.Faces[f].Reversed)
			}
		}
		for _, l := range s.m.Faces[f].Loops {
			if isTurned[l] {
				s.turnLoop(l)
				s.report.TurnedLoops++
			}
		}
	}
}
