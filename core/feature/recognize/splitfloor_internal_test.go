package recognize

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// Of two posts in line, one is on a floor and the other next to it, on a lower part of the plate: only the first is
// alongside the floor.
func TestPostBesideAFloor(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	m := build.Blocks("posts", build.Add(p(0, 0, 0), p(100, 40, 10)), build.Subtract(p(-1, 20, 5), p(20, 41, 11)),
		build.Subtract(p(20, 25, 5), p(101, 41, 11)), build.Add(p(0, 0, 10), p(20, 20, 30)),
		build.Add(p(0, 30, 5), p(20, 40, 30)))
	r := newReading(t, m)
	g := r.g
	up, back := geom.Vec3{Z: 1}, geom.Vec3{X: 1}
	var floor int32
	var backs []int32 // by position along y
	for i := range g.Patches {
		q := int32(i)
		if g.Facing(q, up) && g.Extent(q, up).Hi == 10 && g.Extent(q, back).Hi == 100 {
			floor = q
		}
		if g.Facing(q, back) && g.Extent(q, back).Hi == 20 {
			backs = append(backs, q)
		}
	}
	r.features = []*candidate{{dir: up, patches: []int32{floor}}}
	if len(backs) != 2 {
		t.Fatalf("%d backs, want 2", len(backs))
	}
	for _, q := range backs {
		beside := g.Extent(q, geom.Vec3{Y: 1}).Lo > 25
		if got := r.isAlongsideFloors(q, 0); got != beside {
			t.Errorf("back at %v is beside the floor: %v, want %v", g.Extent(q, geom.Vec3{Y: 1}), got, beside)
		}
	}
}
