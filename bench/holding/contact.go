package holding

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Contact of jaws with the in-process stock.
//
// Every ray of the stock along the direction in which the jaws close is compared with the jaw at its place. Formed jaws
// are boxes in rows, each as far in as the outermost part of its row. The jaw that is milled follows the part, so a box
// touches what lies behind it by no more than its neighbors do.

const (
	near    = 0.05 // mm, between a jaw and what it touches
	deepest = 0.1  // mm, of stock in a jaw: roundings of a replay
	steep   = 1.73 // the largest slope of a wall on which a jaw presses, to its plane: 60°
)

// side is the jaw of one side.
type side struct {
	boxes []geom.Box
	inner []float64 // of each box: the face that presses
	slack []float64 // of each box: how far behind its face the part may be
}

// vise is the jaws of a setup.
type vise struct {
	axis  int // along which they close: 0 or 1
	sides [2]side
	top   float64

	plates bool // made for the part, smooth on all faces
}

func interval(b geom.Box, k int) span { return span{b.Min.Coordinate(k), b.Max.Coordinate(k)} }

// viseOf divides boxes into two jaws; false where that is not possible. All boxes of a jaw reach out equally far.
func viseOf(boxes []geom.Box) (v vise, ok bool) {
	for axis := range 2 {
		all := span{math.Inf(1), math.Inf(-1)}
		for _, b := range boxes {
			s := interval(b, axis)
			all = span{min(all.lo, s.lo), max(all.hi, s.hi)}
		}
		v = vise{axis: axis, top: math.Inf(-1)}
		apart := true
		for _, b := range boxes {
			s := interval(b, axis)
			low, high := s.lo < all.lo+near, s.hi > all.hi-near
			if apart = apart && low != high; !apart {
				break
			}
			v.top = max(v.top, b.Max.Z)
			k, inner := 0, s.hi
			if high {
				k, inner = 1, s.lo
			}
			v.sides[k].boxes, v.sides[k].inner = append(v.sides[k].boxes, b), append(v.sides[k].inner, inner)
		}
		if apart && len(v.sides[0].boxes) > 0 && len(v.sides[1].boxes) > 0 {
			for k := range v.sides { // rows along the jaw, or over its height
				v.sides[k].slack = make([]float64, len(v.sides[k].boxes))
				v.sides[k].smooth(1 - axis)
				v.sides[k].smooth(2)
			}
			return v, true
		}
	}
	return v, false
}

// smooth finds the slack of each box from its neighbors along an axis.
func (s *side) smooth(along int) {
	for i, a := range s.boxes {
		for k, b := range s.boxes {
			p, q := interval(a, along), interval(b, along)
			if i == k || math.Abs(p.hi-q.lo) > near && math.Abs(q.hi-p.lo) > near {
				continue
			}
			off := math.Abs(s.inner[i] - s.inner[k])
			if off <= steep*min(p.hi-p.lo, q.hi-q.lo)+near {
				s.slack[i] = max(s.slack[i], off)
			}
		}
	}
}

// isFormed reports whether jaws have a pocket of the part's outline.
func (v *vise) isFormed() bool { return len(v.sides[0].boxes)+len(v.sides[1].boxes) > 2 }

// cell is a piece of the contact: its range along the jaw and in height, its face, and the material behind it, mm.
type cell struct {
	x, z  span
	i, j  int
	face  float64
	thick float64
	raw   bool
}

func (c *cell) area() float64 { return (c.x.hi - c.x.lo) * (c.z.hi - c.z.lo) }

// meet returns the contact of a jaw with a body shifted along the jaw by some cells, how deep they overlap (mm), and
// over which area (mm²). Raw is the range of the raw stock along the direction of the jaws.
func (v *vise) meet(b *body, k, shift int, heights, raw span) (cells []cell, deep, over float64) {
	s, third := &v.sides[k], 1-v.axis
	var buffer []span
	for n, box := range s.boxes {
		x, z, jaw := interval(box, third), interval(box, 2), interval(box, v.axis)
		floor := max(z.lo, heights.lo)
		for i := range b.count[third] {
			if mid := b.at(third, i); mid < x.lo || mid >= x.hi || i-shift < 0 || i-shift >= b.count[third] {
				continue
			}
			for j := b.cell(2, z.lo); j <= b.cell(2, z.hi); j++ {
				mid := b.at(2, j)
				if mid < z.lo || mid >= z.hi {
					continue
				}
				buffer = b.ray(buffer, v.axis, i-shift, j)
				isIn := false
				for _, m := range buffer {
					d := min(m.hi, jaw.hi) - max(m.lo, jaw.lo)
					deep, isIn = max(deep, d), isIn || d > deepest
					face, gap := m.lo, m.lo-s.inner[n]
					if k == 1 {
						face, gap = m.hi, s.inner[n]-m.hi
					}
					if gap < -deepest || gap > near+s.slack[n] {
						continue
					}
					at := b.at(third, i)
					c := cell{i: i, j: j, face: face, thick: m.hi - m.lo}
					c.x, c.z = span{at - b.step/2, at + b.step/2}, span{mid - b.step/2, mid + b.step/2}
					c.raw = math.Abs(face-raw.lo) < near || math.Abs(face-raw.hi) < near
					if mid-b.step < floor {
						c.z.lo = floor
					}
					if mid+b.step > z.hi {
						c.z.hi = z.hi
					}
					cells = append(cells, c)
				}
				if isIn {
					over += b.step * b.step
				}
			}
		}
	}
	return cells, max(deep, 0), over
}

// opening returns the distance between the faces of the jaws that are farthest apart at the same place.
func (v *vise) opening() (most float64) {
	for i, a := range v.sides[0].boxes {
		for k, b := range v.sides[1].boxes {
			p, q := interval(a, 1-v.axis), interval(b, 1-v.axis)
			if min(p.hi, q.hi) > max(p.lo, q.lo)-near {
				most = max(most, v.sides[1].inner[k]-v.sides[0].inner[i])
			}
		}
	}
	return most
}
