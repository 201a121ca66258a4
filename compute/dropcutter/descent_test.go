package dropcutter_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// A drop begins at the contact of the drop before. The height does not depend on that one, to the last bit.
func TestDropsDoNotDependOnTheirOrder(t *testing.T) {
	held := slices.Concat(toolprofile.EndMill(3, 1.5, 6), toolprofile.Profile{
		{From: geom.Vec2{X: 1.5, Y: 6}, To: geom.Vec2{X: 4, Y: 6}}, {From: geom.Vec2{X: 4, Y: 6}, To: geom.Vec2{X: 4, Y: 20}},
	})
	for name, tool := range map[string]toolprofile.Profile{
		"ball": toolprofile.EndMill(6, 3, 20), "bull nose": toolprofile.EndMill(6, 1, 20),
		"flat": toolprofile.EndMill(6, 0, 20), "drill": toolprofile.Drill(6, geom.Radians(118), 20), "with a holder": held,
	} {
		over, err := dropcutter.NewTerrain(t.Context(), solids.Hills(40), geom.World, primitive.OnCPU(1))
		if err != nil {
			t.Fatal(err)
		}
		at := make([]geom.Vec3, 2000)
		for i := range at {
			at[i] = geom.Vec3{X: 100 * math.Mod(float64(i)*0.618034, 1), Y: 100 * float64(i) / 2000, Z: math.Inf(-1)}
		}
		drop := func(at []geom.Vec3) []float64 {
			in := dropcutter.PointsInput{Over: over, At: at, Tool: tool}
			out, err := dropcutter.AtPoints.Run(t.Context(), primitive.OnCPU(1), in)
			if err != nil {
				t.Fatal(err)
			}
			return out.Z
		}
		batch := drop(at)
		for i := 0; i < len(at); i += 7 {
			if alone := drop(at[i : i+1])[0]; alone != batch[i] {
				t.Errorf("%s: place %d: %v alone, %v after others", name, i, alone, batch[i])
			}
		}
	}
}

// Triangles without area, as at the tip of a cone, hide no side.
func TestTrianglesWithoutArea(t *testing.T) {
	const sides, radius, height, ball = 263, 14.0, 8.1, 3.0
	const rounding = 1e-15 // mm
	m := &mesh.Mesh{}
	for i := range int32(sides) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		rim, next := 2*i, 2*((i+1)%sides)
		m.Points = append(m.Points, geom.Vec3{X: radius * cos, Y: radius * sin},
			geom.Vec3{X: rounding * cos, Y: rounding * sin, Z: height})
		m.Triangles = append(m.Triangles, [3]int32{rim, next, next + 1}, [3]int32{rim, next + 1, rim + 1})
	}
	over, err := dropcutter.NewTerrain(t.Context(), m, geom.World, primitive.OnCPU(1))
	if err != nil {
		t.Fatal(err)
	}
	in := dropcutter.PointsInput{Over: over, Tool: toolprofile.EndMill(2*ball, ball, 20)}
	for i := range sides { // straight outward over each side, the ball touches the line from the tip to the corner
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		in.At = append(in.At, geom.Vec3{X: 6 * cos, Y: 6 * sin, Z: math.Inf(-1)})
	}
	out, err := dropcutter.AtPoints.Run(t.Context(), primitive.OnCPU(1), in)
	if err != nil {
		t.Fatal(err)
	}
	want := height*(radius-6)/radius + ball*(math.Hypot(1, height/radius)-1)
	for i, z := range out.Z {
		if math.Abs(z-want) > 1e-6 {
			t.Errorf("over side %d the tip is at %.6f mm, want %.6f", i, z, want)
		}
	}
}
