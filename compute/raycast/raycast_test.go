package raycast_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright/compute/bvh"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest/body"
	"millwright/compute/raycast"
	"millwright/core/geom"
)

// BenchmarkRaycast casts rays from the middles of the triangles of a rough ball, one after the other in 64 directions.
func BenchmarkRaycast(b *testing.B) {
	m := body.Ball(rand.New(rand.NewPCG(1, 1)), 6, 0.4)
	tree, err := bvh.New(m.Points, m.Triangles, 1)
	if err != nil {
		b.Fatal(err)
	}
	in := raycast.Input{Tree: tree}
	dirs := make([]geom.Vec3, 64)
	for i := range dirs {
		z := 1 - 2*(float64(i)+0.5)/float64(len(dirs))
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		dirs[i] = geom.Vec3{X: r * c, Y: r * s, Z: z}
	}
	for _, d := range dirs {
		for _, t := range m.Triangles {
			p := m.Points[t[0]].Add(m.Points[t[1]]).Add(m.Points[t[2]]).Scale(1.0 / 3)
			in.Rays = append(in.Rays, raycast.Ray{Origin: p.AddScaled(1e-3, d), Direction: d, TMax: math.Inf(1)})
		}
	}
	for _, in.Any = range []bool{false, true} {
		b.Run(fmt.Sprintf("any=%t", in.Any), func(b *testing.B) {
			for b.Loop() {
				if _, err := raycast.Primitive.Run(context.Background(), primitive.OnCPU(1), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(in.Rays)*b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	}
}

func TestRaycastClosedForms(t *testing.T) {
	m := body.Boxes([2]geom.Vec3{{}, {X: 10, Y: 20, Z: 30}})
	inf := math.Inf(1)
	cast := func(o, d geom.Vec3, from, to float64) raycast.Ray {
		return raycast.Ray{Origin: o, Direction: d, TMin: from, TMax: to}
	}
	rows := []struct {
		name string
		ray  raycast.Ray
		t    float64
		wall []int32 // any of these triangles
	}{
		{"towards the box", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 1}, 0, inf), 5, []int32{0, 1}},
		{"away from it", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: -1}, 0, inf), inf, nil},
		{"away from it, both ways", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: -1}, -inf, inf),
			-15, []int32{2, 3}},
		{"ends before it", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 1}, 0, 4.999), inf, nil},
		{"ends behind it", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 1}, 0, 5.001), 5, []int32{0, 1}},
		{"starts inside", cast(geom.Vec3{X: 5, Y: 9, Z: 15}, geom.Vec3{Z: -1}, 0, inf), 15, []int32{8, 9}},
		{"starts behind the near wall", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 1}, 5.001, inf),
			15, []int32{2, 3}},
		{"starts behind the far wall", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 1}, 15.001, inf), inf, nil},
		{"t counts in lengths", cast(geom.Vec3{X: -5, Y: 9, Z: 15}, geom.Vec3{X: 10}, 0, inf), 0.5, []int32{0, 1}},
		{"through the side of two triangles", cast(geom.Vec3{X: 5, Y: 10, Z: 40}, geom.Vec3{Z: -1}, 0, inf),
			10, []int32{10, 11}},
		{"down an upright side", cast(geom.Vec3{Z: 40}, geom.Vec3{Z: -1}, 0, inf),
			10, []int32{10, 11}},
		{"at a corner, askew", cast(geom.Vec3{X: -3, Y: -4, Z: 35}, geom.Vec3{X: 3, Y: 4, Z: -5}, 0, inf), 1,
			[]int32{0, 1, 4, 5, 10, 11}},
		{"beside it", cast(geom.Vec3{X: -1e-3, Y: 5, Z: 40}, geom.Vec3{Z: -1}, 0, inf), inf, nil},
		{"from far away", cast(geom.Vec3{X: -1e9, Y: 5, Z: 5}, geom.Vec3{X: 1}, 0, inf), 1e9, []int32{0, 1}},
	}
	for _, row := range rows {
		out, err := raycast.Primitive.Run(context.Background(), primitive.OnCPU(1), raycast.Input{Mesh: m, Rays: []raycast.Ray{row.ray}})
		if err != nil {
			t.Fatal(err)
		}
		near := row.t == out.T[0] || math.Abs(out.T[0]-row.t)*row.ray.Direction.Norm() <= row.ray.Bound(m.Bounds())
		if !near || out.Triangle[0] >= 0 && !slices.Contains(row.wall, out.Triangle[0]) ||
			(out.Triangle[0] < 0) != (row.wall == nil) {
			t.Errorf("%s: triangle %d at %.9g, want one of %v at %g", row.name, out.Triangle[0], out.T[0], row.wall, row.t)
		}
	}
}
