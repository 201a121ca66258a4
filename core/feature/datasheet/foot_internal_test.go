package datasheet

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A floor and a higher one behind it make one outline, however the step between them runs.
func TestFloorStepsAreNotWalls(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	low := path(at(0, 0), at(20, 0), at(20, 10), at(15, 10), at(5, 10), at(0, 10))
	high := path(at(5, 10), at(15, 10), at(15, 16), at(5, 16))
	got := withoutSteps([]planar.Loop{low, opened(high, 0)}, 1e-6)
	if len(got) != 1 || len(got[0]) != 8 || math.Abs(got[0].Area()-260) > 1e-9 {
		t.Fatalf("%d loops: %v", len(got), got)
	}
	for i := range got[0] {
		if got[0][i].Open {
			t.Errorf("%v is open", got[0][i])
		}
	}
	alone := []planar.Loop{low}
	if got := withoutSteps(alone, 1e-6); len(got) != 1 || len(got[0]) != len(low) {
		t.Errorf("without a step: %v", got)
	}
}

// A wall is over an edge if it runs along it in the same sense, within its length.
func TestWallsOverAnEdge(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	walls := []planar.Loop{{planar.NewLine(at(0, 0), at(10, 0)), planar.NewArc(at(10, 5), at(10, 0), math.Pi/2),
		{From: at(15, 5), To: at(0, 0), Open: true}}}
	for _, c := range []struct {
		name string
		edge planar.Segment
		want bool
	}{
		{"along it", planar.NewLine(at(2, 0), at(8, 0)), true},
		{"the other way", planar.NewLine(at(8, 0), at(2, 0)), false},
		{"further than it", planar.NewLine(at(-2, 0), at(8, 0)), false},
		{"beside it", planar.NewLine(at(2, 1), at(8, 1)), false},
		{"along the arc", planar.NewArc(at(10, 5), at(10, 0), math.Pi/4), true},
		{"back along the arc", planar.NewArc(at(10, 5), at(15, 5), -math.Pi/4), false},
		{"over the gap", planar.NewLine(at(12, 4), at(3, 1)), false},
	} {
		if got := isUnder(walls, &c.edge, 1e-6); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Overlapping walls leave one trace in any order; adjacent or opposite walls do not.
func TestOverlappingWallsLeaveOneTrace(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	arc := func(from, turn float64) planar.Segment {
		s, c := math.Sincos(from)
		return planar.NewArc(at(0, 0), at(10*c, 10*s), turn)
	}
	for _, c := range []struct {
		name   string
		pieces []planar.Segment
		want   []float64 // lengths
	}{
		{"the same twice", []planar.Segment{planar.NewLine(at(0, 0), at(9, 0)), planar.NewLine(at(0, 0), at(9, 0))}, []float64{9}},
		{"in part", []planar.Segment{planar.NewLine(at(0, 0), at(6, 0)), planar.NewLine(at(4, 0), at(9, 0))}, []float64{9}},
		{"one that joins two", []planar.Segment{planar.NewLine(at(0, 0), at(4, 0)), planar.NewLine(at(6, 0), at(9, 0)),
			planar.NewLine(at(3, 0), at(7, 0))}, []float64{9}},
		{"end to end", []planar.Segment{planar.NewLine(at(0, 0), at(4, 0)), planar.NewLine(at(4, 0), at(9, 0))}, []float64{4, 5}},
		{"across a plate", []planar.Segment{planar.NewLine(at(0, 0), at(9, 0)), planar.NewLine(at(9, 0), at(0, 0))}, []float64{9, 9}},
		{"side by side", []planar.Segment{planar.NewLine(at(0, 0), at(9, 0)), planar.NewLine(at(0, 1), at(9, 1))}, []float64{9, 9}},
		{"arcs in part", []planar.Segment{arc(0, 2), arc(1, 2)}, []float64{30}},
		{"arcs to the right", []planar.Segment{arc(0, -2), arc(-1, -2)}, []float64{30}},
		{"arcs all round", []planar.Segment{arc(0, 4), arc(3, 4)}, []float64{20 * math.Pi}},
		{"a circle and a piece of it", []planar.Segment{arc(3, 1), arc(0, 2*math.Pi)}, []float64{20 * math.Pi}},
		{"arcs end to end", []planar.Segment{arc(0, 1), arc(1, 1)}, []float64{10, 10}},
		{"a boss and its hole", []planar.Segment{arc(0, 2), arc(2, -2)}, []float64{20, 20}},
	} {
		for range 2 {
			var got []planar.Segment
			for _, q := range c.pieces {
				got = united(got, q, 1e-6)
			}
			var lengths []float64
			for i := range got {
				lengths = append(lengths, got[i].Length())
			}
			slices.Sort(lengths)
			if !slices.EqualFunc(lengths, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("%s: lengths %v, want %v", c.name, lengths, c.want)
			}
			slices.Reverse(c.pieces)
		}
	}
}
