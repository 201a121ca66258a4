package visibility

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestSteps(t *testing.T) {
	const tiny = 5e-324 // mm, the least number there is
	for _, c := range []struct {
		name    string
		points  []geom.Vec3
		samples [][3]float32
		origin  geom.Vec3
		radius  float64 // mm, half of the diagonal; 0: all is in one place
	}{
		{"nothing", nil, nil, geom.Vec3{}, 0},
		{"one point", []geom.Vec3{{X: 3}}, nil, geom.Vec3{X: 3}, 0},
		{"nearer than numbers tell", []geom.Vec3{{}, {X: tiny}}, nil, geom.Vec3{}, 0},
		{"a segment", []geom.Vec3{{X: -2}, {X: 4}}, nil, geom.Vec3{X: 1}, 3},
		{"a sample beyond the points", []geom.Vec3{{}, {Y: 1}}, [][3]float32{{0, 0, 2}}, geom.Vec3{Y: 1, Z: 1},
			math.Sqrt(1+9) / 2},
	} {
		in := Input{Points: c.points, Samples: c.samples, Origin: c.origin}
		points, origin, perMM := in.steps()
		want := 0.0
		if c.radius > 0 {
			want = stepCount / c.radius
		}
		if math.Abs(perMM-want) > 1e-12*want || len(points) != len(c.points) {
			t.Errorf("%s: %d points, %g steps per mm, want %g", c.name, len(points), perMM, want)
		}
		for _, p := range append(points, origin) {
			if !p.IsFinite() && len(c.points) > 0 || p.Norm() > stepCount*(1+1e-12) {
				t.Errorf("%s: a place at %v steps", c.name, p)
			}
		}
	}
}

// TestVisibilityCheckValidatesBodyOnce checks that a body is validated once for any later samples.
func TestVisibilityCheckValidatesBodyOnce(t *testing.T) {
	in := Input{
		Points: []geom.Vec3{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}},
		Directions: []geom.Vec3{{Z: 1}},
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	next := in
	next.Triangles = [][3]int32{{0, 1, 3}} // forbidden by the contract; it shows whether triangles are checked again
	next.Samples = [][3]float32{{0, 0, 1}}
	if err := next.Check(); err != nil {
		t.Errorf("the body was looked at again: %v", err)
	}
	next.Samples = [][3]float32{{0, 0, float32(math.NaN())}}
	if next.Check() == nil {
		t.Error("a sample that is no number was taken")
	}
	for _, bad := range []Input{
		{Points: in.Points, Triangles: next.Triangles},
		{Points: []geom.Vec3{{X: math.NaN()}}},
		{Directions: []geom.Vec3{{Z: 2}}},
	} {
		for range 2 {
			if bad.Check() == nil {
				t.Errorf("%v was taken", bad)
			}
		}
	}
}
