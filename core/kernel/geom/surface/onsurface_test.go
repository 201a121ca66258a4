package surface_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// roof has ridges along u = 1 and u = 2, and v from 0 to 1.
func roof(t *testing.T) surface.Surface {
	t.Helper()
	var points []geom.Vec3
	for i, z := range []float64{0, 1, 0, 1} {
		points = append(points, geom.Vec3{X: float64(i), Z: z}, geom.Vec3{X: float64(i), Y: 1, Z: z})
	}
	s, err := surface.NewBSpline(1, 1, []float64{0, 0, 1, 2, 3, 3}, []float64{0, 0, 1, 1}, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drum is a closed profile of straight pieces, extruded: its breaks are at whole u, in every period.
func drum(t *testing.T) surface.Surface {
	t.Helper()
	points := []geom.Vec3{{}, {X: 2}, {X: 2, Y: 2}, {Y: 2}, {}}
	c, err := curve.NewBSpline(1, []float64{0, 0, 1, 2, 3, 4, 4}, points, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	s, err := surface.NewExtrusion(c, geom.Vec3{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A curve on a surface breaks where its plane curve crosses a knot of the surface.
func TestCurveOnSurfaceBreaksAtKnots(t *testing.T) {
	line := curve.Line{Origin: geom.Vec3{X: 0.25, Y: 0.1}, Dir: geom.Vec3{X: 0.8, Y: 0.6}}
	circle := curve.Circle{Frame: geom.NewFrame(geom.Vec3{X: 1, Y: 0.5}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), Radius: 0.4}
	small := circle
	small.Frame.Origin.X, small.Radius = 2.38, 0.3805
	edge := math.Acos(-0.38 / 0.3805)
	turned := &surface.Trimmed{Base: roof(t), U: geom.Interval{Hi: 3}, V: geom.Interval{Hi: 1}, SenseV: true}
	for _, row := range []struct {
		name string
		on   surface.Surface
		c    curve.Curve
		iv   geom.Interval
		want []float64
	}{
		{"line across one ridge", roof(t), line, geom.Interval{Hi: 1.4}, []float64{0.75 / 0.8}},
		{"line before it", roof(t), line, geom.Interval{Hi: 0.9}, nil},
		{"line along a ridge", roof(t), curve.Line{Origin: geom.Vec3{X: 1}, Dir: geom.Vec3{Y: 1}},
			geom.Interval{Hi: 1}, nil},
		{"circle across a ridge", roof(t), circle, geom.Interval{Hi: 2 * math.Pi},
			[]float64{math.Pi / 2, 3 * math.Pi / 2}},
		{"circle that just reaches one", roof(t), small, geom.Interval{Hi: 2 * math.Pi},
			[]float64{edge, 2*math.Pi - edge}},
		{"surface turned round", turned, line, geom.Interval{Hi: 1.4}, []float64{0.75 / 0.8}},
		{"profile of an extrusion", drum(t), line, geom.Interval{Hi: 3.5},
			[]float64{0.75 / 0.8, 1.75 / 0.8, 2.75 / 0.8}},
		{"round and round", drum(t), curve.Line{Origin: geom.Vec3{X: 3.5}, Dir: geom.Vec3{X: 1}}, geom.Interval{Hi: 2},
			[]float64{0.5, 1.5}},
		{"smooth surface", surface.Cylinder{Frame: circle.Frame, Radius: 2}, line, geom.Interval{Hi: 3}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := curve.Breaks([]float64{-7}, surface.NewOnSurface(row.on, row.c), row.iv)
			got = slices.DeleteFunc(got[1:], func(b float64) bool { // the quarters of a circle
				return slices.ContainsFunc(curve.Breaks(nil, row.c, row.iv), func(q float64) bool { return q == b }) &&
					!slices.ContainsFunc(row.want, func(w float64) bool { return math.Abs(w-b) < 1e-9 })
			})
			if !slices.EqualFunc(got, row.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("breaks at %v, want %v", got, row.want)
			}
		})
	}
}
