package mass

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// repole returns the part with the poles of its spheres elsewhere: the same points, another axis.
func repole(m *brep.Model, turn geom.Transform) *brep.Model {
	c := &brep.Model{Tolerance: m.Tolerance}
	c.Append(m, geom.Identity)
	for i := range c.Faces {
		if s, ok := c.Faces[i].Surface.(surface.Sphere); ok {
			f := s.Frame
			s.Frame = geom.Frame{Origin: f.Origin, X: turn.Dir(f.X), Y: turn.Dir(f.Y), Z: turn.Dir(f.Z)}
			c.Faces[i].Surface = s
		}
	}
	return c
}

// written are the forms of a sphere, with the permitted errors of its measures.
var written = []struct {
	name string
	as   func(m *brep.Model, seam float64) (*brep.Model, error)
	rel  float64
}{
	{"sphere", func(m *brep.Model, _ float64) (*brep.Model, error) { return m, nil }, 1e-9},
	{"swept", build.Swept, 1e-9},
	{"free-form", build.Freeform, 1e-6},
}

// TestPolesElsewhere has edges pass through poles and beside them, in vertices and between them, along meridians and
// across.
func TestPolesElsewhere(t *testing.T) {
	const q = math.Pi / 2
	x, y := geom.Vec3{X: 1}, geom.Vec3{Y: 1}
	zone := build.Revolve("zone", geom.World, []build.Corner{ // a ball cut off at z = 1
		{P: geom.Vec2{Y: -2}, Bulge: build.Bulge(q + math.Pi/6)},
		{P: geom.Vec2{X: math.Sqrt(3), Y: 1}}, {P: geom.Vec2{Y: 1}},
	}, build.Style{Seams: build.Rings})
	parts := []solid{
		{"hemispheres", build.Hemispheres(2, build.Style{Seams: build.Rings}), 16 * math.Pi, 32 * math.Pi / 3, z(0),
			box(-2, -2, -2, 2, 2, 2)},
		{"halved hemispheres", build.Hemispheres(2, build.Style{Seams: build.HalfFaces}),
			16 * math.Pi, 32 * math.Pi / 3, z(0), box(-2, -2, -2, 2, 2, 2)},
		{"zone", zone, 12*math.Pi + 3*math.Pi, math.Pi * 9, z(-0.25), box(-2, -2, -2, 2, 2, 1)},
	}
	turns := map[string]geom.Transform{
		"pole at a vertex":          geom.Rotation(y, q),
		"pole between vertices":     geom.Rotation(x, q),
		"pole near a vertex":        geom.Rotation(y, q+1e-5),
		"pole off a vertex":         geom.Rotation(y, q-1e-2),
		"pole beside an edge":       geom.Rotation(geom.Vec3{X: 3, Y: 1}, q+1e-5),
		"pole off an edge":          geom.Rotation(geom.Vec3{X: 3, Y: 1}, q+1e-3),
		"pole off the upper ring":   geom.Rotation(x, math.Pi/3-1e-4),
		"pole on the upper ring":    geom.Rotation(y, math.Pi/3),
		"pole between, upper ring":  geom.Rotation(x, math.Pi/3),
		"pole elsewhere":            geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}, 1),
		"pole on a side of a halve": geom.Rotation(geom.Vec3{X: 0, Y: 1}, 0.5),
	}
	for name, turn := range turns {
		for _, s := range parts {
			part := s.name
			for _, w := range written {
				s.name = part + " " + w.name + ", " + name
				m, err := w.as(repole(s.m, turn), 0)
				if err != nil {
					t.Fatal(err)
				}
				p, err := Compute(context.Background(), m)
				if err != nil {
					t.Errorf("%s: %v", s.name, err)
					continue
				}
				expect(t, s, p, w.rel)
			}
		}
	}
}

// TestAnyPole has poles anywhere, and as near to the ring between two hemispheres as may be.
func TestAnyPole(t *testing.T) {
	m := build.Hemispheres(2, build.Style{Seams: build.Rings})
	want := solid{"hemispheres", m, 16 * math.Pi, 32 * math.Pi / 3, z(0), box(-2, -2, -2, 2, 2, 2)}
	rapid.Check(t, func(t *rapid.T) {
		angle := func(name string) float64 { return rapid.Float64Range(-4, 4).Draw(t, name) }
		about := angle("about y")
		if beside := rapid.IntRange(0, 8).Draw(t, "digits"); beside > 0 {
			about = math.Pi/2 + math.Pow(10, -float64(beside))*angle("beside the ring")
		}
		turn := geom.Rotation(geom.Vec3{Z: 1}, angle("along the ring")).Mul(geom.Rotation(geom.Vec3{Y: 1}, about))
		for _, w := range written {
			m, err := w.as(repole(m, turn), angle("seam"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Compute(context.Background(), m)
			if err != nil {
				t.Fatalf("%s: %v", w.name, err)
			}
			if w.name != "sphere" {
				want.box = p.Bounds
			}
			expect(t, want, p, w.rel)
		}
	})
}
