package planar

// The discs that pass along an outline among obstacles.
//
// At every point of the outline the disc that touches it there, on its left, can grow until it touches something else.
// For a point, a line or a circle that size is a closed form. The largest disc that passes the whole outline is the
// smallest of these; the largest that touches it anywhere is the greatest. At convex joints the disc rolls over all
// directions between the two normals. Samples bracket the extremes: even ones, and points opposite the ends and nearest
// points of obstacles. Golden section refines them.
//
// The outline itself counts as an obstacle, except at a sharp corner that admits no disc: the segments next to the
// touched one are left out.
//
// Only obstacles within the disc that is already known to fit can make it smaller, see field.go.
//
// Cost: for each of some twenty points on every segment of the outline, the obstacles near the disc.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	clearSamples = 16   // per segment, and per right angle at a joint that sticks out
	firstLooks   = 16   // points that show early the size of discs, and whether any is unlimited
	allSamples   = 128  // of the whole outline, where its segments are short
	slightTurn   = 0.2  // rad: the directions at the ends of the segments represent those between
	clearSearch  = 34   // steps of golden section: to 1e-7 of the bracket of two samples
	mostDips     = 64   // places that are searched around
	nearBest     = 1.05 // a place that is worse than the best by more is not searched around
	wideOpen     = 1e4  // times the size of everything: a disc that wide is as good as unlimited
)

// Clearance is the size limit of the discs that pass along an outline.
type Clearance struct {
	Full, Partial float64 // mm, diameters; infinite without a limit
	Nearest       int     // the obstacle that limits Full, -1 without a limit, -2-k for ObstacleFilter.Shut[k]
}

// Around returns the largest disc that can pass along an outline among some of the obstacles of the field. The outline
// is a chain of segments with the discs on its left, closed or open.
func (f *ObstacleField) Around(outline []Segment, closed bool, among ObstacleFilter) Clearance {
	c := f.newClearer(outline, closed, among)
	if len(outline) == 0 {
		c.Partial = math.Inf(1)
		return c.Clearance
	}
	for i := 0; i < len(outline); i += max(1, len(outline)/firstLooks) {
		if c.pieces[i].length > 0 {
			c.near(i)
			c.take(c.onPiece(i), 0.5)
		}
	}
	length := Loop(outline).Length()
	for i := range outline {
		if c.pieces[i].length > 0 {
			c.near(i)
			most := clearSamples * max(1, math.Abs(outline[i].Turn)*2/math.Pi)
			c.scan(c.evenly(min(most, allSamples*c.pieces[i].length/length)), c.onPiece(i))
		}
		if k := c.after(i); k >= 0 {
			c.roundJoint(i, k)
		}
	}
	c.searchDips()
	for i := range outline {
		if c.pieces[i].length > 0 {
			c.near(i)
			c.closer(i)
		}
	}
	return c.Clearance
}

// clearer measures discs at points of an outline.
type clearer struct {
	Clearance
	pieces []hurdle // of the outline
	closed bool
	inner  *ObstacleField // of the segments; nil if all of them are next to one another
	beside ObstacleFilter // segments that are not next to the present one
	field  *ObstacleField
	among  ObstacleFilter

	skip      [4]int // segments of the outline that do not count
	own       float64
	dips      []dip
	peak      dip
	positions []float64 // scratch
	facing    []facing
	values    []float64
}

func (f *ObstacleField) newClearer(outline []Segment, closed bool, among ObstacleFilter) *clearer {
	c := &clearer{closed: closed, field: f, among: among, pieces: make([]hurdle, len(outline))}
	c.Full, c.Nearest = math.Inf(1), -1
	all := make([]Obstacle, len(outline))
	lo, hi := f.lo, f.hi
	for i := range outline {
		all[i] = Obstacle{Segment: outline[i], Top: math.Inf(1)}
		c.pieces[i] = newHurdle(&all[i], int32(i))
	}
	if len(outline) > 0 {
		a, b := bounds(outline)
		lo, hi = lower(lo, a), upper(hi, b)
	}
	if len(outline) > 3 {
		c.inner = NewField(all)
		c.beside = ObstacleFilter{Level: math.Inf(-1), Flush: among.Flush, Accept: c.isBlocking}
	}
	c.among.Widest = min(among.Widest, wideOpen*hi.Dist(lo))
	return c
}

// after returns the segment of the outline that follows segment i, -1 at its end.
func (c *clearer) after(i int) int {
	switch {
	case i+1 < len(c.pieces):
		return i + 1
	case c.closed:
		return 0
	}
	return -1
}

// place gives a point of the outline and the direction of the discs there, for s in [0, 1].
type place func(s float64) (p, n geom.Vec2)

func (c *clearer) onPiece(i int) place {
	p := &c.pieces[i]
	return func(s float64) (geom.Vec2, geom.Vec2) { return p.At(s), left(p.Tangent(s)) }
}

// roundJoint rolls the disc over the joint of outline segments i and k if it sticks out.
func (c *clearer) roundJoint(i, k int) {
	a, b := &c.pieces[i].Segment, &c.pieces[k].Segment
	turn := turnBetween(a, b)
	// around the tip of a line that is traversed in both directions
	if i != k && a.isBack(b, max(alike, c.among.Flush)) {
		turn = -math.Pi
	}
	if turn >= -slightTurn {
		return
	}
	c.near(i)
	c.skip[3] = (k + 1) % len(c.pieces)
	c.own = math.Inf(1)
	at, n := a.To, left(a.Tangent(1))
	c.scan(c.evenly(clearSamples*math.Abs(turn)*2/math.Pi), func(s float64) (geom.Vec2, geom.Vec2) {
		return at, rotate(n, s*turn)
	})
}

// isBack reports whether a segment returns along another one that ends where it starts.
func (p *Segment) isBack(q *Segment, within float64) bool {
	return p.From.Dist(q.To) <= within && p.At(0.5).Dist(q.At(0.5)) <= within && p.Length() > within
}

// near selects the segments of the outline that do not count for discs at segment i.
func (c *clearer) near(i int) {
	n := len(c.pieces)
	c.skip = [4]int{i, (i + 1) % n, (i + n - 1) % n, i}
	c.own = math.Inf(1)
	if p := &c.pieces[i]; p.Turn > 0 {
		c.own = p.radius
	}
}

// scan takes the smallest and greatest disc at positions s in [0, 1], ascending, and between them.
func (c *clearer) scan(positions []float64, at place) {
	c.values = c.values[:0]
	highest := 0
	for i, s := range positions {
		c.values = append(c.values, c.take(at, s))
		if c.values[i] > c.values[highest] {
			highest = i
		}
	}
	v, last := c.values, len(positions)-1
	for i := range v {
		before, after := v[max(i-1, 0)], v[min(i+1, last)]
		if v[i] <= before && v[i] <= after && v[i] < nearBest*c.Full && (before > v[i] || after > v[i]) {
			c.dips = append(c.dips, dip{v[i], at, c.skip, c.own,
				positions[max(i-1, 0)], positions[min(i+1, last)]})
		}
	}
	if v[highest] > c.peak.value {
		c.peak = dip{v[highest], at, c.skip, c.own, positions[max(highest-1, 0)], positions[min(highest+1, last)]}
	}
}

// dip is a point where the discs are smaller, or larger, than on both sides of it.
type dip struct {
	value  float64
	at     place
	skip   [4]int
	own    float64
	lo, hi float64
}

// searchDips searches around the points that may have the smallest disc, and around the point of the greatest.
func (c *clearer) searchDips() {
	slices.SortStableFunc(c.dips, func(a, b dip) int { return cmp.Compare(a.value, b.value) })
	for i := range c.dips[:min(len(c.dips), mostDips)] {
		d := &c.dips[i]
		if d.value >= nearBest*c.Full {
			break
		}
		c.skip, c.own = d.skip, d.own
		c.search(d.at, d.lo, d.hi, 1)
	}
	if d := &c.peak; d.at != nil && !math.IsInf(c.Partial, 1) {
		c.skip, c.own = d.skip, d.own
		c.search(d.at, d.lo, d.hi, -1)
	}
}

// search takes the smallest disc between two positions, with sense -1 the greatest.
func (c *clearer) search(at place, lo, hi, sense float64) {
	c.take(at, golden(func(s float64) float64 {
		p, n := at(s)
		d, _ := c.size(p, n)
		return sense * d
	}, lo, hi, clearSearch))
}

// closer tests the discs on segment i opposite the nearest points of obstacles, the nearest first: obstacles farther
// than the diameter of the smallest known disc cannot stop a disc that small.
func (c *clearer) closer(i int) {
	if math.IsInf(c.Full, 1) {
		return
	}
	p, at := &c.pieces[i], c.onPiece(i)
	reach := c.Full + max(alike, c.among.Flush)
	c.facing = c.facing[:0]
	add := func(q geom.Vec2) {
		foot, inner := p.Nearest(q)
		far := foot.Dist(q)
		if !inner || far > reach {
			return
		}
		s := p.position(foot)
		if _, n := at(s); far <= c.among.Flush || q.Sub(foot).Dot(n) > 0 {
			c.facing = append(c.facing, facing{far, s})
		}
	}
	r := geom.Vec2{X: reach, Y: reach}
	lo, hi := bounds([]Segment{p.Segment})
	c.field.within(lo.Sub(r), hi.Add(r), &c.among, func(o *hurdle) { p.extremes(o, add) })
	slices.SortFunc(c.facing, func(a, b facing) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.s, b.s)) })
	for _, f := range slices.Compact(c.facing) {
		if f.far > c.Full+max(alike, c.among.Flush) {
			break
		}
		c.take(at, f.s)
	}
}

// extremes visits the points of another segment that may be nearest to this one: its ends, and where both run side by
// side.
func (h *hurdle) extremes(o *hurdle, visit func(geom.Vec2)) {
	visit(o.From)
	visit(o.To)
	across := left(h.tangent)
	if h.Turn != 0 {
		if o.Turn == 0 {
			q, _ := o.Nearest(h.Center)
			visit(q)
			return
		}
		across = unit(o.Center.Sub(h.Center))
	}
	if o.Turn != 0 {
		for _, w := range [2]geom.Vec2{across.Scale(o.radius), across.Scale(-o.radius)} {
			if o.covers(w) {
				visit(o.Center.Add(w))
			}
		}
	}
}

// facing is a place s of a segment that is nearest to a point of an obstacle, far mm away.
type facing struct{ far, s float64 }

// evenly returns about n positions from 0 to 1.
func (c *clearer) evenly(n float64) []float64 {
	steps := max(2, int(math.Ceil(n)))
	c.positions = c.positions[:0]
	for i := range steps + 1 {
		c.positions = append(c.positions, float64(i)/float64(steps))
	}
	return c.positions
}

// position returns where a point of the segment lies on it, in [0, 1].
func (p *Segment) position(at geom.Vec2) float64 {
	if p.Turn == 0 {
		return at.Dist(p.From) / p.Length()
	}
	a, b := p.From.Sub(p.Center), at.Sub(p.Center)
	turn := math.Atan2(a.Cross(b), a.Dot(b)) * sign(p.Turn)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	return min(turn/math.Abs(p.Turn), 1)
}

// take enters the disc at s into the result and returns its diameter.
func (c *clearer) take(at place, s float64) float64 {
	p, n := at(s)
	d, by := c.size(p, n)
	if d < c.Full-alike || d <= c.Full+alike && (c.among.Rank == nil && d < c.Full || c.among.outranks(by, c.Nearest)) {
		c.Nearest = by
	}
	c.Full = min(c.Full, d)
	c.Partial = max(c.Partial, d)
	return d
}

// size returns the diameter of the largest disc that touches p with its center along n, and the obstacle it then
// touches, numbered as Clearance.Nearest. Once an unlimited disc is known, discs over one and a half times the smallest
// disc count as unlimited too.
func (c *clearer) size(p, n geom.Vec2) (float64, int) {
	for k := range c.among.Shut {
		if c.among.Shut[k].Distance(p) <= c.among.Flush {
			return 0, -2 - k
		}
	}
	limit := c.among.Widest / 2
	if math.IsInf(c.Partial, 1) {
		limit = min(limit, 1.5*c.Full/2+alike)
	}
	best := min(c.own, limit)
	if c.inner != nil {
		best, _ = c.inner.touch(p, n, &c.beside, best, -1)
	}
	best, by := c.field.touch(p, n, &c.among, best, -1)
	if best >= limit {
		return math.Inf(1), -1
	}
	return 2 * best, int(by)
}

// isBlocking reports whether a segment of the outline limits discs at the current segment.
func (c *clearer) isBlocking(i int) bool {
	return i != c.skip[0] && i != c.skip[1] && i != c.skip[2] && i != c.skip[3]
}

// tangentRadius returns the radius of the disc that touches p with its center along the unit vector n and just reaches
// the segment. A segment no further than flush in front of the tangent through p does not count. The exception is one
// that passes through p and leads away from it into the disc: it leaves no space.
func (h *hurdle) tangentRadius(p, n geom.Vec2, flush float64) float64 {
	best := min(pointRadius(p, n, h.From, flush), pointRadius(p, n, h.To, flush))
	if h.Turn == 0 {
		return min(best, h.lineRadius(p, n, flush))
	}
	w, radius := p.Sub(h.Center), h.radius
	off := w.Norm() - radius
	if math.Abs(off) <= flush && (h.covers(w) || p.Dist(h.From) <= flush || p.Dist(h.To) <= flush) {
		return min(best, h.arcThrough(p, n, flush))
	}
	outside := off * (w.Norm() + radius)
	// Touching from outside: |w + r·n| = R + r; from inside: |w + r·n| = R - r.
	if grow := 2 * (radius - n.Dot(w)); outside > 0 && grow > 0 {
		r := outside / grow
		if h.covers(addScaled(w, r, n)) {
			best = min(best, r)
		}
	}
	if grow := 2 * (radius + n.Dot(w)); outside < 0 && grow > 0 {
		r := -outside / grow
		if h.covers(addScaled(w, r, n)) {
			best = min(best, r)
		}
	}
	return best
}

// lineRadius is tangentRadius for the inside of a segment.
func (h *hurdle) lineRadius(p, n geom.Vec2, flush float64) float64 {
	d := p.Sub(h.From)
	m := left(h.tangent)
	gap, along := d.Dot(m), d.Dot(h.tangent)
	if gap < 0 {
		gap, m = -gap, m.Scale(-1)
	}
	if gap <= flush && along >= -flush && along <= h.length+flush {
		rise := h.tangent.Dot(n)
		if math.Abs(rise) > smoothTurn && max(rise*(h.length-along), -rise*along) > flush {
			return 0
		}
		return math.Inf(1)
	}
	if grow := 1 - n.Dot(m); grow > 0 {
		r := gap / grow
		if foot := along + r*n.Dot(h.tangent); foot >= 0 && foot <= h.length {
			return r
		}
	}
	return math.Inf(1)
}

// arcThrough is tangentRadius for the inside of an arc through p.
func (h *hurdle) arcThrough(p, n geom.Vec2, flush float64) float64 {
	t := left(unit(p.Sub(h.Center)))
	if h.Turn < 0 {
		t = t.Scale(-1)
	}
	rise := t.Dot(n)
	isWhole := math.Abs(h.Turn) >= 2*math.Pi-smoothTurn
	switch onwards, backwards := isWhole || p.Dist(h.To) > flush, isWhole || p.Dist(h.From) > flush; {
	case rise > smoothTurn && onwards, rise < -smoothTurn && backwards:
		return 0
	case math.Abs(rise) <= smoothTurn && h.Center.Sub(p).Dot(n) > 0:
		return h.radius // the disc nestles in it
	}
	return math.Inf(1)
}

func pointRadius(p, n, q geom.Vec2, flush float64) float64 {
	d := q.Sub(p)
	if ahead := d.Dot(n); ahead > flush {
		return d.Norm2() / (2 * ahead)
	}
	return math.Inf(1)
}
