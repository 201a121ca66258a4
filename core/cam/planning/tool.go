package planning

// The tools at hand, and how far they reach.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	sideways = 1.0 // mm between a holder and the part
	shankGap = 0.2 // mm between a shank and the part
)

// tool is a tool that cuts the material.
type tool struct {
	*machining.Tool
	assembly toolprofile.Assembly
	madeUp   *madeUp // nil: of the library
}

// usable takes those tools that cut the material and fit under the spindle.
func (p *planner) usable() error {
	c := &p.in.Config
	mills := false
	for i := range p.in.Tools {
		t := tool{Tool: &p.in.Tools[i], assembly: p.in.Tools[i].Assembly()}
		if len(t.Guessed) > 0 {
			continue
		}
		if _, err := p.resolve(t.Tool, cutting.Rough, 0, 0, 0); err != nil {
			continue
		}
		mills = mills || t.Kind == machining.FlatEndMill || t.Kind == machining.BullNoseEndMill
		p.tools = append(p.tools, t)
	}
	p.tools = slices.DeleteFunc(p.tools, p.isDoubled)
	for i := range p.madeUp {
		m := &p.madeUp[i]
		if _, err := p.resolve(&m.tool, cutting.Rough, 0, 0, 0); err == nil {
			p.tools = append(p.tools, tool{Tool: &m.tool, assembly: m.tool.Assembly(), madeUp: m})
		}
	}
	for _, i := range p.roughers() {
		p.farthest = max(p.farthest, p.tools[i].assembly.Stickout)
	}
	if !mills {
		return fault.Errorf(fault.NoTools,
			"None of the %d tools of the libraries is an end mill with cutting data for %s (group %s).%s",
			len(p.in.Tools), c.Material.Name, c.Material.ISOGroup, p.unconfirmed())
	}
	return nil
}

// roughers returns the mills that go into full material, with shanks that follow as deep as they stick out.
func (p *planner) roughers() []int {
	return p.choose(func(t *tool) bool {
		return t.madeUp == nil && (t.RampDeg() > 0 || t.CutsCenter()) && t.ShankDiameter <= t.Diameter && !p.isFinisher(t)
	}, machining.FlatEndMill, machining.BullNoseEndMill)
}

// isDoubled reports whether a mill is for finishing only and has the size of another mill, which is used instead: mills
// for finishing need entries that plans do not provide yet.
func (p *planner) isDoubled(t tool) bool {
	return p.isFinisher(&t) && slices.ContainsFunc(p.in.Tools, func(o machining.Tool) bool {
		return o.Kind == t.Kind && o.Diameter == t.Diameter && o.CornerRadius == t.CornerRadius && len(o.Guessed) == 0 &&
			!p.isFinisher(&tool{Tool: &o})
	})
}

// isFinisher reports whether a mill is for finishing only: its preset takes less than a tenth of its diameter.
func (p *planner) isFinisher(t *tool) bool {
	const least = 0.1
	preset, ok := t.Preset(p.in.Config.Material.ISOGroup)
	return ok && preset.RadialDepth < least*t.Diameter
}

func (p *planner) resolve(t *machining.Tool, purpose cutting.Purpose, axial, radial,
	tolerance float64,
) (cutting.CuttingData,
	error) {
	return cutting.Resolve(p.request(t, purpose, axial, radial, tolerance))
}

// rubs reports whether the limits of the machine leave a tool so little feed at a depth (mm) that it rubs.
func (p *planner) rubs(t *tool, purpose cutting.Purpose, axial float64) bool {
	r := p.request(t.Tool, purpose, axial, 0, 0)
	d, err := cutting.Resolve(r)
	return err != nil || r.Rubs(&d)
}

func (p *planner) request(t *machining.Tool, purpose cutting.Purpose, axial, radial,
	tolerance float64,
) cutting.Request {
	if most := p.in.Config.EngagementDeg; most != nil && purpose == cutting.Rough && radial == 0 {
		radial = cutting.RadialDepth(geom.Radians(*most), t.Diameter)
	}
	return cutting.Request{
		Tool: t, Material: p.in.Config.Material, Machine: &p.in.Config.Machine, Purpose: purpose,
		Axial: axial, Radial: radial, Tolerance: tolerance,
	}
}

// coolant is the usual coolant for a material: iron dry, as its dust would turn into mud, and hard steel too, as its
// inserts withstand heat but no thermal shocks.
func (p *planner) coolant() motion.Coolant {
	switch p.in.Config.Material.ISOGroup {
	case machining.GroupK, machining.GroupH:
		return motion.Dry
	}
	return motion.Flood
}

// choose returns the tools of some kinds that a test lets pass, the largest first; of equal ones the one that sticks
// out least, then the first of the libraries.
func (p *planner) choose(test func(t *tool) bool, kinds ...machining.ToolKind) []int {
	var out []int
	for i := range p.tools {
		if slices.Contains(kinds, p.tools[i].Kind) && test(&p.tools[i]) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int {
		a, b := &p.tools[i], &p.tools[j]
		if (a.madeUp == nil) != (b.madeUp == nil) {
			return cmp.Compare(i, j) // the library comes first
		}
		return cmp.Or(cmp.Compare(b.Diameter, a.Diameter), cmp.Compare(a.assembly.Stickout, b.assembly.Stickout))
	})
	return out
}

// place is the working position of a tool: over or next to some patches, its tip no lower than bottom (mm along the
// side).
type place struct {
	side    side
	patches []int32
	bottom  float64
	// beside is the distance of the tool's axis from the patches seen along the side, mm: its radius at walls, less
	// than 0 inside of floors and holes.
	beside float64
	around []float64 // see relief; found when it is first asked for
}

// clears reports whether nothing of a tool but its flutes meets the part at a place.
func (p *planner) clears(at *place, t *tool) bool {
	return p.lowest(at, t) <= at.bottom+geom.Resolution && !p.isAvoided(at.side, at.patches, t)
}

// lowest returns how low the tip of a tool may go at a place before its body meets the part, mm along the side: the
// bottom of the place where it may go as low; +Inf where the tool is too long for the machine.
func (p *planner) lowest(at *place, t *tool) float64 {
	if !p.fitsUpright(at.side, t) || !t.mayCut(at.patches) {
		return math.Inf(1)
	}
	return t.bodyLow(at.bottom, at.side.span(p.part).Hi,
		func(radius float64) float64 { return p.high(at, radius+at.beside) })
}

// fitsUpright reports whether there is room for a tool over the stock with a side up.
func (p *planner) fitsUpright(s side, t *tool) bool {
	return p.span(s).Length()+2*above+t.assembly.Stickout <= p.in.Config.Machine.Travel.Z
}

// bodyLow returns how low the tip of a tool may go, no lower than low, before its body meets a part that is top high,
// and as high within a radius of the axis as high tells; all mm along the side.
func (t *tool) bodyLow(low, top float64, high func(radius float64) float64) float64 {
	for i, s := range t.assembly.Outline {
		zone := t.assembly.Zones[i]
		radius, foot := max(s.From.X, s.To.X), min(s.From.Y, s.To.Y)
		gap := shankGap
		if zone == toolprofile.Holder {
			gap = sideways
		}
		if zone != toolprofile.Cutting && radius > t.Diameter/2+geom.Resolution && top+gap-foot > low {
			low = max(low, high(radius)+gap-foot)
		}
	}
	return low
}

// passes reports whether the flutes of a tool meet nothing of the part beside the patches of a place either.
func (p *planner) passes(at *place, t *tool) bool {
	out := t.Diameter/2 + at.beside
	return out <= p.tol() || p.high(at, out) <= at.bottom+p.tol()
}

// high returns how high the part is within a distance of the patches of a place, mm along the side.
func (p *planner) high(at *place, distance float64) float64 {
	r := p.reliefOf(at.side)
	if at.around == nil {
		at.around = r.around(at.patches)
	}
	return r.within(at.around, distance)
}

func (p *planner) reliefOf(s side) *heightField {
	if p.heightField[s] == nil {
		p.heightField[s] = newRelief(p.g, s, p.frame, p.part)
	}
	return p.heightField[s]
}

// span returns how high the stock is along a side.
func (p *planner) span(s side) geom.Interval { return s.span(p.stock) }

// longest says which of some tools gets deepest between walls that are as near as its flutes, and what it measures.
func (p *planner) longest(list []int) string {
	reach := func(i int) float64 {
		if t := &p.tools[i]; t.ShankDiameter > t.Diameter {
			return t.FluteLength
		}
		return p.tools[i].assembly.Stickout
	}
	return p.tools[slices.MaxFunc(list, func(i, j int) int { return cmp.Compare(reach(i), reach(j)) })].measures()
}

// measures states the reach of a tool in a sentence.
func (t *tool) measures() string {
	return fmt.Sprintf("%s, which sticks out %.4g mm and cuts over %.4g mm", t.Label(), t.assembly.Stickout,
		t.FluteLength)
}

// tip returns how high the cone of a tapered tool is, mm.
func (t *tool) tip() float64 { return t.ConeHeight(t.Diameter) }

// blunt returns the height of the flat at the end of a tapered tool above the apex of its cone, mm.
func (t *tool) blunt() float64 {
	if t.TipRadius() == 0 {
		return 0
	}
	return t.TipRadius() / math.Tan(geom.Radians(*t.TipAngleDeg)/2)
}
