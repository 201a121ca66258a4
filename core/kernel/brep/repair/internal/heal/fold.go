package heal

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// fold separates a face that overlaps its neighbors (contradicted) from a face that continues them (confirmed). On
// closed surfaces a loop bounds a patch or all the rest, depending on the sense of the face. A wrong sense gives the
// rest of a fillet, which leaves its smooth edges to the side from which its neighbors come. Solids have such edges
// only at a cusp. One smooth edge with a judged neighbor that the face continues is enough. A face without smooth edges
// is not judged. Neighbors that may be wrong themselves give only weak evidence (likely), used where there is no other:
// the halves of a fillet also continue each other if both are wrong.
func fold(m *brep.Model, f brep.FaceID, senses []sense, likely sense) sense {
	found := unjudged
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			if e.Curve == nil || len(e.Coedges) != 2 {
				continue
			}
			other := e.Coedges[0]
			if other == c {
				other = e.Coedges[1]
			}
			g := m.FaceOf(other)
			if g == f {
				continue
			}
			const along = 0.99 // cosine of the angle within which two directions are one, or opposite
			cos := inwards(m, c).Dot(inwards(m, other))
			if senses[g] == contradicted {
				cos = -cos
			}
			switch isJudged := senses[g] != unjudged; {
			case cos < -along && isJudged:
				return confirmed
			case cos < -along && found == unjudged:
				found = likely
			case cos > along && isJudged:
				found = contradicted
			}
		}
	}
	return found
}

// followNeighbors judges faces by their neighbors until no more can be judged, and returns the others. The evidence of
// neighbors that are not judged comes last: the faces that rely on it are returned too.
func followNeighbors(m *brep.Model, senses []sense, unsure []brep.FaceID) (left, likely []brep.FaceID) {
	for _, unanchored := range []sense{unjudged, confirmed} {
		for before := -1; len(unsure) != before; {
			before = len(unsure)
			unsure = slices.DeleteFunc(unsure, func(f brep.FaceID) bool {
				if senses[f] == unjudged {
					senses[f] = fold(m, f, senses, unanchored)
					if senses[f] != unjudged && unanchored == confirmed {
						likely = append(likely, f)
					}
				}
				return senses[f] != unjudged
			})
		}
	}
	return unsure, likely
}

// groups are the faces that rely on each other, as they share edges, and on nothing else.
func groups(m *brep.Model, faces []brep.FaceID) (out [][]brep.FaceID) {
	left := map[brep.FaceID]bool{}
	for _, f := range faces {
		left[f] = true
	}
	for _, first := range faces {
		if !left[first] {
			continue
		}
		delete(left, first)
		group := []brep.FaceID{first}
		for i := 0; i < len(group); i++ {
			for _, l := range m.Faces[group[i]].Loops {
				for _, c := range m.Loops[l].Coedges {
					for _, use := range m.Edges[m.Coedges[c].Edge].Coedges {
						if g := m.FaceOf(use); left[g] {
							delete(left, g)
							group = append(group, g)
						}
					}
				}
			}
		}
		out = append(out, group)
	}
	return out
}

// inwards returns the unit direction from the middle of an edge into the face that uses it; zero if there is no such
// direction.
func inwards(m *brep.Model, c brep.CoedgeID) geom.Vec3 {
	use := &m.Coedges[c]
	e, face := &m.Edges[use.Edge], &m.Faces[m.FaceOf(c)]
	p, along := e.Curve.D1(e.Range.Mid())
	uv, _ := face.Surface.Invert(p)
	_, du, dv := face.Surface.D1(uv.X, uv.Y)
	d := du.Cross(dv).Cross(along).Unit()
	if face.Reversed != use.Reversed {
		return d.Neg()
	}
	return d
}
