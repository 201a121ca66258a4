package tessellate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestDiameterOfKnownParts(t *testing.T) {
	cases := []struct {
		name  string
		model *brep.Model
		want  float64
	}{
		{"nothing", &brep.Model{}, 0},
		{"box: its diagonal", build.Box(geom.Vec3{X: 2, Y: 3, Z: 6}), 7},
		{"rod: the diagonal of its section", build.Cylinder(3, 8, build.Style{}), 10},
		{"sphere without edges", build.Sphere(2, build.Style{Seams: build.Rings}), 4},
		{"sphere with a seam", build.Sphere(2, build.Style{Seams: build.SeamEdge, Poles: build.PoleEdge}), 4},
		{"torus", build.Torus(5, 2, build.TorusSeams), 14},
		{"cone: the rim is farther than the tip", build.Frustum(4, 0, 1, build.Style{}), 8},
		{"slender cone", build.Frustum(3, 0, 4, build.Style{}), 2 * (9.0 + 16) / (2 * 4)},
	}
	for _, c := range cases {
		if got := diameter(c.model); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g mm, want %g", c.name, got, c.want)
		}
	}
}

// TestSmallestBall checks that all points are in the ball, and that no smaller one contains them because the points on
// it surround its center: in every direction from the center, a shift would lose a point.
func TestSmallestBall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1, 1)
		m := &brep.Model{Vertices: make([]brep.Vertex, rapid.IntRange(1, 30).Draw(t, "points"))}
		flat := rapid.SampledFrom([]float64{1, 1e-3, 0}).Draw(t, "flat")
		for i := range m.Vertices {
			x, y, z := number.Draw(t, "x"), number.Draw(t, "y"), flat*number.Draw(t, "z")
			m.Vertices[i].Point = geom.Vec3{X: x, Y: y, Z: z}
		}
		b := smallestBall(places(m))
		radius := math.Sqrt(b.radius2)
		const flattest = 1e-7 // points so near to a line are taken for a line
		for i := range m.Vertices {
			if d := m.Vertices[i].Point.Dist(b.center); d > radius*(1+flattest) {
				t.Errorf("point %d is %g from the centre of a ball of radius %g", i, d, radius)
			}
		}
		way := geom.Vec3{X: number.Draw(t, "wx"), Y: number.Draw(t, "wy"), Z: number.Draw(t, "wz")}
		behind := math.Inf(1)
		for _, p := range b.on[:b.n] {
			behind = min(behind, p.Sub(b.center).Dot(way))
		}
		if behind > 1e-6*radius {
			t.Errorf("all %d points on the ball are on the side %v of its centre: a smaller one holds them", b.n, way)
		}
	})
}

// TestDiameterStaysUnderMotion checks that a moved part has the same size within rounding.
func TestDiameterStaysUnderMotion(t *testing.T) {
	all := solids()
	rapid.Check(t, func(t *rapid.T) {
		s := all[rapid.IntRange(0, len(all)-1).Draw(t, "solid")]
		number := rapid.Float64Range(-1, 1)
		axis := geom.Vec3{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: 1.1}
		move := geom.Translation(geom.Vec3{X: 300 * number.Draw(t, "dx"), Y: 7}).
			Mul(geom.Rotation(axis, 3*number.Draw(t, "angle")))
		moved := &brep.Model{}
		moved.Append(s.model, move)
		if a, b := diameter(s.model), diameter(moved); math.Abs(a-b) > 1e-9*a {
			t.Errorf("%s: %.12g mm, %.12g after the motion", s.name, a, b)
		}
	})
}
