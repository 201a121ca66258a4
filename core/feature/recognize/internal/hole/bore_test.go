package hole

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func graphOf(t *testing.T, m *brep.Model) *graph.Graph {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// riddled is a long rail with pairs of holes from above, every second one split by a slot.
func riddled(n int) *brep.Model {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	var holes []build.Hole
	for i := range n {
		x := 10 + 20*float64(i)
		holes = append(holes, build.Hole{Center: at(x, 8), Profile: build.Through(6, 30)},
			build.Hole{Center: at(x, 22), Profile: build.Blind(6, 12, math.Pi)})
	}
	return build.Plate(geom.Vec3{X: 20 * float64(n), Y: 30, Z: 30}, build.Style{}, holes...)
}

// joinPieces joins the same pieces as a test of every pair, for any position of the part.
func TestJoinPiecesMissesNoPair(t *testing.T) {
	for _, turn := range []geom.Transform{
		geom.Identity, geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}, 1).Mul(geom.Translation(geom.Vec3{X: 900})),
	} {
		m := &brep.Model{}
		src := riddled(12)
		m.Tolerance = src.Tolerance
		m.Append(src, turn)
		m.Append(src, turn.Mul(geom.Translation(geom.Vec3{Z: 30}))) // on the same axes: other solids
		m.Link()
		g := holeRules{graphOf(t, m)}
		var hollow []int32
		for i := range g.Patches {
			if g.Patches[i].Hollow && g.Patches[i].Kind == surface.KindCylinder {
				hollow = append(hollow, int32(i))
			}
		}
		if len(hollow) != 48 {
			t.Fatalf("%d bores, want 48", len(hollow))
		}
		got, want := graph.NewUnionFind(len(g.Patches)), graph.NewUnionFind(len(g.Patches))
		g.joinPieces(got, hollow)
		for i, a := range hollow {
			for _, b := range hollow[i+1:] {
				if g.areOne(a, b) {
					want.Join(a, b)
				}
			}
		}
		for i := range got {
			if got.Find(int32(i)) != want.Find(int32(i)) {
				t.Errorf("patch %d is in set %d, want %d", i, got.Find(int32(i)), want.Find(int32(i)))
			}
		}
	}
}

// The two halves of each bore of a part written with half faces are one bore.
func TestBoresOfHalves(t *testing.T) {
	for _, style := range build.Styles() {
		g := holeRules{graphOf(t, build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, style,
			build.Hole{Center: geom.Vec2{X: 10, Y: 15}, Profile: build.Through(6, 10)},
			build.Hole{Center: geom.Vec2{X: 30, Y: 15}, Profile: build.Through(6, 10)}))}
		all := g.bores()
		if len(all) != 2 || slices.ContainsFunc(all, func(b bore) bool { return !b.isWall }) {
			t.Errorf("style %+v: %d bores, want 2 walls of holes", style, len(all))
		}
	}
}

// The number of tested pairs grows with the holes of a plate, not with their square.
func TestPairsGrowWithHoles(t *testing.T) {
	pairs := func(n int) (holes, visits int) {
		var all []build.Hole
		for i := range n * n {
			at := geom.Vec2{X: 10 + 10*float64(i%n), Y: 10 + 10*float64(i/n)}
			all = append(all, build.Hole{Center: at, Profile: build.Through(6, 10)})
		}
		side := 10 + 10*float64(n)
		g := holeRules{graphOf(t, build.Plate(geom.Vec3{X: side, Y: side, Z: 10}, build.Style{Seams: build.HalfFaces},
			all...))}
		var hollow []int32
		for i := range g.Patches {
			if g.Patches[i].Hollow {
				hollow = append(hollow, int32(i))
			}
		}
		g.eachPair(hollow, func(_, _ int32) { visits++ })
		return len(hollow), visits
	}
	for _, n := range []int{4, 12} {
		if holes, visits := pairs(n); visits > holes {
			t.Errorf("%d bores: %d pairs, want no more pairs than bores", holes, visits)
		}
	}
}
