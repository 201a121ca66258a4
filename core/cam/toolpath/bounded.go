package toolpath

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Roughing with a bounded engagement (package adaptive): its moves as motion at a height, with the feed of each by its
// front arc.

const (
	// room is the room of the tip to both sides (radii) from which on a bounded engagement is worth its loops.
	room = 0.2
	// channel is the area (share of the square of the radius) from which a place without that room is not a corner.
	channel = 0.3
	// nearby is the distance from the area to clear (radii) within which the tip moves.
	nearby = 4
	// cusp is the thickness of material (share of the radius) that a bounded engagement leaves between its loops, and
	// that finishing takes with the stock to leave; at least leastCusp (mm).
	cusp, leastCusp = 0.1, 0.3
	// slot is the least area (share of the square of the radius) of thicker material that is cut as a slot.
	slot = 0.05
)

// withoutCusps returns the parts of an area that are worth a slot: a bounded engagement leaves them since the tool has
// no room there.
func (w *operationBuilder) withoutCusps(a *arcpoly.Area) (*arcpoly.Area, error) {
	thick, err := opened(a, max(cusp*w.radius, leastCusp)/2)
	if err != nil {
		return nil, err
	}
	if thick, err = largeParts(thick, slot*w.radius*w.radius); err != nil {
		return nil, err
	}
	return arcpoly.Intersection(a, thick)
}

// isBounded reports whether the operation roughs with a bounded engagement: with a mill of full width near its tip.
func (w *operationBuilder) isBounded() bool {
	return !w.op.Floor && w.tool.Tool.Kind != machining.BallEndMill && w.stepover() < w.radius*(1+geom.Resolution)
}

// frontArc returns the front arc of contact (rad) of the operation's stepover.
func (w *operationBuilder) frontArc() float64 { return math.Acos(1 - min(w.stepover()/w.radius, 1)) }

// roomy returns where the tip has room to both sides, of its free area near the area to clear. In narrower places a
// bounded engagement takes loop after loop, several times as long as a slot.
func (w *operationBuilder) roomy(free, area *arcpoly.Area) (*arcpoly.Area, error) {
	near, err := area.Offset(nearby * w.radius)
	if err != nil {
		return nil, err
	}
	if free, err = arcpoly.Intersection(free, near); err != nil {
		return nil, err
	}
	wide, err := opened(free, room*w.radius)
	if err != nil {
		return nil, err
	}
	narrow, err := free.Minus(wide)
	if err != nil {
		return nil, err
	}
	channels, err := largeParts(narrow, channel*w.radius*w.radius) // the others are corners
	if err != nil || channels.IsEmpty() {
		return free, err
	}
	return free.Minus(channels)
}

// opened returns the sweep of a disc of some radius (mm) within an area: all but its narrow places and sharp corners.
func opened(a *arcpoly.Area, radius float64) (*arcpoly.Area, error) {
	inner, err := a.Offset(-radius)
	if err != nil {
		return nil, err
	}
	return inner.Offset(radius)
}

// largeParts returns the connected parts of an area that are not smaller than a size, mm².
func largeParts(a *arcpoly.Area, least float64) (*arcpoly.Area, error) {
	return arcpoly.Union(slices.DeleteFunc(slices.Clone(a.Parts()),
		func(p *arcpoly.Area) bool { return p.Size() < least })...)
}

// clearBounded removes an area at a height with a bounded engagement and returns the part of the area that stays.
func (w *operationBuilder) clearBounded(l *level, area *arcpoly.Area) (*arcpoly.Area, error) {
	stock, err := w.site.Stock.Above(l.z)
	if err != nil {
		return nil, err
	}
	allowed, err := w.roomy(l.free, area)
	if err != nil {
		return nil, err
	}
	job := adaptive.Level{
		Radius: w.radius, Arc: w.frontArc(), Allowed: allowed, Stock: stock, Target: area,
		Start: flat(w.at), HasStart: w.isBegun,
	}
	if w.ramp() > 0 {
		job.HelixRadius = 2 * w.radius * widestHelix
	}
	if job.Entries, err = holesIn(stock, area, w.radius); err != nil {
		return nil, err
	}
	made, err := clearLevel(w.ctx, &job)
	if err != nil || len(made.Moves) == 0 {
		return area, err
	}
	var paths [][]planar.Segment
	var path []planar.Segment
	for i := range made.Moves {
		m := &made.Moves[i]
		if m.Kind != adaptive.Cut && len(path) > 0 {
			paths, path = append(paths, path), nil
		}
		switch m.Kind {
		case adaptive.Enter:
			turns, err := w.enterAt(l, m)
			if err != nil {
				return nil, err
			}
			paths = append(paths, turns...)
		case adaptive.Link:
			w.piece(planar.Segment{To: m.To, Center: m.Center, Turn: m.Turn}, l.z, motion.Link, w.linkFeed())
		case adaptive.Cut:
			p := planar.Segment{From: flat(w.at), To: m.To, Center: m.Center, Turn: m.Turn}
			path = append(path, p)
			w.piece(p, l.z, motion.Cut, w.feedAt(m.Arc))
		}
	}
	if len(path) > 0 {
		paths = append(paths, path)
	}
	l.sky = nil
	swept, err := w.take(l.z, along(paths))
	if err != nil {
		return nil, err
	}
	return area.Minus(swept)
}

// holesIn returns the middles of the holes of the stock within an area that a disc of a radius (mm) fits into.
func holesIn(stock, area *arcpoly.Area, radius float64) (middles []geom.Vec2, err error) {
	lo, hi := area.Extent()
	for _, l := range stock.Loops() {
		if l.Area() > 0 || l[0].From.X < lo.X || l[0].From.Y < lo.Y || l[0].From.X > hi.X || l[0].From.Y > hi.Y {
			continue
		}
		hole, err := arcpoly.New(l.Reverse())
		if err != nil {
			return nil, err
		}
		p, clear := deepest(hole, hole)
		if clear >= radius-stray && stock.Distance(p) <= stray-radius {
			middles = append(middles, p)
		}
	}
	return middles, nil
}

// enterAt moves the tip down to the place of an entry and returns the path of a helix there.
func (w *operationBuilder) enterAt(l *level, m *adaptive.Move) ([][]planar.Segment, error) {
	if m.Helix == 0 {
		if err := w.over(m.To, l.z, l); err != nil {
			return nil, err
		}
		w.line(lift(m.To, l.z), motion.LeadIn, w.plungeFeed())
		return nil, nil
	}
	turn, err := w.descendHelix(l, m.To, m.Helix)
	w.line(lift(m.To, l.z), motion.Link, w.feed())
	return [][]planar.Segment{turn}, err
}

// feedAt returns the feed at a front arc. The feed of the operation is for the arc of its stepover. At less, the same
// chip takes more feed; at more, the feed falls with the arc.
func (w *operationBuilder) feedAt(arc float64) float64 {
	full := w.frontArc()
	if arc > full {
		return w.feed() * full / arc
	}
	thin := func(arc float64) float64 { return cutting.ChipThinning(w.radius*(1-math.Cos(arc)), 2*w.radius) }
	return min(w.feed()*thin(arc)/thin(full), w.mostFeed())
}

// linkFeed returns the feed between cuts, off the material.
func (w *operationBuilder) linkFeed() float64 { return min(linkFeeds*w.feed(), w.mostFeed()) }

// linkFeeds is the ratio of the feed of links to the feed of the cut.
const linkFeeds = 4

// mostFeed returns the largest feed of the machine, the operation's where it is not known.
func (w *operationBuilder) mostFeed() float64 { return cmp.Or(w.in.MaxFeed, w.feed()) }
