package faceted

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// TestDividedSides moves corners of one face into the sides of its neighbors: gaps within the slack close.
func TestDividedSides(t *testing.T) {
	whole := func() []Face { return boxFaces(geom.Vec3{}, geom.Vec3{X: 4, Y: 4, Z: 4}) }
	// fan replaces a face by a fan of triangles over its corners with further points along its sides.
	fan := func(f *Face, along func(a, b geom.Vec3) []geom.Vec3) {
		var ring []geom.Vec3
		corner := f.Points // in their order around
		for i, a := range corner {
			ring = append(append(ring, a), along(a, corner[(i+1)%len(corner)])...)
		}
		center := geom.BoxOf(corner...).Center()
		f.Points, f.Triangles = append([]geom.Vec3{center}, ring...), nil
		for i := range ring {
			f.Triangles = append(f.Triangles, [3]int32{0, int32(1 + i), int32(1 + (i+1)%len(ring))})
		}
	}
	at := func(off float64, shares ...float64) func(a, b geom.Vec3) []geom.Vec3 {
		return func(a, b geom.Vec3) (out []geom.Vec3) {
			for _, s := range shares {
				out = append(out, a.Lerp(b, s).Add(geom.Vec3{X: off, Y: off, Z: off}))
			}
			return out
		}
	}
	for _, c := range []struct {
		name   string
		slack  float64
		along  func(a, b geom.Vec3) []geom.Vec3
		closed bool
	}{
		{"in the sides", 0, at(0, 0.5), true},
		{"several", 0, at(0, 0.25, 0.5, 0.625), true},
		{"off the sides within the slack", 0.1, at(0.03, 0.5), true},
		{"off the sides beyond the tolerance", 0, at(0.03, 0.5), false},
		{"back and forth", 0, at(0, 0.5, 0.25), false},
	} {
		for side := range 6 {
			faces := whole()
			fan(&faces[side], c.along)
			m := build(t, Body{Faces: faces, Solid: true, Slack: c.slack})
			if c.closed {
				sound(t, m)
			}
			open := 0
			for i := range m.Edges {
				if len(m.Edges[i].Coedges) != 2 {
					open++
				}
			}
			if (open == 0) != c.closed {
				t.Errorf("%s, face %d: %d open edges", c.name, side, open)
			}
			if v := measure(t, m).Volume; c.closed && math.Abs(v-64) > 1 {
				t.Errorf("%s, face %d: volume %g", c.name, side, v)
			}
		}
	}
}
