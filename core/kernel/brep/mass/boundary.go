package mass

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
)

// curved integrates a face of any surface but planes and spheres along its boundary.
func (g *integrator) curved(d *trim.Domain) {
	lo, hi := extent(d.Polygons[0])
	g.column.set(g.surf, g.center, lo, hi)
	g.poles = g.surf.Singularities()
	inner := g.inner(lo, hi)
	g.column.setBase(inner, coord(lo, inner))
	for _, poly := range d.Polygons {
		for i := range poly {
			v, next := &poly[i], &poly[(i+1)%len(poly)]
			if e := g.edge(v); e != nil {
				g.along(e, v, next)
			} else {
				g.straight(v.UV, next.UV)
			}
		}
	}
}

// inner chooses the axis of the inner integral: across the poles, or that with more pieces.
func (g *integrator) inner(lo, hi geom.Vec2) int {
	c := &g.column
	alongU := !c.isTurned && !c.isRuled && c.spans(0, lo.X, hi.X) < c.spans(1, lo.Y, hi.Y)
	if len(g.poles) > 0 {
		alongU = !g.poles[0].ConstV
	}
	if alongU {
		return 0
	}
	return 1
}

// poleNear returns the coordinate of the pole nearest to a piece, if the piece may pass near it.
func (g *integrator) poleNear(v, next *trim.Vertex) (at float64, ok bool) {
	const near = 1.25 // lengths of the piece: a piece of a ring about the pole is 1.3 and more away
	inner, nearest := g.column.inner, near*v.P.Dist(next.P)
	for _, s := range g.poles {
		if s.ConstV != (inner == 1) {
			continue
		}
		off := math.Min(s.Point.Dist(v.P), s.Point.Dist(next.P))
		if coord(v.UV, inner) == s.Param || coord(next.UV, inner) == s.Param {
			off = 0 // an end that tolerance makes one with the pole
		}
		if off <= nearest {
			nearest, at, ok = off, s.Param, true
		}
	}
	return at, ok
}

// straight integrates along a straight line of the parameter plane.
func (g *integrator) straight(a, b geom.Vec2) {
	c := &g.column
	from, to := coord(a, c.outer), coord(b, c.outer)
	length := to - from
	if length == 0 || coord(a, c.inner) == c.base && coord(b, c.inner) == c.base {
		return
	}
	g.cuts = append(g.cuts[:0], 0)
	if c.isTurned {
		n := math.Ceil(math.Abs(length) / pieceAngle)
		for k := 1.0; k < n; k++ {
			g.cuts = append(g.cuts, k/n)
		}
	} else {
		hi := math.Max(from, to)
		for t, ok := c.next(c.outer, math.Min(from, to)); ok && t < hi; t, ok = c.next(c.outer, t) {
			g.cuts = append(g.cuts, (t-from)/length)
		}
		if length < 0 {
			slices.Reverse(g.cuts[1:])
		}
	}
	g.cuts = append(g.cuts, 1)
	for i := 1; i < len(g.cuts); i++ {
		lo, h := g.cuts[i-1], g.cuts[i]-g.cuts[i-1]
		for k, x := range gaussX {
			m := c.at(a.Lerp(b, lo+h*x))
			g.sum.add(c.sense*gaussW[k]*h*length, &m)
		}
	}
}

// along integrates along the piece of an edge between two vertices. Near a pole it measures G from the pole: the part
// of G that is constant along the pole depends on the ends alone.
func (g *integrator) along(e *brep.Edge, v, next *trim.Vertex) {
	c := &g.column
	if at, ok := g.poleNear(v, next); ok && at != c.base {
		g.straight(withCoord(v.UV, c.inner, at), withCoord(next.UV, c.inner, at))
		defer c.setBase(c.inner, c.base)
		c.setBase(c.inner, at)
	}
	if g.isIso(e, v, next) {
		return
	}
	g.cuts = append(g.cuts[:0], v.From)
	if !c.isTurned {
		g.cutAtBreaks(e, v, next)
	}
	g.cuts = append(g.cuts, v.To)
	uv := v.UV
	for i := 1; i < len(g.cuts); i++ {
		uv = g.smooth(e, g.cuts[i-1], g.cuts[i], uv, halvings)
	}
}

// halvings bounds how often a piece is halved to find where it leaves the domain of its surface.
const halvings = 8

// smooth integrates along the part of an edge between two parameters, where it crosses no break, and
// returns the place of its last node. A part that leaves the domain of the surface bends there.
func (g *integrator) smooth(e *brep.Edge, from, to float64, uv geom.Vec2, depth int) geom.Vec2 {
	var feet [len(gaussX)]struct {
		uv   geom.Vec2
		p, d geom.Vec3
	}
	c, h, held, at := &g.column, to-from, 0, uv
	for k, x := range gaussX {
		f := &feet[k]
		f.p, f.d = e.Curve.D1(from + h*x)
		var off float64
		f.uv, off = g.surf.InvertNear(f.p, at)
		at = f.uv
		if off > geom.Resolution && (c.isHeld(at, 0) || c.isHeld(at, 1)) {
			held++
		}
	}
	if held > 0 && held < len(feet) && depth > 0 && !c.isTurned {
		mid := 0.5 * (from + to)
		uv = g.smooth(e, from, mid, uv, depth-1)
		return g.smooth(e, mid, to, uv, depth-1)
	}
	for k := range feet {
		f := &feet[k]
		if rate := c.rate(f.uv, f.p, f.d); rate != 0 {
			m := c.at(f.uv)
			g.sum.add(c.sense*gaussW[k]*h*rate, &m)
		}
	}
	return at
}

// isIso reports whether a piece keeps the coordinate over which it is integrated. Near a pole the
// coordinate of a sample may be far off for a small error in space, so the latter counts.
func (g *integrator) isIso(e *brep.Edge, v, next *trim.Vertex) bool {
	const (
		still    = 1e-2 * geom.Resolution // mm: error of inversion
		turn     = 1e-3                   // fraction of the domain's width; excludes closed pieces
		rounding = 1e-12                  // share of the domain's width
	)
	c := &g.column
	at := coord(v.UV, c.outer)
	moved := math.Abs(coord(next.UV, c.outer) - at)
	if moved > turn*c.width {
		return false
	}
	if isLine(e.Curve) && c.isRuled && moved <= rounding*c.width {
		return true
	}
	for _, s := range [3]float64{1. / 3, 1. / 2, 1} {
		uv := next.UV
		if s < 1 {
			uv, _ = g.surf.InvertNear(e.Curve.At(v.From+s*(v.To-v.From)), v.UV.Lerp(next.UV, s))
		}
		_, su, sv := g.surf.D1(uv.X, uv.Y)
		if c.outer == 1 {
			su = sv
		}
		if math.Abs(coord(uv, c.outer)-at)*su.Norm() > still {
			return false
		}
	}
	return true
}

// cutAtBreaks appends to cuts where a piece crosses the lines between which the surface is smooth.
func (g *integrator) cutAtBreaks(e *brep.Edge, v, next *trim.Vertex) {
	const beside = 1e-6 // share of the piece: a crossing so near its end is the end
	n := len(g.cuts)
	for axis := range 2 {
		from, to := coord(v.UV, axis), coord(next.UV, axis)
		hi := math.Max(from, to)
		for t, ok := g.column.next(axis, math.Min(from, to)); ok && t < hi; t, ok = g.column.next(axis, t) {
			guess := (t - from) / (to - from)
			if guess > beside && guess < 1-beside {
				g.cuts = append(g.cuts, g.crossing(e, v, next, axis, t, guess))
			}
		}
	}
	slices.Sort(g.cuts[n:])
	if v.To < v.From {
		slices.Reverse(g.cuts[n:])
	}
}

// crossing returns the curve parameter of a piece at which a coordinate that changes along it passes
// at: by false position (the Illinois variant) from a guess at the share of the piece.
func (g *integrator) crossing(e *brep.Edge, v, next *trim.Vertex, axis int, at, guess float64) float64 {
	const (
		steps = 20
		found = 1e-6 // share of the piece: the integrand bends there, no more
	)
	a, b := 0.0, 1.0
	fa, fb := coord(v.UV, axis)-at, coord(next.UV, axis)-at
	x, hint, kept := guess, v.UV.Lerp(next.UV, guess), 0
	for range steps {
		hint, _ = g.surf.InvertNear(e.Curve.At(v.From+x*(v.To-v.From)), hint)
		f := coord(hint, axis) - at
		if f == 0 || b-a < found {
			break
		}
		if (f > 0) == (fb > 0) {
			if b, fb = x, f; kept == 1 { // a was kept twice: its weight is reduced
				fa *= 0.5
			}
			kept = 1
		} else {
			if a, fa = x, f; kept == 2 {
				fb *= 0.5
			}
			kept = 2
		}
		last := x
		if x = (a*fb - b*fa) / (fb - fa); math.Abs(x-last) < found {
			break
		}
	}
	return v.From + math.Max(0, math.Min(1, x))*(v.To-v.From)
}

// withCoord returns uv with another u (axis 0) or v (axis 1).
func withCoord(uv geom.Vec2, axis int, x float64) geom.Vec2 {
	if axis == 0 {
		uv.X = x
	} else {
		uv.Y = x
	}
	return uv
}

// coord returns u (axis 0) or v (axis 1).
func coord(uv geom.Vec2, axis int) float64 {
	if axis == 0 {
		return uv.X
	}
	return uv.Y
}
