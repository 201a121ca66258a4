package sheetmetal_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func of(t *testing.T, m *brep.Model) (sheetmetal.Sheet, bool) {
	t.Helper()
	meshed, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(t.Context(), m, meshed.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return sheetmetal.Detect(g)
}

// strip is sheet of a thickness that is bent on end after end: each bend is an inner radius, an angle (rad, positive to
// the left, on whose side the radius then is) and the length of the leg behind it.
func strip(thick, first float64, bends ...[3]float64) *brep.Model {
	var left, right []build.Corner // sides of the strip, in its direction
	at, dir := v2(0, 0), 0.0
	side := func(off float64) geom.Vec2 { return v2(at.X-off*math.Sin(dir), at.Y+off*math.Cos(dir)) }
	both := func(l, r float64) {
		left = append(left, build.Corner{P: side(thick), Bulge: l})
		right = append(right, build.Corner{P: side(0), Bulge: r})
	}
	both(0, 0)
	at = v2(first, 0)
	for _, b := range bends {
		radius, turn := b[0], b[1]
		bulge := math.Copysign(build.Bulge(math.Abs(turn)), turn)
		both(bulge, bulge)
		off := thick + radius // of the axis from the right side
		if turn < 0 {
			off = -radius
		}
		axis := side(off)
		dir += turn
		at = v2(axis.X+off*math.Sin(dir), axis.Y-off*math.Cos(dir))
		both(0, 0)
		at = v2(at.X+b[2]*math.Cos(dir), at.Y+b[2]*math.Sin(dir))
	}
	both(0, 0)
	var profile []build.Corner
	add := func(c build.Corner) {
		if n := len(profile); n == 0 || profile[n-1].P.Sub(c.P).Norm() > 1e-9 {
			profile = append(profile, c)
		} else {
			profile[n-1].Bulge = c.Bulge
		}
	}
	for _, c := range right {
		add(c)
	}
	for i := len(left) - 1; i >= 0; i-- { // back along the other side, where arcs end at the corner before
		c := build.Corner{P: left[i].P}
		if i > 0 {
			c.Bulge = -left[i-1].Bulge
		}
		add(c)
	}
	return build.Prism("strip", profile, 40, build.Style{})
}

func TestBendsAndFlanges(t *testing.T) {
	const quarter = math.Pi / 2
	for _, row := range []struct {
		name         string
		m            *brep.Model
		bends, flats int
	}{
		{"flat", build.Plate(geom.Vec3{X: 60, Y: 40, Z: 2}, build.Style{}), 0, 1},
		{"an angle", strip(2, 30, [3]float64{2, quarter, 30}), 1, 2},
		{"a Z", strip(2, 30, [3]float64{2, quarter, 30}, [3]float64{3, -quarter, 30}), 2, 3},
		{"a jog whose leg is shorter than the sheet is thick", strip(2, 30, [3]float64{2, quarter / 2, 1.5},
			[3]float64{2, -quarter / 2, 30}), 2, 3},
		{"a bend without an inner radius", strip(2, 30, [3]float64{0, quarter, 30}), 1, 2},
		{"a hem", strip(1, 30, [3]float64{0.5, math.Pi, 6}), 1, 2},
		{"two tabs on one line", build.Blocks("tabs", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 40, Z: 1}),
			build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 1, Z: 20}),
			build.Subtract(geom.Vec3{X: 20, Y: -1, Z: 1}, geom.Vec3{X: 40, Y: 2, Z: 21})), 1, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, ok := of(t, row.m)
			if !ok || s.Bends != row.bends || s.Flats != row.flats {
				t.Errorf("sheet %v with %d bends and %d legs, want %d and %d", ok, s.Bends, s.Flats, row.bends, row.flats)
			}
		})
	}
}

// A leg that leans is thinner than the others where both of its sides are drawn from one profile to the next.
func TestFlangesOfEqualHeightAreSheet(t *testing.T) {
	lean := func(angle, high float64) *brep.Model {
		fall := 40 * math.Tan(angle)
		return build.Prism("lean", build.Polygon(v2(-30, 0), v2(40, 0), v2(80, fall), v2(80, fall+high), v2(40, high),
			v2(-30, high)), 50, build.Style{})
	}
	if s, ok := of(t, lean(math.Pi/10, 0.5)); !ok || math.Abs(s.Thickness-0.5) > 1e-6 || s.Flats != 2 {
		t.Errorf("sheet %v: %v mm thick with %d legs, want 0.5 and 2", ok, s.Thickness, s.Flats)
	}
	if s, ok := of(t, lean(math.Pi/4, 0.5)); ok {
		t.Errorf("a leg of 0.35 mm beside one of 0.5 is sheet: %+v", s)
	}
}

// Sheet that is bent in two directions at one corner tears there: walls that close a corner were cut from solid.
func TestClosedCornersAreNotSheet(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	floor, wall := build.Add(p(0, 0, 0), p(60, 40, 1)), build.Add(p(0, 0, 0), p(60, 1, 30))
	if s, ok := of(t, build.Blocks("angle", floor, wall)); !ok || s.Bends != 1 {
		t.Errorf("a folded angle is sheet: %v, with %d bends, want true and 1", ok, s.Bends)
	}
	if s, ok := of(t, build.Blocks("corner", floor, wall, build.Add(p(0, 0, 0), p(1, 40, 30)))); ok {
		t.Errorf("a corner of three walls is sheet: %+v", s)
	}
}

// Faces at the distance of the sheet thickness that do not lie back to back are not its sides.
func TestSidesLieBackToBack(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	s, ok := of(t, build.Blocks("stepped", build.Add(p(0, 0, 0), p(60, 40, 1)), build.Add(p(0, 0, 0), p(1, 40, 30)),
		build.Subtract(p(57, -1, -1), p(61, 20, 2)), build.Subtract(p(56, 21, -1), p(61, 41, 2))))
	n := 0
	for _, isSide := range s.Sides {
		if isSide {
			n++
		}
	}
	if !ok || n != 4 || s.Flats != 2 {
		t.Errorf("sheet %v with %d sides and %d legs, want 4 and 2", ok, n, s.Flats)
	}
}

// A flat piece with a slope along its edge is milled.
func TestSlopesAreNotSheet(t *testing.T) {
	const slope = 10
	for _, height := range []float64{0.5, 2} { // of the edge
		m := build.Prism("plate", build.Polygon(v2(0, 0), v2(60, 0), v2(60, height), v2(60-slope, 2), v2(0, 2)), 100,
			build.Style{})
		if _, ok := of(t, m); ok != (height == 2) {
			t.Errorf("sheet %t with an edge %g high of 2", ok, height)
		}
	}
}
