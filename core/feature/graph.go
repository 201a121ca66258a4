package feature

// The attributed face-adjacency graph.
//
// Method: S. Joshi, T. C. Chang, "Graph-based heuristics for recognition of machined features from a
// 3D solid model", CAD 20(2), 1988. Nodes are faces, arcs are edges with the turn from one outward
// normal to the other; rules on the graph find features, because every depression is bounded by
// convex edges and held together by concave ones. Two departures: nodes are patches, B-rep faces that
// continue each other on one surface, so that it does not matter how a CAD system cuts cylinders and
// planes; and arcs know smooth edges, so that blends can be looked through.
//
// Cost: linear in edges; five inversions per edge and face.
// Limits: faces of sheets bound no material and are left out, as are edges without exactly two uses.

import (
	"context"
	"slices"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// patch is a face as a machinist counts them.
type patch struct {
	faces []brep.FaceID // ascending
	shape
	area float64 // mm², of the mesh
	arcs []int32 // ascending
}

// arc is an edge between two patches, or between a patch and itself.
type arc struct {
	a, b     int32 // patches; a is the patch of the edge's first coedge
	edge     brep.EdgeID
	bend     bend
	turn     float64   // rad in (-π, π], mean along the edge: positive where the edge is convex
	length   float64   // mm, by the midpoint rule
	mid, dir geom.Vec3 // a point in the middle of the edge, unit tangent there
}

// other returns the patch on the far side of the arc seen from p.
func (a *arc) other(p int32) int32 {
	if a.a == p {
		return a.b
	}
	return a.a
}

// graph is the part as recognition sees it.
type graph struct {
	model   *brep.Model
	mesh    *mesh.Mesh
	patches []patch
	patchOf []int32 // by face, none for a face of a sheet
	arcs    []arc

	diagonal float64 // mm
	length   float64 // mm: lengths closer than this are equal

	areas   []float64   // mm², by triangle of the mesh
	normals []geom.Vec3 // scratch, by point of the mesh
}

const none = -1

// Bounds of graph.length (mm): files state uncertainties from 1e-8 to 1 mm, of which neither extreme
// tells how well two features line up.
const (
	minLength = 1e-4
	maxLength = 1e-2
)

// newGraph builds the graph of a part and its mesh.
func newGraph(ctx context.Context, m *brep.Model, msh *mesh.Mesh) (*graph, error) {
	g := &graph{
		model: m, mesh: msh, diagonal: msh.Bounds().Diagonal(),
		length:  min(max(m.Tolerance.Length, minLength), maxLength),
		patchOf: make([]int32, len(m.Faces)),
		normals: make([]geom.Vec3, len(msh.Points)),
		areas:   make([]float64, len(msh.Triangles)),
	}
	for t := range msh.Triangles {
		g.areas[t] = msh.AreaOf(t, t+1)
	}
	shapes := make([]shape, len(m.Faces))
	for f := range m.Faces {
		if f%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !g.skip(brep.FaceID(f)) {
			shapes[f] = g.shapeOf(brep.FaceID(f))
		}
	}
	raw, err := g.rawArcs(ctx)
	if err != nil {
		return nil, err
	}
	g.merge(shapes, raw)
	return g, nil
}

// skip reports whether a face is none of the graph's: it bounds no material or has no mesh.
func (g *graph) skip(f brep.FaceID) bool {
	if g.model.IsSheet(f) || g.model.Faces[f].Surface == nil || int(f) >= len(g.mesh.Regions) {
		return true
	}
	r := &g.mesh.Regions[f]
	return r.Start >= r.End || len(r.Normals) != len(r.Vertices)
}

// rawArcs measures every edge between two solid faces; a and b are faces, not yet joined to walls.
func (g *graph) rawArcs(ctx context.Context) ([]arc, error) {
	var out []arc
	for e := range g.model.Edges {
		if e%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		edge := &g.model.Edges[e]
		if edge.Curve == nil || len(edge.Coedges) != 2 {
			continue
		}
		a, b := g.model.FaceOf(edge.Coedges[0]), g.model.FaceOf(edge.Coedges[1])
		if a == b || g.skip(a) || g.skip(b) { // a seam has no turn
			continue
		}
		if r, ok := g.bendOf(brep.EdgeID(e)); ok {
			r.a, r.b, r.edge = int32(a), int32(b), brep.EdgeID(e)
			out = append(out, r)
		}
	}
	return out, nil
}

// merge joins faces that continue each other and numbers the patches by their lowest face.
func (g *graph) merge(shapes []shape, raw []arc) {
	set := newSets(len(shapes))
	for i := range raw {
		a, b := raw[i].a, raw[i].b
		sameFace := g.model.Faces[a].Origin == g.model.Faces[b].Origin
		if raw[i].bend == smooth && (sameFace || g.continues(&shapes[a], &shapes[b])) {
			set.join(a, b)
		}
	}
	for f := range shapes {
		g.patchOf[f] = none
		if g.skip(brep.FaceID(f)) {
			continue
		}
		root := set.find(int32(f)) // the lowest member, so it was seen before
		if root == int32(f) {
			g.patchOf[f] = int32(len(g.patches))
			g.patches = append(g.patches, patch{shape: shapes[f]})
		}
		p := g.patchOf[root]
		g.patchOf[f] = p
		r := &g.mesh.Regions[f]
		g.patches[p].faces = append(g.patches[p].faces, brep.FaceID(f))
		for _, a := range g.areas[r.Start:r.End] {
			g.patches[p].area += a
		}
	}
	for i := range raw {
		r := raw[i]
		r.a, r.b = g.patchOf[r.a], g.patchOf[r.b]
		if r.a == r.b {
			continue
		}
		id := int32(len(g.arcs))
		g.arcs = append(g.arcs, r)
		g.patches[r.a].arcs = append(g.patches[r.a].arcs, id)
		g.patches[r.b].arcs = append(g.patches[r.b].arcs, id)
	}
}

// continues reports whether two shapes lie on one surface with the material on the same side.
func (g *graph) continues(a, b *shape) bool {
	if a.kind != b.kind || a.hollow != b.hollow {
		return false
	}
	switch a.kind {
	case surface.KindPlane:
		return a.axis.Dot(b.axis) > 0 && parallel(a.axis, b.axis) &&
			abs(b.origin.Sub(a.origin).Dot(a.axis)) <= g.length
	case surface.KindCylinder:
		return g.coaxial(a, b) && abs(a.radius-b.radius) <= g.length
	case surface.KindCone:
		return g.coaxial(a, b) && abs(a.slope-b.slope*sign(a.axis.Dot(b.axis))) <= axisAngle &&
			abs(a.radiusAt(b.origin)-b.radius) <= g.length
	case surface.KindSphere:
		return a.origin.Dist(b.origin) <= g.length && abs(a.radius-b.radius) <= g.length
	case surface.KindTorus:
		return g.coaxial(a, b) && abs(a.radius-b.radius) <= g.length && abs(a.minor-b.minor) <= g.length &&
			abs(b.origin.Sub(a.origin).Dot(a.axis)) <= g.length
	}
	return false
}

// regions returns the faces of some patches in ascending order.
func (g *graph) regions(patches []int32) []int {
	var out []int
	for _, p := range patches {
		for _, f := range g.patches[p].faces {
			out = append(out, int(f))
		}
	}
	slices.Sort(out)
	return out
}

// sets is a union-find structure whose roots are the lowest members.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(i, j int32) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}

// groups returns the members of each set with more than zero members for which keep holds, sets and
// members ascending.
func (s sets) groups(keep func(i int32) bool) [][]int32 {
	at := make(map[int32]int)
	var out [][]int32
	for i := range s {
		if !keep(int32(i)) {
			continue
		}
		r := s.find(int32(i))
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
