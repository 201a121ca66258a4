package direction_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/setup"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
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

// Round and free-form faces without a plane or an axis for a direction are visible too, from as few directions as a
// machinist would take, and along the part's own axes if it has any.
func TestSampledDirections(t *testing.T) {
	rows := []struct {
		name    string
		model   *brep.Model
		own     []geom.Vec3 // directions that must be there
		setups  int
		visible float64 // share that is seen of each patch at best
	}{
		{"sphere", build.Sphere(10, build.Style{}), []geom.Vec3{up, up.Neg()}, 1, 0.45},
		{"lid", domed(), []geom.Vec3{up, up.Neg()}, 2, 0.99},
		{"free-form lid", freeform(t, domed()), []geom.Vec3{up, up.Neg()}, 2, 0.99},
		{"groove round a shaft", waisted(), []geom.Vec3{up, up.Neg(), right, right.Neg()}, 3, 0.4},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			checkSampled(t, row.model, row.own, row.setups, row.visible)
		})
	}
	// The ends of the shaft are walls for the directions that face its groove. These see all but a few samples at the
	// horizon of the rest: two or three setups.
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

// tester is the common interface of tests and properties.
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
	if n := len(setup.Choose(res.Graph, res.Visibility, res.Features)); n < 1 || n > setups {
		t.Errorf("%s: %d setups, of directions %v, want 1 to %d", m.Name, n, res.Directions, setups)
	}
	for p := range res.Graph.Patches {
		best := 0.0
		for i := range res.Directions {
			best = max(best, res.Visibility.Share[i][p])
		}
		if best < visible {
			t.Errorf("%s: at most %.3f of patch %d is seen, want %.2f", m.Name, best, p, visible)
		}
	}
}

// pillow is a block with a shallow dome over a square as its top. Each of its sides sees the half that slopes toward
// it, except the area too near the horizon. It may have a round boss underneath, whose wall is visible only from below.
func pillow(t *testing.T, rise float64, withBoss bool) *brep.Model {
	t.Helper()
	const size, low = 40.0, 20.0
	b := build.New("pillow")
	var v [2][4]brep.VertexID
	var ring [2][4]brep.EdgeID
	var up [4]brep.EdgeID
	for k, z := range [2]float64{0, low} {
		for i, p := range [4]geom.Vec2{{}, {X: size}, {X: size, Y: size}, {Y: size}} {
			v[k][i] = b.Vertex(geom.Vec3{X: p.X, Y: p.Y, Z: z})
		}
		for i := range 4 {
			ring[k][i] = b.Line(v[k][i], v[k][(i+1)%4])
		}
	}
	for i := range 4 {
		up[i] = b.Line(v[0][i], v[1][i])
	}
	plane := func(x, y, z float64, normal geom.Vec3, uses ...build.EdgeUse) {
		frame := geom.NewFrame(geom.Vec3{X: x, Y: y, Z: z}, normal, geom.Vec3{})
		b.Face(surface.Plane{Frame: frame}, false, build.Chain(uses...))
	}
	plane(0, 0, 0, geom.Vec3{Z: -1}, build.Rev(ring[0][3]), build.Rev(ring[0][2]), build.Rev(ring[0][1]),
		build.Rev(ring[0][0]))
	if withBoss {
		b.AddLoop(0, boss(b, geom.Vec3{X: size / 2, Y: size / 2}, 8, 5))
	}
	for i, n := range [4]geom.Vec3{{Y: -1}, {X: 1}, {Y: 1}, {X: -1}} {
		plane(size*max(0, n.X), size*max(0, n.Y), 0, n, build.Fwd(ring[0][i]), build.Fwd(up[(i+1)%4]),
			build.Rev(ring[1][i]), build.Rev(up[i]))
	}
	var net []geom.Vec3
	for i := range 3 {
		for j := range 3 {
			p := geom.Vec3{X: size / 2 * float64(i), Y: size / 2 * float64(j), Z: low}
			if i == 1 && j == 1 {
				p.Z += 4 * rise
			}
			net = append(net, p)
		}
	}
	knots := []float64{0, 0, 0, 1, 1, 1}
	top, err := surface.NewBSpline(2, 2, knots, knots, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Face(top, false, build.Chain(build.Fwd(ring[1][0]), build.Fwd(ring[1][1]), build.Fwd(ring[1][2]),
		build.Fwd(ring[1][3])))
	b.Solid()
	return b.Model()
}

// boss adds a round boss below a point of a face and returns the loop of its base.
func boss(b *build.Builder, at geom.Vec3, radius, height float64) build.Loop {
	var circle [2]brep.EdgeID
	var v [2]brep.VertexID
	for k := range circle {
		f := geom.NewFrame(at.AddScaled(-height*float64(k), up), up, geom.Vec3{X: 1})
		v[k] = b.Vertex(f.Origin.AddScaled(radius, f.X))
		circle[k] = b.Edge(curve.Circle{Frame: f, Radius: radius}, 0, 2*math.Pi, v[k], v[k])
	}
	seam := b.Line(v[1], v[0])
	b.Face(surface.Cylinder{Frame: geom.NewFrame(at, up, geom.Vec3{X: 1}), Radius: radius}, false,
		build.Chain(build.Fwd(circle[1]), build.Fwd(seam), build.Rev(circle[0]), build.Rev(seam)))
	end := geom.NewFrame(at.AddScaled(-height, up), up.Neg(), geom.Vec3{X: 1})
	b.Face(surface.Plane{Frame: end}, false, build.Chain(build.Rev(circle[1])))
	return build.Chain(build.Fwd(circle[0]))
}

// A top that every side sees in part, but no side sees about half of, is machined from above.
func TestDirectionOverADome(t *testing.T) {
	for _, rise := range []float64{0.2, 0.5, 1, 3} {
		for _, withBoss := range []bool{false, true} {
			m := pillow(t, rise, withBoss)
			m.Name = fmt.Sprintf("pillow %g, boss %t", rise, withBoss)
			checkSampled(t, m, []geom.Vec3{up}, 2, 0.99)
		}
	}
}
