package surface

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// TestCreaseParams: lines of full knots, and those where the profile of a swept surface goes from piece to piece.
func TestCreaseParams(t *testing.T) {
	var net []geom.Vec3
	for i := range 5 {
		for j := range 3 {
			net = append(net, geom.Vec3{X: float64(i), Y: float64(j), Z: float64(i * j)})
		}
	}
	open, err := NewBSpline(2, 1, []float64{0, 0, 0, 1, 1, 2, 2, 2}, []float64{0, 0, 5, 9, 9}, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	smooth, err := NewBSpline(2, 2, []float64{0, 0, 0, 1, 2, 3, 3, 3}, []float64{0, 0, 0, 9, 9, 9}, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ring []geom.Vec3
	for _, p := range [][2]float64{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}} {
		ring = append(ring, geom.Vec3{X: p[0], Y: p[1]}, geom.Vec3{X: p[0], Y: p[1], Z: 7})
	}
	closed, err := NewBSpline(1, 1, []float64{0, 0, 1, 2, 3, 4, 4}, []float64{0, 0, 1, 1}, ring, nil)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := curve.NewPolyline([]geom.Vec3{{X: 1}, {X: 3, Z: 1}, {X: 2, Z: 4}, {X: 3, Z: 5}})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := NewExtrusion(profile, geom.Vec3{Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	turned, err := NewRevolution(profile, geom.Vec3{}, geom.Vec3{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	u, v := open.Domain()
	back, err := NewTrimmed(open, u, geom.Interval{Lo: 1, Hi: v.Hi}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		s      Surface
		constV bool
		iv     geom.Interval
		want   []float64
	}{
		{"full knot", open, false, geom.Interval{Lo: -1, Hi: 3}, []float64{1}},
		{"knot of degree 1", open, true, geom.Interval{Lo: 0, Hi: 9}, []float64{5}},
		{"knot beside the range", open, true, geom.Interval{Lo: 5, Hi: 9}, nil},
		{"smooth knots", smooth, false, geom.Interval{Lo: 0, Hi: 3}, nil},
		{"over the seam", closed, false, geom.Interval{Lo: 2.5, Hi: 6.5}, []float64{3, 4, 5, 6}},
		{"before the seam", closed, false, geom.Interval{Lo: -1.5, Hi: 0.5}, []float64{-1, 0}},
		{"extrusion", swept, false, geom.Interval{Lo: 0, Hi: 3}, []float64{1, 2}},
		{"extrusion across", swept, true, geom.Interval{Lo: 0, Hi: 3}, nil},
		{"revolution", turned, true, geom.Interval{Lo: 0.5, Hi: 1.5}, []float64{1}},
		{"revolution across", turned, false, geom.Interval{Lo: 0, Hi: 3}, nil},
		{"turned round", back, true, geom.Interval{Lo: 1, Hi: 9}, []float64{5}},
		{"plane", Plane{Frame: geom.World}, false, geom.Interval{Lo: 0, Hi: 3}, nil},
	} {
		if got := CreaseParams(c.s, c.constV, c.iv); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBreaks expects all inner knots of a surface or of its profile, also through reversed offset and trimmed surfaces.
func TestBreaks(t *testing.T) {
	profile, err := curve.NewBSpline(2, []float64{0, 0, 0, 1, 3, 3, 4, 4, 4},
		[]geom.Vec3{{X: 1}, {X: 3, Z: 1}, {X: 2, Z: 4}, {X: 3, Z: 5}, {X: 3, Z: 6}, {X: 4, Z: 7}}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := NewRevolution(profile, geom.Vec3{}, geom.Vec3{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	swept, err := NewExtrusion(profile, geom.Vec3{Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	var net []geom.Vec3
	for i := range profile.Knots().Points() {
		x := float64(i)
		net = append(net, geom.Vec3{X: x}, geom.Vec3{X: x, Y: 1, Z: x * x})
	}
	spline, err := NewBSpline(2, 1, profile.Knots().Flat(), []float64{0, 0, 1, 1}, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	offset := func(s Surface, d float64) Surface {
		if s, err = NewOffset(s, d); err != nil {
			t.Fatal(err)
		}
		return s
	}
	_, v := turned.Domain()
	back, err := NewTrimmed(turned, fullTurn, geom.Interval{Lo: 0.5, Hi: v.Hi}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		s      Surface
		constV bool
		want   []float64
	}{
		{"revolution", turned, true, []float64{1, 3}},
		{"revolution across", turned, false, nil},
		{"extrusion", swept, false, []float64{1, 3}},
		{"B-spline", spline, false, []float64{1, 3}},
		{"offset of a revolution", offset(turned, 0.1), true, []float64{1, 3}},
		{"offset of a B-spline", offset(spline, 0.1), false, []float64{1, 3}},
		{"turned round", back, true, []float64{1.5, 3.5}}, // from 0.5 to 4, read backward
	} {
		if got := Breaks(c.s, c.constV, geom.Interval{Lo: 0.5, Hi: 3.9}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
