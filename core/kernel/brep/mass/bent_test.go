package mass

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestBentSpan: a single span of degree 4 that winds like an S has the area of its profile's length.
func TestBentSpan(t *testing.T) {
	profile := []geom.Vec3{{}, {X: 2, Y: 9}, {X: 5, Y: -9}, {X: 8, Y: 9}, {X: 10}}
	knots := []float64{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
	c, err := curve.NewBSpline(4, knots, profile, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	want := 3 * curve.Length(c, c.Domain())
	for _, swapped := range []bool{false, true} {
		var pts []geom.Vec3
		for _, p := range profile {
			pts = append(pts, p, p.Add(geom.Vec3{Z: 3}))
		}
		degU, degV, ku, kv := 4, 1, knots, []float64{0, 0, 1, 1}
		if swapped {
			var turned []geom.Vec3
			for j := range 2 {
				for i := range profile {
					turned = append(turned, pts[2*i+j])
				}
			}
			degU, degV, ku, kv, pts = degV, degU, kv, ku, turned
		}
		s, err := surface.NewBSpline(degU, degV, ku, kv, pts, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := &brep.Model{Shells: []brep.Shell{{Solid: brep.None, Faces: []brep.FaceID{0}}},
			Faces: []brep.Face{{Surface: s}}, Tolerance: geom.DefaultTolerance}
		p, err := Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.Area-want) > 1e-5*want {
			t.Errorf("swapped %v: area %.9g, want %.9g", swapped, p.Area, want)
		}
	}
}
