package adaptive_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func polygon(p ...geom.Vec2) planar.Loop {
	var l planar.Loop
	for i := range p {
		l = append(l, planar.NewLine(p[i], p[(i+1)%len(p)]))
	}
	return l
}

func box(x0, y0, x1, y1 float64) planar.Loop {
	return polygon(pt(x0, y0), pt(x1, y0), pt(x1, y1), pt(x0, y1))
}

// roundBox is a rectangle with round corners.
func roundBox(x0, y0, x1, y1, r float64) planar.Loop {
	const q = math.Pi / 2
	return planar.Loop{
		planar.NewLine(pt(x0+r, y0), pt(x1-r, y0)), planar.NewArc(pt(x1-r, y0+r), pt(x1-r, y0), q),
		planar.NewLine(pt(x1, y0+r), pt(x1, y1-r)), planar.NewArc(pt(x1-r, y1-r), pt(x1, y1-r), q),
		planar.NewLine(pt(x1-r, y1), pt(x0+r, y1)), planar.NewArc(pt(x0+r, y1-r), pt(x0+r, y1), q),
		planar.NewLine(pt(x0, y1-r), pt(x0, y0+r)), planar.NewArc(pt(x0+r, y0+r), pt(x0, y0+r), q),
	}
}

// areas makes areas and stops the test at an error.
type areas struct{ testing.TB }

func (t areas) of(loops ...planar.Loop) *arcpoly.Area { return t.ok(arcpoly.New(loops...)) }

func (t areas) ok(a *arcpoly.Area, err error) *arcpoly.Area {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// pocket returns the level of a closed pocket.
func (t areas) pocket(pocket *arcpoly.Area, diameter, arc float64) adaptive.Level {
	lo, hi := pocket.Extent()
	stock := t.of(box(lo.X-diameter, lo.Y-diameter, hi.X+diameter, hi.Y+diameter))
	return adaptive.Level{
		Radius: diameter / 2, Arc: arc, Stock: stock, Target: pocket,
		Allowed: t.ok(pocket.Offset(-diameter / 2)), HelixRadius: 0.45 * diameter,
	}
}

// open returns the level of a target in stock that the cutter may approach from outside.
func (t areas) open(zone, stock *arcpoly.Area, diameter, arc float64) adaptive.Level {
	return adaptive.Level{
		Radius: diameter / 2, Arc: arc, Stock: stock, Target: t.ok(arcpoly.Intersection(zone, stock)),
		Allowed: t.ok(zone.Offset(-diameter / 2)), HelixRadius: 0.45 * diameter,
	}
}

// shapes are the names of the shapes below.
var shapes = []string{"rectangle", "island", "rooms", "star", "comb", "boss", "slot"}

// shape returns a level, scaled with the cutter; all sizes are for a cutter of 10 mm.
func (t areas) shape(name string, diameter, arc float64) adaptive.Level {
	k := diameter / 10
	scaled := func(a *arcpoly.Area) *arcpoly.Area { return a.Scaled(k) }
	pocket := func(a *arcpoly.Area) adaptive.Level { return t.pocket(scaled(a), diameter, arc) }
	switch name {
	case "rectangle":
		return pocket(t.of(roundBox(0, 0, 90, 70, 6)))
	case "island":
		l := polygon(pt(0, 0), pt(90, 0), pt(90, 35), pt(45, 35), pt(45, 70), pt(0, 70))
		return pocket(t.of(l, planar.Circle(pt(22, 20), 6, true)))
	case "rooms":
		return pocket(t.of(box(0, 0, 35, 70), box(55, 0, 90, 70), box(30, 28.5, 60, 41.5)))
	case "star":
		var p []geom.Vec2
		for i := range 360 {
			s, c := math.Sincos(float64(i) * math.Pi / 180)
			r := 32 * (1 + 0.35*math.Cos(5*float64(i)*math.Pi/180)) / 1.15
			p = append(p, pt(45+r*c, 40+r*s))
		}
		return pocket(t.of(polygon(p...)))
	case "comb":
		loops := []planar.Loop{box(0, 0, 90, 20)}
		for i := range 4 {
			x := 3 + 24*float64(i)
			loops = append(loops, box(x, 10, x+12, 70))
		}
		return pocket(t.of(loops...))
	case "boss":
		zone := t.ok(t.of(box(-32, -27, 142, 97)).Minus(t.of(roundBox(0, 0, 110, 70, 8))))
		return t.open(scaled(zone), scaled(t.of(box(-20, -15, 130, 85))), diameter, arc)
	case "slot":
		return t.open(scaled(t.of(roundBox(20, 15, 92, 45, 6))), scaled(t.of(box(0, 0, 80, 60))), diameter, arc)
	}
	t.Fatalf("unknown shape %q", name)
	return adaptive.Level{}
}

// random returns a star-shaped pocket of straight walls with up to three islands.
func (t areas) random(seed uint64) *arcpoly.Area {
	r := rand.New(rand.NewPCG(seed, 1))
	n := 5 + r.IntN(8)
	var p []geom.Vec2
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * (float64(i) + 0.6*r.Float64()) / float64(n))
		reach := 14 + 42*r.Float64()
		p = append(p, pt(60+reach*c, 60+reach*s))
	}
	a := t.of(polygon(p...))
	for range r.IntN(4) {
		a = t.ok(a.Minus(t.of(planar.Circle(pt(40+40*r.Float64(), 40+40*r.Float64()), 2+4*r.Float64(), false))))
	}
	return a
}
