package kernels

import (
	"math"

	"millwright/core/geom"
	"millwright/core/mesh"
)

// knot returns a closed mesh of about so many triangles that hides much of itself from everywhere: a corrugated
// tube along a trefoil knot, some 70 mm across.
func knot(triangles int) *mesh.Mesh {
	around := max(int(math.Sqrt(float64(triangles)/12)), 3)
	along := max(triangles/(2*around), 8)
	m := &mesh.Mesh{}
	path := func(t float64) geom.Vec3 {
		return geom.Vec3{X: 10 * (math.Sin(t) + 2*math.Sin(2*t)), Y: 10 * (math.Cos(t) - 2*math.Cos(2*t)), Z: -10 * math.Sin(3*t)}
	}
	const step = 1e-4
	for i := range along {
		t := 2 * math.Pi * float64(i) / float64(along)
		p := path(t)
		f := geom.NewFrame(p, path(t+step).Sub(path(t-step)), geom.Vec3{Z: 1})
		for j := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			r := 5 + 0.6*math.Sin(24*t)
			m.Points = append(m.Points, p.AddScaled(r*cos, f.X).AddScaled(r*sin, f.Y))
		}
	}
	at := func(i, j int) int32 { return int32(i%along*around + j%around) }
	for i := range along {
		for j := range around {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			m.Triangles = append(m.Triangles, [3]int32{a, c, b}, [3]int32{a, d, c})
		}
	}
	return m
}

// sphere returns n unit vectors spread evenly, along a spiral from pole to pole.
func sphere(n int) []geom.Vec3 {
	golden := math.Pi * (3 - math.Sqrt(5)) // rad
	out := make([]geom.Vec3, n)
	for i := range out {
		z := 1 - (2*float64(i)+1)/float64(n)
		sin, cos := math.Sincos(golden * float64(i))
		r := math.Sqrt(1 - z*z)
		out[i] = geom.Vec3{X: r * cos, Y: r * sin, Z: z}
	}
	return out
}
