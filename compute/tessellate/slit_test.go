package tessellate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestHoleTangentToFrontLeavesSlit drills a block so close to its front that the wall of the hole touches the front
// from behind. Along that line no material is left, and the front has a slit, with an edge on either side.
func TestHoleTangentToFrontLeavesSlit(t *testing.T) {
	const size, radius, end = 10.0, 2.0, 4.0 // the hole goes down to end
	b := build.New("block")
	var corners [8]brep.VertexID
	for i := range corners {
		x, y := float64((i+1)/2%2), float64(i/2%2)
		corners[i] = b.Vertex(geom.Vec3{X: x * size, Y: y * size, Z: float64(i/4) * size})
	}
	upper, lower := b.Vertex(geom.Vec3{X: size / 2, Z: size}), b.Vertex(geom.Vec3{X: size / 2, Z: end})
	line := func(i, k int) brep.EdgeID { return b.Line(corners[i], corners[k]) }
	ring := func(z float64, v brep.VertexID) brep.EdgeID {
		return b.Edge(curve.Circle{Radius: radius, Frame: geom.Frame{Origin: geom.Vec3{X: size / 2, Y: radius, Z: z},
			X: geom.Vec3{Y: -1}, Y: geom.Vec3{X: 1}, Z: geom.Vec3{Z: 1}}}, 0, 2*math.Pi, v, v)
	}
	e01, e12, e23, e30 := line(0, 1), line(1, 2), line(2, 3), line(3, 0)
	e04, e15, e26, e37 := line(0, 4), line(1, 5), line(2, 6), line(3, 7)
	e4, e5 := b.Line(corners[4], upper), b.Line(upper, corners[5])
	e56, e67, e74 := line(5, 6), line(6, 7), line(7, 4)
	right, left := b.Line(upper, lower), b.Line(upper, lower)
	top, bottom := ring(size, upper), ring(end, lower)
	face := func(origin, z, x geom.Vec3, loops ...build.Loop) {
		b.Face(surface.Plane{Frame: geom.NewFrame(origin, z, x)}, false, loops...)
	}
	fwd, rev := build.Fwd, build.Rev
	x, y, z := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	face(geom.Vec3{}, z.Neg(), x, build.Chain(rev(e30), rev(e23), rev(e12), rev(e01)))
	face(z.Scale(size), z, x, build.Chain(fwd(e4), fwd(e5), fwd(e56), fwd(e67), fwd(e74)), build.Chain(rev(top)))
	face(x.Scale(size), x, y, build.Chain(fwd(e12), fwd(e26), rev(e56), rev(e15)))
	face(y.Scale(size), y, z, build.Chain(fwd(e23), fwd(e37), rev(e67), rev(e26)))
	face(geom.Vec3{}, x.Neg(), y, build.Chain(fwd(e30), fwd(e04), rev(e74), rev(e37)))
	face(geom.Vec3{}, y.Neg(), x,
		build.Chain(fwd(e01), fwd(e15), rev(e5), fwd(right), rev(left), rev(e4), rev(e04)))
	face(z.Scale(end), z, x, build.Chain(fwd(bottom)))
	axis := geom.Frame{Origin: geom.Vec3{X: size / 2, Y: radius}, X: y.Neg(), Y: x, Z: z}
	b.Face(surface.Cylinder{Frame: axis, Radius: radius}, true,
		build.Chain(fwd(top), fwd(left), rev(bottom), rev(right)))
	b.Solid()
	for _, chord := range []float64{0.2, 0.01} {
		r := mustMesh(t, b.Model(), Options{ChordTolerance: chord})
		want := size*size*size - math.Pi*radius*radius*(size-end)
		if !r.Report.Watertight || math.Abs(r.Mesh.Volume()-want) > 2*math.Pi*radius*(size-end)*chord {
			t.Errorf("chord %g: %+v, volume %g, want %g", chord, r.Report, r.Mesh.Volume(), want)
		}
	}
}
