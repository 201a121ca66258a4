package step

import (
	"math"

	"millwright/adapters/cad/step/part21"
)

// units are the factors of one representation context to mm and radians, and its uncertainty.
type units struct {
	length, angle float64
	tolerance     float64 // mm, clamped to [minUncertainty, maxUncertainty]
}

// Stated uncertainties outside this range (mm) are writers' defaults, not facts: 0 and 1E20 occur.
const (
	minUncertainty = 1e-7
	maxUncertainty = 0.1
	// usualUncertainty (mm) is assumed where none is stated: what most kernels export with.
	usualUncertainty = 1e-3
)

var defaultUnits = units{length: 1, angle: 1, tolerance: usualUncertainty}

// unitsOf returns the units of a representation context. Contexts without usable units count as mm and
// radians, with a warning.
func (d *document) unitsOf(context part21.Ref) units {
	if u, ok := d.contexts[context]; ok {
		return u
	}
	u := defaultUnits
	hasLength := false
	if context != part21.Missing {
		if a, ok := d.file.Partial(context, kwGlobalUnitAssignedContext); ok {
			for list := a.List(); list.More(); {
				r := list.Ref()
				if r == part21.Missing {
					continue
				}
				switch factor, kind := d.unit(r, 0); kind {
				case lengthUnit:
					u.length, hasLength = factor, true
				case angleUnit:
					u.angle = factor
				}
			}
		}
		u.tolerance = d.uncertainty(context, u.length)
	}
	if !hasLength {
		d.warn("no_length_unit", 1, "No length unit is given for %s; millimetres are assumed", d.entity(context))
	}
	d.contexts[context] = u
	return u
}

type unitKind uint8

const (
	otherUnit unitKind = iota
	lengthUnit
	angleUnit
)

// unit returns the factor of a unit to mm or radians. Conversion factors are trusted, names are not.
func (d *document) unit(r part21.Ref, depth int) (factor float64, kind unitKind) {
	const maxChain = 8 // conversions of conversions
	if depth > maxChain {
		return 1, otherUnit
	}
	if _, ok := d.file.Partial(r, kwLengthUnit); ok {
		kind = lengthUnit
	} else if _, ok := d.file.Partial(r, kwPlaneAngleUnit); ok {
		kind = angleUnit
	}
	if a, ok := d.file.Partial(r, kwSiUnit); ok {
		if a.Len() > 2 {
			a.Skip(1) // a simple SI_UNIT repeats the derived dimensions
		}
		prefix := siPrefix(a.Enum())
		switch a.Enum() {
		case kwMetre:
			const mmPerMetre = 1000
			return prefix * mmPerMetre, lengthUnit
		case kwRadian:
			return prefix, angleUnit
		}
		return 1, otherUnit
	}
	if a, ok := d.file.Partial(r, kwConversionBasedUnit); ok && kind != otherUnit {
		a.Skip(1)
		if a.Len() > 1 {
			a.Skip(1)
		}
		value, base, baseKind := d.measure(a.Ref(), depth)
		if factor = value * base; baseKind == kind && factor > 0 && !math.IsInf(factor, 0) {
			return factor, kind
		}
	}
	return 1, otherUnit
}

// measure returns the number of a measure with unit, and its unit.
func (d *document) measure(r part21.Ref, depth int) (value, factor float64, kind unitKind) {
	if r == part21.Missing {
		return 0, 1, otherUnit
	}
	var a part21.Args
	found := false
	for _, k := range []part21.Keyword{kwMeasureWithUnit, kwLengthMeasureWithUnit,
		kwPlaneAngleMeasureWithUnit, kwUncertaintyMeasureWithUnit} {
		// Some writers leave out the type of the number: LENGTH_MEASURE_WITH_UNIT(25.4,#433).
		if p, ok := d.file.Partial(r, k); ok && p.Len() >= 2 {
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

// uncertainty returns the largest length uncertainty of the context in mm, clamped. length is the
// factor for those whose unit cannot be read.
func (d *document) uncertainty(context part21.Ref, length float64) float64 {
	a, ok := d.file.Partial(context, kwGlobalUncertaintyAssignedContext)
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
	return math.Min(math.Max(largest, minUncertainty), maxUncertainty)
}

// siPrefix returns the factor of an SI prefix, 1 for none.
func siPrefix(k part21.Keyword) float64 {
	exponents := [...]int{18, 15, 12, 9, 6, 3, 2, 1, -1, -2, -3, -6, -9, -12, -15, -18}
	if i := int(k) - int(kwExa); i >= 0 && i < len(exponents) {
		return math.Pow10(exponents[i])
	}
	return 1
}
