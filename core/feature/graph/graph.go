// Package graph models a part as the faces that a machinist counts: patches joined by edges that are smooth, convex or
// concave, with their shapes and extents.
//
// # Notation
//
// A node of the graph is a patch: faces of the model that continue each other on one surface. An arc is an edge between
// two patches A and B, or within one. The turn at an edge is the angle (rad) from one outward normal to the other about
// the edge. It is positive for a convex edge, with less than 180° of material, negative for a concave one, and smooth
// within SmoothAngle of 0. Patches and arcs are numbered in the order of the model; no patch has the number None.
package graph

// The attributed face-adjacency graph.
//
// Method: S. Joshi, T. C. Chang, "Graph-based heuristics for recognition of machined features from a 3D solid model",
// CAD 20(2), 1988. Nodes are faces, arcs are edges with the turn from one outward normal to the other. Rules on the
// graph find features, because every depression is bounded by convex edges and connected by concave ones. There are two
// departures. Nodes are patches, B-rep faces that continue each other on one surface, so that the division of cylinders
// and planes by a CAD system has no effect. Arcs include smooth edges, so that rules can skip blends.
//
// Cost: linear in edges and triangles; at most five inversions per edge and face, spread over all processors. Limits:
// faces of sheets bound no material and are left out, as are edges without exactly two coedges.

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/parallel"
)

// Patch is a face as a machinist counts them.
type Patch struct {
	Faces []brep.FaceID // ascending
	Shape
	Area     float64 // mm², of the mesh
	Arcs     []int32 // of the graph, ascending
	Enclosed bool    // it bounds a void closed on all sides
}

// Adjacency is an edge between two patches.
type Adjacency struct {
	A, B      int32 // patches; A is the patch of the edge's first coedge
	Edge      brep.EdgeID
	Convexity Convexity
	Turn      float64   // rad in (-π, π], mean along the edge: positive where the edge is convex
	Length    float64   // mm, by the midpoint rule
	Mid, Dir  geom.Vec3 // a point in the middle of the edge, unit tangent there
}

// Other returns the patch on the far side of the arc seen from p.
func (a *Adjacency) Other(p int32) int32 {
	if a.A == p {
		return a.B
	}
	return a.A
}

// Graph is the part in the form that recognition uses.
type Graph struct {
	Model   *brep.Model
	Mesh    *mesh.Mesh
	Patches []Patch
	PatchOf []int32 // by face, None for a face of a sheet
	Arcs    []Adjacency

	Bounds   geom.Box // of the mesh
	Diagonal float64  // diagonal of Bounds, mm
	Length   float64  // mm: lengths closer than this are equal

	Areas []float64 // mm², by triangle of the mesh
}

// None is the index that no patch and no direction has.
const None = -1

// Bounds of Graph.Length (mm): files state uncertainties from 1e-8 to 1 mm. Neither extreme is a useful tolerance for
// the alignment of two features.
const (
	minLength = 1e-4
	maxLength = 1e-2
)

// batch is the number of faces or edges in one goroutine's batch.
const batch = 32

// New builds the graph of a part and its mesh, which must have one region per face, with normals. It
// returns the error of ctx.
func New(ctx context.Context, m *brep.Model, msh *mesh.Mesh) (*Graph, error) {
	g := &Graph{Model: m, Mesh: msh}
	g.measurePart()
	shapes := make([]Shape, len(m.Faces))
	err := parallel.ForWith(ctx, len(m.Faces), batch, func() func(int) {
		w := measurer{Graph: g}
		return func(f int) { shapes[f] = w.face(brep.FaceID(f)) }
	})
	if err != nil {
		return nil, err
	}
	raw, err := g.rawArcs(ctx)
	if err != nil {
		return nil, err
	}
	g.settle(shapes, raw)
	g.merge(shapes, raw)
	g.markEnclosed()
	return g, nil
}

// measurePart computes the sizes of the part and allocates the measurements of its faces and triangles.
func (g *Graph) measurePart() {
	g.Bounds = g.Mesh.Bounds()
	g.Diagonal = g.Bounds.Diagonal()
	g.Length = min(max(g.Model.Tolerance.Length, minLength), maxLength)
	g.PatchOf = make([]int32, len(g.Model.Faces))
	g.Areas = make([]float64, len(g.Mesh.Triangles))
}

// measureTriangles measures the triangles of a face, if it has any.
func (g *Graph) measureTriangles(f brep.FaceID) {
	if int(f) < len(g.Mesh.Regions) {
		r := &g.Mesh.Regions[f]
		for t := r.Start; t < r.End; t++ {
			g.Areas[t] = g.Mesh.AreaOf(int(t), int(t)+1)
		}
	}
}

// skip reports whether the graph leaves a face out: it bounds no material or has no mesh.
func (g *Graph) skip(f brep.FaceID) bool {
	if g.Model.IsSheet(f) || g.Model.Faces[f].Surface == nil || int(f) >= len(g.Mesh.Regions) {
		return true
	}
	r := &g.Mesh.Regions[f]
	return r.Start >= r.End || len(r.Normals) != len(r.Vertices)
}

// rawArcs measures every edge between two solid faces; a and b are faces, not yet joined to walls.
func (g *Graph) rawArcs(ctx context.Context) ([]Adjacency, error) {
	all := make([]Adjacency, len(g.Model.Edges))
	err := parallel.For(ctx, len(all), batch, func(e int) {
		if a, b, ok := g.between(brep.EdgeID(e)); ok {
			if r, ok := g.bendOf(brep.EdgeID(e)); ok {
				r.A, r.B, r.Edge = int32(a), int32(b), brep.EdgeID(e)
				all[e] = r
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(a Adjacency) bool { return a.A == a.B }), nil
}

// between returns the two solid faces that an edge joins; ok is false for a seam.
func (g *Graph) between(e brep.EdgeID) (a, b brep.FaceID, ok bool) {
	edge := &g.Model.Edges[e]
	if edge.Curve == nil || len(edge.Coedges) != 2 {
		return 0, 0, false
	}
	a, b = g.Model.FaceOf(edge.Coedges[0]), g.Model.FaceOf(edge.Coedges[1])
	return a, b, a != b && !g.skip(a) && !g.skip(b)
}

// merge joins faces that continue each other and numbers the patches by their lowest face.
func (g *Graph) merge(shapes []Shape, raw []Adjacency) {
	set := NewUnionFind(len(shapes))
	for i := range raw {
		a, b := raw[i].A, raw[i].B
		sameFace := g.Model.Faces[a].Origin == g.Model.Faces[b].Origin
		if raw[i].Convexity == Smooth && (sameFace || g.Continues(&shapes[a], &shapes[b])) {
			set.Join(a, b)
		}
	}
	for f := range shapes {
		g.PatchOf[f] = None
		if g.skip(brep.FaceID(f)) {
			continue
		}
		root := set.Find(int32(f)) // the lowest member, so it was seen before
		if root == int32(f) {
			g.PatchOf[f] = int32(len(g.Patches))
			g.Patches = append(g.Patches, Patch{Shape: shapes[f]})
		}
		p := g.PatchOf[root]
		g.PatchOf[f] = p
		r := &g.Mesh.Regions[f]
		g.Patches[p].Faces = append(g.Patches[p].Faces, brep.FaceID(f))
		for _, a := range g.Areas[r.Start:r.End] {
			g.Patches[p].Area += a
		}
	}
	for i := range raw {
		r := raw[i]
		r.A, r.B = g.PatchOf[r.A], g.PatchOf[r.B]
		if r.A == r.B {
			continue
		}
		id := int32(len(g.Arcs))
		g.Arcs = append(g.Arcs, r)
		g.Patches[r.A].Arcs = append(g.Patches[r.A].Arcs, id)
		g.Patches[r.B].Arcs = append(g.Patches[r.B].Arcs, id)
	}
}

// Continues reports whether two shapes lie on one surface with the material on the same side.
func (g *Graph) Continues(a, b *Shape) bool {
	if a.Kind != b.Kind || a.Hollow != b.Hollow {
		return false
	}
	switch a.Kind {
	case surface.KindPlane:
		return a.Axis.Dot(b.Axis) > 0 && Parallel(a.Axis, b.Axis) &&
			math.Abs(b.Origin.Sub(a.Origin).Dot(a.Axis)) <= g.Length
	case surface.KindCylinder:
		return g.Coaxial(a, b) && math.Abs(a.Radius-b.Radius) <= g.Length
	case surface.KindCone:
		return g.Coaxial(a, b) && math.Abs(a.Slope-b.Slope*math.Copysign(1, a.Axis.Dot(b.Axis))) <= AxisTolerance &&
			math.Abs(a.RadiusAt(b.Origin)-b.Radius) <= g.Length
	case surface.KindSphere:
		return a.Origin.Dist(b.Origin) <= g.Length && math.Abs(a.Radius-b.Radius) <= g.Length
	case surface.KindTorus:
		return g.Coaxial(a, b) && math.Abs(a.Radius-b.Radius) <= g.Length &&
			math.Abs(a.Minor-b.Minor) <= g.Length &&
			math.Abs(b.Origin.Sub(a.Origin).Dot(a.Axis)) <= g.Length
	}
	return false
}

// OnOneSurface reports whether two patches are one, or pieces of one surface.
func (g *Graph) OnOneSurface(p, q int32) bool {
	return p == q || g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape)
}

// IsPlane reports whether a patch is plane.
func (g *Graph) IsPlane(p int32) bool { return g.Patches[p].Kind == surface.KindPlane }

// Regions returns the faces of some patches in ascending order.
func (g *Graph) Regions(patches []int32) []int {
	var out []int
	for _, p := range patches {
		for _, f := range g.Patches[p].Faces {
			out = append(out, int(f))
		}
	}
	slices.Sort(out)
	return out
}

// PatchesOf returns the patches of some faces in ascending order; faces of sheets have no patch.
func (g *Graph) PatchesOf(regions []int) []int32 {
	out := make([]int32, 0, len(regions))
	for _, f := range regions {
		if p := g.PatchOf[f]; p != None {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// UnionFind is a union-find structure whose roots are the lowest members.
type UnionFind []int32

// NewUnionFind returns n sets of one member each.
func NewUnionFind(n int) UnionFind {
	s := make(UnionFind, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find returns the root of the set that contains i. It halves the path to the root.
func (s UnionFind) Find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join merges the sets that contain i and j.
func (s UnionFind) Join(i, j int32) {
	i, j = s.Find(i), s.Find(j)
	s[max(i, j)] = min(i, j)
}

// Groups returns the members for which keep holds, by set; sets without such members are left out. Sets and members are
// ascending.
func (s UnionFind) Groups(keep func(i int32) bool) [][]int32 {
	at := make(map[int32]int)
	var out [][]int32
	for i := range s {
		if !keep(int32(i)) {
			continue
		}
		r := s.Find(int32(i))
		k, ok := at[r]
		if !ok {
			k = len(out)
			at[r] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], int32(i))
	}
	return out
}
