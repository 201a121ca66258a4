package curve_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// TestEllipseFormMatchesCurve compares an EllipseForm with its curve, and its span with the span of many points of it.
func TestEllipseFormMatchesCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-5, 5)
		v := func(name string) geom.Vec3 {
			return geom.Vec3{X: f.Draw(t, name+" x"), Y: f.Draw(t, name+" y"), Z: f.Draw(t, name+" z")}
		}
		axis, dir := v("axis"), v("direction")
		if axis.Norm() < 0.1 || dir.Norm() < 0.1 {
			t.Skip("no direction")
		}
		dir = dir.Unit()
		var c curve.Curve = curve.Circle{Frame: geom.NewFrame(v("centre"), axis, geom.Vec3{}), Radius: 7}
		if rapid.Bool().Draw(t, "ellipse") {
			c = curve.Ellipse{Frame: geom.NewFrame(v("centre"), axis, geom.Vec3{}), Major: 9, Minor: 2}
		}
		lo := rapid.Float64Range(-9, 9).Draw(t, "from")
		over := geom.Interval{Lo: lo, Hi: lo + rapid.Float64Range(0.01, 2*math.Pi).Draw(t, "length")}
		r, ok := curve.AsEllipse(c)
		if !ok {
			t.Fatal("no ring")
		}
		got, want := r.Span(over, dir), geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
		for k := range 2001 {
			at := over.At(float64(k) / 2000)
			s, cos := math.Sincos(at)
			p := c.At(at)
			if q := r.Center.AddScaled(cos, r.A).AddScaled(s, r.B); p.Dist(q) > 1e-12 {
				t.Fatalf("the ring is at %v, the curve at %v", q, p)
			}
			want.Lo, want.Hi = min(want.Lo, p.Dot(dir)), max(want.Hi, p.Dot(dir))
		}
		if got.Lo > want.Lo+1e-12 || got.Hi < want.Hi-1e-12 || want.Lo-got.Lo > 1e-4 || got.Hi-want.Hi > 1e-4 {
			t.Fatalf("span %v, of many points %v", got, want)
		}
	})
	if _, ok := curve.AsEllipse(curve.Line{Dir: geom.Vec3{X: 1}}); ok {
		t.Error("a line is a ring")
	}
}
