package mass

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestDome measures half an ellipsoid whose boundary passes both poles. Its area is right also where the boundary
// continues slightly past a pole and returns, within the tolerance of its edges.
func TestDome(t *testing.T) {
	meridian := curve.Ellipse{Frame: geom.Frame{X: geom.Vec3{X: 1}, Y: geom.Vec3{Z: 1}, Z: geom.Vec3{Y: -1}},
		Major: 7, Minor: 4}
	const quarter, half, behind = math.Pi / 2, math.Pi, 1e-3 // rad
	arc, err := curve.NewTrimmed(meridian, geom.Interval{Lo: -quarter, Hi: quarter}, false)
	if err != nil {
		t.Fatal(err)
	}
	dome, err := surface.NewRevolution(arc, geom.Vec3{}, geom.Vec3{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	flat := math.Sqrt(1 - 16.0/49)
	want := math.Pi * 49 * (1 + (1-flat*flat)/flat*math.Atanh(flat))
	for _, pole := range []int{0, 1, 2} { // past no pole, the upper one, the lower one
		b := build.New("dome")
		var chain []build.EdgeUse
		ends := [2]brep.VertexID{b.Vertex(meridian.At(quarter)), b.Vertex(meridian.At(-quarter))}
		from := ends
		for i := range ends {
			if at := quarter + half*float64(i); pole == i+1 {
				middle := b.Vertex(meridian.At(at + behind/2))
				from[i] = b.Vertex(meridian.At(at + behind))
				chain = append(chain, build.Fwd(b.Edge(meridian, at, at+behind/2, ends[i], middle)),
					build.Fwd(b.Edge(meridian, at+behind/2, at+behind, middle, from[i])))
			}
		}
		down := build.Fwd(b.Edge(meridian, quarter, half+quarter, from[0], ends[1]))
		up := build.Fwd(b.Edge(meridian, half+quarter, 2*half+quarter, from[1], ends[0]))
		if pole == 2 {
			chain = slices.Insert(chain, 0, down)
		} else {
			chain = append(chain, down)
		}
		b.Face(dome, false, build.Chain(append(chain, up)...))
		b.Sheet()
		m := b.Model()
		for i := range m.Edges {
			m.Edges[i].Tolerance = 0.02
		}
		p, err := Compute(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p.Area-want) > 1e-6*want {
			t.Errorf("behind pole %d: area %.9g, want %.9g", pole, p.Area, want)
		}
	}
}
