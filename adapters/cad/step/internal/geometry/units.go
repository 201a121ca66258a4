package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
)

// Units are the factors of one representation context to mm and radians, and its uncertainty.
type Units struct {
	Length, Angle float64
	Tolerance     float64 // mm, clamped to [minUncertainty, MaxUncertainty]
}

// Stated uncertainties outside this range (mm) are writers' defaults, not facts: 0 and 1E20 occur.
const (
	minUncertainty = 1e-7
	// MaxUncertainty (mm) is the largest credible uncertainty.
	MaxUncertainty = 0.1
	// usualUncertainty (mm) is assumed if the file states no uncertainty: most kernels export with this value.
	usualUncertainty = 1e-3
)

var defaultUnits = Units{Length: 1, Angle: 1, Tolerance: usualUncertainty}

// UnitsOf returns the units of the representation context of the entity of. If the context does not give them, they are
// the units given elsewhere in the file, or else mm and radians, with a warning.
func (d *Document) UnitsOf(context, of part21.Ref) Units {
	if u, ok := d.contexts[context]; ok {
		return u
	}
	if context != part21.Missing {
		of = context
	}
	u := defaultUnits
	said, isWhole := d.stated(context)
	if f, ok := said[lengthUnit]; ok {
		u.Length = f
	} else if f, ok := d.elsewhere(lengthUnit); ok {
		u.Length = f
		d.Warn("unit_elsewhere", 1, "No length unit is given for %s; %g mm, which the file gives elsewhere, was taken",
			d.Entity(of), f)
	} else {
		d.Warn("no_length_unit", 1, "No length unit is given for %s; millimetres are assumed", d.Entity(of))
	}
	if f, ok := said[angleUnit]; ok {
		u.Angle = f
	} else if f, ok := d.elsewhere(angleUnit); ok && !isWhole {
		u.Angle = f
		d.Warn("unit_elsewhere", 1, "No unit of angles is given for %s; that which the file gives elsewhere was taken",
			d.Entity(of))
	}
	if context != part21.Missing {
		u.Tolerance = d.uncertainty(context, u.Length)
	}
	d.contexts[context] = u
	return u
}

// stated returns the factors of the units that a context lists. isWhole is false if some cannot be read.
func (d *Document) stated(context part21.Ref) (factors map[unitKind]float64, isWhole bool) {
	factors = map[unitKind]float64{}
	a, isWhole := d.File.Partial(context, schema.GlobalUnitAssignedContext)
	for list := a.List(); list.More(); {
		r := list.Ref()
		factor, kind := d.unit(r, 0)
		isWhole = isWhole && r != part21.Missing
		if kind != otherUnit {
			factors[kind] = factor
		}
	}
	return factors, isWhole
}

type unitKind uint8

const (
	otherUnit unitKind = iota
	lengthUnit
	angleUnit
)

// unit returns the factor of a unit to mm or radians. Conversion factors are trusted, names are not.
func (d *Document) unit(r part21.Ref, depth int) (factor float64, kind unitKind) {
	const MaxChain = 8 // conversions of conversions
	if depth > MaxChain {
		return 1, otherUnit
	}
	if _, ok := d.File.Partial(r, schema.LengthUnit); ok {
		kind = lengthUnit
	} else if _, ok := d.File.Partial(r, schema.PlaneAngleUnit); ok {
		kind = angleUnit
	}
	if a, ok := d.File.Partial(r, schema.SiUnit); ok {
		if a.Len() > 2 {
			a.Skip(1) // a simple SI_UNIT repeats the derived dimensions
		}
		prefix := siPrefix(a.Enum())
		switch a.Enum() {
		case schema.Metre:
			const mmPerMetre = 1000
			return prefix * mmPerMetre, lengthUnit
		case schema.Radian:
			return prefix, angleUnit
		}
		return 1, otherUnit
	}
	if a, ok := d.File.Partial(r, schema.ConversionBasedUnit); ok && kind != otherUnit {
		a.Skip(1)
		if a.Len() > 1 {
			a.Skip(1)
		}
		value, base, baseKind := d.measure(a.Ref(), depth)
		if factor = value * base; baseKind == kind && factor > 0 && !math.IsInf(factor, 0) {
			return factor, kind
		}
		return d.named(r, kind)
	}
	return 1, otherUnit
}

// measure returns the number of a measure with unit, and its unit.
func (d *Document) measure(r part21.Ref, depth int) (value, factor float64, kind unitKind) {
	if r == part21.Missing {
		return 0, 1, otherUnit
	}
	var a part21.Args
	found := false
	for _, k := range []part21.Keyword{schema.MeasureWithUnit, schema.LengthMeasureWithUnit,
		schema.PlaneAngleMeasureWithUnit, schema.UncertaintyMeasureWithUnit,
		schema.PositiveLengthMeasureWithUnit, schema.PositivePlaneAngleMeasureWithUnit} {
		// Some writers leave out the type of the number: LENGTH_MEASURE_WITH_UNIT(25.4,#433).
		if p, ok := d.File.Partial(r, k); ok && p.Len() >= 2 {
			a, found = p, true
			break
		}
	}
	if !found {
		return 0, 1, otherUnit
	}
	value = a.Real()
	if u := a.Ref(); u != part21.Missing {
		factor, kind = d.unit(u, depth+1)
	}
	if ordinal, _ := a.Problem(); ordinal != 0 {
		return 0, 1, otherUnit
	}
	return value, factor, kind
}

// Measure returns a length in mm or an angle in radians; ok is false for measures of other quantities.
func (d *Document) Measure(r part21.Ref) (value float64, isAngle, ok bool) {
	if r == part21.Missing {
		return 0, false, false
	}
	factor, kind := 1.0, otherUnit
	if d.File.Keyword(r) == schema.MeasureRepresentationItem {
		a := d.File.Args(r)
		a.Skip(1)
		value = a.Real()
		if u := a.Ref(); u != part21.Missing {
			factor, kind = d.unit(u, 0)
		}
		if ordinal, _ := a.Problem(); ordinal != 0 {
			return 0, false, false
		}
	} else {
		value, factor, kind = d.measure(r, 0)
	}
	value *= factor
	return value, kind == angleUnit, kind != otherUnit && !math.IsNaN(value) && !math.IsInf(value, 0)
}

// uncertainty returns the largest length uncertainty of the context in mm, clamped. length is the factor for
// uncertainties with an unreadable unit.
func (d *Document) uncertainty(context part21.Ref, length float64) float64 {
	a, ok := d.File.Partial(context, schema.GlobalUncertaintyAssignedContext)
	if !ok {
		return usualUncertainty
	}
	largest := 0.0
	stated := false
	for list := a.List(); list.More(); {
		value, factor, kind := d.measure(list.Ref(), 0)
		switch kind {
		case angleUnit:
			continue
		case otherUnit:
			factor = length
		}
		largest, stated = math.Max(largest, value*factor), true
	}
	if !stated || math.IsNaN(largest) {
		return usualUncertainty
	}
	return math.Min(math.Max(largest, minUncertainty), MaxUncertainty)
}

// siPrefix returns the factor of an SI prefix, or 1 without a prefix.
func siPrefix(k part21.Keyword) float64 {
	exponents := [...]int{18, 15, 12, 9, 6, 3, 2, 1, -1, -2, -3, -6, -9, -12, -15, -18}
	if i := int(k) - int(schema.Exa); i >= 0 && i < len(exponents) {
		return math.Pow10(exponents[i])
	}
	return 1
}
