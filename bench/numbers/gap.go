package numbers

// The smallest gap between the walls of a plan, from one section: at many places the disc that touches the wall grows
// until it meets another place.

import (
	"math"

	"millwright/core/geom"
)

const (
	mostSpots = 1500 // along all walls
	// opposite is the cosine between the ways from two places to the middle of a disc that they are opposite in.
	opposite = -0.8660
	atOnce   = 1e-3 // share of a radius within which a disc meets places at once
	finest   = 4    // steps between places: what is smaller is a corner
	beside   = 1e-3 // rad: places are no nearer in front of each other on one wall
	tapers   = 5    // times a gap, along the walls: that far it is the inside of an acute corner
)

// spot is a place on a wall, and where the wall looks there.
type spot struct {
	at, n        geom.Vec2
	run, corners int     // which wall, and how many corners lie before it
	along        float64 // mm from the wall's beginning
}

// gap returns the smallest gap between walls of a plan that are opposite each other in the plane at height z; false
// where there are none.
func (p *part) gap(pl *plan, v *view, z float64) (float64, bool) {
	var walls []run
	length := 0.0
	linked, closed := chains(section(p.m, nil, v, z))
	for i, c := range linked {
		walls = append(walls, pl.banks(c, closed[i], v)...)
	}
	for i := range walls {
		for k := range walls[i].sides {
			length += walls[i].sides[k].length()
		}
	}
	var spots []spot
	for i := range walls {
		spots = walls[i].appendSpots(spots, i, length/mostSpots)
	}
	best := math.Inf(1)
	for i := range spots {
		if d := spots[i].meets(spots, best); d > finest*length/mostSpots {
			best = min(best, d)
		}
	}
	return best, !math.IsInf(best, 1)
}

// appendSpots appends places on a wall about a step apart, between the ends of its sides: those in corners look two
// ways.
func (r *run) appendSpots(dst []spot, id int, step float64) []spot {
	along, corners := 0.0, 0
	for i := range r.sides {
		s := &r.sides[i]
		if i > 0 && angleBetween(r.sides[i-1].after, s.before) >= cornerTurn {
			corners++
		}
		n := int(s.length()/step) + 1
		for k := range n {
			t := (float64(k) + 0.5) / float64(n)
			sin, cos := math.Sincos(s.before + t*s.turn())
			look := geom.Vec2{X: cos, Y: sin}
			dst = append(dst, spot{s.from.Lerp(s.to, t), look, id, corners, along + t*s.length()})
		}
		along += s.length()
	}
	return dst
}

// meets returns the diameter of the disc that grows from a place until it meets others, infinite where none of these is
// opposite, or where it is larger than one that is known.
func (s *spot) meets(all []spot, known float64) float64 {
	radius := known / 2
	for k := range all {
		d := all[k].at.Sub(s.at)
		if ahead := d.Dot(s.n); ahead > beside*d.Norm() {
			radius = min(radius, d.Norm2()/(2*ahead))
		}
	}
	if math.IsInf(radius, 1) {
		return radius
	}
	middle := s.at.Add(s.n.Scale(radius))
	for k := range all {
		u := middle.Sub(all[k].at)
		inCorner := all[k].run == s.run && abs(all[k].corners-s.corners) == 1 &&
			math.Abs(all[k].along-s.along) < tapers*2*radius
		if u.Norm() <= radius*(1+atOnce) && u.Dot(s.n) <= opposite*radius && !inCorner {
			return 2 * radius
		}
	}
	return math.Inf(1)
}

// inscribed returns the diameter of the largest disc in a plan, its open sides closed.
func (pl *plan) inscribed() float64 {
	outside := make([]bool, len(pl.in))
	for i := range outside {
		outside[i] = !pl.in[i]
	}
	inner, _ := distances(pl.grid, outside)
	most := 0.0
	for _, d := range inner {
		if !math.IsInf(d, 1) {
			most = max(most, d)
		}
	}
	return (2*most - 1) * pl.h
}

func abs(i int) int { return max(i, -i) }
