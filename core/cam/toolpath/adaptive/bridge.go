package adaptive

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Bridges lead from a cut to the next one through cleared ground without a corner: an arc, a line and an arc, tangent
// to each other and to both cuts (Dubins 1957, with two radii). A machine stops at a corner, but not on a bridge. They
// are found when the walk is about to meet material. The raster then is as it will be when the cutter comes there.

// bridgeRadii are the radii of the arcs of bridges, in radii of the cutter.
var bridgeRadii = [...]float64{1.2, 0.6, 0.3, 0.15}

const (
	brisk        = 4.0 // mm, radius of a turn from which on machines hardly slow down: v³/r² is within usual jerks
	mostBridges  = 12  // tried from one cut to the next
	mostInChain  = 4   // tried from corner to corner
	cornerCost   = 8.0 // mm of straight link that take as long as a stop
	sharpCorner  = 0.3 // rad, turn of a corner that counts as a stop
	longestTurn  = 1.6 * math.Pi
	leastReplace = 0.15 // radii: less way is not replaced
)

// bridge is a way that replaces the steps from one index of the path up to another.
type bridge struct {
	from, to int
	pieces   []planar.Segment
}

// pose is a position with a unit heading.
type pose struct{ at, dir geom.Vec2 }

// draft is a candidate for a bridge: the senses of the arcs, as indices of bridgeRadii with a sign for the side.
type draft struct {
	first, last turnKey
	along       float64 // rad, direction of the line
	cost        float64 // mm
}

// turnKey is a side (1: left, -1: right) and an index of bridgeRadii.
type turnKey struct {
	side   float64
	radius int
}

// bridgeTo replaces the links and idle steps at the end of the path by a bridge, where there is one, to a pose at the
// end of the path.
func (c *clearing) bridgeTo(dir geom.Vec2) {
	end := len(c.path)
	from := end
	for from > c.replayed+1 && (c.path[from-1].kind == Link || c.path[from-1].kind == Cut && c.path[from-1].idle) {
		from--
	}
	if from == end || from < 1 || c.path[from-1].kind == Retract {
		return
	}
	old, way := c.chainCost(from, dir)
	if way < leastReplace*c.radius {
		return
	}
	start, goal := pose{at: c.path[from-1].to}, pose{c.path[end-1].to, dir}
	if c.path[from-1].kind == Cut && from > 1 {
		start.dir = unit(c.path[from-1].to.Sub(c.path[from-2].to))
		if m := c.measure(start.at, start.dir); m.arc > linkArc {
			const clear = 0.25 // rad, for errors of the raster
			start.dir = turned(start.dir, m.left+clear)
		}
	} else {
		start.dir = unit(goal.at.Sub(start.at))
	}
	pieces := c.bridge(start, goal, old, mostBridges)
	if pieces == nil {
		pieces = c.chain(from, start, goal)
	}
	if pieces != nil {
		c.bridges = append(c.bridges, bridge{from, end, pieces})
	}
}

// chain returns a way along the links from an index on, with bridges from corner to corner where there are some; nil if
// there are none.
func (c *clearing) chain(from int, start, goal pose) (out []planar.Segment) {
	poses, ends := []pose{start}, []int{from - 1}
	for i := from; i < len(c.path)-1 && c.path[i].kind == Link; i++ {
		u, v := unit(c.path[i].to.Sub(c.path[i-1].to)), unit(c.path[i+1].to.Sub(c.path[i].to))
		if dir := unit(u.Add(v)); dir != (geom.Vec2{}) {
			poses, ends = append(poses, pose{c.path[i].to, dir}), append(ends, i)
		}
	}
	if len(poses) == 1 {
		return nil
	}
	poses, ends = append(poses, goal), append(ends, len(c.path)-1)
	isSmooth := false
	for i := 0; i+1 < len(poses); {
		next, pieces := i+1, []planar.Segment(nil)
		for k := min(i+farthest, len(poses)-1); k > i && pieces == nil; k-- {
			next = k
			pieces = c.bridge(poses[i], poses[k], detour*poses[i].at.Dist(poses[k].at)+detourBase*c.radius,
				mostInChain)
		}
		isSmooth = isSmooth || pieces != nil
		for k := ends[i] + 1; pieces == nil && k <= ends[next]; k++ {
			out = append(out, planar.NewLine(c.path[k-1].to, c.path[k].to))
		}
		out, i = append(out, pieces...), next
	}
	if !isSmooth {
		return nil
	}
	return out
}

// farthest is the number of corners of a link that one bridge may pass.
const farthest = 4

// chainCost returns the cost of the steps from an index on, up to a heading, and their length.
func (c *clearing) chainCost(from int, dir geom.Vec2) (cost, way float64) {
	var last geom.Vec2
	if from > 1 && c.path[from-1].kind == Cut {
		last = unit(c.path[from-1].to.Sub(c.path[from-2].to))
	}
	turn := func(u geom.Vec2) {
		if last != (geom.Vec2{}) && u.Dot(last) < math.Cos(sharpCorner) {
			cost += cornerCost
		}
		last = u
	}
	for i := from; i < len(c.path); i++ {
		d := c.path[i].to.Sub(c.path[i-1].to)
		if d.Norm2() > 0 {
			turn(unit(d))
			way += d.Norm()
		}
	}
	turn(dir)
	return cost + way, way
}

// bridge returns the cheapest bridge that is clear, of those below a cost (mm); nil if there is none among the first.
func (c *clearing) bridge(start, goal pose, most float64, attempts int) []planar.Segment {
	var drafts []draft
	for _, s0 := range [2]float64{1, -1} {
		for r0 := range bridgeRadii {
			for _, s1 := range [2]float64{1, -1} {
				for r1 := range bridgeRadii {
					d := draft{first: turnKey{s0, r0}, last: turnKey{s1, r1}}
					if c.design(start, goal, &d) && d.cost < most {
						drafts = append(drafts, d)
					}
				}
			}
		}
	}
	slices.SortStableFunc(drafts, func(a, b draft) int { return cmp.Compare(a.cost, b.cost) })
	var blockedFirst, blockedLast [2][len(bridgeRadii)]bool
	side := func(t turnKey) int { return int(t.side+1) / 2 }
	tries := 0
	for i := range drafts {
		d := &drafts[i]
		if blockedFirst[side(d.first)][d.first.radius] || blockedLast[side(d.last)][d.last.radius] {
			continue
		}
		if tries++; tries > attempts {
			break
		}
		pieces := c.draw(start, goal, d)
		switch blocked := slices.IndexFunc(pieces, func(p planar.Segment) bool { return !c.isClear(&p) }); {
		case blocked < 0:
			return pieces
		case blocked == 0:
			blockedFirst[side(d.first)][d.first.radius] = true
		case blocked == len(pieces)-1:
			blockedLast[side(d.last)][d.last.radius] = true
		}
	}
	return nil
}

// design computes the line and the cost of a draft; false: the arcs have no common tangent, or a turn is too long.
func (c *clearing) design(start, goal pose, d *draft) bool {
	r0, r1 := bridgeRadii[d.first.radius]*c.radius, bridgeRadii[d.last.radius]*c.radius
	k0, k1 := d.first.side*r0, d.last.side*r1
	between := goal.at.Add(left(goal.dir).Scale(k1)).Sub(start.at.Add(left(start.dir).Scale(k0)))
	far := between.Norm()
	if far <= math.Abs(k1-k0) {
		return false
	}
	d.along = math.Atan2(between.Y, between.X) - math.Asin((k1-k0)/far)
	turn0 := turnFrom(start.dir, d.along, d.first.side)
	turn1 := -turnFrom(goal.dir, d.along, -d.last.side)
	if math.Abs(turn0) > longestTurn || math.Abs(turn1) > longestTurn {
		return false
	}
	slow := func(r float64) float64 { return r * max(1, math.Cbrt(brisk/r*brisk/r)) }
	d.cost = math.Sqrt(far*far-(k1-k0)*(k1-k0)) + math.Abs(turn0)*slow(r0) + math.Abs(turn1)*slow(r1)
	return true
}

// turnFrom returns the turn from a heading to a direction (rad) to one side.
func turnFrom(u geom.Vec2, to, side float64) float64 {
	turn := math.Mod(side*(to-math.Atan2(u.Y, u.X)), 2*math.Pi)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	const whole = 2*math.Pi - 1e-6 // by rounding
	if turn > whole {
		turn = 0
	}
	return side * turn
}

// draw returns the arcs and the line of a draft, without those that have no length.
func (c *clearing) draw(start, goal pose, d *draft) (out []planar.Segment) {
	along := turned(geom.Vec2{X: 1}, d.along)
	k0, k1 := d.first.side*bridgeRadii[d.first.radius]*c.radius, d.last.side*bridgeRadii[d.last.radius]*c.radius
	center0, center1 := start.at.Add(left(start.dir).Scale(k0)), goal.at.Add(left(goal.dir).Scale(k1))
	from, to := center0.Sub(left(along).Scale(k0)), center1.Sub(left(along).Scale(k1))
	const least = 1e-4 // rad, and radii
	turn0, turn1 := turnFrom(start.dir, d.along, d.first.side), -turnFrom(goal.dir, d.along, -d.last.side)
	if math.Abs(turn0) > least {
		out = append(out, planar.Segment{From: start.at, To: from, Center: center0, Turn: turn0})
	} else {
		from = start.at
	}
	if math.Abs(turn1) <= least {
		to = goal.at
	}
	if from.Dist(to) > least*c.radius {
		out = append(out, planar.NewLine(from, to))
	} else if n := len(out); n > 0 {
		out[n-1].To = to
	}
	if math.Abs(turn1) > least {
		out = append(out, planar.Segment{From: to, To: goal.at, Center: center1, Turn: turn1})
	}
	return out
}

// left returns a vector turned to the left by a right angle.
func left(u geom.Vec2) geom.Vec2 { return geom.Vec2{X: -u.Y, Y: u.X} }

// unit returns the direction of a vector; zero has none.
func unit(d geom.Vec2) geom.Vec2 {
	if n := d.Norm(); n > 0 {
		return d.Scale(1 / n)
	}
	return geom.Vec2{}
}
