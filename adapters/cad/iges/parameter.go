package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Curves in the parameter plane use the file's parameters of the surface. For B-splines these are the parameters here.
// For swept surfaces they are the parameters of the swept entity, and for elementary surfaces angles and lengths. Many
// writers use the range from 0 to 1 for swept curves instead, and some use degrees. The extent of a boundary's curves
// shows which range is used.

// parameter maps a parameter in the file to a parameter of a surface.
type parameter struct {
	file    geom.Interval // the values in the file for to.Lo and to.Hi
	to      geom.Interval
	isAngle bool // both are in rad; an extent above that of to shows degrees in the file
	isFixed bool // file is certain; the extent of the curves does not matter
}

// same is a parameter that is the same in the file.
func same(iv geom.Interval) parameter { return parameter{file: iv, to: iv, isFixed: true} }

// lengthParameter is a length in units of the file.
func (r *reader) lengthParameter() parameter {
	return parameter{file: geom.Interval{Hi: 1}, to: geom.Interval{Hi: r.mm}, isFixed: true}
}

var angleParameter = parameter{file: geom.Interval{Hi: 2 * math.Pi}, to: geom.Interval{Hi: 2 * math.Pi},
	isAngle: true}

// unitRange is the parameter range of writers that do not use the curve's own parameters.
var unitRange = geom.Interval{Hi: 1}

// fitted returns the range in the file to which the values from lo to hi refer.
func (q *parameter) fitted(lo, hi float64) geom.Interval {
	const slack = 1e-6 // of the range: rounding of written parameters
	in := func(iv geom.Interval) bool {
		s := slack * iv.Length()
		return lo >= iv.Lo-s && hi <= iv.Hi+s
	}
	fills := math.Abs(lo) <= slack && math.Abs(hi-1) <= slack
	switch {
	case q.isFixed:
	case q.isAngle && hi-lo > q.to.Length()*(1+slack):
		return geom.Interval{Lo: geom.Degrees(q.file.Lo), Hi: geom.Degrees(q.file.Hi)}
	case q.isAngle:
	case fills || !in(q.file) && in(unitRange):
		return unitRange
	}
	return q.file
}

// plane maps the parameter plane of the file to that of a surface.
type plane struct {
	first, second parameter
	swapped       bool // the file's first parameter is v
}

// inParameters moves pieces from the parameter plane of the file to that of the surface.
func (r *reader) inParameters(of *deck.Entity, flat []piece, on patch) ([]piece, error) {
	if on.params == nil {
		return nil, deck.Fail(of, "has a boundary in the parameter plane only, of a surface that has no parameters")
	}
	box := geom.EmptyBox()
	for i := range flat {
		box = box.Union(flat[i].c.Bounds(flat[i].iv))
	}
	m := on.params
	u, v := m.first.fitted(box.Min.X, box.Max.X), m.second.fitted(box.Min.Y, box.Max.Y)
	keeps := !m.swapped && u == m.first.to && v == m.second.to
	at := func(x float64, file, to geom.Interval) float64 {
		return to.Lo + (x-file.Lo)*(to.Length()/file.Length())
	}
	out := make([]piece, len(flat))
	for i, p := range flat {
		if !keeps {
			c, ok := rationalOf(p)
			if !ok {
				return nil, deck.Fail(of, "has a boundary in the parameter plane that is no line, arc or spline")
			}
			spline, err := c.spline(func(x geom.Vec3) geom.Vec3 {
				x = geom.Vec3{X: at(x.X, u, m.first.to), Y: at(x.Y, v, m.second.to)}
				if m.swapped {
					x.X, x.Y = x.Y, x.X
				}
				return x
			})
			if err != nil {
				return nil, deck.Fail(of, "has no valid boundary in the parameter plane: %v", err)
			}
			p = piece{c: spline, iv: spline.Domain()}
		}
		out[i] = p
	}
	return out, nil
}

// spline joins the pieces, their points moved, to a B-spline curve.
func (r *rational) spline(move func(geom.Vec3) geom.Vec3) (*curve.BSpline, error) {
	var points []geom.Vec3
	var weights []float64
	for k, p := range r.pieces {
		for i, h := range p {
			if i > 0 || k == 0 {
				points, weights = append(points, move(h.p.Scale(1/h.w))), append(weights, h.w)
			}
		}
	}
	return curve.NewBSpline(r.degree, fullKnots(r.breaks, r.degree), points, weights, false)
}

// misses reports whether the midpoint of a piece is farther from the surface than joint.
func misses(pieces []piece, on patch) bool {
	for i := range pieces {
		p := &pieces[i]
		if _, d := on.s.Invert(p.c.At(p.iv.Mid())); !(d <= joint) {
			return true
		}
	}
	return false
}
