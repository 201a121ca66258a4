package hole

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func stacksIn(t *testing.T, part string) (*graph.Graph, []Stack) {
	t.Helper()
	g := featuretest.Graph(t, part)
	return g, Stacks(g)
}

// A block with two slots across, 6 mm wide with rounded floor edges and 14 mm wide. A hole of 5 mm through it crosses
// both: the pieces at the narrow slot are one hole, those at the wide one two. Another hole is below both.
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

// A drill reaches from one arm of a fork to the other if only air is between.
func TestIsFree(t *testing.T) {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	b := bridges{holeRules: holeRules{graphOf(t, build.Blocks("fork",
		build.Add(at(0, 0, 0), at(60, 30, 10)), build.Add(at(0, 0, 10), at(10, 30, 40)),
		build.Add(at(50, 0, 10), at(60, 30, 40)), build.Add(at(28, 20, 10), at(32, 30, 40))))}}
	for _, row := range []struct {
		name   string
		y, z   float64
		gap    geom.Interval
		isFree bool
	}{
		{"beside the pillar", 10, 25, geom.Interval{Lo: 10, Hi: 50}, true},
		{"into the pillar", 16, 25, geom.Interval{Lo: 10, Hi: 50}, false},
		{"up to the pillar", 16, 25, geom.Interval{Lo: 10, Hi: 28}, true},
		{"a hair into the pillar", 15.2, 25, geom.Interval{Lo: 10, Hi: 50}, true},
		{"into the floor", 10, 13, geom.Interval{Lo: 10, Hi: 50}, false},
		{"through an upright", 10, 25, geom.Interval{Lo: 10, Hi: 55}, false},
		{"pieces that meet", 16, 25, geom.Interval{Lo: 30, Hi: 30}, true},
	} {
		for _, sense := range []float64{1, -1} {
			s := &graph.Shape{Kind: surface.KindCylinder, Origin: at(7, row.y, row.z), Axis: at(1, 0, 0), Radius: 5}
			gap := row.gap
			if sense < 0 {
				gap = geom.Interval{Lo: -gap.Hi, Hi: -gap.Lo}
			}
			if got := b.isFree(s, at(sense, 0, 0), gap); got != row.isFree {
				t.Errorf("%s, along %v: free is %v, want %v", row.name, sense, got, row.isFree)
			}
		}
	}
}

func TestOffAxis(t *testing.T) {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	within := geom.Interval{Lo: -1, Hi: 1}
	for _, row := range []struct {
		name    string
		corners [3]geom.Vec3
		want    float64
	}{
		{"round the axis", [3]geom.Vec3{at(-9, -9, 0), at(9, -9, 0), at(0, 9, 0)}, 0},
		{"beside it", [3]geom.Vec3{at(3, -9, 0), at(9, 0, 0), at(3, 9, 0)}, 3},
		{"a corner ahead", [3]geom.Vec3{at(2, 0, 0), at(9, 9, 0), at(9, -9, 0)}, 2},
		{"edge on", [3]geom.Vec3{at(4, -9, -5), at(4, 9, -5), at(4, 0, 9)}, 4},
		{"edges on either side", [3]geom.Vec3{at(4, -90, -90), at(4, 90, -90), at(4, 0, 90)}, 4},
		{"above", [3]geom.Vec3{at(-9, -9, 2), at(9, -9, 2), at(0, 9, 3)}, math.Inf(1)},
		{"through the axis below only", [3]geom.Vec3{at(3, -9, -5), at(3, 9, -5), at(-9, 0, 7)}, 1},
		{"leaning away from it", [3]geom.Vec3{at(5, -90, 1), at(5, 90, 1), at(95, 0, -89)}, 5},
		{"past it, nearer above", [3]geom.Vec3{at(2, -90, 4), at(2, 90, 4), at(92, 0, -86)}, 5},
	} {
		for turn := range 3 {
			c := [3]geom.Vec3{row.corners[turn], row.corners[(turn+1)%3], row.corners[(turn+2)%3]}
			if got := offAxis(c, within); math.Abs(got-row.want) > 1e-9 && got != row.want {
				t.Errorf("%s, from corner %d: %v off the axis, want %v", row.name, turn, got, row.want)
			}
		}
	}
}
