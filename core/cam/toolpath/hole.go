package toolpath

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Holes are made by canned cycles along a short path. The next hole is the nearest one; then ranges of the path are
// reversed while that makes it shorter (2-opt).

// drill makes holes by canned cycles.
func (w *operationBuilder) drill() error {
	holes, err := w.reachable()
	if err != nil {
		return err
	}
	route := tour(holes, flat(w.at))
	for i, h := range route {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		top, err := w.site.Top(w.assembly, h.At)
		if err != nil {
			return err
		}
		retract := max(h.Top, min(top, w.safe-above), h.Bottom) + above
		back := w.safe
		if i+1 < len(route) {
			if back, err = w.passage(retract, h, route[i+1]); err != nil {
				return err
			}
		}
		if !w.isBegun {
			w.begin(lift(h.At, w.safe))
		}
		w.canned(h, retract, back)
	}
	return w.holesTaken(route)
}

// canned appends the cycle of a hole.
func (w *operationBuilder) canned(h planning.Hole, retract, back float64) {
	c := motion.Cycle{Retract: retract, Bottom: h.Bottom}
	d := &w.op.Cutting
	switch w.op.Strategy {
	case planning.PeckDrill:
		c.Kind, c.Peck = motion.Peck, d.Axial.Value
	case planning.Ream:
		c.Kind = motion.Ream
	case planning.Tap:
		c.Kind = motion.Tap
		if p := w.tool.Tool.Pitch; p != nil {
			c.Pitch = *p
		}
	}
	feed := d.PlungeFeed.Value
	if feed <= 0 {
		feed = d.Feed.Value
	}
	if c.Kind == motion.Tap {
		feed = c.Pitch * d.SpindleRPM.Value
	}
	index := len(w.moves.Cycles)
	for i := range w.moves.Cycles {
		if w.moves.Cycles[i] == c {
			index = i
		}
	}
	if index == len(w.moves.Cycles) {
		w.moves.Cycles = append(w.moves.Cycles, c)
	}
	w.add(motion.Move{
		Kind: motion.CannedCycle, To: lift(h.At, max(back, retract)), Feed: feed, Cycle: int32(index), Flags: w.flags,
	})
}

// passage returns the height at which the tool moves from one hole to the next: its retract height if the whole tool is
// in the air there, else the height above all material.
func (w *operationBuilder) passage(retract float64, from, to planning.Hole) (float64, error) {
	open, err := w.site.Open(w.assembly, retract, w.margin(), w.window)
	if err != nil {
		return 0, err
	}
	if retract >= to.Top+above && w.isPassage(open, from.At, to.At) {
		return retract, nil
	}
	return w.safe, nil
}

// sure (mm) is the depth, beyond the mesh tolerance, of a cut into the part that excludes a hole. Verification finds
// shallower cuts.
const sure = 0.05

// reachable returns the holes to which the tool, neck, shank and holder get down without a cut into material in them,
// such as the ridges of a drawn thread. It declares the others.
func (w *operationBuilder) reachable() ([]planning.Hole, error) {
	var holes []planning.Hole
	for _, h := range w.op.Holes {
		blocked, err := w.site.Blocked(w.assembly, h.Bottom, access.NewWindow(h.At, h.At))
		if err != nil {
			return nil, err
		}
		left := leftover{
			patches: w.patches(), area: math.Pi * h.Diameter * h.Diameter / 4, bottom: h.Bottom, top: h.Top,
			reason: completeness.OutOfReach,
			detail: fmt.Sprintf("shank or holder would hit material at the hole at (%.3f, %.3f).", h.At.X, h.At.Y),
		}
		if blocked.Distance(h.At) <= stray {
			deep, err := w.cutsInto(h)
			if err != nil {
				return nil, err
			}
			if deep <= sure+w.in.Chord {
				holes = append(holes, h)
				continue
			}
			left.reason = completeness.NotAccessible
			left.detail = fmt.Sprintf("the tool would cut %.2g mm into the part within the hole at (%.3f, %.3f).",
				deep, h.At.X, h.At.Y)
		}
		w.left.add(left)
	}
	return holes, nil
}

// cutsInto returns the depth to which the flutes cut into the part at the bottom of a hole, mm: for drills in the
// middle, for end mills along their circle. Threads are cut into it on purpose.
func (w *operationBuilder) cutsInto(h planning.Hole) (deep float64, err error) {
	const places = 16
	radius := 0.0 // of the tip's path
	switch w.op.Strategy {
	case planning.Tap, planning.ThreadMill:
		return 0, nil
	case planning.Bore:
		radius = max(h.Diameter/2-w.op.LeaveRadial-w.radius, 0)
	}
	for i := range places {
		s, c := math.Sincos(2 * math.Pi * float64(i) / places)
		at := h.At.Add(geom.Vec2{X: radius * c, Y: radius * s})
		d, err := w.site.Depth(w.assembly, lift(at, h.Bottom))
		if err != nil {
			return 0, err
		}
		if deep = max(deep, d); radius == 0 {
			break
		}
	}
	return deep, nil
}

// holesTaken removes the material of holes from the stock.
func (w *operationBuilder) holesTaken(holes []planning.Hole) error {
	for _, h := range holes {
		if _, err := w.take(h.Bottom, along([][]planar.Segment{spot(h.At)})); err != nil {
			return err
		}
	}
	return nil
}

// spot is a path that stays at a point.
func spot(p geom.Vec2) []planar.Segment {
	return []planar.Segment{planar.NewLine(p, p.Add(geom.Vec2{X: geom.Resolution}))}
}

// tour orders holes.
func tour(holes []planning.Hole, at geom.Vec2) []planning.Hole {
	rest := append([]planning.Hole(nil), holes...)
	var way []planning.Hole
	for len(rest) > 0 {
		best := 0
		for i := range rest {
			if rest[i].At.Dist(at) < rest[best].At.Dist(at) {
				best = i
			}
		}
		at = rest[best].At
		way = append(way, rest[best])
		rest = append(rest[:best], rest[best+1:]...)
	}
	mend(way)
	return way
}

// mend reverses ranges of a path while that makes it shorter, a limited number of times.
func mend(way []planning.Hole) {
	const rounds, enough = 50, 1e-6
	for range rounds {
		isBetter := false
		for i := 1; i < len(way); i++ {
			for k := i + 1; k < len(way); k++ {
				before, after := way[i-1].At.Dist(way[i].At), way[i-1].At.Dist(way[k].At)
				if k+1 < len(way) {
					before += way[k].At.Dist(way[k+1].At)
					after += way[i].At.Dist(way[k+1].At)
				}
				if after < before-enough {
					for a, b := i, k; a < b; a, b = a+1, b-1 {
						way[a], way[b] = way[b], way[a]
					}
					isBetter = true
				}
			}
		}
		if !isBetter {
			return
		}
	}
}

// bore mills holes down helices, the inner ones first where material is in the middle: each ends with a full turn.
func (w *operationBuilder) bore() error {
	holes, err := w.reachable()
	if err != nil {
		return err
	}
	for _, h := range tour(holes, flat(w.at)) {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.boreHole(h); err != nil {
			return err
		}
	}
	return nil
}

// beside (mm) is the least gap around a mill that goes down in an open hole: drills run out.
const beside = 0.1

// boreHole mills a hole from the top of the stock in it. Where its middle is open for the tool, full turns widen it.
// Below, a helix opens the middle, and full turns go from there to the wall.
func (w *operationBuilder) boreHole(h planning.Hole) error {
	widest := h.Diameter/2 - w.op.LeaveRadial - w.radius
	from, err := w.site.Stock.Top(h.At, widest+w.radius-stray)
	if err != nil {
		return err
	}
	from = min(from, h.Top)
	open, err := w.site.Stock.Top(h.At, w.radius+beside)
	if err != nil {
		return err
	}
	if open = max(open, h.Bottom); widest >= beside && from-open > above {
		if err := w.widen(h, widest, from, open); err != nil {
			return err
		}
		from = open
	}
	if from <= h.Bottom+stray {
		return nil
	}
	if widest < motion.Resolution && !w.plunges() || widest < -motion.Resolution || w.ramp() == 0 && !w.plunges() {
		w.left.add(leftover{
			reason: completeness.NoToolFits, patches: w.patches(), area: math.Pi * h.Diameter * h.Diameter / 4,
			bottom: h.Bottom, top: from,
			detail: fmt.Sprintf("the tool of %.4g mm does not go down a helix there.", 2*w.radius),
		})
		return nil
	}
	r := max(min(widest, 2*w.radius*widestHelix), 0)
	path, err := w.spiral(h, r, from)
	if err != nil {
		return err
	}
	if _, err := w.take(h.Bottom, along([][]planar.Segment{path})); err != nil || r >= widest {
		return err
	}
	return w.widen(h, widest, from, h.Bottom)
}

// openAt returns the radius around a place within which there is no stock above a height, mm.
func (w *operationBuilder) openAt(at geom.Vec2, z float64) (float64, error) {
	stock, err := w.site.Stock.Above(z)
	if err != nil {
		return 0, err
	}
	return max(-stock.Distance(at), 0), nil
}

// widen mills a hole whose middle is open between two heights by full turns: rings from the opening to the wall, level
// by level. The section of a cut is at most that of the operation's depths, so thin rings are as deep as the flutes.
func (w *operationBuilder) widen(h planning.Hole, widest, from, low float64) error {
	gone, err := w.openAt(h.At, low)
	if err != nil {
		return err
	}
	depth, wide := from-low, max(widest+w.radius-gone, 0)
	rings := max(math.Ceil(wide/w.stepover()), 1)
	section := w.op.Cutting.Axial.Value * w.op.Cutting.Radial.Value
	levels := max(math.Ceil(depth/min(w.tool.Tool.FluteLength, section*rings/max(wide, stray))), 1)
	if err := w.over(h.At, from+touch, nil); err != nil {
		return err
	}
	var cut [][]planar.Segment
	for level := 1.0; level <= levels; level++ {
		z := from - depth*level/levels
		w.line(lift(h.At, z), motion.LeadIn, w.linkFeed())
		for ring := rings - 1; ring >= 0; ring-- {
			r := widest - wide*ring/rings
			cut = append(cut, []planar.Segment{w.ringAt(h.At, z, r)})
		}
	}
	w.line(lift(h.At, h.Top+above), motion.LeadOut, w.linkFeed())
	_, err = w.take(low, along(cut[len(cut)-int(rings):]))
	return err
}

// ringAt cuts a ring of a radius at a height, from the middle of a hole and back, and returns it.
func (w *operationBuilder) ringAt(middle geom.Vec2, z, r float64) planar.Segment {
	feed := w.feed() * r / (r + w.radius) // feed of the flutes at the wall
	start := middle.Add(geom.Vec2{X: r})
	in := planar.NewArc(middle.Lerp(start, 0.5), middle, math.Pi)
	in.To = start
	w.piece(in, z, motion.LeadIn, feed)
	around := circle(middle, start)
	w.piece(around, z, motion.Cut, feed)
	w.back(start, middle, z, w.feed())
	return around
}

// back leaves a wall along half a turn to the middle of a hole, to a height.
func (w *operationBuilder) back(from, middle geom.Vec2, z, feed float64) {
	arc := planar.NewArc(from.Lerp(middle, 0.5), from, math.Pi)
	arc.To = middle
	w.piece(arc, z, motion.LeadOut, feed)
}

// spiral goes down a helix of a radius in a hole from a height, once round at the bottom, to the middle and out.
func (w *operationBuilder) spiral(h planning.Hole, r, from float64) ([]planar.Segment, error) {
	start := h.At.Add(geom.Vec2{X: r})
	if err := w.over(start, from+touch, nil); err != nil {
		return nil, err
	}
	if r < motion.Resolution || w.ramp() == 0 {
		w.line(lift(start, h.Bottom), motion.Plunge, w.op.Cutting.PlungeFeed.Value)
	} else {
		w.descend([]planar.Segment{circle(h.At, start)}, h.Bottom)
	}
	if r < motion.Resolution {
		w.line(lift(h.At, h.Top+above), motion.LeadOut, w.linkFeed())
		return spot(h.At), nil
	}
	around := circle(h.At, flat(w.at))
	w.piece(around, h.Bottom, motion.Cut, w.feed()*r/(r+w.radius))
	w.back(around.From, h.At, h.Bottom, w.feed())
	return []planar.Segment{around}, nil
}

// thread mills internal threads upward, to the left, by the pitch: each begins and ends in the middle of the hole.
func (w *operationBuilder) thread() error {
	holes, err := w.reachable()
	if err != nil {
		return err
	}
	for _, h := range tour(holes, flat(w.at)) {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		r := h.Diameter/2 - w.radius
		if w.tool.Tool.Pitch == nil || *w.tool.Tool.Pitch <= 0 || r < motion.Resolution {
			w.left.add(leftover{
				reason: completeness.NoToolFits, patches: w.patches(), area: math.Pi * h.Diameter * h.Diameter / 4,
				bottom: h.Bottom, top: h.Top, detail: "the thread mill does not turn in the hole.",
			})
			continue
		}
		if err := w.threadHole(h, r, *w.tool.Tool.Pitch); err != nil {
			return err
		}
	}
	return nil
}

func (w *operationBuilder) threadHole(h planning.Hole, r, pitch float64) error {
	if err := w.over(h.At, h.Bottom, nil); err != nil {
		return err
	}
	w.line(lift(h.At, h.Bottom), motion.LeadIn, w.plungeFeed())
	feed := w.feed() * r / (r + w.radius) // feed of the flutes at the wall
	start := h.At.Add(geom.Vec2{X: r})
	in := planar.NewArc(h.At.Lerp(start, 0.5), h.At, math.Pi)
	in.To = start
	z := h.Bottom + pitch/4
	w.piece(in, z, motion.LeadIn, feed)
	for z < h.Top {
		z += pitch
		w.piece(circle(h.At, start), z, motion.Cut, feed)
	}
	w.back(start, h.At, z+pitch/4, feed)
	return nil
}
