package machining

import (
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// Assembly returns the outline of a valid tool in its holder with the zones of its segments.
//
// Unspecified dimensions give the larger body, so that a path free of the outline is free of the tool. The shank
// starts at the top of the flutes, without the cone from a thin cutter to it. The corner radius of a pointed tool is
// not drawn; a reamer and a tap have no lead. A cutter and its stickout are at least as long as the point. A holder
// whose cones end below the gauge line continues there with their last diameter; a tool without a holder continues to
// its overall length with its shank.
func (t *Tool) Assembly() toolprofile.Assembly {
	var a toolprofile.Assembly
	top := t.cutter(&a)
	zone, shank := toolprofile.Shank, t.ShankDiameter/2
	if t.ShankDiameter < t.Diameter {
		zone = toolprofile.Neck
	}
	a.Stickout = max(t.BodyLength, top)
	step(&a, shank, toolprofile.Cutting, zone)
	if t.Holder == nil {
		a.Stickout = max(a.Stickout, t.OverallLength)
		a.Line(shank, a.Stickout, zone)
		return a
	}
	a.Line(shank, a.Stickout, zone)
	at := a.Stickout
	for _, c := range t.Holder.Cones {
		step(&a, c.DiameterBottom/2, toolprofile.Holder, toolprofile.Holder)
		at += c.Height
		a.Line(c.DiameterTop/2, at, toolprofile.Holder)
	}
	a.Line(a.Outline[len(a.Outline)-1].To.X, max(at, a.Stickout+t.Holder.GaugeLength), toolprofile.Holder)
	return a
}

// TipRadius returns the radius of the flat at the end of a tapered tool, mm; 0 where it ends in a point.
func (t *Tool) TipRadius() float64 {
	if t.TipDiameter == nil {
		return 0
	}
	return *t.TipDiameter / 2
}

// ConeHeight returns the height above its tip at which the cone of a tapered tool has a diameter (mm); 0 for kinds
// without a taper and diameters within the flat of the tip.
func (t *Tool) ConeHeight(diameter float64) float64 {
	if !t.Kind.Tapers() || *t.TipAngleDeg >= 180 {
		return 0
	}
	return max(diameter/2-t.TipRadius(), 0) / math.Tan(geom.Radians(*t.TipAngleDeg)/2)
}

// step moves the outline across the axis to a radius. An inward step belongs to the body below, an outward step to the
// one above.
func step(a *toolprofile.Assembly, radius float64, below, above toolprofile.Zone) {
	at := a.Outline[len(a.Outline)-1].To
	if radius < at.X {
		above = below
	}
	a.Line(radius, at.Y, above)
}

// cutter draws the flutes and returns their height, mm.
func (t *Tool) cutter(a *toolprofile.Assembly) float64 {
	r, corner := t.Diameter/2, t.CornerRadius
	line := func(x, y float64) { a.Line(x, y, toolprofile.Cutting) }
	switch {
	case t.Kind == DovetailMill:
		line(r, 0)
		line(r-t.FluteLength*math.Tan(geom.Radians(*t.TipAngleDeg)/2), t.FluteLength)
		return t.FluteLength
	case t.Kind.Pointed():
		tip := t.ConeHeight(t.Diameter)
		top := max(t.FluteLength, tip)
		line(t.TipRadius(), 0)
		line(r, tip)
		line(r, top)
		return top
	case t.Kind == Lollipop:
		top := min(t.FluteLength, 2*r)
		a.Arc(math.Sqrt(max(r*r-(top-r)*(top-r), 0)), top, r, toolprofile.Cutting)
		return top
	}
	top := max(t.FluteLength, corner)
	line(r-corner, 0)
	if corner > 0 {
		a.Arc(r, corner, corner, toolprofile.Cutting)
	}
	if t.Kind == SlotMill && corner > 0 && 2*corner <= top { // the disc is rounded on both sides
		line(r, top-corner)
		a.Arc(r-corner, top, corner, toolprofile.Cutting)
		return top
	}
	line(r, top)
	return top
}
