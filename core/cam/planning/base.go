package planning

// Base plates with seats, and screws or straps.
//
// Screws go through finished through holes of the part, and straps lie on faces near its edge. Each presses on a
// finished face that looks up, over a seat of the plate under a finished face at the lower end of the part.
// Both faces are checked in the rasters of the part, which are too wide by up to a cell. Tools keep off heads and
// straps as they do of jaws, by the height of the highest one. Stops only locate the part: friction bears what pushes
// it.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	strapWide, strapHigh = 20.0, 12.0 // mm
	strapNut             = 8.0        // mm, over the strap
	strapContact         = 10.0       // mm, side of the square on which it presses
	strapBolt            = 8.0        // mm, M8 of class 8.8, in the middle of the strap
	strapTorque          = 20.0       // N·m
	strapGap             = 10.0       // mm from the workpiece to the bolt
	strapInset           = 40.0       // mm from the edge of the workpiece, the most
	strapPlaces          = 16         // that are tried along each edge
	strapStep            = 2.0        // mm

	mostClamps    = 4
	leastClamps   = 3
	plateFriction = 0.15 // between a milled face and seats of steel
)

// screwSize is a socket head screw of class 8.8. Lengths are mm.
type screwSize struct {
	thread, clearance, head float64
	torque                  float64 // N·m
}

var screws = []screwSize{
	{12, 13.5, 18, 70}, {10, 11, 16, 40}, {8, 9, 13, 20}, {6, 6.6, 10, 9.5}, {5, 5.5, 8.5, 5.5}, {4, 4.5, 7, 2.8},
}

// clampPoint is a screw or a strap on the workpiece.
type clampPoint struct {
	workholding.Clamp
	face   float64 // along the side: what it presses on
	size   float64 // mm, of its thread
	solids []geom.Box
	seat   geom.Box
	blocks int // open tasks that it is in the way of
}

// baseGrip is the model of a base plate at the full force of its clamps.
type baseGrip struct{ workholding.Plate }

func (g *baseGrip) use(l workholding.Load) float64 {
	u := g.Use(l, workholding.Safety)
	return max(u.Slip, u.Tip)
}

// least returns the least sum of the clamping forces, whose shares stay the same. The use falls with it.
func (g *baseGrip) least(l workholding.Load) float64 {
	if l.Horizontal+l.Axial == 0 {
		return 0
	}
	low, high := 0.0, g.Normal()
	if math.IsInf(g.at(1e3*high).use(l), 1) {
		return mostForce
	}
	for g.at(high).use(l) > 1 {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if middle := (low + high) / 2; g.at(middle).use(l) > 1 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// at returns the plate with another sum of its clamping forces.
func (g *baseGrip) at(force float64) *baseGrip {
	out, share := *g, force/g.Normal()
	out.Clamps = slices.Clone(g.Clamps)
	for i := range out.Clamps {
		out.Clamps[i].Force *= share
	}
	return &out
}

func (g *baseGrip) figures(out *Hold, _ float64, l workholding.Load) {
	out.Count, out.Set = len(g.Clamps), g.Normal() // with the torques that the sheet states
	u := g.Use(l, workholding.Safety)
	out.Uses = []Use{{"slip", round(u.Slip)}, {"tip", round(u.Tip)}}
}

// onBase returns the clamping on a base plate; false without one.
func (p *planner) onBase(st *state, s side) (clamping, bool) {
	a, b := s.across()
	pins, named := p.stops(st, s)
	points := pickClamps(append(p.screwPoints(st, s), p.strapPoints(st, s)...), pins)
	if len(points) < leastClamps {
		return clamping{}, false
	}
	x, y, span := along(st.left, a), along(st.left, b), s.span(st.left)
	g := baseGrip{workholding.Plate{Friction: plateFriction, MinX: x.Lo, MinY: y.Lo, MaxX: x.Hi, MaxY: y.Hi}}
	out := clamping{kind: machining.WorkholdingFixture, device: DeviceBase, limit: math.Inf(-1)}
	all, straps := st.left, 0
	sizes := map[string]int{}
	each := math.Inf(1) // N, of every clamp
	for i := range points {
		each = min(each, points[i].Force)
	}
	for i := range points {
		c := &points[i]
		c.Force = each
		g.Clamps = append(g.Clamps, c.Clamp)
		out.jaws, out.under = append(out.jaws, c.solids...), append(out.under, c.seat)
		for _, box := range c.solids {
			all, out.limit = all.Union(box), max(out.limit, s.span(box).Hi+jawClear)
		}
		if c.isStrap() {
			straps++
		}
		sizes[fmt.Sprintf("M%.4g at %.3g N·m", c.size, c.torque(each))]++
	}
	out.jaws = append(out.jaws, pins...)
	put(&all, s.axis(), s.flip(geom.Interval{Lo: span.Lo - baseGap - baseThick, Hi: span.Lo - baseGap}))
	out.under = append(out.under, all)
	var bolts []string
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		bolts = append(bolts, fmt.Sprintf("%d × %s", sizes[name], name))
	}
	m := &p.in.Config.Material
	solid := workholding.Solid{Yield: m.Yield, Modulus: m.Modulus, Finished: true}
	h := strength{device: &g, middle: span.Lo, top: span.Hi, force: g.Normal(), solid: solid}
	h.sway = max(solid.Sway(1, span.Length(), x.Length(), y.Length()), solid.Sway(1, span.Length(), y.Length(), x.Length()))
	out.strength = &h
	if !h.holdsLightCuts(m) {
		return clamping{}, false
	}
	out.text = fmt.Sprintf("On a base plate %.4g mm thick with a seat under each clamp, %s: %d screws and %d straps (%s).",
		baseThick, named, len(points)-straps, straps, strings.Join(bolts, ", "))
	return out, true
}

// torque returns the torque of its screw for a force on the workpiece, N·m. The bolt of a strap bears twice that force.
func (c *clampPoint) torque(force float64) float64 {
	if c.isStrap() {
		force *= 2
	}
	return workholding.ScrewTorque(force, c.size)
}

func (c *clampPoint) isStrap() bool { return len(c.solids) > 1 }

// meets reports whether a clamp and one of some boxes have space in common.
func (c *clampPoint) meets(boxes []geom.Box) bool {
	for _, a := range c.solids {
		if slices.ContainsFunc(boxes, func(b geom.Box) bool { return common(a, b) }) {
			return true
		}
	}
	return false
}

// common reports whether two boxes have space in common.
func common(a, b geom.Box) bool {
	for axis := range 3 {
		if overlap(along(a, axis), along(b, axis)).Length() <= 0 {
			return false
		}
	}
	return true
}

// pickClamps picks clamps far from one another and beside some pins: first those that are in the way of least.
func pickClamps(all []clampPoint, pins []geom.Box) (list []clampPoint) {
	slices.SortStableFunc(all, func(a, b clampPoint) int {
		return cmp.Or(cmp.Compare(a.blocks, b.blocks), cmp.Compare(len(a.solids), len(b.solids)))
	})
	far := func(c *clampPoint) float64 {
		least := math.Inf(1)
		for i := range list {
			least = min(least, math.Hypot(c.X-list[i].X, c.Y-list[i].Y))
		}
		return least
	}
	taken := slices.Clip(pins)
	for len(list) < mostClamps && len(all) > 0 {
		best := -1
		for i := range all {
			if all[i].meets(taken) || best >= 0 && all[i].blocks > all[best].blocks {
				continue
			}
			if best < 0 || len(list) > 0 && round(far(&all[i])) > round(far(&all[best])) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		list, taken = append(list, all[best]), append(taken, all[best].solids...)
		all = slices.Delete(all, best, best+1)
	}
	return list
}

// screwPoints returns the screws through finished holes along a side.
func (p *planner) screwPoints(st *state, s side) (list []clampPoint) {
	a, b := s.across()
	for i := range p.in.Run.Features {
		f := &p.in.Run.Features[i]
		if f.Hole == nil || f.Direction.Cross(s.dir(p.frame)).Norm() > graph.DirectionTolerance ||
			slices.ContainsFunc(p.patchesOf(i), func(q int32) bool { t := p.taskOf[q]; return t < 0 || !st.done[t] }) {
			continue
		}
		at := p.frame.Local(f.Hole.TopCenter)
		k := slices.IndexFunc(screws, func(c screwSize) bool { return c.clearance <= f.Hole.Diameter+p.tol() })
		if k < 0 || f.Hole.Diameter >= screws[k].head-1 {
			continue
		}
		size := &screws[k]
		c := clampPoint{size: size.thread}
		c.X, c.Y = at.Coordinate(a), at.Coordinate(b)
		face, ok := p.seated(st, s, c.X, c.Y, (f.Hole.Diameter/2+size.head/2)/2, size.head/2)
		if !ok {
			continue
		}
		area := math.Pi / 4 * (size.head*size.head - f.Hole.Diameter*f.Hole.Diameter)
		c.Force = min(workholding.ScrewForce(size.torque, size.thread), area*p.in.Config.Material.Yield/2)
		c.face = face
		half := size.head / 2
		c.solids = []geom.Box{boxAt(s, c.X, c.Y, half, geom.Interval{Lo: face, Hi: face + size.thread})}
		list = append(list, p.withSeat(st, s, c, half))
	}
	return list
}

// strapPoints returns the straps across the edges of the workpiece.
func (p *planner) strapPoints(st *state, s side) (list []clampPoint) {
	a, b := s.across()
	axes := [2]int{a, b}
	over := p.overFaces(st, s, geom.Unbounded)
	for k, axis := range axes {
		wide := along(p.part, axes[1-k])
		for _, up := range [2]bool{false, true} {
			to := sideOf(axis, up)
			for i := range strapPlaces {
				x := wide.Lo + (float64(i)+0.5)/strapPlaces*wide.Length()
				if c, ok := p.strapAt(st, s, to, x, over); ok {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// strapAt returns the strap that reaches over an edge of the workpiece at a place along it, as little as it can. Stock
// may be left over some faces.
func (p *planner) strapAt(st *state, s, to side, x float64, over []overFace) (clampPoint, bool) {
	a, b := s.across()
	third := a + b - to.axis()
	edge := outer(st.left, to)
	for in := strapContact / 2; in < strapInset; in += strapStep {
		var at geom.Vec3
		at.SetCoordinate(to.axis(), to.sign()*(outer(p.part, to)-in))
		at.SetCoordinate(third, x)
		c := clampPoint{size: strapBolt}
		c.X, c.Y = at.Coordinate(a), at.Coordinate(b)
		face, ok := p.seated(st, s, c.X, c.Y, strapContact/4, strapContact/2)
		if !ok {
			continue
		}
		// The bolt is in the middle between the contact and the heel of the strap.
		bolt := edge + strapGap + strapBolt/2
		heel := 2*bolt - (outer(p.part, to) - in)
		c.face, c.Force = face, workholding.ScrewForce(strapTorque, strapBolt)/2
		rest := s.span(st.left).Lo
		bar := func(from, until, half float64, height geom.Interval) (box geom.Box) {
			put(&box, to.axis(), to.flip(geom.Interval{Lo: from, Hi: until}))
			put(&box, third, geom.Interval{Lo: x - half, Hi: x + half})
			put(&box, s.axis(), s.flip(height))
			return box
		}
		strap := bar(outer(p.part, to)-in-strapContact/2, heel+strapBolt, strapWide/2,
			geom.Interval{Lo: face, Hi: face + strapHigh})
		if !p.isFree(st, s, strap, over) {
			return c, false
		}
		c.solids = []geom.Box{
			strap,
			bar(bolt-strapBolt, bolt+strapBolt, strapBolt, geom.Interval{Lo: rest - baseGap, Hi: face + strapHigh + strapNut}),
			bar(heel-strapBolt, heel+strapBolt, strapWide/2, geom.Interval{Lo: rest - baseGap, Hi: face}),
		}
		return p.withSeat(st, s, c, strapContact/2), true
	}
	return clampPoint{}, false
}

// withSeat adds the seat below a clamp, and counts the open tasks that it is in the way of.
func (p *planner) withSeat(st *state, s side, c clampPoint, half float64) clampPoint {
	rest := s.span(st.left).Lo
	c.seat = boxAt(s, c.X, c.Y, half, geom.Interval{Lo: rest - baseGap, Hi: rest})
	h := clamping{jaws: c.solids}
	for t := range p.tasks {
		if w := p.tasks[t].ways[s]; w != nil && !st.done[t] && h.blocks(s, p.tasks[t].box, w) {
			c.blocks++
		}
	}
	return c
}

// boxAt returns a box around an axis along the side.
func boxAt(s side, x, y, half float64, height geom.Interval) geom.Box {
	return boxAcross(s, height, geom.Interval{Lo: x - half, Hi: x + half}, geom.Interval{Lo: y - half, Hi: y + half})
}

// seated returns the height of a finished face that looks up, over a finished one on which the part lies, both around a
// place between two radii; false where one is not there.
func (p *planner) seated(st *state, s side, x, y, inner, far float64) (face float64, ok bool) {
	const around = 12
	a, b := s.across()
	rest := s.span(st.left).Lo
	for i := range around {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / around)
		for _, r := range [2]float64{inner, far} {
			var at geom.Vec3
			at.SetCoordinate(a, x+r*cos)
			at.SetCoordinate(b, y+r*sin)
			z := p.reliefOf(s).highest(at)
			if i == 0 && r == inner {
				face = z
			}
			if math.Abs(z-face) > p.tol() || math.Abs(p.reliefOf(s.opposite()).highest(at)+rest) > p.tol() {
				return 0, false
			}
			if !p.isFinishedFloor(st, s, at, face) || !p.isFinishedFloor(st, s.opposite(), at, -rest) {
				return 0, false
			}
		}
	}
	return face, true
}

// isFinishedFloor reports whether a finished face that looks to a side is at a height around a place.
func (p *planner) isFinishedFloor(st *state, s side, at geom.Vec3, height float64) bool {
	a, b := s.across()
	for t := range p.tasks {
		task := &p.tasks[t]
		if !st.done[t] || math.Abs(s.span(task.box).Hi-height) > p.tol() || s.span(task.box).Length() > p.tol() ||
			!p.isSquare(task.patches[0], s.axis(), s.sign() > 0) {
			continue
		}
		x, y := along(task.box, a), along(task.box, b)
		if at.Coordinate(a) >= x.Lo && at.Coordinate(a) <= x.Hi && at.Coordinate(b) >= y.Lo && at.Coordinate(b) <= y.Hi {
			return true
		}
	}
	return false
}

// isFree reports whether nothing of the workpiece is in a box. Stock may be left over some faces.
func (p *planner) isFree(st *state, s side, box geom.Box, over []overFace) bool {
	const skin = 1e-3
	a, b := s.across()
	x, y, z := along(box, a), along(box, b), s.span(box)
	step := max(2*p.reliefOf(s).step, 1)
	for u := x.Lo; u <= x.Hi; u += step {
		for v := y.Lo; v <= y.Hi; v += step {
			for _, w := range [3]float64{z.Lo + skin, z.Mid(), z.Hi} {
				var at geom.Vec3
				at.SetCoordinate(a, u)
				at.SetCoordinate(b, v)
				at.SetCoordinate(s.axis(), s.sign()*w)
				if st.left.Contains(at, 0) && (p.isLeft(st, at, (*heightField).highest) || p.isOver(over, at)) {
					return false
				}
			}
		}
	}
	return true
}
