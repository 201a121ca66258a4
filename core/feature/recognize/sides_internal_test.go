package recognize

import (
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// An outline gets the free walls in the planes of its sides, without those of other bodies, hidden from both ends, in
// other features, or leaning. Of the adjacent planes it gets those that it touches, not the walls of a slot and the
// top.
func TestSidesOfOutlines(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	block, slot := build.Add(p(0, 0, 0), p(60, 40, 20)), build.Subtract(p(25, -1, -1), p(35, 10, 21))
	parted := build.Blocks("parted", block, slot)
	lids := build.Blocks("lids", block, slot, build.Add(p(35, -10, 20), p(62, 38, 25)), build.Add(p(35, -10, -5),
		p(62, 38, 0)))
	two := &brep.Model{Tolerance: parted.Tolerance}
	two.Append(parted, geom.Identity)
	two.Append(parted, geom.Translation(p(100, 0, 0)))
	two.Link()
	for _, row := range []struct {
		name        string
		m           *brep.Model
		isElsewhere bool
		piece, end  bool // expected: the piece of the front, and the side that the back touches
	}{
		{"one body", parted, false, true, true},
		{"two in line", two, false, true, true},
		{"hidden between lids", lids, false, false, false},
		{"a piece of another feature", parted, true, false, true},
	} {
		r := newReading(t, row.m)
		g, n := r.g, len(r.g.Patches)
		var err error
		if r.v, err = direction.Find(t.Context(), g, compute.OnCPU(2), nil, make([]bool, n)); err != nil {
			t.Fatal(err)
		}
		// the plane at a height along dir with its lower end lo along x
		find := func(dir geom.Vec3, at, lo float64) int32 {
			for q := range g.Patches {
				z := g.Extent(int32(q), dir)
				if g.Facing(int32(q), dir) && z.Hi > at-g.Length && z.Hi < at+g.Length && g.Extent(int32(q), p(1, 0, 0)).Lo == lo {
					return int32(q)
				}
			}
			t.Fatalf("%s: no plane at %g along %v from %g", row.name, at, dir, lo)
			return graph.None
		}
		known := []int32{find(p(0, -1, 0), 0, 0), find(p(-1, 0, 0), 0, 0), find(p(0, 1, 0), 40, 0)}
		piece := find(p(0, -1, 0), 0, 35)
		r.reachesDown[piece] = row.isElsewhere
		r.propose(candidate{rule: outerProfile, patches: ascending(known), dir: p(0, 0, 1)})
		sidesOfOutlines(r.reading, r)
		want := slices.Clone(known)
		if row.piece {
			want = append(want, piece)
		}
		if row.end {
			want = append(want, find(p(1, 0, 0), 60, 60))
		}
		if got := r.features[0].patches; !slices.Equal(got, ascending(want)) {
			t.Errorf("%s: an outline of patches %v, want %v", row.name, got, want)
		}
	}
}
