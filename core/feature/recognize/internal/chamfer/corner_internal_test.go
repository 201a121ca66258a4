package chamfer

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The face around which two bevels run is found for any order of their edges.
func TestBevelsRunRoundTheFaceAskedFor(t *testing.T) {
	const p, q, round, flat = 0, 1, 2, 3
	for _, faces := range [][2]int32{{round, flat}, {flat, round}} {
		g := &graph.Graph{Patches: make([]graph.Patch, 4)}
		g.Patches[round].Shape = graph.Shape{Kind: surface.KindCylinder, Axis: geom.Vec3{Z: 1}, Radius: 5}
		g.Patches[flat].Shape = graph.Shape{Kind: surface.KindPlane, Axis: geom.Vec3{Z: 1}}
		for _, face := range faces {
			for _, bevel := range []int32{p, q} {
				g.Patches[bevel].Arcs = append(g.Patches[bevel].Arcs, int32(len(g.Arcs)))
				g.Arcs = append(g.Arcs, graph.Adjacency{A: bevel, B: face, Convexity: graph.Convex, Turn: math.Pi / 4})
			}
		}
		for _, row := range []struct {
			name string
			fit  []surface.Kind
			want int32
		}{
			{"any", []surface.Kind{surface.KindPlane, surface.KindCylinder}, faces[0]},
			{"a plane", []surface.Kind{surface.KindPlane}, flat},
			{"a cylinder", []surface.Kind{surface.KindCylinder}, round},
			{"none", nil, graph.None},
		} {
			isFit := func(face int32) bool { return slices.Contains(row.fit, g.Patches[face].Kind) }
			if got := shared(g, p, q, isFit, false); got != row.want {
				t.Errorf("%s of faces %v: got %d, want %d", row.name, faces, got, row.want)
			}
		}
	}
}
