// Package finishing judges finishing passes by the material that they leave on a part. It sweeps the tool on
// its own.
package finishing

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Shape is a surface to finish.
type Shape struct {
	Name      string
	Mesh      *mesh.Mesh
	Low, High geom.Vec2 // mm, the rectangle to finish
	Flats     bool      // level faces are finished too
}

// Shapes returns surfaces with known curvature on meshes of a chord (mm).
func Shapes(chord float64) []Shape {
	square := func(name string, side float64, parts ...*mesh.Mesh) Shape {
		m := &mesh.Mesh{}
		for _, p := range parts {
			first := int32(len(m.Points))
			m.Points = append(m.Points, p.Points...)
			for _, t := range p.Triangles {
				m.Triangles = append(m.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
			}
		}
		half := side / 2
		return Shape{name, m, geom.Vec2{X: -half, Y: -half}, geom.Vec2{X: half, Y: half}, true}
	}
	facet := func(radius float64) float64 { return math.Sqrt(8 * radius * chord) }
	level := func(side float64) *mesh.Mesh {
		return patch(1, 1, func(u, v float64) geom.Vec3 { return geom.Vec3{X: side * (u - .5), Y: side * (v - .5)} })
	}
	const sphere, ring, tube, bend = 15.0, 13.0, 6.0, 30.0 // mm, radii
	out := []Shape{
		square("hemisphere", 40, level(48), patch(pieces(2*math.Pi*sphere, facet(sphere)),
			pieces(math.Pi/2*sphere, facet(sphere)), func(u, v float64) geom.Vec3 {
				return turned(sphere*math.Sin(v*math.Pi/2), sphere*math.Cos(v*math.Pi/2), u)
			})),
		square("torus", 42, level(50), patch(pieces(2*math.Pi*(ring+tube), facet(ring+tube)),
			pieces(math.Pi*tube, facet(tube)), func(u, v float64) geom.Vec3 {
				return turned(ring+tube*math.Cos(math.Pi*v), tube*math.Sin(math.Pi*v), u)
			})),
		square("saddle", 40, patch(pieces(46, facet(bend/2)), pieces(46, facet(bend/2)), func(u, v float64) geom.Vec3 {
			x, y := 46*(u-.5), 46*(v-.5)
			return geom.Vec3{X: x, Y: y, Z: (x*x - y*y) / (2 * bend)}
		})),
	}
	for _, slope := range []float64{30, 60} {
		const rim = 14.0
		high := min(rim*math.Tan(geom.Radians(slope)), 15)
		top := rim - high/math.Tan(geom.Radians(slope))
		name := map[float64]string{30: "cone 30", 60: "cone 60"}[slope]
		n := pieces(2*math.Pi*rim, facet(rim))
		side := patch(n, 1, func(u, v float64) geom.Vec3 { return turned(rim+(top-rim)*v, high*v, u) })
		lid := patch(n, 1, func(u, v float64) geom.Vec3 { return turned(top*(1-v), high, u) })
		out = append(out, square(name, 36, level(44), side, lid))
	}
	for _, slope := range []float64{20, 45, 70, 85} {
		t := math.Tan(geom.Radians(slope))
		half := min(20, 20/t) / 2
		z := func(x float64) float64 { return t * (min(max(x, -half), half) + half) }
		xs := []float64{-25, -half, half, 25}
		name := map[float64]string{20: "plane 20", 45: "plane 45", 70: "plane 70", 85: "plane 85"}[slope]
		out = append(out, square(name, 30, patch(3, 1, func(u, v float64) geom.Vec3 {
			x := xs[int(math.Round(3*u))]
			return geom.Vec3{X: x, Y: 44 * (v - .5), Z: z(x)}
		})))
	}
	return out
}

func pieces(length, facet float64) int { return max(int(math.Ceil(length/facet)), 1) }

// turned returns a point at a distance from the Z axis, turned about it by a share of a full turn.
func turned(distance, z, share float64) geom.Vec3 {
	sin, cos := math.Sincos(2 * math.Pi * share)
	return geom.Vec3{X: distance * cos, Y: distance * sin, Z: z}
}

// patch returns a mesh of n × m pieces of a surface over the unit square.
func patch(n, m int, at func(u, v float64) geom.Vec3) *mesh.Mesh {
	out := &mesh.Mesh{}
	for j := range m + 1 {
		for i := range n + 1 {
			out.Points = append(out.Points, at(float64(i)/float64(n), float64(j)/float64(m)))
		}
	}
	for j := range m {
		for i := range n {
			k := int32(j*(n+1) + i)
			up := k + int32(n) + 1
			out.Triangles = append(out.Triangles, [3]int32{k, k + 1, up + 1}, [3]int32{k, up + 1, up})
		}
	}
	return out
}
