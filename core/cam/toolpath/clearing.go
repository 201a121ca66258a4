package toolpath

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Clearing removes all that the tool reaches of an area at a height, by rings. They are repeated inward offsets, by the
// stepover, of the area where the tip is free and near the target. Rings that begin in the air are cut from outside in,
// rings that begin in material from inside out, after a helix or a ramp. Material between the rings, as in tips, is
// cleared again by the same method, until less than trifle of the reachable area is left.

// level is one height at which an area is cleared.
type level struct {
	z    float64
	air  float64           // mm, clearance above the previous level for travel
	free *arcpoly.Area     // where the tip may be
	way  *access.PathCheck // a faster test of free
	sky  **arcpoly.Area

	cut, turns [][]planar.Segment // loops and helices cut since the last update of the stock
}

// contains reports whether the tip may move along a segment.
func (l *level) contains(p *planar.Segment) bool {
	if l.way != nil {
		return l.way.Holds(p, stray)
	}
	return within(l.free, p)
}

// isClear reports whether the tip may be at the free end of a lead. Along chamfers, paths may overlap the part by
// slips, as discs extend beyond cones. A lead that overlaps at its end does not lead away from the part.
func (l *level) isClear(at geom.Vec2) bool {
	p := planar.NewLine(at, at)
	return l.way == nil || l.way.Holds(&p, stray-slips)
}

// layer is the cached input of the last level: consecutive levels of a prismatic part have the same areas. It has a
// field for each pass.
type layer struct {
	target, reached, rest, unreached areaCache[*arcpoly.Area]
	field                            [passes]areaCache[*field]
}

// areaCache is the result for the last areas requested.
type areaCache[V any] struct {
	from    [2]*arcpoly.Area
	value   V
	isKnown bool
}

func (l *areaCache[V]) get(from [2]*arcpoly.Area, make func() (V, error)) (V, error) {
	if l.isKnown && l.from == from {
		return l.value, nil
	}
	value, err := make()
	*l = areaCache[V]{from, value, err == nil}
	return value, err
}

// passes is the maximum number of passes over a level: slivers between rings take a second pass, their own slivers a
// third.
const passes = 4

// pocket clears the bands of its material, or one floor.
func (w *operationBuilder) pocket() error {
	if err := w.layFloors(); err != nil {
		return err
	}
	list, err := w.overWalls(w.bands())
	if err != nil {
		return err
	}
	for i := range list {
		for _, z := range list[i].heights() {
			if err := w.ctx.Err(); err != nil {
				return err
			}
			target, err := w.target(z)
			if err != nil {
				return err
			}
			w.deepen(list[i].top - z)
			if err := w.level(z, list[i].top, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// deepen prepares a level of some depth (mm).
func (w *operationBuilder) deepen(depth float64) {
	before := w.excess()
	if w.depth = depth; w.excess() != before {
		w.layer = layer{} // its rings have the stepover of another depth
	}
}

// excess returns the ratio of the depth of the level to the axial depth, at least 1. The stepover is smaller by it.
func (w *operationBuilder) excess() float64 {
	const rounding = 1e-4 // so that levels of equal depth have equal stepovers
	axial := w.op.Cutting.Axial.Value
	if axial <= 0 {
		return 1
	}
	return max(math.Round(w.depth/axial/rounding)*rounding, 1)
}

// slotting returns the share of the feed where the whole width of the tool is in material: a slot removes no more in a
// minute than the cut of the operation.
func (w *operationBuilder) slotting() float64 {
	cut := w.stepover() * w.excess() * w.op.Cutting.Axial.Value
	if cut <= 0 || w.depth <= 0 {
		return slotting
	}
	return min(cut/(2*w.radius*w.depth), slotting)
}

// levels returns the heights of passes over the whole section, from the top down: steps of the axial depth, and the
// heights of floors with their stock to leave.
func (w *operationBuilder) levels() []float64 {
	return descending(append(steps(w.op.Top, w.op.Bottom, w.op.Cutting.Axial.Value), w.floorHeights()...))
}

// descending sorts heights from the top down, each once.
func descending(heights []float64) []float64 {
	slices.SortFunc(heights, func(a, b float64) int { return cmp.Compare(b, a) })
	return slices.CompactFunc(heights, func(a, b float64) bool { return math.Abs(a-b) < motion.Resolution })
}

// steps divides the descent into equal steps of at most a depth.
func steps(top, bottom, depth float64) []float64 {
	n := 1
	if depth > 0 {
		n = max(1, int((top-bottom)/depth+1-1e-6))
	}
	heights := make([]float64, n)
	for i := range heights {
		heights[i] = bottom + (top-bottom)*float64(n-1-i)/float64(n)
	}
	return heights
}

// level clears a target at a height below a cleared level, and claims the rest without cusps, which the verification
// finds where no finishing comes.
func (w *operationBuilder) level(z, before float64, target *arcpoly.Area) error {
	if target.Size() < trifle {
		return nil
	}
	if len(w.op.Beside) > 0 {
		w.window = w.windowOver(target)
	}
	free, err := w.site.Free(w.assembly, z, w.stockToLeave(), w.margin(), w.window)
	if err != nil {
		return err
	}
	reached, err := w.layer.reached.get([2]*arcpoly.Area{free}, func() (*arcpoly.Area, error) {
		return free.Offset(w.radius)
	})
	if err != nil {
		return err
	}
	rest, err := w.layer.rest.get([2]*arcpoly.Area{target, reached}, func() (*arcpoly.Area, error) {
		return arcpoly.Intersection(target, reached)
	})
	if err != nil {
		return err
	}
	unreached := func() (*arcpoly.Area, error) {
		return w.layer.unreached.get([2]*arcpoly.Area{target, reached}, func() (*arcpoly.Area, error) {
			return target.Minus(reached)
		})
	}
	reachable := rest.Size()
	l := &level{z: z, air: before + above, free: free}
	if w.isBounded() && rest.Size() >= trifle {
		left, err := w.clearBounded(l, rest)
		if err != nil {
			return err
		}
		studs, err := w.standing(z, left, unreached)
		if err != nil {
			return err
		}
		if left, err = w.withoutCusps(left); err != nil {
			return err
		}
		if rest, err = arcpoly.Union(left, studs); err != nil {
			return err
		}
	}
	near := w.radius - w.stepover()
	if w.op.Floor {
		near = min(near, 0)
	}
	for pass := 0; pass < passes && rest.Size() >= trifle; pass++ {
		f, err := w.layer.field[pass].get([2]*arcpoly.Area{rest, free}, func() (*field, error) {
			return w.field(l, rest, near)
		})
		if err != nil {
			return err
		}
		if rest, err = w.pass(l, rest, f); err != nil {
			return err
		}
		near = w.radius / 2
	}
	if target.Size()-reachable+rest.Size() < trifle {
		return nil
	}
	stays, err := unreached()
	if err != nil {
		return err
	}
	if stays, err = arcpoly.Union(stays, rest); err != nil {
		return err
	}
	w.claim(claim{z: z, before: before, area: stays})
	return nil
}

// standing returns the remaining parts of an area at a height that stand free: neither beside the part, where finishing
// takes them, nor beside stock that stays. The shank and the holder would have to stay away from them at all lower
// levels.
func (w *operationBuilder) standing(z float64, left *arcpoly.Area, stays func() (*arcpoly.Area, error)) (
	*arcpoly.Area, error,
) {
	if left.IsEmpty() {
		return nil, nil
	}
	solid, err := w.site.Part(z-w.op.LeaveAxial, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	rest, err := stays()
	if err != nil {
		return nil, err
	}
	return apart(left, solid, rest)
}

// apart returns the connected parts of an area that are not beside any of some others.
func apart(a *arcpoly.Area, others ...*arcpoly.Area) (*arcpoly.Area, error) {
	near, err := a.Offset(freedom)
	if err != nil {
		return nil, err
	}
	touching := make([]*arcpoly.Area, len(others))
	for i, o := range others {
		if touching[i], err = arcpoly.Intersection(near, o); err != nil {
			return nil, err
		}
		if touching[i], err = touching[i].Offset(2 * freedom); err != nil {
			return nil, err
		}
	}
	held, err := arcpoly.Union(touching...)
	if err != nil || held.IsEmpty() {
		return a, err
	}
	var kept []*arcpoly.Area
	for _, part := range a.Parts() {
		beside, err := arcpoly.Intersection(part, held)
		if err != nil {
			return nil, err
		}
		if beside.IsEmpty() {
			kept = append(kept, part)
		}
	}
	return arcpoly.Union(kept...)
}

// freedom is the distance from others (mm) from which on a part of an area stands free.
const freedom = 0.05

// pass clears the remaining area once, by rings, and returns the new rest.
func (w *operationBuilder) pass(l *level, rest *arcpoly.Area, f *field) (*arcpoly.Area, error) {
	stock, err := w.site.Stock.Above(l.z)
	if err != nil {
		return nil, err
	}
	for _, r := range f.rings {
		if err := w.cutRings(l, r, stock); err != nil {
			return nil, err
		}
	}
	cut, turns := l.cut, l.turns
	l.cut, l.turns = nil, nil
	if len(cut)+len(turns) == 0 {
		return rest, nil
	}
	l.sky = nil
	isAll := len(cut) == f.loops
	passed := func(radius float64) (*arcpoly.Area, error) {
		if !isAll {
			return sweep(radius, slices.Concat(cut, turns))
		}
		over, err := f.over(radius, w.stepover())
		if err != nil || len(turns) == 0 {
			return over, err
		}
		around, err := sweep(radius, turns)
		if err != nil {
			return nil, err
		}
		return arcpoly.Union(over, around)
	}
	swept, err := w.take(l.z, passed)
	if err != nil {
		return nil, err
	}
	if isAll && w.radius >= w.stepover()+stray {
		return f.missed, nil
	}
	// A round end leaves cusps between its paths at this height; that they were passed counts.
	return f.left.get([2]*arcpoly.Area{rest, swept}, func() (*arcpoly.Area, error) { return rest.Minus(swept) })
}

// stepover returns the distance of rings, mm.
func (w *operationBuilder) stepover() float64 {
	step := w.op.Cutting.Radial.Value
	if step <= 0 {
		step = w.radius / 2
	}
	return min(step, 1.6*w.radius) / w.excess()
}
