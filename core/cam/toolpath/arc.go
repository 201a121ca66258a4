package toolpath

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// turnTo returns by how much an arc has turned at a place on it.
func turnTo(p *planar.Segment, at geom.Vec2) float64 {
	from, to := p.From.Sub(p.Center), at.Sub(p.Center)
	turn := math.Atan2(from.Cross(to), from.Dot(to))
	switch {
	case p.Turn > 0 && turn < 0:
		turn += 2 * math.Pi
	case p.Turn < 0 && turn > 0:
		turn -= 2 * math.Pi
	}
	// At its ends an arc may seem to have gone all round, or not at all.
	if math.Abs(turn) > math.Abs(p.Turn) {
		if at.Dist(p.From) < at.Dist(p.To) {
			return 0
		}
		return p.Turn
	}
	return turn
}

// cutAt splits segments at a length.
func cutAt(pieces []planar.Segment, length float64) (head, tail []planar.Segment) {
	for i := range pieces {
		l := pieces[i].Length()
		if length >= l {
			length -= l
			continue
		}
		head = append(head, pieces[:i]...)
		if length <= geom.Resolution {
			return head, pieces[i:]
		}
		a, b := split(pieces[i], pieces[i].At(length/l))
		return append(head, a), append([]planar.Segment{b}, pieces[i+1:]...)
	}
	return pieces, nil
}

// lengthOf returns the length of a path, mm.
func lengthOf(pieces []planar.Segment) float64 { return planar.Loop(pieces).Length() }

// circle returns a full turn counter-clockwise from a place.
func circle(center, from geom.Vec2) planar.Segment { return planar.NewArc(center, from, 2*math.Pi) }

// quarter (rad) is the turn of a lead.
const quarter = math.Pi / 2
