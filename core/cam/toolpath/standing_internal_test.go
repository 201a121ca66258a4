package toolpath

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Studs and fins are cut, however thin; slivers beside the part or beside stock that stays are left.
func TestStandingParts(t *testing.T) {
	box := func(x0, y0, x1, y1 float64) *arcpoly.Area {
		at := [4]geom.Vec2{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
		var l planar.Loop
		for i := range at {
			l = append(l, planar.NewLine(at[i], at[(i+1)%4]))
		}
		a, err := arcpoly.New(l)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	wall, stock := box(0, 30, 100, 40), box(100, 0, 110, 30)
	for _, c := range []struct {
		name  string
		left  *arcpoly.Area
		stand bool
	}{
		{"nothing", nil, false},
		{"a stud", box(50, 15, 50.5, 15.2), true},
		{"a fin", box(20, 15, 80, 15.1), true},
		{"a fin at the side of the stock", box(0, 0, 80, 0.1), true},
		{"a sliver along a wall", box(20, 29.7, 80, 30), false},
		{"a sliver at a distance of rounding", box(20, 29.7, 80, 29.99), false},
		{"a sliver beside stock that stays", box(99.8, 3, 100, 9), false},
	} {
		got, err := apart(c.left, wall, stock, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if c.stand {
			want = c.left.Size()
		}
		if d := got.Size() - want; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: %g mm² stand free, want %g", c.name, got.Size(), want)
		}
	}
}
