package trim

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// wound draws a slit of a width (rad) along a helix of a pitch between two heights, clockwise as a hole.
func wound(from, width, lo, hi, pitch float64, n int) []geom.Vec2 {
	side := func(shift float64) []geom.Vec2 {
		var uvs []geom.Vec2
		for k := range n + 1 {
			v := lo + (hi-lo)*float64(k)/float64(n)
			uvs = append(uvs, geom.Vec2{X: from + shift + 2*math.Pi*(v-lo)/pitch, Y: v})
		}
		return uvs
	}
	uvs := append(side(0), reversed(side(width))...)
	return append(uvs, uvs[0])
}

// TestCutsAlongHelices cuts threads into a cylinder face. The rest of the face winds around with them.
func TestCutsAlongHelices(t *testing.T) {
	const height, turns, width, n = 10.0, 40, 2.5, 800
	plain, end := wave(1, 0, 0, 40, 1), wave(1, height, 0, 40, -1)
	const pitch = 8.0 / turns
	slit := width * 8 // from 1 to 9
	groove := func(from, width float64) []geom.Vec2 {
		return fluted(width, 8, n, func(v float64) float64 { return from + 2*math.Pi*v/pitch })
	}
	// dense has many more points where a groove ends.
	dense := func(uvs []geom.Vec2) []geom.Vec2 {
		at := n + 2
		return slices.Insert(slices.Clone(uvs), at, line(uvs[at-1], uvs[at], 2*n)[1:2*n]...)
	}
	for _, row := range []struct {
		name   string
		loops  [][]geom.Vec2
		cut    float64
		turned int
	}{
		{"one thread", [][]geom.Vec2{plain, end, wound(0.3, width, 1, 9, pitch, n)}, slit, 0},
		{"of a turn and a half", [][]geom.Vec2{plain, end, wound(0.3, width, 1, 9, 16.0/3, 60)}, slit, 0},
		{"left-handed", [][]geom.Vec2{plain, end, wound(0.3, -width, 9, 1, -pitch, n)}, slit, 0},
		{"two starts", [][]geom.Vec2{plain, end, wound(0.3, width, 1, 9, pitch, n), wound(3.4, width, 1, 9, pitch, n)},
			2 * slit, 0},
		{"two threads one above the other",
			[][]geom.Vec2{plain, end, wound(0.3, width, 1, 4.5, pitch, n), wound(3.4, width, 5, 9, pitch, n)},
			7.5 * width, 0},
		{"run out at one end", [][]geom.Vec2{groove(0, width), end}, slit, 0},
		{"fine, run out at the other end", [][]geom.Vec2{plain, raised(reversed(fluted(width, -3, n,
			func(v float64) float64 { return 3.4 + 2*math.Pi*v/0.05 })), height)}, 3 * width, 0},
		{"and a short one from the other", [][]geom.Vec2{groove(0, width), raised(reversed(fluted(width, -6, n,
			func(v float64) float64 { return 3.4 + 2*math.Pi*(v+height)/pitch })), height)}, 14 * width, 0},
		{"deep from one end, shallow from the other", [][]geom.Vec2{
			fluted(width, 9.5, n, func(v float64) float64 { return 2 * math.Pi * v / pitch }), end}, 9.5 * width, 0},
		{"both with many points at their end", [][]geom.Vec2{dense(groove(0, width)), dense(raised(reversed(
			fluted(width, -6, n, func(v float64) float64 { return 3.4 + 2*math.Pi*(v+height)/pitch })), height))},
			14 * width, 0},
		{"the wrong way round", [][]geom.Vec2{plain, end, reversed(wound(0.3, width, 1, 9, pitch, n))}, slit, 1},
		{"with a hole in the land",
			[][]geom.Vec2{plain, end, wound(0.3, width, 1, 9, pitch, n), round(4.4, 3, -0.02, 12)},
			slit + polygonArea(0.02, 12), 0},
	} {
		for _, isReversed := range []bool{false, true} {
			checkBuilt(t, row.name, draw(t, unitCylinder, isReversed, row.loops...),
				2*math.Pi*height-row.cut, row.turned)
		}
	}
}

// A thread on the point of a screw ends before a pole.
func TestCutsAlongHelicesToThePole(t *testing.T) {
	const width, n = 2.0, 600
	cone := surface.Cone{Frame: geom.World, Radius: 10, HalfAngle: -math.Pi / 4}
	at := cone.Singularities()[0].Param
	d := draw(t, cone, false, wave(1, 0, 0, 40, 1), wound(0.3, width, 1, 6, 0.25, n))
	checkBuilt(t, "cone", d, 2*math.Pi*at-5*width, 0)
}
