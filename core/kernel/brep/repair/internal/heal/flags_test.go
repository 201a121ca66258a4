package heal

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

// TestAnyFlags negates the senses of any faces of a shell, though not of all: those that were negated are, and no
// other.
func TestAnyFlags(t *testing.T) {
	halves := build.Style{Seams: build.HalfFaces}
	for name, sound := range map[string]*brep.Model{
		"cone":        build.Frustum(50, 0, 100, halves),
		"upside down": build.Frustum(0, 50, 100, halves),
		"frustum":     build.Frustum(50, 20, 100, halves),
		"spindle": build.Revolve("spindle", geom.World, build.Polygon(geom.Vec2{}, geom.Vec2{X: 4, Y: 5},
			geom.Vec2{Y: 20}), halves),
		"bore": build.Plate(geom.Vec3{X: 40, Y: 30, Z: 20}, halves,
			build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Blind(6, 5, math.Pi/2)}),
		"pin": rounded(halves),
	} {
		if m := clone(sound); Faces(context.Background(), m) != nil || len(m.Warnings) > 0 {
			t.Errorf("the sound %s is mended: %v", name, m.Warnings)
		}
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			m := clone(sound)
			any := rapid.SliceOfNDistinct(rapid.IntRange(0, len(m.Faces)-1), 1, len(m.Faces)-1, rapid.ID[int])
			turned := any.Draw(t, "turned")
			for _, f := range turned {
				m.Faces[f].Reversed = !m.Faces[f].Reversed
			}
			if err := Faces(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			for f := range m.Faces {
				if m.Faces[f].Reversed != sound.Faces[f].Reversed {
					t.Errorf("face %d is wrong: %v", f, m.Warnings)
				}
			}
			if len(m.Warnings) != 1 || m.Warnings[0].Code != FlippedFace || m.Warnings[0].Count != len(turned) {
				t.Errorf("warnings %v", m.Warnings)
			}
		}))
	}
}

// TestHalvesTogether negates the senses of the two halves of a dome, whose only smooth edges are with each other. If
// each were the rest of a ball, the solid would be inside out.
func TestHalvesTogether(t *testing.T) {
	at := func(x, y, bulge float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}, Bulge: bulge} }
	sound := build.Revolve("dome", geom.World,
		[]build.Corner{at(0, 0, 0), at(3, 0, 0), at(3, 4, build.Bulge(math.Asin(3.0/5))),
			at(0, 5, 0)}, build.Style{Seams: build.HalfFaces})
	m := clone(sound)
	turned := 0
	for f := range m.Faces {
		if m.Faces[f].Surface.Kind() == surface.KindSphere {
			m.Faces[f].Reversed = !m.Faces[f].Reversed
			turned++
		}
	}
	if err := Faces(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	for f := range m.Faces {
		if m.Faces[f].Reversed != sound.Faces[f].Reversed {
			t.Errorf("face %d of %s is wrong: %v", f, m.Name, m.Warnings)
		}
	}
	if turned != 2 || len(m.Warnings) != 1 || m.Warnings[0].Count != turned {
		t.Errorf("%d turned, warnings %v", turned, m.Warnings)
	}
}
