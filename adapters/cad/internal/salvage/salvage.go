// Package salvage reconstructs geometry of a boundary representation lost to damaged records, where the intact
// neighbors determine it. Readers mark the unknown geometry; they leave out the geometry that stays unknown.
//
//   - A vertex without a point lies on the curves and surfaces that meet in it: Gauss–Newton on the distances from
//     them, from each end of the edges that meet there (point.go).
//   - The curve of an edge lies on the surfaces of its faces: straight, about an axis of one of them, or on the
//     intersection of two of them, marched along the chord (edge.go).
//   - The missing loops of a face consist of the edges that lie on its surface and have no second face (bound.go).
//   - The surface of a face contains its edges: a plane, or a surface of revolution about the axis of one of them whose
//     profile they determine (surface.go).
//
// Geometry with several solutions is not determined. Cost: linear in the model for each of the first maxMended unknown
// vertices, edges and faces. Further ones are not tried, because a file with more damage is no longer the same part.
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

// Codes is the list of all repair codes.
var Codes = []string{MadeVertex, MadeEdge, MadeBound, MadeSurface, MadeShell, MadeSolid, MadePlace}

// maxMended is the maximum number of reconstructed vertices, and of edges, and of faces.
const maxMended = 64

// PartialModel is a model with unknown geometry. Its topology is present but not yet linked: faces have loops, loops
// coedges, and every edge has its ends. Reconstructed elements are removed from the errors.
type PartialModel struct {
	*brep.Model
	Tolerance float64                  // mm, of the file
	Points    map[brep.VertexID]error  // reason why the point of a vertex is unknown
	Edges     []error                  // by edge: reason why its curve or its range is unknown
	Faces     []error                  // by face: why it cannot be used
	IsOpen    func(f brep.FaceID) bool // loops of the face are missing

	// Curve is the curve of an edge that could not be fitted to its vertices, or nil if it is unknown too. Fit fits it
	// once the vertices are known.
	Curve func(e brep.EdgeID) curve.Curve
	Fit   func(e brep.EdgeID) error
	Spare func() []surface.Surface // surfaces without a face
	Warn  func(fault.Warning)
}

// IsWhole reports whether no geometry is unknown.
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

// reach returns the maximum distance (mm) of reconstructed geometry from its sources.
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

// surfaces are the distinct surfaces of the faces that use an edge; known is false if one is unknown.
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

// isKnown reports whether an edge has a curve and is not degenerate (a point).
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

// contains reports whether points are on a surface within tol, mm.
func contains(s surface.Surface, points []geom.Vec3, tol float64) bool {
	for _, p := range points {
		if _, off := s.Invert(p); !(off <= tol) {
			return false
		}
	}
	return true
}

// made warns of a reconstruction for a face. how is a sentence with a %s for the face.
func (w *PartialModel) made(code string, f brep.FaceID, how string, why error) {
	Tell(w.Warn, code, fmt.Sprintf(how, w.FaceName(f).Text), why)
}

// Tell warns of a reconstruction, and of the failure that made it necessary.
func Tell(warn func(fault.Warning), code, made string, why error) {
	said, entity := why.Error(), ""
	if f := (*fault.Error)(nil); errors.As(why, &f) {
		said, entity = f.Reason, f.Entity
	}
	w := fault.Warnf(code, 1, "%s: %s", made, said)
	w.Entity = entity
	warn(w)
}
