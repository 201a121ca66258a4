package clearing

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Polygon is a closed polygon without its last edge, mm.
type Polygon []geom.Vec2

// ground is the material of a pocket under a flat cutter. A point is material if it is inside the polygons (even-odd)
// and no piece of path came within its radius. Square bins find the pieces near a point.
type ground struct {
	loops  []Polygon
	side   float64 // mm, of a bin
	lo     geom.Vec2
	nx, ny int
	bins   []bin
	pieces []piece
}

// bin is a square of the ground.
type bin struct {
	isEmpty bool    // no material: outside the pocket, or in one piece
	isEdge  bool    // the boundary of the pocket may cross it
	pieces  []int32 // that cover a part of it
}

// piece is a straight piece of path, with the radius that it clears.
type piece struct {
	a, b   geom.Vec2
	radius float64
}

// binsPerRadius is the number of bins along the radius of the cutter.
const binsPerRadius = 10

func newGround(loops []Polygon, radius float64) *ground {
	lo, hi := geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, l := range loops {
		for _, p := range l {
			lo = geom.Vec2{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
			hi = geom.Vec2{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		}
	}
	g := &ground{loops: loops, side: radius / binsPerRadius, lo: lo}
	g.nx, g.ny = int((hi.X-lo.X)/g.side)+1, int((hi.Y-lo.Y)/g.side)+1
	g.bins = make([]bin, g.nx*g.ny)
	for k := range g.bins {
		c := g.center(k)
		switch {
		case toBoundary(loops, c) <= g.half():
			g.bins[k].isEdge = true
		case !contains(loops, c):
			g.bins[k].isEmpty = true
		}
	}
	return g
}

func (g *ground) center(k int) geom.Vec2 {
	return g.lo.Add(geom.Vec2{X: g.side * (float64(k%g.nx) + 0.5), Y: g.side * (float64(k/g.nx) + 0.5)})
}

// half returns half the diagonal of a bin, with rounding.
func (g *ground) half() float64 { return 0.70711 * g.side }

// clear takes away what a disc passes along a line.
func (g *ground) clear(a, b geom.Vec2, radius float64) {
	n := int32(len(g.pieces))
	g.pieces = append(g.pieces, piece{a, b, radius})
	column := func(x float64) int { return int(math.Floor((x - g.lo.X) / g.side)) }
	row := func(y float64) int { return int(math.Floor((y - g.lo.Y) / g.side)) }
	for j := max(0, row(min(a.Y, b.Y)-radius)); j <= min(g.ny-1, row(max(a.Y, b.Y)+radius)); j++ {
		for i := max(0, column(min(a.X, b.X)-radius)); i <= min(g.nx-1, column(max(a.X, b.X)+radius)); i++ {
			at := &g.bins[j*g.nx+i]
			if at.isEmpty {
				continue
			}
			switch d := toLine(g.center(j*g.nx+i), a, b); {
			case d+g.half() < radius:
				at.isEmpty, at.pieces = true, nil
			case d-g.half() < radius:
				at.pieces = append(at.pieces, n)
			}
		}
	}
}

// isMaterial reports whether there is material at a point.
func (g *ground) isMaterial(p geom.Vec2) bool {
	x, y := (p.X-g.lo.X)/g.side, (p.Y-g.lo.Y)/g.side
	if x < 0 || y < 0 || x >= float64(g.nx) || y >= float64(g.ny) {
		return false
	}
	at := &g.bins[int(y)*g.nx+int(x)]
	if at.isEmpty {
		return false
	}
	const rounding = 1e-6 // mm
	for k := len(at.pieces) - 1; k >= 0; k-- {
		if q := &g.pieces[at.pieces[k]]; toLine(p, q.a, q.b) <= q.radius+rounding {
			return false
		}
	}
	return !at.isEdge || contains(g.loops, p)
}

// arc returns the part (rad) of a circle around p in material, from one angle to another (degrees) left of a heading.
// The circle is a polygon of one degree a side. A side that leaves the material is halved to find the border.
func (g *ground) arc(p, heading geom.Vec2, radius float64, from, to int) float64 {
	at := func(degrees float64) bool {
		s, c := math.Sincos(degrees * math.Pi / 180)
		u := geom.Vec2{X: c*heading.X - s*heading.Y, Y: s*heading.X + c*heading.Y}
		return g.isMaterial(p.Add(u.Scale(radius)))
	}
	sum, before := 0.0, at(float64(from))
	for d := from; d < to; d++ {
		after := at(float64(d + 1))
		switch lo, hi := float64(d), float64(d+1); {
		case before && after:
			sum++
		case before != after:
			const halvings = 6
			for range halvings {
				if mid := (lo + hi) / 2; at(mid) == before {
					lo = mid
				} else {
					hi = mid
				}
			}
			if before {
				sum += lo - float64(d)
			} else {
				sum += float64(d+1) - hi
			}
		}
		before = after
	}
	return sum * math.Pi / 180
}

// toLine returns the distance of a point from the line between two others.
func toLine(p, a, b geom.Vec2) float64 {
	d, q := b.Sub(a), p.Sub(a)
	if n := d.Norm2(); n > 0 {
		q = q.Sub(d.Scale(max(0, min(1, q.Dot(d)/n))))
	}
	return math.Sqrt(q.Norm2())
}

// toBoundary returns the distance of a point from the edges of polygons.
func toBoundary(loops []Polygon, p geom.Vec2) float64 {
	least := math.Inf(1)
	for _, l := range loops {
		for i := range l {
			least = min(least, toLine(p, l[i], l[(i+1)%len(l)]))
		}
	}
	return least
}

// contains reports whether a point is inside an odd number of polygons.
func contains(loops []Polygon, p geom.Vec2) (is bool) {
	for _, l := range loops {
		for i := range l {
			a, b := l[i], l[(i+1)%len(l)]
			if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
				is = !is
			}
		}
	}
	return is
}
