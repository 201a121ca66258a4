package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Lugs at the edge of a side, flush with the bottom, are islands on it, because the side is much larger.
func TestLugsFlushWithTheBottom(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	res := recognized(t, build.Blocks("two lugs", build.Add(p(0, 0, 0), p(100, 60, 20)),
		build.Add(p(20, 60, 0), p(30, 64, 8)),
		build.Add(p(70, 60, 0), p(80, 64, 8))))
	if got, want := counts(res), "Boss 2 Face 8"; got != want {
		t.Errorf("found %s, want %s\n%s", got, want, dump(res))
	}
}

// undercut is a plate 100 x 60 x 20 with a cavity that widens downward.
func undercut() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("undercut", []geom.Vec3{
		// 0
		p(0, 0, 0), p(100, 0, 0), p(100, 60, 0), p(0, 60, 0), p(0, 0, 20), p(100, 0, 20), p(100, 60, 20), p(0, 60, 20),
		// 8
		p(40, 25, 20), p(60, 25, 20), p(60, 35, 20), p(40, 35, 20), p(25, 10, 5), p(75, 10, 5), p(75, 50, 5), p(25, 50, 5),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}}, {{4, 5, 6, 7}, {8, 11, 10, 9}},
		{{12, 13, 14, 15}}, {{8, 9, 13, 12}}, {{9, 10, 14, 13}}, {{10, 11, 15, 14}}, {{11, 8, 12, 15}},
	})
}

// The walls of a hidden cavity are not in an outline, though a section passes through them.
func TestOutlineRunsThroughNoCavity(t *testing.T) {
	res := recognized(t, undercut())
	if profiles := featuretest.Only(res, feature.Profile); len(profiles) != 0 {
		t.Errorf("%d profiles, want none: the outside is a block\n%s", len(profiles), dump(res))
	}
	if got, want := len(featuretest.Only(res, feature.Face)), 6; got < want {
		t.Errorf("%d faces, want %d at least\n%s", got, want, dump(res))
	}
}

// A ledge is the floor of an island, even if it is only as wide as flushTolerance.
func TestNarrowLedges(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	base := build.Add(p(0, 0, 0), p(100, 60, 20))
	for _, row := range []struct {
		name, want string
		block      build.Block
	}{
		{"all round", "Boss 1 Face 7", build.Add(p(0.06, 0.06, 20), p(99.94, 59.94, 25))},
		{"all round something low", "Boss 1 Face 7", build.Add(p(0.02, 0.04, 20), p(99.96, 59.95, 20.3))},
		{"wide", "Boss 1 Face 7", build.Add(p(10, 10, 20), p(90, 50, 25))},
	} {
		res := recognized(t, build.Blocks(row.name, base, row.block))
		if got := counts(res); got != row.want {
			t.Errorf("%s: found %s, want %s\n%s", row.name, got, row.want, dump(res))
		}
	}
}
