package planning

// Undercuts: straight channels that are wider below than at their opening, T-slots and dovetails.
//
// An end mill clears the opening down to the floor and finishes the neck, as in other slots. A cutter whose head is
// wider than the opening then enters at an open end and goes along both sides. Its head must fit between the sides, and
// its shank through the opening wherever the cutter goes. What is above and beside the opening is planned as usual.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	leanMatch = 0.05 // degrees by which the flank of a cutter may differ from the side that it makes
	runOut    = 1.0  // mm between a cutter beyond an open end and the part

	// widenShare is the step from pass to pass across a channel with leaning sides, of the diameter of the cutter. A
	// cutter of a T-slot takes all that is beside its neck at once.
	widenShare = 0.15
)

// Channel is the cross-section and the course of a straight undercut, in the frame of the setup.
type Channel struct {
	Ends    [2]geom.Vec2 `json:"ends"`    // of the middle line, where the part or the channel ends
	Width   float64      `json:"width"`   // of the floor, at Operation.Bottom, mm
	Opening float64      `json:"opening"` // width of the neck, mm
	Height  float64      `json:"height"`  // of the sides over the floor, mm
	LeanDeg float64      `json:"leanDeg"` // of the sides over the floor, from upright; 0 of a T-slot
}

// channel is an undercut in the part frame.
type channel struct {
	Channel
	corner      float64 // mm, radius between floor and sides
	depth       float64 // mm, of the floor under the rim
	head        []int32 // patches that the cutter makes
	floor       []int32
	run, across geom.Vec3
	middle      float64       // across, mm
	reach       geom.Interval // along run, mm
}

// channelTasks adds a task for the undercut of each channel.
func (p *planner) channelTasks(taken []bool) {
	for i := range p.in.Run.Features {
		f := &p.in.Run.Features[i]
		if f.Type != feature.Dovetail && f.Type != feature.Tslot || !p.isWanted(i) {
			continue
		}
		for s := side(0); s < sides; s++ {
			if !p.isOwn(i, s) {
				continue
			}
			c, why := p.channelOf(i, s)
			head := slices.DeleteFunc(c.head, func(q int32) bool { return taken[q] })
			if len(head) == 0 {
				continue
			}
			p.addTask(head)
			t := len(p.tasks) - 1
			if why == nil && p.fits[s] {
				var w *approach
				if w, why = p.undercutApproach(&c, s); w != nil {
					p.set(t, s, w, nil)
					continue
				}
			}
			p.set(t, s, nil, why)
		}
	}
}

// channelOf measures a channel. The rejection is nil if its cross-section is that of a cutter; its patches are valid
// in any case.
func (p *planner) channelOf(f int, s side) (c channel, why *rejection) {
	up, all := s.dir(p.frame), p.patchesOf(f)
	low, ceiling := math.Inf(1), math.Inf(-1)
	for _, q := range all {
		low = min(low, s.span(p.boxes[q]).Lo)
		if p.g.Slopes(q, up).Hi < -graph.DirectionTolerance { // it leans over the floor
			ceiling = max(ceiling, s.span(p.boxes[q]).Hi)
		}
	}
	for _, q := range all {
		z := s.span(p.boxes[q])
		switch {
		case p.g.Facing(q, up) && z.Hi <= low+p.tol():
			c.floor = append(c.floor, q)
			c.head = append(c.head, q)
		case z.Hi <= ceiling+p.tol():
			c.head = append(c.head, q)
		}
	}
	switch x := p.in.Sheets[f].Facts.(type) {
	case *feature.TslotFacts:
		c.Width, c.Opening, c.Height, c.corner = x.SlotWidth, x.NeckWidth, x.SlotHeight, x.CornerRadius
		c.depth = x.NeckDepth + x.SlotHeight
	case *feature.DovetailFacts:
		c.Width, c.Opening, c.Height, c.corner = x.FloorWidth, x.NeckWidth, ceiling-low, x.CornerRadius
		c.LeanDeg, c.depth = 90-x.AngleDeg, x.Depth
	}
	axis := p.in.Run.Features[f].Axis // nil of features of other types
	if axis == nil || c.Width <= c.Opening || c.Height <= 0 || len(c.floor) == 0 {
		return c, refuse(completeness.Undercut, "Its cross-section is not that of a T-slot or a dovetail cutter.").
			with("A cutter of its own shape, programmed by hand.")
	}
	c.run = *axis
	c.across = c.run.Cross(up).Unit()
	c.middle, c.reach = p.g.Exact(c.head, c.across).Mid(), p.g.Exact(c.head, c.run)
	return c, cmp.Or(p.irregular(&c, up), p.closedEnd(all, &c, up))
}

// irregular says why no cutter that goes along a channel makes its sides; nil if one does.
func (p *planner) irregular(c *channel, up geom.Vec3) *rejection {
	for _, q := range c.head {
		sh := &p.g.Patches[q].Shape
		over := p.g.Slopes(q, up)
		isSide := over.Hi < -graph.DirectionTolerance && math.Abs(sh.Axis.Dot(c.across)) > graph.DirectionTolerance
		lean := geom.Degrees(math.Asin(min(1, -over.Lo)))
		if c.LeanDeg > 0 && isSide && math.Abs(lean-c.LeanDeg) > leanMatch {
			return refuse(completeness.Undercut, "Its sides lean by %.4g° and %.4g°, and a cutter has one angle.",
				round(c.LeanDeg), round(lean)).with("A cutter of its own shape, programmed by hand.")
		}
		if c.LeanDeg == 0 && over.Hi < -graph.DirectionTolerance && over.Lo > -1+graph.DirectionTolerance {
			return refuse(completeness.Undercut, "Its ledges slope, and a T-slot cutter is flat.").
				with("A cutter of its own shape, programmed by hand.")
		}
	}
	return nil
}

// closedEnd says why no cutter gets into a channel, or out of it; nil if one does at both ends.
func (p *planner) closedEnd(patches []int32, c *channel, up geom.Vec3) *rejection {
	open := [2]bool{}
	for k, sense := range [2]float64{-1, 1} {
		open[k] = datasheet.IsOpenEnd(p.g, patches, c.run.Scale(sense), up)
	}
	switch {
	case open[0] && open[1]:
		return nil
	case open[0] || open[1]:
		return refuse(completeness.Undercut, "One of its ends is closed, which is not planned yet.").
			with("A channel that is open at both ends, or a program by hand.")
	}
	return refuse(completeness.Undercut,
		"Both of its ends are closed: no cutter that is wider than the opening gets in.").
		with("An opening as wide as the cutter at one end, or at one place along it.")
}

// undercutApproach finds the cutter of a channel, and the mill that opens it.
func (p *planner) undercutApproach(c *channel, s side) (*approach, *rejection) {
	low := s.span(p.boxes[c.floor[0]]).Lo
	spot := place{side: s, patches: c.floor, bottom: low}
	kind := machining.SlotMill
	if c.LeanDeg > 0 {
		kind = machining.DovetailMill
	}
	right := p.choose(func(t *tool) bool { return c.fits(t) && t.mayCut(c.head) }, kind)
	if len(right) == 0 {
		return nil, p.noCutter(c, kind)
	}
	list := slices.DeleteFunc(slices.Clone(right), func(i int) bool { return !p.clears(&spot, &p.tools[i]) })
	if len(list) == 0 {
		return nil, refuse(completeness.OutOfReach,
			"Its floor is %.4g mm below the rim, and no cutter that fits it reaches as deep (the best is %s).",
			round(c.depth), p.longest(right)).with("%s", c.wanted(kind))
	}
	opener := p.choose(func(t *tool) bool {
		spot.beside = -t.Diameter / 2
		return t.Diameter <= c.Opening-play && t.RampDeg() > 0 && p.clears(&spot, t)
	}, machining.FlatEndMill)
	if len(opener) == 0 {
		return nil, refuse(completeness.OutOfReach,
			"Its opening is %.4g mm wide, and no end mill as thin reaches its floor, %.4g mm below the rim.",
			round(c.Opening), round(c.depth)).
			with("An end mill of at most %.4g mm that reaches %.4g mm deep.", round(c.Opening-play), round(c.depth))
	}
	t := &p.tools[list[0]]
	z := geom.Interval{Lo: low, Hi: low + c.Height}
	return &approach{kind: undercut, tool: list[0], rest: opener[0], z: z, wide: t.Diameter + runOut, channel: c}, nil
}

// fits reports whether a cutter makes the sides of a channel and passes its opening.
func (c *channel) fits(t *tool) bool {
	if t.Diameter > c.Width+geom.Resolution || math.Abs(t.CornerRadius-c.corner) > cornerMatch {
		return false
	}
	if c.LeanDeg > 0 {
		if math.Abs(*t.TipAngleDeg/2-c.LeanDeg) > leanMatch {
			return false
		}
	} else if t.FluteLength > c.Height+geom.Resolution {
		return false
	}
	aside := (c.Width - t.Diameter) / 2 // of the axis, at the sides
	top := c.Opening + 2*math.Tan(geom.Radians(c.LeanDeg))*min(t.FluteLength, c.Height)
	if c.LeanDeg > 0 && t.Diameter > top+geom.Resolution { // its head is wider than the top of the channel
		return false
	}
	return t.FluteLength >= c.depth+shankGap || aside+t.ShankDiameter/2+shankGap <= c.Opening/2
}

// wanted describes the cutter of a channel.
func (c *channel) wanted(kind machining.ToolKind) string {
	if kind == machining.DovetailMill {
		return fmt.Sprintf("A dovetail cutter of at most %.4g mm with flanks of %.4g°, that reaches %.4g mm deep.",
			round(c.Width), round(90-c.LeanDeg), round(c.depth))
	}
	return fmt.Sprintf("A T-slot cutter of %.4g × %.4g mm with a neck of at most %.4g mm, that reaches %.4g mm deep.",
		round(c.Width), round(c.Height), round(c.Opening-2*shankGap), round(c.depth))
}

// noCutter says why no cutter fits a channel.
func (p *planner) noCutter(c *channel, kind machining.ToolKind) *rejection {
	what := fmt.Sprintf("It is %.4g mm wide and %.4g mm high under an opening of %.4g mm", round(c.Width),
		round(c.Height), round(c.Opening))
	if c.corner > 0 {
		what += fmt.Sprintf(", with a radius of %.4g mm at its floor", round(c.corner))
	}
	name := "T-slot cutter"
	if kind == machining.DovetailMill {
		what += fmt.Sprintf(", with sides at %.4g° to its floor", round(90-c.LeanDeg))
		name = "dovetail cutter"
	}
	return refuse(completeness.NoToolFits, "%s, and no %s fits in there.", what, name).with("%s", c.wanted(kind))
}

// cutterFor returns a cutter that would make a channel, to make up.
func (c *channel) cutterFor() machining.Tool {
	down := func(x float64) float64 { return math.Floor(x*100+geom.Resolution) / 100 }
	t := shaftOf(machining.SlotMill, down(c.Width), c.depth)
	t.CornerRadius, t.FluteLength, t.FluteCount = c.corner, down(c.Height), 6
	neck := c.Opening - 2*shankGap
	if c.LeanDeg > 0 {
		// As wide as the opening lets its top through.
		angle := 2 * c.LeanDeg
		t.Kind, t.TipAngleDeg = machining.DovetailMill, &angle
		neck = min(neck, t.Diameter-2*t.FluteLength*math.Tan(geom.Radians(c.LeanDeg)))
	}
	t.ShankDiameter = down(neck - play)
	return t
}

// undercuts makes the channels of the setup, tool by tool.
func (w *writer) undercuts() {
	items := slices.DeleteFunc(slices.Clone(w.step.items), func(it item) bool {
		return w.tasks[it.task].ways[w.step.side].kind != undercut
	})
	way := func(it item) *approach { return w.tasks[it.task].ways[w.step.side] }
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(w.tools[way(b).tool].Diameter, w.tools[way(a).tool].Diameter),
			cmp.Compare(way(a).tool, way(b).tool), -cmp.Compare(round(a.bottom), round(b.bottom)))
	})
	for _, it := range items {
		c, patches := way(it).channel, w.tasks[it.task].patches
		t := &w.tools[way(it).tool]
		o := Operation{Strategy: Slot, Features: w.featuresOf(patches), Tool: way(it).tool, Top: w.z(it.bottom + c.Height),
			Bottom: w.z(it.bottom)}
		axial, radial := min(t.FluteLength, c.Height), c.Width-c.Opening
		if c.LeanDeg > 0 {
			o.Strategy, radial = Dovetail, min(widenShare*t.Diameter, radial/2)
		}
		placed := c.Channel
		for k, x := range [2]float64{c.reach.Lo, c.reach.Hi} {
			at := w.out.Frame.Local(c.run.Scale(x).Add(c.across.Scale(c.middle)).
				Add(w.step.side.dir(w.frame).Scale(it.bottom)))
			placed.Ends[k] = geom.Vec2{X: round(at.X), Y: round(at.Y)}
		}
		placed.Width, placed.Opening, placed.Height = round(c.Width), round(c.Opening), round(c.Height)
		placed.LeanDeg = round(c.LeanDeg)
		o.Channel = &placed
		w.add(o, cutting.Finish, patches, axial, radial)
	}
}
