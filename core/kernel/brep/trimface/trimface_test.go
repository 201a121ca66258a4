package trimface

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const pi = math.Pi

var (
	origin = geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	turn   = geom.Interval{Hi: 2 * pi}
)

// sheet makes a model of one sheet for each face that add makes.
func sheet(t *testing.T, add func(m *brep.Model)) *brep.Model {
	t.Helper()
	m := &brep.Model{Tolerance: geom.DefaultTolerance}
	add(m)
	for f := range m.Faces {
		m.Shells = append(m.Shells, brep.Shell{Solid: brep.None, Faces: []brep.FaceID{brep.FaceID(f)}})
	}
	m.Link()
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	return m
}

// TestRectangles measures pieces of every kind of closing, from both sides.
func TestRectangles(t *testing.T) {
	halfPi := geom.Interval{Lo: -pi / 2, Hi: pi / 2}
	for _, c := range []struct {
		name         string
		s            surface.Surface
		u, v         geom.Interval
		loops, edges int
		area         float64
	}{
		{"plane", surface.Plane{Frame: origin}, geom.Interval{Lo: 1, Hi: 3}, geom.Interval{Hi: 5}, 1, 4, 10},
		{"half a cylinder", surface.Cylinder{Frame: origin, Radius: 2}, geom.Interval{Hi: pi},
			geom.Interval{Hi: 5}, 1, 4,
			10 * pi},
		{"cylinder", surface.Cylinder{Frame: origin, Radius: 2}, turn, geom.Interval{Hi: 5}, 2, 2, 20 * pi},
		{"cylinder from elsewhere", surface.Cylinder{Frame: origin, Radius: 2}, geom.Interval{Lo: 1, Hi: 1 + 2*pi},
			geom.Interval{Hi: 5}, 2, 2, 20 * pi},
		{"cone to its apex", surface.Cone{Frame: origin, HalfAngle: pi / 4}, turn, geom.Interval{Hi: 1}, 1, 1,
			pi * math.Sqrt2},
		{"slice of a cone", surface.Cone{Frame: origin, HalfAngle: pi / 4}, geom.Interval{Hi: pi},
			geom.Interval{Hi: 1}, 1,
			3, pi / math.Sqrt2},
		{"sphere", surface.Sphere{Frame: origin, Radius: 1}, turn, halfPi, 0, 0, 4 * pi},
		{"half a sphere", surface.Sphere{Frame: origin, Radius: 1}, turn, geom.Interval{Hi: pi / 2}, 1, 1, 2 * pi},
		{"slice of a sphere", surface.Sphere{Frame: origin, Radius: 1}, geom.Interval{Hi: 1}, halfPi, 1, 2, 2},
		{"torus", surface.Torus{Frame: origin, Major: 5, Minor: 1}, turn, turn, 0, 0, 20 * pi * pi},
		{"half a torus", surface.Torus{Frame: origin, Major: 5, Minor: 1}, geom.Interval{Hi: pi}, turn, 2, 2,
			10 * pi * pi},
	} {
		for _, reversed := range []bool{false, true} {
			m := sheet(t, func(m *brep.Model) {
				loops, err := Rectangle(c.s, c.u, c.v)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				AddFace(m, c.s, reversed, loops, 1e-6, 5)
			})
			if len(m.Loops) != c.loops || len(m.Edges) != c.edges {
				t.Errorf("%s: %d loops, %d edges, want %d and %d", c.name, len(m.Loops), len(m.Edges), c.loops, c.edges)
			}
			p, err := mass.Compute(context.Background(), m)
			if err != nil || math.Abs(p.Area/c.area-1) > 1e-9 {
				t.Errorf("%s, reversed %v: area %g, want %g; %v", c.name, reversed, p.Area, c.area, err)
				continue
			}
			if p.Faces[0].Turned > 0 || p.Faces[0].Gap > 1e-9 {
				t.Errorf("%s, reversed %v: %d loops are turned, the boundary is %g mm off", c.name, reversed,
					p.Faces[0].Turned, p.Faces[0].Gap)
			}
		}
	}
}

func TestNoBoundary(t *testing.T) {
	inf := geom.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
	for name, f := range map[string]func() ([][]BoundarySegment, error){
		"infinite": func() ([][]BoundarySegment, error) { return Rectangle(surface.Plane{Frame: origin}, inf, inf) },
		"endless": func() ([][]BoundarySegment, error) {
			return Rectangle(surface.Cylinder{Frame: origin, Radius: 1}, turn, inf)
		},
		"no size": func() ([][]BoundarySegment, error) {
			return Rectangle(surface.Plane{Frame: origin}, geom.Interval{}, geom.Interval{Hi: 1})
		},
		"not a number": func() ([][]BoundarySegment, error) {
			return Rectangle(surface.Plane{Frame: origin}, geom.Interval{Lo: math.NaN()}, turn)
		},
	} {
		loops, err := f()
		if err == nil && name != "no size" {
			t.Errorf("%s: loops %v", name, loops)
		}
	}
}

// TestSewnDrum makes a can of three faces without topology and sews it.
func TestSewnDrum(t *testing.T) {
	side := surface.Cylinder{Frame: origin, Radius: 2}
	top := surface.Plane{Frame: geom.NewFrame(geom.Vec3{Z: 5}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})}
	m := sheet(t, func(m *brep.Model) {
		loops, err := Rectangle(side, turn, geom.Interval{Hi: 5})
		if err != nil {
			t.Fatal(err)
		}
		AddFace(m, side, false, loops, 1e-6, 1)
		for _, p := range []surface.Plane{{Frame: origin}, top} {
			ring := BoundarySegment{Curve: curve.Circle{Frame: p.Frame, Radius: 2}, Range: turn}
			AddFace(m, p, false, [][]BoundarySegment{{ring}}, 1e-6, 2)
		}
	})
	if _, err := sew.Sew(context.Background(), m, sew.Options{}); err != nil {
		t.Fatal(err)
	}
	p, err := mass.Compute(context.Background(), m)
	if err != nil || len(m.Solids) != 1 || math.Abs(p.Volume/(20*pi)-1) > 1e-9 {
		t.Errorf("%d solids, volume %g, %v", len(m.Solids), p.Volume, err)
	}
}

// TestGaps joins pieces that nearly meet, and leaves the others open.
func TestGaps(t *testing.T) {
	corner := [4]geom.Vec3{{}, {X: 4}, {X: 4, Y: 3}, {Y: 3}}
	for _, c := range []struct {
		gap      float64
		vertices int
	}{{0, 4}, {1e-4, 4}, {1e-2, 5}} {
		var loop []BoundarySegment
		for i := range corner {
			a, b := corner[i], corner[(i+1)%4]
			if i == 1 {
				a = a.Add(geom.Vec3{Z: c.gap})
			}
			loop = append(loop, BoundarySegment{Curve: curve.Line{Origin: a, Dir: b.Sub(a).Unit()},
				Range: geom.Interval{Hi: a.Dist(b)}})
		}
		m := &brep.Model{Tolerance: geom.Tolerance{Length: 1e-7}}
		AddFace(m, surface.Plane{Frame: origin}, false, [][]BoundarySegment{loop}, 1e-3, 0)
		m.Shells = []brep.Shell{{Solid: brep.None, Faces: []brep.FaceID{0}}}
		m.Link()
		open := 0
		for _, p := range brep.Check(m) {
			if p.Code != brep.OpenLoop {
				t.Errorf("gap %g: %s", c.gap, p.Message)
			}
			open++
		}
		if len(m.Vertices) != c.vertices || (open > 0) != (c.vertices == 5) {
			t.Errorf("gap %g: %d vertices, %d open", c.gap, len(m.Vertices), open)
		}
	}
}
