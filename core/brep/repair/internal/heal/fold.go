package heal

import (
	"millwright/core/brep"
	"millwright/core/geom"
)

// foldsBack reports whether a face lies on its neighbours instead of going on from them. On surfaces that close on
// themselves a loop bounds a patch or all the rest, and the sense of the face says which; a wrong one makes the rest of
// a fillet, which leaves its smooth edges to the side from which its neighbours come. Material has no such edges but as
// a cusp. A face is judged only if no smooth edge of it goes on.
func foldsBack(m *brep.Model, f brep.FaceID) bool {
	folds := 0
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
			if m.FaceOf(other) == f {
				continue
			}
			const along = 0.99 // cosine of the angle within which two directions are one, or opposite
			switch cos := inwards(m, c).Dot(inwards(m, other)); {
			case cos > along:
				folds++
			case cos < -along:
				return false
			}
		}
	}
	return folds > 0
}

// inwards is the direction from the middle of an edge into the face that uses it, unit; zero where there is none.
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
