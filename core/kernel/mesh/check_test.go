package mesh

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"pgregory.net/rapid"
)

// TestCheckCountsUses compares the counts of arbitrary triangles with the counts of a table of edges.
func TestCheckCountsUses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.IntRange(1, 12).Draw(t, "points")
		corner := rapid.Int32Range(0, int32(points-1))
		m := &Mesh{Points: make([]geom.Vec3, points)}
		type edge struct{ lo, hi int32 }
		uses := map[edge][]bool{} // whether each use starts at the smaller point
		for range rapid.IntRange(0, 60).Draw(t, "triangles") {
			tri := [3]int32{corner.Draw(t, "a"), corner.Draw(t, "b"), corner.Draw(t, "c")}
			m.Triangles = append(m.Triangles, tri)
			for k := range 3 {
				a, b := tri[k], tri[(k+1)%3]
				e := edge{min(a, b), max(a, b)}
				uses[e] = append(uses[e], a <= b)
			}
		}
		var want Report
		for _, u := range uses {
			switch {
			case len(u) == 1:
				want.OpenEdges++
			case len(u) > 2:
				want.NonManifoldEdges++
			case u[0] == u[1]:
				want.InconsistentEdges++
			}
		}
		got := m.Check()
		got.Degenerate, got.Watertight = 0, false
		if got != want {
			t.Fatalf("%v: %+v, want %+v", m.Triangles, got, want)
		}
	})
}
