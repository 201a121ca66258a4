package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// SampleTable provides closest points and boxes for curves that can only be evaluated: offsets, and curves on surfaces.
//
// Method: the curve is sampled once, so finely (tableSag of its size, tableTurn) that it is close to an arc between
// adjacent samples. Segments whose chord is farther than the best point by more than the sagitta are pruned. On the
// others, the zero of the derivative of the squared distance is bracketed and found by Newton's method. A box contains
// the extremum of each coordinate on each segment where its derivative changes sign. Pruning misses details between
// adjacent samples that are smaller than the sagitta. Cost: a few ns per segment and about ten evaluations per segment
// that is not pruned; no allocation after construction.
type SampleTable struct {
	c    Curve
	dom  geom.Interval
	t    []float64
	p    []geom.Vec3
	sag  float64
	size float64
}

const (
	tableSag  = 1e-3 // of the diagonal of the curve's samples
	tableTurn = 0.2  // rad between two samples
	// tableMargin is the fraction of the size by which a box is widened for rounding and for detail
	// that the samples miss.
	tableMargin = 4e-7
)

// NewTable samples c over iv, which must be finite.
func NewTable(c Curve, iv geom.Interval) *SampleTable {
	t := Sample(c, iv, 0, tableTurn)
	box := geom.EmptyBox()
	for _, x := range t {
		box = box.Add(c.At(x))
	}
	tab := &SampleTable{c: c, dom: iv, size: box.Diagonal()}
	tab.sag = tableSag * tab.size
	if tab.sag > 0 {
		t = Sample(c, iv, tab.sag, tableTurn)
	}
	tab.t = t
	tab.p = make([]geom.Vec3, len(t))
	for i, x := range t {
		tab.p[i] = c.At(x)
	}
	return tab
}

// InvertIn returns the parameter in iv of the point closest to p and the distance from p to it. iv may
// cross the seam of a periodic curve that is tabulated over a whole period; otherwise only its part
// inside the tabulated range counts.
func (b *SampleTable) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	q := tableSearch{b: b, p: p, dist: math.Inf(1)}
	period := b.c.Period()
	if period == 0 || b.dom.Contains(iv.Lo, 0) && b.dom.Contains(iv.Hi, 0) {
		q.run(clip(iv, b.dom))
		return q.t, q.dist
	}
	lo := geom.Interval{Lo: b.dom.Lo, Hi: b.dom.Lo + period}.Wrap(iv.Lo)
	shift, hi := iv.Lo-lo, lo+min(iv.Length(), period)
	q.run(geom.Interval{Lo: lo, Hi: min(hi, b.dom.Hi)})
	t, dist = q.t+shift, q.dist
	if hi > b.dom.Hi {
		q.run(geom.Interval{Lo: b.dom.Lo, Hi: hi - period})
		if q.dist < dist {
			t, dist = q.t+period+shift, q.dist
		}
	}
	return iv.Clamp(t), dist
}

type tableSearch struct {
	b       *SampleTable
	p       geom.Vec3
	t, dist float64
}

func (q *tableSearch) try(t float64, at geom.Vec3) {
	if d := at.Dist(q.p); d < q.dist {
		q.t, q.dist = t, d
	}
}

// segment returns the part of segment i inside iv and its end points; ok is false if there is none.
func (b *SampleTable) segment(i int, iv geom.Interval) (lo, hi float64, pl, ph geom.Vec3, ok bool) {
	lo, hi, pl, ph = b.t[i], b.t[i+1], b.p[i], b.p[i+1]
	if iv.Lo > hi || iv.Hi < lo {
		return lo, hi, pl, ph, false
	}
	if iv.Lo > lo {
		lo, pl = iv.Lo, b.c.At(iv.Lo)
	}
	if iv.Hi < hi {
		hi, ph = iv.Hi, b.c.At(iv.Hi)
	}
	return lo, hi, pl, ph, true
}

func (q *tableSearch) run(iv geom.Interval) {
	b := q.b
	for i := range len(b.t) - 1 {
		if lo, hi, pl, ph, ok := b.segment(i, iv); ok {
			q.try(lo, pl)
			q.try(hi, ph)
		}
	}
	for i := range len(b.t) - 1 {
		lo, hi, pl, ph, ok := b.segment(i, iv)
		if !ok || !(hi > lo) {
			continue
		}
		chord, x := ph.Sub(pl), 0.5
		if n := chord.Norm2(); n > 0 {
			x = max(0, min(1, q.p.Sub(pl).Dot(chord)/n))
		}
		if pl.AddScaled(x, chord).Dist(q.p)-b.sag >= q.dist {
			continue
		}
		t := risingRoot(func(t float64) (v, dv float64) {
			at, d1, d2 := b.c.D2(t)
			r := at.Sub(q.p)
			return d1.Dot(r), d1.Norm2() + d2.Dot(r)
		}, lo, hi, lo+x*(hi-lo), 0)
		q.try(t, b.c.At(t))
	}
}

// Bounds returns a box of the curve over iv; see InvertIn for ranges across a seam.
func (b *SampleTable) Bounds(iv geom.Interval) geom.Box {
	box := geom.EmptyBox()
	period := b.c.Period()
	switch {
	case period == 0 || b.dom.Contains(iv.Lo, 0) && b.dom.Contains(iv.Hi, 0):
		box = b.boundsInside(box, clip(iv, b.dom))
	case iv.Length() >= period:
		box = b.boundsInside(box, b.dom)
	default:
		lo := geom.Interval{Lo: b.dom.Lo, Hi: b.dom.Lo + period}.Wrap(iv.Lo)
		hi := lo + iv.Length()
		box = b.boundsInside(box, geom.Interval{Lo: lo, Hi: min(hi, b.dom.Hi)})
		if hi > b.dom.Hi {
			box = b.boundsInside(box, geom.Interval{Lo: b.dom.Lo, Hi: hi - period})
		}
	}
	return box.Grow(tableMargin * box.Diagonal() / 2)
}

func (b *SampleTable) boundsInside(box geom.Box, iv geom.Interval) geom.Box {
	for i := range len(b.t) - 1 {
		lo, hi, pl, ph, ok := b.segment(i, iv)
		if !ok {
			continue
		}
		box = box.Add(pl).Add(ph)
		if !(hi > lo) {
			continue
		}
		left := lo + (1-leftOf)*(hi-lo)
		_, l1, l2 := b.c.D2(lo)
		_, h1, h2 := b.c.D2(left)
		for axis := range 3 {
			sl, sh := coord(l1, axis), coord(h1, axis)
			if sl*sh < 0 {
				box = box.Add(b.extremum(lo, hi, axis, sl, sh))
				continue
			}
			// A slope that falls toward zero and rises again may have two zeros.
			if cl, ch := coord(l2, axis), coord(h2, axis); cl*sl < 0 && ch*sl > 0 {
				mid := lo + (hi-lo)*cl/(cl-ch)
				_, m1 := b.c.D1(mid)
				if sm := coord(m1, axis); sm*sl < 0 {
					box = box.Add(b.extremum(lo, mid, axis, sl, sm)).Add(b.extremum(mid, hi, axis, sm, sh))
				}
			}
		}
	}
	return box
}

// extremum returns the point between lo and hi where one coordinate, whose slopes there are sl and sh of
// different sign, is extremal.
func (b *SampleTable) extremum(lo, hi float64, axis int, sl, sh float64) geom.Vec3 {
	return b.c.At(risingRoot(func(t float64) (v, dv float64) {
		_, d1, d2 := b.c.D2(t)
		v, dv = coord(d1, axis), coord(d2, axis)
		if sl > 0 {
			return -v, -dv
		}
		return v, dv
	}, lo, hi, lo+(hi-lo)*sl/(sl-sh), 0))
}
