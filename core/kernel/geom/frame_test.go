package geom_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestNewFrameIsOrthonormal(t *testing.T) {
	rows := []struct {
		name    string
		z, xRef geom.Vec3
		wantX   geom.Vec3 // zero: any
	}{
		{"axes", geom.Vec3{Z: 2}, geom.Vec3{X: 3}, geom.Vec3{X: 1}},
		{"oblique reference", geom.Vec3{Z: 1}, geom.Vec3{X: 1, Z: 5}, geom.Vec3{X: 1}},
		{"nearly parallel reference", geom.Vec3{X: 1, Y: 1, Z: 1}, geom.Vec3{X: 1, Y: 1, Z: 1 + 1e-7}, geom.Vec3{}},
		{"parallel reference", geom.Vec3{Y: 1}, geom.Vec3{Y: 4}, geom.Vec3{}},
		{"no axis", geom.Vec3{}, geom.Vec3{Y: 1}, geom.Vec3{Y: 1}},
		{"nothing at all", geom.Vec3{}, geom.Vec3{}, geom.Vec3{X: 1}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			f := geom.NewFrame(geom.Vec3{X: 7}, r.z, r.xRef)
			const tol = 4e-16
			for _, d := range []float64{
				f.X.Dot(f.Y), f.Y.Dot(f.Z), f.Z.Dot(f.X), f.X.Norm() - 1, f.Y.Norm() - 1, f.Z.Norm() - 1,
			} {
				if math.Abs(d) > tol {
					t.Errorf("frame %v is off by %g", f, d)
				}
			}
			if !f.IsRightHanded() || r.wantX != (geom.Vec3{}) && f.X.Dist(r.wantX) > tol {
				t.Errorf("frame %v: want a right-handed one with X = %v", f, r.wantX)
			}
		})
	}
}
