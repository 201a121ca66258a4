package pipeline_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// vase returns a body of triangles about z: a wall, a bottom and a top. The surface or the normals of the wall may be
// stated.
func vase(t *testing.T, radius func(z float64) float64, carrier surface.Surface, hasNormals bool) *brep.Model {
	t.Helper()
	const n, rings, height = 24, 7, 30
	var points, normals []geom.Vec3
	var wall, bottom, top [][3]int32
	for i := range rings {
		z := height * float64(i) / (rings - 1)
		for k := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
			points = append(points, geom.Vec3{X: radius(z) * cos, Y: radius(z) * sin, Z: z})
			if hasNormals {
				normals = append(normals, geom.Vec3{X: cos, Y: sin})
			}
		}
	}
	for i := range int32(rings - 1) {
		for k := range int32(n) {
			a, b := i*n+k, i*n+(k+1)%n
			wall = append(wall, [3]int32{a, b, b + n}, [3]int32{a, b + n, a + n})
		}
	}
	for k := range int32(n - 2) {
		bottom = append(bottom, [3]int32{0, k + 2, k + 1})
		top = append(top, [3]int32{(rings - 1) * n, (rings-1)*n + k + 1, (rings-1)*n + k + 2})
	}
	m := &brep.Model{Name: "vase", Tolerance: geom.DefaultTolerance}
	err := faceted.Append(t.Context(), m, faceted.Body{Solid: true, Faces: []faceted.Face{
		{Points: points, Normals: normals, Triangles: wall, Carrier: carrier},
		{Points: points, Triangles: bottom}, {Points: points, Triangles: top},
	}}, m.Tolerance.Length)
	if err != nil {
		t.Fatal(err)
	}
	m.Link()
	return m
}

// TestUnknownSurfacesGiveWarning checks that the warning is only for triangles without a stated or fitted surface.
func TestUnknownSurfacesGiveWarning(t *testing.T) {
	wavy := func(z float64) float64 { return 10 + 2*math.Sin(z/4) }
	round := func(float64) float64 { return 10 }
	cylinder := surface.Cylinder{Frame: geom.World, Radius: 10}
	for _, c := range []struct {
		name  string
		model *brep.Model
		want  string
	}{
		{"wavy", vase(t, wavy, nil, false),
			"The surface of 1 of the 3 faces (72.9 % of the area) is known by triangles only: " +
				"holes, fillets and chamfers there may be missed."},
		{"round", vase(t, round, cylinder, false), ""},
		{"round, which normals tell", vase(t, round, nil, true), ""},
	} {
		got := ""
		for _, w := range analysis(t, c.model).Warnings {
			if w.Code == "unknown_surface" {
				got += w.Message
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
