package planar

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Polygon returns the loop through some points.
func Polygon(points ...geom.Vec2) Loop {
	var l Loop
	for i, p := range points {
		l = append(l, NewLine(p, points[(i+1)%len(points)]))
	}
	return l
}

// Perimeter returns the length of the whole boundary.
func (r *Region) Perimeter() float64 {
	sum := 0.0
	for _, l := range r.Loops {
		sum += l.Length()
	}
	return sum
}

// Around is Field.Around among obstacles that are all as high as can be.
func Around(outline, obstacles []Segment, closed bool) Clearance {
	all := make([]Obstacle, len(obstacles))
	for i := range obstacles {
		all[i] = Obstacle{Segment: obstacles[i], Top: math.Inf(1)}
	}
	return NewField(all).Around(outline, closed,
		ObstacleFilter{Level: math.Inf(-1), Widest: math.Inf(1), Flush: margin})
}
