package visibility

import (
	"context"

	"millwright/core/geom"
)

// viewPoint is a point of the mesh in steps along the axes of the view.
type viewPoint struct{ x, y, z int32 }

// view is the scene seen along one direction, and the memory that takes, which the next direction reuses.
type view struct {
	*scene
	frame  geom.Frame // axes only; z along the rays
	points []viewPoint
	loose  []sample // in the caller's order
	grid   grid
}

// sample is a facing sample.
type sample struct {
	x, y, z int32 // steps
	id      int32 // the caller's number
}

// triangleChunk is the number of triangles between looks at the context, well below a millisecond of work
// unless each covers much of the part.
const triangleChunk = 1 << 13

// see sets the bits of the samples that are visible along dir.
func (v *view) see(ctx context.Context, dir geom.Vec3, bits []uint64) {
	v.frame = geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	v.face()
	if len(v.loose) == 0 {
		return
	}
	v.turn()
	v.grid.sort(v.loose)
	for lo := 0; lo < len(v.triangles); lo += triangleChunk {
		if ctx.Err() != nil {
			return
		}
		v.draw(v.triangles[lo:min(lo+triangleChunk, len(v.triangles))])
	}
	g := &v.grid
	for i, z := range g.z {
		if z < blocked {
			id := g.id[i]
			bits[id>>6] |= 1 << (id & 63)
		}
	}
}

// turn takes the points of the mesh into the view.
func (v *view) turn() {
	v.points = resize(v.points, len(v.scene.points))
	x, y, z := v.frame.X, v.frame.Y, v.frame.Z
	for i, p := range v.scene.points {
		v.points[i] = viewPoint{round(p.Dot(x)), round(p.Dot(y)), round(p.Dot(z))}
	}
}

// face takes the samples that do not turn away into the view.
func (v *view) face() {
	x, y, z := v.frame.X.Scale(v.scale), v.frame.Y.Scale(v.scale), v.frame.Z.Scale(v.scale)
	x0, y0, z0 := v.frame.X.Dot(v.origin), v.frame.Y.Dot(v.origin), v.frame.Z.Dot(v.origin)
	dx, dy, dz := float32(v.frame.Z.X), float32(v.frame.Z.Y), float32(v.frame.Z.Z)
	v.loose = resize(v.loose, len(v.samples))
	n := 0
	for i := range v.samples {
		if len(v.normals) > 0 {
			m := &v.normals[i]
			if m[0]*dx+m[1]*dy+m[2]*dz < -v.grazing {
				continue
			}
		}
		s := &v.samples[i]
		px, py, pz := float64(s[0]), float64(s[1]), float64(s[2])
		v.loose[n] = sample{
			round(px*x.X + py*x.Y + pz*x.Z + x0),
			round(px*y.X + py*y.Y + pz*y.Z + y0),
			round(px*z.X + py*z.Y + pz*z.Z + z0),
			int32(i),
		}
		n++
	}
	v.loose = v.loose[:n]
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
