package iges

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// The lines of a ruled surface (118) join points of equal arc length on both rails, as fractions of the whole (form 0),
// or points of equal parameter (form 1).
//
// If the rational Bézier forms of both rails have equal fractions at equal parameters, the surface is exact: for lines,
// arcs of one angle, B-splines by parameter, and any curve with a point. Other rails become cubic Hermite pieces in the
// fraction, halved until they are within railFit of the rail (their error falls with the fourth power of their length).

const (
	// railFit (mm) is the maximum distance between a rail and its cubic pieces: the resolution of points.
	railFit = geom.Resolution
	// railShare is the maximum distance as a fraction of the rail's size, for huge rails: sixteen digits, less
	// rounding.
	railShare = 1e-10
	// maxHalvings and maxCubics limit the pieces of a rail. A circle of 10 m needs 2⁹.
	maxHalvings = 12
	maxCubics   = 1 << 12
)

// rail is one of the curves that a ruled surface joins: pieces end to end, or a point if it has no pieces.
type rail struct {
	at       geom.Vec3 // if the rail is a point
	pieces   []curve.Curve
	ends     []float64 // fractions at the ends of the pieces, from 0 to 1
	lengths  []float64 // mm, of the pieces; nil if fractions refer to the parameter
	tol      float64   // mm
	exact    rational
	hasExact bool
}

// ruledSurface reads the lines between two curves (118).
func (r *reader) ruledSurface(e *deck.Entity, p deck.Params) (patch, error) {
	first, second := p.Pointer(), p.Pointer()
	opposite := p.Bool()
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	a, err := r.rail(e, first, e.Form == 0, false)
	if err != nil {
		return patch{}, err
	}
	b, err := r.rail(e, second, e.Form == 0, opposite)
	if err != nil {
		return patch{}, err
	}
	if len(a.pieces)+len(b.pieces) == 0 {
		return patch{}, deck.Fail(e, "joins two points")
	}
	ra, rb := a.exact, b.exact
	if !a.inStep(b) {
		ra, rb = a.cubics(), b.cubics()
	}
	s, err := ruled(ra, rb)
	if err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return parametrized(s), nil
}

// rail reads a rail; a point (116) is a rail of zero length.
func (r *reader) rail(of *deck.Entity, de int, byLength, backwards bool) (*rail, error) {
	e, err := r.at(of, de)
	if err != nil {
		return nil, err
	}
	if e.Type == 116 {
		at, err := r.pointOf(of, de)
		return pointRail(at), err
	}
	pieces, err := r.curve(e)
	if err != nil {
		return nil, err
	}
	arrange(pieces)
	if backwards {
		pieces = reversed(pieces)
	}
	start := pieces[0].start()
	pieces = slices.DeleteFunc(pieces, func(p piece) bool { return p.size() <= shortest })
	if len(pieces) == 0 {
		return pointRail(start), nil
	}
	out := &rail{tol: railFit, ends: []float64{0}}
	total := 0.0
	for i := range pieces {
		p := &pieces[i]
		c, err := p.curve()
		if err != nil {
			return nil, deck.Fail(e, "has no valid geometry: %v", err)
		}
		out.pieces = append(out.pieces, c)
		out.tol = max(out.tol, railShare*p.size())
		weight := p.iv.Length()
		switch {
		case byLength:
			weight = curve.Length(c, c.Domain())
			out.lengths = append(out.lengths, weight)
		case c.Kind() == curve.KindLine || p.c.Kind() == curve.KindLine:
			weight = 1 // a line has the parameters 0 to 1
		}
		total += weight
		out.ends = append(out.ends, total)
	}
	for i := range out.ends {
		out.ends[i] /= total
	}
	if len(pieces) == 1 {
		out.exact, out.hasExact = rationalOf(pieces[0])
	}
	return out, nil
}

func pointRail(at geom.Vec3) *rail {
	return &rail{at: at, exact: rational{1, []float64{0, 1}, [][]hom{{{at, 1}, {at, 1}}}}, hasExact: true}
}

// inStep reports whether the exact forms of two rails have equal fractions at equal parameters.
func (a *rail) inStep(b *rail) bool {
	if !a.hasExact || !b.hasExact {
		return false
	}
	if len(a.pieces) == 0 || len(b.pieces) == 0 {
		return true
	}
	const probes = 8 // per piece of the finer rail
	n := probes * max(len(a.exact.pieces), len(b.exact.pieces))
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		sa, sb := a.share(a.exact.at(t)), b.share(b.exact.at(t))
		if math.Abs(sa-sb)*max(a.size(), b.size()) > max(a.tol, b.tol) {
			return false
		}
	}
	return true
}

// size is the extent of a rail of one piece, mm.
func (a *rail) size() float64 { return a.pieces[0].Bounds(a.pieces[0].Domain()).Diagonal() }

// share returns the fraction of a one-piece rail from its start to the point p on it.
func (a *rail) share(p geom.Vec3) float64 {
	c := a.pieces[0]
	dom := c.Domain()
	t, _ := curve.InvertIn(c, p, dom)
	if a.lengths == nil {
		return (t - dom.Lo) / dom.Length()
	}
	return curve.Length(c, geom.Interval{Lo: dom.Lo, Hi: t}) / a.lengths[0]
}

// cubics returns the rail as cubic pieces whose parameter is the fraction.
func (a *rail) cubics() rational {
	if len(a.pieces) == 0 {
		return a.exact
	}
	out := rational{degree: 3, breaks: []float64{0}}
	for i, c := range a.pieces {
		dom := c.Domain()
		ends := append(append([]float64{dom.Lo}, curve.Breaks(nil, c, dom)...), dom.Hi)
		h := hermite{c: c, out: &out, tol: a.tol, scale: (a.ends[i+1] - a.ends[i]) / dom.Length()}
		if a.lengths != nil {
			h.byLength, h.scale = true, (a.ends[i+1]-a.ends[i])/a.lengths[i]
		}
		at := a.ends[i]
		for k := 1; k < len(ends); k++ {
			at = h.add(ends[k-1], ends[k], at, 0)
		}
	}
	last := len(out.breaks) - 1
	for i := range out.breaks {
		out.breaks[i] /= out.breaks[last] // 1 within rounding
	}
	return out
}

// hermite approximates one curve by cubics. The fraction grows by scale times the length or the parameter.
type hermite struct {
	c        curve.Curve
	out      *rational
	scale    float64
	byLength bool
	tol      float64 // mm
}

// shares returns the growth of the share from a to b.
func (h *hermite) shares(a, b float64) float64 {
	if h.byLength {
		return h.scale * curve.Length(h.c, geom.Interval{Lo: a, Hi: b})
	}
	return h.scale * (b - a)
}

// add appends the pieces for the smooth part of the curve from a to b, which begins at the share from, and
// returns the share at which it ends.
func (h *hermite) add(a, b, from float64, depth int) float64 {
	const inside = 1e-9 // of the part; exactly at its ends, derivatives may be those of the adjacent part
	width := h.shares(a, b)
	da, db := h.derivative(a+inside*(b-a)), h.derivative(b-inside*(b-a))
	p, q := h.c.At(a), h.c.At(b)
	cubic := []hom{{p, 1}, {p.AddScaled(width/3, da), 1}, {q.AddScaled(-width/3, db), 1}, {q, 1}}
	if depth < maxHalvings && len(h.out.pieces) < maxCubics && !h.fits(cubic, width, a, b) {
		return h.add((a+b)/2, b, h.add(a, (a+b)/2, from, depth+1), depth+1)
	}
	h.out.pieces = append(h.out.pieces, cubic)
	h.out.breaks = append(h.out.breaks, from+width)
	return from + width
}

// derivative returns the derivative by the share.
func (h *hermite) derivative(t float64) geom.Vec3 {
	_, d := h.c.D1(t)
	if h.byLength {
		return d.Unit().Scale(1 / h.scale)
	}
	return d.Scale(1 / h.scale)
}

// fits reports whether a cubic over a width of shares is within the tolerance of the curve over a … b.
func (h *hermite) fits(cubic []hom, width, a, b float64) bool {
	for _, x := range [...]float64{0.25, 0.5, 0.75} {
		t := a + x*(b-a)
		if !(casteljau(cubic, h.shares(a, t)/width).p.Dist(h.c.At(t)) <= h.tol) {
			return false
		}
	}
	return true
}

// casteljau evaluates a Bézier piece at t.
func casteljau(piece []hom, t float64) hom {
	work := slices.Clone(piece)
	for level := len(work) - 1; level > 0; level-- {
		for i := range level {
			work[i] = work[i].lerp(work[i+1], t)
		}
	}
	return work[0]
}

// at returns the point at t in [0, 1].
func (r *rational) at(t float64) geom.Vec3 {
	k := 0
	for k < len(r.pieces)-1 && r.breaks[k+1] <= t {
		k++
	}
	h := casteljau(r.pieces[k], (t-r.breaks[k])/(r.breaks[k+1]-r.breaks[k]))
	return h.p.Scale(1 / h.w)
}
