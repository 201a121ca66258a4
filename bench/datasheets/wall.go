package datasheets

// Corners and fillets of walls, from sections across them and along them.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// planCorners finds the corners of the walls adjacent to a plan, at heights between its top and its base. At these
// heights inclined walls are still on its border, and above lower floors.
func (p *part) planCorners(pl *plan, base []int, v *view, foot, top float64) (out radii) {
	depth := top - foot
	step := min(0.05*depth, pl.h/2)
	heights := []float64{foot + step, foot + 0.05*depth, foot + 0.5*depth, foot + 0.95*depth}
	for _, r := range base {
		if _, _, own := p.box([]int{r}, v); own.Hi < foot-step && p.isLevel([]int{r}, v) {
			heights = append(heights, own.Hi+step)
		}
	}
	for _, z := range heights {
		linked, closed := chains(section(p.m, nil, v, z+1e-7))
		for i, c := range linked {
			for _, run := range split(c, closed[i], func(s *side) bool {
				// of those that lean a higher floor cuts off the feet
				return !slices.Contains(base, int(s.region)) && (isUpright(s, v) || z > foot) && pl.isBankOver(s, v, z, 2*step)
			}) {
				out.join(corners(run.sides, run.closed, 1))
			}
		}
	}
	return out
}

// isBankOver reports whether a side at height z is a wall that the plan lies in front of, nowhere above it. In a cusp
// cells do not tell, as another wall is too near: there an upright wall of the pocket's own counts up to a height near
// over the plan.
func (pl *plan) isBankOver(s *side, v *view, z, near float64) bool {
	i := pl.cell(pl.before(s, 0.5))
	if pl.height == nil || i < 0 || pl.site[i] < 0 {
		return pl.isBank(s, v)
	}
	over := z - pl.height[pl.site[i]]
	isShut := over <= near && pl.wall[i] && isWall(s, v) && isUpright(s, v) && // before others lies their own foot
		slices.Contains(pl.own, int(s.region))
	return over >= 0 && (isShut || pl.isBank(s, v))
}

type run struct {
	sides  []side
	closed bool
}

// isBank reports whether a side is a wall that the plan lies in front of, somewhere.
func (pl *plan) isBank(s *side, v *view) bool {
	if !isWall(s, v) {
		return false
	}
	end := pl.end(s)
	return pl.isBefore(s, 0.5) || pl.isBefore(s, end) || pl.isBefore(s, 1-end)
}

// end is the share of a side from its end to where cells tell what lies in front of it.
func (pl *plan) end(s *side) float64 { return min(2*pl.h/s.length(), 0.5) }

// isBefore reports whether the plan lies in front of a point of a side, or oblique to it, where the plan ends in a
// wedge. For a wall of another feature, the oblique direction does not count through its opening.
func (pl *plan) isBefore(s *side, share float64) bool {
	const tiltTolerance = math.Pi / 3
	at := s.from.Lerp(s.to, share)
	ahead := pl.before(s, share).Sub(at)
	if pl.isIn(at.Add(ahead)) {
		return true
	}
	if i := pl.cell(at.Add(ahead)); !slices.Contains(pl.own, int(s.region)) && (i < 0 || !pl.wall[i]) {
		return false
	}
	along := geom.Vec2{X: -ahead.Y, Y: ahead.X}.Scale(math.Tan(tiltTolerance))
	return pl.isIn(at.Add(ahead.Add(along).Scale(math.Cos(tiltTolerance)))) ||
		pl.isIn(at.Add(ahead.Sub(along).Scale(math.Cos(tiltTolerance))))
}

// isWall reports whether a side has a direction and is steep.
func isWall(s *side, v *view) bool {
	return s.length() > speck && math.Abs(s.normal.Dot(v.z)) <= wallSlope
}

// isUpright reports whether a side does not lean.
func isUpright(s *side, v *view) bool { return math.Abs(s.normal.Dot(v.z)) <= leastTurn }

// before returns a place before a side at a share of its length, a little away from it.
func (pl *plan) before(s *side, share float64) geom.Vec2 {
	d := s.to.Sub(s.from).Scale(1.5 * pl.h / s.length())
	return s.from.Lerp(s.to, share).Add(geom.Vec2{X: -d.Y, Y: d.X})
}

// split returns the runs of a chain that keep accepts, with specks between.
func split(c []side, closed bool, accept func(s *side) bool) (out []run) {
	keep := make([]bool, len(c))
	all, start := true, 0
	for i := range c {
		keep[i] = c[i].length() <= speck && i > 0 && keep[i-1] || accept(&c[i])
		if !keep[i] {
			all, start = false, i
		}
	}
	if all {
		return []run{{c, closed}}
	}
	if !closed {
		start = 0
	}
	var cur []side
	for i := range c {
		k := (start + i) % len(c)
		if keep[k] {
			cur = append(cur, c[k])
			continue
		}
		if len(cur) > 0 {
			out = append(out, run{cur, false})
		}
		cur = nil
	}
	if len(cur) > 0 {
		out = append(out, run{cur, false})
	}
	return out
}

// fillets examines vertical sections across the walls of some regions adjacent to a plan, from height z down to the
// floor.
func (p *part) fillets(pl *plan, regions []int, v *view, lowest, z, top float64) (out radii) {
	if z >= top { // no wall extends above the fillets
		z = top - max(FineChord, 0.05*(top-lowest))
	}
	var walls, flat []side
	for _, s := range section(p.m, regions, v, z+1e-7) {
		if s.length() <= speck {
			continue
		}
		walls = append(walls, s)
		if math.Abs(s.turn()) <= leastTurn {
			flat = append(flat, s)
		}
	}
	if len(flat) > 0 { // fillets run straight beside them
		walls = flat
	}
	const most = 40
	step := max(1, len(walls)/most)
	for i := 0; i < len(walls); i += step {
		s := &walls[i]
		middle := s.from.Lerp(s.to, 0.5)
		ahead := pl.before(s, 0.5).Sub(middle)
		lean := math.Tan(math.Asin(min(math.Abs(s.normal.Dot(v.z)), wallSlope)))
		far := ahead.Scale(1 + (z-lowest)*lean/ahead.Norm()) // where a wall that leans stands
		if pl.isIn(middle.Add(ahead)) || pl.isIn(middle.Add(far)) {
			out.join(p.footOf(s, v))
		}
	}
	return out
}

// askewCut is the sine of the maximum deviation of a section across a wall from perpendicular.
const askewCut = 0.1

// footOf follows the section across a wall down to where it is level. A floor that nowhere gets as steep as a wall,
// however round, has no fillet, and a cut that is not square to a fillet is tighter.
func (p *part) footOf(s *side, v *view) radii {
	d := s.to.Sub(s.from).Scale(1 / s.length())
	t := v.x.Scale(d.X).Add(v.y.Scale(d.Y)) // along the wall
	across := view{x: v.z, y: t.Cross(v.z), z: t}
	linked, closed := chains(section(p.m, nil, &across, s.middle.Dot(t)))
	k, first := nearest(linked, across.at(s.middle))
	if k < 0 {
		return radii{}
	}
	run := descent(linked[k], first, closed[k], v)
	out := filletOf(run)
	isSteep := slices.ContainsFunc(run, func(q side) bool { // where its face is steepest
		return slices.ContainsFunc(p.m.Regions[q.region].Normals, func(n geom.Vec3) bool { return n.Dot(v.z) <= wallSlope })
	})
	isAskew := slices.ContainsFunc(run, func(q side) bool { return math.Abs(q.normal.Dot(t)) > askewCut })
	if !isSteep || isAskew && out.most > 0 {
		return radii{}
	}
	return out
}

// nearest returns the side on which a place lies, by its chain and its place in that; -1 where it lies on none.
func nearest(chains [][]side, at geom.Vec2) (chain, first int) {
	const off = 1e-3 // mm
	best := off
	chain = -1
	for k, c := range chains {
		for i := range c {
			m := c[i].from.Lerp(c[i].to, 0.5)
			e := c[i].to.Sub(c[i].from)
			if l2 := e.Norm2(); l2 > 0 {
				m = c[i].from.Lerp(c[i].to, max(0, min(1, at.Sub(c[i].from).Dot(e)/l2)))
			}
			if dist := m.Dist(at); dist < best {
				best, chain, first = dist, k, i
			}
		}
	}
	return chain, first
}

// descent returns the sides of a chain from one of them down to where a face is level, in their order. X is height.
func descent(c []side, first int, closed bool, v *view) (run []side) {
	forward := c[first].to.X < c[first].from.X
	for n := range c {
		i := first + n
		if !forward {
			i = first - n
		}
		if !closed && (i < 0 || i >= len(c)) {
			break
		}
		q := c[(i+len(c))%len(c)]
		if q.length() > speck && (q.to.X > q.from.X) == forward && math.Abs(q.to.X-q.from.X) > 0.02*q.length() {
			break // it goes up again
		}
		if len(run) > 0 {
			a, b := &run[len(run)-1], &q
			if !forward {
				a, b = b, a
			}
			if angleBetween(a.after, b.before) < -cornerTurn {
				break // over an edge
			}
		}
		run = append(run, q)
		if q.normal.Dot(v.z) > math.Cos(0.02) {
			break
		}
	}
	if !forward {
		slices.Reverse(run)
	}
	return run
}

// filletOf returns the smallest fillet in the foot of a wall, over half of its turn where that tells: points of the
// mesh lie off a round wall along it, too.
func filletOf(run []side) radii {
	turn := 0.0
	for i := range run {
		turn += max(0, run[i].turn())
	}
	if out := cornersOver(run, false, 1, max(cornerTurn, turn/2)); out.ok {
		return out
	}
	return corners(run, false, 1)
}
