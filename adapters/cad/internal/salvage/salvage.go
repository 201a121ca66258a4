// Package salvage makes anew what broken records cost a boundary representation, where what is whole determines what
// was there. Readers say what they do not know; what stays unknown is theirs to leave out.
//
//   - A vertex without a point lies on the curves and surfaces that meet in it: Gauss–Newton on the distances from
//     them, from each end of the edges that meet there (point.go).
//   - The curve of an edge lies on the surfaces of its faces: straight, about an axis of one of them, or where two of
//     them meet, marched along the chord (edge.go).
//   - The loops that a face lacks are made of the edges that lie on its surface and that no second face has (bound.go).
//   - The surface of a face holds its edges: a plane, or a surface of revolution about the axis of one of them whose
//     profile they determine (surface.go).
//
// What has several solutions is not determined. Cost: linear in the model for each of the first maxMended that is not
// known; no more than those are looked at, because a file that lacks more is not the file any more.
package salvage

import (
	"errors"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Codes of the warnings.
const (
	MadeVertex  = "made_vertex"
	MadeEdge    = "made_edge"
	MadeBound   = "made_bound"
	MadeSurface = "made_surface"
	MadeShell   = "made_shell"
	MadeSolid   = "made_solid"
	MadePlace   = "made_place"
)

// Codes are all of them.
var Codes = []string{MadeVertex, MadeEdge, MadeBound, MadeSurface, MadeShell, MadeSolid, MadePlace}

// maxMended is how many vertices, edges, faces are made anew at most, of each.
const maxMended = 64

// PartialModel is a model of which not all is known. Its topology is there, not yet linked: faces have loops, loops coedges,
// and every edge has its ends. What is made anew is taken out of the errors.
type PartialModel struct {
	*brep.Model
	Tolerance float64                  // mm, of the file
	Points    map[brep.VertexID]error  // why the point of a vertex is not known
	Edges     []error                  // by edge: why its curve, or its range, is not known
	Faces     []error                  // by face: why it cannot be used
	IsOpen    func(f brep.FaceID) bool // loops of the face are missing

	// Curve is the curve of an edge that could not be fitted to its vertices, nil where that is not known either; Fit
	// fits it once they are known.
	Curve func(e brep.EdgeID) curve.Curve
	Fit   func(e brep.EdgeID) error
	Spare func() []surface.Surface // those of no face
	Warn  func(fault.Warning)
}

// IsWhole reports whether all is known.
func (w *PartialModel) IsWhole() bool {
	for _, errs := range [][]error{w.Edges, w.Faces} {
		for _, err := range errs {
			if err != nil {
				return false
			}
		}
	}
	return len(w.Points) == 0
}

// reach is how far what is made may be off what it was made from, mm.
func (w *PartialModel) reach() float64 {
	const rounding = 1e-6 // of the size: coordinates with six digits
	box := geom.EmptyBox()
	for v, x := range w.Vertices {
		if w.Points[brep.VertexID(v)] == nil {
			box = box.Add(x.Point)
		}
	}
	if box.IsEmpty() {
		return w.Tolerance
	}
	return max(w.Tolerance, rounding*box.Diagonal())
}

// use is a coedge and the face that it is of.
type use struct {
	coedge brep.CoedgeID
	face   brep.FaceID
}

// uses lists the uses of each edge.
func (w *PartialModel) uses() [][]use {
	out := make([][]use, len(w.Model.Edges))
	for f := range w.Model.Faces {
		for _, l := range w.Model.Faces[f].Loops {
			for _, c := range w.Loops[l].Coedges {
				e := w.Coedges[c].Edge
				out[e] = append(out[e], use{c, brep.FaceID(f)})
			}
		}
	}
	return out
}

// surfaces are those of the faces that use an edge, each once; false where one is not known.
func (w *PartialModel) surfaces(uses []use) (on []surface.Surface, known bool) {
	for i, u := range uses {
		if i > 0 && u.face == uses[i-1].face {
			continue
		}
		s := w.Model.Faces[u.face].Surface
		if s == nil {
			return nil, false
		}
		on = append(on, s)
	}
	return on, len(on) > 0
}

// isKnown reports whether an edge has a curve, and is none that stands for a point.
func (w *PartialModel) isKnown(e brep.EdgeID) bool {
	return w.Edges[e] == nil && w.Model.Edges[e].Curve != nil
}

// samples are points well inside an edge.
func samples(c curve.Curve, iv geom.Interval, n int) []geom.Vec3 {
	p := make([]geom.Vec3, n)
	for i := range p {
		p[i] = c.At(iv.At((float64(i) + 0.5) / float64(n)))
	}
	return p
}

// holds reports whether a surface holds points to tol, mm.
func holds(s surface.Surface, points []geom.Vec3, tol float64) bool {
	for _, p := range points {
		if _, off := s.Invert(p); !(off <= tol) {
			return false
		}
	}
	return true
}

// made warns of what was made of a face, which the sentence how names.
func (w *PartialModel) made(code string, f brep.FaceID, how string, why error) {
	Tell(w.Warn, code, fmt.Sprintf(how, w.FaceName(f).Text), why)
}

// Tell warns of what was made, and of the failure that made it necessary.
func Tell(warn func(fault.Warning), code, made string, why error) {
	said, entity := why.Error(), ""
	if f := (*fault.Error)(nil); errors.As(why, &f) {
		said, entity = f.Reason, f.Entity
	}
	w := fault.Warnf(code, 1, "%s: %s", made, said)
	w.Entity = entity
	warn(w)
}
