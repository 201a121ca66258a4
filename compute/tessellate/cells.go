package tessellate

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file cuts the loaded face along its creases into cells and meshes them one by one.
//
// Method: the boundary gets points where it crosses a crease. On model edges these are samples, which the adjacent
// faces use too, so the face requests them and is processed again; cuts and poles belong to the face alone. Between its
// points on the boundary, a crease is wholly inside the face or wholly outside. The pieces of the boundary and the
// inner pieces of the creases, which are walked once in each sense, form the loops of the cells. At a branch point, a
// loop continues with the leftmost piece. Cost: that of the triangulation, and one pass over the whole boundary for
// each crossing of a crease.

// corner is a point of a loop with the piece from it to the next.
type corner struct {
	uv     geom.Vec2
	p      geom.Vec3
	index  int32
	piece  piece
	isPole bool // the piece runs along a pole
}

// side is a piece of the loop of a cell.
type side struct {
	corner
	to   geom.Vec2
	cell int
	used bool
}

// cutter cuts the face in work.
type cutter struct {
	*worker
	creases
	surf  surface.Surface
	rings [][]corner
	stops [2][][]float64        // where the boundary has points on each crease
	known map[geom.Vec2]corner  // points on creases
	walls map[[2]geom.Vec2]bool // pieces of the boundary along creases, in both senses
	cuts  map[[3]int32]corner   // points on cuts, which have two sides
	sides []side
	asked map[int32][]float64 // places on creases, by their numbers, that cells have asked for
}

// onCrease (chord tolerances) is the maximum distance from a crease of a boundary point that counts as on it.
const onCrease = 0.05

// cut returns the loops of the cells, sorted by cell; false when the face has to wait for samples that it asked for, or
// when it cannot be cut.
func (w *worker) cut(c creases, asked map[int32][]float64) ([]side, bool) {
	k := cutter{worker: w, creases: c, surf: w.shape.surf, known: map[geom.Vec2]corner{},
		walls: map[[2]geom.Vec2]bool{},
		cuts:  map[[3]int32]corner{}, asked: asked}
	for axis, lines := range c {
		k.stops[axis] = make([][]float64, len(lines))
	}
	k.takeRings()
	before := len(w.requests)
	for i := range k.rings {
		ring, ok := k.crossed(k.rings[i])
		if !ok {
			return nil, false
		}
		k.rings[i] = ring
	}
	if len(w.requests) > before {
		return nil, false
	}
	for _, ring := range k.rings {
		k.addRing(ring)
	}
	for axis, lines := range c {
		for i := 1; i+1 < len(lines); i++ {
			k.addCrease(axis, i)
		}
	}
	slices.SortStableFunc(k.sides, func(a, b side) int { return cmp.Compare(a.cell, b.cell) })
	return k.sides, true
}

// takeRings takes the loaded rings, with points that are all but on a crease put onto it.
func (k *cutter) takeRings() {
	begin, pole := int32(0), 0
	for _, end := range k.ringEnds {
		ring := make([]corner, 0, end-begin)
		for i := begin; i < end; i++ {
			c := corner{uv: k.uv[i], p: k.p[i], index: k.index[i], piece: k.pieces[i]}
			if pole < len(k.poles) && k.poles[pole] == i {
				c.isPole = true
				pole++
			}
			ring = append(ring, c)
		}
		for axis := range k.creases {
			k.snap(ring, axis)
		}
		k.rings = append(k.rings, ring)
		begin = end
	}
}

// snap puts the corners of a ring that are next to a crease onto it: of a few that are next to each other too, as where
// the ring crosses it, the nearest one.
func (k *cutter) snap(ring []corner, axis int) {
	const few = 10 // times onCrease
	n := len(ring)
	near := make([]int, n)
	first := 0
	for i := range ring {
		atPole := ring[i].isPole || ring[(i+n-1)%n].isPole
		if near[i] = k.near(ring[i].uv, axis, atPole); near[i] == 0 {
			first = i
		}
	}
	for i := first; i < first+n; {
		line, j := near[i%n], i+1
		for j < first+n && near[j%n] == line {
			j++
		}
		if line == 0 {
			i = j
			continue
		}
		at := k.creases[axis][line]
		away := func(i int) float64 { return math.Abs(component(ring[i%n].uv, axis) - at) }
		nearest := i
		for m := i + 1; m < j; m++ {
			if away(m) < away(nearest) {
				nearest = m
			}
		}
		isAlong := ring[i%n].p.Dist(ring[(j-1)%n].p) > few*onCrease*k.run.chord
		before, after := component(ring[(i+n-1)%n].uv, axis)-at, component(ring[j%n].uv, axis)-at
		for ; i < j; i++ {
			x := component(ring[i%n].uv, axis)
			side := before
			if i > nearest {
				side = after
			}
			switch {
			case isAlong || i == nearest:
				x = at
			case (x-at)*side <= 0: // rounding has it on the wrong side
				x = at + math.Copysign(rounding*k.narrowest(axis, line), side)
			}
			ring[i%n].uv = with(ring[i%n].uv, axis, x)
		}
	}
}

// rounding is the width, as a share of a strip along a crease, of the band where the side of a point is uncertain.
const rounding = 1e-9

// narrowest returns the width of the narrower strip along a crease.
func (k *cutter) narrowest(axis, line int) float64 {
	lines := k.creases[axis]
	return min(lines[line]-lines[line-1], lines[line+1]-lines[line])
}

// near returns the crease at a point of the boundary, or 0 if there is no such crease.
func (k *cutter) near(uv geom.Vec2, axis int, atPole bool) int {
	const narrow = 0.1 // of the strip beside the crease
	lines, x := k.creases[axis], component(uv, axis)
	above, _ := slices.BinarySearch(lines, x)
	for i := max(1, above-1); i <= above && i+1 < len(lines); i++ {
		at := lines[i]
		away, width := math.Abs(x-at), k.narrowest(axis, i)
		if away <= rounding*width || !atPole && away <= narrow*width &&
			pointAt(k.surf, with(uv, axis, at)).Dist(pointAt(k.surf, uv)) <= onCrease*k.run.chord {
			return i
		}
	}
	return 0
}

// crossed returns a ring with corners at its crossings with creases, or requests them; false if they are not available.
func (k *cutter) crossed(ring []corner) ([]corner, bool) {
	out := make([]corner, 0, len(ring))
	for i, a := range ring {
		out = append(out, a)
		b := &ring[(i+1)%len(ring)]
		at := k.crossings(a.uv, b.uv)
		switch {
		case len(at) == 0:
		case a.piece.coedge == brep.None:
			out = k.crossCut(out, &a, b, at)
		default:
			for _, x := range at {
				if !k.requestCrossing(&a, b, x) {
					return nil, false
				}
			}
		}
	}
	return out, true
}

// pass is the crossing of a side with a crease: a share of the side's length, and the point.
type pass struct {
	share, at float64
	axis      int
}

// crossings returns where the straight side a–b crosses creases, from a on.
func (k *cutter) crossings(a, b geom.Vec2) (all []pass) {
	for axis, lines := range k.creases {
		x, y := component(a, axis), component(b, axis)
		lo, hi := min(x, y), max(x, y)
		first, _ := slices.BinarySearch(lines, lo)
		for i := max(1, first); i+1 < len(lines) && lines[i] < hi; i++ {
			if lines[i] > lo {
				all = append(all, pass{(lines[i] - x) / (y - x), lines[i], axis})
			}
		}
	}
	slices.SortFunc(all, func(p, q pass) int { return cmp.Or(cmp.Compare(p.share, q.share), p.axis-q.axis) })
	return all
}

// crossCut adds corners to a piece that is not on a model edge. The other side of a cut gets the same points.
func (k *cutter) crossCut(out []corner, a, b *corner, at []pass) []corner {
	const same = 1e-9 // of the side
	for i := 0; i < len(at); i++ {
		c := *a
		c.uv = with(a.uv.Lerp(b.uv, at[i].share), at[i].axis, at[i].at)
		if i+1 < len(at) && at[i+1].axis != at[i].axis && at[i+1].share-at[i].share < same { // where creases cross
			i++
			c.uv = with(c.uv, at[i].axis, at[i].at)
		}
		if a.index != b.index {
			key := [3]int32{a.index, b.index, int32(i)}
			if a.index > b.index {
				key = [3]int32{b.index, a.index, int32(len(at) - 1 - i)}
			}
			known, ok := k.cuts[key]
			if !ok {
				known = k.newCorner(c.uv)
				k.cuts[key] = known
			}
			c.p, c.index = known.p, known.index
		}
		out = append(out, c)
	}
	return out
}

// newCorner creates a surface point that is not an edge sample.
func (k *cutter) newCorner(uv geom.Vec2) corner {
	c := corner{uv: uv, p: pointAt(k.surf, uv), piece: piece{coedge: brep.None}}
	k.extra = append(k.extra, c.p)
	c.index = ^int32(len(k.extra) - 1)
	return c
}

// requestCrossing requests a sample where the edge of a side crosses a crease; false if there is no crossing, or no
// further samples are permitted.
func (k *cutter) requestCrossing(a, b *corner, x pass) bool {
	e := k.run.model.Coedges[a.piece.coedge].Edge
	lo, hi := a.piece.from, a.piece.to
	from, to := a.uv, b.uv
	rises := component(to, x.axis) > component(from, x.axis)
	const steps = 40 // to rounding
	for range steps {
		mid := 0.5 * (lo + hi)
		uv, _ := k.surf.InvertNear(k.run.model.Edges[e].Curve.At(mid), from.Lerp(to, 0.5))
		if (component(uv, x.axis) < x.at) == rises {
			lo, from = mid, uv
		} else {
			hi, to = mid, uv
		}
	}
	t, first, last := 0.5*(lo+hi), min(a.piece.from, a.piece.to), max(a.piece.from, a.piece.to)
	if k.run.lastRound || !(t > first && t < last) {
		return false
	}
	k.requests = append(k.requests, request{edge: e, lo: first, hi: last, at: t})
	return true
}

// addRing adds the sides of a ring, and records its pieces on creases.
func (k *cutter) addRing(ring []corner) {
	for i, c := range ring {
		to := ring[(i+1)%len(ring)].uv
		if c.uv == to {
			continue
		}
		k.addSide(c, to)
		for axis, lines := range k.creases {
			line, ok := slices.BinarySearch(lines, component(c.uv, axis))
			if !ok || line == 0 || line+1 == len(lines) {
				continue
			}
			k.known[c.uv] = c
			k.stops[axis][line] = append(k.stops[axis][line], component(c.uv, 1-axis))
			if component(c.uv, axis) == component(to, axis) {
				k.walls[[2]geom.Vec2{c.uv, to}], k.walls[[2]geom.Vec2{to, c.uv}] = true, true
			}
		}
	}
}

// addSide adds a side to the cell on its left.
func (k *cutter) addSide(c corner, to geom.Vec2) {
	var cell [2]int
	for axis, lines := range k.creases {
		x, y := component(c.uv, axis), component(to, axis)
		i, exact := slices.BinarySearch(lines, 0.5*(x+y))
		// Along u = const the left is the lower strip when v grows; along v = const, the upper one when u grows.
		if grows := component(to, 1-axis) > component(c.uv, 1-axis); x == y && exact && grows == (axis == 1) {
			i++
		}
		cell[axis] = max(0, min(i-1, len(lines)-2))
	}
	k.sides = append(k.sides, side{corner: c, to: to, cell: cell[0]*(len(k.creases[1])-1) + cell[1]})
}

// addCrease adds the sides along the pieces of a crease inside the face.
func (k *cutter) addCrease(axis, line int) {
	at, lines, stops := k.creases[axis][line], k.creases[1-axis], k.stops[axis][line]
	slices.Sort(stops)
	for i := 1; i < len(stops); i++ {
		lo, hi := stops[i-1], stops[i]
		p, q := uvOf(axis, at, lo), uvOf(axis, at, hi)
		if lo == hi || k.walls[[2]geom.Vec2{p, q}] || !k.contains(p.Lerp(q, 0.5), axis) {
			continue
		}
		n, _ := slices.BinarySearch(lines, lo)
		for n = max(1, n); n+1 < len(lines) && lines[n] < hi; n++ {
			if lines[n] > lo {
				k.addPart(axis, line, geom.Interval{Lo: lo, Hi: lines[n]})
				lo = lines[n]
			}
		}
		k.addPart(axis, line, geom.Interval{Lo: lo, Hi: hi})
	}
}

// contains reports whether a point on a crease of an axis, which is not on the boundary, is inside the face.
func (k *cutter) contains(q geom.Vec2, axis int) bool {
	x, y := component(q, axis), component(q, 1-axis)
	inside := false
	for _, ring := range k.rings {
		a := ring[len(ring)-1].uv
		for i := range ring {
			b := ring[i].uv
			p, r := component(a, 1-axis), component(b, 1-axis)
			if (p > y) != (r > y) {
				at := component(a, axis) + (y-p)/(r-p)*(component(b, axis)-component(a, axis))
				inside = inside != (at > x)
			}
			a = b
		}
	}
	return inside
}

// addPart adds both sides of a part of a crease.
func (k *cutter) addPart(axis, line int, part geom.Interval) {
	at, number := k.creases[axis][line], int32(1+2*line+axis)
	ts := k.alongCrease(axis, at, part, k.asked[number])
	points := make([]corner, len(ts))
	for i, t := range ts {
		uv := uvOf(axis, at, t)
		c, ok := k.known[uv]
		if !ok {
			c = k.newCorner(uv)
			k.known[uv] = c
		}
		c.isPole = false
		points[i] = c
	}
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		p.piece = piece{coedge: brep.None, crease: number, from: ts[i-1], to: ts[i]}
		q.piece = piece{coedge: brep.None, crease: number, from: ts[i], to: ts[i-1]}
		k.addSide(p, q.uv)
		k.addSide(q, p.uv)
	}
}

// looped is a cell with its loops.
type looped struct {
	number int
	loops  [][]corner
}

// cellsOf joins sides, sorted by cell, to loops.
func cellsOf(sides []side) (all []looped, ok bool) {
	for len(sides) > 0 {
		n := 1
		for n < len(sides) && sides[n].cell == sides[0].cell {
			n++
		}
		l, ok := loops(sides[:n])
		if !ok {
			return nil, false
		}
		all, sides = append(all, looped{sides[0].cell, l}), sides[n:]
	}
	return all, true
}

// loops joins the sides of one cell to closed loops; false when some side leads nowhere.
func loops(sides []side) ([][]corner, bool) {
	from := make(map[geom.Vec2][]int, len(sides))
	for i := range sides {
		from[sides[i].uv] = append(from[sides[i].uv], i)
	}
	var all [][]corner
	for first := range sides {
		if sides[first].used {
			continue
		}
		var loop []corner
		for at := first; ; {
			s := &sides[at]
			s.used = true
			loop = append(loop, s.corner)
			if s.to == sides[first].uv && farthestLeft(sides, s, from[s.to], first) == first {
				break
			}
			if at = farthestLeft(sides, s, from[s.to], absent); at == absent {
				return nil, false
			}
		}
		all = append(all, loop)
	}
	return all, true
}

// farthestLeft returns the leftmost side among the continuations of a side, absent if there is no continuation. Used
// sides do not count, except the one that closes the loop.
func farthestLeft(sides []side, s *side, next []int, closing int) int {
	best, most := absent, math.Inf(-1)
	d := s.to.Sub(s.uv)
	for _, i := range next {
		if sides[i].used && i != closing {
			continue
		}
		e := sides[i].to.Sub(sides[i].uv)
		turn := math.Atan2(d.Cross(e), d.Dot(e))
		if sides[i].to == s.uv { // back along the same side
			turn = -math.Pi
		}
		if turn > most {
			best, most = i, turn
		}
	}
	return best
}
