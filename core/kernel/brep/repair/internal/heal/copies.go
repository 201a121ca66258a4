package heal

import (
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// removeCopies removes the second of two faces of one solid that have the same edges and lie on each other,
// where all of these edges bound three faces. Cost: one look at each edge.
func (h *healer) removeCopies() {
	count, first := 0, fault.Location{}
	for i := range h.m.Edges {
		e := &h.m.Edges[i]
		if len(e.Coedges) != 3 || e.Curve == nil {
			continue
		}
		for k := range 3 {
			f, g := h.m.FaceOf(e.Coedges[k]), h.m.FaceOf(e.Coedges[(k+1)%3])
			f, g = min(f, g), max(f, g)
			if f == g || h.removed[f] || h.removed[g] || !h.isCopy(f, g) {
				continue
			}
			h.remove(g)
			if count++; count == 1 {
				first = h.m.FaceName(g)
			}
			break
		}
	}
	if count > 0 {
		warn(h.m, DuplicateFace, count, "%s coincides with another one and was removed", first)
	}
}

// isCopy reports whether two faces have the same edges, each of three faces, and lie on each other: the
// surfaces agree in the middle of the edges' middles, and both faces are on the same side of each edge.
func (h *healer) isCopy(f, g brep.FaceID) bool {
	var middle geom.Vec3
	n := 0
	for _, l := range h.m.Faces[f].Loops {
		for _, c := range h.m.Loops[l].Coedges {
			e := h.edgeOf(c)
			k := slices.IndexFunc(e.Coedges, func(o brep.CoedgeID) bool { return h.m.FaceOf(o) == g })
			if e.Curve == nil || len(e.Coedges) != 3 || k < 0 {
				return false
			}
			p, along := e.Curve.D1(e.Range.Mid())
			if h.inward(f, c, p, along).Dot(h.inward(g, e.Coedges[k], p, along)) <= 0 {
				return false
			}
			middle = middle.Add(p)
			n++
		}
	}
	for _, l := range h.m.Faces[g].Loops {
		n -= len(h.m.Loops[l].Coedges)
	}
	if n != 0 {
		return false
	}
	count := 0
	for _, l := range h.m.Faces[f].Loops {
		count += len(h.m.Loops[l].Coedges)
	}
	uv, _ := h.m.Faces[f].Surface.Invert(middle.Scale(1 / float64(count)))
	_, d := h.m.Faces[g].Surface.Invert(h.m.Faces[f].Surface.At(uv.X, uv.Y))
	return d <= h.wide
}

// inward returns the direction from p, on a coedge of a face, into the face.
func (h *healer) inward(f brep.FaceID, c brep.CoedgeID, p, along geom.Vec3) geom.Vec3 {
	face := &h.m.Faces[f]
	uv, _ := face.Surface.Invert(p)
	n := face.Surface.Normal(uv.X, uv.Y)
	if face.Reversed != h.m.Coedges[c].Reversed {
		n = n.Neg()
	}
	return n.Cross(along).Unit()
}
