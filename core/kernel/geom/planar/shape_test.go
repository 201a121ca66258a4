package planar_test

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func of(loops ...planar.Loop) *planar.Region { return &planar.Region{Loops: loops} }

// rounded returns a rectangle from the origin with corners of radius r.
func rounded(w, h, r float64) planar.Loop {
	var l planar.Loop
	corner := func(cx, cy, fx, fy float64) {
		l = append(l, planar.NewArc(pt(cx, cy), pt(fx, fy), math.Pi/2))
	}
	side := func(ax, ay, bx, by float64) {
		if pt(ax, ay).Dist(pt(bx, by)) > 0 {
			l = append(l, planar.NewLine(pt(ax, ay), pt(bx, by)))
		}
	}
	side(r, 0, w-r, 0)
	corner(w-r, r, w-r, 0)
	side(w, r, w, h-r)
	corner(w-r, h-r, w, h-r)
	side(w-r, h, r, h)
	corner(r, h-r, r, h)
	side(0, h-r, 0, r)
	corner(r, r, 0, r)
	return l
}

// stadium returns a slot of width 2r between two centers on the x axis.
func stadium(length, r float64) planar.Loop {
	return planar.Loop{
		planar.NewLine(pt(0, -r), pt(length, -r)),
		planar.NewArc(pt(length, 0), pt(length, -r), math.Pi),
		planar.NewLine(pt(length, r), pt(0, r)),
		planar.NewArc(pt(0, 0), pt(0, r), math.Pi),
	}
}

// arcSlot returns a slot of width 2r along an arc of radius R about the origin.
func arcSlot(radius, r, turn float64) planar.Loop {
	out := pt(radius+r, 0)
	end := pt(radius*math.Cos(turn), radius*math.Sin(turn))
	inner := pt((radius-r)*math.Cos(turn), (radius-r)*math.Sin(turn))
	outer := pt((radius+r)*math.Cos(turn), (radius+r)*math.Sin(turn))
	return planar.Loop{
		planar.NewArc(pt(0, 0), out, turn),
		planar.NewArc(end, outer, math.Pi),
		planar.NewArc(pt(0, 0), inner, -turn),
		planar.NewArc(pt(radius, 0), pt(radius-r, 0), math.Pi),
	}
}

func openSides(l planar.Loop, sides ...int) planar.Loop {
	for _, s := range sides {
		l[s].Open = true
	}
	return l
}

// moved turns, scales and shifts a region; the loops begin elsewhere.
func moved(r *planar.Region, angle, scale float64, shift geom.Vec2, start int) *planar.Region {
	s, c := math.Sincos(angle)
	at := func(v geom.Vec2) geom.Vec2 {
		return pt(scale*(c*v.X-s*v.Y)+shift.X, scale*(s*v.X+c*v.Y)+shift.Y)
	}
	out := &planar.Region{}
	for _, l := range r.Loops {
		var m planar.Loop
		for i := range l {
			p := l[(i+start)%len(l)]
			p.From, p.To, p.Center = at(p.From), at(p.To), at(p.Center)
			m = append(m, p)
		}
		out.Loops = append(out.Loops, m)
	}
	return out
}

func near(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol
}
