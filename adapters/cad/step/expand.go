package step

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
)

// itemKinds are the names that decide the kind of a complex item of a representation.
var itemKinds = []part21.Keyword{
	schema.BrepWithVoids, schema.FacetedBrep, schema.ManifoldSolidBrep,
	schema.ShellBasedSurfaceModel, schema.FaceBasedSurfaceModel,
	schema.MappedItem, schema.SolidReplica, schema.GeometricSet,
	schema.TessellatedSolid, schema.TessellatedShell, schema.TessellatedGeometricSet,
	schema.ComplexTriangulatedFace, schema.TriangulatedFace, schema.CubicBezierTriangulatedFace,
	schema.ComplexTriangulatedSurfaceSet, schema.TriangulatedSurfaceSet,
}

// form is the representation of an item's shape, from the best to the worst. A worse one is left out if a better one
// exists: it only displays or annotates the same shape.
type form uint8

const (
	exact   form = iota // by surfaces and curves
	bodies              // by triangles, in solids and shells
	patches             // by bounded surfaces without edges
	loose               // by triangles alone
	formCount
)

// formOf returns how an item of a kind gives its shape.
func formOf(k part21.Keyword) form {
	switch k {
	case schema.TessellatedSolid, schema.TessellatedShell:
		return bodies
	case schema.GeometricSet:
		return patches
	case schema.TessellatedGeometricSet, schema.ComplexTriangulatedFace, schema.TriangulatedFace,
		schema.CubicBezierTriangulatedFace, schema.ComplexTriangulatedSurfaceSet, schema.TriangulatedSurfaceSet:
		return loose
	}
	return exact
}

// expandProduct emits the instances of a product at the top.
func (s *structure) expandProduct(p product) error {
	seen := map[part21.Ref]bool{}
	for _, rep := range p.reps {
		if err := s.expand(rep, geom.Identity, 0, seen); err != nil {
			return err
		}
	}
	return nil
}

// expand emits everything in rep and its group, moved by at. seen are the items already emitted at this
// place: representations of one shape may list the same item.
func (s *structure) expand(rep part21.Ref, at geom.Transform, depth int, seen map[part21.Ref]bool) error {
	if depth > maxAssembly {
		return s.Fail(rep, "is part of assemblies nested too deep")
	}
	if s.expanded++; s.expanded/levelsPerInstance > s.opts.MaxInstances {
		return tooMany("placed components", levelsPerInstance*s.opts.MaxInstances)
	}
	group := s.group(rep)
	for _, r := range group {
		if s.open[r] {
			s.Warn("assembly_cycle", 1, "%s contains itself; the inner copy was left out", s.Entity(r))
			return nil
		}
	}
	for _, r := range group {
		s.open[r] = true
	}
	defer s.enter(group...)()
	defer func() {
		for _, r := range group {
			delete(s.open, r)
		}
	}()
	if depth > 0 {
		s.nameAfter(group)
	}
	s.colorCopies(group...)
	before := len(s.instances)
	for f := exact; f <= s.worst && len(s.instances) == before; f++ {
		if err := s.emitGroup(group, f, at, depth, seen); err != nil {
			return err
		}
	}
	isEmpty := len(s.instances) == before
	for _, r := range group {
		isEmpty = isEmpty && len(s.components[r]) == 0
		for _, c := range s.components[r] {
			leave := s.enter(c.use.entity, c.use.occurrence, c.use.relation)
			err := s.expand(c.rep, at.Mul(c.at), depth+1, map[part21.Ref]bool{})
			if leave(); err != nil && !s.skip(err) {
				return err
			}
		}
	}
	if isEmpty {
		s.empty = append(s.empty, level{rep, at, s.inherited})
	}
	return nil
}

// emitGroup emits the items of one form in representations of the same shape.
func (s *structure) emitGroup(
	group []part21.Ref, f form, at geom.Transform, depth int, seen map[part21.Ref]bool,
) error {
	for _, r := range group {
		items, context := s.items(r)
		for items.More() {
			item := items.OptRef()
			if item == part21.Missing || seen[item] || formOf(s.Kind(item, itemKinds)) != f {
				continue
			}
			seen[item] = true
			emit := s.emit
			if f == loose { // all triangles of a representation are one shape
				item, items, emit = r, part21.Args{}, s.emitShape
			}
			if err := emit(item, context, at, depth); err != nil && !s.skip(err) {
				return err
			}
		}
		if err := s.checkItems(r, items); err != nil && !s.skip(err) {
			return err
		}
	}
	return nil
}

// checkItems fails for a representation of exact shape that refers to an absent instance, because this is a lost solid.
// Other representations may contain anything.
func (s *structure) checkItems(rep part21.Ref, items part21.Args) error {
	switch s.File.Keyword(rep) {
	case schema.AdvancedBrepShapeRepresentation, schema.ElementaryBrepShapeRepresentation,
		schema.FacetedBrepShapeRepresentation,
		schema.ManifoldSurfaceShapeRepresentation:
		if _, absent := items.Problem(); absent != 0 {
			return s.Check(rep, &items)
		}
		for all, _ := s.items(rep); all.More(); {
			r := all.OptRef()
			s.lacksItem = s.lacksItem || s.Kind(r, itemKinds) == part21.NoKeyword && !s.File.IsComplex(r)
		}
	}
	return nil
}

// emit adds the instances of one item of a representation. Items without exact shape are skipped.
func (s *structure) emit(item, context part21.Ref, at geom.Transform, depth int) error {
	switch k := s.Kind(item, itemKinds); k {
	case schema.ManifoldSolidBrep, schema.BrepWithVoids, schema.FacetedBrep, schema.ShellBasedSurfaceModel,
		schema.FaceBasedSurfaceModel, schema.ClosedShell, schema.OpenShell,
		schema.TessellatedSolid, schema.TessellatedShell:
		return s.emitShape(item, context, at, depth)
	case schema.GeometricSet:
		if s.hasPatch(item) {
			return s.emitShape(item, context, at, depth)
		}
	case schema.MappedItem:
		source, target, ok := s.mapped(item)
		if !ok {
			return s.Fail(item, "does not say what is copied%s", s.CutOff())
		}
		t, err := s.copyPlacement(item, source, target, context)
		if err != nil {
			return err
		}
		defer s.enter(item)()
		s.colorCopies(item)
		return s.expand(source, at.Mul(t), depth+1, map[part21.Ref]bool{})
	case schema.SolidReplica:
		a := s.Own(item, schema.SolidReplica)
		parent, operator := a.Ref(), a.Ref()
		if err := s.Check(item, &a); err != nil {
			return err
		}
		if depth > maxAssembly {
			return s.Fail(item, "is a copy of itself")
		}
		t, err := (&geometry.Scope{Document: s.Document, Units: s.UnitsOf(context, item)}).Operator(operator)
		if err != nil {
			return err
		}
		return s.emit(parent, context, at.Mul(t), depth+1)
	default:
		if slices.Contains(schema.Constructions, k) {
			s.Warn("unread_solid", 1, "%s is a solid by construction (CSG) and was left out", s.Entity(item))
		}
	}
	return nil
}

// enter adds the given places to the path of a copy or component; leave restores the outer path and style.
func (s *structure) enter(places ...part21.Ref) (leave func()) {
	outside, length := s.inherited, len(s.path)
	for _, r := range places {
		if r != part21.Missing {
			s.path = append(s.path, r)
		}
	}
	return func() { s.inherited, s.path = outside, s.path[:length] }
}

// nameAfter takes the name of the product whose shape the representations give.
func (s *structure) nameAfter(group []part21.Ref) {
	for _, r := range group {
		if i, ok := s.productOf[r]; ok {
			s.inherited.name = s.productName(s.products[i].definition)
			return
		}
	}
}

// hasPatch reports whether a GEOMETRIC_SET contains more than curves, points and unbounded surfaces.
func (s *structure) hasPatch(set part21.Ref) bool {
	a := s.Own(set, schema.GeometricSet)
	for list := a.List(); list.More(); {
		if r := list.OptRef(); r != part21.Missing && s.IsPatch(r) {
			return true
		}
	}
	return false
}

// emitShape adds the instance of an item that is a shape, or of a representation of triangles.
func (s *structure) emitShape(item, context part21.Ref, at geom.Transform, _ int) error {
	if len(s.instances) == s.opts.MaxInstances {
		return tooMany("solids and sheets", s.opts.MaxInstances)
	}
	units := s.measure(context, item)
	moved, err := s.reposition(item, units)
	if err != nil {
		return err
	}
	form := loose
	if k := s.Kind(item, itemKinds); slices.Contains(itemKinds, k) || k == schema.ClosedShell ||
		k == schema.OpenShell {
		form = formOf(k)
	}
	here := s.inherited
	here.here = s.colorsHere()
	s.instances = append(s.instances, instance{item, units, at.Mul(moved), form, here})
	return nil
}

// mapped returns the representation a MAPPED_ITEM copies, and the target placement.
func (s *structure) mapped(item part21.Ref) (source, target part21.Ref, ok bool) {
	a := s.Own(item, schema.MappedItem)
	m := a.OptRef()
	target = a.OptRef()
	if m == part21.Missing || s.File.Keyword(m) != schema.RepresentationMap {
		return part21.Missing, part21.Missing, false
	}
	b := s.File.Args(m)
	b.Skip(1)
	source = b.OptRef()
	return source, target, source != part21.Missing
}

// copyPlacement returns the transform from the coordinates of the mapped representation (mm) to the coordinates of the
// representation that contains the MAPPED_ITEM.
func (s *structure) copyPlacement(item, source, target, context part21.Ref) (geom.Transform, error) {
	here := geometry.Scope{Document: s.Document, Units: s.UnitsOf(context, item)}
	there := geometry.Scope{Document: s.Document, Units: s.unitsOf(source)}
	a := s.Own(item, schema.MappedItem)
	m := s.File.Args(a.Ref())
	from, err := there.Frame(m.OptRef())
	if err != nil {
		return geom.Identity, err
	}
	back := geom.FromFrame(from).Inverse()
	if s.isOperator(target) {
		t, err := here.Operator(target)
		return t.Mul(back), err
	}
	to, err := here.Frame(target)
	return geom.FromFrame(to).Mul(back), err
}

// isOperator reports whether a placement is given as a transformation operator.
func (s *structure) isOperator(r part21.Ref) bool {
	const k = schema.CartesianTransformationOperator3d
	return s.Kind(r, []part21.Keyword{k}) == k
}

// reposition returns where a tessellated item is moved to by its own placement.
func (s *structure) reposition(item part21.Ref, units geometry.Units) (geom.Transform, error) {
	a, ok := s.File.Partial(item, schema.RepositionedTessellatedItem)
	if !ok {
		return geom.Identity, nil
	}
	location := a.Ref()
	if err := s.Check(item, &a); err != nil {
		return geom.Identity, err
	}
	f, err := (&geometry.Scope{Document: s.Document, Units: units}).Frame(location)
	return geom.FromFrame(f), err
}
