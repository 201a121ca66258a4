package datasheet

import (
	"math"
	"testing"

	"millwright/core/brep"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// An edge climbs as a helix of its length and ends does, whatever way it runs and however often round.
func TestClimb(t *testing.T) {
	axis := &graph.Shape{Kind: surface.KindCylinder, Origin: geom.Vec3{X: 3}, Axis: geom.Vec3{Z: 1}, Radius: 5}
	for _, row := range []struct {
		name        string
		pitch, turn float64 // mm, of the circle
	}{
		{"half a turn", 1.25, 0.5}, {"turns", 1.25, 4.7}, {"downwards", -0.8, 2}, {"level", 0, 1},
	} {
		at := func(turn float64) geom.Vec3 {
			sin, cos := math.Sincos(2 * math.Pi * turn)
			return geom.Vec3{X: 3 + 5*cos, Y: 5 * sin, Z: row.pitch * turn}
		}
		m := &brep.Model{Vertices: []brep.Vertex{{Point: at(0)}, {Point: at(row.turn)}}, Edges: []brep.Edge{{Start: 0, End: 1}}}
		p := &part{g: &graph.Graph{Model: m}}
		a := &graph.Arc{Mid: at(row.turn / 2), Length: row.turn * math.Hypot(2*math.Pi*5, row.pitch)}
		if got := p.climb(a, axis); math.Abs(got-math.Abs(row.pitch)) > 1e-9 {
			t.Errorf("%s: climbs %v mm a turn, want %v", row.name, got, math.Abs(row.pitch))
		}
	}
	m := &brep.Model{Vertices: []brep.Vertex{{}, {Point: geom.Vec3{Z: 4}}}, Edges: []brep.Edge{{Start: 0, End: 1}}}
	if got := (&part{g: &graph.Graph{Model: m}}).climb(&graph.Arc{Length: 4}, axis); got != 0 {
		t.Errorf("an upright edge climbs %v mm a turn, want 0", got)
	}
}
