package tessellate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// quadratic is the height between the corners of a triangle at barycentric coordinates x, y, 1-x-y.
func quadratic(h [3]float64, x, y float64) float64 {
	z := 1 - x - y
	return 4 * (h[0]*x*y + h[1]*y*z + h[2]*z*x)
}

func TestPeakOfAQuadratic(t *testing.T) {
	cases := []struct {
		name    string
		heights [3]float64
		want    float64
	}{
		{"alike: four thirds at the centroid", [3]float64{3, 3, 3}, 4},
		{"alike on the other side", [3]float64{-3, -3, -3}, 4},
		{"flat", [3]float64{}, 0},
		{"bent along one side: highest there", [3]float64{4, 1, 1}, 0},
		{"a saddle, lower than its sides", [3]float64{1, -1, 0.5}, 0.4706},
		{"between a long side and a shorter", [3]float64{0.96, 0.94, 0.215}, 1.0074},
	}
	for _, c := range cases {
		const accuracy = 1e-4 // of the digits written above
		if got := peak(c.heights); math.Abs(got-c.want) > accuracy {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
		h := c.heights
		for range 3 {
			h[0], h[1], h[2] = h[1], h[2], h[0]
			if got := peak(h); math.Abs(got-c.want) > accuracy {
				t.Errorf("%s: %g with the corners in another order, want %g", c.name, got, c.want)
			}
		}
	}
}

// TestPeakIsTheLargest compares with the heights on a grid: nothing is higher than the peak or the middle of
// a side, and the peak is reached.
func TestPeakIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1, 1)
		h := [3]float64{number.Draw(t, "a"), number.Draw(t, "b"), number.Draw(t, "c")}
		got := peak(h)
		bound := max(got, math.Abs(h[0]), math.Abs(h[1]), math.Abs(h[2]))
		const n = 60
		most := 0.0
		for i := range n + 1 {
			for j := range n + 1 - i {
				most = max(most, math.Abs(quadratic(h, float64(i)/n, float64(j)/n)))
			}
		}
		const between = 4.0 / (n * n) // error of the grid for a quadratic with second derivatives of at most 8
		if most > bound+1e-12 || most < bound-between {
			t.Errorf("highest of %v at %g on the grid, want %g", h, most, bound)
		}
	})
}

// TestHeightOverAnalyticSurfaces checks that the sign distinguishes inside from outside, and that the gap is the
// distance of the surface's closest point.
func TestHeightOverAnalyticSurfaces(t *testing.T) {
	surfaces := []struct {
		name   string
		surf   surface.Surface
		inside geom.Vec3
	}{
		{"plane", surface.Plane{Frame: geom.World}, geom.Vec3{X: 3, Y: 1, Z: -2}},
		{"cylinder", surface.Cylinder{Frame: geom.World, Radius: 4}, geom.Vec3{X: 1, Y: 1, Z: 7}},
		{"cone", surface.Cone{Frame: geom.World, Radius: 4, HalfAngle: 0.4}, geom.Vec3{X: 1, Y: 1, Z: 2}},
		{"sphere", surface.Sphere{Frame: geom.World, Radius: 4}, geom.Vec3{X: 1, Y: 1, Z: 2}},
		{"torus", surface.Torus{Frame: geom.World, Major: 9, Minor: 2}, geom.Vec3{X: 8, Y: 1, Z: 1}},
		{"spindle", surface.Torus{Frame: geom.World, Major: 1, Minor: 4}, geom.Vec3{X: 2, Y: 1, Z: 1}},
	}
	for _, c := range surfaces {
		t.Run(c.name, func(t *testing.T) {
			var s shape
			s.set(c.surf)
			if h := s.height(c.inside); h >= 0 {
				t.Errorf("height %g at %v inside", h, c.inside)
			}
			rapid.Check(t, func(t *rapid.T) {
				number := rapid.Float64Range(-12, 12)
				p := geom.Vec3{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z")}
				_, want := c.surf.Invert(p)
				if got := s.gap(p); got > want+1e-9 || math.Abs(s.height(p)) != got {
					t.Errorf("%v: gap %g, height %g, the closest point is %g away", p, got, s.height(p), want)
				}
			})
		})
	}
}

// TestTrianglesNextToCoarseBoundary checks triangles at a boundary side that uses up the tolerance. Without special
// treatment, the inside of such a triangle would be farther off than its sides and its centroid.
func TestTrianglesNextToCoarseBoundary(t *testing.T) {
	knob := func(r, h, f float64) []build.Corner {
		return []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: r}},
			{P: geom.Vec2{X: r, Y: h - f}, Bulge: build.Bulge(math.Pi / 2)}, {P: geom.Vec2{X: r - f, Y: h}},
			{P: geom.Vec2{Y: h}}}
	}
	for _, c := range []struct{ radius, height, fillet float64 }{
		{math.Exp(0.06333541870117188), math.Exp(-0.55224609375), 0.9 * math.Exp(-0.55224609375)},
		{1.2798, 0.97, 0.873}, {10, 5, 4.5}, {50, 20, 18},
	} {
		m := build.Revolve("knob", geom.World, knob(c.radius, c.height, c.fillet), build.Style{Seams: build.Rings})
		for _, share := range []float64{1.2, 0.1, 0.04} { // of the tenth of the fillet
			res := mustMesh(t, m, Options{ChordTolerance: share * c.fillet / 10})
			if gap, _ := deviation(m, res); gap > res.ChordTolerance {
				t.Errorf("%+v: %g mm off, want at most %g", c, gap, res.ChordTolerance)
			}
		}
	}
}
