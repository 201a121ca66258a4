package datasheet

import (
	"math"
	"testing"

	"millwright/core/geom"
	"millwright/core/geom/region"
)

// A floor and a higher one behind it make one outline, however the step between them runs.
func TestStepsAreNoWalls(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	low := path(at(0, 0), at(20, 0), at(20, 10), at(15, 10), at(5, 10), at(0, 10))
	high := path(at(5, 10), at(15, 10), at(15, 16), at(5, 16))
	got := withoutSteps([]region.Loop{low, opened(high, 0)}, 1e-6)
	if len(got) != 1 || len(got[0]) != 8 || math.Abs(got[0].Area()-260) > 1e-9 {
		t.Fatalf("%d loops: %v", len(got), got)
	}
	for i := range got[0] {
		if got[0][i].Open {
			t.Errorf("%v is open", got[0][i])
		}
	}
	alone := []region.Loop{low}
	if got := withoutSteps(alone, 1e-6); len(got) != 1 || len(got[0]) != len(low) {
		t.Errorf("without a step: %v", got)
	}
}

// A wall stands over an edge that runs along it the same way, within its length.
func TestWallsOverAnEdge(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	walls := []region.Loop{{region.Segment(at(0, 0), at(10, 0)), region.Arc(at(10, 5), at(10, 0), math.Pi/2),
		{From: at(15, 5), To: at(0, 0), Open: true}}}
	for _, c := range []struct {
		name string
		edge region.Piece
		want bool
	}{
		{"along it", region.Segment(at(2, 0), at(8, 0)), true},
		{"the other way", region.Segment(at(8, 0), at(2, 0)), false},
		{"further than it", region.Segment(at(-2, 0), at(8, 0)), false},
		{"beside it", region.Segment(at(2, 1), at(8, 1)), false},
		{"along the arc", region.Arc(at(10, 5), at(10, 0), math.Pi/4), true},
		{"back along the arc", region.Arc(at(10, 5), at(15, 5), -math.Pi/4), false},
		{"over the gap", region.Segment(at(12, 4), at(3, 1)), false},
	} {
		if got := isUnder(walls, &c.edge, 1e-6); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
