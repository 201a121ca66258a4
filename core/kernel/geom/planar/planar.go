// Package planar measures plane regions that are bounded by line segments and circular arcs: area and perimeter, the
// smallest enclosing rectangle, the narrowest passage, the largest disc between their walls, and the largest disc that
// passes along an outline among obstacles.
//
// The interior of a region lies on the left of its boundary. Segments marked Open bound the region but do not stop a
// disc. Lengths are mm, angles rad. Curves of other kinds are polylines; everything is exact, up to rounding, for
// segments and arcs.
//
// # Notation
//
// A segment runs from From to To: a straight one, or an arc around Center by the signed angle Turn, positive to the
// left. So an arc that turns left bulges out of the region, one that turns right into it, and the area under a segment
// is (From × To + r²·(Turn - sin Turn))/2. A wall is a segment that stops a disc; Open ones do not. The clearance of a
// point is its distance to the nearest wall, and the disc of a point has this radius. A corner is a point where the
// direction turns by more than smoothTurn.
package planar

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// margin (mm) is the permitted overlap of a disc with a wall: tangent arcs and lines of CAD files meet to about 1e-5.
const margin = 1e-5

// smoothTurn (rad) is the largest kink between two segments that does not count as a corner.
const smoothTurn = 1e-3

// Region is a plane region; holes are loops that run clockwise.
type Region struct{ Loops []Loop }

// Loop is a closed chain of segments, each ending where the next one begins.
type Loop []Segment

// Circle returns a full circle, counter-clockwise unless it is a hole.
func Circle(center geom.Vec2, radius float64, hole bool) Loop {
	turn := 2 * math.Pi
	if hole {
		turn = -turn
	}
	at := geom.Vec2{X: center.X + radius, Y: center.Y}
	return Loop{{From: at, To: at, Center: center, Turn: turn}}
}

// Area returns the signed area enclosed, positive when the loop runs counter-clockwise.
func (l Loop) Area() float64 {
	if len(l) == 0 {
		return 0
	}
	base := l[0].From // near the loop, for the sake of rounding
	sum := 0.0
	for i := range l {
		p := &l[i]
		sum += p.From.Sub(base).Cross(p.To.Sub(base))
		if p.Turn != 0 {
			r := p.Radius()
			sum += r * r * (p.Turn - math.Sin(p.Turn))
		}
	}
	return sum / 2
}

// Length returns the sum of the lengths of the segments.
func (l Loop) Length() float64 {
	sum := 0.0
	for i := range l {
		sum += l[i].Length()
	}
	return sum
}

// Reverse reverses the loop.
func (l Loop) Reverse() Loop {
	out := make(Loop, 0, len(l))
	for i := len(l) - 1; i >= 0; i-- {
		p := l[i]
		p.From, p.To, p.Turn = p.To, p.From, -p.Turn
		p.Joined = l[(i+1)%len(l)].Joined // together with the segment after it
		out = append(out, p)
	}
	return out
}

// winding returns the winding number of the loop around q, counter-clockwise.
func (l Loop) winding(q geom.Vec2) float64 {
	sum := 0.0
	for i := range l {
		sum += l[i].angleFrom(q)
	}
	return math.Round(sum / (2 * math.Pi))
}

// Winds reports whether the loop runs around q.
func (l Loop) Winds(q geom.Vec2) bool { return l.winding(q) != 0 }

// Area returns the area of the region.
func (r *Region) Area() float64 {
	sum := 0.0
	for _, l := range r.Loops {
		sum += l.Area()
	}
	return sum
}

// Contains reports whether a point lies inside; on the boundary the result may be either.
func (r *Region) Contains(q geom.Vec2) bool {
	w := 0.0
	for _, l := range r.Loops {
		w += l.winding(q)
	}
	return w > 0
}

// bounds returns the box around some segments.
func bounds(pieces []Segment) (lo, hi geom.Vec2) {
	lo = geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}
	hi = geom.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
	for i := range pieces {
		p := &pieces[i]
		if p.Turn == 0 {
			lo.X, lo.Y = min(lo.X, p.From.X, p.To.X), min(lo.Y, p.From.Y, p.To.Y)
			hi.X, hi.Y = max(hi.X, p.From.X, p.To.X), max(hi.Y, p.From.Y, p.To.Y)
			continue
		}
		lo.X = min(lo.X, -p.support(geom.Vec2{X: -1}))
		lo.Y = min(lo.Y, -p.support(geom.Vec2{Y: -1}))
		hi.X = max(hi.X, p.support(geom.Vec2{X: 1}))
		hi.Y = max(hi.Y, p.support(geom.Vec2{Y: 1}))
	}
	return lo, hi
}

// ExtentAlong returns the extent of segments along the unit vector u, from lo to hi.
func ExtentAlong(pieces []Segment, u geom.Vec2) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range pieces {
		lo, hi = min(lo, -pieces[i].support(u.Scale(-1))), max(hi, pieces[i].support(u))
	}
	return lo, hi
}
