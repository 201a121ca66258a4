package adaptive

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// linkArc (rad) is the largest measured front arc along a link: the noise of the raster at walls.
const linkArc = 0.02

// link appends a straight link.
func (c *clearing) link(p geom.Vec2) { c.path = append(c.path, step{to: p, kind: Link}) }

// linkOrEnter goes to a free node: through cleared ground, or else from above.
func (c *clearing) linkOrEnter(node int) {
	mark := len(c.path)
	if mark > 0 && c.path[mark-1].kind != Retract && c.route(node) {
		return
	}
	c.path = c.path[:mark]
	entry := node
	c.search(func(k int) bool {
		if c.around(c.node(k)) > linkArc || c.forbidden.Distance(c.node(k)) > 0 {
			return true
		}
		entry = k
		return false
	}, node)
	c.reenter(c.node(entry))
	if entry != node && !c.route(node) {
		c.path = c.path[:len(c.path)-1]
		c.reenter(c.node(node))
	}
}

// approach goes to a position of earlier path.
func (c *clearing) approach(p geom.Vec2) {
	mark := len(c.path)
	if c.isClearLine(c.end(), p) {
		c.link(p)
		return
	}
	if near := c.hook(p, c.end()); near >= 0 && c.route(near) {
		c.link(p)
		return
	}
	c.path = c.path[:mark]
	c.reenter(p)
}

// reenter retracts and goes down at a position in air or cleared ground.
func (c *clearing) reenter(p geom.Vec2) {
	if n := len(c.path); n > 0 && c.path[n-1].kind != Retract {
		c.path = append(c.path, step{to: c.end(), kind: Retract})
	}
	c.path = append(c.path, step{to: p, kind: Enter, air: true})
}

// isClearLine reports whether the cutter may go straight from a to b without contact.
func (c *clearing) isClearLine(a, b geom.Vec2) bool {
	if a.Dist(b) < 1e-9*c.radius {
		return true
	}
	line := planar.NewLine(a, b)
	return c.isClear(&line)
}

// isClear reports whether the cutter may go along a segment without contact. The samples that are far apart come first,
// as most segments that are not clear fail there.
func (c *clearing) isClear(p *planar.Segment) bool {
	const pitch, coarse = 0.05, 8 // radii, samples
	n := int(p.Length()/(pitch*c.radius)) + 1
	for i := 0; i <= n; i += coarse {
		if !c.isClearAt(p, float64(i)/float64(n)) {
			return false
		}
	}
	for i := 0; i <= n; i++ {
		if i%coarse != 0 && !c.isClearAt(p, float64(i)/float64(n)) {
			return false
		}
	}
	return c.isAllowed(p)
}

// isClearAt reports whether the cutter touches nothing after a share of a segment.
func (c *clearing) isClearAt(p *planar.Segment, share float64) bool {
	at := p.At(share)
	return c.clearanceAt(at) >= -tolerance*c.radius && c.measure(at, p.Tangent(share)).arc <= linkArc
}

// isFreeLine reports whether the nodes along a straight line between two positions are free.
func (c *clearing) isFreeLine(a, b geom.Vec2) bool {
	n := int(a.Dist(b)*c.inverse/(0.5*blockCells)) + 1
	for i := 0; i <= n; i++ {
		if !c.isFree(c.nodeAt(a.Lerp(b, float64(i)/float64(n)))) {
			return false
		}
	}
	line := planar.NewLine(a, b)
	return c.isAllowed(&line)
}

// sees reports whether the cutter may go straight between two free nodes.
func (c *clearing) sees(a, b geom.Vec2) bool { return c.isFreeLine(a, b) || c.isClearLine(a, b) }

// hook returns a free node near a position to which the cutter goes without contact, preferably toward a goal. It is
// -1 if there is no such node.
func (c *clearing) hook(p, goal geom.Vec2) int {
	const window = 7 // nodes
	type item struct {
		node int
		cost float64
	}
	k := c.nodeAt(p)
	var items []item
	for j := max(0, k/c.lx-window); j <= min(c.ly-1, k/c.lx+window); j++ {
		for i := max(0, k%c.lx-window); i <= min(c.lx-1, k%c.lx+window); i++ {
			if k := j*c.lx + i; c.isFree(k) {
				q := c.node(k)
				items = append(items, item{k, q.Dist(p) + 0.3*q.Dist(goal)})
			}
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.node, b.node))
	})
	for _, it := range items {
		if c.isClearLine(p, c.node(it.node)) {
			return it.node
		}
	}
	return -1
}

// route appends links through cleared ground to a free node, and reports whether there is a way. On failure the path
// may have links of a part of the way.
func (c *clearing) route(node int) bool {
	p, goal := c.end(), c.node(node)
	if p.Dist(goal) < 1e-9*c.radius {
		return true
	}
	if p.Dist(goal) < detourBase*c.radius && c.isClearLine(p, goal) {
		c.link(goal)
		return true
	}
	from := c.hook(p, goal)
	if from < 0 {
		return false
	}
	if c.sees(c.node(from), goal) {
		c.link(c.node(from))
		c.link(goal)
		return true
	}
	if !c.search(func(k int) bool { return k != from }, node) {
		return false
	}
	// The search ran from the goal: from leads there. The way is cut short at each node that sees a later one.
	c.link(c.node(from))
	for k := from; k != node; {
		next := int(c.from[k])
		if !c.sees(c.node(k), c.node(next)) {
			return false
		}
		for reach, q := next, next; ; {
			for hop := 0; hop < 4 && q != node; hop++ {
				q = int(c.from[q])
			}
			if q == reach || !c.sees(c.node(k), c.node(q)) {
				next = reach
				break
			}
			reach = q
		}
		k = next
		c.link(c.node(k))
	}
	return true
}
