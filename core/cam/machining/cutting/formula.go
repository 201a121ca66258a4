package cutting

import "math"

// SpindleSpeed returns revolutions per minute from a surface speed (m/min) at a diameter (mm).
func SpindleSpeed(speed, diameter float64) float64 { return speed * 1000 / (math.Pi * diameter) }

// SurfaceSpeed returns m/min from revolutions per minute at a diameter (mm).
func SurfaceSpeed(rpm, diameter float64) float64 { return math.Pi * diameter * rpm / 1000 }

// engaged is the angle (rad) over which a mill of a diameter is in material that is radial deep.
func engaged(radial, diameter float64) float64 { return math.Acos(1 - 2*min(radial/diameter, 1)) }

// RadialDepth returns the radial depth of cut (mm) of a mill for an engagement angle (rad) of its front.
func RadialDepth(angle, diameter float64) float64 { return diameter * (1 - math.Cos(angle)) / 2 }

// MeanChipThickness returns the mean thickness (mm) of the chips that a mill with square edges takes, in Sandvik's
// form: 360·fz·ae/(π·D·φ) with the engaged angle φ in degrees.
func MeanChipThickness(feedPerTooth, radial, diameter float64) float64 {
	return 2 * feedPerTooth * radial / (diameter * engaged(radial, diameter))
}

// ChipThinning returns the ratio of a mill's feed per tooth to its thickest chip: 1/sin φ if less than half of the
// diameter is engaged, else 1. It is at most mostThinning, the limit for raised feeds.
func ChipThinning(radial, diameter float64) float64 {
	if radial >= diameter/2 {
		return 1
	}
	return min(1/math.Sin(engaged(radial, diameter)), mostThinning)
}

const mostThinning = 2

// SpecificForce returns N/mm² by Kienzle's law: kc1.1·h^-mc for a chip of thickness h (mm).
func SpecificForce(kc11, mc, chip float64) float64 { return kc11 * math.Pow(chip, -mc) }

// MillingPower returns kW for depths (mm), a feed (mm/min) and a specific force (N/mm²), at the spindle's motor with
// its efficiency (1: at the cut).
func MillingPower(axial, radial, feed, kc, efficiency float64) float64 {
	return axial * radial * feed * kc / (60e6 * efficiency)
}

// DrillingPower returns kW at the cut for a diameter (mm), a feed per revolution (mm), a speed (m/min) and a specific
// force (N/mm²).
func DrillingPower(diameter, feedPerTurn, speed, kc float64) float64 {
	return feedPerTurn * speed * diameter * kc / 240e3
}

// Torque returns N·m for a power (kW) and revolutions per minute.
func Torque(power, rpm float64) float64 { return power * 30e3 / (math.Pi * rpm) }

// TipCompliance returns the deflection (mm) of a tool's tip under a lateral force of 1 N. The model is a beam clamped
// at its stickout: flutes with their core diameter, and the shank above. Lengths are mm, the modulus is N/mm².
func TipCompliance(stickout, flutes, core, shank, modulus float64) float64 {
	inertia := func(d float64) float64 { return math.Pi * d * d * d * d / 64 }
	flutes = min(flutes, stickout)
	above := stickout*stickout*stickout - flutes*flutes*flutes
	return (above/inertia(shank) + flutes*flutes*flutes/inertia(core)) / (3 * modulus)
}
