package planning

import (
	"millwright.dev/millwright/core/kernel/geom"
)

// side is one of the directions along the axes of the workpiece, from the part to the spindle.
type side int

// sides are +Z −Z +Y −Y +X −X, in the order in which they are tried.
const sides = 6

func (s side) axis() int { return 2 - int(s)/2 }

func (s side) sign() float64 { return 1 - 2*float64(s&1) }

// String names the side by its axis.
func (s side) String() string { return [sides]string{"+z", "−z", "+y", "−y", "+x", "−x"}[s] }

func (s side) opposite() side { return s ^ 1 }

// across returns the axes square to the side.
func (s side) across() (a, b int) { return (s.axis() + 1) % 3, (s.axis() + 2) % 3 }

// dir returns the direction in the part frame.
func (s side) dir(f geom.Frame) geom.Vec3 {
	d := [3]geom.Vec3{f.X, f.Y, f.Z}[s.axis()]
	if s.sign() < 0 {
		return d.Neg()
	}
	return d
}

// span returns the range of a box along the side: of −z its z runs downward.
func (s side) span(b geom.Box) geom.Interval { return s.flip(along(b, s.axis())) }

// flip turns a range along the axis into one along the side, and back.
func (s side) flip(iv geom.Interval) geom.Interval {
	if s.sign() < 0 {
		return geom.Interval{Lo: -iv.Hi, Hi: -iv.Lo}
	}
	return iv
}

// sideOf returns the side along an axis, up or against it.
func sideOf(axis int, up bool) side {
	s := side(4 - 2*axis)
	if !up {
		s = s.opposite()
	}
	return s
}

// along returns the range of a box along an axis.
func along(b geom.Box, axis int) geom.Interval {
	return geom.Interval{Lo: b.Min.Coordinate(axis), Hi: b.Max.Coordinate(axis)}
}

// put sets the range of a box along an axis.
func put(b *geom.Box, axis int, iv geom.Interval) {
	b.Min.SetCoordinate(axis, iv.Lo)
	b.Max.SetCoordinate(axis, iv.Hi)
}

// overlap returns the intersection of two ranges; its length is negative if they are disjoint.
func overlap(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi)}
}
