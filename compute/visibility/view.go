package visibility

import (
	"context"

	"millwright.dev/millwright/core/kernel/geom"
)

// view is the scene seen along one direction, and the memory that takes, which the next direction reuses.
type view struct {
	*scene
	frame  geom.Frame // axes only; z along the rays
	points []viewPoint
	loose  []viewPoint // the facing samples, in the caller's order
	grid   grid
	batch  batch
}

// facetChunk is the number of groups of eight triangles between checks of the context. They take well below a
// millisecond unless each covers much of the part.
const facetChunk = 1 << 10

// see sets the bits of the samples from first to last that are visible along dir; first is a multiple of 64.
func (v *view) see(ctx context.Context, dir geom.Vec3, first, last int, row []uint64) {
	v.frame = geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	v.face(first, last, row)
	if len(v.loose) == 0 || len(v.triangles) == 0 {
		return
	}
	v.points = resize(v.points, len(v.scene.points))
	m := newTurning(&v.frame, 1, geom.Vec3{})
	turn(v.points, v.scene.points, &m)
	v.grid.sort(v.loose)
	d := [3]float32{float32(v.frame.Z.X), float32(v.frame.Z.Y), float32(v.frame.Z.Z)}
	v.batch.begin(v)
	for lo := 0; lo < len(v.facets); lo += perBatch / 8 {
		if lo%facetChunk == 0 && ctx.Err() != nil {
			return
		}
		f := v.facets[lo:min(lo+perBatch/8, len(v.facets))]
		v.batch.draw(v, entered(v.batch.numbers[:], f, &d, 8*lo))
	}
	g := &v.grid
	for i, id := range g.id {
		hidden := uint64(0)
		if g.z[i] == blocked {
			hidden = 1
		}
		row[id>>6] &^= hidden << (id & 63)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
