package datasheet

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// An outline minus a boss keeps its marks outside the boss, and a curve that the boss cuts begins again behind it.
func TestOutlineMinusBossKeepsMarks(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	end := planar.NewArc(at(40, 10), at(40, 0), math.Pi)
	end.Tight, end.Tag = 7, 2
	outline := planar.Loop{
		{From: at(0, 0), To: at(20, -1), Tag: 1},
		{From: at(20, -1), To: at(40, 0), Tag: 1, Joined: true}, // a curve of two chords
		end,
		{From: at(40, 20), To: at(0, 20), Tag: 3},
		{From: at(0, 20), To: at(0, 0), Tag: openSide, Open: true},
	}
	for _, c := range []struct {
		name                        string
		boss                        geom.Vec2
		chords, joined, tight, open int
	}{
		{"apart from the walls", at(20, 10), 2, 1, 1, 1},
		{"over a chord behind where it begins", at(30, 0), 3, 1, 1, 1},
		{"over the end of a chord", at(20, 0), 2, 0, 1, 1},
		{"in the round end", at(50, 10), 2, 1, 2, 1},
		{"in the open side", at(0, 10), 2, 1, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := arcpoly.New(outline)
			if err != nil {
				t.Fatal(err)
			}
			boss := planar.Circle(c.boss, 2, false)
			boss[0].Tag = 9
			round, err := arcpoly.New(boss)
			if err != nil {
				t.Fatal(err)
			}
			rest, err := plan.Minus(round)
			if err != nil {
				t.Fatal(err)
			}
			var chords, joined, tight, open, ofBoss int
			for _, l := range rest.Loops() {
				for _, q := range marked(l, outline) {
					switch q.Tag {
					case 1:
						chords++
					case 9:
						ofBoss++
						if q.Joined || q.Open || q.Tight != 0 {
							t.Errorf("marks of the outline on the boss: %+v", q)
						}
					}
					if q.Joined {
						joined++
					}
					if q.Tight == 7 {
						tight++
					}
					if q.Open {
						open++
					}
				}
			}
			if chords != c.chords || joined != c.joined || tight != c.tight || open != c.open || ofBoss == 0 {
				t.Errorf("boss at %v: %d chords, %d joined, %d tight, %d open, %d of the boss; want %d, %d, %d, %d and some",
					c.boss, chords, joined, tight, open, ofBoss, c.chords, c.joined, c.tight, c.open)
			}
		})
	}
}
