package sew

import (
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// sortCopies treats the faces that coincide with another one with the same edges. Where an even number of faces meets
// in each edge, solids are in contact there: each gets one of the two. If the number is odd, or nothing else meets
// there, or the meeting faces are doubled as well, the second face is a copy, as on several layers of a drawing, and is
// removed.
func (s *sewer) sortCopies() {
	removed := map[brep.FaceID]bool{}
	for _, f := range s.faces {
		g := s.copyOf(f, removed)
		if g == brep.None {
			continue
		}
		if others := s.othersAt(f, g); len(others) == 2 && !s.isCopy(others[0], others[1]) {
			s.join(others[0], f)
			s.join(others[1], g)
		} else {
			removed[g] = true
			s.tally(&s.report.Duplicates, DuplicateFaces, func() fault.Location { return s.m.FaceName(g) })
			s.dropUses(g)
		}
	}
	if len(removed) == 0 {
		return
	}
	isRemoved := func(f brep.FaceID) bool { return removed[f] }
	for i := range s.m.Shells {
		sh := &s.m.Shells[i]
		sh.Faces = slices.DeleteFunc(slices.Clone(sh.Faces), isRemoved)
	}
	s.faces = slices.DeleteFunc(s.faces, isRemoved)
	s.joinPairs()
}

// copyOf returns a face behind f that has the same edges and lies on it.
func (s *sewer) copyOf(f brep.FaceID, removed map[brep.FaceID]bool) brep.FaceID {
	for _, e := range s.uses(f) {
		for _, c := range e.Coedges {
			if g := s.m.FaceOf(c); g > f && !removed[g] && s.isCopy(f, g) {
				return g
			}
		}
		break // a copy has all edges, so it has the first one
	}
	return brep.None
}

// isCopy reports whether two faces have the same edges and cover the same region.
func (s *sewer) isCopy(f, g brep.FaceID) bool {
	count := 0
	for _, e := range s.uses(f) {
		if !slices.ContainsFunc(e.Coedges, func(o brep.CoedgeID) bool { return s.m.FaceOf(o) == g }) {
			return false
		}
		count++
	}
	for range s.uses(g) {
		count--
	}
	uv, ok := s.domain(f).inside()
	if count != 0 || !ok {
		return false
	}
	surface := s.m.Faces[g].Surface
	at, d := surface.Invert(s.m.Faces[f].Surface.At(uv.X, uv.Y))
	pu, pv := surface.Periods()
	return d <= s.last && s.domain(g).contains(at, pu, pv)
}

// othersAt returns the two faces that meet the copies f and g in the first of their edges with four faces, if the
// number of faces is even in all of their edges.
func (s *sewer) othersAt(f, g brep.FaceID) []brep.FaceID {
	var found []brep.FaceID
	for _, e := range s.uses(f) {
		if len(e.Coedges)%2 != 0 {
			return nil
		}
		if len(e.Coedges) != 4 || found != nil {
			continue
		}
		for _, c := range e.Coedges {
			if h := s.m.FaceOf(c); h != f && h != g {
				found = append(found, h)
			}
		}
	}
	return found
}

// dropUses takes a face off its edges.
func (s *sewer) dropUses(f brep.FaceID) {
	for c, e := range s.uses(f) {
		e.Coedges = slices.DeleteFunc(slices.Clone(e.Coedges), func(o brep.CoedgeID) bool { return o == c })
	}
}
