package planar

// The walls of a region: its segments that are not open, and the joints between them.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// joint is a point where a disc can touch the walls other than inside a segment.
type joint struct {
	at      geom.Vec2
	in, out geom.Vec2 // unit directions of travel before and after; zero where the wall begins or ends there
	wall    int       // the segment that begins or ends there, -1 where the wall continues
}

// ends reports whether a wall begins or ends at the joint.
func (j *joint) ends() bool { return j.wall >= 0 }

// look returns the direction in which the wall at the joint faces.
func (j *joint) look() geom.Vec2 { return left(j.in.Add(j.out)) }

// touches reports whether a disc through the joint, with its center in direction d from it, does not cut the segments
// next to the joint.
func (j *joint) touches(d geom.Vec2) bool {
	const level = 1e-7    // rad: a disc next to a tangent joint
	const beside = 0.7071 // 45°: a wall further ahead of the end of another makes a gap, not a passage
	switch {
	case j.in == geom.Vec2{}:
		return d.Dot(j.out) <= level && j.out.Cross(d) >= beside
	case j.out == geom.Vec2{}:
		return d.Dot(j.in) >= -level && j.in.Cross(d) >= beside
	}
	return d.Dot(j.out) <= level && d.Dot(j.in) >= -level && left(j.in.Add(j.out)).Dot(d) > 0
}

// walls are the segments that stop a disc.
type walls struct {
	pieces []Segment
	lo, hi []geom.Vec2 // boxes of the segments
	joints []joint     // convex or smooth joints
	turns  []float64   // rad, of the kink where each segment begins, 0 where the wall begins
	grid   *Grid       // of the segments
	// jointGrid is the grid of the joints.
	jointGrid *Grid
	// next is the segment that follows in its loop, -1 where the wall ends.
	next []int
	loop []int   // of each segment
	prev []int   // the one before, -1 where the wall begins
	size float64 // diagonal of the box around all
}

// wallsOf collects the walls of a region; all segments count when closed is set.
func wallsOf(r *Region, closed bool) *walls {
	w := &walls{}
	for k, l := range r.Loops {
		l = Simplify(l)
		first := len(w.pieces)
		at := make([]int, len(l))
		for i := range l {
			at[i] = -1
			if closed || !l[i].Open {
				at[i] = len(w.pieces)
				w.pieces, w.loop = append(w.pieces, l[i]), append(w.loop, k)
			}
		}
		for i := range l {
			if at[i] < 0 {
				continue
			}
			k := at[(i+1)%len(l)]
			w.next = append(w.next, k)
			if k < 0 {
				w.joints = append(w.joints, joint{at: l[i].To, in: l[i].Tangent(1), wall: at[i]})
			}
		}
		w.addJoints(first, l, at)
	}
	for i := range w.pieces {
		lo, hi := bounds(w.pieces[i : i+1])
		w.lo, w.hi = append(w.lo, lo), append(w.hi, hi)
	}
	w.prev = make([]int, len(w.next))
	for i := range w.prev {
		w.prev[i] = -1
	}
	for i, k := range w.next {
		if k >= 0 {
			w.prev[k] = i
		}
	}
	w.grid = NewGrid(w.lo, w.hi)
	points := make([]geom.Vec2, len(w.joints))
	for i := range w.joints {
		points[i] = w.joints[i].at
	}
	w.jointGrid = NewGrid(points, points)
	lo, hi := bounds(w.pieces)
	if len(w.pieces) > 0 {
		w.size = hi.Dist(lo)
	}
	return w
}

// addJoints adds the joints of the loop whose walls begin at first; at are the walls of its segments.
func (w *walls) addJoints(first int, l Loop, at []int) {
	for i := range l {
		before := at[(i+len(l)-1)%len(l)]
		if at[i] < 0 {
			continue
		}
		j := joint{at: l[i].From, out: l[i].Tangent(0), wall: -1}
		w.turns = append(w.turns, 0)
		if before >= 0 {
			j.in = w.pieces[before].Tangent(1)
			turn := math.Atan2(j.in.Cross(j.out), j.in.Dot(j.out))
			w.turns[len(w.turns)-1] = turn
			if turn > smoothTurn {
				continue // a concave corner: no disc reaches it
			}
			if len(w.pieces) == first+1 && w.pieces[first].Turn != 0 {
				continue // where a full circle closes
			}
		} else {
			j.wall = at[i]
		}
		w.joints = append(w.joints, j)
	}
}

// distance returns the distance of c from the nearest wall that skip does not exclude, up to limit, and its index, -1
// if no wall is within limit.
func (w *walls) distance(c geom.Vec2, limit float64, skip func(i int) bool) (float64, int) {
	return w.distanceFrom(c, 0, limit, skip)
}

// distanceFrom is the same as distance; it is faster if the distance is at least least, as the caller expects.
func (w *walls) distanceFrom(
	c geom.Vec2, least, limit float64, skip func(i int) bool,
) (float64, int) {
	reach := least + w.grid.cell
	if len(w.pieces) == 0 || math.IsNaN(w.size) || math.IsNaN(c.X+c.Y) {
		return limit, -1
	}
	for {
		if reach > limit || reach > 2*w.size+c.Dist(w.grid.lo) {
			reach = limit
		}
		d, at := reach, -1
		if math.IsInf(reach, 1) {
			reach = 2*w.size + c.Dist(w.grid.lo)
			d = math.Inf(1)
		}
		r := geom.Vec2{X: reach, Y: reach}
		w.grid.Within(c.Sub(r), c.Add(r), func(i int) bool {
			dx := max(w.lo[i].X-c.X, c.X-w.hi[i].X, 0)
			dy := max(w.lo[i].Y-c.Y, c.Y-w.hi[i].Y, 0)
			if dx*dx+dy*dy < d*d && (skip == nil || !skip(i)) {
				if e := w.pieces[i].Distance(c); e < d {
					d, at = e, i
				}
			}
			return true
		})
		if at >= 0 || reach >= limit || math.IsInf(d, 1) {
			return d, at
		}
		reach *= 2
	}
}

// free reports whether a disc stays clear of all walls.
func (w *walls) free(c geom.Vec2, radius float64) bool {
	limit := radius - min(margin, radius/2)
	isFree := true
	r := geom.Vec2{X: limit, Y: limit}
	w.grid.Within(c.Sub(r), c.Add(r), func(i int) bool {
		isFree = w.pieces[i].Distance(c) >= limit
		return isFree
	})
	return isFree
}

// inward returns the unit normal into the region at a point of the inside of segment i.
func (w *walls) inward(i int, at geom.Vec2) geom.Vec2 {
	p := &w.pieces[i]
	if p.Turn == 0 {
		return left(p.Tangent(0))
	}
	return unit(p.Center.Sub(at)).Scale(sign(p.Turn))
}

// Simplify returns the loop without segments of rounding length, and with arcs and segments joined that continue along
// one circle or line.
func Simplify(l Loop) Loop {
	var out Loop
	for _, p := range l {
		if p.Length() <= margin/10 {
			continue
		}
		if n := len(out); n > 0 {
			if q, ok := joined(&out[n-1], &p); ok {
				out[n-1] = q
				continue
			}
		}
		out = append(out, p)
	}
	for len(out) > 1 {
		q, ok := joined(&out[len(out)-1], &out[0])
		if !ok {
			break
		}
		out[0] = q
		out = out[:len(out)-1]
	}
	return out
}

// joined returns the one segment that replaces two consecutive ones, or false if they do not continue each other.
func joined(a, b *Segment) (Segment, bool) {
	if a.Open != b.Open || a.Tag != b.Tag || (a.Turn == 0) != (b.Turn == 0) {
		return Segment{}, false
	}
	out := *a
	out.To = b.To
	if a.Turn == 0 {
		t := a.Tangent(1)
		d := b.To.Sub(a.From)
		straight := t.Dot(b.Tangent(0)) > 0 && math.Abs(t.Cross(d)) <= margin/10 && !b.Joined
		return out, straight
	}
	ra, rb := a.Radius(), b.Radius()
	if a.Center.Dist(b.Center) > margin || math.Abs(ra-rb) > margin || a.Turn*b.Turn < 0 {
		return Segment{}, false
	}
	out.Turn = a.Turn + b.Turn
	if math.Abs(out.Turn) > 2*math.Pi+smoothTurn {
		return Segment{}, false
	}
	out.Turn = max(min(out.Turn, 2*math.Pi), -2*math.Pi)
	return out, true
}
