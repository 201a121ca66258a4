package planar

// The largest disc in a region.
//
// Branch and bound on squares finds the largest inscribed disc (the bound of a square is the distance in its middle
// plus half its diagonal). A sequence of linear programs then makes it exact: with the nearest walls approximated by
// straight lines, the best center nearby is equidistant from three of them, or from two parallel ones. Convergence is
// quadratic. The search of squares stops when the possible gain is at most coarseDisc of the best radius. The steps
// begin at the best remaining squares.
//
// Cost: O(n) per square, some hundreds of squares; O(m⁴) per step for m nearest walls, m ≤ 8.

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	coarseDisc = 2e-2  // of the radius: where branch and bound ends
	leastSize  = 1e-3  // of the size: no smaller square is divided
	mostTops   = 6     // squares from which steps begin
	fineDisc   = 1e-10 // of the size: where the steps end
	maxCells   = 4000
	maxSteps   = 60
)

// cell is a square of the search for the largest inscribed disc.
type cell struct {
	at       geom.Vec2
	half     float64
	distance float64 // from the middle to the walls
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

// inscribed returns the largest disc that cuts none of the walls and whose center satisfies isInside.
func (w *walls) inscribed(isInside func(c geom.Vec2) bool) (geom.Vec2, float64) {
	if len(w.pieces) == 0 || !(w.size > 0) || math.IsInf(w.size, 1) || math.IsNaN(w.size) {
		return geom.Vec2{}, 0
	}
	newCell := func(at geom.Vec2, half float64) cell {
		d, _ := w.distance(at, math.Inf(1), nil)
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
	best := cell{at: lo}
	for n := 0; n < maxCells && queue.Len() > 0; n++ {
		c := heap.Pop(queue).(cell)
		if c.bound-best.distance <= max(coarseDisc*best.distance, leastSize*w.size) {
			heap.Push(queue, c)
			break
		}
		switch inside := isInside(c.at); {
		case inside && c.distance > best.distance:
			best = c
		case !inside && c.distance >= c.half*math.Sqrt2:
			continue // the whole square is outside
		}
		h := c.half / 2
		for _, s := range [4]geom.Vec2{{X: -h, Y: -h}, {X: h, Y: -h}, {X: -h, Y: h}, {X: h, Y: h}} {
			heap.Push(queue, newCell(c.at.Add(s), h))
		}
	}
	if best.distance <= 0 {
		return best.at, 0
	}
	return w.top(best, *queue, isInside)
}

// top climbs from the best square and from those left over that may lie below a higher top.
func (w *walls) top(best cell, left cells, isInside func(c geom.Vec2) bool) (geom.Vec2, float64) {
	at, radius := w.polish(best.at, best.distance)
	slices.SortStableFunc(left, func(a, b cell) int { return cmp.Compare(b.distance, a.distance) })
	for i, tries := 0, 0; i < len(left) && tries < mostTops; i++ {
		if c := &left[i]; c.bound > radius && c.at.Dist(at) > c.half && isInside(c.at) {
			tries++
			if p, r := w.polish(c.at, c.distance); r > radius && isInside(p) {
				at, radius = p, r
			}
		}
	}
	return at, radius
}

// polish moves a center uphill to the local maximum of the distance to the walls.
func (w *walls) polish(at geom.Vec2, radius float64) (geom.Vec2, float64) {
	step := max(2*coarseDisc*radius, leastSize*w.size)
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

// plane is a wall seen from the center: distance and the unit direction away from it.
type plane struct {
	d float64
	n geom.Vec2
}

// uphill returns the best center within step of at, the near walls taken as straight.
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
