package geometry

import (
	"math"
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
)

// If the units of a context are unreadable, the file usually states them elsewhere: in another context, in an
// unreferenced unit, in the measure of a lost unit, or in the name of a unit with a lost measure.

// conversions are the units that exchange files convert, in mm and radians, by the names that they have there.
var conversions = map[unitKind]map[string]float64{
	lengthUnit: {"INCH": 25.4, "FOOT": 304.8, "YARD": 914.4, "MIL": 0.0254},
	angleUnit:  {"DEGREE": math.Pi / 180, "DEGREES": math.Pi / 180, "GRAD": math.Pi / 200},
}

// named returns the factor of a unit of conversion whose measure cannot be read, by its name.
func (d *Document) named(r part21.Ref, kind unitKind) (float64, unitKind) {
	a, _ := d.File.Partial(r, schema.ConversionBasedUnit)
	if !d.File.IsComplex(r) {
		a.Skip(1) // its dimensions
	}
	name := a.Text()
	factor, ok := conversions[kind][strings.ToUpper(name)]
	if !ok {
		return 1, otherUnit
	}
	d.Warn("unit_elsewhere", 1, "%s is the unit %q of a size that cannot be read; its usual one was taken",
		d.Entity(r), name)
	return factor, kind
}

// elsewhere returns the factor of the units of a kind elsewhere in the file. The sources in order are: its contexts,
// units by conversion, measures of a usual conversion, and units without conversion. It returns false if the units of
// the first available source differ.
func (d *Document) elsewhere(kind unitKind) (float64, bool) {
	var contexts, converted, measures, plain agreed
	for _, r := range d.File.Of(schema.GlobalUnitAssignedContext) {
		if said, _ := d.stated(r); said[kind] != 0 {
			contexts.add(said[kind])
		}
	}
	for r := range d.File.All() {
		if factor, k := d.unit(r, 0); k == kind {
			if _, ok := d.File.Partial(r, schema.ConversionBasedUnit); ok {
				converted.add(factor)
			} else {
				plain.add(factor)
			}
		}
		if _, ok := d.File.Partial(r, schema.UncertaintyMeasureWithUnit); ok {
			continue
		}
		if value, factor, k := d.measure(r, 0); k == kind {
			for _, usual := range conversions[kind] {
				const rounding = 1e-6 // degrees are written with seven digits
				if math.Abs(value*factor-usual) <= rounding*usual {
					measures.add(usual)
				}
			}
		}
	}
	for _, a := range []agreed{contexts, converted, measures, plain} {
		if a.is {
			return a.factor, !a.differ
		}
	}
	return 1, false
}

// agreed is the common factor of several units, if they agree.
type agreed struct {
	factor     float64
	is, differ bool
}

func (a *agreed) add(factor float64) {
	a.differ = a.differ || a.is && a.factor != factor
	a.factor, a.is = factor, true
}
