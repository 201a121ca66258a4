package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// whole emits the outer polygon of a face that covers its surface except holes.
func (b *Builder) whole() error {
	for axis := range 2 {
		if b.period[axis] == 0 && !b.ranges[axis].IsFinite() {
			return b.fail("it has no boundary and its surface has no end")
		}
	}
	switch {
	case b.period[0] > 0 && b.period[1] > 0:
		for axis := range 2 {
			if r, ok := b.betweenPoles(axis); ok {
				return b.wholeTube([2]int{axis, 1 - axis}, axis, r)
			}
		}
		return b.wholeTorus()
	case b.period[0] > 0:
		return b.wholeTube([2]int{1, 0}, 1, b.ranges[1])
	case b.period[1] > 0:
		return b.wholeTube([2]int{0, 1}, 0, b.ranges[0])
	}
	b.patch()
	return nil
}

// betweenPoles returns the range between the two poles that a closed surface has along an axis, as one has
// that a closed curve sweeps which crosses the axis it turns about. Of the two, which cover the same surface
// where the curve is symmetrical, it is the one inside the range of the surface.
func (b *Builder) betweenPoles(axis int) (r geom.Interval, ok bool) {
	n := 0
	r = geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for i := range b.poles {
		if p := &b.poles[i]; p.fixed == axis {
			n++
			r.Lo, r.Hi = math.Min(r.Lo, p.Param), math.Max(r.Hi, p.Param)
		}
	}
	return r, n == 2 && r.Hi > r.Lo
}

// wholeTube covers a surface that is periodic in one direction over a range of the other.
func (b *Builder) wholeTube(turns [2]int, across int, over geom.Interval) error {
	a, err := b.acrossOf(turns)
	if err != nil {
		return err
	}
	lo, hi := over.Lo, over.Hi
	if coord(a.left, across) < 0 {
		lo, hi = hi, lo
	}
	return b.band(a, b.endOf(a, across, lo, false), b.endOf(a, across, hi, true))
}

// endOf returns the pole at the end of a tube, or a ring made along it.
func (b *Builder) endOf(a across, axis int, at float64, back bool) border {
	if p := b.poleAtParam(axis, at); p != nil {
		return border{ring: -1, pole: p}
	}
	start := withCoord(geom.Vec2{X: b.ranges[0].Lo, Y: b.ranges[1].Lo}, axis, at)
	return border{ring: b.makeRing(a, start, back)}
}

// wholeTorus cuts a doubly periodic surface along u, and the remaining tube along v, both clear of the holes if
// possible.
func (b *Builder) wholeTorus() error {
	a, err := b.acrossOf([2]int{1, 0})
	if err != nil {
		return err
	}
	way, ok := b.straightPath(a)
	if !ok {
		way, ok = b.freePath()
	}
	if !ok {
		return b.fail("the holes in it leave no space for a cut around its closed surface")
	}
	lower := b.makePath(a, way)
	upper := b.copyRing(lower)
	return b.band(a, border{ring: lower}, border{ring: upper, shift: a.step})
}

// makeRing adds a ring of new points along the surface and returns its chain.
func (b *Builder) makeRing(a across, start geom.Vec2, back bool) int {
	c := chain{lo: len(b.verts), turns: a.turns}
	p := b.surf.At(start.X, start.Y)
	b.verts = append(b.verts, Vertex{UV: start, P: p, Index: b.addExtra(p), Coedge: brep.None})
	b.cuts = b.cuts[:0]
	b.sampleLine(start, start.Add(a.along))
	for _, k := range b.cuts {
		b.verts = append(b.verts, Vertex{UV: k.uv, P: k.p, Index: k.index, Coedge: brep.None})
	}
	c.hi = len(b.verts)
	c.min, c.max = extent(b.verts[c.lo:c.hi])
	b.chains, b.used = append(b.chains, c), append(b.used, true)
	i := len(b.chains) - 1
	if back {
		b.turn(i)
		b.domain.Turned--
	}
	return i
}

// copyRing adds the same ring in the opposite direction.
func (b *Builder) copyRing(i int) int {
	c := b.chains[i]
	n := c.hi - c.lo
	b.verts = append(b.verts, b.verts[c.lo:c.hi]...)
	c.lo, c.hi = len(b.verts)-n, len(b.verts)
	b.chains, b.used = append(b.chains, c), append(b.used, true)
	b.turn(len(b.chains) - 1)
	b.domain.Turned--
	return len(b.chains) - 1
}

// patch emits the border of a surface that is periodic in no direction.
func (b *Builder) patch() {
	u, v := b.ranges[0], b.ranges[1]
	corners := [4]geom.Vec2{{X: u.Lo, Y: v.Lo}, {X: u.Hi, Y: v.Lo}, {X: u.Hi, Y: v.Hi}, {X: u.Lo, Y: v.Hi}}
	lo := len(b.out)
	for k, p := range corners {
		q := corners[(k+1)%4]
		pole := b.sidePole(k)
		before := b.sidePole((k + 3) % 4)
		w := Vertex{UV: p, P: b.surf.At(p.X, p.Y), Coedge: brep.None}
		switch {
		case pole != nil:
			w = b.polePoint(pole)
			w.UV = p
		case before != nil:
			w = b.polePoint(before)
			w.UV = p
		default:
			w.Index = b.addExtra(w.P)
		}
		b.out = append(b.out, w)
		if pole != nil {
			continue
		}
		b.cuts = b.cuts[:0]
		b.sampleLine(p, q)
		for _, c := range b.cuts {
			b.out = append(b.out, Vertex{UV: c.uv, P: c.p, Index: c.index, Coedge: brep.None})
		}
	}
	b.spans = append(b.spans, span{lo, len(b.out)})
}

// sidePole returns the pole that side k of the domain (bottom, right, top, left) collapses to, or nil.
func (b *Builder) sidePole(k int) *pole {
	u, v := b.ranges[0], b.ranges[1]
	switch k {
	case 0:
		return b.poleAtParam(1, v.Lo)
	case 1:
		return b.poleAtParam(0, u.Hi)
	case 2:
		return b.poleAtParam(1, v.Hi)
	default:
		return b.poleAtParam(0, u.Lo)
	}
}

// sampleCuts makes the inner points of all legs.
func (b *Builder) sampleCuts() {
	b.cuts = b.cuts[:0]
	for k := range b.legs {
		g := &b.legs[k]
		g.lo = len(b.cuts)
		from := g.p
		for _, corner := range g.via {
			b.sampleLine(from, corner)
			p := b.surf.At(corner.X, corner.Y)
			b.cuts = append(b.cuts, cutPoint{corner, p, b.addExtra(p)})
			from = corner
		}
		b.sampleLine(from, g.q)
		g.hi = len(b.cuts)
	}
}

// sampleLine appends the inner points of a straight line of the parameter plane to cuts, so close
// that the surface keeps to the options' tolerances between them.
func (b *Builder) sampleLine(p, q geom.Vec2) {
	const parts = 4 // always divided into this many: a wave may hide between the first chords
	a := b.surf.At(p.X, p.Y)
	straight := b.isStraight(p, q) && !b.isLong(a, b.surf.At(q.X, q.Y))
	for k := 1; k <= parts; k++ {
		from, to := p.Lerp(q, float64(k-1)/parts), p.Lerp(q, float64(k)/parts)
		c := b.surf.At(to.X, to.Y)
		b.bisect(from, to, a, c, maxDepth)
		if k < parts && !straight {
			b.cuts = append(b.cuts, cutPoint{to, c, b.addExtra(c)})
		}
		a = c
	}
}

// maxDepth bounds the bisection of a cut: 2^8 points on a quarter of it.
const maxDepth = 8

// bisect appends the inner points between from and to, whose surface points are a and c.
func (b *Builder) bisect(from, to geom.Vec2, a, c geom.Vec3, depth int) {
	if depth == 0 {
		return
	}
	mid := from.Lerp(to, 0.5)
	m := b.surf.At(mid.X, mid.Y)
	in, out := m.Sub(a), c.Sub(m)
	sag := m.Dist(a.Lerp(c, 0.5))
	isFine := !b.isLong(a, c) && sag <= math.Max(b.opts.ChordTolerance, geom.Resolution)
	turn := 2 * in.Angle(out) // the halves differ by half of the difference of the end tangents
	if b.opts.AngleTolerance > 0 && turn > b.opts.AngleTolerance && sag > geom.Resolution {
		isFine = false
	}
	if isFine {
		return
	}
	b.bisect(from, mid, a, m, depth-1)
	b.cuts = append(b.cuts, cutPoint{mid, m, b.addExtra(m)})
	b.bisect(mid, to, m, c, depth-1)
}

// isLong reports whether two points of a cut need one between them for any surface.
func (b *Builder) isLong(a, c geom.Vec3) bool {
	return b.opts.CutLength > 0 && a.Dist(c) > b.opts.CutLength
}

// isStraight reports whether the surface keeps to one chord along the line.
func (b *Builder) isStraight(p, q geom.Vec2) bool {
	a, c := b.surf.At(p.X, p.Y), b.surf.At(q.X, q.Y)
	for _, s := range []float64{0.25, 0.5, 0.75} {
		uv := p.Lerp(q, s)
		if b.surf.At(uv.X, uv.Y).Dist(a.Lerp(c, s)) > geom.Resolution {
			return false
		}
	}
	return true
}
