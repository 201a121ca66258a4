package trim

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file finds a bent cut between two borders if all straight ones are blocked. Rings that wind back over
// themselves, as around the flutes of a milling cutter, have folds across every straight line.
//
// Method: lines perpendicular to the direction of the rings slice the face. The gaps between the loops on each line are
// the nodes of a graph. Its edges join overlapping gaps of neighboring lines if the step between them crosses nothing.
// Breadth-first search leads from a gap at the lower border to one at the upper. The path runs through each gap once,
// so it does not meet its own copies a period on. The number of lines grows until there is a path; a passage narrower
// than the distance of the most lines is not found. Cost: the lines times the pieces of the loops, only for faces
// without a free straight cut.

// bentLines are the numbers of lines that are tried.
var bentLines = [...]int{16, 64, 256}

// meeting is a crossing of a chain's piece with a line.
type meeting struct {
	x     float64 // along the line, in the first period
	chain int
	piece int
	shift geom.Vec2 // from the unwrapped chain to its copy that crosses there
}

// gap is the interval between two crossings of a line.
type gap struct {
	line        int
	left, right meeting // right.x may lie in the next period
	before      int     // the gap that the search came from, -1 at the lower border
	turns       int     // periods from the gap that it came from to this one
	x           float64 // where the path enters
	start       leg     // of a gap at the lower border: from that to the middle of the gap
	isReached   bool
}

func (g *gap) mid() float64 { return 0.5 * (g.left.x + g.right.x) }

// bent is the search for one cut.
type bent struct {
	b            *Builder
	along        int // axis of the rings
	period       float64
	lower, upper border
	lines        []float64 // places across
	gaps         []gap
	first        []int // by line: its first gap; one more at the end
}

// bentLeg returns a free leg with corners from one border to another.
func (b *Builder) bentLeg(a across, lower, upper border) (leg, bool) {
	axis := 0
	if a.turns[0] == 0 {
		axis = 1
	}
	if a.turns[1-axis] != 0 {
		return leg{}, false // rings along both periods
	}
	for _, n := range bentLines {
		s := bent{b: b, along: axis, period: b.period[axis], lower: lower, upper: upper}
		if !s.slice(n) {
			return leg{}, false
		}
		if l, ok := s.search(); ok {
			return l, true
		}
	}
	return leg{}, false
}

// place is the point of the parameter plane at x on a line.
func (s *bent) place(line int, x float64) geom.Vec2 {
	return withCoord(withCoord(geom.Vec2{}, s.along, x), 1-s.along, s.lines[line])
}

// slice puts n lines between the borders, and finds the gaps on them.
func (s *bent) slice(n int) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, side := range []border{s.lower, s.upper} {
		if side.ring < 0 {
			lo, hi = min(lo, side.pole.Param), max(hi, side.pole.Param)
			continue
		}
		c := &s.b.chains[side.ring]
		d := s.b.shifted(geom.Vec2{}, side.shift)
		lo = min(lo, coord(c.min.Add(d), 1-s.along))
		hi = max(hi, coord(c.max.Add(d), 1-s.along))
	}
	if !(hi > lo) {
		return false
	}
	const inset = 0.37 // of the distance of two lines, because loops often lie on round parameters
	for k := range n {
		s.lines = append(s.lines, lo+(float64(k)+inset)/float64(n)*(hi-lo))
		s.first = append(s.first, len(s.gaps))
		s.addGaps(k)
	}
	s.first = append(s.first, len(s.gaps))
	return true
}

func (s *bent) addGaps(line int) {
	cs := s.crossings(line)
	for i, c := range cs {
		next := cs[(i+1)%len(cs)]
		if i+1 == len(cs) {
			next.x += s.period
			next.shift = withCoord(next.shift, s.along, coord(next.shift, s.along)+s.period)
		}
		if next.x > c.x {
			s.gaps = append(s.gaps, gap{line: line, left: c, right: next, before: -1})
		}
	}
}

// crossings returns where the loops cross a line, sorted.
func (s *bent) crossings(line int) []meeting {
	var out []meeting
	b, h, other := s.b, s.lines[line], 1-s.along
	for i := range b.chains {
		c := &b.chains[i]
		vs := b.verts[c.lo:c.hi]
		end := vs[0].UV.Add(b.shifted(geom.Vec2{}, c.turns))
		from, to := 0, 0
		if p := b.period[other]; p > 0 {
			from = int(math.Ceil((h - coord(c.max, other)) / p))
			to = int(math.Floor((h - coord(c.min, other)) / p))
		}
		for copies := from; copies <= to; copies++ {
			up := withCoord(geom.Vec2{}, other, float64(copies)*b.period[other])
			for k := range vs {
				p, q := vs[k].UV.Add(up), end.Add(up)
				if k+1 < len(vs) {
					q = vs[k+1].UV.Add(up)
				}
				pv, qv := coord(p, other), coord(q, other)
				if (pv > h) == (qv > h) {
					continue
				}
				x := coord(p, s.along) + (h-pv)/(qv-pv)*(coord(q, s.along)-coord(p, s.along))
				back := -math.Floor(x/s.period) * s.period
				shift := withCoord(up, s.along, back)
				out = append(out, meeting{x: x + back, chain: i, piece: k, shift: shift})
			}
		}
	}
	slices.SortFunc(out, func(p, q meeting) int {
		return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.chain, q.chain), cmp.Compare(p.piece, q.piece))
	})
	return out
}

// search finds a path from a gap at the lower border to a gap at the upper border.
func (s *bent) search() (leg, bool) {
	var queue []int
	for i := range s.gaps {
		if l, ok := s.legTo(i, s.lower); ok {
			g := &s.gaps[i]
			g.start, g.isReached, g.x = l, true, coord(l.q, s.along)
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if l, ok := s.legTo(i, s.upper); ok {
			return s.path(i, l), true
		}
		for _, line := range []int{s.gaps[i].line - 1, s.gaps[i].line + 1} {
			if line < 0 || line >= len(s.lines) {
				continue
			}
			for k := s.first[line]; k < s.first[line+1]; k++ {
				if !s.gaps[k].isReached && s.step(i, k) {
					queue = append(queue, k)
				}
			}
		}
	}
	return leg{}, false
}

// step enters a gap of the neighboring line where it overlaps another one and nothing lies between.
func (s *bent) step(from, to int) bool {
	g, h := &s.gaps[from], &s.gaps[to]
	for turns := -1; turns <= 1; turns++ {
		d := float64(turns) * s.period
		lo, hi := max(g.left.x, h.left.x+d), min(g.right.x, h.right.x+d)
		if !(hi > lo) {
			continue
		}
		x := 0.5 * (lo + hi)
		if !s.b.blocked(s.place(g.line, x), s.place(h.line, x)) {
			h.before, h.turns, h.x, h.isReached = from, turns, x-d, true
			return true
		}
	}
	return false
}

// legTo returns a straight free leg from a border to the middle of a gap.
func (s *bent) legTo(i int, side border) (leg, bool) {
	g := &s.gaps[i]
	mid := s.place(g.line, g.mid())
	if side.ring < 0 {
		l := leg{p: withCoord(mid, 1-s.along, side.pole.Param), q: mid, disc: -1}
		return l, !s.b.blocked(l.p, l.q)
	}
	for _, c := range []meeting{g.left, g.right} {
		if c.chain != side.ring || coord(c.shift, 1-s.along) != coord(s.b.shifted(geom.Vec2{}, side.shift), 1-s.along) {
			continue
		}
		ch := &s.b.chains[c.chain]
		n := ch.hi - ch.lo
		for _, k := range []int{c.piece, c.piece + 1} {
			uv := s.b.verts[ch.lo+k%n].UV.Add(c.shift)
			if k == n {
				uv = uv.Add(s.b.shifted(geom.Vec2{}, ch.turns))
			}
			if !s.b.blocked(uv, mid) {
				return leg{p: uv, q: mid, from: k % n, disc: -1}, true
			}
		}
	}
	return leg{}, false
}

// path returns the leg that ends with the given one, from the upper border to the middle of a gap.
func (s *bent) path(last int, end leg) leg {
	out := leg{q: end.p, to: end.from, disc: -1}
	via := []geom.Vec2{end.q} // backward
	turns := 0.0
	for i := last; ; i = s.gaps[i].before {
		g := &s.gaps[i]
		at := func(x float64) geom.Vec2 { return s.place(g.line, x+turns) }
		via = append(via, at(g.x))
		if g.before < 0 {
			out.p, out.from = withCoord(g.start.p, s.along, coord(g.start.p, s.along)+turns), g.start.from
			break
		}
		turns -= float64(g.turns) * s.period
		via = append(via, s.place(s.gaps[g.before].line, g.x+turns+float64(g.turns)*s.period))
	}
	slices.Reverse(via)
	out.via = slices.Compact(via)
	return out
}
