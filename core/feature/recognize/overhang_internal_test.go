package recognize

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The pocket of connected ceilings does not depend on their numbers.
func TestCeilingsThatMeetAreOfOnePocketOrNone(t *testing.T) {
	down, up, side := geom.Vec3{Z: -1}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}
	const none = int32(graph.None)
	pocket := candidate{typ: feature.Pocket, dir: up, pocket: &feature.PocketShape{}}
	through := candidate{typ: feature.Pocket, dir: up, pocket: &feature.PocketShape{Through: true}}
	groove := candidate{typ: feature.Pocket, dir: up, pocket: &feature.PocketShape{}, rule: turnedGroove}
	hole := candidate{typ: feature.Hole, dir: up}
	slant := func(angle float64) geom.Vec3 { return geom.Vec3{X: math.Cos(angle), Z: -math.Sin(angle)} }
	for _, row := range []struct {
		name   string
		out    []candidate
		walls  [2]int32 // the features of the walls at the first and the second ceiling
		second geom.Vec3
		wall   graph.Convexity // between ceilings and walls
		want   int32           // the feature of both ceilings
	}{
		{"of one pocket", []candidate{pocket, pocket}, [2]int32{1, 1}, down, graph.Concave, 1},
		{"of two pockets", []candidate{pocket, pocket}, [2]int32{0, 1}, down, graph.Concave, none},
		{"of a pocket and something free", []candidate{pocket}, [2]int32{0, none}, down, graph.Concave, none},
		{"one upright", []candidate{pocket}, [2]int32{0, 0}, side, graph.Concave, none},
		{"one drafted", []candidate{pocket}, [2]int32{0, 0}, slant(minSlant - 1e-6), graph.Concave, none},
		{"one slanting", []candidate{pocket}, [2]int32{0, 0}, slant(minSlant + 1e-6), graph.Concave, 0},
		{"smooth to all", []candidate{pocket}, [2]int32{0, 0}, down, graph.Smooth, none},
		{"outside the pocket", []candidate{pocket}, [2]int32{0, 0}, down, graph.Convex, none},
		{"of a pocket that is through", []candidate{through}, [2]int32{0, 0}, down, graph.Concave, none},
		{"of a turned groove", []candidate{groove}, [2]int32{0, 0}, down, graph.Concave, none},
		{"of a hole", []candidate{hole}, [2]int32{0, 0}, down, graph.Concave, none},
	} {
		for _, at := range [][4]int32{{0, 1, 2, 3}, {1, 0, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}, {0, 3, 1, 2}, {3, 0, 2, 1}} {
			first, second, walls := at[0], at[1], at[2:]
			g := &graph.Graph{Patches: make([]graph.Patch, len(at)), Arcs: []graph.Adjacency{
				{A: first, B: second, Convexity: graph.Concave},
				{A: first, B: walls[0], Convexity: row.wall},
				{A: second, B: walls[1], Convexity: row.wall},
			}}
			for x, a := range g.Arcs {
				for _, p := range []int32{a.A, a.B} {
					g.Patches[p].Arcs = append(g.Patches[p].Arcs, int32(x))
				}
			}
			r := newVerifier(&partContext{g: g}, nil)
			for _, f := range row.out {
				r.features = append(r.features, &f)
			}
			for i, p := range at {
				g.Patches[p].Shape = graph.Shape{Kind: surface.KindPlane, Axis: down}
				if i > 1 {
					g.Patches[p].Kind, r.owner[p] = surface.KindCylinder, row.walls[i-2]
				}
			}
			g.Patches[second].Axis = row.second
			overhangs(r.reading, r)
			if got := [2]int32{r.ownerOf(first), r.ownerOf(second)}; got != [2]int32{row.want, row.want} {
				t.Errorf("%s, numbered %v: of features %v, want %d", row.name, at, got, row.want)
			}
		}
	}
}
