package access

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// The certain stock above a height follows the rays, for any upper bound between them, and does not depend on earlier
// queries.
func TestSureFollowsTheRays(t *testing.T) {
	const most, between, step = 10, 5, 2
	h := &heights{
		grid: grid.Grid{Step: step, Width: 2, Height: 2}, rayGrid: grid.Grid{Step: step, Width: 2, Height: 2},
		u: geom.Vec2{X: 1}, v: geom.Vec2{Y: 1},
		z: []float32{most, most, most, most}, ray: []float32{between, between, between, between},
		box: geom.BoxOf(geom.Vec3{X: -step, Y: -step}, geom.Vec3{X: 2 * step, Y: 2 * step, Z: most}),
	}
	h.layers, h.rays = ascending(h.z), ascending(h.ray)
	for _, row := range []struct{ z, may, sure float64 }{
		{3, 4 * step * step, step * step}, {7, 4 * step * step, 0}, {4, 4 * step * step, step * step}, {10, 0, 0},
	} {
		for name, of := range map[string]struct {
			at   func(float64) (*arcpoly.Area, error)
			want float64
		}{"what may be": {h.above, row.may}, "what is for sure": {h.sure, row.sure}} {
			got, err := of.at(row.z)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Size()-of.want) > 1e-6 {
				t.Errorf("%s above %g is %g mm², want %g", name, row.z, got.Size(), of.want)
			}
		}
	}
}
