// Package dropcuttertest is the suite that every twin of the drop-cutter must pass, and inputs to measure it on.
package dropcuttertest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// Suite tests a runner of the primitive against dropcutter.Input: every tip must lie between the exact contacts of a
// slightly thinner tool and of a slightly thicker one.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	for _, s := range append(rastertest.ContactScenes(), dropScenes()...) {
		for name, tool := range rastertest.Tools() {
			in := dropcutter.Input{Mesh: s.Mesh, Frame: s.Frame, Grid: s.Grid, Tool: tool}
			out, err := dropcutter.Primitive.Run(context.Background(), b, in)
			if err != nil {
				t.Errorf("%s over %s: %v", name, s.Name, err)
				continue
			}
			checkDrop(t, name+" over "+s.Name, &in, out.Z)
		}
	}
	refuseDrop(t, b)
}

// dropScenes contain the difficult features for a drop-cutter: level and vertical facets, flat ridges, corners on
// cells, facets as steep as a tool, and nearly vertical sides.
func dropScenes() []rastertest.Scene {
	rng := rand.New(rand.NewPCG(11, 12))
	coarse := grid.Grid{X: -4, Y: -4, Step: 1, Width: 17, Height: 16}
	cone := 1 / math.Tan(geom.Radians(59)) // the slope of the drill
	roof := func(slope float64) rastertest.Scene {
		m := rastertest.Waves(3, 2)
		for i := range m.Points {
			p := &m.Points[i]
			p.Z = slope * p.X
			if i%2 == 0 {
				p.Z += 1e-13 * rng.Float64()
			}
		}
		return rastertest.Over("a flat roof", m, geom.World, coarse)
	}
	bumps := rastertest.Waves(5, 1.3)
	for i := range bumps.Points {
		bumps.Points[i].Z = float64(rng.IntN(3)) / 2
	}
	return []rastertest.Scene{
		rastertest.Over("a block on centres", rastertest.Block(geom.Vec3{}, geom.Vec3{X: 4, Y: 3, Z: 2}),
			geom.World, coarse),
		rastertest.Over("a turned block", rastertest.Block(geom.Vec3{}, geom.Vec3{X: 4, Y: 3, Z: 2}),
			geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1, Y: 0.3}), coarse),
		rastertest.Over("a block on its edge", rastertest.Block(geom.Vec3{X: -1, Y: -1}, geom.Vec3{X: 3, Y: 3, Z: 2}),
			geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1, Y: 0.2, Z: 1}, geom.Vec3{Y: 1}), coarse),
		roof(0), roof(cone), roof(1), roof(40),
		rastertest.Over("bumps", bumps, geom.World, coarse),
		rastertest.Over("segments", rastertest.Triangles(9, func() (p [3]geom.Vec3) {
			p[0] = geom.Vec3{X: float64(rng.IntN(9)), Y: float64(rng.IntN(9)), Z: float64(rng.IntN(3))}
			p[1] = geom.Vec3{X: 9 * rng.Float64(), Y: 9 * rng.Float64(), Z: 3 * rng.Float64()}
			p[2] = p[rng.IntN(2)]
			return p
		}), geom.World, coarse),
		rastertest.Over("spikes", rastertest.Triangles(7, func() (p [3]geom.Vec3) {
			p[0] = geom.Vec3{X: float64(rng.IntN(9)), Y: 9 * rng.Float64()}
			p[1], p[2] = p[0].Add(geom.Vec3{Z: 2}), p[0].Add(geom.Vec3{Z: float64(rng.IntN(5))})
			return p
		}), geom.World, coarse),
	}
}

func checkDrop(t testing.TB, name string, in *dropcutter.Input, z []float32) {
	t.Helper()
	g := in.Grid
	if len(z) != g.Len() {
		t.Errorf("%s: %d tips for %d cells", name, len(z), g.Len())
		return
	}
	lateral, vertical := in.Bound()
	part, tool := rastertest.Local(in.Mesh, in.Frame), in.Tool.Underside()
	thin := rastertest.Contact{Part: part, Tool: rastertest.Offset(tool, -lateral)}
	thick := rastertest.Contact{Part: part, Tool: rastertest.Offset(tool, lateral)}
	const every = 5 // cells: the reference is slow
	for c := 0; c < len(z); c += every {
		x, y := g.X+g.Step*float64(c%g.Width), g.Y+g.Step*float64(c/g.Width)
		lo, hi := thin.Tip(x, y)-vertical, thick.Tip(x, y)+vertical
		if got := float64(z[c]); !(got >= lo && got <= hi) {
			t.Errorf("%s: cell %d, %d has %.9g, want %.9g to %.9g", name, c%g.Width, c/g.Width, got, lo, hi)
			return
		}
	}
}

func refuseDrop(t testing.TB, b primitive.Runner) {
	t.Helper()
	sound := func() dropcutter.Input {
		return dropcutter.Input{
			Mesh: rastertest.Block(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), Frame: geom.World,
			Grid: grid.Grid{Step: 1, Width: 3, Height: 2}, Tool: toolprofile.EndMill(2, 1, 5),
		}
	}
	primitivetest.Refuses(t, b, dropcutter.Primitive, sound, map[string]func(*dropcutter.Input){
		"no mesh":       func(in *dropcutter.Input) { in.Mesh = nil },
		"no frame":      func(in *dropcutter.Input) { in.Frame = geom.Frame{} },
		"no step":       func(in *dropcutter.Input) { in.Grid.Step = 0 },
		"no tool":       func(in *dropcutter.Input) { in.Tool = nil },
		"huge tool":     func(in *dropcutter.Input) { in.Tool = toolprofile.EndMill(1e5, 0, 5) },
		"point missing": func(in *dropcutter.Input) { in.Mesh.Triangles[1][2] = 99 },
		"not a number":  func(in *dropcutter.Input) { in.Mesh.Points[1].Z = math.NaN() },
	})
}
