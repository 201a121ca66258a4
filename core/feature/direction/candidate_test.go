package direction

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

func drawUnit(r *rapid.T, name string) geom.Vec3 {
	z, a := rapid.Float64Range(-1, 1).Draw(r, name+" z"), rapid.Float64Range(0, 6.3).Draw(r, name+" angle")
	rho := math.Sqrt(1 - z*z)
	return geom.Vec3{X: rho * math.Cos(a), Y: rho * math.Sin(a), Z: z}
}

// Clusters found in the grid are those that a look at every cluster finds.
func TestClusterFindsAllCandidates(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		base := drawUnit(r, "base")
		var raw []candidate
		for i := range rapid.IntRange(1, 40).Draw(r, "count") {
			off := drawUnit(r, "off").Scale(3 * graph.DirectionTolerance * rapid.Float64Range(0, 1).Draw(r, "far"))
			raw = append(raw, candidate{
				dir: base.Add(off).Unit(), area: float64(1 + i%5), patches: []int32{int32(i)}, need: []float64{1},
			})
		}
		got := cluster(append([]candidate(nil), raw...))
		sortBySize(raw)
		var want []candidate
	next:
		for _, c := range raw {
			for i := range want {
				if Same(want[i].dir, c.dir) {
					want[i].area += c.area
					want[i].patches = append(want[i].patches, c.patches...)
					continue next
				}
			}
			want = append(want, c)
		}
		sortBySize(want)
		if len(got) != len(want) {
			r.Fatalf("%d clusters, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].dir != want[i].dir || got[i].area != want[i].area || len(got[i].patches) != len(want[i].patches) {
				r.Fatalf("cluster %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	})
}

func TestCandidatesAreBounded(t *testing.T) {
	var raw []candidate
	const n = 20000 // facets on a sphere, no two of one direction
	for i := range n {
		z := 1 - (2*float64(i)+1)/n
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		rho := math.Sqrt(1 - z*z)
		raw = append(raw, candidate{dir: geom.Vec3{X: rho * c, Y: rho * s, Z: z}, area: 1 + float64(i%100)})
	}
	got := cluster(raw)
	if len(got) != maxCandidates {
		t.Fatalf("%d candidates, want %d", len(got), maxCandidates)
	}
	for _, c := range got {
		if c.area < 100 {
			t.Errorf("candidate of area %g, though there are larger ones", c.area)
		}
	}
}
