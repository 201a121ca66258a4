package recognize

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// newReading returns an empty reading of a model without directions.
func newReading(t *testing.T, m *brep.Model) *verifier {
	t.Helper()
	meshed, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(t.Context(), m, meshed.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return newVerifier(&partContext{g: g, loopsOf: make([][]graph.BoundaryLoop, len(g.Patches)),
		bevels:  make([]bool, len(g.Patches)),
		gussets: make([]bool, len(g.Patches))}, nil)
}

// A chain adds to the sides of a block if it shows on all sides or extends beyond them.
func TestWhatAChainAddsToABlock(t *testing.T) {
	const cut = 10.0
	quarter := build.Bulge(math.Pi / 2)
	for _, row := range []struct {
		name    string
		profile []build.Corner
		block   int // sides that are known, in the order of the profile
		want    int
	}{
		{"two corners of a block", []build.Corner{{P: geom.Vec2{X: -40}}, {P: geom.Vec2{X: 40}}, {P: geom.Vec2{X: 40, Y: 30}},
			{P: geom.Vec2{X: 30, Y: 40}}, {P: geom.Vec2{X: -40, Y: 40}}}, 3, 0},
		{"an end beyond it", []build.Corner{{P: geom.Vec2{X: -40}}, {P: geom.Vec2{X: 40}, Bulge: quarter},
			{P: geom.Vec2{X: 40 + cut, Y: cut}}, {P: geom.Vec2{X: 40 + cut, Y: 40}}, {P: geom.Vec2{X: -40, Y: 40}}}, 1, 5},
	} {
		r := newReading(t, build.Prism(row.name, row.profile, 30, build.Style{}))
		w := section.Along(r.g, geom.Vec3{Z: 1})
		chain, ok := w.ChainOf(0, 15)
		if !ok || len(chain.Patches) != 5 {
			t.Fatalf("%s: chain %+v, want five sides", row.name, chain)
		}
		known := contour{isBlock: map[int32]bool{}, isOutline: map[int32]bool{}}
		if got := r.newIn(w, chain.Patches, &known); len(got) != len(chain.Patches) {
			t.Errorf("%s: %v is new where nothing is known, want all of %v", row.name, got, chain.Patches)
		}
		known.add(r.g, w.Dir, chain.Patches[:row.block], known.isBlock)
		if got := r.newIn(w, chain.Patches, &known); len(got) != row.want {
			t.Errorf("%s: %v is new, want %d of %v", row.name, got, row.want, chain.Patches)
		}
	}
}

// Round corners whose upper ends others cut away belong to the outline of their known sides, as does one that continues
// a known outline. The round end between two parallel sides may be in another outline.
func TestRoundCornersAreOfTheirSides(t *testing.T) {
	quarter := build.Bulge(math.Pi / 2)
	rounded := []build.Corner{{P: geom.Vec2{X: 8}}, {P: geom.Vec2{X: 52}, Bulge: quarter}, {P: geom.Vec2{X: 60, Y: 8}},
		{P: geom.Vec2{X: 60, Y: 32}, Bulge: quarter}, {P: geom.Vec2{X: 52, Y: 40}}, {P: geom.Vec2{X: 8, Y: 40},
			Bulge: quarter},
		{P: geom.Vec2{Y: 32}}, {P: geom.Vec2{Y: 8}, Bulge: quarter}}
	obround := []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 60}, Bulge: build.Bulge(math.Pi)},
		{P: geom.Vec2{X: 60, Y: 40}},
		{P: geom.Vec2{Y: 40}, Bulge: build.Bulge(math.Pi)}}
	for _, row := range []struct {
		name    string
		profile []build.Corner
		isBlock bool
		isNew   []int32 // unknown walls
		want    int
	}{
		{"all corners of a block", rounded, true, []int32{1, 3, 5, 7}, 8},
		{"one corner of an outline", rounded, false, []int32{3}, 1},
		{"both ends of an obround", obround, true, []int32{1, 3}, 2},
	} {
		r := newReading(t, build.Prism(row.name, row.profile, 30, build.Style{}))
		w := section.Along(r.g, geom.Vec3{Z: 1})
		chain, ok := w.ChainOf(0, 15)
		if !ok || len(chain.Patches) != len(row.profile) {
			t.Fatalf("%s: chain %+v, want %d walls", row.name, chain, len(row.profile))
		}
		known := contour{isBlock: map[int32]bool{}, isOutline: map[int32]bool{}}
		as := known.isOutline
		if row.isBlock {
			as = known.isBlock
		}
		known.add(r.g, w.Dir, slices.DeleteFunc(slices.Clone(chain.Patches), func(p int32) bool {
			return slices.Contains(row.isNew, p)
		}), as)
		if got := r.newIn(w, chain.Patches, &known); len(got) != row.want {
			t.Errorf("%s: %v is new, want %d of %v", row.name, got, row.want, chain.Patches)
		}
	}
}

// A block with one slanting side is found from any first side. A block with cut corners is not a slant block.
func TestSlantBlock(t *testing.T) {
	at := func(corners ...geom.Vec2) (out []build.Corner) {
		for _, p := range corners {
			out = append(out, build.Corner{P: p})
		}
		return out
	}
	slope := at(geom.Vec2{}, geom.Vec2{X: 60}, geom.Vec2{X: 40, Y: 40}, geom.Vec2{Y: 40})
	hexagon := at(geom.Vec2{}, geom.Vec2{X: 60}, geom.Vec2{X: 70, Y: 20}, geom.Vec2{X: 60, Y: 40}, geom.Vec2{Y: 40})
	round := at(geom.Vec2{}, geom.Vec2{X: 60}, geom.Vec2{X: 60, Y: 40}, geom.Vec2{Y: 40})
	round[1].Bulge = build.Bulge(math.Pi)
	for _, row := range []struct {
		name    string
		profile []build.Corner
		isBevel bool // of the slanting side
		want    bool
	}{
		{"one side aslant", slope, false, true},
		{"a corner cut off", slope, true, false},
		{"two sides aslant", hexagon, false, false},
		{"a round side", round, false, false},
	} {
		r := newReading(t, build.Prism(row.name, row.profile, 30, build.Style{}))
		r.bevels[1] = row.isBevel
		walls := section.Along(r.g, geom.Vec3{Z: 1})
		chain, ok := walls.ChainOf(0, 15)
		if !ok || len(chain.Patches) != len(row.profile) {
			t.Fatalf("%s: chain %+v, want %d walls", row.name, chain, len(row.profile))
		}
		sides := slices.Sorted(slices.Values(chain.Patches))
		for range sides {
			if got := isSlantBlock(r.partContext, sides, walls.Dir); got != row.want {
				t.Errorf("%s: isSlantBlock(%v) = %v, want %v", row.name, sides, got, row.want)
			}
			sides = append(sides[1:], sides[0])
		}
	}
}
