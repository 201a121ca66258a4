package arcpoly

// The loops that bound the kept faces, and the lines and arcs of their chords.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	// farJoint (mm), or farShare of the shorter stretch, is the largest distance between the crossing of two curves and
	// the crossing of their chords. Nearly tangent curves may cross anywhere, and any point between is good enough.
	farJoint, farShare = 16 * sagitta, 0.25

	// narrow (mm) is the width, twice the area over the length, of a loop that only the error of chords causes.
	narrow = 4 * sagitta
	// thin is the same for loops of lines, which only rounding moves.
	thin = 4.0 / steps
	// short (mm) is the length of a segment that only rounding causes.
	short = 2.0 / steps
)

// tracer follows the runs between kept and dropped faces.
type tracer struct {
	*graph
	keep     func(w int32) bool
	next     []int32 // by run, the next one in its loop; -1 outside loops
	back     []bool  // the run is used against its direction
	position []int32 // by node, in the path, -1 where that does not come by
	path     []int32
	all      []stretch
	out      *Area
}

// trace returns the area whose winding numbers satisfy keep. Loops that touch themselves are separated.
func (g *graph) trace(keep func(w int32) bool) (*Area, error) {
	t := &g.walk
	t.graph, t.keep, t.out, t.path = g, keep, &Area{}, t.path[:0]
	t.next, t.back = resized(t.next, len(g.runs)), resized(t.back, len(g.runs))
	clear(t.back)
	for i := range t.next {
		t.next[i] = -1
	}
	for node := range g.nodes {
		if err := t.link(node); err != nil {
			return nil, err
		}
	}
	for i := range g.runs {
		if r := &g.runs[i]; r.from < 0 && keep(r.left) != keep(r.right) {
			t.back[i] = keep(r.right)
			t.restore([]int32{int32(i)})
		}
	}
	t.position = resized(t.position, len(g.nodes))
	for i := range t.position {
		t.position[i] = -1
	}
	for i := range g.runs {
		t.follow(int32(i))
	}
	return t.out, nil
}

// follow traverses a path from a run to its end, and restores the loops on it.
func (t *tracer) follow(k int32) {
	for t.next[k] >= 0 {
		next := t.next[k]
		t.next[k] = -1
		t.position[t.origin(k)] = int32(len(t.path))
		t.path = append(t.path, k)
		if at := t.position[t.origin(next)]; at >= 0 {
			for _, done := range t.path[at:] {
				t.position[t.origin(done)] = -1
			}
			t.restore(t.path[at:])
			t.path = t.path[:at]
		}
		k = next
	}
}

// origin returns the node at which a run, in the direction of its use, starts.
func (t *tracer) origin(run int32) int32 {
	if t.back[run] {
		return t.runs[run].to
	}
	return t.runs[run].from
}

// link sets the successor of each run that arrives at a node: the next one clockwise, so that regions that touch at the
// node stay separate.
func (t *tracer) link(node int) error {
	type end struct {
		run    int32
		leaves bool
	}
	var room [8]end
	ends := room[:0]
	for d, last := t.fan[node], t.fan[node+1]; d < last; {
		e := t.groupEnd(d, last)
		// Of several runs along one line the first represents all.
		dart := slices.Min(t.darts[d:e])
		d = e
		r := &t.runs[dart/2]
		left, right := t.keep(r.left), t.keep(r.right)
		if left == right {
			continue
		}
		t.back[dart/2] = right
		ends = append(ends, end{dart / 2, (dart%2 == 0) == left})
	}
	for i, e := range ends {
		if e.leaves {
			continue
		}
		before := ends[(i+len(ends)-1)%len(ends)]
		if !before.leaves {
			return ErrOpenResult
		}
		t.next[e.run] = before.run
	}
	return nil
}

// stretch is the chords of one curve that follow one another in a loop.
type stretch struct {
	curve  int32
	chords int32
	back   bool
	from   point
	joint  geom.Vec2 // where it begins, if that is known
	known  bool
}

// enter appends a chord, starting from one of its ends, to the stretches.
func (t *tracer) enter(chord int32, back bool, from point) {
	id := t.curve[chord]
	if n := len(t.all); n > 0 && t.all[n-1].curve == id && t.all[n-1].back == back {
		t.all[n-1].chords += t.gapPair[chord].chords
		return
	}
	t.all = append(t.all, stretch{curve: id, chords: t.gapPair[chord].chords, back: back, from: from})
}

// restore appends the loop of some runs to the result.
func (t *tracer) restore(path []int32) {
	if r := &t.runs[path[0]]; r.from >= 0 && !t.in.contains(t.nodes[r.from]) ||
		r.from < 0 && !t.in.contains(t.pts[r.chord]) {
		return
	}
	t.all = t.all[:0]
	for _, k := range path {
		r := &t.runs[k]
		lo, hi := t.loopSpan(int(t.loop[r.chord]))
		from, to := t.pts[r.chord], t.pts[r.chord]
		if r.from >= 0 {
			from, to = t.nodes[r.from], t.nodes[r.to]
		}
		if !t.back[k] {
			t.enter(r.chord, false, from)
			for n, i := r.inner, r.chord+1; n > 0; n, i = n-1, i+1 {
				if i == hi {
					i = lo
				}
				t.enter(i, false, t.pts[i])
			}
			continue
		}
		for n, i := r.inner, t.innerAt(r, r.inner-1); n > 0; n, i = n-1, i-1 {
			if i < lo {
				i = hi - 1
			}
			t.enter(i, true, to)
			to = t.pts[i]
		}
		t.enter(r.chord, true, to)
	}
	if n := len(t.all); n > 1 && t.all[0].curve == t.all[n-1].curve && t.all[0].back == t.all[n-1].back {
		t.all[0].from = t.all[n-1].from
		t.all[0].chords += t.all[n-1].chords
		t.all = t.all[:n-1]
	}
	limit, isLinked := thin, false
	for i := range t.all {
		if c := &t.curves[t.all[i].curve]; c.turn != 0 || c.isLink {
			limit = narrow
			isLinked = isLinked || c.isLink
		}
	}
	if isLinked {
		t.unlink()
	}
	l := t.pieces(t.all)
	if size := l.Area(); len(l) > 0 && !isNarrow(l, size, limit) {
		t.out.loops = append(t.out.loops, l)
		t.out.sizes = append(t.out.sizes, size)
	}
}

// isNarrow reports whether a loop of some size (mm²) is nowhere wider than limit (mm).
func isNarrow(l planar.Loop, size, limit float64) bool {
	length := 0.0
	for i := range l {
		if p := &l[i]; math.Abs(p.Turn) > math.Pi {
			length += p.Length()
		} else {
			length += math.Pi / 2 * (math.Abs(p.To.X-p.From.X) + math.Abs(p.To.Y-p.From.Y)) // no less than it is
		}
	}
	return 2*math.Abs(size) <= limit*length && 2*math.Abs(size) <= limit*l.Length()
}

// pieces makes a loop of stretches.
func (t *tracer) pieces(all []stretch) planar.Loop {
	if len(all) == 1 {
		p := t.directed(&all[0])
		if math.Abs(p.Turn) < 2*math.Pi-1e-9 {
			return nil
		}
		return planar.Loop{p}
	}
	loop := make(planar.Loop, len(all))
	for i := range all {
		loop[i] = t.directed(&all[i])
		loop[i].From = t.joint(all, i)
	}
	kept := loop[:0]
	for i := range loop {
		p := &loop[i]
		from, to := p.From, loop[(i+1)%len(loop)].From
		if i+1 == len(loop) && len(kept) > 0 {
			to = kept[0].From
		}
		if n := len(kept); n > 0 {
			from = kept[n-1].To
		}
		if c := &t.curves[all[i].curve]; p.Turn != 0 && (from != c.from || to != c.to || all[i].back) {
			p.From, p.To = from, to
			p.Turn = turnBetween(p, int(all[i].chords))
			straighten(p)
		}
		p.From, p.To = from, to
		if isFar := max(math.Abs(to.X-from.X), math.Abs(to.Y-from.Y)) > short; isFar ||
			math.Abs(p.Turn)*p.Radius() > short {
			if len(kept) == i {
				kept = loop[:i+1] // unchanged
			} else {
				kept = append(kept, *p)
			}
		} else if n := len(kept); n > 0 {
			kept[n-1].To = from
		}
	}
	if n := len(kept); n > 0 {
		kept[n-1].To = kept[0].From
	}
	return kept
}

// unlink takes links out of the loop. All of a link is nearer to the old boundary than the new one, so that
// it shows where the curves before and after it cross, or all but touch, and their chords do not.
func (t *tracer) unlink() {
	n := len(t.all)
	isLink := func(i int) bool { return t.curves[t.all[i%n].curve].isLink }
	isLinked := false
	for i := range n {
		if !isLink(i) || isLink(i+n-1) {
			continue
		}
		next := i + 1
		for ; next < i+n && isLink(next); next++ {
		}
		s := &t.all[next%n]
		s.joint, s.known = t.touch(&t.all[(i+n-1)%n], s, t.all[i].from.vec())
		isLinked = isLinked || s.known
	}
	if !isLinked {
		return
	}
	first := slices.IndexFunc(t.all, func(s stretch) bool { return s.known })
	turned := append(t.all[first:n:n], t.all[:first]...)
	t.all = t.all[:0]
	for i, s := range turned {
		if next := i; t.curves[s.curve].isLink {
			for next < n && t.curves[turned[next].curve].isLink {
				next++
			}
			if turned[next%n].known {
				continue
			}
		}
		t.all = append(t.all, s)
	}
}

// touch returns where two curves that links lead to and from p cross or all but touch, if that is near.
func (t *tracer) touch(before, after *stretch, p geom.Vec2) (geom.Vec2, bool) {
	q := after.from.vec()
	a, b := t.directed(before), t.directed(after)
	middle := p.Lerp(q, 0.5)
	x, _ := meeting(&a, &b, middle)
	isNear := x.Dist(middle) <= p.Dist(q)+farJoint && toCurve(&a, x) <= narrow && toCurve(&b, x) <= narrow
	return x, isNear
}

// toCurve returns the distance of p from the line or circle of a segment.
func toCurve(a *planar.Segment, p geom.Vec2) float64 {
	if a.Turn != 0 {
		return math.Abs(p.Dist(a.Center) - a.Radius())
	}
	d := a.To.Sub(a.From)
	return math.Abs(d.Cross(p.Sub(a.From))) / d.Norm()
}

// directed returns the whole curve of a stretch, in the direction in which the loop takes it.
func (t *tracer) directed(s *stretch) planar.Segment {
	p := t.curves[s.curve].piece()
	if s.back {
		p.From, p.To, p.Turn = p.To, p.From, -p.Turn
	}
	return p
}

// ends returns where the curve of a stretch begins and ends, in the direction in which the loop takes it.
func (t *tracer) ends(s *stretch) (from, to geom.Vec2) {
	p := &t.curves[s.curve]
	if s.back {
		return p.to, p.from
	}
	return p.from, p.to
}

// turnBetween returns the turn of an arc from From to To on so many chords. The first and the last of them may be very
// short, so few of them give little information.
func turnBetween(p *planar.Segment, chords int) float64 {
	a, b := p.From.Sub(p.Center), p.To.Sub(p.Center)
	turn, round := math.Atan2(a.Cross(b), a.Dot(b))*sign(p.Turn), chordsRound(a.Norm())
	switch {
	case turn < 0 && (2*chords > round || turn < -0.5*math.Pi):
		turn += 2 * math.Pi
	case turn < 0:
		turn = 0
	case chords >= round && turn < 0.5*math.Pi: // its ends have changed places
		turn = 2 * math.Pi
	}
	return turn * sign(p.Turn)
}

// straighten makes a short arc a line if its end is off its circle by so much that it does not run along that.
func straighten(p *planar.Segment) {
	r := p.Radius()
	if math.Abs(p.Turn) < 1 && r*p.Turn*p.Turn/8 < 2*math.Abs(p.To.Dist(p.Center)-r) {
		p.Turn, p.Center = 0, geom.Vec2{}
	}
}

// joint returns where stretch i of a loop begins.
func (t *tracer) joint(all []stretch, i int) geom.Vec2 {
	last, after := i-1, i+1
	if last < 0 {
		last = len(all) - 1
	}
	if after == len(all) {
		after = 0
	}
	before, s := &all[last], &all[i]
	if s.known {
		return s.joint
	}
	_, end := t.ends(before)
	begin, _ := t.ends(s)
	isEnd, isBegin := snap(end) == s.from, snap(begin) == s.from
	if isEnd && isBegin {
		return begin
	}
	a, b, p := t.directed(before), t.directed(s), s.from.vec()
	room := farShare * min(p.Dist(before.from.vec()), p.Dist(all[after].from.vec()))
	if x, ok := meeting(&a, &b, p); ok && x.Dist(p) <= max(farJoint, room) {
		return x
	}
	switch {
	case b.Turn != 0:
		return onCircle(&b, p)
	case a.Turn != 0:
		return onCircle(&a, p)
	case isEnd:
		return end
	case isBegin:
		return begin
	}
	return p
}

// onCircle returns the point of the circle of an arc nearest to p.
func onCircle(a *planar.Segment, p geom.Vec2) geom.Vec2 {
	w := p.Sub(a.Center)
	n := w.Norm()
	if n == 0 {
		return a.From
	}
	return a.Center.Add(w.Scale(a.Radius() / n))
}

// meeting returns where the lines or circles of two segments cross, of two points that nearer to p. Where they do
// not, it is false, and the point is between them if they come near one another.
func meeting(a, b *planar.Segment, p geom.Vec2) (geom.Vec2, bool) {
	switch {
	case a.Turn == 0 && b.Turn == 0:
		d, e := a.To.Sub(a.From), b.To.Sub(b.From)
		det := d.Cross(e)
		if math.Abs(det) <= 1e-9*d.Norm()*e.Norm() {
			return p, false
		}
		return a.From.Add(d.Scale(b.From.Sub(a.From).Cross(e) / det)), true
	case a.Turn == 0:
		d := a.To.Sub(a.From)
		d = d.Scale(1 / d.Norm())
		foot := a.From.Add(d.Scale(b.Center.Sub(a.From).Dot(d)))
		return nearerOf(foot, d, b.Radius(), foot.Dist(b.Center), p)
	case b.Turn == 0:
		return meeting(b, a, p)
	}
	w := b.Center.Sub(a.Center)
	n := w.Norm()
	if n == 0 {
		return p, false
	}
	r, s := a.Radius(), b.Radius()
	w = w.Scale(1 / n)
	along := (n + (r-s)*(r+s)/n) / 2
	return nearerOf(a.Center.Add(w.Scale(along)), geom.Vec2{X: -w.Y, Y: w.X}, r, math.Abs(along), p)
}

// nearerOf returns the crossing nearer to p of a circle and the line through foot along d. The center of the circle is
// off away from foot.
func nearerOf(foot, d geom.Vec2, radius, off float64, p geom.Vec2) (geom.Vec2, bool) {
	half := (radius - off) * (radius + off)
	if half < 0 {
		return foot, false
	}
	half = math.Sqrt(half)
	if p.Sub(foot).Dot(d) < 0 {
		half = -half
	}
	return foot.Add(d.Scale(half)), true
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}
