package hole

import (
	"slices"
	"testing"

	"millwright/core/feature/featuretest"
	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

func stacksIn(t *testing.T, part string) (*graph.Graph, []Stack) {
	t.Helper()
	g := featuretest.Graph(t, part)
	return g, Stacks(g)
}

// A block with two slots across, 6 mm wide with rounded floor edges and 14 mm wide. A hole of 5 mm right
// through it crosses both: what the narrow one parts is one hole, what the wide one parts are two. Another
// one runs below both.
func TestBoresAcrossSlots(t *testing.T) {
	g, stacks := stacksIn(t, "pierced_slots")
	var lengths []float64
	for _, s := range stacks {
		lengths = append(lengths, g.ExtentOf(s.Patches, s.shape.Axis).Length())
	}
	slices.Sort(lengths)
	// From the +x side at 40 to the wide slot at 22, from there at 8 to the -x side at -40, and all through.
	want := []float64{18, 48, 80}
	if !slices.EqualFunc(lengths, want, func(a, b float64) bool { return a-b < g.Length && b-a < g.Length }) {
		t.Errorf("bores of length %v, want %v", lengths, want)
	}
}

// Which planes a bore opens through, and what stands round them.
func TestOpensAt(t *testing.T) {
	gr, stacks := stacksIn(t, "pierced_slots")
	g := holeRules{gr}
	for _, s := range stacks {
		for _, p := range s.Patches {
			for _, dir := range []float64{1, -1} {
				open := g.opensAt(p, s.shape.Axis.Scale(dir))
				if len(open) != 1 || g.Patches[open[0]].Kind != surface.KindPlane {
					t.Fatalf("bore %d opens through %v towards %v, want one plane", p, open, dir)
				}
				end := g.Extent(p, s.shape.Axis).Hi
				if dir < 0 {
					end = g.Extent(p, s.shape.Axis).Lo
				}
				isOutside := end > 39 || end < -39
				if got := len(g.hollowRound(open[0])) == 0; got != isOutside {
					t.Errorf("bore %d towards %v at %v: no hollow there is %v, want %v", p, dir, end, got, isOutside)
				}
			}
		}
	}
}
