package reach

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// The search agrees with all places of a fine grid: where one of them is free, it proves nothing else, and what it
// finds is free to the very gauge.
func TestSearchAgreesWithAFineGrid(t *testing.T) {
	m := build.Blocks("steps", build.Add(geom.Vec3{}, geom.Vec3{X: 40, Y: 40, Z: 20}),
		build.Subtract(geom.Vec3{X: 10, Y: 10, Z: 12}, geom.Vec3{X: 30, Y: 30, Z: 20}),
		build.Subtract(geom.Vec3{X: 18, Y: -1, Z: 8}, geom.Vec3{X: 23, Y: 41, Z: 20}))
	mesh, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.003, Runner: compute.OnCPU(0)})
	if err != nil {
		t.Fatal(err)
	}
	part := NewPart(mesh.Mesh, geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), nil)
	random := rand.New(rand.NewPCG(3, 0))
	counts := map[verdict]int{}
	for _, shape := range []replay.Shape{
		{Diameter: 4, FluteLength: 9, ShankDiameter: 6, Stickout: 20},
		{Diameter: 6, FluteLength: 13, ShankDiameter: 6, Stickout: 30},
		{Diameter: 6, CornerRadius: 3, FluteLength: 13, ShankDiameter: 6, Stickout: 30},
		{Diameter: 8, CornerRadius: 1, FluteLength: 13, ShankDiameter: 8, Stickout: 30},
	} {
		tool := NewTool("mill", shape, false)
		for range 60 {
			p := point{9 + 22*random.Float64(), 9 + 22*random.Float64(), 7.9 + 8*random.Float64()}
			s := search{tree: &part.tree, view: viewOf(4), tool: &tool, p: p, gauge: loose}
			p = s.view.seen(p)
			s.p = p
			got := s.anywhere()
			counts[got]++
			free := false
			const step = 0.1
			for x := -tool.radius; x <= tool.radius && !free; x += step {
				for y := -tool.radius; y <= tool.radius && !free; y += step {
					free = math.Hypot(x, y) <= tool.radius && s.plunge(p[0]+x, p[1]+y)
				}
			}
			if free && got == none {
				t.Errorf("%+v at %v: none, but the grid has a free place", shape, p)
			}
			s.gauge = tight
			if !free && s.anywhere() == found {
				// The place is between those of the grid: the tool must be free there with less to spare.
				if s.gauge.slack = step; s.anywhere() == found {
					t.Errorf("%+v at %v: found with %g mm to spare, but the grid has none", shape, p, step)
				}
			}
		}
	}
	if counts[none] < 20 || counts[found] < 20 || counts[open] > 10 {
		t.Errorf("verdicts %v: none and found must both be common, open rare", counts)
	}
}
