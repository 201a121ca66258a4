package arcpoly

// The loops that bound what is kept, and the lines and arcs that their chords came from.

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/region"
)

const (
	// farJoint (mm) is how far the crossing of two curves may be from that of their chords, or the share of
	// the shorter stretch: where they all but touch it is anywhere, and any point between will do.
	farJoint, farShare = 8 * sagitta, 0.25

	// narrow (mm) is the width, twice the area over the length, of a loop that is nothing but what chords are off.
	narrow = 2 * sagitta
	// thin is the same for loops of lines, which only rounding moves.
	thin = 4.0 / steps
	// short (mm) is a piece that is nothing but rounding.
	short = 2.0 / steps
)

// tracer walks along the runs that part what is kept from what is not.
type tracer struct {
	*graph
	keep func(w int32) bool
	next []int32 // by run, that which follows it in a loop, -1 where it is in none
	back []bool  // the run is walked against its direction
}

// trace returns the loops around what keep says, that on their left. Loops that touch themselves come apart.
func (g *graph) trace(keep func(w int32) bool) ([]region.Loop, error) {
	t := tracer{graph: g, keep: keep, next: make([]int32, len(g.runs)), back: make([]bool, len(g.runs))}
	for i := range t.next {
		t.next[i] = -1
	}
	for node := range g.nodes {
		if err := t.link(node); err != nil {
			return nil, err
		}
	}
	var loops []region.Loop
	for i := range g.runs {
		if r := &g.runs[i]; r.from < 0 && keep(r.left) != keep(r.right) {
			t.back[i] = keep(r.right)
			loops = t.restore(loops, []int32{int32(i)})
		}
	}
	position := make([]int32, len(g.nodes))
	for i := range position {
		position[i] = -1
	}
	var path []int32
	for i := range g.runs {
		for k := int32(i); t.next[k] >= 0; {
			next := t.next[k]
			t.next[k] = -1
			position[t.origin(k)] = int32(len(path))
			path = append(path, k)
			if at := position[t.origin(next)]; at >= 0 {
				loops = t.restore(loops, path[at:])
				for _, done := range path[at:] {
					position[t.origin(done)] = -1
				}
				path = path[:at]
			}
			k = next
		}
	}
	return loops, nil
}

// origin returns the node that a run is walked from.
func (t *tracer) origin(run int32) int32 {
	if t.back[run] {
		return t.runs[run].to
	}
	return t.runs[run].from
}

// link says which run follows each that arrives at a node: the next one clockwise, so that regions that meet in
// the node stay apart.
func (t *tracer) link(node int) error {
	type end struct {
		run    int32
		leaves bool
	}
	var room [8]end
	ends := room[:0]
	for d, last := t.fan[node], t.fan[node+1]; d < last; {
		e := t.groupEnd(d, last)
		// Of several runs along one line the first stands for all.
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
			return ErrTangled
		}
		t.next[e.run] = before.run
	}
	return nil
}

// stretch is the chords of one curve that follow one another in a loop.
type stretch struct {
	curve  int32
	back   bool
	from   point
	chords int
}

// restore appends the loop of some runs.
func (t *tracer) restore(loops []region.Loop, path []int32) []region.Loop {
	var all []stretch
	enter := func(chord int32, back bool, from point) {
		id := t.curve[chord]
		if n := len(all); n > 0 && all[n-1].curve == id && all[n-1].back == back {
			all[n-1].chords++
			return
		}
		all = append(all, stretch{id, back, from, 1})
	}
	for _, k := range path {
		r := &t.runs[k]
		from, to := t.pts[r.chord], t.pts[r.chord]
		if r.from >= 0 {
			from, to = t.nodes[r.from], t.nodes[r.to]
		}
		if !t.back[k] {
			enter(r.chord, false, from)
			for i := range r.inner {
				p := t.innerAt(r, i)
				enter(p, false, t.pts[p])
			}
			continue
		}
		for i := r.inner - 1; i >= 0; i-- {
			p := t.innerAt(r, i)
			enter(p, true, to)
			to = t.pts[p]
		}
		enter(r.chord, true, to)
	}
	if n := len(all); n > 1 && all[0].curve == all[n-1].curve && all[0].back == all[n-1].back {
		all[0].from = all[n-1].from
		all[0].chords += all[n-1].chords
		all = all[:n-1]
	}
	if l := t.pieces(all); len(l) > 0 {
		loops = append(loops, l)
	}
	return loops
}

// pieces makes a loop of stretches; none where it has no area to speak of.
func (t *tracer) pieces(all []stretch) region.Loop {
	if len(all) == 1 {
		p := t.directed(&all[0])
		if math.Abs(p.Turn) < 2*math.Pi-1e-9 || p.Radius() < narrow {
			return nil
		}
		return region.Loop{p}
	}
	loop := make(region.Loop, 0, len(all))
	limit := thin
	for i := range all {
		s := &all[i]
		p := t.directed(s)
		p.From = t.joint(all, i)
		loop = append(loop, p)
	}
	for i := range loop {
		loop[i].To = loop[(i+1)%len(loop)].From
	}
	kept := loop[:0]
	for i := range loop {
		p := loop[i]
		if n := len(kept); n > 0 {
			p.From = kept[n-1].To
		}
		if p.Turn != 0 {
			p.Turn = turnBetween(&p, all[i].chords)
			limit = narrow
		}
		if p.From.Dist(p.To) <= short && math.Abs(p.Turn)*p.Radius() <= short {
			if n := len(kept); n > 0 {
				kept[n-1].To = p.From
			}
			continue
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return nil
	}
	kept[len(kept)-1].To = kept[0].From
	if 2*math.Abs(kept.Area()) <= limit*kept.Length() {
		return nil
	}
	return kept
}

// directed returns the whole curve of a stretch, in the direction in which the loop takes it.
func (t *tracer) directed(s *stretch) region.Piece {
	p := t.curves[s.curve]
	if s.back {
		p.From, p.To, p.Turn = p.To, p.From, -p.Turn
	}
	return p
}

// turnBetween returns by how much an arc turns from From to To on so many chords.
func turnBetween(p *region.Piece, chords int) float64 {
	a, b := p.From.Sub(p.Center), p.To.Sub(p.Center)
	turn := math.Atan2(a.Cross(b), a.Dot(b)) * sign(p.Turn)
	switch isLong := 2*chords > chordsRound(a.Norm()); {
	case turn < 0 && (isLong || turn < -0.5*math.Pi):
		turn += 2 * math.Pi
	case turn < 0:
		turn = 0
	case isLong && turn < 0.5*math.Pi:
		turn += 2 * math.Pi
	}
	return turn * sign(p.Turn)
}

// joint returns where stretch i of a loop begins.
func (t *tracer) joint(all []stretch, i int) geom.Vec2 {
	before, s := &all[(i+len(all)-1)%len(all)], &all[i]
	a, b := t.directed(before), t.directed(s)
	at := s.from
	fromA, fromB := snap(a.To) == at, snap(b.From) == at
	if fromA && fromB {
		return b.From
	}
	p := at.vec()
	room := farShare * min(p.Dist(before.from.vec()), p.Dist(all[(i+1)%len(all)].from.vec()))
	if x, ok := meeting(&a, &b, p); ok && x.Dist(p) <= max(farJoint, room) {
		return x
	}
	switch {
	case b.Turn != 0:
		return onCircle(&b, p)
	case a.Turn != 0:
		return onCircle(&a, p)
	case fromA:
		return a.To
	case fromB:
		return b.From
	}
	return p
}

// onCircle returns the point of the circle of an arc nearest to p.
func onCircle(a *region.Piece, p geom.Vec2) geom.Vec2 {
	w := p.Sub(a.Center)
	n := w.Norm()
	if n == 0 {
		return a.From
	}
	return a.Center.Add(w.Scale(a.Radius() / n))
}

// meeting returns where the lines or circles of two pieces cross, of two points that nearer to p.
func meeting(a, b *region.Piece, p geom.Vec2) (geom.Vec2, bool) {
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

// nearerOf returns the point nearer to p of the two on a line through foot along d where a circle crosses it whose
// centre is off away from foot.
func nearerOf(foot, d geom.Vec2, radius, off float64, p geom.Vec2) (geom.Vec2, bool) {
	half := (radius - off) * (radius + off)
	if half < 0 {
		return p, false
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
