package mass

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestElbow bends a rod by a right angle about a line of its own surface: a quarter of a horn, whose ends meet in the
// one point where the horn touches its axis. In real files rounding makes one radius a little larger than the other.
func TestElbow(t *testing.T) {
	const r = 1.5
	want := math.Pi * math.Pi * r * r * r / 2 // by Pappus: the area of the tube times a quarter of its center's path
	for _, minor := range []float64{r, math.Nextafter(r, 2), math.Nextafter(r, 1), r + 1e-13} {
		b := build.New("elbow")
		pole := b.Vertex(geom.Vec3{})
		end := func(x, z geom.Vec3) curve.Circle { // from the axis and back to it
			return curve.Circle{Frame: geom.Frame{Origin: x.Scale(r), X: x.Neg(), Y: z.Cross(x.Neg()), Z: z},
				Radius: minor}
		}
		first, second := end(geom.Vec3{X: 1}, geom.Vec3{Y: -1}), end(geom.Vec3{Y: 1}, geom.Vec3{X: 1})
		e0 := b.Edge(first, 0, 2*math.Pi, pole, pole)
		e1 := b.Edge(second, 0, 2*math.Pi, pole, pole)
		b.Face(surface.Plane{Frame: first.Frame}, false, build.Chain(build.Fwd(e0)))
		b.Face(surface.Plane{Frame: second.Frame}, true, build.Chain(build.Rev(e1)))
		b.Face(surface.DefaultTorusPart(geom.World, r, minor), false, build.Chain(build.Rev(e0), build.Fwd(e1)))
		b.Solid()
		p, err := Compute(t.Context(), b.Model())
		if err != nil {
			t.Fatalf("tube of %v: %v", minor, err)
		}
		if got := p.Volume; math.Abs(got-want) > 1e-9*want {
			t.Errorf("tube of %v: volume %.12g, want %.12g", minor, got, want)
		}
	}
}
