package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// border closes a band on one side: a ring moved by whole periods, or a pole.
type border struct {
	ring  int // index into Builder.chains; -1 for a pole
	pole  *pole
	shift [2]int
}

// across measures the direction in which rings follow each other: to the left of their own direction.
type across struct {
	turns  [2]int    // of a ring that has its face above
	along  geom.Vec2 // the same in the parameter plane
	left   geom.Vec2 // unit
	period float64   // distance after which the surface repeats, 0 when it does not
	step   [2]int    // whole periods that lead one such distance to the left
}

// bands sorts the rings and emits the polygon of each band between two of them, or between one and a pole.
func (b *Builder) bands() error {
	a, err := b.acrossOf(b.chains[b.rings[0]].turns)
	if err != nil {
		return err
	}
	for _, i := range b.rings {
		if t := b.chains[i].turns; t != a.turns && t != [2]int{-a.turns[0], -a.turns[1]} {
			return b.fail("two of its loops run around its surface and must cross")
		}
	}
	for _, i := range b.discs { // inside a band all discs are holes
		if b.chains[i].area > 0 {
			b.turn(i)
		}
	}
	b.sortRings(a)
	if a.period > 0 {
		return b.closedBands(a)
	}
	return b.openBands(a)
}

func (b *Builder) acrossOf(turns [2]int) (across, error) {
	if turns[0] < 0 || turns[0] == 0 && turns[1] < 0 {
		turns = [2]int{-turns[0], -turns[1]}
	}
	a := across{turns: turns, along: b.shifted(geom.Vec2{}, turns)}
	a.left = geom.Vec2{X: -a.along.Y, Y: a.along.X}.Scale(1 / a.along.Norm())
	// One step to the left closes the cell of the lattice: turns × step = 1.
	step, ok := [2]int{}, false
	for i := 0; i <= max(turns[0], -turns[1], turns[1]) && !ok; i++ {
		for _, x := range []int{i, -i} {
			switch {
			case turns[0] == 0 && -x*turns[1] == 1:
				step, ok = [2]int{x, 0}, true
			case turns[0] != 0 && (1+x*turns[1])%turns[0] == 0:
				step, ok = [2]int{x, (1 + x*turns[1]) / turns[0]}, true
			}
			if ok {
				break
			}
		}
	}
	if !ok {
		return a, b.fail("a loop runs around its surface more than once")
	}
	if b.period[0] > 0 && b.period[1] > 0 {
		a.step = step
		a.period = b.shifted(geom.Vec2{}, step).Dot(a.left)
	}
	return a, nil
}

// height is the mean place of a ring across its direction, along which it is taken: of two rings that bound a face the
// one above has the larger, however deep they reach into each other.
func (b *Builder) height(i int, a across) float64 {
	sum := 0.0
	c := &b.chains[i]
	vs := b.verts[c.lo:c.hi]
	along := b.shifted(geom.Vec2{}, c.turns)
	for k := range vs {
		next := vs[0].UV.Add(along)
		if k+1 < len(vs) {
			next = vs[k+1].UV
		}
		sum += 0.5 * vs[k].UV.Add(next).Dot(a.left) * next.Sub(vs[k].UV).Dot(along)
	}
	return sum / along.Norm2()
}

func (b *Builder) sortRings(a across) {
	r := b.rings
	for i := 1; i < len(r); i++ {
		for j := i; j > 0 && b.height(r[j], a) < b.height(r[j-1], a); j-- {
			r[j], r[j-1] = r[j-1], r[j]
		}
	}
}

// openBands pairs the rings of a surface that does not repeat across them.
func (b *Builder) openBands(a across) error {
	if len(b.rings) == 2 { // a face in one piece lies between its two rings
		if b.chains[b.rings[0]].turns != a.turns {
			b.turn(b.rings[0])
		}
		if b.chains[b.rings[1]].turns == a.turns {
			b.turn(b.rings[1])
		}
	}
	if len(b.rings) == 1 {
		i := b.rings[0]
		up := b.chains[i].turns == a.turns
		if b.poleBeyond(i, a, up) == nil && b.poleBeyond(i, a, !up) != nil {
			b.turn(i)
		}
	}
	for k := 0; k < len(b.rings); k++ {
		i := b.rings[k]
		up := b.chains[i].turns == a.turns
		switch {
		case up && k+1 < len(b.rings) && b.chains[b.rings[k+1]].turns != a.turns:
			k++
			if err := b.band(a, border{ring: i}, border{ring: b.rings[k]}); err != nil {
				return err
			}
		case k == 0 && !up || k == len(b.rings)-1 && up:
			p := b.poleBeyond(i, a, up)
			if p == nil {
				return b.fail("a loop runs around its surface and nothing bounds it on the other side")
			}
			lower, upper := border{ring: -1, pole: p}, border{ring: i}
			if up {
				lower, upper = upper, lower
			}
			if err := b.band(a, lower, upper); err != nil {
				return err
			}
		default:
			return b.fail("two neighboring loops run around its surface in the same direction")
		}
	}
	return nil
}

// poleBeyond returns the nearest pole above or below a ring that runs along it, or nil.
func (b *Builder) poleBeyond(i int, a across, above bool) *pole {
	c := &b.chains[i]
	var best *pole
	nearest := math.Inf(1)
	for k := range b.poles {
		p := &b.poles[k]
		if a.turns[p.fixed] != 0 {
			continue
		}
		side := coord(a.left, p.fixed)
		if !above {
			side = -side
		}
		// The ring may touch the pole with a vertex, so its middle, not its extent, is compared.
		mid := 0.5 * (coord(c.min, p.fixed) + coord(c.max, p.fixed))
		if d := (p.Param - mid) * side; d > 0 && d < nearest {
			best, nearest = p, d
		}
	}
	return best
}

// closedBands pairs every ring that has its face above with the next one that has it below, on a
// surface that repeats across them.
func (b *Builder) closedBands(a across) error {
	up := 0
	for _, i := range b.rings {
		if b.chains[i].turns == a.turns {
			up++
		}
	}
	if 2*up != len(b.rings) {
		return b.fail("a loop runs around its surface and has no counterpart")
	}
	const same = 1e-9 // share of the period: both sides of one edge
	for _, i := range b.rings {
		if b.chains[i].turns != a.turns {
			continue
		}
		best, gap := border{}, math.Inf(1)
		for _, j := range b.rings {
			if b.chains[j].turns == a.turns {
				continue
			}
			d := (b.height(j, a) - b.height(i, a)) / a.period
			k := -math.Floor(d - same)
			if d -= same; d+k < gap {
				gap = d + k
				best = border{ring: j, shift: [2]int{int(k) * a.step[0], int(k) * a.step[1]}}
			}
		}
		if err := b.band(a, border{ring: i}, best); err != nil {
			return err
		}
	}
	return nil
}

// band emits the polygon between two borders: along the lower one, up the cut, back along the upper
// one, and down the same cut one turn earlier.
func (b *Builder) band(a across, lower, upper border) error {
	if !b.findCut(a, lower, upper) {
		return b.fail("its loops leave no space for a cut from one side to the other")
	}
	b.sampleCuts()
	lo := len(b.out)
	first, last := &b.legs[0], &b.legs[len(b.legs)-1]
	b.alongBorder(lower, first.from, first.p, a.along)
	b.alongCut(a.along, false)
	b.alongBorder(upper, last.to, last.q.Add(a.along), a.along.Scale(-1))
	b.alongCut(geom.Vec2{}, true)
	b.spans = append(b.spans, span{lo, len(b.out)})
	return nil
}

// alongBorder follows a border once around from vertex start, which is at uv, and ends with the corner where the next
// cut starts.
func (b *Builder) alongBorder(s border, start int, uv, along geom.Vec2) {
	if s.ring < 0 {
		v := b.polePoint(s.pole)
		v.UV = uv
		b.out = append(b.out, v)
		v.UV = uv.Add(along)
		b.out = append(b.out, v)
		return
	}
	c := &b.chains[s.ring]
	vs := b.verts[c.lo:c.hi]
	d := uv.Sub(vs[start].UV)
	for k := range vs {
		v := vs[(start+k)%len(vs)]
		v.UV = v.UV.Add(d)
		if start+k >= len(vs) {
			v.UV = v.UV.Add(along)
		}
		b.out = append(b.out, v)
	}
	b.corner(vs[start], uv.Add(along))
}

// corner emits a vertex again as the start of a cut.
func (b *Builder) corner(v Vertex, uv geom.Vec2) {
	b.out = append(b.out, Vertex{UV: uv, P: v.P, Index: v.Index, Coedge: -1})
}

// alongCut follows the legs of the cut moved by d, upward or downward, with the holes along them.
func (b *Builder) alongCut(d geom.Vec2, down bool) {
	for n := range b.legs {
		k := n
		if down {
			k = len(b.legs) - 1 - n
		}
		g := &b.legs[k]
		for i := g.lo; i < g.hi; i++ {
			c := &b.cuts[i]
			if down {
				c = &b.cuts[g.hi-1-(i-g.lo)]
			}
			b.out = append(b.out, Vertex{UV: c.uv.Add(d), P: c.p, Index: c.index, Coedge: -1})
		}
		switch {
		case down && k > 0:
			b.alongHole(b.legs[k-1].disc, g.from, b.legs[k-1].to, g.p.Add(d))
		case !down && k+1 < len(b.legs):
			b.alongHole(g.disc, g.to, b.legs[k+1].from, g.q.Add(d))
		}
	}
}

// alongHole follows a hole from one vertex, which is at uv, to another.
func (b *Builder) alongHole(disc, from, to int, uv geom.Vec2) {
	c := &b.chains[disc]
	vs := b.verts[c.lo:c.hi]
	d := uv.Sub(vs[from].UV)
	for k := from; k != to; k = (k + 1) % len(vs) {
		v := vs[k]
		v.UV = v.UV.Add(d)
		b.out = append(b.out, v)
	}
	b.corner(vs[to], vs[to].UV.Add(d))
}
