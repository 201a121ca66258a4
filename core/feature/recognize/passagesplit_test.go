package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// bored is a hexagon of radius 15 about (40, 30), ccw from its corner at (55, 30), which an arc about c replaces.
func bored(c geom.Vec2, radius float64) []build.Corner {
	const sides, outer = 6, 15.0
	at := func(i int) geom.Vec2 {
		sin, cos := math.Sincos(float64(i) * 2 * math.Pi / sides)
		return v2(40+outer*cos, 30+outer*sin)
	}
	end := func(along geom.Vec2) geom.Vec2 { // of the wall from the corner along a unit vector
		to := c.Sub(at(0))
		off := to.Cross(along)
		return at(0).Add(along.Scale(to.Dot(along) + math.Sqrt(radius*radius-off*off)))
	}
	from, to := end(at(sides-1).Sub(at(0)).Scale(1/outer)), end(at(1).Sub(at(0)).Scale(1/outer))
	a, b := from.Sub(c), to.Sub(c)
	out := []build.Corner{{P: from, Bulge: build.Bulge(math.Atan2(a.Cross(b), a.Dot(b)))}, {P: to}}
	for i := 1; i < sides; i++ {
		out = append(out, build.Corner{P: at(i)})
	}
	return out
}

func TestBoreThroughTheCornerOfAPassageIsOfItsOwn(t *testing.T) {
	for _, row := range []struct {
		name   string
		center geom.Vec2
		want   string
	}{
		{"bore beside the corner", v2(53, 31), "Pocket 2 Face 6"},
		{"bore beside the corner, mirrored", v2(53, 29), "Pocket 2 Face 6"},
		{"relief on the bisector", v2(53, 30), "Pocket 1 Face 6"},
	} {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, plate(build.Cut{Profile: bored(row.center, 2.5), Depth: 20}))
			if got := counts(res); got != row.want {
				t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			}
		})
	}
}
