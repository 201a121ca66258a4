package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Two crossing square passages of one height leave four pieces of each of their side walls, and a common floor and
// ceiling. No direction sees all of them.
func TestCrossingPassagesArePockets(t *testing.T) {
	m := build.Blocks("crossing", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 50, Z: 40}),
		build.Subtract(geom.Vec3{X: -1, Y: 10, Z: 10}, geom.Vec3{X: 61, Y: 20, Z: 22}),
		build.Subtract(geom.Vec3{X: 30, Y: -1, Z: 10}, geom.Vec3{X: 42, Y: 51, Z: 22}))
	res := recognized(t, m)
	pockets := featuretest.Only(res, feature.Pocket)
	if walls := featuretest.Only(res, feature.Wall); len(walls) != 0 || len(pockets) != 2 {
		t.Errorf("%d walls and %d pockets, want none and 2\n%s", len(walls), len(pockets), dump(res))
	}
	for _, p := range pockets {
		if !p.Pocket.Through {
			t.Errorf("pocket %v is blind, want a passage", p.Regions)
		}
	}
}

// A slot into one side and a slot down another leave a ring of walls between them, which is not a boss: the walls on
// each of its floors are walls of a slot.
func TestMaterialBetweenSlotsIsNoBoss(t *testing.T) {
	m := build.Blocks("between slots", build.Add(geom.Vec3{}, geom.Vec3{X: 50, Y: 50, Z: 50}),
		build.Subtract(geom.Vec3{X: -1, Y: 40, Z: 21}, geom.Vec3{X: 24, Y: 51, Z: 31}),
		build.Subtract(geom.Vec3{X: 35, Y: 40, Z: -1}, geom.Vec3{X: 45, Y: 51, Z: 51}))
	res := recognized(t, m)
	bosses, pockets := featuretest.Only(res, feature.Boss), featuretest.Only(res, feature.Pocket)
	if len(bosses) != 0 || len(pockets) != 2 {
		t.Errorf("%d bosses and %d pockets, want none and 2\n%s", len(bosses), len(pockets), dump(res))
	}
}
