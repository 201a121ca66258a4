// Package verifytest provides a part with a program that makes it, programs with errors, and edits without effect, for
// tests of verification.
package verifytest

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Sizes of the part, mm: a block with a pocket with round corners, and a hole through the floor of the pocket. Its
// center is above the origin, its underside at z = 0.
const (
	halfX, halfY, height     = 30, 20, 20
	pocketX, pocketY, corner = 18, 10, 6 // half sizes
	floor                    = 10
	holeRadius               = 5
)

// The faces of the part.
const (
	Underside = iota
	Sides
	Top
	PocketWall
	PocketFloor
	HoleWall
	faces
)

// Block returns the mesh of the part, one region for each face, within chord (mm) of it: rings of points at the same
// angles, with a face between consecutive rings.
func Block(chord float64) *mesh.Mesh {
	angles := anglesOf(chord)
	rings := []func(sin, cos float64) (r, z float64){
		func(_, _ float64) (float64, float64) { return holeRadius, 0 },
		func(sin, cos float64) (float64, float64) { return along(halfX, halfY, 0, sin, cos), 0 },
		func(sin, cos float64) (float64, float64) { return along(halfX, halfY, 0, sin, cos), height },
		func(sin, cos float64) (float64, float64) { return along(pocketX, pocketY, corner, sin, cos), height },
		func(sin, cos float64) (float64, float64) { return along(pocketX, pocketY, corner, sin, cos), floor },
		func(_, _ float64) (float64, float64) { return holeRadius, floor },
	}
	m := &mesh.Mesh{}
	for _, ring := range rings {
		for _, a := range angles {
			sin, cos := math.Sincos(a)
			r, z := ring(sin, cos)
			m.Points = append(m.Points, geom.Vec3{X: r * cos, Y: r * sin, Z: z})
		}
	}
	n := len(angles)
	at := func(ring, i int) int32 { return int32(ring%len(rings)*n + i%n) }
	for ring := range rings {
		region := mesh.Region{Start: int32(len(m.Triangles))}
		for i := range n {
			m.Triangles = append(m.Triangles,
				[3]int32{at(ring, i), at(ring+1, i+1), at(ring+1, i)},
				[3]int32{at(ring, i), at(ring, i+1), at(ring+1, i+1)})
		}
		region.End = int32(len(m.Triangles))
		m.Regions = append(m.Regions, region)
	}
	if m.Volume() < 0 {
		for i := range m.Triangles {
			t := &m.Triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	return m
}

// along returns the distance in a direction from the middle of a rectangle of half sizes a and b, whose corners are
// rounded by r, to its outline.
func along(a, b, r, sin, cos float64) float64 {
	x, y := math.Abs(cos), math.Abs(sin)
	t := min(a/max(x, math.SmallestNonzeroFloat64), b/max(y, math.SmallestNonzeroFloat64))
	if r == 0 || t*x <= a-r || t*y <= b-r {
		return t
	}
	along, off := x*(a-r)+y*(b-r), x*(b-r)-y*(a-r) // of the center of the corner
	return along + math.Sqrt(max(r*r-off*off, 0))
}

// anglesOf returns directions, ascending, so that all corners of the outlines lie in one and arcs deviate by chord.
func anglesOf(chord float64) (out []float64) {
	quarter := []float64{0, math.Atan2(halfY, halfX)}
	n := math.Ceil(math.Pi / 4 / math.Acos(1-chord/corner))
	for i := range int(n) + 1 { // the arc of the pocket's corner, seen from the middle
		sin, cos := math.Sincos(math.Pi / 2 * float64(i) / n)
		quarter = append(quarter, math.Atan2(pocketY-corner+corner*sin, pocketX-corner+corner*cos))
	}
	n = math.Ceil(math.Pi / 4 / math.Acos(1-chord/holeRadius))
	for i := range int(n) + 1 {
		quarter = append(quarter, math.Pi/2*float64(i)/n)
	}
	for turn := range 4 {
		for _, a := range quarter {
			if turn%2 == 1 {
				a = math.Pi/2 - a
			}
			out = append(out, math.Mod(float64(turn)*math.Pi/2+a, 2*math.Pi))
		}
	}
	return distinct(out)
}
