package toolpath

import (
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Entries: from outside the stock where there is such a place, else down a helix, else along the ring as a ramp, else
// straight down, as the tool may.

const (
	widestHelix = 0.45 // of the diameter: no core stays in the middle
	leastHelix  = 0.1  // of the diameter, of tools that cut to their axis
	leastCore   = 0.3  // of the diameter, for tools without center edges: the core is removed
)

// outside looks for a place where the tool, at the height of the level, is in the air, and from which a loop is reached
// straight: from there to the place of the loop.
func (w *operationBuilder) outside(l *level, loop planar.Loop, stock *arcpoly.Area) (from, to geom.Vec2, ok bool) {
	best := math.Inf(1)
	isClear := func(p geom.Vec2) bool { return stock.Distance(p) <= -w.radius+stray }
	for i := range loop {
		n := 1 + int(loop[i].Length()/(2*w.radius))
		for k := range min(n, 50) {
			at := float64(k) / float64(n)
			q := loop[i].At(at)
			out := left(loop[i].Tangent(at)).Scale(-1)
			for _, far := range [...]float64{0, 0.5, 1, 1.5, 2} {
				p := q.Add(out.Scale(far * w.radius))
				if !isClear(p) {
					continue
				}
				d := far * w.radius
				if w.isBegun {
					d += p.Dist(flat(w.at)) / 10
				}
				if d < best && straight(l.free, p, q) {
					best, from, to, ok = d, p, q, true
				}
				break
			}
		}
	}
	return from, to, ok
}

// enter moves the tip onto a loop at the height of the level; false: there is no path, and the loop is declared.
func (w *operationBuilder) enter(l *level, loop planar.Loop, stock *arcpoly.Area) (bool, error) {
	if from, to, ok := w.outside(l, loop, stock); ok {
		if err := w.over(from, l.z, l); err != nil {
			return false, err
		}
		w.line(lift(from, l.z), motion.LeadIn, w.plungeFeed())
		w.line(lift(to, l.z), motion.LeadIn, w.feed()*w.slotting())
		return true, nil
	}
	at := loop[0].From
	if w.isBegun {
		at = nearestOf(loop, flat(w.at))
	}
	thin, err := w.isThin(l, at)
	if err != nil {
		return false, err
	}
	if w.ramps(loop) && !thin {
		return true, w.slope(l, loop)
	}
	if w.plunges() {
		return true, w.plunge(l, at)
	}
	w.left.refuse(completeness.NoToolFits, "the tool may neither ramp nor plunge into it.")
	return false, nil
}

// isThin reports whether the stock that the tool meets at a place is so thin that it may plunge there.
func (w *operationBuilder) isThin(l *level, at geom.Vec2) (bool, error) {
	top, err := w.top(at)
	return top <= l.z+skin+motion.Resolution/2 && w.plunges(), err
}

// isThinAlong reports whether the tool meets only a thin layer along a loop, beside walls with some stock to leave: its
// whole width there is no load.
func (w *operationBuilder) isThinAlong(l *level, loop planar.Loop) (bool, error) {
	const most = 0.5 // mm, of thicker stock at the walls
	thick, err := w.site.Stock.Above(l.z + skin)
	if err != nil {
		return false, err
	}
	for i := range loop {
		n := 1 + int(2*loop[i].Length()/w.radius)
		for k := range n {
			if thick.Distance(loop[i].At(float64(k)/float64(n))) > most-w.radius {
				return false, nil
			}
		}
	}
	return true, nil
}

// plunge goes straight down at a place to the height of the level.
func (w *operationBuilder) plunge(l *level, at geom.Vec2) error {
	if err := w.over(at, l.z, l); err != nil {
		return err
	}
	w.line(lift(at, l.z), motion.Plunge, w.op.Cutting.PlungeFeed.Value)
	return nil
}

// ramps reports whether the tool may descend along a loop. A loop shorter than the radius of the tool is unsuitable:
// the descent would take hundreds of turns, and its middle is cut as by a plunge.
func (w *operationBuilder) ramps(loop planar.Loop) bool {
	return w.ramp() > 0 && loop.Length() > w.radius
}

// slope descends along a loop, in repeated turns, to a point of it at the height of the level.
func (w *operationBuilder) slope(l *level, loop planar.Loop) error {
	top := l.z
	for i := range loop {
		n := 1 + int(loop[i].Length()/w.radius)
		for k := range n {
			z, err := w.top(loop[i].At(float64(k) / float64(n)))
			if err != nil {
				return err
			}
			top = max(top, z)
		}
	}
	walk := turned(loop, flat(w.at))
	if !w.isBegun {
		walk = loop
	}
	start := walk[0].From
	if err := w.over(start, top+touch, l); err != nil {
		return err
	}
	w.descend(walk, l.z)
	return nil
}

// descend goes down along a closed path, round and round, to a height.
func (w *operationBuilder) descend(walk []planar.Segment, z float64) {
	drop := w.ramp()
	for w.at.Z > z {
		for _, p := range walk {
			need := (w.at.Z - z) / drop
			if need <= p.Length() {
				head, _ := split(p, p.At(need/p.Length()))
				w.piece(head, z, motion.Ramp, w.op.Cutting.RampFeed.Value)
				return
			}
			w.piece(p, w.at.Z-p.Length()*drop, motion.Ramp, w.op.Cutting.RampFeed.Value)
		}
	}
}

// helix descends within an area to the height of the level; false: it does not fit, or is not needed.
func (w *operationBuilder) helix(l *level, area, stock *arcpoly.Area) (bool, error) {
	center, room := deepest(area, l.free)
	least := leastHelix
	if !w.tool.Tool.CutsCenter() {
		least = leastCore
	}
	r := min(room-stray, 2*w.radius*widestHelix)
	if stock.Distance(center) <= -w.radius {
		return false, nil
	}
	if thin, err := w.isThin(l, center); err != nil || thin {
		if err == nil {
			err = w.plunge(l, center)
		}
		l.turns = append(l.turns, spot(center))
		return true, err
	}
	if w.ramp() == 0 || r < 2*w.radius*least {
		return false, nil
	}
	turn, err := w.descendHelix(l, center, r)
	if err != nil {
		return false, err
	}
	l.turns = append(l.turns, turn)
	return true, nil
}

// descendHelix goes down a helix of some radius (mm) to the height of the level and returns the full turn there.
func (w *operationBuilder) descendHelix(l *level, center geom.Vec2, radius float64) ([]planar.Segment, error) {
	start := center.Add(geom.Vec2{X: radius})
	top, err := w.site.Stock.Top(center, w.radius+radius-shaving)
	if err != nil {
		return nil, err
	}
	top = max(top, l.z)
	if err := w.over(start, top+touch, l); err != nil {
		return nil, err
	}
	w.descend([]planar.Segment{circle(center, start)}, l.z)
	again := circle(center, flat(w.at))
	w.piece(again, l.z, motion.Ramp, w.feed()) // the rest of the last turn is no deeper than its pitch
	return []planar.Segment{again}, nil
}

// deepest returns a place of an area far within another one, and how far (mm): a search on a grid that is made finer.
func deepest(area, free *arcpoly.Area) (geom.Vec2, float64) {
	lo, hi := area.Extent()
	at, best := geom.Vec2{}, math.Inf(-1)
	const across, finer = 8, 4
	for range finer {
		d := hi.Sub(lo)
		for i := range across + 1 {
			for k := range across + 1 {
				p := geom.Vec2{X: lo.X + d.X*float64(i)/across, Y: lo.Y + d.Y*float64(k)/across}
				if room := free.Distance(p); room > best && area.Distance(p) >= -stray {
					at, best = p, room
				}
			}
		}
		if math.IsInf(best, -1) {
			return area.Loops()[0][0].From, 0
		}
		half := d.Scale(1.0 / across)
		lo, hi = at.Sub(half), at.Add(half)
	}
	return at, best
}
