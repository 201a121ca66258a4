package planar

// The narrowest passage of a region, and its corners.
//
// The narrowest passage is the smallest gap between opposite walls: the smallest disc that is free and touches two such
// walls. The directions of opposite walls differ from antiparallel by no more than the constant opposite. The gap is
// found on the medial axis (H. Blum, "A transformation for extracting new descriptors of shape", 1967), without
// building it:
//   - at chokes, discs that touch the walls at opposite ends of a diameter: critical points of the distance to the
//     walls (K. Grove, "Critical point theory for distance functions", 1993);
//   - between segments that open like a wedge, where the disc between them begins to be free;
//   - at the ends of straight walls of one outline, where the disc through them begins to be free;
//   - at the round ends, with the disc of a wall's own arc.
//
// A corner, sharp or rounded, does not count as narrow. Nor does the opening between two ends of walls that are not
// opposite.
//
// Pairs of walls are tested in the order of their lengths. The result is the narrowest disc of the first free pair and
// the discs that may be tilted from it. A grid finds pairs within a reach that grows until there is one, and the walls
// near a disc. Cost: n times the walls within reach of each. Curved walls count where they are opposite in the strict
// sense, turn so far by themselves, or have another wall opposite to their own disc.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// opposite (rad, 30°) is the largest angle between the directions of two opposite walls.
	opposite = math.Pi / 6

	// cornerTurn (rad, 15°) is the least turn of a wall at a corner, at one point or along concave arcs.
	cornerTurn = 15 * math.Pi / 180

	// tangent (rad, 1°) is the largest kink between arcs that make one corner.
	tangent = math.Pi / 180
)

// maxMarch bounds the steps along a family of discs; each step at least halves a gap that is not grazing.
const maxMarch = 200

// Narrowest returns the diameter of the narrowest passage, mm, and whether walls face each other there. If they do not,
// it is the diameter of the largest disc in the outline with its open sides closed.
func (r *Region) Narrowest() (diameter float64, faced bool) {
	w := wallsOf(r, false)
	if d := min(w.choke(), w.roundEnd()); !math.IsInf(d, 1) {
		return d, true
	}
	return r.Inscribed(), false
}

// CornerRadius returns the smallest radius of the corners into which a disc must reach, 0 for a sharp one, and false
// when the walls have no corner, as on a whole circle.
func (r *Region) CornerRadius() (float64, bool) {
	w := wallsOf(r, false)
	for i := range w.pieces {
		k := w.next[i]
		if k >= 0 && !w.pieces[k].Joined && turnBetween(&w.pieces[i], &w.pieces[k]) >= cornerTurn {
			return 0, true
		}
	}
	isCircle := w.circles()
	return w.roundCorner(func(i int) bool { return !isCircle[i] })
}

// circles reports of each segment whether it is one of those that make a whole circle together, by where they lie:
// arcs that were fitted to a curve differ more by their radii. Each loop is walked once, as curves may be fitted by
// thousands of arcs.
func (w *walls) circles() []bool {
	const alike = 5e-4 // of the radius: the error of freeform edges in place of circles in files
	is, seen := make([]bool, len(w.pieces)), make([]bool, len(w.pieces))
	var run []int
	var at []geom.Vec2
	for i := range w.pieces {
		run, at = run[:0], at[:0]
		isWhole, k := false, i
		for ; k >= 0 && !seen[k] && w.pieces[k].Turn > 0; k = w.next[k] {
			p := &w.pieces[k]
			seen[k] = true
			run, at = append(run, k), append(at, p.From, p.At(0.5))
			isWhole = isWhole || p.Turn >= 2*math.Pi-smoothTurn
		}
		if isWhole || k == i && len(run) > 0 && isRound(at, alike) {
			for _, k := range run {
				is[k] = true
			}
		}
	}
	return is
}

// isRound reports whether points lie on one circle, to a share of its radius.
func isRound(at []geom.Vec2, alike float64) bool {
	a, n := at[0], len(at)
	b, c := at[n/3].Sub(a), at[2*n/3].Sub(a)
	center := left(c.Scale(b.Norm2()).Sub(b.Scale(c.Norm2()))).Scale(0.5 / c.Cross(b)).Add(a)
	r := center.Dist(a)
	return !slices.ContainsFunc(at, func(p geom.Vec2) bool { return !(math.Abs(center.Dist(p)-r) <= alike*r) })
}

// OuterRadius returns the smallest radius of the round corners that protrude into the region, or false if there are no
// such corners. For a whole circle it is the circle's radius.
func (r *Region) OuterRadius() (float64, bool) {
	var back Region
	for _, l := range r.Loops {
		back.Loops = append(back.Loops, l.Reverse())
	}
	return wallsOf(&back, false).roundCorner(func(int) bool { return true })
}

// roundCorner returns the smallest radius of the round corners that begin with some segments, and whether there are
// any.
func (w *walls) roundCorner(begins func(i int) bool) (float64, bool) {
	best := math.Inf(1)
	for i := range w.pieces {
		if begins(i) && w.hollowAt(i) > 0 {
			best = min(best, w.cornerFrom(i))
		}
	}
	return best, !math.IsInf(best, 1)
}

// cornerFrom returns the smallest radius of the walls from segment i to the end of their corner turn, infinite when
// they do not make a corner.
func (w *walls) cornerFrom(i int) float64 {
	turn, radius := 0.0, math.Inf(1)
	for k := i; ; {
		p := &w.pieces[k]
		turn += w.hollowAt(k)
		if p.Turn > 0 {
			radius = min(radius, cmp.Or(p.Tight, p.Radius()))
		} else if b := w.prev[k]; b >= 0 && p.Joined {
			radius = min(radius, circumradius(w.pieces[b].From, p.From, p.To))
		}
		if turn >= cornerTurn-smoothTurn {
			return radius
		}
		n := w.next[k]
		if n < 0 || n == i || w.hollowAt(n) <= 0 || math.Abs(w.turns[n]) > tangent && !w.pieces[n].Joined {
			return math.Inf(1)
		}
		k = n
	}
}

// hollowAt returns the turn of the wall to the left along segment i, including the approximated curve before it.
func (w *walls) hollowAt(i int) float64 {
	p := &w.pieces[i]
	if p.Turn == 0 && p.Joined {
		return w.turns[i]
	}
	return p.Turn
}

// turnBetween returns the kink from the end of p to the beginning of q, rad, positive to the left, as in a cusp that
// opens to the left.
func turnBetween(p, q *Segment) float64 {
	a, b := p.Tangent(1), q.Tangent(0)
	turn := math.Atan2(a.Cross(b), a.Dot(b))
	if math.Abs(turn) > math.Pi-tangent {
		back := min(p.Length(), q.Length()) / 16
		across := q.At(back / q.Length()).Sub(p.At(1 - back/p.Length()))
		turn = math.Copysign(turn, a.Cross(across))
	}
	return turn
}

func circumradius(a, b, c geom.Vec2) float64 {
	area2 := math.Abs(b.Sub(a).Cross(c.Sub(a)))
	if area2 == 0 {
		return math.Inf(1)
	}
	return a.Dist(b) * b.Dist(c) * c.Dist(a) / (2 * area2)
}

// roundEnd returns the smallest diameter among the arcs whose whole disc is free and touches walls that are opposite:
// two places of the arc, or one and another wall.
func (w *walls) roundEnd() float64 {
	out := math.Inf(1)
	for i := range w.pieces {
		p := &w.pieces[i]
		r := p.Radius()
		if p.Turn <= 0 || 2*r >= min(out, w.size) || !w.free(p.Center, r) {
			continue
		}
		reach := geom.Vec2{X: r + margin, Y: r + margin}
		w.grid.Within(p.Center.Sub(reach), p.Center.Add(reach), func(k int) bool {
			q := &w.pieces[k]
			near, _ := q.Nearest(p.Center)
			for _, at := range [3]geom.Vec2{near, q.From, q.To} {
				if at.Dist(p.Center) <= r+margin && p.isOpposite(w.inward(k, at)) {
					out = 2 * r
				}
			}
			return out > 2*r
		})
	}
	return out
}

// isOpposite reports whether a wall with normal n is opposite to some point of a concave arc.
func (p *Segment) isOpposite(n geom.Vec2) bool {
	most := math.Cos(opposite)
	return p.covers(n) || n.Dot(unit(p.From.Sub(p.Center))) >= most || n.Dot(unit(p.To.Sub(p.Center))) >= most
}

// choke returns the diameter of the narrowest choke, infinite when there is no choke. Pairs are searched within a reach
// that doubles until there is one.
func (w *walls) choke() float64 {
	if len(w.pieces) == 0 {
		return math.Inf(1)
	}
	var all []chord
	last, best := 0.0, math.Inf(1)
	for reach := 2 * w.grid.cell; ; reach *= 2 {
		isAll := !(reach <= w.size) // not a number included
		all = w.chords(all[:0], reach)
		slices.SortStableFunc(all, func(a, b chord) int { return cmp.Compare(a.length, b.length) })
		for i := range all {
			c := &all[i]
			if c.length > reach && !isAll || c.length >= best {
				break
			}
			if c.length > last {
				best = min(best, w.passes(c))
			}
		}
		if isAll || best <= reach {
			return best
		}
		last = reach
	}
}

// chords returns the chords whose ends lie within reach of each other.
func (w *walls) chords(all []chord, reach float64) []chord {
	r := geom.Vec2{X: reach, Y: reach}
	for i := range w.pieces {
		w.grid.Within(w.lo[i].Sub(r), w.hi[i].Add(r), func(j int) bool {
			if j < i {
				all = w.pieceChords(all, i, j)
			}
			return true
		})
	}
	for i := range w.joints {
		j := &w.joints[i]
		w.grid.Within(j.at.Sub(r), j.at.Add(r), func(k int) bool {
			all = w.footChords(all, j, k)
			return true
		})
		w.jointGrid.Within(j.at.Sub(r), j.at.Add(r), func(k int) bool {
			if k < i {
				all = w.jointChord(all, j, &w.joints[k])
			}
			return true
		})
	}
	return all
}

// passes returns the diameter of the first free disc of a chord, infinite when all are blocked. It marches along the
// family by the depth of the disc's cut into the walls.
func (w *walls) passes(c *chord) float64 {
	for s, n := 0.0, 0; n < maxMarch; n++ {
		at, r := c.disc(s)
		d, hit := w.distance(at, r-min(margin, r/2), nil)
		if hit < 0 {
			return 2 * r
		}
		if s >= c.hi {
			break
		}
		s = min(s+max(r-d, margin), c.hi)
	}
	return math.Inf(1)
}
