package geometry

import (
	"math"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/geom"
)

var unitX, unitY, unitZ = steptest.UnitX, steptest.UnitY, steptest.UnitZ

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*(1+math.Abs(b)) }

func TestOperatorTransform(t *testing.T) {
	for _, c := range []struct {
		name  string
		axes  [3]geom.Vec3
		image [3]geom.Vec3 // of x, y, z
	}{
		{"nothing given", [3]geom.Vec3{}, [3]geom.Vec3{unitX, unitY, unitZ}},
		{"two axes in the plane", [3]geom.Vec3{unitY, unitX.Neg(), {}}, [3]geom.Vec3{unitY, unitX.Neg(), unitZ}},
		{"mirror in the plane", [3]geom.Vec3{unitX, unitY.Neg(), {}}, [3]geom.Vec3{unitX, unitY.Neg(), unitZ}},
		{"two axes in space", [3]geom.Vec3{unitY, unitZ, {}}, [3]geom.Vec3{unitY, unitZ, unitX}},
		{"mirror by the third axis", [3]geom.Vec3{unitX, unitY, unitZ.Neg()}, [3]geom.Vec3{unitX, unitY,
			unitZ.Neg()}},
		{"only the third", [3]geom.Vec3{{}, {}, unitX}, [3]geom.Vec3{unitY, unitZ, unitX}},
	} {
		m := operatorTransform(c.axes, geom.Vec3{X: 5}, 2)
		for i, d := range []geom.Vec3{unitX, unitY, unitZ} {
			got := m.Dir(d)
			if c.name == "only the third" && i < 2 {
				if math.Abs(got.Dot(unitX)) > 1e-12 || !near(got.Norm(), 2, 1e-12) {
					t.Errorf("%s: axis %d goes to %v", c.name, i, got)
				}
				continue
			}
			if got.Dist(c.image[i].Scale(2)) > 1e-12 {
				t.Errorf("%s: axis %d goes to %v, want %v", c.name, i, got, c.image[i].Scale(2))
			}
		}
		if m.Point(geom.Vec3{}) != (geom.Vec3{X: 5}) {
			t.Errorf("%s: origin goes to %v", c.name, m.Point(geom.Vec3{}))
		}
	}
}
