package datasheets

// The narrowest gap between walls that face each other. From every point of the walls in a section, the largest free
// disc that touches the wall there grows until it touches another point (J. Ma, S. Bae, S. Choi, "3D medial axis point
// approximation using nearest neighbors and the normal field", 2012). Where that point lies opposite, the disc fills a
// gap.
//
// The middle of the disc may lie outside the plan. The ends of the arc of a notch face each other over its open side,
// and so do walls on two ledges over the pit between them. Material next to the plan at any other height obstructs a
// tool from above. So walls that face each other over a lower wall, or with an obstacle across the corner between them,
// form no gap. Nor do walls that end at an opening and do not face each other.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	facing = 150 * math.Pi / 180 // between the directions from the middle to walls that face each other
	// square is the same where one of them is round: it has every direction, so that else the flanks of any corner
	// would face each other.
	square = 177 * math.Pi / 180

	tiltTolerance = math.Pi / 6 // from the normal of a place to the middle of a disc that touches it

	fanStep   = math.Pi / 90  // between the directions at a sharp edge that juts out
	pastEnd   = math.Pi / 4   // so far round its last edge does a wall look where it ends
	straight  = 1e4           // mm: no arc has such a radius
	mostSpots = 3000          // in one section
	give      = FineChord / 2 // mm: so deep may a disc cut into the chords of the mesh
	sameRound = 5 * FineChord // mm, of two radii of one arc
	leastGap  = FineChord     // mm
)

// spot is a place of a wall that a disc may touch.
type spot struct {
	at     geom.Vec2
	normal geom.Vec2
	looks  geom.Vec2 // the normal of the wall, also at the edge where it ends
	isFlat bool
	isBank bool    // of the plan
	round  float64 // mm, how far away the middle of its arc is, infinite for a straight wall, negative behind it
	wall   int     // along the chain
	meets  int     // the wall that this one meets at the end of the chain
}

// meets reports whether two walls meet in a corner, which is not a narrow place.
func meets(a, b *spot) bool {
	return a.wall >= 0 && b.wall >= 0 && (max(a.wall-b.wall, b.wall-a.wall) <= 1 || a.meets == b.wall)
}

// edge is the radius assigned to a sharp edge.
const edge = -speck

// narrowest returns the smallest gap between walls of a plan at its base, infinite if there is no gap, and the smallest
// at any height. It is not specified which one counts where walls overhang or are curved. Walls of other features count
// if they adjoin the base or fillets at it, but not walls that go down into the base.
func (p *part) narrowest(pl *plan, f *feature.Feature, v *view, base []int, z geom.Interval) (atFoot, atAll float64) {
	const levels = 1000
	var feet []float64
	foot := func(height float64) {
		feet = append(feet, max(0, math.Ceil((height-z.Lo)/z.Length()*levels-1e-3)/levels))
	}
	for _, r := range pl.fillets {
		if _, _, own := p.box([]int{r}, v); own.Hi < z.Hi {
			foot(own.Hi)
		}
	}
	for _, r := range f.Regions {
		if _, _, own := p.box([]int{r}, v); !slices.Contains(base, r) && own.Lo < z.Hi {
			foot(own.Lo)
		}
	}
	slices.Sort(feet)
	feet = slices.Compact(feet)
	beside := make([]bool, len(pl.wall))
	for i := range beside {
		beside[i] = pl.wall[i] && !pl.in[i]
	}
	far, _ := distances(pl.grid, beside)
	isFree := func(g gap) bool {
		i := pl.cell(g.middle)
		return i < 0 || (far[i]+2)*pl.h >= 0.99*g.width/2
	}
	atFoot, atAll = math.Inf(1), math.Inf(1)
	least := func(share float64) float64 {
		best := math.Inf(1)
		at := z.Lo + share*z.Length() + 1e-7
		spots, apart := p.spots(pl, v, func(s *side) bool {
			if slices.Contains(f.Regions, int(s.region)) {
				return !slices.Contains(base, int(s.region))
			}
			i := pl.cell(pl.before(s, 0.5))
			return pl.height == nil || i >= 0 && at > pl.height[i]
		}, at)
		stretches := stretchesOf(spots)
		for i := range spots {
			if !spots[i].isBank {
				continue
			}
			if g, ok := gapAt(stretches, &spots[i], best, apart); ok && isFree(g) {
				best = g.width
			}
		}
		return best
	}
	for _, share := range feet {
		atFoot = min(atFoot, least(min(share+1e-3, 0.97)))
	}
	for _, share := range [6]float64{0.15, 0.35, 0.5, 0.65, 0.8, 0.97} {
		if len(feet) == 0 || share > feet[0] {
			atAll = min(atAll, least(share))
		}
	}
	if math.IsInf(atFoot, 1) {
		atFoot = atAll
	}
	return atFoot, min(atFoot, atAll)
}

// gap is a disc that touches walls which face each other.
type gap struct {
	width  float64 // mm
	middle geom.Vec2
}

// stretch is some spots, one after the other along the walls, with the corners of their bounding box.
type stretch struct {
	spots    []spot
	from, to geom.Vec2
}

// stretchesOf divides spots into stretches, in their order.
func stretchesOf(spots []spot) (out []stretch) {
	const size = 32
	for some := range slices.Chunk(spots, size) {
		r := stretch{some, some[0].at, some[0].at}
		for i := range some {
			at := some[i].at
			r.from = geom.Vec2{X: min(r.from.X, at.X), Y: min(r.from.Y, at.Y)}
			r.to = geom.Vec2{X: max(r.to.X, at.X), Y: max(r.to.Y, at.Y)}
		}
		out = append(out, r)
	}
	return out
}

// isAway reports whether no disc of a radius that touches a place touches a spot of the stretch too.
func (r *stretch) isAway(place geom.Vec2, radius float64) bool {
	dx := max(r.from.X-place.X, place.X-r.to.X, 0)
	dy := max(r.from.Y-place.Y, place.Y-r.to.Y, 0)
	return dx*dx+dy*dy > 4*radius*radius
}

// gapAt returns the gap in front of a spot, if it is narrower than most. Among the spots that a disc touches at once,
// within their spacing, the one that faces it best counts.
func gapAt(stretches []stretch, a *spot, most, apart float64) (gap, bool) {
	touching := func(b *spot) float64 {
		d := b.at.Sub(a.at)
		ahead := a.normal.Dot(d) - give
		if ahead <= 0 {
			return math.Inf(1)
		}
		if r := (d.Norm2() - give*give) / (2 * ahead); r > 0 {
			return r
		}
		return math.Inf(1)
	}
	least := most / 2
	for k := range stretches {
		if stretches[k].isAway(a.at, least) {
			continue
		}
		for j := range stretches[k].spots {
			least = min(least, touching(&stretches[k].spots[j]))
		}
	}
	var b *spot
	radius, best := least, math.Inf(-1)
	for k := range stretches {
		if stretches[k].isAway(a.at, least+apart/2) {
			continue
		}
		for j := range stretches[k].spots {
			c := &stretches[k].spots[j]
			r := touching(c)
			if r > least+apart/2 || r >= most/2 {
				continue
			}
			way := a.at.Add(a.normal.Scale(r)).Sub(c.at).Scale(1 / r)
			if looks := way.Sub(a.normal).Dot(c.normal); looks > best {
				radius, b, best = r, c, looks
			}
		}
	}
	if b == nil || !b.isBank || 2*radius < leastGap {
		return gap{}, false
	}
	middle := a.at.Add(a.normal.Scale(radius))
	way := middle.Sub(b.at)
	// Give aside, it is as long as the radius.
	way = way.Scale(1 / way.Norm())
	// the wall continues next to it
	if way.Dot(b.normal) < math.Cos(tiltTolerance) || a.isFlat && b.isFlat && meets(a, b) {
		return gap{}, false
	}
	if a.looks.Dot(b.looks) > math.Cos(facing) { // the ends of walls at an opening
		return gap{}, false
	}
	isEnd := func(s *spot) bool { return math.Abs(s.round-radius) <= sameRound+0.02*radius }
	turn, areFlat := square, a.isFlat && b.isFlat
	if isEnd(a) && isEnd(b) || areFlat {
		turn = facing
	}
	if b.round != edge && !areFlat {
		way = b.normal
	}
	if a.normal.Dot(way) > math.Cos(turn) {
		return gap{}, false
	}
	return gap{2*radius - give, middle}, true
}

// spots lists places all along the walls in a section, on the arcs that the chords of the mesh stand for, and how far
// apart they are at most, mm.
func (p *part) spots(pl *plan, v *view, isWall func(s *side) bool, z float64) ([]spot, float64) {
	linked, closed := chains(section(p.m, nil, v, z))
	length := 0.0
	for _, c := range linked {
		for i := range c {
			if pl.cell(c[i].from) >= 0 {
				length += c[i].length()
			}
		}
	}
	w := walk{pl: pl, v: v, isWall: isWall, step: length / mostSpots}
	for i, c := range linked {
		w.follow(c, closed[i])
	}
	return w.out, w.step
}

// walk goes along the walls in a section.
type walk struct {
	pl     *plan
	v      *view
	isWall func(s *side) bool
	step   float64 // mm
	wall   int
	out    []spot
}

// follow appends the places of one chain.
func (w *walk) follow(c []side, closed bool) {
	c = slices.DeleteFunc(slices.Clone(c), func(s side) bool { return s.length() <= speck })
	w.wall++
	first, start := w.wall, len(w.out)
	for k := range c {
		if k > 0 {
			w.fan(&c[k-1], &c[k])
			isOne := math.Abs(angleBetween(c[k-1].after, c[k].before)) <= smoothKink && isStraight(&c[k-1]) && isStraight(&c[k])
			if !isOne {
				w.wall++
			}
		}
		w.along(&c[k])
	}
	if !closed || len(c) < 2 {
		w.wall++
		return
	}
	w.fan(&c[len(c)-1], &c[0])
	for i := start; i < len(w.out); i++ { // the last one meets the first one
		if w.out[i].wall == first {
			w.out[i].meets = w.wall
		}
		if w.out[i].wall == w.wall {
			w.out[i].meets = first
		}
	}
	w.wall++
}

// isStraight reports whether a side is not a piece of an arc, however short.
func isStraight(s *side) bool { return math.Abs(s.turn())*straight <= s.length() }

// along appends places of one side.
func (w *walk) along(s *side) {
	n := 2
	if w.pl.cell(s.from) >= 0 {
		n = max(n, int(s.length()/w.step))
	}
	turn, round := s.turn(), math.Inf(1)
	if !isStraight(s) {
		round = s.length() / 2 / math.Sin(turn/2)
	}
	right := s.to.Sub(s.from).Scale(1 / s.length())
	right = geom.Vec2{X: right.Y, Y: -right.X}
	isBank := w.isWall(s) && isWall(s, w.v)
	end := w.pl.end(s)
	for k := range n + 1 {
		t := float64(k) / float64(n)
		isBank := isBank && w.pl.isBefore(s, max(end, min(1-end, t)))
		at := s.from.Lerp(s.to, t)
		if !math.IsInf(round, 1) {
			along := (2*t - 1) * math.Sin(turn/2)
			at = at.Add(right.Scale(round * (math.Sqrt(1-along*along) - math.Cos(turn/2))))
		}
		look := heading(s.before + t*turn)
		w.out = append(w.out, spot{at, look, look, math.IsInf(round, 1), isBank, round, w.wall, w.wall})
	}
}

// isBank reports whether a side is a wall, and the plan lies in front of it two cells from its end (toward -1) or from
// its beginning (toward 1).
func (w *walk) isBank(s *side, towards float64) bool {
	share := towards * 2 * w.pl.h / s.length()
	if towards < 0 {
		share++
	}
	return w.isWall(s) && isWall(s, w.v) && w.pl.isIn(w.pl.before(s, share))
}

// fan appends the directions in which the edge between two sides looks, where it juts out.
func (w *walk) fan(a, b *side) {
	kink := angleBetween(a.after, b.before)
	if kink > -smoothKink {
		return
	}
	isA, isB := w.isBank(a, -1), w.isBank(b, 1)
	for t := 0.0; t <= -kink; t += fanStep {
		isBank := isA && isB || isA && t <= pastEnd || isB && -kink-t <= pastEnd
		n := heading(a.after - t)
		one := spot{b.from, n, n, false, isBank, edge, -1, -1}
		switch {
		case isA && !isB:
			one.looks, one.isFlat = heading(a.after), isStraight(a)
		case isB && !isA:
			one.looks, one.isFlat = heading(b.before), isStraight(b)
		}
		w.out = append(w.out, one)
	}
}

func heading(angle float64) geom.Vec2 {
	s, c := math.Sincos(angle)
	return geom.Vec2{X: c, Y: s}
}
