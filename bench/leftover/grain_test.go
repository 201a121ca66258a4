package leftover_test

import (
	"testing"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// The grains together are the rest, with its faces, where it is.
func TestGrainsAreTheRest(t *testing.T) {
	part := meshOf(t, build.Box(geom.Vec3{X: 40, Y: 20, Z: 5}))
	top := faceAt(t, part, up, geom.Vec3{Z: 5})
	m := newMachine(geom.Vec3{}, geom.Vec3{X: 40, Y: 20, Z: 7}, mill(50))
	m.setup(geom.Vec3{}, up, right)
	m.cut(1, geom.Vec3{X: -30, Y: 10, Z: 5.4}, geom.Vec3{X: 70, Y: 10, Z: 5.4})
	sum := 0.0
	err := leftover.Grains(t.Context(), &m.program, part, func(g leftover.Grain) {
		sum += g.Volume
		for _, p := range []geom.Vec3{g.From, g.To} {
			if p.Z < 5-1e-9 || p.Z > 5.4+1e-9 || p.X < 0 || p.X > 40 || p.Y < 0 || p.Y > 20 {
				t.Fatalf("%v is not in the rest", p)
			}
		}
		about(t, "height of a grain", g.Height, (g.From.Z+g.To.Z)/2-5, 1e-6)
		if len(g.Faces) == 0 || g.Faces[0] != top && g.Faces[len(g.Faces)-1] != top {
			t.Fatalf("%+v: the nearest face is %d", g, top)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	about(t, "volume of the grains", sum, 40*20*0.4, 0.01*40*20*0.4)
}
