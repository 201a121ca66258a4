package step

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// maxAssembly bounds assemblies within assemblies.
const maxAssembly = 64

// levelsPerInstance is the maximum number of placed representations for each allowed solid or sheet. Without it,
// assemblies without shapes could grow without bound.
const levelsPerInstance = 4

// instance is one solid or sheet model placed in the part.
type instance struct {
	item      part21.Ref
	units     geometry.Units
	at        geom.Transform // from the item's coordinates (mm) to the part's
	form      form
	inherited inheritedStyle
}

// inheritedStyle is the style that a copy or component gives to its solids and faces without a style.
type inheritedStyle struct {
	color *brep.Color                // of a MAPPED_ITEM or representation
	here  map[part21.Ref]*brep.Color // of items that are colored otherwise elsewhere
	name  string                     // of the component's product
}

// isTessellated reports whether the shape is given by triangles.
func (in instance) isTessellated() bool { return in.form == bodies || in.form == loose }

// structure is the graph of representations, and their assignment to products.
//
// Three links join representations: a plain SHAPE_REPRESENTATION_RELATIONSHIP (the same shape, both directions), a
// relationship with transformation (a component in an assembly), and a MAPPED_ITEM (a copy).
type structure struct {
	*document
	same       map[part21.Ref][]part21.Ref
	components map[part21.Ref][]component
	wholes     []part21.Ref // that have components, maybe repeatedly
	empty      []level
	uses       []use
	isUse      map[part21.Ref]bool // by relationship
	products   []product
	productOf  map[part21.Ref]int  // by representation
	placed     map[part21.Ref]bool // representations and product definitions that are part of another
	instances  []instance
	open       map[part21.Ref]bool       // representations being expanded, against cycles
	path       []part21.Ref              // these, and the occurrences, relationships and copies that led to them
	occurrence map[part21.Ref]part21.Ref // the occurrence that a representation is the shape of
	styles     map[part21.Ref][]style    // styles that apply only at places, by the innermost place
	styled     int                       // number of their contexts examined so far

	lastPath    []part21.Ref // for which lastColors were found
	lastColors  map[part21.Ref]*brep.Color
	isColorless bool // styled has reached its limit

	expanded  int                 // placed representations, including empty ones
	worst     form                // items of a worse form are left out
	operators *operators          // nil before the first search
	lost      error               // the first shape or component that damage has cost
	lacksItem bool                // an item of exact shape has an unknown type
	inherited inheritedStyle      // the style at the current place of the expansion
	measured  map[part21.Ref]bool // contexts of shapes and assemblies
	first     part21.Ref          // of these
}

// use is an occurrence of a component, stated by entity. The other fields are the NEXT_ASSEMBLY_USAGE_OCCURRENCE, the
// relationship that places it, and the product definitions of the component and of the assembly.
type use struct{ entity, occurrence, relation, child, parent part21.Ref }

// level is a placed representation.
type level struct {
	rep       part21.Ref
	at        geom.Transform
	inherited inheritedStyle
}

// component is a representation placed in another one.
type component struct {
	rep part21.Ref
	at  geom.Transform
	use use
}

// product is a product definition with its shape representations.
type product struct {
	definition part21.Ref
	reps       []part21.Ref
}

// instancesOf resolves the product structure: every solid and sheet model as often as the part has it,
// and the name of the first product at the top.
func (d *document) instancesOf() ([]instance, string, error) {
	s := &structure{
		document: d, same: map[part21.Ref][]part21.Ref{}, components: map[part21.Ref][]component{},
		productOf: map[part21.Ref]int{}, placed: map[part21.Ref]bool{}, open: map[part21.Ref]bool{},
		isUse: map[part21.Ref]bool{}, measured: map[part21.Ref]bool{}, occurrence: map[part21.Ref]part21.Ref{},
	}
	s.readProducts()
	s.readUsages()
	s.readLinks()
	if err := s.readComponents(); err != nil {
		return nil, "", err
	}
	s.markCopies()
	s.readColors()
	name := ""
	tops := []func(product) bool{s.isTop, func(product) bool { return true }}
	for s.worst = bodies; s.worst < formCount; s.worst++ {
		for _, isTop := range tops {
			for _, p := range s.products {
				if isTop(p) {
					if name == "" {
						name = s.productName(p.definition)
					}
					if err := s.expandProduct(p); err != nil {
						return nil, "", err
					}
				}
			}
			s.addStrays()
			if len(s.instances) > 0 || s.lost != nil { // shapes in other places do not replace lost ones
				return s.instances, name, s.lostAll()
			}
		}
		if s.unowned(s.worst); len(s.instances) > 0 {
			return s.instances, name, nil
		}
	}
	return nil, name, nil
}

// readProducts finds the shape representations of every product definition.
func (s *structure) readProducts() {
	byDefinition := map[part21.Ref]int{}
	for _, r := range s.File.Of(schema.ShapeDefinitionRepresentation) {
		a := s.File.Args(r)
		shape, rep := a.Link(), a.Link()
		definition := s.definitionOf(shape)
		if rep == part21.Missing || definition == part21.Missing || s.isAuxiliary(rep) {
			continue
		}
		switch s.File.Keyword(definition) {
		case schema.ProductDefinition, schema.ProductDefinitionWithAssociatedDocuments:
		case schema.NextAssemblyUsageOccurrence, schema.SpecifiedHigherUsageOccurrence:
			s.occurrence[rep] = definition
			continue
		default:
			if !definition.IsLost() {
				continue
			}
		}
		i, ok := byDefinition[definition]
		if !ok {
			i = len(s.products)
			byDefinition[definition] = i
			s.products = append(s.products, product{definition: definition})
		}
		s.products[i].reps = append(s.products[i].reps, rep)
		if _, ok := s.productOf[rep]; !ok {
			s.productOf[rep] = i
		}
	}
}

// definitionOf returns the product definition of a PRODUCT_DEFINITION_SHAPE.
func (s *structure) definitionOf(shape part21.Ref) part21.Ref {
	if shape == part21.Missing || s.File.Keyword(shape) != schema.ProductDefinitionShape {
		return part21.Missing
	}
	a := s.File.Args(shape)
	a.Skip(2)
	return a.Link()
}

// isAuxiliary reports whether a representation contains only construction geometry.
func (s *structure) isAuxiliary(rep part21.Ref) bool {
	return s.File.Keyword(rep) == schema.ConstructiveGeometryRepresentation
}

// relationships are the entities that join two representations. The second alone is seldom used for
// shapes.
var relationships = []part21.Keyword{schema.ShapeRepresentationRelationship,
	schema.RepresentationRelationship}

// all returns the instances of several entities in file order, each once.
func all(f *part21.File, kinds []part21.Keyword) []part21.Ref {
	var out []part21.Ref
	for _, k := range kinds {
		out = append(out, f.Of(k)...)
	}
	slices.SortFunc(out, part21.Ref.Compare)
	return slices.Compact(out)
}

// readLinks finds the representations that are the same shape.
func (s *structure) readLinks() {
	for _, r := range all(s.File, relationships) {
		if _, moved := s.File.Partial(r, schema.TransformedRelationship); moved || s.isUse[r] {
			continue
		}
		rep1, rep2 := s.related(r)
		if rep1 == part21.Missing || rep2 == part21.Missing || s.isAuxiliary(rep1) || s.isAuxiliary(rep2) {
			continue
		}
		s.same[rep1] = append(s.same[rep1], rep2)
		s.same[rep2] = append(s.same[rep2], rep1)
	}
}

// related returns rep_1 and rep_2 of a representation relationship.
func (s *structure) related(r part21.Ref) (rep1, rep2 part21.Ref) {
	a := s.File.Args(r)
	if s.File.IsComplex(r) {
		a, _ = s.File.Partial(r, schema.RepresentationRelationship)
	}
	a.Skip(2)
	return a.Link(), a.Link()
}

// group returns rep and the representations of the same shape, without representations of other products.
func (s *structure) group(rep part21.Ref) []part21.Ref {
	owner, owned := s.productOf[rep]
	out := []part21.Ref{rep}
	seen := map[part21.Ref]bool{rep: true}
	for i := 0; i < len(out); i++ {
		for _, next := range s.same[out[i]] {
			o, isOwned := s.productOf[next]
			if !seen[next] && (!isOwned || !owned || o == owner) {
				seen[next] = true
				out = append(out, next)
			}
		}
	}
	return out
}

// readUsages finds the relationships that place components, and the definition of each component.
func (s *structure) readUsages() {
	for _, r := range s.File.Of(schema.ContextDependentShapeRepresentation) {
		a := s.File.Args(r)
		u := use{entity: r, relation: a.OptRef()}
		if usage := s.definitionOf(a.OptRef()); usage != part21.Missing &&
			s.File.Keyword(usage) == schema.NextAssemblyUsageOccurrence {
			u.occurrence = usage
			b := s.File.Args(usage)
			b.Skip(3)
			u.parent, u.child = b.Link(), b.Link()
		}
		if u.relation != part21.Missing || u.child != part21.Missing {
			s.uses = append(s.uses, u)
			s.isUse[u.relation] = true
		}
	}
}

// readComponents finds the placements of components in assemblies.
func (s *structure) readComponents() error {
	for _, u := range s.uses {
		if err := s.position(u); err != nil && !s.skip(err) {
			return err
		}
		if u.child != part21.Missing {
			s.placed[u.child] = true
		}
	}
	for _, r := range all(s.File, relationships) {
		if !s.isUse[r] {
			if err := s.position(use{entity: r, relation: r}); err != nil && !s.skip(err) {
				return err
			}
		}
	}
	for _, whole := range s.wholes {
		s.own(whole)
	}
	return nil
}

// own makes a product of an assembly without a product and without a parent assembly.
func (s *structure) own(rep part21.Ref) {
	for _, r := range s.group(rep) {
		if _, isOwned := s.productOf[r]; isOwned || s.placed[r] {
			return
		}
	}
	s.Warn(salvage.MadePlace, 1, "%s is of no product that can be read, and was taken as one", s.Entity(rep))
	s.productOf[rep] = len(s.products)
	s.products = append(s.products, product{reps: []part21.Ref{rep}})
}

// items returns the items of a representation and its context.
func (s *structure) items(rep part21.Ref) (items part21.Args, context part21.Ref) {
	return itemsOf(s.File, rep)
}

func itemsOf(file *part21.File, rep part21.Ref) (items part21.Args, context part21.Ref) {
	a := file.Args(rep)
	if file.IsComplex(rep) {
		a, _ = file.Partial(rep, schema.Representation)
	}
	a.Skip(1)
	return a.List(), a.OptRef()
}

// unitsOf returns the units of a representation.
func (s *structure) unitsOf(rep part21.Ref) geometry.Units {
	_, context := s.items(rep)
	return s.measure(context, rep)
}

// measure returns the units of a context of shapes or assemblies, which contains of. It warns of different units of
// length, because a writer may confuse them.
func (s *structure) measure(context, of part21.Ref) geometry.Units {
	const same = 1e-6 // share: inches are written with seven digits
	units := s.UnitsOf(context, of)
	if context == part21.Missing || s.measured[context] {
		return units
	}
	if len(s.measured) == 0 {
		s.first = context
	}
	s.measured[context] = true
	if f := s.UnitsOf(s.first, of).Length; math.Abs(f-units.Length) > same*f {
		s.Warn("mixed_units", 1, "Lengths are in units of %g mm for %s, and of %g mm for %s",
			f, s.Entity(s.first), units.Length, s.Entity(context))
	}
	return units
}

// markCopies notes the representations that products map into themselves.
func (s *structure) markCopies() {
	for _, p := range s.products {
		for _, rep := range p.reps {
			for _, r := range s.group(rep) {
				for items, _ := s.items(r); items.More(); {
					if item := items.OptRef(); s.Kind(item, []part21.Keyword{schema.MappedItem}) == schema.MappedItem {
						if source, _, ok := s.mapped(item); ok {
							s.placed[source] = true
						}
					}
				}
			}
		}
	}
}

// isTop reports whether a product is not part of another one.
func (s *structure) isTop(p product) bool {
	if s.placed[p.definition] {
		return false
	}
	for _, rep := range p.reps {
		for _, r := range s.group(rep) {
			if s.placed[r] {
				return false
			}
		}
	}
	return true
}

// unownedKinds are the items read from a file without a usable product structure.
var unownedKinds = []part21.Keyword{schema.ManifoldSolidBrep, schema.BrepWithVoids, schema.FacetedBrep,
	schema.ShellBasedSurfaceModel, schema.FaceBasedSurfaceModel,
	schema.TessellatedSolid, schema.TessellatedShell, schema.GeometricSet}

// unowned lists the solids and sheet models of a file without a usable product structure, in their best form up to
// worst.
func (s *structure) unowned(worst form) {
	context := part21.Missing
	for f := exact; f <= worst && len(s.instances) == 0; f++ {
		for _, k := range unownedKinds {
			for _, item := range s.File.Of(k) {
				if formOf(k) != f || s.isRepeated(item, k) || k == schema.GeometricSet && !s.hasPatch(item) {
					continue
				}
				if context == part21.Missing {
					context = s.anyContext()
				}
				s.instances = append(s.instances, instance{
					item: item, units: s.UnitsOf(context, item), at: geom.Identity, form: f})
			}
		}
	}
	if n := len(s.instances); n > 0 {
		s.Warn("no_product_structure", n, "No product leads to %s; all shapes of the file were taken",
			s.Entity(s.instances[0].item))
	}
}

// isRepeated reports whether a complex instance is listed under an earlier keyword too.
func (s *structure) isRepeated(item part21.Ref, k part21.Keyword) bool {
	_, isSolid := s.File.Partial(item, schema.ManifoldSolidBrep)
	return isSolid && k != schema.ManifoldSolidBrep
}

// anyContext returns the first context that gives units.
func (s *structure) anyContext() part21.Ref {
	for _, r := range s.File.Of(schema.GlobalUnitAssignedContext) {
		return r
	}
	return part21.Missing
}

// productName follows a product definition to the name of its product.
func (s *structure) productName(definition part21.Ref) string {
	a := s.File.Args(definition)
	a.Skip(2)
	formation := a.OptRef()
	if formation == part21.Missing {
		return ""
	}
	b := s.File.Args(formation)
	b.Skip(2)
	r := b.OptRef()
	if r == part21.Missing || s.File.Keyword(r) != schema.Product {
		return ""
	}
	c := s.File.Args(r)
	id, name := c.Text(), c.Text()
	if name == "" {
		return id
	}
	return name
}

func tooMany(what string, limit int) error {
	return fault.Errorf(fault.TooComplex, "The file has more than %d %s.", limit, what)
}
