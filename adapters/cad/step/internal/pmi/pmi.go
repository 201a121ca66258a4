// Package pmi reads the statements of a STEP file about its shape, not their drawing: dimensions with their tolerances,
// geometric tolerances, datums, holes, notes and attributes of faces (ISO 10303-242 semantic PMI; AP203 edition 2 and
// AP214 have parts of it).
//
// Method: statements are made about shape aspects. Usages tie aspects to faces; relationships tie groups of aspects to
// their members. Package gdt documents the result (gdt.PMI). The graph of aspects is read first, then each statement
// once for every placed copy of its product, with the faces of that copy. Values are converted into mm and radians by
// their own units. Follows "Recommended Practices for the Representation and Presentation of PMI" of the CAx
// Implementor Forum, 4.0.
//
// Cost: linear in the statements and in the faces of a model with statements; zero for other files. An unreadable
// statement is left out and counted; it never fails the part. Not read: purely drawn statements (counted), the contours
// of non-uniform zones, and statements about edges and points, whose faces stay empty.
package pmi

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// Placement is one solid or sheet of the file as placed in the model.
type Placement struct {
	First brep.FaceID    // its first face; its last one precedes the next placement's first
	At    geom.Transform // from its own coordinates (mm) to the model's
}

// Attach adds the PMI of the file to the model. Placements are in the order of their faces. An empty list means a
// single placement without motion.
func Attach(d *geometry.Document, m *brep.Model, placements []Placement) {
	if !hasStatements(d.File) {
		countDrawn(d, nil, nil)
		return
	}
	if len(placements) == 0 {
		placements = []Placement{{At: geom.Identity}}
	}
	r := &reader{
		Document: d, model: m, placements: placements,
		collected: map[part21.Ref][]part21.Ref{}, stated: map[part21.Ref]bool{},
	}
	r.readAspects()
	r.readProperties()
	r.readRanges()
	r.readZones()
	r.locateFaces()
	shown := calloutsOf(d.File)
	r.readCalls(shown)
	r.emitAll()
	r.copyIndex, r.copies = 0, 0
	r.writtenNotes(shown)
	countDrawn(d, r.stated, shown)
}

// maxStated is the maximum number of statements plus the faces that they name. It is far above real files, and bounds
// the memory for a crafted file.
const maxStated = 1 << 21

// emitAll adds the statements of all copies of all products.
func (r *reader) emitAll() {
	for _, g := range r.group() {
		for r.copyIndex = range max(g.copies, 1) {
			r.copies = g.copies
			r.emit(g)
			r.spent += len(g.dimensions) + len(g.holes) + len(g.tolerances) + len(g.datums) + len(g.notes)
			if r.spent > maxStated {
				r.Warn("pmi_too_large", 1, "The file states more of its faces than can be kept; "+
					"the rest was left out")
				return
			}
		}
	}
}

// hasStatements reports whether the file has anything that this package reads.
func hasStatements(f *part21.File) bool {
	for _, list := range [][]part21.Keyword{sizes, locations, toleranceEntities, datumEntities,
		schema.HoleOccurrences,
		{schema.GeometricItemSpecificUsage, schema.ItemIdentifiedRepresentationUsage}} {
		for _, k := range list {
			if len(f.Of(k)) > 0 {
				return true
			}
		}
	}
	return false
}

// reader reads the statements of one file.
type reader struct {
	*geometry.Document
	model      *brep.Model
	placements []Placement

	// By aspect: its items, its component aspects, and the shape of its product.
	items map[part21.Ref][]part21.Ref
	parts map[part21.Ref][]part21.Ref
	// Items of aspects and of their component aspects, filled on demand.
	collected map[part21.Ref][]part21.Ref
	within    map[part21.Ref]part21.Ref // by item: a representation that has it
	// The model's faces by the entity they come from, in order.
	faces     map[part21.Ref][]brep.FaceID
	cosmetics map[part21.Ref]cosmetic // by item

	datumFeatures map[part21.Ref][]part21.Ref // by datum
	datumTargets  map[part21.Ref][]part21.Ref

	properties map[part21.Ref][]property // by their owner
	called     map[part21.Ref]string     // by statement: the text of its callout
	notes      []part21.Ref              // the properties that are notes or attributes
	values     map[part21.Ref]part21.Ref // by dimension: its representation
	ranges     map[part21.Ref]part21.Ref // by dimension: its tolerance
	zones      map[part21.Ref]zone       // by tolerance
	refines    map[part21.Ref]part21.Ref // by tolerance: the tolerance of which it is a further line

	stated map[part21.Ref]bool // the instances read as statements
	spent  int                 // of maxStated

	// The copy being emitted, out of how many, and its datums and tolerances.
	copyIndex, copies int
	datums            map[part21.Ref]gdt.DatumID
	tolerances        map[part21.Ref]gdt.ToleranceID
}

// skipStatement counts a statement that cannot be read.
func (r *reader) skipStatement(statement part21.Ref, why string) {
	if r.copyIndex == 0 {
		r.Warn("pmi_unreadable", 1, "%s %s; it was left out", r.Entity(statement), why)
	}
}

// statements are the statements of one product in file order.
type statements struct {
	dimensions, holes, tolerances, datums, notes []part21.Ref
	copies                                       int // placed copies of the product
}

// group sorts the statements by product, in the order in which the products come first.
func (r *reader) group() []*statements {
	var out []*statements
	byShape := map[part21.Ref]*statements{}
	of := func(shape part21.Ref) *statements {
		g := byShape[shape]
		if g == nil {
			g = &statements{}
			byShape[shape] = g
			out = append(out, g)
		}
		return g
	}
	add := func(refs []part21.Ref, to func(*statements) *[]part21.Ref) {
		for _, ref := range refs {
			g := of(r.shapeOf(ref, 0))
			list := to(g)
			*list = append(*list, ref)
			g.copies = max(g.copies, r.copiesOf(ref))
		}
	}
	add(all(r.File, datumEntities), func(g *statements) *[]part21.Ref { return &g.datums })
	add(all(r.File, slices.Concat(sizes, locations)), func(g *statements) *[]part21.Ref { return &g.dimensions })
	add(all(r.File, schema.HoleOccurrences), func(g *statements) *[]part21.Ref { return &g.holes })
	add(all(r.File, toleranceEntities), func(g *statements) *[]part21.Ref { return &g.tolerances })
	add(r.notes, func(g *statements) *[]part21.Ref { return &g.notes })
	return out
}

// all returns the instances of some entities in file order.
func all(f *part21.File, kinds []part21.Keyword) []part21.Ref {
	var out []part21.Ref
	for _, k := range kinds {
		out = append(out, f.Of(k)...)
	}
	slices.SortFunc(out, part21.Ref.Compare)
	return slices.Compact(out) // complex instances are listed under each of their names
}

// emit adds the statements of one copy of a product to the model.
func (r *reader) emit(g *statements) {
	r.datums, r.tolerances = map[part21.Ref]gdt.DatumID{}, map[part21.Ref]gdt.ToleranceID{}
	out := &r.model.PMI
	for _, ref := range g.datums {
		r.datum(ref)
	}
	for _, ref := range g.dimensions {
		if d, ok := r.dimension(ref); ok {
			out.Dimensions = append(out.Dimensions, d)
			r.stated[ref] = true
		}
	}
	for _, ref := range g.holes {
		r.hole(ref)
	}
	for _, ref := range g.tolerances {
		r.tolerance(ref)
	}
	r.compose(g.tolerances)
	for _, ref := range g.notes {
		if n, ok := r.note(ref); ok {
			out.Notes = append(out.Notes, n)
			r.stated[ref] = true
		}
	}
}
