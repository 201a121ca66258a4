package datasheets

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// What rounds the edge of a narrow bore juts out, though it is bent more round the bore; the fillet at the foot of a
// thin pin does not, though it is bent more round the pin.
func TestRoundingsBulgeAlongTheirSlope(t *testing.T) {
	at := func(x, y float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}} }
	bend := func(c build.Corner, angle float64) build.Corner { c.Bulge = build.Bulge(angle); return c }
	for _, c := range []struct {
		name    string
		profile []build.Corner
		want    bool
	}{
		{"bore", []build.Corner{at(1, 0), at(9, 0), at(9, 5), bend(at(2.2, 5), math.Pi/2), at(1, 3.8)}, true},
		{"pin", []build.Corner{at(0, 0), at(9, 0), at(9, 2), bend(at(2.2, 2), -math.Pi/2), at(1, 3.2), at(1, 5), at(0, 5)}, false},
	} {
		m := build.Revolve(c.name, geom.World, c.profile, build.Style{Seams: build.SeamEdge})
		r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: FineChord, AngleTolerance: FineAngle})
		if err != nil {
			t.Fatal(err)
		}
		p, v, found := &part{r.Mesh, ofArcs}, newView(geom.Vec3{Z: 1}), 0
		for i := range m.Faces {
			if m.Faces[i].Surface.Kind() != surface.KindTorus {
				continue
			}
			found++
			if got := p.bulges(i, &v); got != c.want {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d round edges", c.name, found)
		}
	}
}
