package step

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
)

// position records the component of a relationship with transformation. Without a transformation the component stays in
// place; a relationship without a component is not recorded. Writers differ in whether rep_1 or rep_2 is the component.
// It is the one that belongs to the child product, or not to the parent, or rep_1 if neither is known.
func (s *structure) position(u use) error {
	moved, isMoved := s.File.Partial(u.relation, schema.TransformedRelationship)
	if !isMoved && u.child == part21.Missing {
		return nil
	}
	rep1, rep2 := s.related(u.relation)
	if rep1 == part21.Missing || rep2 == part21.Missing {
		why := s.Fail(u.entity, "does not say what is placed where%s", s.CutOff())
		if rep1, rep2 = s.relatedByProduct(u, rep1, rep2); rep1 == part21.Missing || rep2 == part21.Missing {
			return why
		}
		salvage.Tell(s.Add, salvage.MadePlace, "A component was taken from its product", why)
	}
	part, whole := rep1, rep2
	if s.belongs(rep2, u.child) && !s.belongs(rep1, u.child) ||
		s.belongs(rep1, u.parent) && !s.belongs(rep2, u.parent) {
		part, whole = rep2, rep1
	}
	at := geom.Identity
	if isMoved || !s.isRelationship(u.relation) {
		var err error
		if at, err = s.placement(u, moved.OptRef(), part, whole, rep1); err != nil {
			return err
		}
	}
	s.components[whole] = append(s.components[whole], component{part, at, u})
	s.wholes = append(s.wholes, whole)
	s.placed[part] = true
	return nil
}

// isRelationship reports whether r joins two representations.
func (s *structure) isRelationship(r part21.Ref) bool {
	return slices.ContainsFunc(relationships, func(k part21.Keyword) bool {
		_, ok := s.File.Partial(r, k)
		return ok
	})
}

// relatedByProduct returns the representations for an unreadable relationship: those of the products that it joins, if
// each has exactly one.
func (s *structure) relatedByProduct(u use, rep1, rep2 part21.Ref) (_, _ part21.Ref) {
	of := func(definition part21.Ref) part21.Ref {
		for _, p := range s.products {
			if definition != part21.Missing && p.definition == definition && len(p.reps) == 1 {
				return p.reps[0]
			}
		}
		return part21.Missing
	}
	part, whole := of(u.child), of(u.parent)
	switch {
	case rep1 == part21.Missing && rep2 == part21.Missing:
		return part, whole
	case rep1 == part21.Missing && s.belongs(rep2, u.child):
		return whole, rep2
	case rep1 == part21.Missing:
		return part, rep2
	case s.belongs(rep1, u.child):
		return rep1, whole
	}
	return rep1, part
}

// belongs reports whether rep is a shape of the product definition.
func (s *structure) belongs(rep, definition part21.Ref) bool {
	for _, r := range s.group(rep) {
		if i, ok := s.productOf[r]; ok && s.products[i].definition == definition && definition != part21.Missing {
			return true
		}
	}
	return false
}

// placement returns the transform from the component's coordinates to the assembly's, both in mm. Each
// of the two placements of an ITEM_DEFINED_TRANSFORMATION is in the units of its representation: the
// first belongs to rep1 and the second to rep2, unless the items of the representations say otherwise.
func (s *structure) placement(u use, operator, part, whole, rep1 part21.Ref) (geom.Transform, error) {
	if s.isOperator(operator) {
		in := geometry.Scope{Document: s.Document, Units: s.unitsOf(whole)}
		return in.Operator(operator)
	}
	var why error
	if s.File.Keyword(operator) != schema.ItemDefinedTransformation {
		why = s.Fail(u.entity, "does not say where a component is placed%s", s.CutOff())
		if operator != part21.Missing {
			why = s.WrongType(operator, "a placement of a component")
		}
		operator = s.unusedOperator(part, whole)
	}
	a := s.File.Args(operator)
	a.Skip(2)
	from, to := a.Ref(), a.Ref()
	if operator != part21.Missing {
		why = cmp.Or(why, s.Check(operator, &a))
	}
	if part != rep1 {
		from, to = to, from
	}
	isIn := func(rep, item part21.Ref) bool {
		return item == part21.Missing || rep.IsLost() || s.contains(rep, item)
	}
	if isIn(part, to) && isIn(whole, from) && !(isIn(part, from) && isIn(whole, to)) {
		from, to = to, from
	}
	if why != nil {
		if from, to = cmp.Or(from, s.unusedOrigin(part)), cmp.Or(to, s.unusedOrigin(whole)); from == part21.Missing ||
			to == part21.Missing {
			return geom.Identity, why
		}
		salvage.Tell(s.Add, salvage.MadePlace, "A component was put where no other one is", why)
	}
	inPart := geometry.Scope{Document: s.Document, Units: s.unitsOf(part)}
	inWhole := geometry.Scope{Document: s.Document, Units: s.unitsOf(whole)}
	origin, err := inPart.Frame(from)
	if err != nil {
		return geom.Identity, err
	}
	target, err := inWhole.Frame(to)
	if err != nil {
		return geom.Identity, err
	}
	return geom.FromFrame(target).Mul(geom.FromFrame(origin).Inverse()), nil
}

// operators are the transformations that place components: those used by relationships, and unused ones.
type operators struct {
	origins map[part21.Ref]bool // placements that the used operators refer to
	spare   []part21.Ref
}

// findOperators searches the file once, on first use.
func (s *structure) findOperators() *operators {
	if s.operators != nil {
		return s.operators
	}
	s.operators = &operators{origins: map[part21.Ref]bool{}}
	isUsed := map[part21.Ref]bool{}
	for _, r := range all(s.File, relationships) {
		if moved, ok := s.File.Partial(r, schema.TransformedRelationship); ok {
			isUsed[moved.OptRef()] = true
		}
	}
	for r := range s.File.All() {
		if s.File.Keyword(r) != schema.ItemDefinedTransformation {
			continue
		}
		if !isUsed[r] {
			s.operators.spare = append(s.operators.spare, r)
			continue
		}
		a := s.File.Args(r)
		a.Skip(2)
		s.operators.origins[a.OptRef()], s.operators.origins[a.OptRef()] = true, true
	}
	return s.operators
}

// unusedOperator returns the only transformation from one representation to another that no relationship uses.
func (s *structure) unusedOperator(part, whole part21.Ref) part21.Ref {
	found := part21.Missing
	for _, r := range s.findOperators().spare {
		a := s.File.Args(r)
		a.Skip(2)
		from, to := a.OptRef(), a.OptRef()
		if !(s.contains(part, from) && s.contains(whole, to) || s.contains(part, to) && s.contains(whole, from)) {
			continue
		}
		if found != part21.Missing {
			return part21.Missing
		}
		found = r
	}
	return found
}

// unusedOrigin returns the only placement among the items of a representation that places no component, or the only
// placement at all.
func (s *structure) unusedOrigin(rep part21.Ref) part21.Ref {
	var all []part21.Ref
	items, _ := s.items(rep)
	for items.More() {
		if r := items.OptRef(); s.File.Keyword(r) == schema.Axis2Placement3d {
			all = append(all, r)
		}
	}
	if _, absent := items.Problem(); absent != 0 { // which may have been it
		return part21.Missing
	}
	if len(all) != 1 {
		origins := s.findOperators().origins
		all = slices.DeleteFunc(all, func(r part21.Ref) bool { return origins[r] })
	}
	if len(all) != 1 {
		return part21.Missing
	}
	return all[0]
}

// contains reports whether item is among the items of rep.
func (s *structure) contains(rep, item part21.Ref) bool {
	items, _ := s.items(rep)
	for items.More() {
		if items.OptRef() == item {
			return true
		}
	}
	return false
}
