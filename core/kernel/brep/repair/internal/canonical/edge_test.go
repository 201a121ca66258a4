package canonical_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/canonical"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// rationalArc is an arc of an ellipse about the origin as one rational Bézier curve; the angle is
// less than π.
func rationalArc(t check, major, minor, lo, hi float64) *curve.BSpline {
	w := math.Cos((hi - lo) / 2)
	at := func(a, scale float64) geom.Vec3 {
		sin, cos := math.Sincos(a)
		return geom.Vec3{X: major * cos * scale, Y: minor * sin * scale, Z: 5}
	}
	c, err := curve.NewBSpline(2, []float64{0, 0, 0, 1, 1, 1},
		[]geom.Vec3{at(lo, 1), at((lo+hi)/2, 1/w), at(hi, 1)}, []float64{1, w, 1}, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func bezier(t check, points ...geom.Vec3) *curve.BSpline {
	knots := make([]float64, 2*len(points))
	for i := range points {
		knots[len(points)+i] = 1
	}
	c, err := curve.NewBSpline(len(points)-1, knots, points, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recoveredEdge returns the recovered form of an edge on the whole of a curve.
func recoveredEdge(t check, c curve.Curve) (*brep.Edge, canonical.Report) {
	m := &brep.Model{Edges: []brep.Edge{{Curve: c, Range: c.Domain()}}}
	rep := recovered(t, m)
	return &m.Edges[0], rep
}

// sameTrace requires the same points in the same direction.
func sameTrace(t check, name string, e *brep.Edge, was curve.Curve) {
	t.Helper()
	iv := was.Domain()
	const parts, near = 40, 2e-5 // mm
	for k := range parts + 1 {
		if _, dist := e.Curve.Invert(was.At(iv.At(float64(k) / parts))); dist > near {
			t.Errorf("%s: %g mm off", name, dist)
			return
		}
	}
	if a, b := e.Curve.At(e.Range.Lo).Dist(was.At(iv.Lo)),
		e.Curve.At(e.Range.Hi).Dist(was.At(iv.Hi)); a > near || b > near {
		t.Errorf("%s: the ends moved by %g and %g mm", name, a, b)
	}
}

func TestEdges(t *testing.T) {
	p := func(x, y float64) geom.Vec3 { return geom.Vec3{X: x, Y: y} }
	reversed := func(c curve.Curve) curve.Curve {
		r, err := curve.NewTrimmed(c, c.Domain(), true)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		name string
		c    curve.Curve
		kind curve.Kind
	}{
		{"line", bezier(t, p(1, 2), p(4, 6)), curve.KindLine},
		{"line of degree 3, unevenly run", bezier(t, p(0, 0), p(1, 1), p(1.5, 1.5), p(9, 9)), curve.KindLine},
		{"line that turns back", bezier(t, p(0, 0), p(9, 9), p(1, 1)), curve.KindBSpline},
		{"arc", rationalArc(t, 7, 7, 0.3, 2), curve.KindCircle},
		{"arc run backwards", rationalArc(t, 7, 7, 2, 0.3), curve.KindCircle},
		{"2° of a large circle", rationalArc(t, 1000, 1000, 1, 1.035), curve.KindCircle},
		{"arc of an ellipse", rationalArc(t, 7, 4, 0.3, 2), curve.KindEllipse},
		{"reversed arc", reversed(rationalArc(t, 7, 7, 0.3, 2)), curve.KindCircle},
		{"parabola", bezier(t, p(0, 0), p(1, 2), p(2, 0)), curve.KindBSpline},
		{"cubic", bezier(t, p(0, 0), p(1, 2), p(2, -2), p(3, 0)), curve.KindBSpline},
		{"line with a bow of 0.001 mm, a parabola as near to a circle as rounding", bezier(t, p(0, 0),
			p(5, 0.002),
			p(10, 0)), curve.KindCircle},
		{"speck", bezier(t, p(0, 0), p(1e-8, 1e-8)), curve.KindBSpline},
	} {
		e, rep := recoveredEdge(t, c.c)
		if e.Curve.Kind() != c.kind {
			t.Errorf("%s: kind %v, want %v", c.name, e.Curve.Kind(), c.kind)
			continue
		}
		if c.kind == curve.KindBSpline {
			if rep.Curves != 1 || e.Curve != c.c {
				t.Errorf("%s: %+v", c.name, rep)
			}
			continue
		}
		if rep.Edges[c.kind] != 1 || rep.Curves != 0 {
			t.Errorf("%s: %+v", c.name, rep)
		}
		sameTrace(t, c.name, e, c.c)
	}
}

// TestAnyArc recovers arcs of any circle and ellipse, in their own direction.
func TestAnyArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		major := math.Exp(rapid.Float64Range(0, 6).Draw(t, "ln major"))
		minor := major
		kind := curve.KindCircle
		length := rapid.Float64Range(0.2, 2.5).Draw(t, "length")
		if rapid.Bool().Draw(t, "ellipse") {
			kind, length = curve.KindEllipse, max(length, 1)
			minor *= rapid.Float64Range(0.3, 0.9).Draw(t, "ratio")
		}
		lo := rapid.Float64Range(-4, 4).Draw(t, "start")
		c := rationalArc(t, major, minor, lo, lo+length)
		e, _ := recoveredEdge(t, c)
		if e.Curve.Kind() != kind {
			t.Fatalf("semi-axes %g and %g, %g rad: kind %v", major, minor, length, e.Curve.Kind())
		}
		sameTrace(t, "arc", e, c)
		if k, ok := e.Curve.(curve.Circle); ok && math.Abs(k.Radius-major) > 1e-6*major {
			t.Fatalf("radius %g, want %g", k.Radius, major)
		}
	})
}

// TestBowedLines: a curve is a line only where it stays within the tolerance of its chord.
func TestBowedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bow := math.Exp(rapid.Float64Range(-20, 0).Draw(t, "ln bow"))
		c := bezier(t, geom.Vec3{}, geom.Vec3{X: 20, Y: 2 * bow}, geom.Vec3{X: 40})
		e, _ := recoveredEdge(t, c)
		const tolerance = 1e-5 // mm, of a model without a stated tolerance
		switch isLine := e.Curve.Kind() == curve.KindLine; {
		case isLine && bow > tolerance:
			t.Fatalf("a bow of %g mm became a line", bow)
		case !isLine && bow < tolerance/10:
			t.Fatalf("a bow of %g mm was kept", bow)
		}
	})
}

func TestCancelled(t *testing.T) {
	m, err := build.Freeform(build.Cylinder(2, 5, build.Style{}), 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := m.Faces[0].Surface
	if _, err := canonical.Recover(ctx, m, canonical.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if m.Faces[0].Surface != before || len(m.Warnings) > 0 {
		t.Error("the model changed")
	}
}

// TestSidesOfTriangles keeps the corners of an edge that faces of triangles have in common, also where they are on a
// line.
func TestSidesOfTriangles(t *testing.T) {
	m := &brep.Model{Tolerance: geom.DefaultTolerance}
	var body faceted.Body
	for _, side := range []float64{1, -1} {
		f := faceted.Face{Points: []geom.Vec3{{X: 1.5, Y: 2 * side, Z: side}, {}, {X: 1}, {X: 2}, {X: 3}}}
		for k := range int32(3) {
			f.Triangles = append(f.Triangles, [3]int32{0, 1 + k, 2 + k})
		}
		body.Faces = append(body.Faces, f)
	}
	if err := faceted.Append(t.Context(), m, body, 1e-6); err != nil {
		t.Fatal(err)
	}
	m.Link()
	recovered(t, m)
	for _, e := range m.Edges {
		if len(e.Coedges) == 2 && (e.Curve.Kind() != curve.KindPolyline || e.Range.Length() != 3) {
			t.Errorf("an edge of triangles became a %v of length %g", e.Curve.Kind(), e.Range.Length())
		}
	}
}
