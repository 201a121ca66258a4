// Package trim unwraps the boundary of a face into the parameter plane of its surface. The results are closed polygons,
// continuous over seams and periods and closed over poles, ready for triangulation or integration.
//
// # Notation
//
// S(u, v) is the surface, (u, v) its parameters, in rad or mm as the surface defines them. A chain is the image in the
// plane of a loop of the face. It follows the coedges. A point has several images, a period apart; the chain takes the
// image nearest to the previous point. A chain that returns to its own start is a polygon. A chain that ends a period
// away encloses the surface, and is a ring. A cut is a line from ring to ring, or from a ring to a pole, that joins
// rings to a polygon; the polygon uses it once in each direction, as a seam. A pole is a line of the plane that S maps
// to one point.
//
// Polygons follow the surface's own normal for either sense of the face: the region lies on their left.
package trim

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Sample is a point of an edge shared by all faces at that edge.
type Sample struct {
	T     float64   // curve parameter
	P     geom.Vec3 // mm; the vertex point at both ends of an edge
	Index int32     // identity of the sample in the caller's point array
}

// Sampler returns the samples of an edge from Range.Lo to Range.Hi, both ends included (at least
// two; exactly one for a degenerate edge). The result must not be modified.
type Sampler interface {
	EdgeSamples(e brep.EdgeID) []Sample
	// VertexSample returns the sample of a vertex, for vertex loops and poles.
	VertexSample(v brep.VertexID) Sample
}

// Vertex is a corner of a polygon in the parameter plane.
type Vertex struct {
	UV geom.Vec2
	P  geom.Vec3 // mm
	// Index is the Sample's index, or, when negative, ^k for the k-th entry of Domain.Extra. Two
	// vertices with one Index are one point of space: both sides of a seam, a pole.
	Index int32
	// Coedge is the coedge whose piece runs from this vertex to the next one. It is brep.None for a piece that is not
	// on an edge of the model: a cut that closes a period, or a line along a pole.
	Coedge brep.CoedgeID
	// From and To are the parameters of the edge's curve at both ends of the piece, in the direction of the polygon. To
	// < From if the polygon runs against the curve. Both are 0 without a Coedge.
	From, To float64
}

// Domain is the region of the parameter plane that a face covers. The polygons are simple, do not cross each other, and
// keep the region on their left in the surface's own orientation: the polygons of a reversed face are already reversed.
// The first polygon is the outer one, the rest are holes. A face of several disconnected pieces has further outer
// polygons, which differ from holes by their positive area. A face so narrow that its samples enclose no area has no
// polygon at all.
type Domain struct {
	Polygons [][]Vertex
	// Extra contains points of the surface made for cuts, numbered from 0; see Vertex.Index.
	Extra []geom.Vec3
	// Gap is the largest distance of a boundary sample from the surface, mm.
	Gap float64
	// Turned is the number of loops in the wrong direction, which were reversed.
	Turned int
}

// Area returns the signed area of a polygon in the parameter plane, positive when it runs
// counter-clockwise.
func Area(polygon []Vertex) float64 {
	if len(polygon) == 0 {
		return 0
	}
	o, sum := polygon[0].UV, 0.0 // relative to a corner: far from the origin the products cancel
	for i := 1; i+1 < len(polygon); i++ {
		sum += polygon[i].UV.Sub(o).Cross(polygon[i+1].UV.Sub(o))
	}
	return sum / 2
}
