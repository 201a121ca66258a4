package mass

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestNarrowFace measures a planar strip between an arc and a moved copy of it. The strip is narrower than the sagitta
// of the samples and than ten tolerances, so that the sampled boundary intersects itself. Its area is still right.
func TestNarrowFace(t *testing.T) {
	const last, tolerance = 1.9, 0.01 // rad, mm
	move := geom.Vec3{X: -0.012, Y: 0.015}
	arc := func(o geom.Vec3) curve.Circle {
		frame := geom.World
		frame.Origin = o
		return curve.Circle{Frame: frame, Radius: 0.5}
	}
	near, far := arc(geom.Vec3{}), arc(move)
	want := math.Abs(move.Cross(near.At(last).Sub(near.At(0))).Z)
	for _, split := range []float64{0.3, 0.7, 0.9, 1.1, 1.5} {
		b := build.New("strip")
		p0, p1 := b.Vertex(near.At(0)), b.Vertex(near.At(last))
		q0, q, q1 := b.Vertex(far.At(0)), b.Vertex(far.At(split)), b.Vertex(far.At(last))
		b.Face(surface.Plane{Frame: geom.World}, false,
			build.Chain(build.Fwd(b.Line(p0, q0)), build.Fwd(b.Edge(far, 0, split, q0, q)),
				build.Fwd(b.Edge(far, split, last, q, q1)), build.Fwd(b.Line(q1, p1)),
				build.Rev(b.Edge(near, 0, last, p0, p1))))
		b.Sheet()
		m := b.Model()
		m.Tolerance.Length = tolerance
		p, err := Compute(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Area; math.Abs(got-want) > 1e-9*want {
			t.Errorf("split at %g: area %.9g, want %.9g", split, got, want)
		}
	}
}
