package dropcutter

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// places are points given by column, row and height.
func places(all ...[3]float64) (out []raster.Point) {
	for _, p := range all {
		out = append(out, raster.Point{U: p[0], V: p[1], Z: p[2]})
	}
	return out
}

// roof is two facets that share the side from point 0 to 1, with their other corners at the given heights.
func roof(left, right float64) scene {
	return scene{&raster.Scene{
		Points:    places([3]float64{0, 0, 0}, [3]float64{0, 4, 0}, [3]float64{-2, 2, left}, [3]float64{2, 1, right}),
		Triangles: [][3]int32{{0, 1, 2}, {1, 0, 3}}, Width: 8, Height: 8,
	}}
}

func TestRidges(t *testing.T) {
	upstanding := scene{&raster.Scene{ // an upright facet on the side, and one that hangs below it
		Points:    places([3]float64{0, 0, 0}, [3]float64{0, 4, 0}, [3]float64{0, 2, 3}, [3]float64{0, 1, -2}),
		Triangles: [][3]int32{{0, 1, 2}, {1, 0, 3}},
	}}
	hanging := scene{&raster.Scene{Points: upstanding.Points, Triangles: [][3]int32{{0, 1, 3}}}}
	for _, row := range []struct {
		name string
		s    scene
		want bool
	}{
		{"a ridge", roof(-1, -1), true},
		{"a ridge of one falling side", roof(-1, 0.5), true},
		{"flat", roof(0, 0), false},
		{"a slope that goes on", roof(-1, 1), false},
		{"a valley", roof(1, 1), false},
		{"folded over", scene{&raster.Scene{
			Points: roof(1, 1).Points, Triangles: [][3]int32{{0, 1, 2}, {0, 1, 2}},
		}}, true},
		{"under an upright facet", upstanding, false},
		{"over a hanging facet", hanging, true},
		{"a border", scene{&raster.Scene{Points: roof(1, 1).Points, Triangles: [][3]int32{{0, 1, 2}}}}, true},
	} {
		sides, corners := row.s.ridges(1)
		got := slices.ContainsFunc(sides, func(e edge) bool { return e.a == 0 && e.b == 1 })
		if got != row.want {
			t.Errorf("%s: ridge %v, want %v", row.name, got, row.want)
		}
		if row.want && (!slices.Contains(corners, 0) || !slices.Contains(corners, 1)) {
			t.Errorf("%s: the ends of the ridge are not among the corners %v", row.name, corners)
		}
	}
}

func TestEdgesAreListedOnce(t *testing.T) {
	s := roof(1, 2)
	list := s.edges()
	if len(list) != 5 {
		t.Fatalf("%d sides, want 5: %v", len(list), list)
	}
	for _, e := range list {
		want := int32(1)
		if e.a == 0 && e.b == 1 {
			want = 2
			if e.apex != [2]int32{2, 3} {
				t.Errorf("the corners beside the shared side are %v", e.apex)
			}
		}
		if e.count != want || e.a >= e.b {
			t.Errorf("side %d to %d belongs to %d triangles, want %d", e.a, e.b, e.count, want)
		}
	}
}

// TestRidgeContactMatchesSampledMaximum compares the contact with a side with the maximum of z - h over many of its
// points.
func TestRidgeContactMatchesSampledMaximum(t *testing.T) {
	tools := []*cutter{
		newCutter(toolprofile.EndMill(10, 0, 20)), newCutter(toolprofile.EndMill(10, 5, 20)),
		newCutter(toolprofile.EndMill(10, 2, 20)),
		newCutter(toolprofile.Drill(10, geom.Radians(118), 20)),
		newCutter(toolprofile.Profile{{To: geom.Vec2{X: 2, Y: 1}},
			{From: geom.Vec2{X: 2, Y: 1}, To: geom.Vec2{X: 4, Y: 9}}}),
	}
	rapid.Check(t, func(t *rapid.T) {
		tl := rapid.SampledFrom(tools).Draw(t, "tool")
		r := ridge{
			z:     rapid.Float64Range(-5, 5).Draw(t, "z"),
			rise:  rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1e-12, -50})).Draw(t, "rise"),
			off:   rapid.Float64Range(0, tl.radius).Draw(t, "off"),
			back:  -2 * tl.radius, // so long that the ends do not count
			ahead: 2 * tl.radius,
		}
		const points = 4000
		want := math.Inf(-1)
		half := math.Sqrt(tl.radius*tl.radius - r.off*r.off)
		for i := range points + 1 {
			w := half * (2*float64(i)/points - 1)
			want = max(want, r.z+r.rise*w-tl.At(min(math.Hypot(w, r.off), tl.radius)))
		}
		got := tl.over(&r, 0)
		room := 2 * half / points * (math.Abs(r.rise) + 1) // between two of the points
		const rounding = 1e-8                              // of the heights of a ball near its equator
		if !(got >= want-rounding && got <= want+room) {
			t.Fatalf("contact at %.12g, want %.12g to %.12g", got, want, want+room)
		}
	})
}

func TestReachesOnPlanes(t *testing.T) {
	for _, row := range []struct {
		name  string
		tool  toolprofile.Profile
		slope float64
		want  []float64
	}{
		{"flat on level", toolprofile.EndMill(10, 0, 20), 0, []float64{0, 5}},
		{"flat on a slope", toolprofile.EndMill(10, 0, 20), 0.1, []float64{5}},
		{"ball on 45°", toolprofile.EndMill(10, 5, 20), 1, []float64{5 / math.Sqrt2}},
		{"bull on 45°", toolprofile.EndMill(10, 2, 20), 1, []float64{3 + math.Sqrt2}},
		{"cone on less", toolprofile.Drill(10, math.Pi/2, 20), 0.5, []float64{0}},
		{"cone on as much", toolprofile.Drill(10, math.Pi/2, 20), 1, []float64{0, 5}},
		{"cone on more", toolprofile.Drill(10, math.Pi/2, 20), 2, []float64{5}},
	} {
		got := newCutter(row.tool).canReach(row.slope, nil)
		if !slices.EqualFunc(got, row.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%s: touches at %v mm, want %v", row.name, got, row.want)
		}
	}
}

// TestWallsThatLeanByRounding checks that a wall whose corners are off by rounding does not obstruct a tool that passes
// it. Its facets may face in any direction.
func TestWallsThatLeanByRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
		sin, cos := math.Sincos(angle)
		off := rapid.SampledFrom([]float64{-1e-9, -1e-13, -1e-15, 0, 1e-15, 1e-13, 1e-9})
		wall := &mesh.Mesh{Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
		for k, along := range [4]float64{0, 8, 8, 0} {
			p := geom.Vec3{X: 30 + along*cos + off.Draw(t, "x"), Y: 3 + along*sin + off.Draw(t, "y"),
				Z: float64(-20 * (1 - k/2))}
			wall.Points = append(wall.Points, p)
		}
		over, err := NewTerrain(t.Context(), wall, geom.World, primitive.OnCPU(1))
		if err != nil {
			t.Fatal(err)
		}
		const radius, gap = 10.0, 1e-5
		tool := toolprofile.Profile{{To: geom.Vec2{X: radius}},
			{From: geom.Vec2{X: radius}, To: geom.Vec2{X: radius, Y: 50}}}
		var at []geom.Vec3
		for _, side := range [2]float64{-1, 1} {
			for _, along := range []float64{-40, -9, -1, 4, 9, 17, 50} {
				d := side * radius
				if along >= 0 && along <= 8 {
					d += side * gap
				}
				at = append(at, geom.Vec3{X: 30 + along*cos - d*sin, Y: 3 + along*sin + d*cos, Z: -15})
			}
		}
		out, err := AtPoints.Run(t.Context(), primitive.OnCPU(1), PointsInput{Over: over, At: at, Tool: tool})
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range out.Z {
			if z != at[i].Z {
				t.Errorf("at %v the wall holds the tip at %g", at[i], z)
			}
		}
	})
}

func TestBallOverSphere(t *testing.T) {
	const r, n = 6.0, 200
	m := sphere(r, n)
	in := Input{
		Mesh: m, Frame: geom.World, Tool: toolprofile.EndMill(8, 4, 20),
		Grid: grid.Grid{X: -6, Y: -6, Step: 0.25, Width: 49, Height: 49},
	}
	out, err := Primitive.Run(t.Context(), primitive.OnCPU(1), in)
	if err != nil {
		t.Fatal(err)
	}
	sagitta := 2 * r * math.Pow(math.Pi/n, 2) // of the facets, in both directions
	for c, z := range out.Z {
		x, y := in.Grid.X+0.25*float64(c%49), in.Grid.Y+0.25*float64(c/49)
		want := math.Sqrt((r+4)*(r+4)-x*x-y*y) - 4
		if d := want - float64(z); !(d >= -1e-5 && d <= 2*sagitta) {
			t.Errorf("(%g, %g): %g, want %g", x, y, z, want)
		}
	}
}

// sphere makes a sphere of 2n × n facets.
func sphere(r float64, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range 2 * n {
			lat, lon := math.Pi*float64(j)/float64(n), math.Pi*float64(i)/float64(n)
			m.Points = append(m.Points, geom.Vec3{
				X: r * math.Sin(lat) * math.Cos(lon), Y: r * math.Sin(lat) * math.Sin(lon), Z: r * math.Cos(lat),
			})
		}
	}
	at := func(i, j int) int32 { return int32(j*2*n + i%(2*n)) }
	for j := range n {
		for i := range 2 * n {
			m.Triangles = append(m.Triangles,
				[3]int32{at(i, j), at(i, j+1), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i+1, j)})
		}
	}
	return m
}
