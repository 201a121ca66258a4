package pmi

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/limit"
	"millwright.dev/millwright/core/kernel/gdt/thread"
)

// sizes and locations are the entities of dimensions; more special ones first.
var (
	sizes = []part21.Keyword{schema.DimensionalSizeWithDatumFeature, schema.DimensionalSizeWithPath,
		schema.AngularSize, schema.DimensionalSize}
	locations = []part21.Keyword{schema.DirectedDimensionalLocation, schema.DimensionalLocationWithPath,
		schema.AngularLocation, schema.DimensionalLocation}
)

// readRanges finds the representation and the tolerance of each dimension.
func (r *reader) readRanges() {
	r.values, r.ranges = map[part21.Ref]part21.Ref{}, map[part21.Ref]part21.Ref{}
	for _, ref := range r.File.Of(schema.DimensionalCharacteristicRepresentation) {
		a := r.File.Args(ref)
		if dimension, rep := a.OptRef(), a.OptRef(); dimension != part21.Missing && rep != part21.Missing {
			r.values[dimension] = rep
		}
	}
	for _, ref := range r.File.Of(schema.PlusMinusTolerance) {
		a := r.File.Args(ref)
		if span, dimension := a.OptRef(), a.OptRef(); dimension != part21.Missing && span != part21.Missing {
			r.ranges[dimension] = span
		}
	}
}

// size returns the aspect that a size measures, and the name of the size.
func (r *reader) size(ref part21.Ref) (aspect part21.Ref, name string) {
	a := r.File.Args(ref)
	if r.File.IsComplex(ref) {
		a, _ = r.File.Partial(ref, schema.DimensionalSize)
	} else if r.File.Keyword(ref) == schema.DimensionalSizeWithDatumFeature {
		a.Skip(aspectAttributes + 1) // it is itself the aspect
		return ref, a.Text()
	}
	return a.OptRef(), a.Text()
}

// location returns the two aspects of a location, and its name.
func (r *reader) location(ref part21.Ref) (from, to part21.Ref, name string) {
	a := r.File.Args(ref)
	if r.File.IsComplex(ref) {
		a, _ = r.File.Partial(ref, schema.ShapeAspectRelationship)
	}
	name = a.Text()
	a.Skip(1)
	return a.OptRef(), a.OptRef(), name
}

// dimension reads a size or location.
func (r *reader) dimension(ref part21.Ref) (gdt.Dimension, bool) {
	d := gdt.Dimension{Decimals: brep.None, Source: r.File.ID(ref), Text: r.drawn(ref)}
	call, isThread := thread.Parse(d.Text)
	if !isThread {
		// The statement has the diameter, its callout the thread.
		if call, isThread = thread.Parse(r.called[ref]); isThread || d.Text == "" {
			d.Text = r.called[ref]
		}
	}
	if isThread {
		d.Thread = &call
	}
	if r.isAny(ref, sizes) {
		aspect, name := r.size(ref)
		d.Kind, d.Faces = normal(name), r.facesOf(aspect)
		d.Angle = r.Kind(ref, sizes) == schema.AngularSize
	} else {
		from, to, name := r.location(ref)
		d.Kind, d.Faces, d.To = normal(name), r.facesOf(from), r.facesOf(to)
		d.Angle = r.Kind(ref, locations) == schema.AngularLocation
		if d.Kind == "" && !d.Angle {
			d.Kind = "linear distance"
		}
	}
	if d.Angle && d.Kind == "" {
		d.Kind = "angle"
	}
	if rep, ok := r.values[ref]; ok && !r.represent(&d, ref, rep) {
		return d, false
	}
	if span, ok := r.ranges[ref]; ok && !r.span(&d, ref, span) {
		return d, false
	}
	r.threaded(&d, ref)
	return d, true
}

// represent reads the values and notes of a dimension.
func (r *reader) represent(d *gdt.Dimension, ref, rep part21.Ref) bool {
	upper, lower := math.NaN(), math.NaN()
	for _, item := range r.flat(r.itemsIn(rep), 0) {
		if text, ok := r.text(item); ok {
			r.remark(d, normal(text))
			continue
		}
		m, ok := r.measure(item)
		switch {
		case !ok:
			continue // markers of other kinds
		case m.name == "upper limit":
			upper = m.value
		case m.name == "lower limit":
			lower = m.value
		case d.HasNominal && m.name != "nominal value":
			continue
		default:
			d.Nominal, d.HasNominal = m.value, true
		}
		d.Angle = m.isAngle
		if m.decimals != brep.None {
			d.Decimals = m.decimals
		}
		for _, q := range m.qualifiers {
			r.remark(d, q)
		}
	}
	if !d.HasNominal && math.IsNaN(upper) && math.IsNaN(lower) {
		r.skipStatement(ref, "has no value")
		return false
	}
	bound(d, lower, upper)
	return true
}

// flat replaces groups of items by their members.
func (r *reader) flat(items []part21.Ref, depth int) []part21.Ref {
	var out []part21.Ref
	for _, item := range items {
		if r.spent++; r.spent > maxStated {
			return out
		}
		k := r.Kind(item, []part21.Keyword{schema.ValueRange, schema.CompoundRepresentationItem})
		if k != schema.ValueRange && k != schema.CompoundRepresentationItem || depth > maxNesting {
			out = append(out, item)
			continue
		}
		a := r.Own(item, schema.CompoundRepresentationItem)
		if k == schema.ValueRange && !r.File.IsComplex(item) {
			a = r.Own(item, schema.ValueRange)
		}
		out = append(out, r.flat(refs(&a), depth+1)...)
	}
	return out
}

// bound converts limits (NaN if missing) into deviations from the nominal value.
func bound(d *gdt.Dimension, lower, upper float64) {
	if lower > upper {
		lower, upper = upper, lower
	}
	if !d.HasNominal {
		switch {
		case math.IsNaN(lower):
			d.Nominal = upper
		case math.IsNaN(upper):
			d.Nominal = lower
		default:
			d.Nominal = (lower + upper) / 2
		}
	}
	if !math.IsNaN(lower) {
		d.Lower, d.HasLower = difference(lower, d.Nominal), true
	}
	if !math.IsNaN(upper) {
		d.Upper, d.HasUpper = difference(upper, d.Nominal), true
	}
}

// difference is a - b without the digits that only come from taking the difference.
func difference(a, b float64) float64 {
	const digits = 1e9 // of a mm or radian: far finer than any tolerance
	return math.Round((a-b)*digits) / digits
}

// remark reads a dimensional note or a type qualifier.
func (r *reader) remark(d *gdt.Dimension, note string) {
	switch note {
	case "theoretical", "basic":
		d.Basic = true
	case "auxiliary", "reference":
		d.Reference = true
	case "maximum":
		d.Upper, d.HasUpper = 0, true
	case "minimum":
		d.Lower, d.HasLower = 0, true
	case "", "nominal":
	default:
		if !slices.Contains(d.Modifiers, note) {
			d.Modifiers = append(d.Modifiers, note)
		}
	}
}

// span reads a plus-minus tolerance or a fit.
func (r *reader) span(d *gdt.Dimension, ref, span part21.Ref) bool {
	a := r.File.Args(span)
	switch r.File.Keyword(span) {
	case schema.LimitsAndFits:
		variance := a.Text()
		a.Skip(1)
		d.Fit = variance + a.Text()
		if lower, upper, ok := limit.Deviations(d.Fit, d.Nominal); ok && d.HasNominal && !d.Angle {
			d.Lower, d.Upper, d.HasLower, d.HasUpper = lower, upper, true, true
		}
		return true
	case schema.ToleranceValue:
		lower, isAngle, ok := r.Measure(a.OptRef())
		upper, isUpperAngle, okUpper := r.Measure(a.OptRef())
		if !ok || !okUpper || isAngle != d.Angle || isUpperAngle != d.Angle {
			r.skipStatement(ref, "has a tolerance without readable limits")
			return false
		}
		if lower == upper && lower > 0 {
			lower = -lower // some writers omit the sign of ±; a range of zero width would not be a tolerance
		}
		d.Lower, d.Upper = min(lower, upper), max(lower, upper)
		d.HasLower, d.HasUpper = true, true
		return true
	}
	r.skipStatement(ref, "has a tolerance of an unknown kind")
	return false
}
