package channel_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/channel"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// found returns the channels of a bar 60 long with a profile.
func found(t rapid.TB, profile ...geom.Vec2) (*graph.Graph, []channel.Channel) {
	t.Helper()
	return channelsOf(t, build.Prism("bar", build.Polygon(profile...), 60, build.Style{}))
}

func channelsOf(t rapid.TB, m *brep.Model) (*graph.Graph, []channel.Channel) {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	g, err := graph.New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return g, channel.Find(g, make([]bool, len(g.Patches)))
}

func TestChannelsOfBars(t *testing.T) {
	const tslot, dovetail = feature.Tslot, feature.Dovetail
	for _, c := range []struct {
		name    string
		profile []geom.Vec2
		want    []feature.Type
		patches int
	}{
		{"T-slot", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 30), pt(52, 30), pt(52, 22),
			pt(28, 22), pt(28, 30), pt(34, 30), pt(34, 40), pt(0, 40)}, []feature.Type{tslot}, 7},
		{"dovetail", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(58, 25), pt(22, 25),
			pt(30, 40), pt(0, 40)}, []feature.Type{dovetail}, 3},
		{"two of a kind", []geom.Vec2{pt(0, 0), pt(120, 0), pt(120, 40), pt(100, 40), pt(108, 25), pt(72, 25),
			pt(80, 40), pt(40, 40), pt(48, 25), pt(12, 25), pt(20, 40), pt(0, 40)},
			[]feature.Type{dovetail, dovetail}, 3},
		{"slot with upright walls", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(50, 25),
			pt(30, 25), pt(30, 40), pt(0, 40)}, nil, 0},
		{"slot that opens upwards", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(55, 40), pt(50, 25),
			pt(30, 25), pt(25, 40), pt(0, 40)}, nil, 0},
		{"extrusion with slopes between floor and sides", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40),
			pt(46, 34), pt(52, 34), pt(52, 30), pt(46, 24), pt(34, 24), pt(28, 30), pt(28, 34), pt(34, 34), pt(34, 40),
			pt(0, 40)}, []feature.Type{tslot}, 9},
		{"neck above flanks", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(50, 36), pt(58, 25),
			pt(22, 25), pt(30, 36), pt(30, 40), pt(0, 40)}, []feature.Type{dovetail}, 5},
		{"step beside one flank", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 36), pt(50, 36), pt(58, 25), pt(22, 25),
			pt(30, 36), pt(30, 40), pt(0, 40)}, []feature.Type{dovetail}, 3},
		{"undercut on one side", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 30), pt(52, 30),
			pt(52, 22), pt(34, 22), pt(34, 40), pt(0, 40)}, nil, 0},
		{"neck that no shank passes", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(41, 40), pt(41, 30), pt(52, 30),
			pt(52, 22), pt(28, 22), pt(28, 30), pt(39, 30), pt(39, 40), pt(0, 40)}, nil, 0},
		{"three walls that a slanted side cuts open", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 10), pt(44, 31),
			pt(50, 20), pt(20, 20), pt(32, 38), pt(20, 45), pt(0, 45)}, nil, 0},
		{"closed cavity", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(46, 40), pt(46, 30), pt(52, 30),
			pt(52, 22), pt(28, 22), pt(28, 30), pt(34, 30), pt(34, 40), pt(20, 40), pt(20, 50), pt(90, 50), pt(90, 60),
			pt(0, 60)}, nil, 0},
		{"flanks that lean by 2°", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(50.5, 25),
			pt(29.5, 25), pt(30, 40), pt(0, 40)}, nil, 0},
		{"flanks that lean by 9°", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(50, 40), pt(52.5, 25),
			pt(27.5, 25), pt(30, 40), pt(0, 40)}, nil, 0},
		{"no channel", []geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(0, 40)}, nil, 0},
	} {
		g, got := found(t, c.profile...)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d channels %+v, want %v", c.name, len(got), got, c.want)
			continue
		}
		for i, ch := range got {
			if ch.Type != c.want[i] || len(ch.Patches) != c.patches || !slices.IsSorted(ch.Patches) {
				t.Errorf("%s: a %s of %v, want a %s of %d", c.name, ch.Type, ch.Patches, c.want[i], c.patches)
			}
			if !graph.Parallel(ch.Along, geom.Vec3{Z: 1}) || ch.Dir.Dot(geom.Vec3{Y: 1}) < 1-1e-9 {
				t.Errorf("%s: runs along %v and opens along %v", c.name, ch.Along, ch.Dir)
			}
			if !slices.Contains(ch.Patches, ch.Floor[0]) || !g.Facing(ch.Floor[0], ch.Dir) || len(ch.Open) == 0 {
				t.Errorf("%s: floor %d, open %v", c.name, ch.Floor, ch.Open)
			}
		}
	}
}

// For all sizes, a groove is a dovetail exactly if its flanks lean over the floor by more than 12° and leave space for
// a shank.
func TestLeanMakesADovetail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lean := geom.Radians(rapid.SampledFrom([]float64{-30, -10, 0, 2, 8, 11, 13, 30, 45}).Draw(t, "lean"))
		depth := rapid.Float64Range(4, 20).Draw(t, "depth")
		width := rapid.Float64Range(30, 50).Draw(t, "floor width")
		neck := width - 2*depth*math.Tan(lean)
		if neck < 5 {
			t.Skip("closed at the top")
		}
		mid, top := 50.0, 40.0
		_, got := found(t, pt(0, 0), pt(100, 0), pt(100, top), pt(mid+neck/2, top), pt(mid+width/2, top-depth),
			pt(mid-width/2, top-depth), pt(mid-neck/2, top), pt(0, top))
		want := lean > geom.Radians(12) && neck >= width/5 // otherwise no shank passes
		if (len(got) == 1 && got[0].Type == feature.Dovetail) != want || len(got) > 1 {
			t.Fatalf("%v° is %+v", geom.Degrees(lean), got)
		}
	})
}

// A pocket with a T-shaped outline that opens at a side is a pocket if it is shallower from above.
func TestPocketInPlanIsNoChannel(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name  string
		floor float64
		want  int
	}{{"shallow from its end", 14, 0}, {"deep from its end", -20, 1}} {
		_, got := channelsOf(t, build.Blocks(c.name, build.Add(p(0, 0, -30), p(100, 60, 20)),
			build.Subtract(p(80, 15, c.floor), p(87, 45, 20)),
			build.Subtract(p(87, 25, c.floor), p(100, 35, 20))))
		if len(got) != c.want {
			t.Errorf("%s: %d channels, want %d", c.name, len(got), c.want)
		}
	}
}
