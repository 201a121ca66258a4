package cutting

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Peak forces on the workpiece, for its clamping.
//
// Method: Kienzle's law for the edges that are in the cut at once, at the chip thickness of the part of the arc where
// the chip is thickest. An edge with a helix is in the cut over a part of its arc only, which bounds the length of edge
// that cuts. The result is above the peak of the force integrated along the edges, by up to a factor of two.

const (
	worn         = 1.3 // force of a worn edge over that of a sharp one
	radialShare  = 0.5 // radial force over the tangential one
	axialShare   = 0.4 // axial force over the tangential one, at a helix of usualHelix
	usualHelix   = 30  // degrees, of end mills
	breakThrough = 0.3 // of a drill's thrust, that pulls the part up as the drill comes out below
)

// Force is the peak force of a tool on the workpiece, N.
type Force struct {
	Tangential float64
	Horizontal float64 // of the tangential and the radial force, in any direction across the tool
	Axial      float64 // along the tool: of mills toward the spindle, of drills away from it
	Torque     float64 // N·m about the tool, of drills and taps; 0: of mills, which Horizontal contains
}

// Engagement is a cut of a mill in a material. Lengths are mm.
type Engagement struct {
	Diameter      float64
	Flutes        int
	FeedPerTooth  float64
	Axial, Radial float64 // depths
	HelixDeg      float64 // of the edges, degrees; 0: straight ones, as of inserts
	KC11, MC      float64 // of Kienzle's law, kc1.1 in N/mm²
}

// Peak returns the peak force of a mill.
func (e Engagement) Peak() Force {
	helix := math.Tan(geom.Radians(e.HelixDeg))
	arc := engaged(e.Radial, e.Diameter)
	if arc <= 0 || e.Axial <= 0 {
		return Force{}
	}
	lag := e.Axial * helix / (e.Diameter / 2) // by which the top of an edge is behind its tip, as an angle
	width := min(arc, lag)
	length := e.Axial // of edge in the cut, along the axis
	chip := e.FeedPerTooth * math.Sin(min(arc, math.Pi/2))
	if width > 0 {
		length = min(e.Axial, arc*e.Diameter/2/helix)
		first := thickest(arc, width)
		chip = e.FeedPerTooth * (math.Cos(first) - math.Cos(first+width)) / width
	}
	edges := max(1, float64(e.Flutes)*arc/(2*math.Pi))
	if lag > arc {
		edges = max(edges, math.Ceil(float64(e.Flutes)*lag/(2*math.Pi)-geom.Resolution))
	}
	tangential := worn * edges * e.KC11 * length * math.Pow(chip, 1-e.MC)
	return Force{
		Tangential: tangential,
		Horizontal: tangential * math.Hypot(1, radialShare),
		Axial:      tangential * axialShare * helix / math.Tan(geom.Radians(usualHelix)),
	}
}

// thickest returns where a part of an arc begins over which the chip is thickest: about a right angle, or at the end.
func thickest(arc, width float64) float64 {
	if arc <= math.Pi/2 {
		return arc - width
	}
	return max(0, min(math.Pi/2-width/2, arc-width))
}

// DrillingForce returns the thrust and the torque of a drill (mm) with a feed per turn (mm) and a point angle
// (degrees): an edge cuts half the feed over half the diameter.
func DrillingForce(diameter, feedPerTurn, tipDeg, kc11, mc float64) Force {
	chip := feedPerTurn / 2 * math.Sin(geom.Radians(tipDeg)/2)
	kc := worn * SpecificForce(kc11, mc, chip)
	return Force{
		Axial:  -kc * diameter * feedPerTurn / 4,
		Torque: kc * feedPerTurn * diameter * diameter / 8000,
	}
}

// BreakingThrough returns by how much a drill pulls the workpiece toward the spindle as it breaks through, N.
func (f Force) BreakingThrough() float64 { return breakThrough * max(0, -f.Axial) }

// TappingTorque returns the torque of a tap, N·m, for a pitch and a diameter (mm).
func TappingTorque(pitch, diameter, kc11 float64) float64 {
	return pitch * pitch * diameter * kc11 / 8000
}
