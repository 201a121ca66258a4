package direction_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/geom"
)

// domed is a round lid whose top is a part of a sphere; nothing is flat but its bottom.
func domed() *brep.Model {
	profile := build.Polygon(v2(0, 0), v2(20, 0), v2(20, 5), v2(0, 15))
	profile[2].Bulge = build.Bulge(0.9)
	return build.Revolve("domed", geom.World, profile, build.Style{})
}

// waisted is a turned part with a round groove in its middle.
func waisted() *brep.Model {
	profile := build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(20, 30), v2(20, 40), v2(0, 40))
	profile[2].Bulge = -build.Bulge(2.5)
	return build.Revolve("waisted", geom.World, profile, build.Style{})
}

func freeform(t *testing.T, m *brep.Model) *brep.Model {
	t.Helper()
	f, err := build.Freeform(m, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Round and free-form faces that no plane and no axis asks a direction for are seen all the same, by as
// few directions as a machinist would take, and along the part's own axes where it has any.
func TestSampledDirections(t *testing.T) {
	rows := []struct {
		name    string
		model   *brep.Model
		own     []geom.Vec3 // directions that must be there
		setups  int
		visible float64 // share that is seen of each patch at best
	}{
		{"sphere", build.Sphere(10, build.Style{}), []geom.Vec3{up, up.Neg()}, 2, 0.45},
		{"lid", domed(), []geom.Vec3{up, up.Neg()}, 2, 0.99},
		{"free-form lid", freeform(t, domed()), []geom.Vec3{up, up.Neg()}, 2, 0.99},
		{"groove round a shaft", waisted(), []geom.Vec3{up, up.Neg(), right, right.Neg()}, 3, 0.4},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			checkSampled(t, row.model, row.own, row.setups, row.visible)
		})
	}
	// The ends of the shaft are walls to the directions that look into its groove, which see all but a few
	// samples at the horizon of the rest: two or three setups.
	t.Run("turned", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 3))
			axis := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			angle := 6 * rng.Float64()
			d := geom.Rotation(axis, angle).Dir(up)
			checkSampled(r, turned(domed(), axis, angle), []geom.Vec3{d, d.Neg()}, 2, 0.99)
			checkSampled(r, turned(waisted(), axis, angle), []geom.Vec3{d, d.Neg()}, 3, 0.4)
		})
	})
}

// tester is what tests and properties have in common.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

func checkSampled(t tester, m *brep.Model, own []geom.Vec3, setups int, visible float64) {
	t.Helper()
	res := run(t, m)
	for _, want := range own {
		nearest := math.Inf(1)
		for _, d := range res.Directions {
			nearest = min(nearest, d.Dist(want))
		}
		if nearest > 1e-9 {
			t.Errorf("%s: directions %v, want %v among them", m.Name, res.Directions, want)
		}
	}
	if n := len(res.Setups); n < 2 || n > setups {
		t.Errorf("%s: setups %v of %v, want 2 to %d", m.Name, res.Setups, res.Directions, setups)
	}
	for p := range res.Graph.Patches {
		best := 0.0
		for i := range res.Directions {
			best = max(best, res.Sight.Share[i][p])
		}
		if best < visible {
			t.Errorf("%s: at most %.3f of patch %d is seen, want %.2f", m.Name, best, p, visible)
		}
	}
}
