package recognize_test

import (
	"slices"
	"testing"

	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
	"millwright/core/geom"
)

// A pocket or slot in the floor of a step that ends flush with the step's riser is as deep as the floor is above its own, and
// the riser is the step's.
func TestRiserIsOfItsStep(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	block, step := build.Add(p(0, 0, 0), p(100, 60, 20)), build.Away(p(0, 0, 12), p(50, 60, 20))
	for _, row := range []struct {
		name    string
		block   []build.Block
		regions []int // of the shallower and the deeper, cells of the grid
	}{
		{"pocket in a step", []build.Block{block, step, build.Away(p(20, 20, 5), p(50, 40, 12))}, []int{4, 9}},
		{"slot in a step", []build.Block{block, step, build.Away(p(0, 20, 5), p(50, 40, 12))}, []int{3, 6}},
		{"pocket in a pocket", []build.Block{block, build.Away(p(10, 10, 12), p(50, 50, 20)),
			build.Away(p(20, 20, 5), p(50, 40, 12))}, []int{4, 16}},
	} {
		res := recognized(t, build.Blocks(row.name, row.block...))
		pockets := featuretest.Only(res, feature.Pocket)
		slices.SortFunc(pockets, func(a, b feature.Feature) int { return len(a.Regions) - len(b.Regions) })
		if len(pockets) != 2 || len(pockets[0].Regions) != row.regions[0] || len(pockets[1].Regions) != row.regions[1] {
			t.Fatalf("%s: want two pockets of %v regions\n%s", row.name, row.regions, dump(res))
		}
		for i, depth := range []float64{7, 8} {
			if got := pockets[i].Pocket.Depth; got < depth-1e-6 || got > depth+1e-6 || pockets[i].Direction.Z < 1-1e-9 {
				t.Errorf("%s: %g deep from %v, want %g from +z", row.name, got, pockets[i].Direction, depth)
			}
		}
	}
}
