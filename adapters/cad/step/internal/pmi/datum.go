package pmi

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

var (
	datumEntities  = []part21.Keyword{schema.Datum, schema.CommonDatum}
	targetEntities = []part21.Keyword{schema.PlacedDatumTargetFeature, schema.DatumTarget}
)

// aspectAttributes is the number of attributes of shape_aspect; attributes of its subtypes follow.
const aspectAttributes = 4

// behindAspect returns the attributes that a subtype of shape_aspect adds.
func (r *reader) behindAspect(ref part21.Ref, k part21.Keyword) part21.Args {
	a, _ := r.File.Partial(ref, k)
	if !r.File.IsComplex(ref) {
		a.Skip(aspectAttributes)
	}
	return a
}

// datum returns a datum, adding it at its first use.
func (r *reader) datum(ref part21.Ref) gdt.DatumID {
	if id, ok := r.datums[ref]; ok {
		return id
	}
	a := r.behindAspect(ref, r.Kind(ref, datumEntities))
	d := gdt.Datum{Letter: a.Text(), Source: r.File.ID(ref)}
	features := slices.Clone(r.datumFeatures[ref])
	d.Faces = r.facesOf(append(features, ref)...)
	for _, target := range r.datumTargets[ref] {
		d.Targets = append(d.Targets, r.target(target, d.Letter))
		r.stated[target] = true
	}
	r.stated[ref] = true
	for _, f := range features {
		r.stated[f] = true
	}
	out := &r.model.PMI
	id := gdt.DatumID(len(out.Datums))
	r.datums[ref] = id
	out.Datums = append(out.Datums, d)
	return id
}

// target reads a datum target.
func (r *reader) target(ref part21.Ref, letter string) gdt.DatumTarget {
	k := r.Kind(ref, targetEntities)
	named := r.File.Args(ref)
	if r.File.IsComplex(ref) {
		named, _ = r.File.Partial(ref, schema.ShapeAspect)
	}
	named.Skip(1)
	a := r.behindAspect(ref, schema.DatumTarget)
	if !r.File.IsComplex(ref) {
		a = r.behindAspect(ref, k)
	}
	t := gdt.DatumTarget{
		Kind: normal(named.Text()), Name: letter + a.Text(), Faces: r.facesOf(ref), Source: r.File.ID(ref),
	}
	for _, p := range r.properties[ref] {
		for _, rep := range p.representations {
			r.placeTarget(&t, rep)
		}
	}
	return t
}

// placeTarget reads the placement and the measures of a target.
func (r *reader) placeTarget(t *gdt.DatumTarget, rep part21.Ref) {
	a := r.File.Args(rep)
	if r.File.IsComplex(rep) {
		a, _ = r.File.Partial(rep, schema.Representation)
	}
	a.Skip(1)
	items := refs(&a)
	scope := geometry.Scope{Document: r.Document, Units: r.UnitsOf(a.OptRef(), rep)}
	for _, item := range items {
		if r.File.Keyword(item) == schema.Axis2Placement3d {
			if frame, err := scope.Frame(item); err == nil {
				t.Frame, t.HasFrame = frame.Transform(r.move(t.Faces)), true
			}
			continue
		}
		m, ok := r.measure(item)
		switch {
		case !ok || m.isAngle:
		case m.name == "target diameter":
			t.Length, t.Width = m.value, m.value
		case m.name == "target width":
			t.Width = m.value
		case m.name == "target length":
			t.Length = m.value
		}
	}
}

// move returns the placement of a statement's product, found by the faces of the statement.
func (r *reader) move(faces []gdt.Face) geom.Transform {
	if len(faces) > 0 {
		return r.placements[r.placementOf(brep.FaceID(faces[0]))].At
	}
	return r.placements[0].At
}

// datumReferences reads the compartments of a tolerance's frame.
func (r *reader) datumReferences(tolerance part21.Ref) []gdt.DatumCompartment {
	a, ok := r.extra(tolerance, schema.GeometricToleranceWithDatumReference)
	if !ok && !r.File.IsComplex(tolerance) {
		a = r.File.Args(tolerance) // kinds that cannot do without
		a.Skip(ownAttributes)
		ok = a.IsList()
	}
	if !ok {
		return nil
	}
	var out []gdt.DatumCompartment
	for _, ref := range r.byPrecedence(refs(&a)) {
		if r.File.Keyword(ref) != schema.DatumSystem {
			out = r.compartment(out, ref)
			continue
		}
		system := r.behindAspect(ref, schema.DatumSystem)
		for _, c := range refs(&system) {
			out = r.compartment(out, c)
		}
	}
	return out
}

// byPrecedence sorts references of the older schemas, which state their precedence and may be in any order; references
// of AP242 are already in order.
func (r *reader) byPrecedence(references []part21.Ref) []part21.Ref {
	precedence := func(ref part21.Ref) int64 {
		switch r.File.Keyword(ref) {
		case schema.DatumReference, schema.ReferencedModifiedDatum:
			a := r.File.Args(ref)
			return a.Int()
		}
		return 0
	}
	slices.SortStableFunc(references, func(a, b part21.Ref) int {
		return cmp.Compare(precedence(a), precedence(b))
	})
	return references
}

// compartment adds one compartment, in the form of edition 2 or of the older schemas.
func (r *reader) compartment(out []gdt.DatumCompartment, ref part21.Ref) []gdt.DatumCompartment {
	var c gdt.DatumCompartment
	switch r.File.Keyword(ref) {
	case schema.DatumReferenceCompartment, schema.DatumReferenceElement:
		a := r.behindAspect(ref, r.File.Keyword(ref))
		c.Datums = r.uses(&a, 0)
		c.Modifiers = r.datumModifiers(a.List())
	case schema.DatumReference, schema.ReferencedModifiedDatum:
		a := r.File.Args(ref)
		a.Skip(1) // the precedence: they are sorted by it
		if datum := a.OptRef(); r.isAny(datum, datumEntities) {
			c.Datums = []gdt.DatumElement{{Datum: r.datum(datum)}}
		}
		if r.File.Keyword(ref) == schema.ReferencedModifiedDatum {
			c.Modifiers = named(schema.Spell(a.Enum()))
		}
	}
	if len(c.Datums) == 0 {
		return out
	}
	return append(out, c)
}

// uses reads the base of a compartment: a datum, or elements that act as one.
func (r *reader) uses(a *part21.Args, depth int) []gdt.DatumElement {
	var out []gdt.DatumElement
	for _, ref := range refs(a) {
		switch {
		case r.isAny(ref, datumEntities):
			out = append(out, gdt.DatumElement{Datum: r.datum(ref)})
		case r.File.Keyword(ref) == schema.DatumReferenceElement && depth < maxNesting:
			b := r.behindAspect(ref, schema.DatumReferenceElement)
			inner := r.uses(&b, depth+1)
			modifiers := r.datumModifiers(b.List())
			for i := range inner {
				inner[i].Modifiers = append(inner[i].Modifiers, modifiers...)
			}
			out = append(out, inner...)
		}
	}
	return out
}

// datumModifiers reads a list of modifiers, simple ones and ones with a value.
func (r *reader) datumModifiers(list part21.Args) []gdt.DatumModifier {
	var out []gdt.DatumModifier
	for list.More() {
		switch {
		case list.IsTyped():
			_, inner := list.Typed()
			out = append(out, named(schema.Spell(inner.Enum()))...)
		case list.IsRef():
			ref := list.OptRef()
			if ref == part21.Missing || r.File.Keyword(ref) != schema.DatumReferenceModifierWithValue {
				continue
			}
			a := r.File.Args(ref)
			m := named(schema.Spell(a.Enum()))
			if length, ok := r.length(a.OptRef()); ok && len(m) > 0 {
				m[0].Value = length
			}
			out = append(out, m...)
		default:
			out = append(out, named(schema.Spell(list.Enum()))...)
		}
	}
	return out
}

func named(modifier string) []gdt.DatumModifier {
	if modifier == "" {
		return nil
	}
	return []gdt.DatumModifier{{Name: modifier}}
}
