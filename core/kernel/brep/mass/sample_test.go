package mass

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// TestEdgeSamplesKeepBreaks: an edge on a B-spline is cut where it turns and at its inner knots, once each.
func TestEdgeSamplesKeepBreaks(t *testing.T) {
	points := []geom.Vec3{{}, {X: 1, Y: 2}, {X: 2}, {X: 3, Y: -2}, {X: 4}}
	c, err := curve.NewBSpline(2, []float64{0, 0, 0, 0.25, 0.5, 1, 1, 1}, points, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	m := &brep.Model{
		Vertices: []brep.Vertex{{Point: points[0]}, {Point: points[4]}},
		Edges:    []brep.Edge{{Curve: c, Range: geom.Interval{Hi: 1}, Start: 0, End: 1}},
	}
	s := sampleEdges(m).EdgeSamples(0)
	knots := map[float64]int{0: 0, 0.25: 0, 0.5: 0, 1: 0}
	for i, p := range s {
		if i > 0 && p.T-s[i-1].T < 1e-9 {
			t.Errorf("samples %d and %d are both at %g", i-1, i, p.T)
		}
		if _, ok := knots[p.T]; ok {
			knots[p.T]++
		}
	}
	for knot, n := range knots {
		if n != 1 {
			t.Errorf("knot %g is sampled %d times, want once", knot, n)
		}
	}
}
