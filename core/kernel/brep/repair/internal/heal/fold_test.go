package heal

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// rounded is a turned pin with a fillet to its flange and rounded ends, whose tori and sphere are in sectors.
func rounded(style build.Style) *brep.Model {
	at := func(x, y, bulge float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}, Bulge: bulge} }
	quarter := build.Bulge(1.5707963267948966)
	return build.Revolve("pin", geom.World, []build.Corner{
		at(0, 0, 0), at(8, 0, quarter), at(10, 2, 0), at(10, 4, 0), at(7, 4, -quarter), at(5, 6, 0), at(5, 12, quarter),
		at(3, 14, 0), at(0, 14, 0),
	}, style)
}

// TestFilletsContinueTheirNeighbors negates the sense of one torus at a time: it is restored, and nothing else changes.
func TestFilletsContinueTheirNeighbors(t *testing.T) {
	tried := 0
	for i, style := range build.Styles() {
		sound := rounded(style)
		if m := clone(sound); Faces(context.Background(), m) != nil || len(m.Warnings) > 0 {
			t.Errorf("style %d: the sound pin is mended: %v", i, m.Warnings)
		}
		for f := range sound.Faces {
			if sound.Faces[f].Surface.Kind() != surface.KindTorus {
				continue
			}
			tried++
			m := clone(sound)
			m.Faces[f].Reversed = !m.Faces[f].Reversed
			if err := Faces(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			for g := range m.Faces {
				if m.Faces[g].Reversed != sound.Faces[g].Reversed {
					t.Errorf("style %d: with torus %d turned, face %d is; %v", i, f, g, m.Warnings)
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("%d tori were tried", tried)
	}
}
