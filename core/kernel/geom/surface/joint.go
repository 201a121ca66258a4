package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// CreaseParams returns the parameters strictly inside iv of the lines u = const, or v = const when constV, along which
// a surface may have a crease: its construction does not guarantee a continuous tangent plane there. They ascend.
func CreaseParams(s Surface, constV bool, iv geom.Interval) []float64 {
	return lines(s, constV, iv, false)
}

// Breaks is CreaseParams for all lines across which a surface is not infinitely smooth; see curve.Breaks.
func Breaks(s Surface, constV bool, iv geom.Interval) []float64 { return lines(s, constV, iv, true) }

// lines returns the parameters that CreaseParams returns or, with all, those that Breaks returns.
func lines(s Surface, constV bool, iv geom.Interval, all bool) []float64 {
	switch b := s.(type) {
	case *BSpline:
		return b.lines(constV, iv, all)
	case *Offset:
		if all {
			return lines(b.base, constV, iv, all)
		}
	case *Extrusion:
		if !constV {
			return curve.Breaks(nil, b.profile, iv)
		}
	case *Revolution:
		if constV {
			return curve.Breaks(nil, b.profile, iv)
		}
	case *Trimmed:
		return b.OfBase(constV, iv, func(iv geom.Interval) []float64 { return lines(b.Base, constV, iv, all) })
	}
	return nil
}

// lines returns the knots of full multiplicity or, with all, every knot. The seam of a closed direction is included.
func (s *BSpline) lines(constV bool, iv geom.Interval, all bool) (list []float64) {
	knots, closed, dom := s.net.U, s.closedU, s.u
	if constV {
		knots, closed, dom = s.net.V, s.closedV, s.v
	}
	breaks := knots.Breaks()
	turns, last := 0.0, 0.0
	if closed {
		turns, last = math.Floor((iv.Lo-dom.Lo)/dom.Length()), math.Floor((iv.Hi-dom.Lo)/dom.Length())
	}
	for ; turns <= last; turns++ {
		for i, t := range breaks[:len(breaks)-1] {
			isSeam := i == 0
			if isSeam && !closed || !isSeam && !all && knots.Continuity(i) > 0 {
				continue
			}
			if t += turns * dom.Length(); t > iv.Lo && t < iv.Hi {
				list = append(list, t)
			}
		}
	}
	return list
}
