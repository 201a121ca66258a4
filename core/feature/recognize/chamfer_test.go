package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// covered is a plate of 60 x 30 x 12 with round corners and its upper edge chamfered by 2 mm, under a head that hides
// all of the edge except the right side and its two corners. The bevels are faces 8 to 15, clockwise from the right
// side.
func covered() *brep.Model {
	b := build.New("covered")
	type ring struct {
		v []brep.VertexID
		e []brep.EdgeID // from each vertex to the next, ccw from above
	}
	at := func(x, y, z, up float64) geom.Frame {
		return geom.NewFrame(geom.Vec3{X: x, Y: y, Z: z}, geom.Vec3{Z: up}, geom.Vec3{X: 1})
	}
	corners := []geom.Vec2{v2(25, 10), v2(-25, 10), v2(-25, -10), v2(25, -10)}
	rounded := func(radius, z float64) (r ring) {
		for i := range 8 {
			sin, cos := math.Sincos(float64((i+1)/2) * math.Pi / 2)
			c := corners[i/2]
			r.v = append(r.v, b.Vertex(geom.Vec3{X: c.X + radius*cos, Y: c.Y + radius*sin, Z: z}))
		}
		for i, c := range corners {
			turn := float64(i) * math.Pi / 2
			r.e = append(r.e, b.Edge(curve.Circle{Frame: at(c.X, c.Y, z, 1), Radius: radius}, turn, turn+math.Pi/2,
				r.v[2*i], r.v[2*i+1]), b.Line(r.v[2*i+1], r.v[(2*i+2)%8]))
		}
		return r
	}
	square := func(from, to geom.Vec2, z float64) (r ring) {
		for _, p := range []geom.Vec2{from, v2(to.X, from.Y), to, v2(from.X, to.Y)} {
			r.v = append(r.v, b.Vertex(geom.Vec3{X: p.X, Y: p.Y, Z: z}))
		}
		for i := range r.v {
			r.e = append(r.e, b.Line(r.v[i], r.v[(i+1)%4]))
		}
		return r
	}
	fwd := func(r ring) (uses []build.EdgeUse) {
		for _, e := range r.e {
			uses = append(uses, build.Fwd(e))
		}
		return uses
	}
	rev := func(r ring) (uses []build.EdgeUse) {
		for _, e := range slices.Backward(r.e) {
			uses = append(uses, build.Rev(e))
		}
		return uses
	}
	walls := func(low, high ring, side func(i int) surface.Surface) {
		var up []brep.EdgeID
		for i := range low.v {
			up = append(up, b.Line(low.v[i], high.v[i]))
		}
		for i := range slices.Backward(low.v) {
			b.Face(side(i), false, build.Chain(build.Fwd(low.e[i]), build.Fwd(up[(i+1)%len(up)]), build.Rev(high.e[i]),
				build.Rev(up[i])))
		}
	}
	flat := func(x, y, slope float64, i int) surface.Surface { // to the right for 0, then ccw
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		n := geom.Vec3{X: cos, Y: sin, Z: slope}
		return surface.Plane{Frame: geom.NewFrame(geom.Vec3{X: x * cos, Y: y * sin}, n, geom.Vec3{X: -sin, Y: cos})}
	}
	foot, edge, rim := rounded(5, 0), rounded(5, 10), rounded(3, 12)
	walls(foot, edge, func(i int) surface.Surface {
		if c := corners[i/2]; i%2 == 0 {
			return surface.Cylinder{Frame: at(c.X, c.Y, 0, 1), Radius: 5}
		}
		return flat(30, 15, 0, i/2+1)
	})
	walls(edge, rim, func(i int) surface.Surface {
		if c := corners[i/2]; i%2 == 0 {
			return surface.Cone{Frame: at(c.X, c.Y, 12, -1), Radius: 3, HalfAngle: math.Pi / 4}
		}
		return flat(40, 25, 1, i/2+1)
	})
	low, high := square(v2(-10, -5), v2(10, 5), 12), square(v2(-10, -5), v2(10, 5), 20)
	under, top := square(v2(-40, -25), v2(24.5, 25), 20), square(v2(-40, -25), v2(24.5, 25), 26)
	walls(low, high, func(i int) surface.Surface { return flat(10, 5, 0, i+3) })
	walls(under, top, func(i int) surface.Surface {
		if i == 1 {
			return flat(24.5, 25, 0, i+3)
		}
		return flat(40, 25, 0, i+3)
	})
	b.Face(surface.Plane{Frame: at(0, 0, 0, -1)}, false, build.Chain(rev(foot)...))
	b.Face(surface.Plane{Frame: at(0, 0, 12, 1)}, false, build.Chain(fwd(rim)...), build.Chain(rev(low)...))
	b.Face(surface.Plane{Frame: at(0, 0, 20, -1)}, false, build.Chain(rev(under)...), build.Chain(fwd(high)...))
	b.Face(surface.Plane{Frame: at(0, 0, 26, 1)}, false, build.Chain(fwd(top)...))
	b.Solid()
	return b.Model()
}

// The chamfers of an edge loop are one though no direction sees all of it, with the angle of patches that are not
// vertical to its direction.
func TestChamfersOfAHiddenRimAreOne(t *testing.T) {
	m := covered()
	meshed, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), m, meshed.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	got := featuretest.Only(run.Result, feature.Chamfer)
	if len(got) != 1 || !slices.Equal(got[0].Regions, []int{8, 9, 10, 11, 12, 13, 14, 15}) {
		t.Fatalf("chamfers %v, want one of the faces 8 to 15\n%s", got, dump(run.Result))
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sheets {
		if f, ok := sheets[i].Facts.(*feature.ChamferFacts); ok && math.Abs(f.Bevel.AngleDeg-45) > 1e-6 {
			t.Errorf("the chamfer cut along %v has an angle of %v°, want 45", got[0].Direction, f.Bevel.AngleDeg)
		}
	}
}

func TestSideOfHexagonIsNoChamferForANotchInItsEdge(t *testing.T) {
	// A hexagonal bar of side 20, 40 high, with a notch 8 deep from its top that takes most of a side there, at 30° to
	// it.
	var at []geom.Vec2
	var points []geom.Vec3
	add := func(z float64, of ...geom.Vec2) {
		for _, q := range of {
			points = append(points, geom.Vec3{X: q.X, Y: q.Y, Z: z})
		}
	}
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		at = append(at, v2(20*cos, 20*sin))
	}
	notch := []geom.Vec2{at[0].Lerp(at[1], 0.65), v2(13.5, -10.5), at[0].Lerp(at[5], 10.5/(10*math.Sqrt(3)))}
	const top, foot = 40, 32
	add(0, at...)       // 0 to 5
	add(top, notch...)  // 6 to 8
	add(foot, notch...) // 9 to 11
	add(top, at[1:]...) // 12 to 16
	add(foot, at[0])    // 17
	m := build.Polyhedron("notched hexagon", points, [][][]int{
		{{5, 4, 3, 2, 1, 0}}, {{6, 12, 13, 14, 15, 16, 8, 7}}, {{9, 10, 11, 17}},
		{{0, 1, 12, 6, 9, 17}}, {{1, 2, 13, 12}}, {{2, 3, 14, 13}}, {{3, 4, 15, 14}}, {{4, 5, 16, 15}},
		{{5, 0, 17, 11, 8, 16}},
		{{9, 6, 7, 10}}, {{10, 7, 8, 11}},
	})
	res := recognized(t, m)
	if got := featuretest.Only(res, feature.Chamfer); len(got) != 0 {
		t.Errorf("%d chamfers, want none\n%s", len(got), dump(res))
	}
}
