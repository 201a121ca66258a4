package pmi

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxNesting bounds groups of aspects within groups.
const maxNesting = 16

// readAspects reads the graph of shape aspects.
func (r *reader) readAspects() {
	r.items, r.parts = map[part21.Ref][]part21.Ref{}, map[part21.Ref][]part21.Ref{}
	r.within = map[part21.Ref]part21.Ref{}
	r.datumFeatures, r.datumTargets = map[part21.Ref][]part21.Ref{}, map[part21.Ref][]part21.Ref{}
	for _, k := range []part21.Keyword{schema.GeometricItemSpecificUsage,
		schema.ItemIdentifiedRepresentationUsage} {
		for _, ref := range r.File.Of(k) {
			a := r.File.Args(ref)
			a.Skip(2)
			aspect := a.OptRef()
			rep, items := a.OptRef(), refs(&a)
			if aspect != part21.Missing {
				r.items[aspect] = append(r.items[aspect], items...)
			}
			for _, item := range items {
				if rep != part21.Missing {
					r.within[item] = rep
				}
			}
		}
	}
	for _, k := range []part21.Keyword{schema.ShapeAspectRelationship, schema.ShapeAspectAssociativity,
		schema.ShapeAspectDerivingRelationship, schema.FeatureForDatumTargetRelationship} {
		for _, ref := range r.File.Of(k) {
			if r.File.IsComplex(ref) {
				continue // a dimension, which is a relationship too
			}
			a := r.File.Args(ref)
			a.Skip(2)
			if relating, related := a.OptRef(), a.OptRef(); relating != part21.Missing &&
				related != part21.Missing && relating != related {
				r.relate(relating, related, k)
			}
		}
	}
}

// relate records one relationship of aspects, depending on the kinds of both.
func (r *reader) relate(relating, related part21.Ref, k part21.Keyword) {
	if k == schema.FeatureForDatumTargetRelationship {
		relating, related = related, relating // from the target to the feature that has the faces
	}
	switch {
	case r.isAny(related, datumEntities) && r.isAny(relating, targetEntities):
		r.datumTargets[related] = append(r.datumTargets[related], relating)
	case r.isAny(related, datumEntities):
		r.datumFeatures[related] = append(r.datumFeatures[related], relating)
	case r.isAny(relating, datumEntities) && r.isAny(related, targetEntities):
		r.datumTargets[relating] = append(r.datumTargets[relating], related)
	case r.isAny(relating, datumEntities):
		r.datumFeatures[relating] = append(r.datumFeatures[relating], related)
	default:
		r.parts[relating] = append(r.parts[relating], related)
	}
}

// isAny reports whether an instance has one of the given entity types.
func (r *reader) isAny(ref part21.Ref, kinds []part21.Keyword) bool {
	return r.Kind(ref, kinds) != part21.NoKeyword && slices.Contains(kinds, r.Kind(ref, kinds))
}

// refs reads an element that is a reference, a list of them, or a typed list.
func refs(a *part21.Args) []part21.Ref {
	var list part21.Args
	switch {
	case a.IsTyped():
		_, inner := a.Typed()
		list = inner.List()
	case a.IsList():
		list = a.List()
	default:
		if ref := a.OptRef(); ref != part21.Missing {
			return []part21.Ref{ref}
		}
		return nil
	}
	var out []part21.Ref
	for list.More() {
		if ref := list.OptRef(); ref != part21.Missing {
			out = append(out, ref)
		}
	}
	return out
}

// itemsOf collects the items of an aspect and of its component aspects, without repetition. For a dimension it takes
// the measured aspect.
func (r *reader) itemsOf(aspect part21.Ref) []part21.Ref {
	if out, ok := r.collected[aspect]; ok || r.spent > maxStated {
		return out
	}
	var out []part21.Ref
	seen := map[part21.Ref]bool{}
	var walk func(part21.Ref, int)
	walk = func(at part21.Ref, depth int) {
		if seen[at] || depth > maxNesting {
			return
		}
		seen[at] = true
		for _, item := range r.items[at] {
			if !seen[item] {
				seen[item] = true
				out = append(out, item)
			}
		}
		for _, part := range r.parts[at] {
			walk(part, depth+1)
		}
		if r.isAny(at, sizes) || r.isAny(at, locations) {
			for _, aspect := range r.aspectsOf(at) {
				walk(aspect, depth+1)
			}
		}
	}
	walk(aspect, 0)
	r.collected[aspect] = out
	r.spent += len(out)
	return out
}

// locateFaces finds the model faces of the items. A solid or shell gives all of its faces, an edge the result of
// roundFace, a cosmetic thread its wall.
func (r *reader) locateFaces() {
	r.faces = map[part21.Ref][]brep.FaceID{}
	wanted := map[int64]part21.Ref{}
	for _, items := range r.items {
		for _, item := range items {
			wanted[r.File.ID(item)] = item
		}
	}
	m := r.model
	for i := range m.Faces {
		f := &m.Faces[i]
		r.locate(wanted, f.Source, brep.FaceID(i))
		shell := &m.Shells[f.Shell]
		r.locate(wanted, shell.Source, brep.FaceID(i))
		if shell.Solid != brep.None {
			r.locate(wanted, m.Solids[shell.Solid].Source, brep.FaceID(i))
		}
	}
	for i := range m.Edges {
		if item, ok := wanted[m.Edges[i].Source]; ok && m.Edges[i].Source != 0 {
			if f := r.roundFace(brep.EdgeID(i)); f != brep.None {
				r.faces[item] = append(r.faces[item], f)
			}
		}
	}
	r.locateCosmetics()
	for _, faces := range r.faces {
		slices.Sort(faces)
	}
}

// roundFace returns the face that a statement about an edge refers to. For the edge of a hole or boss it is the wall,
// the only face of revolution at the edge. Other edges give None.
func (r *reader) roundFace(e brep.EdgeID) brep.FaceID {
	found := brep.FaceID(brep.None)
	for _, c := range r.model.Edges[e].Coedges {
		f := r.model.FaceOf(c)
		switch surface.ShapeKind(r.model.Faces[f].Surface) {
		case surface.KindCylinder.String(), surface.KindCone.String():
			if found != brep.None && found != f {
				return brep.None
			}
			found = f
		}
	}
	return found
}

func (r *reader) locate(wanted map[int64]part21.Ref, source int64, f brep.FaceID) {
	if item, ok := wanted[source]; ok && source != 0 {
		r.faces[item] = append(r.faces[item], f)
	}
}

// facesOf returns the faces of aspects in the copy being emitted, in the order of the model.
func (r *reader) facesOf(aspects ...part21.Ref) []gdt.Face {
	var out []gdt.Face
	for _, aspect := range aspects {
		if aspect == part21.Missing || r.spent > maxStated {
			continue
		}
		for _, item := range r.itemsOf(aspect) {
			for _, f := range r.inCopy(r.faces[item]) {
				out = append(out, gdt.Face(f))
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	r.spent += len(out)
	return out
}

// inCopy returns the faces of one item that belong to the current copy. If an item is not placed as often as the
// product, all its faces are returned.
func (r *reader) inCopy(faces []brep.FaceID) []brep.FaceID {
	if r.copies <= 1 {
		return faces
	}
	if places := r.byPlacement(faces); len(places) == r.copies {
		return places[r.copyIndex]
	}
	return faces
}

// byPlacement cuts faces, which ascend, where the placement changes.
func (r *reader) byPlacement(faces []brep.FaceID) [][]brep.FaceID {
	var out [][]brep.FaceID
	last := -1
	for i, f := range faces {
		if at := r.placementOf(f); at != last {
			last = at
			out = append(out, faces[i:i])
		}
		n := len(out) - 1
		out[n] = out[n][:len(out[n])+1]
	}
	return out
}

// placementOf returns the placement that a face came with.
func (r *reader) placementOf(f brep.FaceID) int {
	at, found := slices.BinarySearchFunc(r.placements, f,
		func(p Placement, f brep.FaceID) int { return cmp.Compare(p.First, f) })
	if !found {
		at--
	}
	return max(at, 0)
}

// copiesOf returns the number of placed copies of the faces of a statement.
func (r *reader) copiesOf(statement part21.Ref) int {
	n := 0
	for _, aspect := range r.aspectsOf(statement) {
		for _, item := range r.itemsOf(aspect) {
			n = max(n, len(r.byPlacement(r.faces[item])))
		}
	}
	return n
}

// aspectsOf returns the aspects that a statement is about.
func (r *reader) aspectsOf(statement part21.Ref) []part21.Ref {
	switch {
	case r.isAny(statement, sizes):
		aspect, _ := r.size(statement)
		return []part21.Ref{aspect}
	case r.isAny(statement, locations):
		from, to, _ := r.location(statement)
		return []part21.Ref{from, to}
	case r.isAny(statement, datumEntities):
		return slices.Concat([]part21.Ref{statement}, r.datumFeatures[statement], r.datumTargets[statement])
	case r.isAny(statement, toleranceEntities):
		a := r.toleranceArgs(statement)
		a.Skip(3)
		return []part21.Ref{a.OptRef()}
	case r.File.Keyword(statement) == schema.PropertyDefinition:
		a := r.File.Args(statement)
		a.Skip(2)
		return []part21.Ref{a.OptRef(), statement}
	}
	return []part21.Ref{statement}
}

// shapeOf returns the product's shape that a statement or an aspect belongs to, Missing when unknown.
func (r *reader) shapeOf(ref part21.Ref, depth int) part21.Ref {
	if ref == part21.Missing || depth > maxNesting {
		return part21.Missing
	}
	if r.File.Keyword(ref) == schema.ProductDefinitionShape {
		return ref
	}
	aspects := r.aspectsOf(ref)
	if len(aspects) > 0 && aspects[0] != ref {
		return r.shapeOf(aspects[0], depth+1)
	}
	a := r.File.Args(ref)
	if r.File.IsComplex(ref) {
		a, _ = r.File.Partial(ref, schema.ShapeAspect)
	}
	a.Skip(2)
	if shape := a.OptRef(); shape != part21.Missing && r.File.Keyword(shape) == schema.ProductDefinitionShape {
		return shape
	}
	return part21.Missing
}
