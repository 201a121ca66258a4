package pmi

import (
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
)

// toleranceKinds are the toleranced characteristics.
var toleranceKinds = []part21.Keyword{
	schema.StraightnessTolerance, schema.FlatnessTolerance, schema.RoundnessTolerance,
	schema.CylindricityTolerance, schema.LineProfileTolerance, schema.SurfaceProfileTolerance,
	schema.AngularityTolerance, schema.PerpendicularityTolerance, schema.ParallelismTolerance,
	schema.PositionTolerance, schema.ConcentricityTolerance, schema.CoaxialityTolerance,
	schema.SymmetryTolerance, schema.CircularRunoutTolerance, schema.TotalRunoutTolerance,
}

// toleranceEntities are the names that a simple instance of a geometric tolerance may have. The most specific name
// determines the meaning of its last attribute.
var toleranceEntities = append(append([]part21.Keyword{}, toleranceKinds...),
	schema.GeometricTolerance, schema.GeometricToleranceWithDatumReference,
	schema.GeometricToleranceWithModifiers, schema.ModifiedGeometricTolerance,
	schema.GeometricToleranceWithMaximumTolerance, schema.GeometricToleranceWithDefinedUnit,
	schema.GeometricToleranceWithDefinedAreaUnit, schema.UnequallyDisposedGeometricTolerance)

// ownAttributes is the number of attributes of geometric_tolerance; attributes of its subtypes follow.
const ownAttributes = 4

// zone is the tolerance zone of a tolerance.
type zone struct {
	form      string
	projected part21.Ref // length
	end       part21.Ref // aspect where the projection begins
}

// readZones finds the zones of tolerances and the tolerances that refine others.
func (r *reader) readZones() {
	r.zones, r.refines = map[part21.Ref]zone{}, map[part21.Ref]part21.Ref{}
	projected := map[part21.Ref]zone{} // by zone
	for _, ref := range r.File.Of(schema.ProjectedZoneDefinition) {
		a := r.File.Args(ref)
		of := a.OptRef()
		a.Skip(1)
		projected[of] = zone{end: a.OptRef(), projected: a.OptRef()}
	}
	for _, ref := range r.File.Of(schema.ToleranceZone) {
		a := r.File.Args(ref)
		a.Skip(4)
		tolerances := refs(&a)
		z, ok := projected[ref]
		if !ok {
			z = zone{end: part21.Missing, projected: part21.Missing}
		}
		if form := a.OptRef(); form != part21.Missing && r.File.Keyword(form) == schema.ToleranceZoneForm {
			b := r.File.Args(form)
			z.form = normal(b.Text())
		}
		for _, t := range tolerances {
			r.zones[t] = z
		}
	}
	for _, ref := range r.File.Of(schema.GeometricToleranceRelationship) {
		a := r.File.Args(ref)
		name := normal(a.Text())
		a.Skip(1)
		upper, lower := a.OptRef(), a.OptRef()
		if strings.HasPrefix(name, "composite") && upper != part21.Missing && lower != part21.Missing {
			r.refines[lower] = upper
		}
	}
}

// toleranceArgs returns the attributes of a geometric tolerance.
func (r *reader) toleranceArgs(ref part21.Ref) part21.Args {
	if r.File.IsComplex(ref) {
		a, _ := r.File.Partial(ref, schema.GeometricTolerance)
		return a
	}
	return r.File.Args(ref)
}

// extra returns the attributes that a subtype adds.
func (r *reader) extra(ref part21.Ref, k part21.Keyword) (part21.Args, bool) {
	a, ok := r.File.Partial(ref, k)
	if ok && !r.File.IsComplex(ref) {
		a.Skip(ownAttributes)
	}
	return a, ok
}

// tolerance reads a geometric tolerance and adds it.
func (r *reader) tolerance(ref part21.Ref) {
	a := r.toleranceArgs(ref)
	t := gdt.Tolerance{Refines: brep.None, Source: r.File.ID(ref), Text: r.drawn(ref)}
	t.Kind = strings.TrimSuffix(schema.Spell(r.Kind(ref, toleranceKinds)), " tolerance")
	if strings.Contains(t.Kind, "geometric") {
		t.Kind = "" // a simple instance of a general name
	}
	t.Name = a.Text()
	a.Skip(1)
	value := a.OptRef()
	target := a.OptRef()
	ok := value == part21.Missing
	if !ok {
		t.Value, ok = r.length(value)
	}
	if ordinal, _ := a.Problem(); !ok || t.Value < 0 || ordinal != 0 || target == part21.Missing {
		r.skipStatement(ref, "has no readable value or does not state the toleranced aspect")
		return
	}
	t.Faces = r.facesOf(target)
	t.AllOver = r.File.Keyword(target) == schema.ProductDefinitionShape
	t.AllAround = r.File.Keyword(target) == schema.AllAroundShapeAspect
	r.zone(ref, &t)
	r.modify(ref, &t)
	t.Datums = r.datumReferences(ref)
	out := &r.model.PMI
	r.tolerances[ref] = gdt.ToleranceID(len(out.Tolerances))
	out.Tolerances = append(out.Tolerances, t)
	r.stated[ref] = true
}

// compose ties the further lines of composite frames to their first.
func (r *reader) compose(tolerances []part21.Ref) {
	for _, ref := range tolerances {
		lower, ok := r.tolerances[ref]
		upper, refines := r.tolerances[r.refines[ref]]
		if _, composite := r.refines[ref]; ok && refines && composite && lower != upper {
			r.model.PMI.Tolerances[lower].Refines = upper
		}
	}
}

func (r *reader) zone(ref part21.Ref, t *gdt.Tolerance) {
	z, ok := r.zones[ref]
	if !ok {
		return
	}
	t.Zone = z.form
	if length, ok := r.length(z.projected); ok {
		t.Projected, t.ProjectedFrom = length, r.facesOf(z.end)
	}
}

// modify reads the attributes that subtypes add to a tolerance.
func (r *reader) modify(ref part21.Ref, t *gdt.Tolerance) {
	if a, ok := r.extra(ref, schema.GeometricToleranceWithModifiers); ok {
		t.Modifiers = enums(a.List())
	}
	if a, ok := r.extra(ref, schema.ModifiedGeometricTolerance); ok {
		if name := schema.Spell(a.Enum()); name != "" {
			t.Modifiers = append(t.Modifiers, name)
		}
	}
	if a, ok := r.extra(ref, schema.GeometricToleranceWithMaximumTolerance); ok {
		r.take(&t.Max, a.OptRef())
	}
	if a, ok := r.extra(ref, schema.UnequallyDisposedGeometricTolerance); ok {
		t.HasOffset = r.take(&t.Offset, a.OptRef())
	}
	if a, ok := r.extra(ref, schema.GeometricToleranceWithDefinedUnit); ok {
		r.take(&t.PerLength, a.OptRef())
	}
	if a, ok := r.extra(ref, schema.GeometricToleranceWithDefinedAreaUnit); ok {
		if !r.File.IsComplex(ref) {
			r.take(&t.PerLength, a.OptRef())
		}
		t.PerArea = schema.Spell(a.Enum())
		if !r.take(&t.PerWidth, a.OptRef()) {
			t.PerWidth = t.PerLength
		}
	}
}

// take reads a length into a field, which stays unchanged if there is no length.
func (r *reader) take(to *float64, ref part21.Ref) bool {
	value, ok := r.length(ref)
	if ok {
		*to = value
	}
	return ok
}
