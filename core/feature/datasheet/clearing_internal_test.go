package datasheet

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func path(points ...geom.Vec2) planar.Loop {
	var l planar.Loop
	for i, p := range points {
		l = append(l, planar.NewLine(p, points[(i+1)%len(points)]))
	}
	return l
}

func opened(l planar.Loop, sides ...int) planar.Loop {
	for _, i := range sides {
		l[i].Open = true
	}
	return l
}

// nothing reports no material beyond the open sides.
func nothing(float64) (*arcpoly.Area, error) { return nil, nil }

// The clearing discs of known outlines follow from their areas.
func TestClearingDiscsOfKnownOutlines(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	rect := func(w, h float64) planar.Loop { return path(at(0, 0), at(w, 0), at(w, h), at(0, h)) }
	// A disc leaves (1 - π/4)·R² in a right corner.
	corners := func(n, area float64) float64 { return 2 * math.Sqrt(0.02*area/n/(1-math.Pi/4)) }
	const wide = 1e3
	for _, c := range []struct {
		name string
		loop planar.Loop
		most float64
		want float64
	}{
		{"square", rect(40, 40), wide, corners(4, 1600)},
		{"far larger square", rect(4000, 4000), 1e5, corners(4, 16e6)},
		{"circle", planar.Circle(at(5, 5), 7, false), wide, 14},
		{"slot", planar.Loop{planar.NewLine(at(0, 0), at(30, 0)), planar.NewArc(at(30, 4), at(30, 0), math.Pi),
			planar.NewLine(at(30, 8), at(0, 8)), planar.NewArc(at(0, 4), at(0, 8), math.Pi)}, wide, 8},
		{"slot through both ends", opened(rect(50, 12), 1, 3), 50, 12},
		{"slot with one end", opened(rect(50, 12), 1), 50, corners(2, 600)},
		{"step", opened(rect(50, 12), 1, 2, 3), 50, 50},
		{"step in a corner", opened(rect(50, 40), 1, 2), 50, corners(1, 2000)},
		{"two rooms and a door", path(at(0, 0), at(20, 0), at(20, 8), at(22, 8), at(22, 0), at(42, 0), at(42, 20), at(22, 20),
			at(22, 12), at(20, 12), at(20, 20), at(0, 20)), wide, 4},
		{"a room with a niche that is not worth it", path(at(0, 0), at(100, 0), at(100, 49), at(103, 49), at(103, 51),
			at(100, 51), at(100, 100), at(0, 100)), wide, 2 * math.Sqrt((0.02*10006-6)/4/(1-math.Pi/4))},
	} {
		r := &planar.Region{Loops: []planar.Loop{c.loop}}
		narrowest, faced := r.Narrowest()
		got := clears(r, narrowest, faced, c.most, nothing, nil)
		// A disc that is wider than the door of the niche reaches into it by its sagitta.
		if math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Outlines that were turned and mirrored are cleared by the same disc.
func TestClearingIsInvariant(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	base := path(at(0, 0), at(60, 0), at(60, 30), at(34, 30), at(34, 44), at(10, 44), at(10, 18), at(0, 14))
	base[2].Open = true
	clear := func(l planar.Loop) float64 {
		r := &planar.Region{Loops: []planar.Loop{l}}
		narrowest, faced := r.Narrowest()
		return clears(r, narrowest, faced, 60, nothing, nil)
	}
	want := clear(base)
	for _, angle := range []float64{0.3, 1.1, 2.5} {
		s, c := math.Sincos(angle)
		for _, mirrored := range []bool{false, true} {
			move := func(p geom.Vec2) geom.Vec2 {
				if mirrored {
					p.Y = -p.Y
				}
				return at(300+c*p.X-s*p.Y, -40+s*p.X+c*p.Y)
			}
			var l planar.Loop
			for _, p := range base {
				l = append(l, planar.Segment{From: move(p.From), To: move(p.To), Open: p.Open})
			}
			if mirrored {
				l = l.Reverse()
			}
			if got := clear(l); math.Abs(got-want) > 2e-3 {
				t.Errorf("turned by %v, mirrored %v: %v, want %v", angle, mirrored, got, want)
			}
		}
	}
}

// Material that leans over an outline is an obstacle, and no disc clears an outline that is covered too far.
func TestClearingUnderLeaningWalls(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	slot := &planar.Region{Loops: []planar.Loop{opened(path(at(0, 0), at(50, 0), at(50, 12), at(0, 12)), 1, 3)}}
	narrowest, faced := slot.Narrowest()
	for _, c := range []struct{ lip, want float64 }{{0.1, 11.9}, {0.3, 0}} { // mm, over one side
		over, err := arcpoly.New(path(at(0, 0), at(50, 0), at(50, c.lip), at(0, c.lip)))
		if err != nil {
			t.Fatal(err)
		}
		if got := clears(slot, narrowest, faced, 50, nothing, over); math.Abs(got-c.want) > 0.01 {
			t.Errorf("a lip of %v: %v, want %v", c.lip, got, c.want)
		}
	}
}

// A tool that leaves over one open side may return over another past any obstacle outside.
func TestToolReturnsOverAnotherOpenSide(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	area := func(loops ...planar.Loop) *arcpoly.Area {
		a, err := arcpoly.New(loops...)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	s := &clearedArea{isOpen: true, plan: area(path(at(0, 0), at(42, 0), at(42, 20), at(0, 20)))}
	bar := path(at(20, -200), at(22, -200), at(22, 200), at(20, 200))
	room := []planar.Loop{ // closed on all sides, so that not all positions are connected
		path(at(80, 0), at(100, 0), at(100, 20), at(80, 20)), path(at(85, 5), at(85, 15), at(95, 15), at(95, 5)),
	}
	got, err := s.sweptFrom(area(append(room, bar)...), 1)
	if want := 42 * 20.0; err != nil || math.Abs(got-want) > 1e-6*want {
		t.Errorf("swept %v mm² on both sides of a bar, want %v, %v", got, want, err)
	}
}
