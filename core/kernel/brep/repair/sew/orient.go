package sew

import (
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
)

// orient groups the faces into components connected by edges of two faces. It flips faces until neighbors use their
// common edge in opposite directions. The sense of the majority of a component's faces is kept. Edges of more than two
// faces, where solids touch, connect nothing.
func (s *sewer) orient() {
	m := s.m
	s.component = make([]int32, len(m.Faces))
	for i := range s.component {
		s.component[i] = -1
	}
	turned := make([]bool, len(m.Faces))
	var queue []brep.FaceID
	for _, seed := range s.faces {
		if s.component[seed] >= 0 {
			continue
		}
		id := int32(len(s.components))
		s.component[seed] = id
		queue = append(queue[:0], seed)
		isOneSided, count := false, 0
		for k := 0; k < len(queue); k++ {
			f := queue[k]
			if turned[f] {
				count++
			}
			for c, e := range s.uses(f) {
				if len(e.Coedges) != 2 {
					continue
				}
				other := e.Coedges[0] + e.Coedges[1] - c
				g := m.FaceOf(other)
				agree := m.Coedges[c].Reversed != m.Coedges[other].Reversed
				if s.isMine[g] && s.component[g] < 0 {
					s.component[g] = id
					turned[g] = turned[f] != !agree
					queue = append(queue, g)
				} else if s.isMine[g] && (turned[f] == turned[g]) != agree {
					isOneSided = true
				}
			}
		}
		faces := slices.Clone(queue)
		slices.Sort(faces)
		s.components = append(s.components, component{faces: faces, isOneSided: isOneSided})
		if isOneSided {
			s.tally(&s.report.NonOrientable, NonOrientable, func() fault.Location { return s.m.FaceName(faces[0]) })
		}
		s.turnFaces(faces, turned, count > len(faces)/2)
	}
}

// turnFaces flips the marked faces, or the others.
func (s *sewer) turnFaces(faces []brep.FaceID, marked []bool, others bool) {
	for _, f := range faces {
		if marked[f] != others {
			s.turnFace(f)
			s.tally(&s.report.ReversedFaces, ReversedFaces, func() fault.Location { return s.m.FaceName(f) })
		}
	}
}

// component is a set of faces that agree in their senses.
type component struct {
	faces      []brep.FaceID
	isOneSided bool         // they cannot agree
	solid      brep.SolidID // the open solid that contained all of its faces, or None
}

// uses yields every coedge of a face that has a curve, with its edge.
func (s *sewer) uses(f brep.FaceID) func(func(brep.CoedgeID, *brep.Edge) bool) {
	return func(yield func(brep.CoedgeID, *brep.Edge) bool) {
		for _, l := range s.m.Faces[f].Loops {
			for _, c := range s.m.Loops[l].Coedges {
				if e := &s.m.Edges[s.m.Coedges[c].Edge]; e.Curve != nil && !yield(c, e) {
					return
				}
			}
		}
	}
}

// turnFace flips a face.
func (s *sewer) turnFace(f brep.FaceID) {
	face := &s.m.Faces[f]
	face.Reversed = !face.Reversed
	for _, l := range face.Loops {
		s.turnLoop(l)
	}
}

// turnLoop reverses a loop.
func (s *sewer) turnLoop(l brep.LoopID) {
	coedges := slices.Clone(s.m.Loops[l].Coedges)
	slices.Reverse(coedges)
	for _, c := range coedges {
		s.m.Coedges[c].Reversed = !s.m.Coedges[c].Reversed
	}
	s.m.Loops[l].Coedges = coedges
}

// turnLoops reverses the loops in the wrong direction around their face: writers of trimmed surfaces care little, but
// the agreement of neighbors is tested by the directions in which loops use their edges. All loops of a face together
// define its inside (package trim). Faces that bound no region stay. Where loops may bound either side, the loops of a
// face of a solid are reversed if all its neighbors disagree with it.
func (s *sewer) turnLoops() {
	for _, f := range s.faces {
		turned := s.domain(f).turned
		if s.wasSolid[s.m.Faces[f].Shell] != brep.None && trim.IsEitherSide(s.m.Faces[f].Surface) && s.isOddOne(f) {
			turned = s.m.Faces[f].Loops
		}
		for _, l := range turned {
			s.turnLoop(l)
			s.tally(&s.report.ReversedLoops, ReversedLoops, func() fault.Location { return s.m.FaceName(f) })
		}
	}
}

// isOddOne reports whether all neighbors of a face use the common edges in the same direction, and agree with their
// others.
func (s *sewer) isOddOne(f brep.FaceID) bool {
	neighbors := 0
	for g, agrees := range s.across(f) {
		if agrees {
			return false
		}
		neighbors++
		others, agreed := 0, 0
		for h, agrees := range s.across(g) {
			if h != f {
				others++
			}
			if h != f && agrees {
				agreed++
			}
		}
		if others > 0 && agreed == 0 {
			return false
		}
	}
	return neighbors > 0
}

// across yields the adjacent face at each edge of a face that only one other face uses, and whether both use it in
// opposite directions.
func (s *sewer) across(f brep.FaceID) func(func(brep.FaceID, bool) bool) {
	return func(yield func(brep.FaceID, bool) bool) {
		for c, e := range s.uses(f) {
			if len(e.Coedges) != 2 {
				continue
			}
			other := e.Coedges[0] + e.Coedges[1] - c
			g := s.m.FaceOf(other)
			if g != f && !yield(g, s.m.Coedges[c].Reversed != s.m.Coedges[other].Reversed) {
				return
			}
		}
	}
}

// isClosed reports whether the edges of a component bound a volume: each is used equally often in both directions, by
// this component only.
func (s *sewer) isClosed(id int32) bool {
	c := &s.components[id]
	for _, f := range c.faces {
		for _, e := range s.uses(f) {
			balance := 0
			for _, u := range e.Coedges {
				g := s.m.FaceOf(u)
				if s.component[g] != id {
					return false
				}
				if s.m.Coedges[u].Reversed {
					balance--
				} else {
					balance++
				}
			}
			if balance != 0 {
				return false
			}
		}
	}
	return !c.isOneSided
}
