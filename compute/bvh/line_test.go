package bvh

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright/compute/primitivetest/body"
	"millwright/core/geom"
)

// TestLinesLieOnTheirRays: wherever a ray starts and however long its direction is, its line in single precision is
// nowhere farther from it than the bound says, and ends where the ray does or outside of the ball.
func TestLinesLieOnTheirRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		m := body.Move(body.Ball(rng, 1, 0.5), geom.Vec3{X: 100 * rng.Float64(), Y: -50})
		tree := mustTree(t, m, 1)
		d := body.Directions(rng, 1)[0].Scale(math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "length")))
		if rng.IntN(3) == 0 {
			d.X, d.Y = 0, 0
		}
		far := math.Pow(10, rapid.Float64Range(-2, 7).Draw(t, "distance"))
		o := tree.middle.Add(body.Directions(rng, 1)[0].Scale(15*rng.Float64())).AddScaled(-far/d.Norm(), d)
		from := 2 * far * rng.Float64() / d.Norm()
		l, at, perMM, ok := tree.Line(o, d, from, math.Inf(1))
		foot := -o.Sub(tree.middle).Dot(d) / d.Norm2()
		miss := o.AddScaled(foot, d).Dist(tree.middle) - tree.radius
		bound := LineRounding*tree.radius + 1e-14*far
		if !ok {
			if miss < -bound && (from-foot)*d.Norm() < tree.radius {
				t.Fatalf("the ray from %v along %v was left out, %g mm in", o, d, -miss)
			}
			return
		}
		if miss > bound {
			t.Errorf("the ray passes the ball by %g mm", miss)
		}
		for _, s := range []float64{-tree.radius, float64(l.From), 1, tree.radius} {
			var p geom.Vec3
			p.X = float64(l.Origin[0]) + s*float64(l.Direction[0])
			p.Y = float64(l.Origin[1]) + s*float64(l.Direction[1])
			p.Z = float64(l.Origin[2]) + s*float64(l.Direction[2])
			q := o.AddScaled(at+s*perMM, d)
			if math.Abs(s) <= tree.radius && p.Dist(q.Sub(tree.middle)) > bound {
				t.Errorf("%g mm from the foot the line is %g mm off the ray", s, p.Dist(q.Sub(tree.middle)))
			}
		}
		if got := at + float64(l.From)*perMM; math.Abs(got-from)*d.Norm() > bound && float64(l.From) > -tree.radius {
			t.Errorf("the line starts at %g, the ray at %g", got, from)
		}
	})
}

func TestLinesThatAreNone(t *testing.T) {
	m := body.Boxes([2]geom.Vec3{{}, {X: 10, Y: 20, Z: 30}})
	tree, inf := mustTree(t, m, 1), math.Inf(1)
	rows := []struct {
		name       string
		o, d       geom.Vec3
		tMin, tMax float64
		want       bool
	}{
		{"through", geom.Vec3{X: -50, Y: 10, Z: 15}, geom.Vec3{X: 1}, 0, inf, true},
		{"the whole line", geom.Vec3{X: -50, Y: 10, Z: 15}, geom.Vec3{X: -1}, -inf, inf, true},
		{"beside", geom.Vec3{X: -50, Y: 50, Z: 15}, geom.Vec3{X: 1}, 0, inf, false},
		{"ends before it starts", geom.Vec3{Y: 10}, geom.Vec3{X: 1}, 2, 1, false},
		{"no direction", geom.Vec3{Y: 10}, geom.Vec3{}, 0, inf, false},
		{"no origin", geom.Vec3{X: math.NaN()}, geom.Vec3{X: 1}, 0, inf, false},
	}
	for _, row := range rows {
		if l, _, _, ok := tree.Line(row.o, row.d, row.tMin, row.tMax); ok != row.want {
			t.Errorf("%s: %v, %+v, want %v", row.name, ok, l, row.want)
		}
	}
	if _, _, _, ok := mustTree(t, body.Join(), 1).Line(geom.Vec3{}, geom.Vec3{X: 1}, 0, inf); ok {
		t.Error("a line through no triangles")
	}
}
