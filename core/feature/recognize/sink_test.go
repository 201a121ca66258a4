package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// slottedSink is a plate of 40 x 20 x 20 with a hole of 6 mm that is countersunk to 10 mm at 90°, and a slot of 8 mm
// across it, 6 mm deep, which leaves two pieces of the countersink.
func slottedSink() *brep.Model {
	b := build.New("slotted sink")
	at := func(x, y, z float64) brep.VertexID { return b.Vertex(geom.Vec3{X: x, Y: y, Z: z}) }
	lines := map[[2]brep.VertexID]brep.EdgeID{}
	path := func(v ...brep.VertexID) (uses []build.EdgeUse) { // straight, from each to the next
		for i := range len(v) - 1 {
			if e, ok := lines[[2]brep.VertexID{v[i+1], v[i]}]; ok {
				uses = append(uses, build.Rev(e))
				continue
			}
			lines[[2]brep.VertexID{v[i], v[i+1]}] = b.Line(v[i], v[i+1])
			uses = append(uses, build.Fwd(lines[[2]brep.VertexID{v[i], v[i+1]}]))
		}
		return uses
	}
	ring := func(v ...brep.VertexID) []build.EdgeUse { return path(append(v, v[0])...) }
	frame := func(x, z float64) geom.Frame {
		return geom.NewFrame(geom.Vec3{X: x, Z: z}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	}
	flat := func(on, normal geom.Vec3, loops ...[]build.EdgeUse) {
		var chains []build.Loop
		for _, l := range loops {
			chains = append(chains, build.Chain(l...))
		}
		b.Face(surface.Plane{Frame: geom.NewFrame(on, normal, geom.Vec3{})}, false, chains...)
	}
	k := []brep.VertexID{at(-20, -10, 0), at(20, -10, 0), at(20, 10, 0), at(-20, 10, 0)}
	type ridge struct{ a, b, c, d, e, f, g, h brep.VertexID }
	side := func(s float64) ridge { // along its inner edge a, b, c, d; its outer one f, e; below g, h
		return ridge{at(4*s, -10, 20), at(4*s, -3, 20), at(4*s, 3, 20), at(4*s, 10, 20), at(20*s, 10, 20), at(20*s, -10, 20),
			at(4*s, -10, 14), at(4*s, 10, 14)}
	}
	l, r := side(-1), side(1)
	across := func(x float64) curve.Hyperbola { // the cone at x, from y = -3 to 3
		return curve.Hyperbola{Frame: geom.NewFrame(geom.Vec3{X: x, Z: 15}, geom.Vec3{X: -1}, geom.Vec3{Z: 1}), Major: 4,
			Minor: 4}
	}
	sharp := math.Asin(0.6)
	rim := []brep.EdgeID{b.Edge(curve.Circle{Frame: frame(0, 20), Radius: 5}, math.Pi-sharp, math.Pi+sharp, l.c, l.b),
		b.Edge(curve.Circle{Frame: frame(0, 20), Radius: 5}, -sharp, sharp, r.b, r.c)}
	cut := []brep.EdgeID{b.Edge(across(-4), -math.Ln2, math.Ln2, l.b, l.c), b.Edge(across(4), -math.Ln2, math.Ln2, r.b,
		r.c)}
	join := func(parts ...[]build.EdgeUse) (uses []build.EdgeUse) {
		for _, p := range parts {
			uses = append(uses, p...)
		}
		return uses
	}
	one := func(u build.EdgeUse) []build.EdgeUse { return []build.EdgeUse{u} }
	up := geom.Vec3{Z: 1}
	flat(geom.Vec3{Z: 20}, up, join(path(r.b, r.a, r.f, r.e, r.d, r.c), one(build.Rev(rim[1]))))
	flat(geom.Vec3{Z: 20}, up, join(path(l.c, l.d, l.e, l.f, l.a, l.b), one(build.Rev(rim[0]))))
	flat(geom.Vec3{X: 4}, geom.Vec3{X: -1}, join(path(r.c, r.d, r.h, r.g, r.a, r.b), one(build.Fwd(cut[1]))))
	flat(geom.Vec3{X: -4}, geom.Vec3{X: 1}, join(path(l.b, l.a, l.g, l.h, l.d, l.c), one(build.Rev(cut[0]))))
	cone := surface.Cone{Frame: frame(0, 20), Radius: 5, HalfAngle: math.Pi / 4}
	b.Face(cone, true, build.Chain(build.Fwd(rim[1]), build.Rev(cut[1])))
	b.Face(cone, true, build.Chain(build.Fwd(rim[0]), build.Fwd(cut[0])))
	flat(geom.Vec3{Y: -10}, geom.Vec3{Y: -1}, ring(k[0], k[1], r.f, r.a, r.g, l.g, l.a, l.f))
	flat(geom.Vec3{Y: 10}, geom.Vec3{Y: 1}, ring(k[2], k[3], l.e, l.d, l.h, r.h, r.d, r.e))
	flat(geom.Vec3{X: 20}, geom.Vec3{X: 1}, ring(k[1], k[2], r.e, r.f))
	flat(geom.Vec3{X: -20}, geom.Vec3{X: -1}, ring(k[3], k[0], l.f, l.e))
	var halves [2][2]brep.EdgeID // of the bore, below and above
	ends := [2][2]brep.VertexID{{at(3, 0, 0), at(-3, 0, 0)}, {at(3, 0, 14), at(-3, 0, 14)}}
	for i, v := range ends {
		c := curve.Circle{Frame: frame(0, float64(14*i)), Radius: 3}
		halves[i] = [2]brep.EdgeID{b.Edge(c, 0, math.Pi, v[0], v[1]), b.Edge(c, math.Pi, 2*math.Pi, v[1], v[0])}
	}
	for i := range 2 {
		b.Face(surface.Cylinder{Frame: frame(0, 0), Radius: 3}, true, build.Chain(join(one(build.Fwd(halves[1][i])),
			path(ends[1][1-i], ends[0][1-i]), one(build.Rev(halves[0][i])), path(ends[0][i], ends[1][i]))...))
	}
	flat(geom.Vec3{}, geom.Vec3{Z: -1}, ring(k[0], k[3], k[2], k[1]), []build.EdgeUse{build.Fwd(halves[0][0]),
		build.Fwd(halves[0][1])})
	flat(geom.Vec3{Z: 14}, up, ring(l.g, r.g, r.h, l.h), []build.EdgeUse{build.Rev(halves[1][1]), build.Rev(halves[1][0])})
	b.Solid()
	return b.Model()
}

// All pieces of a countersink are in its hole.
func TestPartedSinkIsOfItsHole(t *testing.T) {
	res := recognized(t, slottedSink())
	if n := len(featuretest.Only(res, feature.Chamfer)); n > 0 {
		t.Errorf("%d chamfers, want none\n%s", n, dump(res))
	}
	holes := featuretest.Only(res, feature.Hole)
	if len(holes) != 1 || len(holes[0].Regions) != 4 {
		t.Errorf("holes %v, want one of two halves of a bore and two pieces of a sink\n%s", holes, dump(res))
	}
}
