package verdict_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// planes returns the graph of four-sided planes; the pairs in edges share concave ones.
func planes(edges [][2]int32, faces ...[4]geom.Vec3) *graph.Graph {
	g := quads(faces...)
	g.Length = 1e-6
	for i, q := range faces {
		p := &g.Patches[i]
		p.Kind, p.Origin, p.Axis = surface.KindPlane, q[0], q[1].Sub(q[0]).Cross(q[2].Sub(q[0])).Unit()
	}
	for _, e := range edges {
		x := int32(len(g.Arcs))
		g.Arcs = append(g.Arcs, graph.Adjacency{A: e[0], B: e[1], Convexity: graph.Concave})
		g.Patches[e[0]].Arcs = append(g.Patches[e[0]].Arcs, x)
		g.Patches[e[1]].Arcs = append(g.Patches[e[1]].Arcs, x)
	}
	return g
}

func TestOfPockets(t *testing.T) {
	level := func(x, z float64) [4]geom.Vec3 {
		return [4]geom.Vec3{{X: x, Z: z}, {X: x + 5, Z: z}, {X: x + 5, Y: 5, Z: z}, {X: x, Y: 5, Z: z}}
	}
	// at the edge of the floor, faces +x
	wall := [4]geom.Vec3{{}, {Y: 5}, {Y: 5, Z: 5}, {Z: 5}}
	// all of its outside is one patch
	post := prism(false, 30, geom.Vec2{}, geom.Vec2{X: 9}, geom.Vec2{X: 9, Y: 9}, geom.Vec2{Y: 9})
	post.Mesh.Regions[0].End = post.Mesh.Regions[3].End
	post.Patches = post.Patches[:2]
	post.Patches[0].Arcs, post.Patches[1].Arcs = []int32{0}, []int32{0}
	post.Arcs = []graph.Adjacency{{A: 0, B: 1, Convexity: graph.Concave}}
	post.Mesh.Regions[1] = mesh.Region{Start: int32(len(post.Mesh.Triangles)), End: int32(len(post.Mesh.Triangles)) + 1}
	at := int32(len(post.Mesh.Points)) // and a corner of the boss's floor the other
	post.Mesh.Points = append(post.Mesh.Points, geom.Vec3{X: 9}, geom.Vec3{X: 10}, geom.Vec3{X: 9, Y: 1})
	post.Mesh.Triangles = append(post.Mesh.Triangles, [3]int32{at, at + 1, at + 2})
	for _, row := range []struct {
		name   string
		g      *graph.Graph
		reason string // "": valid
	}{
		{"floor with a wall", planes([][2]int32{{0, 1}}, level(0, 0), wall), ""},
		{"floor alone", planes(nil, level(0, 0)), "one plane"},
		{"two pieces of a floor", planes(nil, level(0, 0), level(7, 0)), "one plane"},
		{"floors at two heights that meet in no edge", planes(nil, level(0, 0), level(7, 1)), ""},
		{"small ledge round a post", post, "enclose material"},
	} {
		c := &verdict.Candidate{Type: feature.Pocket, Patches: all(row.g), Direction: geom.Vec3{Z: 1}}
		got := verdict.Of(row.g, &direction.Visibility{}, c)
		if got.Holds != (row.reason == "") || !strings.Contains(got.Reason, row.reason) {
			t.Errorf("%s: holds %v (%s), want a reason with %q", row.name, got.Holds, got.Reason, row.reason)
		}
	}
}
