package graph_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A segment crosses a box if one end is inside and one outside, or if both are outside and the slabs of the box share a
// range of it.
func TestCrosses(t *testing.T) {
	ctx := context.Background()
	size := geom.Vec3{X: 3, Y: 2, Z: 1}
	m := build.Box(size)
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(ctx, m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	want := func(from, to geom.Vec3, grow float64) bool {
		box := geom.Box{Max: size}.Grow(grow)
		if in := box.Contains(from, 0); in || box.Contains(to, 0) {
			return in != box.Contains(to, 0)
		}
		lo, hi := 0.0, 1.0
		a, b := [3]float64{from.X, from.Y, from.Z}, [3]float64{to.X, to.Y, to.Z}
		low, high := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}, [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
		for i := range low {
			s, e := (low[i]-a[i])/(b[i]-a[i]), (high[i]-a[i])/(b[i]-a[i])
			lo, hi = max(lo, min(s, e)), min(hi, max(s, e))
		}
		return lo <= hi
	}
	rapid.Check(t, func(rt *rapid.T) {
		coordinate := rapid.Float64Range(-3.0123, 4.0456)
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: coordinate.Draw(rt, name+" x"), Y: coordinate.Draw(rt, name+" y"),
				Z: coordinate.Draw(rt, name+" z")}
		}
		from, to := point("from"), point("to")
		const near = 1e-6
		d := to.Sub(from)
		if min(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) < near { // along a side there is no slab to cut
			return
		}
		w := want(from, to, 0)
		if w != want(from, to, near) || w != want(from, to, -near) {
			return // through a corner, or ending in a side
		}
		if got := g.Crosses(from, to); got != w {
			rt.Errorf("from %v to %v: crosses %t, want %t", from, to, got, w)
		}
	})
	for _, row := range []struct {
		name     string
		from, to geom.Vec3
		want     bool
	}{
		{"through an edge", geom.Vec3{X: 1, Y: -1, Z: -1}, geom.Vec3{X: 1, Y: 1, Z: 1.5}, true},
		{"through the diagonal of a side", geom.Vec3{X: 1.5, Y: 1, Z: -1}, geom.Vec3{X: 1.5, Y: 1, Z: 0.5}, true},
		{"beside a side", geom.Vec3{X: -1, Y: -0.1, Z: 0.5}, geom.Vec3{X: 5, Y: -0.1, Z: 0.5}, false},
		{"along a side", geom.Vec3{X: 0.5, Z: 0.5}, geom.Vec3{X: 1, Z: 0.6}, false},
	} {
		if got := g.Crosses(row.from, row.to); got != row.want {
			t.Errorf("%s: crosses %t, want %t", row.name, got, row.want)
		}
	}
}
