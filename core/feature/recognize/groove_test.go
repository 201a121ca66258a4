package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// barrel is a plate 40 wide and 5 thick with a round body on it, given by radius and height above the plate.
func barrel(outline ...geom.Vec2) *brep.Model {
	for i := range outline {
		outline[i].Y = -outline[i].Y // heights are depths below 0
	}
	return build.Plate(geom.Vec3{X: 40, Y: 40, Z: 5}, build.Style{}, build.Hole{Center: v2(20, 20), Profile: outline})
}

// flanged is a body of revolution with a flange of radius 20 below the given profile.
func flanged(above ...build.Corner) *brep.Model {
	return build.Revolve("flanged", geom.World, append([]build.Corner{{P: v2(0, 0)}, {P: v2(20, 0)}, {P: v2(20, 5)}},
		above...),
		build.Style{})
}

// A groove turned into a round body leaves one stage or one profile of it, for any other shape of the part.
func TestTurnedGrooves(t *testing.T) {
	half, quarter := -build.Bulge(math.Pi), -build.Bulge(math.Pi/2)
	// the end of a fillet that continues a cone of 45° and turns by half of that
	bend := v2(10, 21+2*math.Tan(math.Pi*3/16))
	for _, row := range []struct {
		name, want string
		m          *brep.Model
		depths     []float64
	}{
		{"between cones", "Pocket 1 Boss 1 Face 7",
			barrel(v2(10, 0), v2(10, 6), v2(9, 7), v2(9, 9), v2(10, 10), v2(10, 15), v2(0, 15)), []float64{1}},
		{"between a plane and a cone", "Pocket 1 Boss 1 Face 7",
			barrel(v2(10, 0), v2(10, 6), v2(8, 6), v2(8, 9), v2(10, 11), v2(10, 15), v2(0, 15)), []float64{2}},
		{"below a rim as thin as foil", "Pocket 1 Boss 1 Face 7",
			barrel(v2(4, 0), v2(4, 2), v2(3.8, 2.2), v2(3.8, 2.6), v2(4, 2.8), v2(4, 3.4), v2(0, 3.4)), []float64{0.2}},
		{"between two cones that meet", "Pocket 1 Boss 1 Face 7",
			barrel(v2(10, 0), v2(10, 6), v2(8, 8), v2(10, 9), v2(10, 15), v2(0, 15)), []float64{2}},
		{"above the face of a block", "Pocket 1 Boss 1 Face 7",
			barrel(v2(9, 0), v2(9, 2), v2(10, 2), v2(10, 15), v2(0, 15)), []float64{1}},
		{"of a pulley", "Pocket 1 Face 2 Profile 1", build.Revolve("pulley", geom.World, build.Polygon(v2(0, 0), v2(20, 0),
			v2(20, 2),
			v2(14, 6), v2(20, 10), v2(20, 12), v2(0, 12)), build.Style{}), []float64{6}},
		{"two of a piston", "Pocket 2 Face 2 Profile 1", build.Revolve("piston", geom.World,
			build.Polygon(v2(0, 0), v2(20, 0),
				v2(20, 5), v2(17, 5), v2(17, 8), v2(20, 8), v2(20, 11), v2(17, 11), v2(17, 14), v2(20, 14), v2(20, 22), v2(0, 22)),
			build.Style{}), []float64{3, 3}},
		{"two of a stepped pin", "Pocket 2 Boss 1 Face 3 Profile 1",
			flanged(build.Polygon(v2(10, 5), v2(10, 12), v2(9, 12), v2(9, 14), v2(10, 14), v2(10, 18), v2(9, 18), v2(9, 20),
				v2(10, 20), v2(10, 30), v2(0, 30))...), []float64{1, 1}},
		{"between lands of two diameters", "Pocket 1 Boss 1 Face 2 Profile 1", build.Revolve("spool", geom.World,
			build.Polygon(v2(0, 0),
				v2(20, 0), v2(20, 5), v2(14, 5), v2(14, 8), v2(18, 8), v2(18, 20), v2(0, 20)), build.Style{}), []float64{6}},
		{"a cone that thins it", "Boss 2 Face 7 Three 1",
			barrel(v2(10, 0), v2(10, 6), v2(8, 8), v2(8, 15), v2(0, 15)), nil},
		{"a cone that thins it little", "Boss 1 Face 7",
			barrel(v2(10, 0), v2(10, 6), v2(9, 10), v2(9, 15), v2(0, 15)), nil},
		{"with bevelled rims", "Pocket 1 Boss 1 Face 3 Chamfer 2 Profile 1",
			flanged(build.Polygon(v2(10, 5), v2(10, 11.5), v2(9.5, 12), v2(8, 12), v2(8, 15), v2(9.5, 15), v2(10, 15.5),
				v2(10, 30), v2(0, 30))...), []float64{1.5}},
		{"half a circle", "Pocket 1 Boss 1 Face 3 Profile 1",
			flanged(build.Corner{P: v2(10, 5)}, build.Corner{P: v2(10, 10), Bulge: half}, build.Corner{P: v2(10, 16)},
				build.Corner{P: v2(10, 20)}, build.Corner{P: v2(0, 20)}), []float64{3}},
		{"half a circle between planes", "Pocket 1 Boss 1 Face 3 Profile 1",
			flanged(build.Corner{P: v2(14, 5)}, build.Corner{P: v2(14, 10)}, build.Corner{P: v2(10, 10), Bulge: half},
				build.Corner{P: v2(10, 16)}, build.Corner{P: v2(14, 16)}, build.Corner{P: v2(14, 20)}, build.Corner{P: v2(0, 20)}),
			[]float64{7}},
		{"the fillet of a shoulder", "Boss 1 Face 3 Profile 1",
			flanged(build.Corner{P: v2(13, 5), Bulge: quarter}, build.Corner{P: v2(10, 8)}, build.Corner{P: v2(10, 20)},
				build.Corner{P: v2(0, 20)}), nil},
		{"a bottom between fillets", "Pocket 1 Boss 1 Face 3 Profile 1",
			flanged(build.Corner{P: v2(10, 5)}, build.Corner{P: v2(10, 10), Bulge: quarter}, build.Corner{P: v2(7, 13)},
				build.Corner{P: v2(7, 20), Bulge: quarter}, build.Corner{P: v2(10, 23)}, build.Corner{P: v2(10, 30)},
				build.Corner{P: v2(0, 30)}), []float64{3}},
		{"a fillet with a rounded rim across from a cone that bends up", "Pocket 1 Boss 1 Face 3 Profile 1",
			flanged(build.Corner{P: v2(10, 5)}, build.Corner{P: v2(10, 10), Bulge: -quarter}, build.Corner{P: v2(9, 11),
				Bulge: quarter},
				build.Corner{P: v2(7, 13)}, build.Corner{P: v2(7, 20)}, build.Corner{P: v2(8, 21),
					Bulge: -build.Bulge(math.Pi / 8)},
				build.Corner{P: bend}, build.Corner{P: v2(10, 30)}, build.Corner{P: v2(0, 30)}), []float64{3}},
	} {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := all(res); got != row.want {
				t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			var depths []float64
			for _, f := range featuretest.Only(res, feature.Pocket) {
				depths = append(depths, math.Round(100*f.Pocket.Depth)/100)
			}
			if !slices.Equal(depths, row.depths) {
				t.Errorf("pockets %v deep, want %v", depths, row.depths)
			}
			checkCover(t, row.name, res)
		})
	}
}

// A groove in a face around a core, without a flat floor, is one pocket with its core, which is not a hole.
func TestGroovesInAFace(t *testing.T) {
	at := func(x, y float64) build.Corner { return build.Corner{P: v2(x, y)} }
	arc := func(x, y, angle float64) build.Corner { return build.Corner{P: v2(x, y), Bulge: build.Bulge(angle)} }
	for _, row := range []struct {
		name, want string
		groove     []build.Corner // after the outer edge of a face 20 high and 30 wide
		regions    []int
	}{
		{"between cones that meet", "Pocket 1 Face 2 Profile 1", []build.Corner{at(22, 20), at(18, 6), at(13, 20)},
			[]int{3, 4}},
		{"round a core below the face", "Pocket 1 Face 3 Profile 1", []build.Corner{at(22, 20), at(18, 6), at(13, 16)},
			[]int{3, 4}},
		{"half a circle between walls", "Pocket 1 Face 2 Profile 1",
			[]build.Corner{at(22, 20), arc(22, 10, -math.Pi), at(14, 10), at(14, 20)}, []int{3, 4, 5}},
		{"a fillet that only the core goes on from", "Pocket 1 Face 3 Profile 1",
			[]build.Corner{at(25, 20), arc(22, 10, -math.Pi), at(14, 10), at(14, 17)}, []int{3, 4, 5}},
		{"a rounded rim", "Pocket 1 Face 2 Profile 1",
			[]build.Corner{arc(24, 20, math.Pi/2), at(22, 18), arc(22, 10, -math.Pi), at(14, 10), at(14, 20)},
			[]int{3, 4, 5, 6}},
		{"round a core that rises beyond the face", "Pocket 1 Boss 1 Face 3 Profile 1",
			[]build.Corner{at(22, 20), arc(22, 10, -math.Pi), at(14, 10), at(14, 35)}, []int{3, 4}},
	} {
		profile := append([]build.Corner{at(0, 0), at(30, 0), at(30, 20)}, row.groove...)
		profile = append(profile, at(0, profile[len(profile)-1].P.Y))
		for _, style := range build.Styles() {
			res := recognized(t, build.Revolve("puck", geom.World, profile, style))
			if got := all(res); got != row.want {
				t.Errorf("%s, style %v: found %s, want %s\n%s", row.name, style, got, row.want, dump(res))
				continue
			}
			f := featuretest.Only(res, feature.Pocket)[0]
			if style == (build.Style{}) && !slices.Equal(f.Regions, row.regions) {
				t.Errorf("%s: pocket of %v, want %v", row.name, f.Regions, row.regions)
			}
			if f.Direction != (geom.Vec3{Z: 1}) || f.Pocket.Through || f.Pocket.Open {
				t.Errorf("%s, style %v: pocket %+v from %v, want one closed from +z", row.name, style, *f.Pocket, f.Direction)
			}
		}
	}
}

// A neck that smoothly continues a ball belongs to its surface and is not turned separately.
func TestNeckOfABall(t *testing.T) {
	const ball, fillet, below = 10.0, 4.0, 10.0 // mm; below: distance of the neck below the center of the ball
	far := math.Sqrt((ball+fillet)*(ball+fillet) - below*below)
	toBall := math.Atan2(below, -far) // from the center of the fillet, which extends to 225° about it
	diagonal := fillet * math.Sqrt(0.5)
	at := v2(far, 50)
	touch := at.Add(v2(fillet*math.Cos(toBall), fillet*math.Sin(toBall)))
	low := at.Sub(v2(diagonal, diagonal))
	m := build.Revolve("ball", geom.World, []build.Corner{{P: v2(0, 0)}, {P: v2(10, 0)}, {P: v2(10, low.Y-10+low.X)},
		{P: low, Bulge: -build.Bulge(5*math.Pi/4 - toBall)},
		{P: touch, Bulge: build.Bulge(math.Pi/2 + math.Atan2(below, far))}, {P: v2(0, 60+ball)}}, build.Style{})
	res := recognized(t, m)
	surfaces := featuretest.Only(res, feature.Three)
	if n := len(featuretest.Only(res, feature.Pocket)); n > 0 || len(surfaces) == 0 || len(surfaces[0].Regions) < 2 {
		t.Errorf("%d pockets, surfaces %v, want one surface of ball and neck\n%s", n, surfaces, dump(res))
	}
}
