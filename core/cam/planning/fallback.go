package planning

// Tools that are made up for the work that the library cannot cut.
//
// A plan is made with the tools at hand. For each feature that it leaves because no tool fits or reaches, tools of the
// size and reach that it needs are made up: a drill, mill or tap for a hole, an end mill for walls, fillets and floors,
// a chamfer mill for a bevel, a ball for a slope, a cutter for a channel. The plan is then made again. A made-up tool
// cuts the faces that it is for and no others, and only where no tool of the library does. What no operation of the
// planner makes with any tool is left as before: other undercuts than channels, and features oblique to the axes.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	overReach    = 5.0  // mm that a made-up tool is longer than it needs to be
	lengthStep   = 5.0  // mm, of its length
	heldLength   = 30.0 // mm of it in the holder
	thickestMill = 20.0 // mm
	thinnestMill = 0.3  // mm
	mostMadeUp   = 200

	// unplanned is in the sentences about work that the planner has no operation for, with any tool.
	unplanned = "not planned yet"
)

// madeUp is a tool that is made up.
type madeUp struct {
	tool    machining.Tool
	patches map[int32]bool // that it may cut
	why     string         // the library does not do, one sentence
}

// makeWithFallback makes the plan again with tools that are made up for the remaining work.
func makeWithFallback(ctx context.Context, in Input, first *planner) (*Plan, error) {
	made := first.makeUpTools()
	if len(made) == 0 {
		return first.plan, nil
	}
	second, err := makePlan(ctx, in, made)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return first.plan, nil // it is as good as before
	}
	return second.plan, nil
}

// makeUpTools returns the tools that the work needs that a plan leaves, each once.
func (p *planner) makeUpTools() (list []madeUp) {
	for _, u := range p.plan.Unmachinable {
		isTool := u.Reason == completeness.NoToolFits || u.Reason == completeness.OutOfReach
		if u.Feature < 0 || !isTool || strings.Contains(u.Detail, unplanned) {
			continue
		}
		var patches []int32
		for _, r := range u.Regions {
			if q := p.g.PatchOf[r]; q != graph.None {
				patches = append(patches, q)
			}
		}
		slices.Sort(patches)
		patches = slices.Compact(patches)
		for s := side(0); s < sides && len(patches) > 0; s++ {
			if !p.fits[s] || p.seen[s] == graph.None {
				continue
			}
			for _, t := range p.toolsFor(u.Feature, patches, s) {
				list = addMadeUp(list, t, patches, u.Detail)
			}
		}
	}
	for i := range list {
		t := &list[i].tool
		t.Name = fmt.Sprintf("Made up: %s %.4g mm, %.4g mm long", t.Kind, round(t.Diameter), round(t.BodyLength))
	}
	return list
}

// addMadeUp adds a tool for some patches to a list, or these patches to an equal tool.
func addMadeUp(list []madeUp, t machining.Tool, patches []int32, why string) []madeUp {
	same := func(a, b *float64) bool { return a == b || a != nil && b != nil && math.Abs(*a-*b) <= geom.Resolution }
	i := slices.IndexFunc(list, func(m madeUp) bool {
		o := &m.tool
		return o.Kind == t.Kind && same(&o.Diameter, &t.Diameter) && o.CornerRadius == t.CornerRadius &&
			o.BodyLength == t.BodyLength && same(&o.FluteLength, &t.FluteLength) && same(&o.ShankDiameter, &t.ShankDiameter) &&
			same(o.TipAngleDeg, t.TipAngleDeg) && same(o.Pitch, t.Pitch)
	})
	if i < 0 {
		t.ID = fmt.Sprintf("fallback-%d", len(list)+1)
		if len(list) == mostMadeUp || t.Validate() != nil {
			return list
		}
		i, list = len(list), append(list, madeUp{tool: t, patches: map[int32]bool{}, why: why})
	}
	for _, q := range patches {
		list[i].patches[q] = true
	}
	return list
}

// toolsFor returns the tools that would make some patches of a feature from a side.
func (p *planner) toolsFor(f int, patches []int32, s side) (list []machining.Tool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range patches {
		iv := s.span(p.boxes[q])
		low, high = min(low, iv.Lo), max(high, iv.Hi)
	}
	deep := round(s.span(p.part).Hi - low)
	for _, q := range patches {
		if angle, ok := p.bevelAngle(q, s); ok && p.isBevel(q) {
			wide := s.span(p.boxes[q]).Length() * math.Tan(angle)
			list = append(list, chamferMillOf(2*geom.Degrees(angle), 2*(wide+2*tipMargin)+play, deep))
		}
	}
	if h, ok := p.in.Sheets[f].Facts.(*feature.HoleFacts); ok {
		if !p.isOwn(f, s) && !(h.IsThrough && p.isOwn(f, s.opposite())) {
			return list
		}
		return append(list, p.toolsForHole(h, deep)...)
	}
	if c, why := p.channelOf(f, s); why == nil && p.isOwn(f, s) {
		list = append(list, c.cutterFor())
	}
	g := group{side: s, feature: f}
	widest := min(p.widest(&g), thickestMill)
	corner := 0.0
	for _, q := range patches {
		if r := p.hollow(q, s); !math.IsInf(r, 1) {
			widest = min(widest, max(2*r-play, 1.9*r))
		}
		corner = max(corner, p.filletRadius(q, s))
	}
	if widest < thinnestMill {
		return list
	}
	for _, q := range patches {
		if p.isSlope(q, s) {
			r := widest / 2
			if h := p.filletRadius(q, s); h > 0 {
				r = min(r, h)
			}
			list = append(list, ballOf(round(2*r), deep))
		}
	}
	list = append(list, millOf(round(widest), 0, deep))
	if corner > 0 && 2*corner < widest {
		list = append(list, millOf(round(widest), round(corner), deep))
	}
	return list
}

// toolsForHole returns the tools for the bores and the thread of a hole.
func (p *planner) toolsForHole(h *feature.HoleFacts, deep float64) (list []machining.Tool) {
	tip := 118.0
	if h.TipAngleDeg != nil && *h.TipAngleDeg > 30 && *h.TipAngleDeg < 170 {
		tip = *h.TipAngleDeg
	}
	drill := shaftOf(machining.Drill, h.Diameter, deep+2*h.Diameter)
	drill.TipAngleDeg, drill.FluteCount = &tip, 2
	list = append(list, drill, millOf(round(boreShare*h.Diameter), 0, deep+h.Diameter))
	for _, g := range h.Segments {
		if d := max(g.DiameterTop, g.DiameterBottom); g.Shape == "cylinder" && d > h.Diameter+p.tol() {
			list = append(list, millOf(round(min(boreShare*d, thickestMill)), 0, deep))
		}
	}
	if th := h.Thread; th != nil {
		if d := metric(th.Designation); d > 0 {
			tap := shaftOf(machining.TapRightHand, d, deep+d)
			pitch := th.Pitch
			tap.Pitch, tap.FluteCount = &pitch, 3
			list = append(list, tap)
		}
	}
	return list
}

// shaftOf returns a tool with a straight shank and flutes over all of its reach (mm).
func shaftOf(kind machining.ToolKind, diameter, reach float64) machining.Tool {
	body := math.Ceil((reach+overReach)/lengthStep) * lengthStep
	return machining.Tool{
		Kind: kind, Diameter: diameter, ShankDiameter: diameter, FluteLength: body, BodyLength: body,
		OverallLength: body + heldLength, FluteCount: 2, Presets: []machining.Preset{},
	}
}

// millOf returns an end mill of a corner radius.
func millOf(diameter, corner, reach float64) machining.Tool {
	t := shaftOf(machining.FlatEndMill, diameter, reach)
	if corner > 0 {
		t.Kind, t.CornerRadius = machining.BullNoseEndMill, corner
	}
	return t
}

// ballOf returns a ball end mill.
func ballOf(diameter, reach float64) machining.Tool {
	t := shaftOf(machining.BallEndMill, diameter, reach)
	t.CornerRadius = diameter / 2
	return t
}

// chamferMillOf returns a chamfer mill of an angle between its flanks (degrees).
func chamferMillOf(angle, diameter, reach float64) machining.Tool {
	t := shaftOf(machining.ChamferMill, round(diameter), reach)
	angle = math.Round(angle*1000) / 1000
	t.TipAngleDeg = &angle
	t.FluteLength = min(t.BodyLength, cmp.Or(round(t.ConeHeight(t.Diameter)), 1))
	return t
}

// mayCut reports whether a tool may cut at some patches: those of the library may anywhere.
func (t *tool) mayCut(patches []int32) bool {
	return t.madeUp == nil || slices.ContainsFunc(patches, func(q int32) bool { return t.madeUp.patches[q] })
}

// why returns the reason for which a tool is made up; "" for tools of the library.
func (t *tool) why() string {
	if t.madeUp == nil {
		return ""
	}
	return t.madeUp.why
}

// warnOfMadeUp warns of the tools of the plan that are made up.
func (p *planner) warnOfMadeUp() {
	for i := range p.plan.Tools {
		if t := &p.plan.Tools[i]; t.Fallback != "" {
			p.warn("fallback_tool", "T%d is made up, as the library cannot cut this: %s", t.Number, t.Fallback)
		}
	}
}
