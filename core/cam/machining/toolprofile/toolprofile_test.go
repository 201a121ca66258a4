package toolprofile

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestProfilesOfTools(t *testing.T) {
	neck := geom.Vec2{X: 3, Y: 4 + math.Sqrt(7)} // of a ball of radius 4
	rows := []struct {
		name        string
		p           Profile
		pieces      int
		radius, top float64
	}{
		{"flat end mill", EndMill(10, 0, 30), 2, 5, 30},
		{"ball end mill", EndMill(10, 5, 30), 2, 5, 30},
		{"ball alone", EndMill(10, 5, 5), 1, 5, 5},
		{"bull nose", EndMill(10, 1, 30), 3, 5, 30},
		{"drill of 118°", Drill(10, geom.Radians(118), 40), 2, 5, 40},
		{"lollipop", Profile{
			{To: neck, Radius: 4},
			{From: neck, To: geom.Vec2{X: 3, Y: 20}},
		}, 2, 4, 20},
		{"corner rounding", Profile{
			{To: geom.Vec2{X: 2}},
			{From: geom.Vec2{X: 2}, To: geom.Vec2{X: 5, Y: 3}, Radius: -3},
		}, 2, 5, 3},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if err := row.p.Check(); err != nil {
				t.Fatal(err)
			}
			if len(row.p) != row.pieces || row.p.Top() != row.top {
				t.Errorf("%d pieces up to %g mm, want %d up to %g", len(row.p), row.p.Top(), row.pieces, row.top)
			}
			if got := row.p.MaxRadius(); math.Abs(got-row.radius) > 1e-12 {
				t.Errorf("greatest radius %g mm, want %g", got, row.radius)
			}
		})
	}
}

func TestCenterOfArcs(t *testing.T) {
	for _, row := range []struct {
		name string
		k    Segment
		want geom.Vec2
	}{
		{"ball", Segment{To: geom.Vec2{X: 4, Y: 4}, Radius: 4}, geom.Vec2{Y: 4}},
		{"fillet", Segment{To: geom.Vec2{X: 4, Y: 4}, Radius: -4}, geom.Vec2{X: 4}},
		{"half turn", Segment{From: geom.Vec2{X: 1}, To: geom.Vec2{X: 1, Y: 4}, Radius: 2}, geom.Vec2{X: 1, Y: 2}},
	} {
		if c, ok := row.k.Center(); !ok || c.Dist(row.want) > 1e-12 {
			t.Errorf("%s: centre %v, %v, want %v", row.name, c, ok, row.want)
		}
	}
	if _, ok := (Segment{To: geom.Vec2{X: 1}}).Center(); ok {
		t.Error("a line has a centre")
	}
}

func TestProfileCheckRejects(t *testing.T) {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	for name, p := range map[string]Profile{
		"empty":                  nil,
		"not finite":             {{To: v(math.NaN(), 1)}},
		"endless":                {{To: v(1, math.Inf(1))}},
		"in the air":             {{From: v(0, 1), To: v(1, 2)}},
		"gap":                    {{To: v(1, 0)}, {From: v(1.1, 0), To: v(1.1, 4)}},
		"falling":                {{To: v(2, 2)}, {From: v(2, 2), To: v(3, 1)}},
		"across the axis":        {{To: v(-1, 2)}},
		"arc too small":          {{To: v(4, 4), Radius: 2}},
		"arc of no length":       {{Radius: 2}},
		"arc around its low end": {{To: v(1, 1), Radius: 1}, {From: v(1, 1), To: v(0.2, 1.1), Radius: 0.6}},
		"flat without height":    {{To: v(4, 0)}},
		"needle without width":   {{To: v(0, 4)}},
	} {
		if p.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
