package fit

import (
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drawModel draws a surface of about the size of the unit ball.
func drawModel(t *rapid.T) model {
	coord := rapid.Float64Range(-1, 1)
	return model{
		kind: rapid.SampledFrom([]surface.Kind{surface.KindSphere, surface.KindCylinder, surface.KindCone,
			surface.KindTorus}).Draw(t, "kind"),
		c:     geom.Vec3{X: coord.Draw(t, "cx"), Y: coord.Draw(t, "cy"), Z: coord.Draw(t, "cz")},
		a:     geom.Vec3{X: coord.Draw(t, "ax"), Y: coord.Draw(t, "ay"), Z: 1.5}.Unit(),
		r:     rapid.Float64Range(0.2, 2).Draw(t, "r"),
		major: rapid.Float64Range(2.5, 4).Draw(t, "major"),
		slope: rapid.Float64Range(0.1, 0.2).Draw(t, "slope"),
		side:  1,
	}
}

// TestRefine: a seed that is a little off goes back to the model through the samples.
func TestRefine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawModel(t)
		d := &data{scale: 1, tol: 1e-6, noise: 1e-9}
		b1, b2 := basis(want.a)
		for i := range 6 {
			for j := range 6 { // points outward from the axis and on the model, along the path to its center
				e := b1.Scale(float64(i)-2.5).AddScaled(0.7+float64(j), b2).Unit()
				p := want.c.AddScaled(want.r+want.major, e).AddScaled(0.2*float64(j)-0.5, want.a)
				for range 50 {
					dist, n, _ := want.distance(p)
					p = p.AddScaled(-dist, n)
				}
				_, n, _ := want.distance(p)
				d.p, d.n = append(d.p, p), append(d.n, n)
			}
		}
		got := want
		nudge := rapid.Float64Range(-1e-3, 1e-3)
		step := make([]float64, maxParams)
		for k := range step {
			step[k] = nudge.Draw(t, "nudge")
		}
		got.move(step, b1, b2)
		if !d.refine(&got) {
			t.Fatalf("%+v: no convergence", want)
		}
		for _, p := range d.p {
			if dist, _, _ := got.distance(p); dist > 1e-9 || dist < -1e-9 {
				t.Fatalf("%+v: a sample is %g off %+v", want, dist, got)
			}
		}
		if off := got.c.Sub(want.c).Cross(want.a).Norm(); off > 1e-6 && want.kind != surface.KindSphere {
			t.Fatalf("the axis of %+v is %g off that of %+v", got, off, want)
		}
	})
}
