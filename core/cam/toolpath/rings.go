package toolpath

import (
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Rings of an area: how they are entered and in which order they are cut.

// cutRings cuts the rings of an area: from outside in if its outer loop begins in the air, else from inside out.
func (w *operationBuilder) cutRings(l *level, r *ring, stock *arcpoly.Area) error {
	outer, holes := loopsOf(r.area)
	if _, _, ok := w.outside(l, outer, stock); ok {
		return w.inwards(l, r, nil, stock, 0)
	}
	for _, h := range holes {
		if _, _, ok := w.outside(l, h, stock); ok {
			return w.outwards(l, r, h, stock)
		}
	}
	_, err := w.fromInside(l, r, stock)
	return err
}

// loopsOf returns the outer loop of a connected area and its holes.
func loopsOf(a *arcpoly.Area) (outer planar.Loop, holes []planar.Loop) {
	for _, l := range a.Loops() {
		if outer == nil && l.Area() > 0 {
			outer = l
		} else {
			holes = append(holes, l)
		}
	}
	return outer, holes
}

// inwards cuts the outer loop, the inner ones, and then the loops around islands. Inner rings run in the opposite
// sense, so that the material is on the right of the tool, as it is at walls.
func (w *operationBuilder) inwards(l *level, r *ring, last []planar.Segment, stock *arcpoly.Area, depth int) error {
	outer, holes := loopsOf(r.area)
	share := 1.0
	if depth == 0 {
		share = w.slotting()
	} else {
		outer = outer.Reverse()
	}
	if err := w.loop(l, outer, last, stock, share); err != nil {
		return err
	}
	last = outer
	for _, c := range r.inside {
		if err := w.inwards(l, c, last, stock, depth+1); err != nil {
			return err
		}
	}
	for _, h := range holes {
		if err := w.loop(l, h, w.beside(r, outer), stock, 1); err != nil {
			return err
		}
	}
	return nil
}

// outwards begins at a hole of the area that is in the air.
func (w *operationBuilder) outwards(l *level, r *ring, hole planar.Loop, stock *arcpoly.Area) error {
	if err := w.loop(l, hole, nil, stock, w.slotting()); err != nil {
		return err
	}
	for _, c := range r.inside {
		if _, err := w.fromInside(l, c, stock); err != nil {
			return err
		}
	}
	near := w.beside(r, hole)
	outer, holes := loopsOf(r.area)
	for _, h := range append([]planar.Loop{outer}, holes...) {
		if &h[0] == &hole[0] {
			continue
		}
		if err := w.loop(l, h, near, stock, 1); err != nil {
			return err
		}
	}
	return nil
}

// fromInside cuts the innermost rings first and returns the pieces of the ring.
func (w *operationBuilder) fromInside(l *level, r *ring, stock *arcpoly.Area) ([]planar.Segment, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	var near []planar.Segment
	for _, c := range r.inside {
		walked, err := w.fromInside(l, c, stock)
		if err != nil {
			return nil, err
		}
		near = append(near, walked...)
	}
	outer, holes := loopsOf(r.area)
	share := 1.0
	if len(r.inside) == 0 {
		share = w.slotting()
		if _, err := w.helix(l, r.area, stock); err != nil {
			return nil, err
		}
		near = []planar.Segment{planar.NewLine(flat(w.at), flat(w.at))}
	}
	if err := w.loop(l, outer, near, stock, share); err != nil {
		return nil, err
	}
	near = append(near, outer...)
	walked := slices.Clone([]planar.Segment(outer))
	for _, h := range holes {
		if err := w.loop(l, h, near, stock, 1); err != nil {
			return nil, err
		}
		walked = append(walked, h...)
	}
	return walked, nil
}

// beside returns the segments of the rings just inside of a ring, and of its own loop.
func (w *operationBuilder) beside(r *ring, own planar.Loop) []planar.Segment {
	near := slices.Clone([]planar.Segment(own))
	for _, c := range r.inside {
		for _, l := range c.area.Loops() {
			near = append(near, l...)
		}
	}
	return near
}

// loop cuts a closed loop: across from an adjacent cut, else from the air, else down a ramp.
func (w *operationBuilder) loop(l *level, loop planar.Loop, near []planar.Segment, stock *arcpoly.Area,
	share float64,
) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	ok, err := w.across(l, loop, near)
	if err != nil {
		return err
	}
	if !ok {
		if ok, err = w.enter(l, loop, stock); err != nil {
			return err
		}
	}
	if !ok {
		return nil
	}
	walk := turned(loop, flat(w.at))
	if share < 1 {
		thin, err := w.isThinAlong(l, loop)
		if err != nil {
			return err
		}
		if thin {
			share = 1
		}
	}
	w.follow(walk, w.feed()*share)
	l.cut = append(l.cut, walk)
	return nil
}

// across moves the tip to a loop from an adjacent cut; false: it is not near enough, or obstructed.
func (w *operationBuilder) across(l *level, loop planar.Loop, near []planar.Segment) (bool, error) {
	reach := 2.5*w.stepover() + stray
	if w.op.Floor { // whose innermost ring may be so far from the entry
		reach = max(reach, w.radius+stray)
	}
	from, to, ok := closest(near, loop, flat(w.at), reach)
	if !ok || !w.isBegun {
		return false, nil
	}
	if w.at.Z == l.z {
		if q := nearestOf(loop, flat(w.at)); q.Dist(flat(w.at)) <= reach && straight(l.free, flat(w.at), q) {
			w.line(lift(q, l.z), motion.Cut, w.feed()*w.slotting())
			return true, nil
		}
	}
	if !straight(l.free, from, to) {
		return false, nil
	}
	if err := w.over(from, l.z, l); err != nil {
		return false, err
	}
	w.line(lift(from, l.z), motion.LeadIn, w.plungeFeed())
	w.line(lift(to, l.z), motion.Cut, w.feed()*w.slotting())
	return true, nil
}

// closest returns a place of pieces and one of a loop that are close, of several the ones near to a place.
func closest(pieces []planar.Segment, loop planar.Loop, at geom.Vec2, reach float64) (from, to geom.Vec2, ok bool) {
	best := 0.0
	for i := range pieces {
		for _, s := range [...]float64{0, 0.5} {
			p := pieces[i].At(s)
			q := nearestOf(loop, p)
			d := p.Dist(q)
			if d > reach {
				continue
			}
			if d += p.Dist(at) / 10; !ok || d < best {
				best, from, to, ok = d, p, q, true
			}
		}
	}
	return from, to, ok
}

func nearestOf(loop planar.Loop, p geom.Vec2) (at geom.Vec2) {
	best := -1.0
	for i := range loop {
		if q, _ := loop[i].Nearest(p); best < 0 || q.Dist(p) < best {
			best, at = q.Dist(p), q
		}
	}
	return at
}
