package export

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// tangentAngle (rad, 2°) is the angle between two faces below which no edge is visible. Blends of exchanged files meet
// their neighbors within a few hundredths of a degree.
const tangentAngle = 2 * math.Pi / 180

// Edges returns the edge lines (by edge of the model, mm) that bound faces, in the order of the model:
// it leaves out seams, whose two sides are one face, and edges without a line.
func Edges(m *brep.Model, lines [][]geom.Vec3) [][]geom.Vec3 {
	return selected(m, lines, func(e *brep.Edge) bool { return !isSeam(m, e) })
}

// SharpEdges is Edges without the edges along which both faces are tangent everywhere.
func SharpEdges(m *brep.Model, lines [][]geom.Vec3) [][]geom.Vec3 {
	return selected(m, lines, func(e *brep.Edge) bool { return !isSeam(m, e) && !isTangent(m, e) })
}

// BorderEdges is SharpEdges and the tangent edges between faces with different labels.
func BorderEdges(m *brep.Model, lines [][]geom.Vec3, label func(brep.FaceID) int) [][]geom.Vec3 {
	return selected(m, lines, func(e *brep.Edge) bool {
		return !isSeam(m, e) && (!isTangent(m, e) || label(m.FaceOf(e.Coedges[0])) != label(m.FaceOf(e.Coedges[1])))
	})
}

func selected(m *brep.Model, lines [][]geom.Vec3, keep func(e *brep.Edge) bool) [][]geom.Vec3 {
	var out [][]geom.Vec3
	for i, line := range lines {
		if len(line) > 1 && keep(&m.Edges[i]) {
			out = append(out, line)
		}
	}
	return out
}

func isSeam(m *brep.Model, e *brep.Edge) bool {
	return len(e.Coedges) == 2 && m.FaceOf(e.Coedges[0]) == m.FaceOf(e.Coedges[1])
}

// isTangent compares the outward normals of both faces at a few points of the edge.
func isTangent(m *brep.Model, e *brep.Edge) bool {
	if len(e.Coedges) != 2 || e.Curve == nil {
		return false
	}
	for _, s := range [...]float64{0.1, 0.5, 0.9} {
		p := e.Curve.At(e.Range.At(s))
		n0, n1 := normalAt(m, m.FaceOf(e.Coedges[0]), p), normalAt(m, m.FaceOf(e.Coedges[1]), p)
		if n0.Angle(n1) > tangentAngle {
			return false
		}
	}
	return true
}

func normalAt(m *brep.Model, face brep.FaceID, p geom.Vec3) geom.Vec3 {
	f := &m.Faces[face]
	uv, _ := f.Surface.Invert(p)
	n := f.Surface.Normal(uv.X, uv.Y)
	if f.Reversed {
		return n.Neg()
	}
	return n
}
