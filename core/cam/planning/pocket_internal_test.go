package planning

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func areaOf(t interface{ Fatal(...any) }, loops ...planar.Loop) *arcpoly.Area {
	a, err := arcpoly.New(loops...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestPocketsAreMilled: a pocket of random boxes and circles contains them, and a mill of its radius makes all of it.
func TestPocketsAreMilled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(0, 40)
		loops := []planar.Loop{rectangle(-30, -30, 70, 0)}
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			x, y, r := float64(number.Draw(t, "x")), float64(number.Draw(t, "y"))/2, 0.7+float64(number.Draw(t, "r"))/3
			l := planar.Circle(geom.Vec2{X: x, Y: y}, r, false)
			if rapid.Bool().Draw(t, "box") {
				l = rectangle(x-r, -20, x+r, y)
			}
			loops = append(loops, l)
		}
		part := areaOf(t, loops...)
		const radius, near = 3.0, 4e-3
		pocket, err := milled(part, part, radius)
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2]*arcpoly.Area{
			"the part": {part, pocket}, "the pocket": {pocket, opened(t, pocket, radius)},
		} {
			over, err := pair[0].Minus(pair[1])
			if err == nil {
				over, err = over.Offset(-near)
			}
			if err != nil || !over.IsEmpty() {
				t.Errorf("%.6f mm² of %s are not cut (%v)", over.Size(), name, err)
			}
		}
	})
}

// opened returns the area that discs of a radius within another one cover.
func opened(t interface{ Fatal(...any) }, a *arcpoly.Area, radius float64) *arcpoly.Area {
	out, err := a.Offset(-radius + 1e-3) // rounding takes less
	if err == nil {
		out, err = out.Offset(radius)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReliefsKeepTheGrip: in a square corner the mill cuts past the wall along the closing direction, by its radius,
// and not past the one that grips. In a sharp tip it cuts past both.
func TestReliefsKeepTheGrip(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	tip := planar.Loop{planar.NewLine(at(100, 0), at(140, 0)), planar.NewLine(at(140, 0), at(120, 20)),
		planar.NewLine(at(120, 20), at(100, 0))}
	part := areaOf(t, rectangle(0, 0, 40, 30), rectangle(60, 0, 64, 20), rectangle(50, -20, 150, 0), tip)
	pocket, err := milled(part, part, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		at     geom.Vec2
		inside bool
	}{
		{"the corner", at(0.01, 29.99), true}, {"beside the corner", at(-2.9, 27), true},
		{"past the relief", at(-3.1, 27), false}, {"over the corner", at(0.5, 30.01), false},
		{"over the wall", at(20, 30.01), false}, {"beside a narrow lug", at(57.1, 17), true},
		{"over it", at(62, 20.01), false}, {"at its corner", at(60.01, 19.99), true},
		{"the tip", at(120, 19.99), true}, {"over the tip", at(120, 20.01), false},
		{"past one wall of the tip", at(118, 18.5), true}, {"past the other", at(122, 18.5), true},
	} {
		if pocket.Contains(c.at) != c.inside {
			t.Errorf("%s, %v, is in the pocket: %v, want %v", c.name, c.at, !c.inside, c.inside)
		}
	}
}

func TestFinsAreRemoved(t *testing.T) {
	jaw := areaOf(t, rectangle(0, 0, 60, 20), rectangle(10, 0, 12, 40), rectangle(30, 0, 36, 40),
		planar.Loop{planar.NewLine(geom.Vec2{X: 50}, geom.Vec2{X: 54}),
			planar.NewLine(geom.Vec2{X: 54}, geom.Vec2{X: 52, Y: 40}), planar.NewLine(geom.Vec2{X: 52, Y: 40}, geom.Vec2{X: 50})})
	left, err := withoutFins(jaw)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[geom.Vec2]bool{
		{X: 11, Y: 30}: false, {X: 33, Y: 39}: true, {X: 52, Y: 35}: false, {X: 1, Y: 1}: true, {X: 59.9, Y: 19.9}: true,
	} {
		if left.Contains(at) != want {
			t.Errorf("%v is left: %v, want %v", at, !want, want)
		}
	}
}

// TestMonotonePiecesMakeTheirArc: the pieces of an arc join, and none turns back along X.
func TestMonotonePiecesMakeTheirArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "from")
		turn := rapid.Float64Range(-2*math.Pi, 2*math.Pi).Filter(func(x float64) bool { return math.Abs(x) > 1e-3 }).Draw(t, "turn")
		arc := planar.NewArc(geom.Vec2{X: 3, Y: 4}, geom.Vec2{X: 3 + 5*math.Cos(from), Y: 4 + 5*math.Sin(from)}, turn)
		sum, at := 0.0, arc.From
		for _, p := range monotone(arc) {
			if p.From.Dist(at) > 1e-9 {
				t.Fatalf("a piece begins at %v, not at %v", p.From, at)
			}
			for k := range 10 {
				a, b := p.At(float64(k)/10), p.At(float64(k+1)/10)
				if d := p.To.X - p.From.X; (b.X-a.X)*d < -1e-9 {
					t.Fatalf("%v turns back", p)
				}
			}
			sum, at = sum+p.Turn, p.To
		}
		if math.Abs(sum-turn) > 1e-9 || at.Dist(arc.To) > 1e-9 {
			t.Errorf("the pieces turn by %v to %v, want %v to %v", sum, at, turn, arc.To)
		}
	})
}

// TestSteepFacesGetAGap: swept down, a vertical line is a strip of twice the gap, and a flat one keeps its height.
func TestSteepFacesGetAGap(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	for _, c := range []struct {
		name string
		s    planar.Segment
		want float64
	}{
		{"vertical", planar.NewLine(at(1, 0), at(1, 5)), 2 * freeGap * 15},
		{"level", planar.NewLine(at(4, 5), at(1, 5)), 3 * 15},
		{"sloping", planar.NewLine(at(4, 5), at(1, 2)), 3 * 13.5},
	} {
		var areas []*arcpoly.Area
		for _, l := range swept(c.s, -10) {
			if l.Area() < 0 {
				l = l.Reverse()
			}
			areas = append(areas, areaOf(t, l))
		}
		all, err := arcpoly.Union(areas...)
		if err != nil || math.Abs(all.Size()-c.want) > 1e-6 {
			t.Errorf("%s: %.6f mm², want %.6f (%v)", c.name, all.Size(), c.want, err)
		}
	}
}

func TestMappedLoopsKeepTheirAreaOnTheLeft(t *testing.T) {
	l := []planar.Loop{rectangle(0, 0, 3, 2), planar.Circle(geom.Vec2{X: 1, Y: 1}, 0.5, true)}
	for name, to := range map[string]func(geom.Vec2) geom.Vec2{
		"mirrored": func(v geom.Vec2) geom.Vec2 { return geom.Vec2{X: v.Y + 1, Y: v.X} },
		"turned":   func(v geom.Vec2) geom.Vec2 { return geom.Vec2{X: -v.Y, Y: v.X - 4} },
	} {
		got := mapped(l, to)
		for i := range l {
			if math.Abs(got[i].Area()-l[i].Area()) > 1e-9 {
				t.Errorf("%s: loop %d has %v mm², want %v", name, i, got[i].Area(), l[i].Area())
			}
		}
	}
}
