package crosscheck_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline/crosscheck"
)

// placed is solids with their placements.
type placed struct {
	model *brep.Model
	at    geom.Transform
}

func box(x0, y0, z0, x1, y1, z1 float64) placed {
	return placed{build.Box(geom.Vec3{X: x1 - x0, Y: y1 - y0, Z: z1 - z0}),
		geom.Translation(geom.Vec3{X: x0, Y: y0, Z: z0})}
}

func together(all ...placed) *brep.Model {
	m := &brep.Model{Tolerance: all[0].model.Tolerance}
	for _, p := range all {
		m.Append(p.model, p.at)
	}
	return m
}

// TestSolidsThatShareMaterial distinguishes identical or overlapping solids from touching ones, in any orientation.
func TestSolidsThatShareMaterial(t *testing.T) {
	const none = ""
	here := geom.Identity
	pin := func(radius float64) placed {
		return placed{build.Cylinder(radius, 30, build.Style{}), geom.Translation(geom.Vec3{X: 20, Y: 10, Z: -5})}
	}
	plate := placed{build.Plate(geom.Vec3{X: 40, Y: 20, Z: 15}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(12, 15)}), here}
	angle := placed{build.Prism("angle", build.Polygon(geom.Vec2{}, geom.Vec2{X: 20}, geom.Vec2{X: 20, Y: 5},
		geom.Vec2{X: 5, Y: 5}, geom.Vec2{X: 5, Y: 20}, geom.Vec2{Y: 20}), 10, build.Style{}), here}
	hollow := placed{boxes(geom.Vec3{X: 10, Y: 10, Z: 10}, geom.Vec3{X: 3, Y: 3, Z: 3},
		geom.Vec3{X: 4, Y: 4, Z: 4}, true), here}
	ball := placed{build.Sphere(6, build.Style{}), geom.Translation(geom.Vec3{X: 20, Y: 10, Z: 7})}
	halfTurn := geom.Translation(geom.Vec3{X: 40, Y: 20}).Mul(geom.Rotation(geom.Vec3{Z: 1}, math.Pi))
	for _, c := range []struct {
		name string
		m    *brep.Model
		want string
	}{
		{"the same", together(box(0, 0, 0, 10, 20, 30), box(0, 0, 0, 10, 20, 30)), crosscheck.SameSolids},
		{"the same plate", together(plate, plate), crosscheck.SameSolids},
		{"the same turned plate", together(plate, placed{plate.model, halfTurn}), crosscheck.SameSolids},
		{"a corner", together(box(0, 0, 0, 10, 20, 30), box(5, 5, 5, 25, 25, 35)), crosscheck.OverlappingSolids},
		{"one in the other", together(box(0, 0, 0, 10, 20, 30), box(2, 2, 2, 4, 4, 4)), crosscheck.OverlappingSolids},
		{"crossing bars", together(box(-50, -1, -1, 50, 1, 1), box(-1, -50, -1, 1, 50, 1)),
			crosscheck.OverlappingSolids},
		{"a pin through a plate", together(plate, pin(7)), crosscheck.OverlappingSolids},
		{"a ball in a bore", together(plate, placed{ball.model, ball.at}, box(100, 0, 0, 110, 10, 10)), none},
		{"a larger ball", together(plate, placed{build.Sphere(6.5, build.Style{}), ball.at}),
			crosscheck.OverlappingSolids},
		{"side by side", together(box(0, 0, 0, 10, 20, 30), box(10, 0, 0, 20, 20, 30)), none},
		{"half beside", together(box(0, 0, 0, 10, 20, 30), box(10, 10, 10, 20, 40, 50)), none},
		{"apart", together(box(0, 0, 0, 10, 20, 30), box(50, 0, 0, 60, 20, 30)), none},
		{"a pin in its bore", together(plate, pin(6)), none},
		{"a pin pressed in", together(plate, pin(6.005)), none},
		{"a block in an angle", together(angle, box(5, 5, 0, 20, 20, 10)), none},
		{"a core in its void", together(hollow, box(3, 3, 3, 7, 7, 7)), none},
		{"a weld", together(angle,
			placed{build.Prism("weld", build.Polygon(geom.Vec2{X: 5, Y: 5}, geom.Vec2{X: 8, Y: 5},
				geom.Vec2{X: 5, Y: 8}), 10, build.Style{}), here}), none},
	} {
		for _, turn := range []geom.Transform{geom.Identity, geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}, 1)} {
			m := together(placed{c.m, turn})
			found, err := crosscheck.Overlaps(t.Context(), whole(t, m, tessellate.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.want == none && len(found) > 0:
				t.Errorf("%s: %v", c.name, found)
			case c.want != none && (len(found) != 1 || found[0].Code != c.want || found[0].Count != 1 ||
				!strings.Contains(found[0].Message, "olid")):
				t.Errorf("%s: %v, want %s", c.name, found, c.want)
			}
		}
	}
}

func TestOverlapsStopWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := whole(t, together(box(0, 0, 0, 9, 9, 9), box(0, 0, 0, 9, 9, 9)), tessellate.Options{})
	if _, err := crosscheck.Overlaps(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
