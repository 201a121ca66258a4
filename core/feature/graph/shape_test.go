package graph

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// An approximated cone takes the axis of an adjacent bore if machining does not show the difference, else its own.
func TestFittedConeTakesAdjacentAxis(t *testing.T) {
	const cone, bore = 6, 7
	for _, row := range []struct {
		name      string
		off       float64 // mm
		tilt      float64 // rad
		isFree    bool
		isSettled bool
	}{
		{"off by less than shows", 8e-4, 1e-5, true, true},
		{"tilted by so much that the face shows it", 0, 9e-4, true, false},
		{"off by more", 2e-3, 0, true, false},
		{"tilted by more", 0, 5e-3, true, false},
		{"exact", 8e-4, 0, false, false},
	} {
		m := build.Plate(geom.Vec3{X: 60, Y: 60, Z: 20}, build.Style{}, build.Hole{Center: v2(30, 30),
			Profile: []geom.Vec2{v2(9, 0), v2(5, 4), v2(5, 20)}})
		if row.isFree {
			free, err := build.Freeform(m, 0.7)
			if err != nil {
				t.Fatal(err)
			}
			m.Faces[cone] = free.Faces[cone]
		}
		g := graphOf(t, m)
		shapes := make([]Shape, len(g.Patches)) // of as many faces
		for i := range shapes {
			shapes[i] = g.Patches[i].Shape
		}
		s, b := &shapes[cone], &shapes[bore]
		s.Origin.X += row.off
		s.Axis = s.Axis.AddScaled(row.tilt, geom.Vec3{Y: 1}).Unit()
		before := *s
		g.settle(shapes, g.Arcs)
		switch {
		case !row.isSettled && *s != before:
			t.Errorf("%s: %+v became %+v", row.name, before, *s)
		case row.isSettled && (!g.Coaxial(b, s) || s.Axis.Cross(b.Axis) != geom.Vec3{} || s.Radius != before.Radius ||
			s.Origin.Z != before.Origin.Z):
			t.Errorf("%s: %+v became %+v, want that on the axis of %+v", row.name, before, *s, *b)
		}
	}
}
