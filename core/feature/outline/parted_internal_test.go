package outline

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
)

// A loop at a repeated vertex is cut off, wherever the chain begins and however it continues.
func TestTouchingChainsAreSeparate(t *testing.T) {
	for _, c := range []struct {
		name string
		walk []int // vertices; the first is also the last
		want [][]int
	}{
		{"a ring", []int{0, 1, 2, 3}, [][]int{{0, 1, 2, 3}}},
		{"a ring that a hole touches", []int{0, 1, 4, 5, 1, 2, 3}, [][]int{{1, 4, 5}, {0, 1, 2, 3}}},
		{"the same from the hole", []int{4, 5, 1, 2, 3, 0, 1}, [][]int{{1, 2, 3, 0}, {4, 5, 1}}},
		{"a hole of one edge", []int{0, 1, 1, 2, 3}, [][]int{{1}, {0, 1, 2, 3}}},
		{"two holes in one vertex", []int{0, 1, 4, 5, 1, 6, 7, 1, 2}, [][]int{{1, 4, 5}, {1, 6, 7}, {0, 1, 2}}},
	} {
		m := &brep.Model{}
		var chain Contour
		for i, v := range c.walk {
			m.Edges = append(m.Edges, brep.Edge{Start: brep.VertexID(v), End: brep.VertexID(c.walk[(i+1)%len(c.walk)])})
			m.Coedges = append(m.Coedges, brep.Coedge{Edge: brep.EdgeID(i)})
			chain.Coedges = append(chain.Coedges, brep.CoedgeID(i))
		}
		got := Projection{Graph: &graph.Graph{Model: m}}.parted(chain)
		same := slices.EqualFunc(got, c.want, func(a Contour, want []int) bool {
			return slices.EqualFunc(a.Coedges, want, func(ce brep.CoedgeID, v int) bool { return int(m.CoedgeStart(ce)) == v })
		})
		if !same {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
