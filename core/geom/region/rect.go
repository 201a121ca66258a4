package region

// The smallest enclosing rectangle.
//
// Method: rotating calipers (G. Toussaint, "Solving geometric problems with the rotating calipers",
// 1983) on the support function h(θ), which for segments and arcs is piecewise d·u(θ) + R. The hull is
// that of points set densely on the arcs; where it passes from one piece to another it has a straight
// bridge, whose exact direction is the common tangent of the two. A rectangle round a polygon is
// smallest with a side on a bridge; where arcs touch the rectangle its area may be smallest between
// two bridges too, so that every interval is searched as well.
//
// Cost: O(n log n) for the hull, O(k²) for k pieces on it, and k times searchSteps supports.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
)

const (
	arcPoints   = 24   // per full turn, for the first hull
	maxRounds   = 8    // of looking for arcs that reach over it
	wideGap     = 0.01 // rad: between nearer bridges the area differs by less than 1e-5 of itself
	searchSteps = 28   // of golden section between two bridges: the angle to 1e-6, the area to its square
	sameArea    = 1e-9 // relative: rectangles so close are one, and the shorter way round wins
)

// Rect is a rectangle: Length ≥ Width, U the direction of its length.
type Rect struct {
	Length, Width float64
	Center, U     geom.Vec2
}

// EnclosingRect returns the rectangle of the smallest area round the pieces, the one of the smaller
// perimeter among equals. It is the zero Rect for no pieces.
func EnclosingRect(pieces []Piece) Rect {
	if len(pieces) == 0 {
		return Rect{}
	}
	sites, hull := hullSites(pieces)
	angles := bridges(sites)
	c := caliper{sites: slices.Concat(sites, nearHull(pieces, hull))}
	isRound := c.hasArc()
	var best Rect
	at := make([]Rect, len(angles)+1)
	for i, a := range angles {
		at[i] = c.rect(a)
		best = smaller(best, at[i], i == 0)
	}
	if !isRound {
		return best
	}
	at[len(angles)] = at[0]
	angles = append(angles, angles[0]+math.Pi/2)
	for i := 1; i < len(angles); i++ {
		// The length changes by no more than the width for a small turn, and the other way round.
		gap, a, b := angles[i]-angles[i-1], &at[i-1], &at[i]
		lost := gap / 2 * max(a.Length*a.Length+a.Width*a.Width, b.Length*b.Length+b.Width*b.Width)
		if gap > wideGap && (a.Length*a.Width+b.Length*b.Width)/2-lost < best.Length*best.Width {
			best = smaller(best, c.rect(c.search(angles[i-1], angles[i])), false)
		}
	}
	return best
}

func smaller(a, b Rect, first bool) Rect {
	if first {
		return b
	}
	areaA, areaB := a.Length*a.Width, b.Length*b.Width
	if d := areaB - areaA; math.Abs(d) > sameArea*max(areaA, areaB) {
		if d < 0 {
			return b
		}
		return a
	}
	if b.Length+b.Width < (a.Length+a.Width)*(1-sameArea) {
		return b
	}
	return a
}

// site is what the rectangle can touch: a point, or an arc.
type site struct {
	piece  *Piece // nil for a point
	center geom.Vec2
	radius float64
}

// dot is a point of the hull and what it lies on.
type dot struct {
	at geom.Vec2
	s  site
}

// hullSites returns the points and arcs on the convex hull of the pieces, in its order.
func hullSites(pieces []Piece) ([]site, []dot) {
	var dots []dot
	for i := range pieces {
		p := &pieces[i]
		dots = append(dots, dot{p.From, site{center: p.From}}, dot{p.To, site{center: p.To}})
		if p.Turn == 0 {
			continue
		}
		n := 2 + int(arcPoints*math.Abs(p.Turn)/(2*math.Pi))
		for k := 1; k < n; k++ {
			dots = append(dots, dot{p.At(float64(k) / float64(n)), arcSite(p)})
		}
	}
	for n := 0; ; n++ {
		hull := hullOf(dots)
		sites := sitesOf(hull)
		extra := beyond(pieces, hull, sites)
		if len(extra) == 0 || n == maxRounds {
			return sites, hull
		}
		dots = append(hull, extra...)
	}
}

func arcSite(p *Piece) site { return site{piece: p, center: p.Center, radius: p.Radius()} }

// beyond returns the points of arcs that reach over a side of the hull although none of their points
// is on it.
func beyond(pieces []Piece, hull []dot, sites []site) []dot {
	c := caliper{sites: sites}
	var out []dot
	for i := range hull {
		u := unit(left(hull[i].at.Sub(hull[(i+1)%len(hull)].at)))
		if u == (geom.Vec2{}) {
			continue
		}
		reach := c.reach(u) + geom.Resolution/10
		for k := range pieces {
			if p := &pieces[k]; p.Turn != 0 && p.support(u) > reach {
				out = append(out, dot{addScaled(p.Center, p.Radius(), u), arcSite(p)})
			}
		}
	}
	return out
}

// nearHull returns the arcs that reach over a side of the polygon of hull points: between the
// directions that were looked at they may be outermost.
func nearHull(pieces []Piece, hull []dot) []site {
	var out []site
	for k := range pieces {
		p := &pieces[k]
		if p.Turn == 0 {
			continue
		}
		for i := range hull {
			u := unit(left(hull[i].at.Sub(hull[(i+1)%len(hull)].at)))
			if p.support(u) > hull[i].at.Dot(u) {
				out = append(out, arcSite(p))
				break
			}
		}
	}
	return out
}

// hullOf returns the convex hull, counter-clockwise (A. Andrew, "Another efficient algorithm for
// convex hulls in two dimensions", 1979).
func hullOf(dots []dot) []dot {
	slices.SortStableFunc(dots, func(a, b dot) int {
		return cmp.Or(cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
	})
	var hull []dot
	add := func(d dot, keep int) {
		for n := len(hull); n >= keep+2; n = len(hull) {
			a, b := hull[n-2].at, hull[n-1].at
			if b.Sub(a).Cross(d.at.Sub(a)) > 0 {
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, d)
	}
	for _, d := range dots {
		add(d, 0)
	}
	keep := len(hull) - 1
	for i := len(dots) - 2; i >= 0; i-- {
		add(dots[i], keep)
	}
	if len(hull) > 1 {
		hull = hull[:len(hull)-1] // the first once more
	}
	return hull
}

// sitesOf returns what the points of a hull lie on, each once in a row.
func sitesOf(hull []dot) []site {
	var out []site
	for _, d := range hull {
		if n := len(out); n == 0 || out[n-1] != d.s {
			out = append(out, d.s)
		}
	}
	return out
}

// bridges returns the directions, in [0, π/2), in which a side of the rectangle lies on a straight side of
// the hull, ascending; 0 alone when there is none.
func bridges(sites []site) []float64 {
	var out []float64
	for i := range sites {
		a, b := &sites[i], &sites[(i+1)%len(sites)]
		d := b.center.Sub(a.center)
		l := d.Norm()
		if l == 0 || math.Abs(b.radius-a.radius) > l {
			continue
		}
		// The outer normal u of the bridge has d·u = a.radius - b.radius.
		tilt := math.Asin((a.radius - b.radius) / l)
		angle := math.Mod(math.Atan2(d.Y, d.X)+tilt, math.Pi/2)
		if angle < 0 {
			angle += math.Pi / 2
		}
		out = append(out, angle)
	}
	if len(out) == 0 {
		return []float64{0}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// caliper measures the hull in any direction.
type caliper struct{ sites []site }

func (c *caliper) hasArc() bool {
	return slices.ContainsFunc(c.sites, func(s site) bool { return s.piece != nil })
}

func (c *caliper) reach(u geom.Vec2) float64 {
	out := math.Inf(-1)
	for i := range c.sites {
		s := &c.sites[i]
		if s.piece == nil {
			out = max(out, s.center.Dot(u))
		} else {
			out = max(out, s.piece.support(u))
		}
	}
	return out
}

// rect returns the enclosing rectangle with sides along and across angle.
func (c *caliper) rect(angle float64) Rect {
	s, co := math.Sincos(angle)
	u := geom.Vec2{X: co, Y: s}
	v := left(u)
	uHi, uLo := c.reach(u), -c.reach(u.Scale(-1))
	vHi, vLo := c.reach(v), -c.reach(v.Scale(-1))
	r := Rect{Length: uHi - uLo, Width: vHi - vLo, U: u}
	r.Center = addScaled(u.Scale((uHi+uLo)/2), (vHi+vLo)/2, v)
	if r.Length < r.Width {
		r.Length, r.Width, r.U = r.Width, r.Length, v
	}
	return r
}

// search returns the angle of the smallest rectangle found between two angles.
func (c *caliper) search(lo, hi float64) float64 {
	area := func(a float64) float64 {
		r := c.rect(a)
		return r.Length * r.Width
	}
	return golden(area, lo, hi, searchSteps)
}

// golden returns where f has a minimum between lo and hi by golden section.
func golden(f func(float64) float64, lo, hi float64, steps int) float64 {
	const g = 0.6180339887498949
	x1, x2 := hi-g*(hi-lo), lo+g*(hi-lo)
	f1, f2 := f(x1), f(x2)
	for range steps {
		if f1 <= f2 {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - g*(hi-lo)
			f1 = f(x1)
		} else {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + g*(hi-lo)
			f2 = f(x2)
		}
	}
	if f1 <= f2 {
		return x1
	}
	return x2
}
