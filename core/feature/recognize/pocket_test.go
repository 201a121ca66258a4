package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// bar is a prism 40 long over a polygon.
func bar(points ...geom.Vec2) *brep.Model {
	return build.Prism("bar", build.Polygon(points...), 40, build.Style{})
}

func TestPockets(t *testing.T) {
	up, y := geom.Vec3{Z: 1}, geom.Vec3{Y: 1}
	pocket := func(depth float64, inner ...build.Cut) *brep.Model {
		return plate(build.Cut{Profile: build.Moved(build.Rounded(50, 40, 4), v2(5, 5)), Depth: depth, Cuts: inner})
	}
	rows := []struct {
		name   string
		m      *brep.Model
		counts string
		dir    geom.Vec3
		want   []feature.PocketShape // by top, then by tag
		tol    float64               // mm: the chord tolerance where the bottom is round
	}{
		{"closed, rounded", pocket(8), "Pocket 1 Face 6", up, []feature.PocketShape{{Depth: 8}}, 0},
		{"closed, sharp", plate(build.Cut{Profile: build.Moved(build.Rectangle(30, 20), v2(9, 9)), Depth: 8}),
			"Pocket 1 Face 6", up, []feature.PocketShape{{Depth: 8}}, 0},
		{"through window", pocket(20), "Pocket 1 Face 6", up, []feature.PocketShape{{Depth: 20, Through: true}}, 0},
		{"with a low island", pocket(8, build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(20, 20)),
			Depth: -5}),
			"Pocket 1 Boss 1 Face 7", up, []feature.PocketShape{{Depth: 8}}, 0},
		{"pocket in a pocket", pocket(8, build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(20, 20)),
			Depth: 5}),
			"Pocket 2 Face 6", up, []feature.PocketShape{{Depth: 8}, {Depth: 5}}, 0},
		{"window in a pocket", pocket(8, build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(20, 20)),
			Depth: 12}),
			"Pocket 2 Face 6", up, []feature.PocketShape{{Depth: 8}, {Depth: 12, Through: true}}, 0},
		{"step", bar(v2(0, 0), v2(50, 0), v2(50, 10), v2(20, 10), v2(20, 30), v2(0, 30)),
			"Pocket 1 Face 6", y, []feature.PocketShape{{Open: true, Depth: 20}}, 0},
		{"stairs", bar(v2(0, 0), v2(50, 0), v2(50, 10), v2(35, 10), v2(35, 20), v2(20, 20), v2(20, 30), v2(0, 30)),
			"Pocket 2 Face 6", y, []feature.PocketShape{{Open: true, Depth: 10}, {Open: true, Depth: 10}}, 0},
		{"open slot", bar(v2(0, 0), v2(50, 0), v2(50, 30), v2(35, 30), v2(35, 20), v2(15, 20), v2(15, 30), v2(0,
			30)),
			"Pocket 1 Face 6", y, []feature.PocketShape{{Open: true, Depth: 10}}, 0},
		{"square V groove", bar(v2(0, 0), v2(50, 0), v2(50, 30), v2(35, 30), v2(25, 20), v2(15, 30), v2(0, 30)),
			"Pocket 1 Face 6", y, []feature.PocketShape{{Open: true, Depth: 10}}, 0},
		{"steep V groove", bar(v2(0, 0), v2(50, 0), v2(50, 30), v2(30, 30), v2(25, 18), v2(20, 30), v2(0, 30)),
			"Pocket 1 Face 6", y, []feature.PocketShape{{Open: true, Depth: 12}}, 0},
		{"bent plate", bar(v2(0, 0), v2(60, 0), v2(60, 30), v2(30, 28), v2(0, 30)), "Face 7", y, nil, 0},
		{"half round channel", notched(180), "Pocket 1 Face 6", y, []feature.PocketShape{{Open: true,
			Depth: 5}}, 0.1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := counts(res); got != row.counts {
				t.Fatalf("found %s, want %s\n%s", got, row.counts, dump(res))
			}
			for i, f := range featuretest.Only(res, feature.Pocket) {
				got, want := *f.Pocket, row.want[i]
				if got.Open != want.Open || got.Through != want.Through || math.Abs(got.Depth-want.Depth) > row.tol+1e-9 {
					t.Errorf("pocket %d: %+v, want %+v", i, got, want)
				}
				if f.Direction != row.dir || f.Axis == nil {
					t.Errorf("pocket %d: direction %v, axis %v, want %v", i, f.Direction, f.Axis, row.dir)
				}
			}
		})
	}
}

func TestBosses(t *testing.T) {
	sharp, w := build.Style{}, geom.World
	rows := []struct {
		name, want string
		m          *brep.Model
		walls      int
	}{
		{"square", "Boss 1 Face 7", plate(build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(20, 20)),
			Depth: -5}), 4},
		{"round, two halves", "Boss 1 Face 7", plate(build.Cut{Profile: round(v2(30, 30), 8), Depth: -5}), 2},
		{"boss on a boss", "Boss 2 Face 8", plate(build.Cut{Profile: round(v2(30, 30), 8), Depth: -5,
			Cuts: []build.Cut{{Profile: round(v2(30, 30), 4), Depth: -5}}}), 2},
		{"with a hole", "Hole 1 Boss 1 Face 7", plate(build.Cut{Profile: round(v2(30, 30), 8), Depth: -5,
			Holes: []build.Hole{{Center: v2(30, 30), Profile: build.Through(6, 25)}}}), 2},
		{"shaft shoulder with a fillet", "Boss 1 Face 3", build.Revolve("shaft", w, []build.Corner{
			{P: v2(0, 0)}, {P: v2(20, 0)}, {P: v2(20, 10)}, {P: v2(14, 10), Bulge: -build.Bulge(math.Pi / 2)},
			{P: v2(12, 12)}, {P: v2(12, 30)}, {P: v2(0, 30)}}, sharp), 2},
		{"plain shaft", "Face 2", build.Cylinder(10, 30, sharp), 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := counts(res); got != row.want {
				t.Fatalf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			for _, f := range featuretest.Only(res, feature.Boss) {
				if len(f.Regions) != row.walls || f.Direction != (geom.Vec3{Z: 1}) {
					t.Errorf("boss of regions %v from %v, want %d walls from above", f.Regions, f.Direction, row.walls)
				}
			}
		})
	}
}

// flattened returns a circle without the part beyond a chord of an angle.
func flattened(radius, angle float64) []build.Corner {
	s, c := math.Sincos(angle / 2)
	return []build.Corner{{P: v2(radius*c, radius*s), Bulge: build.Bulge(2*math.Pi - angle)},
		{P: v2(radius*c, -radius*s)}}
}

func TestChamfers(t *testing.T) {
	style, w := build.Style{}, geom.World
	hexagon := make([]geom.Vec2, 6)
	for i := range hexagon {
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		hexagon[i] = v2(20*c, 20*s)
	}
	rows := []struct {
		name, want string
		m          *brep.Model
	}{
		{"one edge of a bar", "Chamfer 1 Face 6", bar(v2(0, 0), v2(50, 0), v2(50, 30), v2(3, 30), v2(0, 27))},
		{"30 degrees", "Chamfer 1 Face 6", bar(v2(0, 0), v2(50, 0), v2(50, 30), v2(5.2, 30), v2(0, 27))},
		{"two edges", "Chamfer 2 Face 6", bar(v2(0, 0), v2(50, 0), v2(50, 27), v2(47, 30), v2(3, 30), v2(0, 27))},
		{"a corner cut off a thin plate is of its outline", "Face 7",
			build.Prism("plate", build.Polygon(v2(0, 0), v2(50, 0), v2(50, 30), v2(8, 30), v2(0, 22)), 3, style)},
		{"narrow corner of a thin plate", "Chamfer 1 Face 6",
			build.Prism("plate", build.Polygon(v2(0, 0), v2(50, 0), v2(50, 30), v2(2, 30), v2(0, 28)), 3, style)},
		{"flat along a shaft", "Face 3", build.Prism("shaft", flattened(10, geom.Radians(60)), 30, style)},
		{"end of a shaft", "Chamfer 1 Face 2",
			build.Revolve("shaft", w, build.Polygon(v2(0, 0), v2(10, 0), v2(10, 28), v2(8, 30), v2(0, 30)), style)},
		{"mouth of a bore is a countersink", "Hole 1 Face 6", sunk(style, v2(6, 0), v2(5, 1), v2(5, 20))},
		{"hexagonal bar", "Face 8", bar(hexagon...)},
		{"drafted side", "Face 6", bar(v2(0, 0), v2(50, 0), v2(48, 30), v2(2, 30))},
		{"wedge", "Face 7", bar(v2(0, 0), v2(50, 0), v2(50, 5), v2(5, 30), v2(0, 30))},
		{"turned cone is no chamfer", "Face 2", build.Frustum(10, 5, 20, style)},
		{"corner fillet in a pocket", "Pocket 1 Face 6",
			plate(build.Cut{Profile: build.Moved(build.Rounded(30, 20, 2), v2(9, 9)), Depth: 8})},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := counts(res); got != row.want {
				t.Fatalf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			for _, f := range featuretest.Only(res, feature.Chamfer) {
				if f.Axis == nil || len(f.Regions) != 1 {
					t.Errorf("chamfer %+v, want one region and an axis", f)
				}
			}
		})
	}
}

func at(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }

// Cuts and islands that meet, hide or split each other keep their types.
func TestPocketsAmongOthers(t *testing.T) {
	leg := []build.Block{build.Add(at(0, 0, 0), at(60, 40, 10)), build.Add(at(0, 0, 10), at(10, 40, 60)),
		build.Subtract(at(6, 10, 14), at(10, 30, 40))}
	slots := []build.Block{build.Add(at(0, 0, 0), at(80, 60, 12)), build.Subtract(at(10, 0, 6), at(15, 60, 12)),
		build.Subtract(at(40, 20, 6), at(70, 40, 12)), build.Subtract(at(50, 0, 8), at(60, 60, 12))}
	posts := []build.Block{build.Add(at(0, 0, 0), at(80, 40, 10)), build.Add(at(10, 10, 10), at(25, 30, 40)),
		build.Add(at(55, 10, 10), at(70, 30, 40)), build.Subtract(at(10, 20, 30), at(70, 30, 40))}
	rows := []struct {
		name, want string
		blocks     []build.Block
	}{
		// One pass cuts the steps of both posts, unless a body stands between them.
		{"a step over two posts", "Pocket 1 Boss 2 Face 8", posts},
		{"steps with a post between", "Pocket 2 Boss 3 Face 9",
			append(posts[:4:4], build.Add(at(35, 10, 10), at(45, 30, 50)))},
		{"steps at two heights", "Pocket 2 Boss 2 Face 8", append(posts[:4:4],
			build.Subtract(at(55, 20, 29), at(70, 30, 40)))},
		// The island on the base hides the lower wall of the pocket in the leg from most directions.
		{"a wall behind an island", "Pocket 2 Boss 1 Face 7",
			append(leg[:3:3], build.Add(at(20, 11, 10), at(30, 29, 22)))},
		// The land between a slot and a pocket of equal depth is not an island, though walls rise to it on three sides.
		{"a slot beside a pocket of its depth that another slot crosses", "Pocket 3 Face 6", slots},
		// The pocket in the base leaves less of it than of the leg, but the base is still the floor.
		{"a pocket in the floor of a step", "Pocket 2 Face 6", append(leg[:2:2], build.Subtract(at(12, 3, 4),
			at(55, 37, 10)))},
		// A groove through the flank of a step leaves a strip of it without a floor.
		{"a strip of a wall behind a groove", "Pocket 2 Face 6", []build.Block{
			build.Add(at(0, 0, 0), at(40, 50, 30)), build.Subtract(at(25, 0, 12), at(40, 50, 30)),
			build.Subtract(at(18, 0, 22), at(25, 50, 26))}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, build.Blocks("blocks", row.blocks...))
			if got := all(res); got != row.want {
				t.Fatalf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			checkCover(t, row.name, res)
			for _, f := range featuretest.Only(res, feature.Pocket) {
				if f.Pocket.Open && f.Direction != (geom.Vec3{Z: 1}) && f.Pocket.Depth > 10 {
					t.Errorf("the step of regions %v is cut along %v, want z", f.Regions, f.Direction)
				}
			}
		})
	}
}

// tilted is a bar with a channel in its top whose axis leans by an angle from +y. The points of the channel are given
// without the lean, with the opening at and above the height of the axis base.
func tilted(angle float64, channel ...geom.Vec2) *brep.Model {
	s, c := math.Sincos(angle)
	turn := func(p geom.Vec2) geom.Vec2 { return v2(30+c*p.X+s*p.Y, 30-s*p.X+c*p.Y) }
	points := []geom.Vec2{v2(0, 0), v2(60, 0), v2(60, 30)}
	for i, p := range channel {
		q := turn(p)
		if i == 0 || i == len(channel)-1 { // the intersection of the flank with the top
			o := turn(channel[min(1, len(channel)-2)])
			if i > 0 {
				o = turn(channel[i-1])
			}
			q = o.Add(q.Sub(o).Scale((30 - o.Y) / (q.Y - o.Y)))
		}
		points = append(points, q)
	}
	return bar(append(points, v2(0, 30))...)
}

// Straight channels are cut from the direction that sees all of their planes, though no plane has that normal.
func TestLeaningChannels(t *testing.T) {
	h := math.Sqrt(3) / 2 * 8 // half the width of a hexagon with sides of 8
	rows := []struct {
		name    string
		channel []geom.Vec2
	}{
		{"acute V", []geom.Vec2{v2(3, 2), v2(0, -14), v2(-3, 2)}},
		{"two upright flanks over a V", []geom.Vec2{v2(h, 2), v2(h, -6), v2(0, -10), v2(-h, -6), v2(-h, 2)}},
	}
	for _, row := range rows {
		for _, angle := range []float64{0.3, -0.5} {
			m := tilted(angle, row.channel...)
			res := recognized(t, m)
			pockets := featuretest.Only(res, feature.Pocket)
			if len(pockets) != 1 || len(pockets[0].Regions) != len(row.channel)-1 {
				t.Errorf("%s at %g: want one pocket of %d faces\n%s", row.name, angle, len(row.channel)-1, dump(res))
				continue
			}
			s, c := math.Sincos(angle)
			if d := pockets[0].Direction.Dist(geom.Vec3{X: s, Y: c}); d > 1e-9 {
				t.Errorf("%s at %g: cut along %v, want (%g, %g, 0)", row.name, angle, pockets[0].Direction, s, c)
			}
			checkCover(t, row.name, res)
		}
	}
}

// A channel that no direction sees into, because one flank leans over its floor, is cut along itself and is open.
func TestChannelUnderALeaningFlankIsOpen(t *testing.T) {
	res := recognized(t, bar(v2(0, 0), v2(60, 0), v2(60, 30), v2(40, 30), v2(44, 22), v2(20, 22), v2(20, 30), v2(0, 30)))
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || !pockets[0].Pocket.Open || !pockets[0].Pocket.Through {
		t.Errorf("want one pocket, open and through\n%s", dump(res))
	}
}
