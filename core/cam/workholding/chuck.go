package workholding

import "math"

// Chuck is a chuck with three jaws at 120°.
//
// Its scroll keeps the jaws in place while the workpiece pushes them. So a load across the axis adds to the force of
// one jaw and takes from others, and no jaw opens up to half of the total force. Friction bears what turns, lifts or
// tips the workpiece. The shares for lifting and for tipping are vertical and add up; the share for turning is across
// them.
type Chuck struct {
	Force    float64 // of all jaws together
	Diameter float64 // that they grip
	Depth    float64 // of the contact, along the axis
	Friction float64
}

// Torque returns the permitted torque about the axis of the chuck, N·m.
func (c Chuck) Torque(safety float64) float64 {
	return c.Friction * c.Force * c.Diameter / 2000 / safety
}

// Axial returns the permitted force along the axis of the chuck, N.
func (c Chuck) Axial(safety float64) float64 { return c.Friction * c.Force / safety }

// Moment returns the permitted moment about a line across the axis through the middle of the grip, N·m.
//
// The pressure of a jaw moves by up to a sixth of its depth before the jaw opens. In the worst direction the levers of
// the three forces sum up to √3 of that, and those of friction to 1.5 radii.
func (c Chuck) Moment(safety float64) float64 {
	jaw := c.Force / 3
	return (jaw*c.Depth/6*math.Sqrt(3) + c.Friction*jaw*c.Diameter/2*1.5) / 1000 / safety
}

// Use returns the use of the chuck by a load at a distance from its axis, mm. Its Slip is about the axis, and its Rock
// lifts and tips.
func (c Chuck) Use(l Load, reach, safety float64) Use {
	tip := l.Horizontal * max(l.Height, 0) / 1000 / c.Moment(safety)
	return Use{
		Slip: l.Horizontal * reach / 1000 / c.Torque(safety),
		Rock: l.Axial/c.Axial(safety) + tip,
		Tip:  tip,
		Push: safety * l.Horizontal / (c.Force / 2),
	}
}

// Crush returns the total force at which jaws mark what they grip, N: they touch a share of its circumference.
func (c Chuck) Crush(s Solid, share float64) float64 {
	stress := s.Yield
	if s.Finished {
		stress /= 2
	}
	return stress * share * math.Pi * c.Diameter * c.Depth
}

// Ring returns the total force up to which three jaws keep a ring of a wall thickness round to within a deflection, N.
// It is a thin ring under three equal forces toward its center, as long as the contact is deep (W. C. Young, R. G.
// Budynas, "Roark's Formulas for Stress and Strain", table 9.2, case 7).
func (c Chuck) Ring(s Solid, thickness, deflection float64) float64 {
	const compliance = 0.0159 // of R³/EI, under one of the forces
	mean, inertia := (c.Diameter-thickness)/2, c.Depth*thickness*thickness*thickness/12
	return 3 * deflection * s.Modulus * inertia / (compliance * mean * mean * mean)
}
