package catiatest

import (
	"encoding/binary"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Record writes the kind of a surface ('2' … '8') with its parameters.
func Record(kind byte, params ...float64) []byte {
	out := []byte{'3', kind}
	for _, x := range params {
		out = binary.BigEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	return out
}

// Patch is the face with the points p(u, v) and the normals n(u, v) over a rectangle of parameters, divided into nu ×
// nv cells. Du × Dv must point out of the material.
func Patch(p, n func(u, v float64) geom.Vec3, u, v geom.Interval, nu, nv int, record []byte) Face {
	f := Face{Record: record}
	box := geom.EmptyBox()
	for j := range nv + 1 {
		for i := range nu + 1 {
			x, y := u.At(float64(i)/float64(nu)), v.At(float64(j)/float64(nv))
			f.Points, f.Normals = append(f.Points, single(p(x, y))), append(f.Normals, n(x, y))
			box = box.Add(p(x, y))
		}
	}
	const fine = 32 // samples of the box
	for i := range fine + 1 {
		for j := range fine + 1 {
			box = box.Add(p(u.At(float64(i)/fine), v.At(float64(j)/fine)))
		}
	}
	f.Low, f.High = box.Min, box.Max
	for j := range nv {
		var strip []int
		for i := range nu + 1 {
			strip = append(strip, (j+1)*(nu+1)+i, j*(nu+1)+i)
		}
		f.Strips = append(f.Strips, strip)
	}
	return f
}

// single rounds to the single precision of a file, and the rounding error of a sine to zero.
func single(p geom.Vec3) geom.Vec3 {
	const none = 1e-12
	round := func(x float64) float64 {
		if math.Abs(x) < none {
			return 0
		}
		return float64(float32(x))
	}
	return geom.Vec3{X: round(p.X), Y: round(p.Y), Z: round(p.Z)}
}

// Flat is a plane face of strips over points.
func Flat(normal geom.Vec3, points []geom.Vec3, strips ...[]int) Face {
	f := Face{Normals: []geom.Vec3{normal}, Strips: strips, Record: Record('2')}
	for _, p := range points {
		f.Points = append(f.Points, single(p))
	}
	box := geom.BoxOf(points...)
	f.Low, f.High = box.Min, box.Max
	return f
}

// round returns the point at radius r, angle a (rad) and height z in cylindrical coordinates.
func round(r, a, z float64) geom.Vec3 { return geom.Vec3{X: r * math.Cos(a), Y: r * math.Sin(a), Z: z} }

// halves calls add for both half turns of a full turn.
func halves(add func(geom.Interval)) {
	add(geom.Interval{Hi: math.Pi})
	add(geom.Interval{Lo: math.Pi, Hi: 2 * math.Pi})
}

// sagOf is the sag of a full turn of radius r in 2n chords.
func sagOf(r float64, n int) float64 { return r * (1 - math.Cos(math.Pi/float64(2*n))) }

// DrilledBox is a box of the given half size about the origin with a hole of radius r along z, of 2n steps, n even.
func DrilledBox(half geom.Vec3, r float64, n int) Body {
	b := Body{Sag: sagOf(r, n)}
	corner := func(i int, z float64) geom.Vec3 {
		x, y := half.X, half.Y
		if i %= 4; i == 1 || i == 2 {
			x = -x
		}
		if i >= 2 {
			y = -y
		}
		return geom.Vec3{X: x, Y: y, Z: z}
	}
	for i := range 4 {
		a, c := corner(i, half.Z), corner(i+1, half.Z)
		down := geom.Vec3{Z: -2 * half.Z}
		normal := c.Sub(a).Cross(geom.World.Z).Unit()
		b.Faces = append(b.Faces, Flat(normal, []geom.Vec3{a, a.Add(down), c, c.Add(down)}, []int{0, 1, 2, 3}))
	}
	for _, side := range []float64{1, -1} {
		z := side * half.Z
		var points []geom.Vec3
		for i := range 4 {
			points = append(points, corner(i, z))
		}
		for k := range 2 * n {
			points = append(points, single(round(r, math.Pi*float64(k)/float64(n), z)))
		}
		var strips [][]int
		at := func(k int) int { return 4 + k%(2*n) }
		triangle := func(x, y, w int) {
			if side < 0 {
				x, y = y, x
			}
			strips = append(strips, []int{x, y, w})
		}
		for i := range 4 {
			for k := i * n / 2; k < (i+1)*n/2; k++ {
				triangle(i, at(k+1), at(k))
			}
			triangle(i, (i+1)%4, at((i+1)*n/2))
		}
		b.Faces = append(b.Faces, Flat(geom.Vec3{Z: side}, points, strips...))
	}
	halves(func(u geom.Interval) { // as seen from the axis
		b.Faces = append(b.Faces, Patch(
			func(a, z float64) geom.Vec3 { return round(r, -a, z) },
			func(a, z float64) geom.Vec3 { return round(-1, -a, 0) },
			u, geom.Interval{Lo: -half.Z, Hi: half.Z}, n, 1, Record('3', 0, 0, 0, 0, 0, r)))
	})
	return b
}

// Frustum is a cone about z from radius r at z = 0 to zero at z = apex, cut at z = h, of 2n steps.
func Frustum(r, apex, h float64, n int) Body {
	b := Body{Sag: sagOf(r, n)}
	slope := math.Atan2(r, apex)
	at := func(z float64) float64 { return r * (1 - z/apex) }
	halves(func(u geom.Interval) {
		b.Faces = append(b.Faces, Patch(
			func(a, z float64) geom.Vec3 { return round(at(z), a, z) },
			func(a, z float64) geom.Vec3 { return round(math.Cos(slope), a, math.Sin(slope)) },
			u, geom.Interval{Hi: h}, n, 1, Record('4', 0, 0, apex, 0, 0, slope)))
	})
	for _, z := range []float64{0, h} {
		points := []geom.Vec3{{Z: z}}
		normal := geom.Vec3{Z: 1}
		var strips [][]int
		for k := range 2 * n {
			points = append(points, round(at(z), math.Pi*float64(k)/float64(n), z))
			s := []int{0, 1 + k, 1 + (k+1)%(2*n)}
			if z == 0 {
				s[1], s[2] = s[2], s[1]
				normal.Z = -1
			}
			strips = append(strips, s)
		}
		b.Faces = append(b.Faces, Flat(normal, points, strips...))
	}
	return b
}

// Ring is a torus about z in four faces, of 2n steps around and 2n around its tube.
func Ring(major, minor float64, n int) Body {
	b := Body{Sag: sagOf(major+minor, n)}
	halves(func(u geom.Interval) {
		halves(func(v geom.Interval) {
			b.Faces = append(b.Faces, Patch(
				func(a, c float64) geom.Vec3 { return round(major+minor*math.Cos(c), a, minor*math.Sin(c)) },
				func(a, c float64) geom.Vec3 { return round(math.Cos(c), a, math.Sin(c)) },
				u, v, n, n, Record('8', 0, 0, 0, 0, 0, major, minor)))
		})
	})
	return b
}

// Ball is a sphere in two faces.
func Ball(r float64, n int) Body {
	b := Body{Sag: sagOf(r, n)}
	halves(func(u geom.Interval) {
		b.Faces = append(b.Faces, Patch(
			func(a, c float64) geom.Vec3 { return round(r*math.Cos(c), a, r*math.Sin(c)) },
			func(a, c float64) geom.Vec3 { return round(math.Cos(c), a, math.Sin(c)) },
			u, geom.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}, n, n, Record('5', 0, 0, 0, r)))
	})
	return b
}
