package direction_test

import (
	"context"
	"runtime"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// counter counts the directions that are looked along.
type counter struct {
	*compute.Engine
	directions int
}

func (c *counter) Visible(ctx context.Context, m *mesh.Mesh, dirs []geom.Vec3) ([][]float32, error) {
	c.directions += len(dirs)
	return c.Engine.Visible(ctx, m, dirs)
}

// block has a pocket, an island in it, holes of two kinds and a slanted side.
func block() *brep.Model {
	profile := build.Polygon(v2(0, 0), v2(80, 0), v2(90, 60), v2(0, 60))
	return build.Milled("block", profile, 20, build.Style{}, []build.Cut{
		{Profile: build.Moved(build.Rounded(40, 30, 5), v2(8, 8)), Depth: 9, Cuts: []build.Cut{
			{Profile: build.Moved(build.Rectangle(6, 9), v2(24, 18)), Depth: -4}}},
	}, build.Hole{Center: v2(60, 20), Profile: build.Through(7, 20)},
		build.Hole{Center: v2(60, 45), Profile: build.Blind(9, 10, 2)})
}

// The work of recognition is linear in the faces of a part: eight times as many copies take eight times as many
// allocations and bytes, and give the same directions.
func TestWorkIsLinearInFaces(t *testing.T) {
	measure := func(copies int) (directions int, allocations, bytes uint64) {
		m := &brep.Model{Tolerance: block().Tolerance}
		for i := range copies {
			m.Append(block(), geom.Translation(geom.Vec3{X: 200 * float64(i%8), Y: 200 * float64(i/8)}))
		}
		m.Link()
		r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		see := counter{Engine: compute.OnCPU(2)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := recognize.Recognize(context.Background(), m, r.Mesh, &see); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return see.directions, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
	}
	const times, slack = 8, 1.3
	few, fewCalls, fewBytes := measure(8)
	many, manyCalls, manyBytes := measure(times * 8)
	if few != many {
		t.Errorf("%d directions for 8 copies, %d for 64", few, many)
	}
	if float64(manyCalls) > slack*times*float64(fewCalls) || float64(manyBytes) > slack*times*float64(fewBytes) {
		t.Errorf("%d allocations of %d bytes for 8 copies, %d of %d for 64: more than %d times as many", fewCalls,
			fewBytes, manyCalls, manyBytes, times)
	}
}
