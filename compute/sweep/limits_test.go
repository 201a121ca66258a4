package sweep

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestCutStaysWithinRayLimits checks that the cut of a leg in a ray lies within the limits of the ray, for random
// tools, moves and views.
func TestCutStaysWithinRayLimits(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: -3, Y: -3, Z: -3}, Step: 0.37, Count: [3]int{17, 17, 17}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	tools := []toolprofile.Profile{
		toolprofile.EndMill(2, 0, 3), toolprofile.EndMill(3, 1.5, 4), toolprofile.EndMill(2, 0.5, 3),
		toolprofile.Drill(2, 2, 4),
		{{To: geom.Vec2{X: 2}}, {From: geom.Vec2{X: 2}, To: geom.Vec2{X: 1, Y: 2}},
			{From: geom.Vec2{X: 1, Y: 2}, To: geom.Vec2{X: 3, Y: 2}},
			{From: geom.Vec2{X: 3, Y: 2}, To: geom.Vec2{X: 3, Y: 5}}},
	}
	z := geom.Vec3{Z: 1}
	frames := []geom.Frame{
		geom.World, geom.NewFrame(geom.Vec3{}, z.Neg(), geom.Vec3{X: 1}),
		geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1}, z),
		geom.NewFrame(geom.Vec3{}, geom.Vec3{Y: -1}, z), geom.NewFrame(geom.Vec3{}, z, geom.Vec3{X: 0.6, Y: 0.8}),
		geom.NewFrame(geom.Vec3{}, geom.Vec3{Y: 0.6, Z: 0.8}, geom.Vec3{X: 1}),
	}
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) geom.Vec3 {
			v := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.SampledFrom([]float64{0, 1, -1}))
			return geom.Vec3{X: v.Draw(t, name+" x"), Y: v.Draw(t, name+" y"), Z: v.Draw(t, name+" z")}
		}
		m := motion.Segment{From: at("from"), To: at("to")}
		if rapid.Bool().Draw(t, "arc") {
			m.Center, m.Turn = geom.Vec2{X: 0.3, Y: 0.2}, rapid.Float64Range(-3, 3).Draw(t, "turn")
			end := m.At(1)
			m.To = geom.Vec3{X: end.X, Y: end.Y, Z: rapid.SampledFrom([]float64{m.From.Z, m.To.Z}).Draw(t, "height")}
		}
		in := Input{
			Stock: stock, Tool: rapid.SampledFrom(tools).Draw(t, "tool"), Moves: []motion.Segment{m},
			Frame: rapid.SampledFrom(frames).Draw(t, "frame"),
		}
		legs, err := appendLegs(nil, &m, 0, true)
		if err != nil {
			t.Fatal(err)
		}
		for bundle := range 3 {
			v := newView(&in, bundle)
			if v.kind == slanted {
				continue
			}
			s := sweeper{view: &v, parts: partsOf(&in, false), layout: layoutOf(l, bundle)}
			c := newCutter(&s, &tile{})
			w := s.window(0)
			for _, a := range s.appendActions(nil, &legs[0]) {
				c.part = &c.parts[a.part]
				c.limits.set(&a.space, &v, c.part, w, w)
				for ray := range s.columns * s.rows {
					i, j := ray%s.columns, ray/s.columns
					c.strike(&a, (float64(i)+0.5)*l.Step, (float64(j)+0.5)*l.Step)
					for _, k := range c.cuts {
						met++
						// how far it goes beyond the lattice is nothing
						from, to := float32(max(k[0], 0)), float32(min(k[1], 17*l.Step))
						if lo, hi := c.limits.at(i, j); from < to && (from < lo || to > hi) {
							t.Fatalf("bundle %d, ray %d, %d: %v beyond %g to %g", bundle, i, j, k, lo, hi)
						}
					}
				}
			}
		}
	})
	if met == 0 {
		t.Error("nothing was met")
	}
}

// TestSlightTiltRemovesSameVolume checks that a minimally tilted tool removes the same volume as a vertical one, within
// the chords of its corner.
func TestSlightTiltRemovesSameVolume(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: -3, Y: -3, Z: -3}, Step: 0.5, Count: [3]int{12, 12, 12}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []toolprofile.Profile{toolprofile.EndMill(2, 0, 3), toolprofile.EndMill(2, 1, 3),
		toolprofile.EndMill(2, 0.5, 3)} {
		for _, to := range []geom.Vec3{{Y: 1, Z: 1.3}, {X: 1.1, Y: 0.7, Z: -1.2}, {X: 1, Y: 1}, {X: 1, Z: -0.5}} {
			in := Input{Stock: stock, Tool: tool, Frame: geom.World,
				Moves: []motion.Segment{{From: geom.Vec3{X: 1}, To: to}}}
			upright := volumes(t, in)
			for _, tilt := range []float64{1e-12, 1e-10, 2e-9, 1e-8, 1e-7, 1e-6, 1e-5} {
				in.Frame = geom.NewFrame(geom.Vec3{}, geom.Vec3{X: tilt / 2, Y: tilt, Z: 1}, geom.Vec3{X: 1})
				for axis, v := range volumes(t, in) {
					if d := math.Abs(v - upright[axis]); !(d < 10*Chord+200*tilt) {
						t.Errorf("to %v, tilted by %g: along axis %d %g mm³ are left, of an upright tool %g", to, tilt,
							axis, v, upright[axis])
					}
				}
			}
		}
	}
}

func volumes(t *testing.T, in Input) [3]float64 {
	t.Helper()
	out, err := Primitive.Run(t.Context(), primitive.OnCPU(1), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Stock.Volume()
}
