package toolpath

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A short gap between two walls is walked as one chain with them; a long gap, or one next to a single wall, is not.
func TestChainsOverGaps(t *testing.T) {
	const wall, other = 7, 8
	side := func(pieces ...planar.Segment) (chains []chain) {
		l := planar.Loop(pieces)
		at := geom.Vec2{X: 0, Y: 0}
		if l[0].From != at || l[len(l)-1].To != at {
			t.Fatalf("%v is no loop from %v", l, at)
		}
		a, err := arcpoly.New(l)
		if err != nil {
			t.Fatal(err)
		}
		return chainsOf(a, map[int32]bool{wall: true}, 2)
	}
	piece := func(x0, y0, x1, y1 float64, tag int32) planar.Segment {
		p := planar.NewLine(geom.Vec2{X: x0, Y: y0}, geom.Vec2{X: x1, Y: y1})
		p.Tag = tag
		return p
	}
	for _, row := range []struct {
		name   string
		loop   []planar.Segment
		length float64 // of all chains
		chains int
		closed bool
	}{
		{"a short gap", []planar.Segment{
			piece(0, 0, 10, 0, wall), piece(10, 0, 11.5, 0, other), piece(11.5, 0, 30, 0, wall),
			piece(30, 0, 30, 20, other), piece(30, 20, 0, 20, other), piece(0, 20, 0, 0, other),
		}, 30, 1, false},
		{"a long gap", []planar.Segment{
			piece(0, 0, 10, 0, wall), piece(10, 0, 12.5, 0, other), piece(12.5, 0, 30, 0, wall),
			piece(30, 0, 30, 20, other), piece(30, 20, 0, 20, other), piece(0, 20, 0, 0, other),
		}, 27.5, 2, false},
		{"walls all round but for a gap of two pieces", []planar.Segment{
			piece(0, 0, 9, 0, wall), piece(9, 0, 10, 1, other), piece(10, 1, 10.5, 1, other),
			piece(10.5, 1, 30, 1, wall),
			piece(30, 1, 30, 20, wall), piece(30, 20, 0, 20, wall), piece(0, 20, 0, 0, wall),
		}, 99.414, 1, true},
		{"one wall, and its end near its beginning", []planar.Segment{
			piece(0, 0, 10, 0, wall), piece(10, 0, 5, 20, other), piece(5, 20, 0, 0, other),
		}, 10, 1, false},
	} {
		got, length := side(row.loop...), 0.0
		for _, c := range got {
			length += lengthOf(c.pieces)
		}
		if len(got) != row.chains || got[0].closed != row.closed || max(length-row.length, row.length-length) > 1e-3 {
			t.Errorf("%s: %d chains of %g mm, want %d of %g: %v", row.name, len(got), length, row.chains,
				row.length, got)
		}
	}
}

// Of places that are printed as one the tool is kept off.
func TestPinholesAreNoPlaces(t *testing.T) {
	triangle := func(x, size float64) planar.Loop {
		a, b, c := geom.Vec2{X: x}, geom.Vec2{X: x + size}, geom.Vec2{X: x, Y: size}
		return planar.Loop{planar.NewLine(a, b), planar.NewLine(b, c), planar.NewLine(c, a)}
	}
	for size, want := range map[float64]int{7e-5: 1, 0.1: 2} {
		a, err := arcpoly.New(triangle(0, 10), triangle(20, size))
		if err != nil {
			t.Fatal(err)
		}
		if a, err = solid(a); err != nil || len(a.Parts()) != want {
			t.Errorf("beside a part of %g mm %d parts are left (%v), want %d", size, len(a.Parts()), err, want)
		}
	}
}

// A chamfer mill turns at corners of a chamfer, but not at its ends.
func TestTrimEnds(t *testing.T) {
	const radius = 2.0
	turn := func(x float64) planar.Segment { return planar.NewArc(geom.Vec2{X: x, Y: -radius}, geom.Vec2{X: x}, -1) }
	line := planar.NewLine(geom.Vec2{X: 5}, geom.Vec2{X: 9})
	for _, row := range []struct {
		name   string
		pieces []planar.Segment
		closed bool
		want   int
	}{
		{"both ends", []planar.Segment{turn(5), turn(5), line, turn(9)}, false, 1},
		{"a corner between", []planar.Segment{line, turn(9), line}, false, 3},
		{"a loop", []planar.Segment{turn(5), line}, true, 2},
		{"an arc of the chamfer", []planar.Segment{planar.NewArc(geom.Vec2{}, geom.Vec2{X: 3}, 1), line}, false, 2},
		{"nothing else", []planar.Segment{turn(5)}, false, 0},
	} {
		c := chain{row.pieces, row.closed}
		if c.trim(radius); len(c.pieces) != row.want {
			t.Errorf("%s: %d pieces, want %d", row.name, len(c.pieces), row.want)
		}
	}
}
