package trim

import (
	"math"
	"sort"

	"millwright.dev/millwright/core/kernel/geom"
)

// leg is a piece of a cut from p to q, straight or with corners: from a vertex of the border or hole below it to a
// vertex of the border or hole above it. Vertices are offsets into their chain, 0 on a pole.
type leg struct {
	p, q     geom.Vec2
	from, to int
	disc     int         // the hole at q, -1 at the upper border
	via      []geom.Vec2 // its corners
	lo, hi   int         // its inner points in Builder.cuts, from p to q
}

// cutPoint is an inner point of a cut.
type cutPoint struct {
	uv    geom.Vec2
	p     geom.Vec3
	index int32
}

// candidate is a leg to try, the least leaning first.
type candidate struct {
	p, q     geom.Vec2
	from, to int
	lean     float64
}

// asked is the number of vertices of a chain that are tried as the end of a leg.
const asked = 48

// findCut finds legs that lead from the lower to the upper border without crossing anything.
func (b *Builder) findCut(a across, lower, upper border) bool {
	b.legs, b.cuts = b.legs[:0], b.cuts[:0]
	if b.straightCut(a, lower, upper) {
		return true
	}
	if b.isWound(a) {
		b.nearest = true
		ok := b.straightCut(a, lower, upper)
		if b.nearest = false; ok {
			return true
		}
	}
	l, ok := b.bentLeg(a, lower, upper)
	if ok {
		b.legs = append(b.legs[:0], l)
	}
	return ok
}

// straightCut finds a cut of straight legs.
func (b *Builder) straightCut(a across, lower, upper border) bool {
	if l, ok := b.freeLeg(a, lower, upper, -1); ok {
		b.legs = append(b.legs, l)
		return true
	}
	return b.cutThroughHoles(a, lower, upper)
}

// freeLeg returns the least leaning free leg between two borders (or holes, given as borders), that
// does not start at the vertex except of the lower one.
func (b *Builder) freeLeg(a across, lower, upper border, except int) (leg, bool) {
	b.candidates(a, lower, upper)
	sort.SliceStable(b.tries, func(i, j int) bool { return b.tries[i].lean < b.tries[j].lean })
	if b.nearest {
		b.tries = b.tries[:min(len(b.tries), asked)]
	}
	for _, t := range b.tries {
		if t.from == except && lower.ring >= 0 {
			continue
		}
		if !b.blocked(t.p, t.q) {
			return leg{p: t.p, q: t.q, from: t.from, to: t.to, disc: -1}, true
		}
	}
	return leg{}, false
}

func (b *Builder) candidates(a across, lower, upper border) {
	b.tries = b.tries[:0]
	switch {
	case lower.ring < 0 && upper.ring < 0:
		b.poleToPole(a, lower.pole, upper.pole)
	case upper.ring < 0:
		b.ringToPole(a, lower, upper.pole, false)
	case lower.ring < 0:
		b.ringToPole(a, upper, lower.pole, true)
	default:
		b.ringToRing(a, lower, upper)
	}
}

func (b *Builder) ringToPole(a across, s border, p *pole, down bool) {
	c := &b.chains[s.ring]
	n, starts := c.hi-c.lo, b.starts(c, a)
	for k := range starts {
		i := k * n / starts
		at := b.shifted(b.verts[c.lo+i].UV, s.shift)
		t := candidate{p: at, q: withCoord(at, p.fixed, p.Param), from: i}
		if b.nearest {
			t.lean = math.Abs(coord(at, p.fixed) - p.Param)
		}
		if down {
			t.p, t.q, t.from, t.to = t.q, t.p, 0, i
		}
		b.tries = append(b.tries, t)
	}
}

func (b *Builder) ringToRing(a across, lower, upper border) {
	c, e := &b.chains[lower.ring], &b.chains[upper.ring]
	n, starts, length := c.hi-c.lo, b.starts(c, a), a.along.Norm()
	dir := a.along.Scale(1 / length)
	for k := range starts {
		i := k * n / starts
		t := candidate{p: b.shifted(b.verts[c.lo+i].UV, lower.shift), from: i, lean: math.Inf(1)}
		for j := e.lo; j < e.hi; j++ {
			q := b.shifted(b.verts[j].UV, upper.shift)
			d := q.Sub(t.p).Dot(dir) / length
			turns := math.Round(d)
			lean := math.Abs(d - turns)
			if b.nearest {
				lean = math.Hypot(lean, q.Sub(t.p).Dot(a.left)/length)
			}
			if lean < t.lean {
				t.q, t.to, t.lean = q.Sub(a.along.Scale(turns)), j-e.lo, lean
			}
		}
		b.tries = append(b.tries, t)
	}
}

// starts returns the number of vertices of a chain to try: asked, or asked for each of its turns if the nearest count.
func (b *Builder) starts(c *chain, a across) int {
	if b.nearest {
		return min(c.hi-c.lo, asked*int(math.Ceil(b.windings(c, a))))
	}
	return min(c.hi-c.lo, asked)
}

// windings returns the number of turns of a ring that a chain spans.
func (b *Builder) windings(c *chain, a across) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for k := c.lo; k < c.hi; k++ {
		x := b.verts[k].UV.Dot(a.along)
		lo, hi = min(lo, x), max(hi, x)
	}
	return (hi - lo) / a.along.Norm2()
}

// isWound reports whether a chain winds around the surface several times, like a helix: straight above a point there is
// then mostly another of its turns.
func (b *Builder) isWound(a across) bool {
	for i := range b.chains {
		if b.windings(&b.chains[i], a) > 1 {
			return true
		}
	}
	return false
}

// poleToPole tries lines between the holes, the middle of the widest gap first.
func (b *Builder) poleToPole(a across, lower, upper *pole) {
	axis := lower.free
	lo := b.ranges[axis].Lo
	at := func(x float64, lean float64) {
		p := withCoord(withCoord(geom.Vec2{}, axis, x), lower.fixed, lower.Param)
		b.tries = append(b.tries, candidate{p: p, q: withCoord(p, upper.fixed, upper.Param), lean: lean})
	}
	if len(b.discs) == 0 {
		at(lo, 0)
		return
	}
	at(b.widestGap(axis), 0)
	for k := range asked {
		at(lo+(float64(k)+0.5)*b.period[axis]/asked, 1)
	}
}

// widestGap returns the middle of the widest stretch of a periodic axis that no disc covers, or the start of the axis
// when they cover all of it.
func (b *Builder) widestGap(axis int) float64 {
	period, lo := b.period[axis], b.ranges[axis].Lo
	type cover struct{ lo, hi float64 }
	var covers []cover
	for _, i := range b.discs {
		c := &b.chains[i]
		from, to := coord(c.min, axis), coord(c.max, axis)
		k := math.Floor((from - lo) / period)
		covers = append(covers, cover{from - k*period, to - k*period})
	}
	if len(covers) == 0 {
		return lo
	}
	sort.Slice(covers, func(i, j int) bool { return covers[i].lo < covers[j].lo })
	reach := covers[0].lo
	for _, c := range covers { // a disc beyond the end of the period covers its beginning
		reach = math.Max(reach, c.hi-period)
	}
	best, width := lo, 0.0
	for k, c := range covers {
		if c.lo-reach > width {
			best, width = 0.5*(reach+c.lo), c.lo-reach
		}
		reach = math.Max(reach, c.hi)
		if next := covers[0].lo + period; k == len(covers)-1 && next-reach > width {
			best = 0.5 * (reach + next)
		}
	}
	return best
}

// blocked reports whether the segment from p to q crosses or touches any chain or any of its periodic
// copies, other than at p and q.
func (b *Builder) blocked(p, q geom.Vec2) bool {
	lo := geom.Vec2{X: math.Min(p.X, q.X), Y: math.Min(p.Y, q.Y)}
	hi := geom.Vec2{X: math.Max(p.X, q.X), Y: math.Max(p.Y, q.Y)}
	for i := range b.chains {
		c := &b.chains[i]
		d := b.shifted(geom.Vec2{}, c.turns)
		end := b.verts[c.lo].UV.Add(d)
		var from, to [2]int
		for axis, period := range b.period {
			if period > 0 {
				least := math.Min(coord(c.min, axis), coord(end, axis))
				most := math.Max(coord(c.max, axis), coord(end, axis))
				from[axis] = int(math.Ceil((coord(lo, axis)-most)/period - copyMargin))
				to[axis] = int(math.Floor((coord(hi, axis)-least)/period + copyMargin))
			}
		}
		for x := from[0]; x <= to[0]; x++ {
			for y := from[1]; y <= to[1]; y++ {
				back := b.shifted(geom.Vec2{}, [2]int{-x, -y})
				if crossesChain(b.verts[c.lo:c.hi], end, p.Add(back), q.Add(back)) {
					return true
				}
			}
		}
	}
	return false
}

// copyMargin (periods) keeps a copy that only just touches.
const copyMargin = 1e-9

// crossesChain reports whether the segment pq meets a piece of the chain other than at its own ends.
func crossesChain(vs []Vertex, end, p, q geom.Vec2) bool {
	const (
		same = 1e-10 // share of the segment: one point
		flat = 1e-12 // sine of the angle below which a piece lies on the segment
	)
	d := q.Sub(p)
	near := same * (math.Abs(d.X) + math.Abs(d.Y))
	isEnd := func(a geom.Vec2) bool {
		return math.Abs(a.X-p.X)+math.Abs(a.Y-p.Y) <= near || math.Abs(a.X-q.X)+math.Abs(a.Y-q.Y) <= near
	}
	for i := range vs {
		a, c := vs[i].UV, end
		if i+1 < len(vs) {
			c = vs[i+1].UV
		}
		sa, sc := d.Cross(a.Sub(p)), d.Cross(c.Sub(p))
		if sa > 0 && sc > 0 || sa < 0 && sc < 0 {
			continue
		}
		aEnds, cEnds := isEnd(a), isEnd(c)
		if aEnds && cEnds {
			return true
		}
		if aEnds || cEnds {
			if cEnds {
				a, c = c, a
			}
			e := c.Sub(a) // leaves an end of the segment: along it?
			in := d
			if math.Abs(a.X-q.X)+math.Abs(a.Y-q.Y) <= near {
				in = d.Scale(-1)
			}
			if math.Abs(e.Cross(in)) <= flat*e.Norm()*in.Norm() && e.Dot(in) > 0 {
				return true
			}
			continue
		}
		e := c.Sub(a)
		sp, sq := e.Cross(p.Sub(a)), e.Cross(q.Sub(a))
		if (sp > 0) == (sq > 0) && sp != 0 && sq != 0 {
			continue
		}
		return true
	}
	return false
}

// cutThroughHoles finds a cut that goes from hole to hole, by breadth-first search over the holes.
func (b *Builder) cutThroughHoles(a across, lower, upper border) bool {
	type visit struct {
		at     border
		parent int
		leg    leg // from the parent
	}
	visits := []visit{{at: lower, parent: -1, leg: leg{to: -1}}}
	seen := make([]bool, len(b.chains))
	for k := 0; k < len(visits); k++ {
		v := visits[k]
		if k > 0 {
			if l, ok := b.freeLeg(a, v.at, upper, v.leg.to); ok {
				b.legs = append(b.legs[:0], l)
				for ; k > 0; k = visits[k].parent {
					b.legs = append(b.legs, visits[k].leg)
					b.used[visits[k].at.ring] = true
				}
				for i, j := 0, len(b.legs)-1; i < j; i, j = i+1, j-1 {
					b.legs[i], b.legs[j] = b.legs[j], b.legs[i]
				}
				return true
			}
		}
		for _, i := range b.discs {
			if seen[i] || b.used[i] {
				continue
			}
			if l, ok := b.freeLeg(a, v.at, border{ring: i}, v.leg.to); ok {
				seen[i] = true
				l.disc = i
				shift := b.turnsBetween(b.verts[b.chains[i].lo+l.to].UV, l.q)
				visits = append(visits, visit{border{ring: i, shift: shift}, k, l})
			}
		}
	}
	return false
}
