package adaptive

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Parameters of starts, in radii, and in squares of the radius for areas.
const (
	detour     = 2.0   // of a link, times the distance: more means that a crumb is in the way
	detourBase = 4.0   // plus this
	fruitful   = 0.012 // area that a walk has to remove for its start to count as a success
	retryArea  = 0.02  // the same for a start from earlier path
	repeatArea = 0.03  // and for its repetition
	backUp     = 0.6   // way before the first cut of a walk at which its repetition starts
	nearby     = 3     // nodes, from a start that failed to earlier path
	mostTries  = 6     // of points of earlier path
)

// headings are the directions (rad) in which a walk starts, left of the direction to the material.
var headings = [...]float64{0.1, 0.5, 1.0, 1.57}

// isAtWall reports whether a wall is upstream of a node at a front in some direction.
func (c *clearing) isAtWall(node, direction int) bool {
	for turn := 1; turn <= 4; turn++ {
		if q := c.neighbor(node, direction-turn); q < 0 || !c.isOpen[q] {
			return true
		}
	}
	return false
}

// run clears what the cutter can enter.
func (c *clearing) run(ctx context.Context) error {
	for c.goals > 0 {
		isIn, err := c.enter()
		if err != nil || !isIn {
			return err
		}
		if err := c.peel(ctx); err != nil {
			return err
		}
	}
	return nil
}

// peel takes front by front, from cleared ground around the anchor.
func (c *clearing) peel(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		front, dir := c.nearestFront(c.anchor)
		if front < 0 {
			return nil
		}
		start, to := c.upstream(front, dir)
		mark := len(c.path)
		c.linkOrEnter(start)
		front, dir, start, to = c.shortcut(mark, front, dir, start, to)
		isKept, isFruitful := c.tryHeadings(start, to)
		c.anchor = start
		if isFruitful {
			continue
		}
		if !isKept {
			c.path = c.path[:mark]
			if c.restart(start) {
				c.repeat()
				continue
			}
		}
		c.ban(front, dir, start, n)
	}
}

// end returns the position at the end of the path.
func (c *clearing) end() geom.Vec2 { return c.path[len(c.path)-1].to }

// area returns the area removed by the last walk, in squares of the radius.
func (c *clearing) area() float64 {
	return float64(c.removed) * c.step * c.step / (c.radius * c.radius)
}

// length returns the length of the path from a step on.
func (c *clearing) length(from int) float64 {
	sum := 0.0
	for i := max(1, from); i < len(c.path); i++ {
		sum += c.path[i].to.Dist(c.path[i-1].to)
	}
	return sum
}

// tryHeadings starts walks from a node, until one removes enough; it reports whether steps of any were kept.
func (c *clearing) tryHeadings(start, to int) (isKept, isFruitful bool) {
	p := c.node(start)
	normal := geom.Vec2{X: float64(neighbors[to][0]), Y: float64(neighbors[to][1])}
	normal = normal.Scale(1 / normal.Norm())
	order := headings
	// Without a wall upstream the walk joins the front along it. Straight into it, the walk could end after a notch.
	if !c.isAtWall(start, to) {
		slices.Reverse(order[:])
	}
	for _, h := range order {
		mark := len(c.path)
		if isKept { // back for another heading
			if !c.isClearLine(c.end(), p) {
				return isKept, false
			}
			c.link(p)
		}
		base := len(c.path)
		c.walkFrom(p, turned(normal, h))
		if len(c.path) == base {
			c.path = c.path[:mark]
			continue
		}
		isKept = true
		if c.area() > fruitful {
			return true, true
		}
	}
	return isKept, false
}

// nearestFront returns the free node at a front that is nearest to a node, and the direction of the front. The node is
// -1 if there is no front.
func (c *clearing) nearestFront(from int) (node, direction int) {
	node = -1
	c.search(func(k int) bool {
		for d := 0; d < len(neighbors); d += 2 {
			if q := c.neighbor(k, d); q >= 0 && c.isFront(q) {
				node, direction = k, d
				return false
			}
		}
		return true
	}, from)
	return node, direction
}

// upstream follows a front against the direction of the cut, to a wall or to a front that failed. It returns the free
// node there and the direction of the front.
func (c *clearing) upstream(node, direction int) (int, int) {
	first := node
	for range c.lx + c.ly {
		k, facing, moved := node, direction, false
		for turn := 1; turn < len(neighbors) && !moved; turn++ {
			d := (direction - turn) & 7
			q := c.neighbor(k, d)
			if q < 0 || !c.isOpen[q] {
				return node, direction
			}
			if !c.isFree(q) {
				facing = d
				continue
			}
			front := c.neighbor(k, facing)
			if !c.isFront(front) {
				return node, direction
			}
			next, ok := c.direction(q, front)
			if !ok {
				return node, direction
			}
			node, direction, moved = q, next, true
		}
		if !moved || node == first {
			break
		}
	}
	return node, direction
}

// direction returns the direction from a node to an adjacent one.
func (c *clearing) direction(from, to int) (int, bool) {
	for d := range neighbors {
		if c.neighbor(from, d) == to {
			return d, true
		}
	}
	return 0, false
}

// shortcut looks at the link to a start, the steps from mark on. A long way round means that a crumb is near, which
// is cut first. It returns the start to use, with the link to it in the path.
func (c *clearing) shortcut(mark, front, dir, start, to int) (int, int, int, int) {
	if mark == 0 || c.path[mark-1].kind == Retract {
		return front, dir, start, to
	}
	p := c.path[mark-1].to
	long := c.length(mark)
	if long <= detour*p.Dist(c.node(start))+detourBase*c.radius {
		return front, dir, start, to
	}
	hook := c.hook(p, p)
	if hook < 0 {
		return front, dir, start, to
	}
	front2, dir2 := c.nearestFront(hook)
	if front2 < 0 {
		return front, dir, start, to
	}
	start2, to2 := c.upstream(front2, dir2)
	old := append([]step(nil), c.path[mark:]...)
	c.path = c.path[:mark]
	if c.route(start2) && c.length(mark) < 0.6*long {
		return front2, dir2, start2, to2
	}
	c.path = append(c.path[:mark], old...)
	return front, dir, start, to
}

// ban excludes the fronts around a start that failed, until some of their material is gone.
func (c *clearing) ban(front, dir, start, round int) {
	for d := range neighbors {
		if q := c.neighbor(start, d); q >= 0 && c.demand[q] > 0 {
			c.banned[q] = c.demand[q] + 1
		}
	}
	// The front that was found may be far from the start: it is excluded at times, so that a search finds another.
	if front != start && round%3 == 2 {
		q := c.neighbor(front, dir)
		c.banned[q] = c.demand[q] + 1
	}
}

// restart starts walks from points of earlier path near a node, for fronts that the lattice does not resolve.
func (c *clearing) restart(node int) bool {
	mark, tries := len(c.path), 0
	i0, j0 := node%c.lx, node/c.lx
	for j := max(0, j0-nearby); j <= min(c.ly-1, j0+nearby); j++ {
		for i := max(0, i0-nearby); i <= min(c.lx-1, i0+nearby); i++ {
			n := int(c.lastCut[j*c.lx+i]) - 1
			if n < 1 || n >= mark || c.path[n].kind != Cut || c.path[n-1].kind != Cut || tries == mostTries {
				continue
			}
			q := c.path[n].to
			along := q.Sub(c.path[n-1].to)
			if along.Norm() < 1e-9*c.radius {
				continue
			}
			tries++
			along = along.Scale(1 / along.Norm())
			for _, turn := range [...]float64{-0.5, 0, 0.7} {
				c.approach(q)
				base := len(c.path)
				if c.walkFrom(q, turned(along, turn)); len(c.path) > base {
					return c.area() > retryArea
				}
				c.path = c.path[:mark]
			}
		}
	}
	return false
}

// repeat walks along the front of the last walk again: from shortly before its first cut, as long as that pays.
func (c *clearing) repeat() {
	for range mostRepeats {
		begin, first := c.last.begin, c.last.first
		if first <= begin || first >= len(c.path) {
			return
		}
		i := first
		for way := 0.0; i > begin+1 && way < backUp*c.radius; i-- {
			way += c.path[i].to.Dist(c.path[i-1].to)
		}
		q := c.path[i].to
		along := q.Sub(c.path[i-1].to)
		if along.Norm() < 1e-9*c.radius {
			return
		}
		along = along.Scale(1 / along.Norm())
		mark, isGood := len(c.path), false
		c.approach(q)
		for _, turn := range [...]float64{-0.3, 0, 0.5} {
			base := len(c.path)
			if c.walkFrom(q, turned(along, turn)); len(c.path) > base {
				isGood = c.area() > repeatArea
				mark = len(c.path)
				break
			}
		}
		c.path = c.path[:mark]
		if !isGood {
			return
		}
	}
}

// mostRepeats bounds the repetitions of one walk; each removes material.
const mostRepeats = 1 << 12
