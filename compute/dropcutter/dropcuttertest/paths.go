package dropcuttertest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// PathsSuite compares the path bounds of the drop-cutter with its results at points of the paths. Over a block, whose
// faces are level or vertical, it also checks the bounds from above.
func PathsSuite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(23, 24))
	for _, s := range append(rastertest.ContactScenes(), dropScenes()...) {
		over, err := dropcutter.NewTerrain(context.Background(), s.Mesh, s.Frame, primitive.OnCPU(2))
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		wide, high := s.Grid.Step*float64(s.Grid.Width), s.Grid.Step*float64(s.Grid.Height)
		at := func() geom.Vec3 {
			return geom.Vec3{X: s.Grid.X + wide*(1.4*rng.Float64()-0.2), Y: s.Grid.Y + high*(1.4*rng.Float64()-0.2),
				Z: math.Inf(-1)}
		}
		var along []motion.Segment
		for i := range 40 {
			w := motion.Segment{From: at(), To: at()}
			switch i % 4 {
			case 1: // as short as the moves of contours
				w.To = w.From.AddScaled(0.05, w.To).AddScaled(-0.05, w.From)
				w.To.Z = w.From.Z
			case 2, 3:
				c := at()
				w.Center, w.Turn = geom.Vec2{X: c.X, Y: c.Y}, 13*rng.Float64()-6.5
				w.From.Z = 0
				w.To = w.At(1)
				w.From.Z = math.Inf(-1)
			}
			along = append(along, w)
		}
		for name, tool := range rastertest.Tools() {
			checkPaths(t, b, name+" over "+s.Name, dropcutter.PathsInput{Over: over, Along: along, Tool: tool})
		}
	}
	over, err := dropcutter.NewTerrain(context.Background(),
		rastertest.Block(geom.Vec3{}, geom.Vec3{X: 10, Y: 10, Z: 5}), geom.World, primitive.OnCPU(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		way  motion.Segment
		want float64
	}{
		{motion.Segment{From: geom.Vec3{X: -2.01, Y: -5, Z: 1}, To: geom.Vec3{X: -2.01, Y: 20, Z: 1}}, 1},
		{motion.Segment{From: geom.Vec3{X: -1.99, Y: -5, Z: 1}, To: geom.Vec3{X: -1.99, Y: 20, Z: 1}}, 5},
		{motion.Segment{From: geom.Vec3{X: 4, Y: 4, Z: 5.01}, To: geom.Vec3{X: 5, Y: 6, Z: 5.01}}, 5.01},
		{motion.Segment{From: geom.Vec3{X: 4, Y: 4, Z: 1}, To: geom.Vec3{X: 4.5, Y: 4, Z: 1}}, 5},
		{motion.Segment{From: geom.Vec3{X: -7, Y: 5, Z: 1}, To: geom.Vec3{X: 5, Y: -7, Z: 1}, Turn: math.Pi / 2,
			Center: geom.Vec2{X: 5, Y: 5}}, 1},
		{motion.Segment{From: geom.Vec3{X: -1.5, Y: 5, Z: 1}, To: geom.Vec3{X: 5, Y: -1.5, Z: 1}, Turn: math.Pi / 2,
			Center: geom.Vec2{X: 5, Y: 5}}, 5},
		{motion.Segment{From: geom.Vec3{X: -1.5, Y: -9.5, Z: 1}, To: geom.Vec3{X: -1.5, Y: -9.5, Z: 1},
			Turn:   -2 * math.Pi,
			Center: geom.Vec2{X: -1.5, Y: -5.5}}, 5},
		{motion.Segment{From: geom.Vec3{X: -1.5, Y: -9.5, Z: 1}, To: geom.Vec3{X: -5.5, Y: -5.5, Z: 1},
			Turn:   -math.Pi / 2,
			Center: geom.Vec2{X: -1.5, Y: -5.5}}, 1},
	} {
		in := dropcutter.PathsInput{Over: over, Along: []motion.Segment{c.way}, Tool: toolprofile.EndMill(4, 0, 20)}
		out, err := dropcutter.AlongPaths.Run(context.Background(), b, in)
		if err != nil || out.Z[0] != c.want {
			t.Errorf("block, %+v: %v, %v, want %g", c.way, out.Z, err, c.want)
		}
	}
	primitivetest.Refuses(t, b, dropcutter.AlongPaths, func() dropcutter.PathsInput {
		return dropcutter.PathsInput{Over: over, Along: make([]motion.Segment, 2), Tool: toolprofile.EndMill(2, 1, 5)}
	}, map[string]func(*dropcutter.PathsInput){
		"no mesh":   func(in *dropcutter.PathsInput) { in.Over = nil },
		"no tool":   func(in *dropcutter.PathsInput) { in.Tool = nil },
		"no place":  func(in *dropcutter.PathsInput) { in.Along[1].To.Y = math.NaN() },
		"no height": func(in *dropcutter.PathsInput) { in.Along[1].From.Z = math.NaN() },
		"no turn":   func(in *dropcutter.PathsInput) { in.Along[1].Turn = math.NaN() },
		"far away":  func(in *dropcutter.PathsInput) { in.Along[1].Center.X = 1e9 },
	})
}

// checkPaths drops the tool at points of the paths.
func checkPaths(t testing.TB, b primitive.Runner, name string, in dropcutter.PathsInput) {
	t.Helper()
	const places = 50
	out, err := dropcutter.AlongPaths.Run(context.Background(), b, in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, w := range in.Along {
		w.From.Z, w.To.Z = 0, 0
		under := dropcutter.PointsInput{Over: in.Over, Tool: in.Tool}
		for k := range places + 1 {
			p := w.At(float64(k) / places)
			under.At = append(under.At, geom.Vec3{X: p.X, Y: p.Y, Z: math.Inf(-1)})
		}
		dropped, err := dropcutter.AtPoints.Run(context.Background(), b, under)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		_, rounding := under.Bound()
		if most := slices.Max(dropped.Z); out.Z[i] < most-rounding {
			t.Errorf("%s: way %d from %v to %v by %g round %v has %.9g, dropped %.9g", name, i, w.From, w.To,
				w.Turn, w.Center, out.Z[i], most)
			return
		}
	}
}
