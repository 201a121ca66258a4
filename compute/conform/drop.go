package conform

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
)

// CutterDropper is a backend of the drop-cutter.
type CutterDropper interface {
	DropCutter(context.Context, kernel.DropCutterInput) (kernel.DropCutterOutput, error)
}

// DropCutter holds a backend to kernel.DropCutterInput: every tip lies between the exact contacts of a tool that is
// a little thinner and of one that is a little thicker.
func DropCutter(t testing.TB, b CutterDropper) {
	t.Helper()
	for _, s := range append(contactScenes(), dropScenes()...) {
		for name, tool := range tools() {
			in := kernel.DropCutterInput{Mesh: s.mesh, Frame: s.frame, Grid: s.grid, Tool: tool}
			out, err := b.DropCutter(context.Background(), in)
			if err != nil {
				t.Errorf("%s over %s: %v", name, s.name, err)
				continue
			}
			checkDrop(t, name+" over "+s.name, &in, out.Z)
		}
	}
	refuseDrop(t, b)
}

// dropScenes have what a drop-cutter may trip over: level and upright facets, flat ridges, corners on cells, facets
// as steep as a tool, and sides that nearly are.
func dropScenes() []scene {
	rng := rand.New(rand.NewPCG(11, 12))
	coarse := kernel.Grid{X: -4, Y: -4, Step: 1, Width: 17, Height: 16}
	cone := 1 / math.Tan(geom.Radians(59)) // the slope of the drill
	roof := func(slope float64) scene {
		m := waves(3, 2)
		for i := range m.Points {
			p := &m.Points[i]
			p.Z = slope * p.X
			if i%2 == 0 {
				p.Z += 1e-13 * rng.Float64()
			}
		}
		return scene{"a flat roof", m, geom.World, coarse}
	}
	bumps := waves(5, 1.3)
	for i := range bumps.Points {
		bumps.Points[i].Z = float64(rng.IntN(3)) / 2
	}
	return []scene{
		{"a block on centres", block(geom.Vec3{}, geom.Vec3{X: 4, Y: 3, Z: 2}), geom.World, coarse},
		{"a turned block", block(geom.Vec3{}, geom.Vec3{X: 4, Y: 3, Z: 2}),
			geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1, Y: 0.3}), coarse},
		{"a block on its edge", block(geom.Vec3{X: -1, Y: -1}, geom.Vec3{X: 3, Y: 3, Z: 2}),
			geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1, Y: 0.2, Z: 1}, geom.Vec3{Y: 1}), coarse},
		roof(0), roof(cone), roof(1), roof(40),
		{"bumps", bumps, geom.World, coarse},
		{"segments", triangles(9, func() (p [3]geom.Vec3) {
			p[0] = geom.Vec3{X: float64(rng.IntN(9)), Y: float64(rng.IntN(9)), Z: float64(rng.IntN(3))}
			p[1] = geom.Vec3{X: 9 * rng.Float64(), Y: 9 * rng.Float64(), Z: 3 * rng.Float64()}
			p[2] = p[rng.IntN(2)]
			return p
		}), geom.World, coarse},
		{"spikes", triangles(7, func() (p [3]geom.Vec3) {
			p[0] = geom.Vec3{X: float64(rng.IntN(9)), Y: 9 * rng.Float64()}
			p[1], p[2] = p[0].Add(geom.Vec3{Z: 2}), p[0].Add(geom.Vec3{Z: float64(rng.IntN(5))})
			return p
		}), geom.World, coarse},
	}
}

func checkDrop(t testing.TB, name string, in *kernel.DropCutterInput, z []float32) {
	t.Helper()
	g := in.Grid
	if len(z) != g.Len() {
		t.Errorf("%s: %d tips for %d cells", name, len(z), g.Len())
		return
	}
	lateral, vertical := in.Bound()
	part, tool := localTriangles(in.Mesh, in.Frame), in.Tool.Underside()
	thin, thick := contact{part, grown(tool, -lateral)}, contact{part, grown(tool, lateral)}
	const every = 5 // cells: the reference is slow
	for c := 0; c < len(z); c += every {
		x, y := g.X+g.Step*float64(c%g.Width), g.Y+g.Step*float64(c/g.Width)
		lo, hi := thin.tip(x, y)-vertical, thick.tip(x, y)+vertical
		if got := float64(z[c]); !(got >= lo && got <= hi) {
			t.Errorf("%s: cell %d, %d has %.9g, want %.9g to %.9g", name, c%g.Width, c/g.Width, got, lo, hi)
			return
		}
	}
}

func refuseDrop(t testing.TB, b CutterDropper) {
	t.Helper()
	sound := func() kernel.DropCutterInput {
		return kernel.DropCutterInput{
			Mesh: block(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), Frame: geom.World,
			Grid: kernel.Grid{Step: 1, Width: 3, Height: 2}, Tool: tool.EndMill(2, 1, 5),
		}
	}
	refuses(t, b.DropCutter, sound, map[string]func(*kernel.DropCutterInput){
		"no mesh":       func(in *kernel.DropCutterInput) { in.Mesh = nil },
		"no frame":      func(in *kernel.DropCutterInput) { in.Frame = geom.Frame{} },
		"no step":       func(in *kernel.DropCutterInput) { in.Grid.Step = 0 },
		"no tool":       func(in *kernel.DropCutterInput) { in.Tool = nil },
		"huge tool":     func(in *kernel.DropCutterInput) { in.Tool = tool.EndMill(1e5, 0, 5) },
		"point missing": func(in *kernel.DropCutterInput) { in.Mesh.Triangles[1][2] = 99 },
		"not a number":  func(in *kernel.DropCutterInput) { in.Mesh.Points[1].Z = math.NaN() },
	})
}
