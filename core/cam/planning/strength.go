package planning

// Whether a vise holds against the tools of a setup.
//
// The force of the jaws is bounded by the device, by what their faces crush and by what bows a plate between them. A
// grip is taken only if it holds a light cut at the top of the stock, and the part gives way by no more than roughing
// bears. The writer then takes no deeper cuts than the grip holds (Package workholding has the model).

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// Friction of hardened serrated jaws on raw faces, and of smooth soft jaws on milled ones, both on aluminum; steel
	// has a twentieth more.
	frictionRaw, frictionFinished = 0.43, 0.095

	helixDeg  = 30.0 // of end mills
	roughSway = 0.1  // mm that a part may give way at its top when it is roughed

	// reserve is the share of each limit that jaws use: rasters of the workpiece are coarse.
	reserve = 0.9

	// mostStandOut is the largest height over the jaws as a multiple of the width between them.
	mostStandOut = 3
)

// lightCut is a cut that every grip must hold: it leaves a choice of mills.
var lightCut = cutting.Engagement{
	Diameter: 10, Flutes: 3, FeedPerTooth: 0.05, Axial: 2.5, Radial: 2.5, HelixDeg: helixDeg,
}

// strength is the model of a grip, or of a bed with stops around the workpiece.
type strength struct {
	device device           // nil: jaws or a bed
	bed    *workholding.Bed // nil: jaws
	narrow float64          // of the workpiece on a bed: the narrower side of its footprint
	grip   workholding.Grip
	solid  workholding.Solid
	middle float64 // along the side: of the grip
	force  float64 // N, the most of each jaw
	sway   float64 // mm/N at the top of the stock
	top    float64 // along the side: of the stock
	open   float64 // mm between the jaws
	seat   seat    // in a vise
}

// seat is the place of a workpiece in a vise.
type seat struct {
	axis      int     // along which the vise closes
	finished  float64 // sign of the only end along the axis that is finished; 0: both or none
	parallels float64 // mm, of their height
}

// strengthOf returns the model of a grip with a length of contact, mm.
func (p *planner) strengthOf(st *state, s side, g *viseGrip, length float64) strength {
	c, m := &p.in.Config, &p.in.Config.Material
	out := strength{
		grip: workholding.Grip{
			Depth: g.depth, Length: length, Gaps: g.gaps, Width: g.planes.Length(), Friction: frictionRaw, Seated: true,
		},
		solid:  workholding.Solid{Yield: m.Yield, Modulus: m.Modulus, Thickness: s.span(st.left).Length(), Finished: g.soft},
		middle: g.top - g.depth/2,
		top:    s.span(st.left).Hi,
		open:   g.planes.Length(),
		seat:   seat{axis: g.axis},
	}
	if g.isRaw[0] != g.isRaw[1] {
		out.seat.finished = sideOf(g.axis, g.isRaw[0]).sign()
	}
	if w := &c.Workholding; g.top-g.rest < w.JawHeight {
		out.seat.parallels = g.rest - (g.top - w.JawHeight)
	}
	if g.soft { // the mean of both jaws: a serrated one on a raw face, a smooth one on a finished face
		friction := map[bool]float64{false: frictionFinished, true: frictionRaw}
		out.grip.Friction = (friction[g.isRaw[0]] + friction[g.isRaw[1]]) / 2
	}
	out.force = min(c.Workholding.Force, reserve*out.grip.Crush(out.solid), reserve*out.grip.Bow(out.solid))
	// The workpiece bends over the jaws as a beam of its own section.
	high, across := out.top-g.top, along(st.left, 3-s.axis()-g.axis).Length()
	thick := g.planes.Length()
	out.sway = max(out.solid.Sway(1, high, thick, across), out.solid.Sway(1, high, across, thick))
	return out
}

// holds reports whether a force at a height along the side is within what the grip holds. The bending of the workpiece
// grows with the cube of the height over the jaws.
func (h *strength) holds(f cutting.Force, height float64) bool {
	sway := h.sway
	if jaws := h.middle + h.grip.Depth/2; height < h.top && h.top > jaws {
		sway *= math.Pow(max(height-jaws, 0)/(h.top-jaws), 3)
	}
	return h.use(f, height) <= 1 && f.Horizontal*sway <= roughSway
}

// use returns the use of the clamping by a force at a height along the side; it holds up to 1.
func (h *strength) use(f cutting.Force, height float64) float64 {
	load := workholding.Load{Horizontal: f.Horizontal, Axial: max(f.Axial, 0), Height: height - h.middle}
	if h.device != nil {
		return h.device.use(load)
	}
	if h.bed != nil {
		return h.bed.Stopped(load, h.narrow, workholding.SafetyOfSuction)
	}
	return h.grip.Use(h.force, load, workholding.Safety).Worst() / reserve
}

// holdsLightCuts reports whether the grip leaves a choice of mills.
func (h *strength) holdsLightCuts(m *machining.Material) bool {
	e := lightCut
	e.KC11, e.MC = m.SpecificCuttingForce, m.ForceExponent
	return h.holds(e.Peak(), h.top-e.Axial/2)
}

// engagement is a cut of a mill with some data.
func (p *planner) engagement(t *machining.Tool, d *cutting.CuttingData) cutting.Engagement {
	m := &p.in.Config.Material
	e := cutting.Engagement{
		Diameter: t.Diameter, Flutes: t.FluteCount, FeedPerTooth: d.FeedPerTooth, Axial: d.Axial.Value,
		Radial: min(d.Radial.Value, t.Diameter), HelixDeg: helixDeg, KC11: m.SpecificCuttingForce, MC: m.ForceExponent,
	}
	if t.Kind == machining.FaceMill {
		e.HelixDeg = 0 // inserts
	}
	return e
}

// held returns the cutting data of a tool below a height along the side, roughing no deeper than a clamping holds; nil:
// any cut.
func (p *planner) held(h *strength, top float64, t *machining.Tool, purpose cutting.Purpose, axial, radial,
	tolerance float64,
) (cutting.CuttingData, error) {
	d, err := p.resolve(t, purpose, axial, radial, tolerance)
	if err != nil || h == nil || purpose != cutting.Rough || h.deepest(p.engagement(t, &d), top) >= d.Axial.Value {
		return d, err
	}
	// Less deep or less wide, whichever removes more.
	best, most := d, 0.0
	for _, share := range [4]float64{1, 0.7, 0.5, 0.3} {
		wide := share * d.Radial.Value
		e, err := p.resolve(t, purpose, axial, wide, tolerance)
		if err != nil {
			return d, err
		}
		if e, err = p.resolve(t, purpose, h.deepest(p.engagement(t, &e), top), wide, tolerance); err != nil {
			return d, err
		}
		if rate := e.Axial.Value * e.Radial.Value * e.Feed.Value; rate > most {
			best, most = e, rate
		}
	}
	limited := func(v, was *cutting.SourcedValue) {
		v.From, v.Limits = was.From, was.Limits
		if v.Value < was.Value {
			v.Limits = append(was.Limits[:len(was.Limits):len(was.Limits)], cutting.LimitedByClamping)
		}
	}
	limited(&best.Axial, &d.Axial)
	limited(&best.Radial, &d.Radial)
	return best, nil
}

// deepest returns the largest axial depth of a cut below a height along the side that the grip holds, at most as deep
// as it is, mm.
func (h *strength) deepest(e cutting.Engagement, top float64) float64 {
	// Levels may be less deep than the depth of cut. A helix bounds the force, and it acts higher there.
	held := func(axial float64) bool {
		for _, share := range [4]float64{1, 0.75, 0.5, 0.25} {
			e := e
			e.Axial = share * axial
			if !h.holds(e.Peak(), top-e.Axial/2) {
				return false
			}
		}
		return true
	}
	low, high := 0.0, e.Axial
	if held(high) {
		return high
	}
	for high-low > geom.Resolution*10 && high-low > 0.01 {
		if mid := (low + high) / 2; held(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return math.Max(low, leaveAxial)
}

// bands divides a range of heights along the side that a mill roughs, and returns the lower ends, the highest first.
// The lower it cuts, the more the clamping holds: below a height the full cutting data. The range above is halved.
func (w *writer) bands(tool int, top, bottom float64) []float64 {
	t, h := w.tools[tool].Tool, w.step.clamping.strength
	d, err := w.planner.resolve(t, cutting.Rough, 0, 0, 0)
	if err != nil || h == nil {
		return []float64{bottom}
	}
	e := w.engagement(t, &d)
	least := e.Axial // of a band: a level
	isFree := func(z float64) bool { return h.deepest(e, z) >= e.Axial }
	free := bottom
	switch low, high := min(bottom+least, top), top; {
	case isFree(top):
		return []float64{bottom}
	case isFree(low):
		for high-low > leaveAxial {
			if mid := (low + high) / 2; isFree(mid) {
				low = mid
			} else {
				high = mid
			}
		}
		free = low
	}
	var list []float64
	if top-free > 2*least {
		list = append(list, (top+free)/2)
	}
	if free > bottom && top-free > least {
		list = append(list, free)
	}
	return append(list, bottom)
}
