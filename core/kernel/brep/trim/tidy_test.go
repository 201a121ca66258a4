package trim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func TestUntie(t *testing.T) {
	uv := func(points ...float64) []Vertex {
		var vs []Vertex
		for i := 0; i < len(points); i += 2 {
			p := geom.Vec3{X: points[i], Y: points[i+1]}
			vs = append(vs, Vertex{UV: geom.Vec2{X: p.X, Y: p.Y}, P: p, Index: int32(i / 2)})
		}
		return vs
	}
	for _, row := range []struct {
		name   string
		vs     []Vertex
		untied bool
	}{
		{"square", uv(0, 0, 10, 0, 10, 10, 0, 10), false},
		// The bottom edge ends 0.002 too far, the right edge begins 0.001 too low.
		{"overshoot at a corner", uv(0, 0, 10.002, 0, 10.002, -0.001, 10, -0.001, 10, 10, 0, 10), true},
		{"overshoot over the start", uv(10, -0.001, 10, 10, 0, 10, 0, 0, 10.002, 0, 10.002, -0.001), true},
		{"zigzag back and forth",
			uv(0, 0, 5, 0, 5.002, 0.0001, 4.999, 0.0002, 5.001, -0.0001, 10, 0, 10, 10, 0, 10), true},
		{"eight too large to be an accident", uv(0, 0, 10, 10, 10, 0, 0, 10), false},
	} {
		b := Builder{model: &brep.Model{Tolerance: geom.Tolerance{Length: 1e-3}}}
		before := append([]Vertex(nil), row.vs...)
		b.untie(row.vs)
		moved := false
		for i := range row.vs {
			moved = moved || row.vs[i].UV != before[i].UV
			if row.vs[i].P != before[i].P || row.vs[i].Index != before[i].Index {
				t.Errorf("%s: vertex %d moved in space", row.name, i)
			}
			if d := row.vs[i].UV.Dist(before[i].UV); d > 0.02 {
				t.Errorf("%s: vertex %d moved by %g", row.name, i, d)
			}
		}
		if moved != row.untied {
			t.Errorf("%s: moved %v, want %v", row.name, moved, row.untied)
		}
		if a, c, found := crossing(&Domain{Polygons: [][]Vertex{row.vs}}); found && row.untied {
			t.Errorf("%s: pieces at %v and %v still cross: %v", row.name, a, c, row.vs)
		}
	}
}

// rough is a sampler with noisy samples, as in a file of that tolerance.
type rough struct {
	*evenly
	noise func(i int32) geom.Vec3
}

func (r *rough) EdgeSamples(e brep.EdgeID) []Sample {
	list := append([]Sample(nil), r.evenly.EdgeSamples(e)...)
	for i := range list {
		list[i].P = list[i].P.Add(r.noise(list[i].Index))
	}
	return list
}

func (r *rough) VertexSample(v brep.VertexID) Sample {
	s := r.evenly.VertexSample(v)
	s.P = s.P.Add(r.noise(s.Index))
	return s
}

// TestRoughSamples has every sample off by up to the model's tolerance: domains stay simple and keep
// their area.
func TestRoughSamples(t *testing.T) {
	const tolerance = 1e-3
	rapid.Check(t, func(t *rapid.T) {
		styles := build.Styles()
		s := styles[rapid.IntRange(0, len(styles)-1).Draw(t, "style")]
		models := []*brep.Model{build.Cylinder(2, 5, s), build.Frustum(3, 0, 4, s), build.Sphere(2, s),
			build.Hemispheres(2, s), build.Torus(5, 2, build.TorusForm(rapid.IntRange(0, 5).Draw(t, "form")))}
		m := models[rapid.IntRange(0, len(models)-1).Draw(t, "model")]
		m.Tolerance.Length = tolerance
		seed := rapid.Uint64().Draw(t, "seed")
		noise := func(i int32) geom.Vec3 {
			h := (seed + uint64(i)*0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9
			part := func(shift uint) float64 { return (float64(h>>shift&0xffff)/0xffff - 0.5) * tolerance }
			return geom.Vec3{X: part(0), Y: part(16), Z: part(32)}
		}
		clean := sampleEvenly(m, 24)
		dirty := &rough{clean, noise}
		var b, c Builder
		for f := range m.Faces {
			want, err := b.Build(m, brep.FaceID(f), clean, Options{ChordTolerance: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Build(m, brep.FaceID(f), dirty, Options{ChordTolerance: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			if p, q, found := crossing(got); found {
				t.Fatalf("face %d: pieces at %v and %v cross", f, p, q)
			}
			if len(got.Polygons) != len(want.Polygons) || got.Turned != 0 {
				t.Fatalf("face %d: %d polygons, %d loops turned, want %d and 0", f, len(got.Polygons), got.Turned,
					len(want.Polygons))
			}
			for k := range got.Polygons {
				// Near a pole a tolerance in space is any angle: there the domain's corners may move.
				slack := 0.02 * math.Abs(Area(want.Polygons[k]))
				if _, ok := m.Faces[f].Surface.(surface.Plane); ok {
					slack = 0.1
				}
				if d := math.Abs(Area(got.Polygons[k]) - Area(want.Polygons[k])); d > slack {
					t.Fatalf("face %d: polygon %d has area %g, want %g", f, k, Area(got.Polygons[k]),
						Area(want.Polygons[k]))
				}
			}
		}
	})
}
