// Package workholding computes whether a device holds a workpiece against the forces of the tools.
//
// A device presses on the workpiece, and friction carries the load; where something solid stands in the way of the
// load, it carries more. Each check has a use: the load times the factor of safety, over what the device carries. A
// device holds while no use is above 1. In a vise all uses fall with the force of the jaws, so the least force that
// holds is known in closed form; what the jaws would crush or bend bounds it from above.
//
// Lengths are mm, forces N, torques N·m, stresses and pressures MPa. Formulas are of statics: Coulomb friction, Euler
// columns, beams and plates of the theory of Bernoulli. The pressure of a jaw is linear over its depth up to the point
// where it opens.
package workholding

import "math"

// Safety is the usual factor of safety against slipping: two pounds of clamping for a pound of cutting.
const Safety = 2.0

// SafetyOfSuction is the factor for devices whose pressure is not certain: vacuum, magnets, tape.
const SafetyOfSuction = 2.5

// Load is the worst force of a cut on the workpiece.
type Load struct {
	Horizontal float64 // in any direction across the tool
	Axial      float64 // that lifts the workpiece
	Height     float64 // of the middle of the cut over the middle of the grip, mm
}

// Grip is the contact of two parallel jaws with the workpiece.
type Grip struct {
	Depth    float64 // of the contact, along the tool
	Length   float64 // of the contact, along the jaws, with its gaps
	Gaps     float64 // of them in all
	Width    float64 // between the jaws
	Friction float64 // coefficient between jaw and workpiece
	Seated   bool    // it lies on parallels or on steps of the jaws
	Stopped  bool    // ends of a pocket in the jaws, or a stop, take what pushes along the jaws
}

// Use is the use of a grip by a load, for each check.
type Use struct {
	Slip float64 // along the jaws or upward
	Rock float64 // about the axis along which the jaws press
	Tip  float64 // over the edge of a jaw
	Push float64 // against the jaw that moves
}

// Worst is the decisive use; slipping and rocking share the friction.
func (u Use) Worst() float64 { return max(math.Hypot(u.Slip, u.Rock), u.Tip, u.Push) }

// Use returns the use of the grip by a load, with a force of each jaw, N.
func (g Grip) Use(force float64, l Load, safety float64) Use {
	along := l.Horizontal
	if g.Stopped {
		along = 0
	}
	seat := 1.0
	if !g.Seated {
		seat = 2
	}
	friction := g.Friction * force
	return Use{
		Slip: safety * math.Hypot(along, l.Axial) / (2 * friction),
		Rock: seat * safety * l.Horizontal * max(l.Height, 0) / (friction * g.Length),
		Tip:  safety * l.Horizontal * max(l.Height, 0) / (force*g.Depth/3 + friction*g.Width),
		Push: safety * l.Horizontal / force,
	}
}

// Least returns the least force of each jaw that holds against a load, N.
func (g Grip) Least(l Load, safety float64) float64 { return g.Use(1, l, safety).Worst() }

// Solid is the workpiece between the jaws.
type Solid struct {
	Yield     float64 // of its material, MPa
	Modulus   float64 // of its material, MPa
	Thickness float64 // along the tool, of the thinnest plate that spans the jaws
	Finished  bool    // the jaws press on faces that must stay as they are
}

// Crush returns the force at which jaws mark the faces that they press on, N.
func (g Grip) Crush(s Solid) float64 {
	stress := s.Yield
	if s.Finished {
		stress /= 2
	}
	return stress * g.Depth * (g.Length - g.Gaps)
}

// Bow returns the force up to which a plate between the jaws stays flat, N: a quarter of what buckles it.
func (g Grip) Bow(s Solid) float64 {
	inertia := g.Length * s.Thickness * s.Thickness * s.Thickness / 12
	return math.Pi * math.Pi * s.Modulus * inertia / (4 * g.Width * g.Width)
}

// Wall returns the deflection of a vertical wall under a force of the jaw spread over it, mm. Its top is free.
func (s Solid) Wall(force, thickness, height, length float64) float64 {
	pressure := force / (length * height)
	return 1.5 * pressure * math.Pow(height, 4) / (s.Modulus * math.Pow(thickness, 3))
}

// Sway returns the deflection of a block at its top under a force across it, mm. It is fixed at the height of the grip.
// Thickness is in the direction of the force, breadth across it.
func (s Solid) Sway(force, height, thickness, breadth float64) float64 {
	return force * height * height * height * 12 / (3 * s.Modulus * breadth * thickness * thickness * thickness)
}

// Bed is a flat device that pulls the workpiece down by a pressure: vacuum, a magnet, adhesive tape.
type Bed struct {
	Pressure float64 // MPa
	Area     float64 // mm² of contact
	Friction float64
}

// Normal is the force of the bed, N.
func (b Bed) Normal() float64 { return b.Pressure * b.Area }

// Use returns the use of the bed by a load; +Inf where it lifts the workpiece.
func (b Bed) Use(l Load, safety float64) float64 { return clamped(b.Normal(), b.Friction, l, safety) }

// Stopped returns the use of the bed by a load where stops keep the workpiece from sliding: it lifts, or tips over an
// edge of its footprint, whose narrower side is width. The height of the load is over the bed.
func (b Bed) Stopped(l Load, width, safety float64) float64 {
	left := b.Normal() - safety*l.Axial
	if left <= 0 {
		return math.Inf(1)
	}
	return max(safety*l.Axial/b.Normal(), safety*l.Horizontal*max(l.Height, 0)/(left*width/2))
}

// clamped is the use of a force that presses a workpiece down.
func clamped(normal, friction float64, l Load, safety float64) float64 {
	left := normal - safety*l.Axial
	if left <= 0 {
		return math.Inf(1)
	}
	return safety * l.Horizontal / (friction * left)
}

// ScrewForce returns the force of a screw (mm) under a torque (N·m), with the usual friction of its thread and head.
func ScrewForce(torque, diameter float64) float64 { return torque * 1000 / (0.2 * diameter) }

// ScrewTorque returns the torque of a screw (mm) for a force (N), N·m.
func ScrewTorque(force, diameter float64) float64 { return force * 0.2 * diameter / 1000 }

// Dowel returns the permitted force across a dowel pin (mm) of a steel with a yield strength, N.
func Dowel(diameter, yield, safety float64) float64 {
	return math.Pi / 4 * diameter * diameter * shear * yield / safety
}

// shear is the shear strength of ductile metals over their yield strength (von Mises).
const shear = 0.58

// Tab is a bridge of material between the part and the frame that it is cut from.
type Tab struct {
	Width, Thickness float64
	Gap              float64 // from the part to the frame: the width of the slot
}

// Lift returns the permitted upward force on a tab, N. Both of its ends are fixed.
func (t Tab) Lift(yield, safety float64) float64 {
	return 2 * yield / safety * t.Width * t.Thickness * t.Thickness / (6 * t.Gap)
}

// Side returns the permitted force on a tab along the slot, N.
func (t Tab) Side(yield, safety float64) float64 {
	return 2 * yield / safety * t.Thickness * t.Width * t.Width / (6 * t.Gap)
}

// TabThickness returns the thickness at which a tab of a width carries a lift over a gap, mm.
func TabThickness(width, gap, lift, yield, safety float64) float64 {
	return math.Sqrt(3 * gap * safety * lift / (yield * width))
}
