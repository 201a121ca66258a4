package outline_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// along returns the view of one edge along z.
func along(c curve.Curve, over geom.Interval) outline.Projection {
	g := &graph.Graph{Model: &brep.Model{Edges: []brep.Edge{{Curve: c, Range: over}}}}
	return outline.Sample(g).Along(g, geom.Vec3{Z: 1})
}

// tilted returns a frame whose z leans by an angle, somewhere.
func tilted(lean float64) geom.Frame {
	s, c := math.Sincos(lean)
	return geom.NewFrame(geom.Vec3{X: 3, Y: -2, Z: 7}, geom.Vec3{X: s, Z: c}, geom.Vec3{X: 1, Y: 0.4, Z: 0.1})
}

// A tilted circle is an ellipse with known area, sizes and smallest radius.
func TestTiltedCirclesAreEllipses(t *testing.T) {
	for _, c := range []struct {
		name         string
		radius, lean float64 // mm, degrees
	}{
		{"level", 8, 0}, {"draft of 2°", 40, 2}, {"at 30°", 12, 30}, {"at 45°, large", 150, 45},
		{"steep", 5, 75},
	} {
		lean := geom.Radians(c.lean)
		whole := geom.Interval{Lo: 0.3, Hi: 0.3 + 2*math.Pi}
		v := along(curve.Circle{Frame: tilted(lean), Radius: c.radius}, whole)
		l := planar.Loop(v.AppendEdge(nil, 0, false, 5))
		if l.Area() < 0 {
			l = l.Reverse()
		}
		a, b := c.radius, c.radius*math.Cos(lean)
		if got, want := l.Area(), math.Pi*a*b; math.Abs(got-want) > 5e-4*l.Length() {
			t.Errorf("%s: area %v, want %v", c.name, got, want)
		}
		r := planar.EnclosingRect(l)
		if c.lean == 2 { // rectangles in all directions are equal within the tolerance
			r.Length, r.Width = 2*a, r.Length*r.Width/(2*a)
		}
		if math.Abs(r.Length-2*a) > 1e-3 || math.Abs(r.Width-2*b) > 1e-3 {
			t.Errorf("%s: %v x %v, want %v x %v", c.name, r.Length, r.Width, 2*a, 2*b)
		}
		most := 128
		if c.lean == 0 {
			most = 1
		}
		if len(l) > most {
			t.Errorf("%s: %d pieces", c.name, len(l))
		}
		if c.lean > 0 {
			got, ok := (&planar.Region{Loops: []planar.Loop{l}}).CornerRadius()
			if want := b * b / a; !ok || math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: smallest radius %v %v, want %v", c.name, got, ok, want)
			}
		}
		for i := range l {
			if l[i].Tag != 5 {
				t.Errorf("%s: piece %d has the tag %d", c.name, i, l[i].Tag)
			}
		}
	}
}

// The smallest radius of a part of an ellipse is at a vertex within it, else at an end.
func TestSmallestRadiusOfARange(t *testing.T) {
	e := curve.Ellipse{Frame: geom.World, Major: 9, Minor: 4}
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-4, 4).Draw(t, "lo")
		over := geom.Interval{Lo: lo, Hi: lo + rapid.Float64Range(0.2, 6).Draw(t, "length")}
		v := along(e, over)
		want := math.Inf(1)
		for k := range 2001 {
			s, c := math.Sincos(over.At(float64(k) / 2000))
			want = min(want, math.Pow(math.Hypot(9*s, 4*c), 3)/36)
		}
		for _, p := range v.AppendEdge(nil, 0, false, 0) {
			if p.Turn != 0 && math.Abs(p.Tight-want) > 1e-4*want {
				t.Fatalf("%v, want %v", p.Tight, want)
			}
		}
	})
}

// Edge on a circle is a line to and fro, and a line along the view is nothing.
func TestEdgeOn(t *testing.T) {
	whole := geom.Interval{Hi: 2 * math.Pi}
	upright := geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{})
	v := along(curve.Circle{Frame: upright, Radius: 6}, whole)
	l := planar.Loop(v.AppendEdge(nil, 0, false, 0))
	lo, hi := planar.ExtentAlong(l, geom.Vec2{Y: 1})
	if math.Abs(hi-lo-12) > 1e-9 || math.Abs(l.Area()) > 1e-9 || math.Abs(l.Length()-24) > 1e-9 {
		t.Errorf("a span of %v, %v mm long, %v mm²: %+v", hi-lo, l.Length(), l.Area(), l)
	}
	up := along(curve.Line{Dir: geom.Vec3{Z: 1}}, geom.Interval{Hi: 5})
	if got := up.AppendEdge(nil, 0, false, 0); len(got) != 0 {
		t.Errorf("a line along the view is %+v", got)
	}
}

// Corners of curves stay corners.
func TestCornersOfCurvesStay(t *testing.T) {
	square := []geom.Vec3{{}, {X: 10}, {X: 10, Y: 10}, {Y: 10}, {}}
	poly, err := curve.NewPolyline(square)
	if err != nil {
		t.Fatal(err)
	}
	bent, err := curve.NewBSpline(2, []float64{0, 0, 0, 1, 1, 2, 2, 2},
		[]geom.Vec3{{}, {X: 5, Y: -3}, {X: 10}, {X: 12, Y: 5}, {X: 10, Y: 10}}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		curve  curve.Curve
		pieces int // at most
		corner geom.Vec2
	}{
		{"polyline", poly, 4, geom.Vec2{X: 10}},
		{"B-spline", bent, 60, geom.Vec2{X: 10}},
	} {
		pieces := along(c.curve, c.curve.Domain()).AppendEdge(nil, 0, false, 0)
		if len(pieces) > c.pieces {
			t.Errorf("%s: %d pieces", c.name, len(pieces))
		}
		found := false
		for i := range pieces {
			found = found || pieces[i].To.Dist(c.corner) < 1e-9
		}
		for k := range 401 {
			p := c.curve.At(c.curve.Domain().At(float64(k) / 400))
			off := math.Inf(1)
			for i := range pieces {
				off = min(off, pieces[i].Distance(geom.Vec2{X: p.X, Y: p.Y}))
			}
			if off > 6e-4 {
				t.Errorf("%s: %v is %v off", c.name, p, off)
			}
		}
		if !found {
			t.Errorf("%s: no piece ends in %v", c.name, c.corner)
		}
	}
}
