package faceted

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestMeetings finds intersection curves of surfaces from a few points on them.
func TestMeetings(t *testing.T) {
	cylinder := surface.Cylinder{Frame: geom.World, Radius: 5}
	tilted := geom.NewFrame(geom.Vec3{Z: 3}, geom.Vec3{X: 1, Z: 2}, geom.Vec3{})
	across := geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{})
	for _, c := range []struct {
		name   string
		on     []surface.Surface
		at     func(share float64) geom.Vec3
		n      int
		closed bool
		want   curve.Kind
	}{
		{"plane across a cylinder", []surface.Surface{cylinder, surface.Plane{Frame: geom.World}},
			func(x float64) geom.Vec3 { return cylinder.At(2*math.Pi*x, 0) }, 6, true, curve.KindCircle},
		{"quarter in one piece", []surface.Surface{cylinder, surface.Plane{Frame: geom.World}},
			func(x float64) geom.Vec3 { return cylinder.At(math.Pi/2*x, 0) }, 1, false, curve.KindCircle},
		{"along a cylinder", []surface.Surface{cylinder},
			func(x float64) geom.Vec3 { return cylinder.At(1, 9*x) }, 1, false, curve.KindLine},
		{"tilted plane", []surface.Surface{cylinder, surface.Plane{Frame: tilted}},
			func(x float64) geom.Vec3 {
				p := cylinder.At(2*math.Pi*x, 0)
				p.Z = 3 - p.X/2
				return p
			}, 8, true, curve.KindEllipse},
		{"smaller cylinder across", []surface.Surface{cylinder, surface.Cylinder{Frame: across, Radius: 3}},
			func(x float64) geom.Vec3 {
				sin, cos := math.Sincos(2 * math.Pi * x)
				return geom.Vec3{X: math.Sqrt(25 - 9*sin*sin), Y: 3 * sin, Z: 3 * cos}
			}, 12, true, curve.KindBSpline},
		{"fillet on its plane",
			[]surface.Surface{surface.Torus{Frame: geom.World, Major: 8, Minor: 2}, surface.Plane{
				Frame: geom.NewFrame(geom.Vec3{Z: -2}, geom.World.Z, geom.World.X)}},
			func(x float64) geom.Vec3 { return geom.Vec3{X: 8 * math.Cos(x), Y: 8 * math.Sin(x), Z: -2} }, 2, false,
			curve.KindCircle},
		{"section of a ring",
			[]surface.Surface{surface.Torus{Frame: geom.World, Major: 8, Minor: 2}, surface.Plane{
				Frame: geom.NewFrame(geom.Vec3{}, geom.World.Y, geom.World.X)}},
			func(x float64) geom.Vec3 { return geom.Vec3{X: 8 + 2*math.Cos(3*x), Z: 2 * math.Sin(3*x)} }, 3, false,
			curve.KindCircle},
	} {
		m := meeting{on: c.on, closed: c.closed, tolerance: tolerance}
		for i := range c.n + 1 {
			m.corners = append(m.corners, c.at(float64(i)/float64(c.n)))
		}
		if c.closed {
			m.corners[c.n] = m.corners[0]
		}
		e := m.find(brep.Edge{})
		if e.Curve == nil || e.Curve.Kind() != c.want || e.Tolerance > 0 {
			t.Errorf("%s: %+v over %v, tolerance %g", c.name, e.Curve, e.Range, e.Tolerance)
			continue
		}
		if gap := m.gap(e.Curve, e.Range, 64); gap > tolerance {
			t.Errorf("%s: %g mm off the surfaces", c.name, gap)
		}
		if a, b := e.Curve.At(e.Range.Lo).Dist(m.corners[0]),
			e.Curve.At(e.Range.Hi).Dist(m.corners[c.n]); a+b > tolerance {
			t.Errorf("%s: its ends are %g and %g mm off", c.name, a, b)
		}
	}
}

// TestRestoredDrum restores the cylinder of a drum of triangles, and leaves a drum unchanged whose underlying surface
// does not match.
func TestRestoredDrum(t *testing.T) {
	const n, radius, height = 24, 5.0, 8.0
	m := build(t, Body{Faces: drum(n, radius, height), Solid: true})
	restored, err := Restore(t.Context(), m, tolerance)
	if err != nil || restored != 3 {
		t.Fatalf("%d faces restored, %v", restored, err)
	}
	sound(t, m)
	if v, want := measure(t, m).Volume, math.Pi*radius*radius*height; math.Abs(v/want-1) > 1e-9 {
		t.Errorf("volume %g, want %g", v, want)
	}
	for _, e := range m.Edges {
		if e.Curve.Kind() != curve.KindCircle {
			t.Errorf("an edge is a %v", e.Curve.Kind())
		}
	}
	faces := drum(n, radius, height)
	faces[2].Carrier = nil // so its edges stay polylines
	m = build(t, Body{Faces: faces, Solid: true})
	before := measure(t, m).Volume
	if restored, err = Restore(t.Context(), m, tolerance); err != nil || restored != 2 {
		t.Errorf("%d faces restored, %v", restored, err)
	}
	if v := measure(t, m).Volume; math.Abs(v/before-1) > 1e-9 || m.Faces[2].Surface.Kind() != surface.KindFacets {
		t.Errorf("volume %g after %g, wall %v", v, before, m.Faces[2].Surface.Kind())
	}
}
