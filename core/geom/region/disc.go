package region

// Largest discs: in a corner, and in the whole region.
//
// The disc of a corner rolls out along the bisector of its two straight sides until it touches a third
// wall; it is found by sphere tracing, whose steps are the free room over the speed at which it
// shrinks.
//
// The largest inscribed disc is found by branch and bound on squares (the bound of a square is the
// distance in its middle plus half its diagonal), and then made exact by a sequence of linear
// programs: with the nearest walls taken as straight lines, the best centre near by is where three of
// them, or two parallel ones, are equally far. Convergence is quadratic. The squares are given up at
// coarseDisc of the size: where several places are within that of the best, the one found may be any
// of them.
//
// Cost: O(n) per square, some hundreds of squares; O(m⁴) per step for m nearest walls, m ≤ 8.

import (
	"container/heap"
	"math"
	"slices"

	"millwright/core/geom"
)

const (
	coarseDisc = 1e-2  // of the size: where branch and bound ends
	fineDisc   = 1e-10 // of the size: where the steps end
	maxCells   = 4000
	maxSteps   = 60
)

// cornerDisc returns the smallest diameter of the discs that touch both sides of a corner and a third
// wall, as far as it is less than most.
func (w *walls) cornerDisc(most float64) float64 {
	for i := range w.pieces {
		if c, ok := w.cornerAt(i); ok {
			most = min(most, w.roll(&c, most))
		}
	}
	return most
}

// corner is where the straight sides a and b would meet, rounded or not.
type corner struct {
	a, b  int
	round int // the piece between them, -1 when sharp
	apex  geom.Vec2
	along geom.Vec2 // unit bisector
	grow  float64   // radius per mm along the bisector
	start float64   // mm along the bisector
}

// cornerAt returns the corner at the end of piece i.
func (w *walls) cornerAt(i int) (corner, bool) {
	c := corner{a: i, b: w.next[i], round: -1}
	if c.b >= 0 && w.pieces[c.b].Joined {
		return c, false // within one curve
	}
	if c.b >= 0 && w.pieces[c.b].Turn > 0 && w.pieces[c.b].Turn <= cornerTurn {
		if math.Abs(turnBetween(&w.pieces[i], &w.pieces[c.b])) > smoothTurn {
			return c, false
		}
		c.round, c.b = c.b, w.next[c.b]
		if c.b >= 0 && math.Abs(turnBetween(&w.pieces[c.round], &w.pieces[c.b])) > smoothTurn {
			return c, false
		}
	}
	if c.b < 0 || c.b == i || w.pieces[i].Turn != 0 || w.pieces[c.b].Turn != 0 {
		return c, false
	}
	a, b := &w.pieces[i], &w.pieces[c.b]
	u, v := a.Tangent(0), b.Tangent(0)
	if turn := math.Atan2(u.Cross(v), u.Dot(v)); turn <= smoothTurn || turn > math.Pi-smoothTurn {
		return c, false
	}
	c.apex = addScaled(a.From, b.From.Sub(a.From).Cross(v)/u.Cross(v), u)
	c.along = unit(left(u).Add(left(v)))
	c.grow = left(u).Dot(c.along)
	if c.round >= 0 {
		c.start = w.pieces[c.round].Radius() / c.grow
	}
	return c, true
}

// roll returns the diameter at which the disc of a corner touches a third wall, infinite when it rolls
// off the end of a side or becomes larger than most before, or never touches one.
func (w *walls) roll(c *corner, most float64) float64 {
	// What goes on smoothly from a side is reached where the disc rolls off it, not before.
	before, after := w.smoothBefore(c.a), w.smoothAfter(c.b)
	others := func(i int) bool { return i == c.a || i == c.b || i == c.round || i == before || i == after }
	a, b := &w.pieces[c.a], &w.pieces[c.b]
	reach := min(c.apex.Dist(a.From), c.apex.Dist(b.To)) - slack
	along := -c.along.Dot(a.Tangent(0)) // of the touching points, per mm along the bisector
	t := c.start
	for n := 0; n < maxMarch && t*along <= reach && 2*t*c.grow < most; n++ {
		r := t * c.grow
		d, _ := w.distanceFrom(addScaled(c.apex, t, c.along), r, r+w.size, others)
		if d-r <= slack {
			return 2 * (r + (d-r)/2)
		}
		t += (d - r) / (1 + c.grow)
	}
	return math.Inf(1)
}

// smoothAfter returns the piece that follows piece i without a corner, -1 when there is none.
func (w *walls) smoothAfter(i int) int {
	if k := w.next[i]; k >= 0 && w.turns[k] <= smoothTurn {
		return k
	}
	return -1
}

// smoothBefore returns the piece that goes on in piece i without a corner, -1 when there is none.
func (w *walls) smoothBefore(i int) int {
	if w.turns[i] > smoothTurn {
		return -1
	}
	return w.prev[i]
}

// cell is a square of the search for the largest inscribed disc.
type cell struct {
	at       geom.Vec2
	half     float64
	distance float64 // signed, of the middle
	bound    float64 // no point of the square is further from the walls
}

type cells []cell

func (c cells) Len() int           { return len(c) }
func (c cells) Less(i, j int) bool { return c[i].bound > c[j].bound }
func (c cells) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cells) Push(x any)        { *c = append(*c, x.(cell)) }
func (c *cells) Pop() any {
	last := len(*c) - 1
	out := (*c)[last]
	*c = (*c)[:last]
	return out
}

// inscribed returns the largest disc inside the region that cuts none of the walls, which close it.
func (w *walls) inscribed() (geom.Vec2, float64) {
	if len(w.pieces) == 0 || !(w.size > 0) || math.IsInf(w.size, 1) || math.IsNaN(w.size) {
		return geom.Vec2{}, 0
	}
	newCell := func(at geom.Vec2, half float64) cell {
		d, i := w.distance(at, math.Inf(1), nil)
		if i < 0 || !w.isInside(at, i) {
			d = -d
		}
		return cell{at: at, half: half, distance: d, bound: d + half*math.Sqrt2}
	}
	lo, hi := bounds(w.pieces)
	half := min(hi.X-lo.X, hi.Y-lo.Y) / 2
	half = max(half, w.size/64)
	queue := &cells{}
	for y := lo.Y + half; y-half < hi.Y; y += 2 * half {
		for x := lo.X + half; x-half < hi.X; x += 2 * half {
			heap.Push(queue, newCell(geom.Vec2{X: x, Y: y}, half))
		}
	}
	if queue.Len() == 0 {
		return lo, 0
	}
	best := (*queue)[0]
	for n := 0; n < maxCells && queue.Len() > 0; n++ {
		c := heap.Pop(queue).(cell)
		if c.distance > best.distance {
			best = c
		}
		if c.bound-best.distance <= coarseDisc*w.size {
			break
		}
		h := c.half / 2
		for _, s := range [4]geom.Vec2{{X: -h, Y: -h}, {X: h, Y: -h}, {X: -h, Y: h}, {X: h, Y: h}} {
			heap.Push(queue, newCell(c.at.Add(s), h))
		}
	}
	if best.distance <= 0 {
		return best.at, 0
	}
	return w.polish(best.at, best.distance)
}

// polish moves a centre uphill to the local maximum of the distance to the walls.
func (w *walls) polish(at geom.Vec2, radius float64) (geom.Vec2, float64) {
	step := 2 * coarseDisc * w.size
	for n := 0; n < maxSteps && step > fineDisc*w.size; n++ {
		next := w.uphill(at, radius, step)
		if d, _ := w.distance(next, math.Inf(1), nil); d > radius {
			gain := d - radius
			at, radius = next, d
			if gain < step/8 {
				step /= 2
			}
		} else {
			step /= 4
		}
	}
	return at, radius
}

// plane is a wall seen from the centre: distance and the unit direction away from it.
type plane struct {
	d float64
	n geom.Vec2
}

// uphill returns the best centre within step of at, the near walls taken as straight.
func (w *walls) uphill(at geom.Vec2, radius, step float64) geom.Vec2 {
	const most = 8
	var near []plane
	reach := geom.Vec2{X: radius + 2*step, Y: radius + 2*step}
	w.grid.Within(at.Sub(reach), at.Add(reach), func(i int) bool {
		p, _ := w.pieces[i].Nearest(at)
		if d := p.Dist(at); d <= radius+2*step && d > 0 {
			near = append(near, plane{d, unit(at.Sub(p))})
		}
		return true
	})
	slices.SortStableFunc(near, func(a, b plane) int {
		switch {
		case a.d < b.d:
			return -1
		case a.d > b.d:
			return 1
		}
		return 0
	})
	near = near[:min(len(near), most)]
	value := func(m geom.Vec2) float64 {
		v := math.Inf(1)
		for _, p := range near {
			v = min(v, p.d+p.n.Dot(m))
		}
		return v
	}
	best, bestValue := geom.Vec2{}, value(geom.Vec2{})
	try := func(m geom.Vec2) {
		if n := m.Norm(); n > step {
			m = m.Scale(step / n)
		}
		if v := value(m); v > bestValue {
			best, bestValue = m, v
		}
	}
	for i := range near {
		try(near[i].n.Scale(step))
		for j := range near[:i] {
			// Along the ridge between two, and onto it.
			g, e := near[i].n.Sub(near[j].n), near[j].d-near[i].d
			if g2 := g.Norm2(); g2 > 0 {
				foot := g.Scale(e / g2)
				try(foot)
				try(foot.Add(unit(left(g)).Scale(step)))
				try(foot.Sub(unit(left(g)).Scale(step)))
			}
			for k := range near[:j] {
				h, f := near[i].n.Sub(near[k].n), near[k].d-near[i].d
				if det := g.Cross(h); math.Abs(det) > 1e-12 {
					try(geom.Vec2{X: (e*h.Y - f*g.Y) / det, Y: (g.X*f - h.X*e) / det})
				}
			}
		}
	}
	return at.Add(best)
}
