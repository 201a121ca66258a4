package dexel

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// NewBlock returns the dexels of a box of material within the lattice. An empty box gives empty rays. Rays on the sides
// of the box belong to it.
func NewBlock(l Lattice, box geom.Box) (*Stock, error) {
	o := [3]float64{l.Origin.X, l.Origin.Y, l.Origin.Z}
	lo, hi := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}, [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	return newStock(l, func(bundle int, p, q float64) (float64, float64, bool) {
		b, c := Side(bundle)
		inside := lo[b]-o[b] <= p && p <= hi[b]-o[b] && lo[c]-o[c] <= q && q <= hi[c]-o[c]
		return lo[bundle] - o[bundle], hi[bundle] - o[bundle], inside
	})
}

// NewBar returns the dexels of a round bar: a cylinder of the given radius (mm) whose axis runs along a
// coordinate axis from base over length (mm).
func NewBar(l Lattice, base geom.Vec3, axis int, radius, length float64) (*Stock, error) {
	at := base.Sub(l.Origin)
	o := [3]float64{at.X, at.Y, at.Z}
	return newStock(l, func(bundle int, p, q float64) (float64, float64, bool) {
		b, c := Side(bundle)
		p, q = p-o[b], q-o[c]
		if bundle == axis {
			return o[bundle], o[bundle] + length, p*p+q*q <= radius*radius
		}
		if b != axis {
			p, q = q, p // p along the bar
		}
		h := math.Sqrt(max(radius*radius-q*q, 0))
		return o[bundle] - h, o[bundle] + h, 0 <= p && p <= length && math.Abs(q) <= radius
	})
}

// newStock fills a lattice with one span at most per ray, of the ray at (p, q) mm from the origin.
func newStock(l Lattice, span func(bundle int, p, q float64) (lo, hi float64, ok bool)) (*Stock, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	d := &Stock{Lattice: l}
	for a := range d.Bundles {
		b, c := Side(a)
		k := &d.Bundles[a]
		k.Start = make([]int32, 1, l.Rays(a)+1)
		length := float32(float64(l.Count[a]) * l.Step)
		for j := range l.Count[c] {
			for i := range l.Count[b] {
				lo, hi, ok := span(a, (float64(i)+0.5)*l.Step, (float64(j)+0.5)*l.Step)
				if s := (Span{max(float32(lo), 0), min(float32(hi), length)}); ok && s.Lo < s.Hi {
					k.Spans = append(k.Spans, s)
				}
				k.Start = append(k.Start, int32(len(k.Spans)))
			}
		}
	}
	return d, nil
}
