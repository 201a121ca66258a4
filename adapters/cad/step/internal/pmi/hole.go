package pmi

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
)

// Holes stated as features (ISO 10303-242, editions 2 and 3): an occurrence is a shape aspect with faces; its
// definition has the sizes and their tolerances. Each size becomes a dimension of the faces, so that other code needs
// no hole type. The sizes of a definition always come in the same order, each followed by its tolerance. Editions
// differ in the omitted sizes and in the position of the placement. A length or angle is therefore identified by its
// index among the lengths or angles present.

// hole is the content read from a definition.
type hole struct {
	sizes   []holeSize // of the drilled hole: its depth, if it is not through, and its diameter
	sink    []holeSize // of a countersink: its diameter
	angles  []holeSize
	bores   []part21.Ref
	through bool
}

// holeSize is one size with its tolerance, which may be Missing.
type holeSize struct {
	value   float64 // mm or rad
	isAngle bool
	span    part21.Ref
}

// hole adds the dimensions of a hole.
func (r *reader) hole(occurrence part21.Ref) {
	a := r.behindAspect(occurrence, r.Kind(occurrence, schema.HoleOccurrences))
	definition := a.OptRef()
	if !r.isAny(definition, schema.Holes) {
		r.skipStatement(occurrence, "has no definition that can be read")
		return
	}
	h := r.holeOf(definition)
	if len(h.sizes) == 0 {
		r.skipStatement(definition, "has no diameter")
		return
	}
	add := func(kind string, s holeSize, modifiers ...string) {
		d := gdt.Dimension{
			Kind: kind, Angle: s.isAngle, Faces: r.facesOf(occurrence), Nominal: s.value, HasNominal: true,
			Modifiers: modifiers, Decimals: brep.None, Source: r.File.ID(occurrence),
		}
		if s.span == part21.Missing || r.span(&d, definition, s.span) {
			r.model.PMI.Dimensions = append(r.model.PMI.Dimensions, d)
		}
	}
	var modifiers []string
	if h.through {
		modifiers = []string{"through"}
	}
	last := len(h.sizes) - 1
	add("diameter", h.sizes[last], modifiers...)
	if last > 0 {
		add("depth", h.sizes[last-1])
	}
	what := steps[r.File.Keyword(definition)]
	for _, s := range h.sink {
		add(what+" diameter", s)
	}
	for _, s := range h.angles {
		add(what+" angle", s)
	}
	for _, bore := range h.bores {
		if b := r.holeOf(bore); len(b.sizes) > 1 { // depth, diameter, and the fillet of a spotface
			add(what+" diameter", b.sizes[1])
			add(what+" depth", b.sizes[0])
			if len(b.sizes) > 2 {
				add(what+" radius", b.sizes[2])
			}
		}
	}
	r.stated[occurrence] = true
}

// steps maps a hole definition to the feature at the hole's opening.
var steps = map[part21.Keyword]string{
	schema.CounterboreHoleDefinition:            "counterbore",
	schema.SimplifiedCounterboreHoleDefinition:  "counterbore",
	schema.CounterdrillHoleDefinition:           "counterdrill",
	schema.SimplifiedCounterdrillHoleDefinition: "counterdrill",
	schema.CountersinkHoleDefinition:            "countersink",
	schema.SimplifiedCountersinkHoleDefinition:  "countersink",
	schema.SpotfaceHoleDefinition:               "spotface",
	schema.SimplifiedSpotfaceHoleDefinition:     "spotface",
}

// holeOf reads the attributes of a definition in any order.
func (r *reader) holeOf(definition part21.Ref) hole {
	var h hole
	var last *holeSize
	a := r.File.Args(definition)
	a.Skip(2) // name and description
	for a.More() {
		switch {
		case a.IsList():
			h.bores = append(h.bores, refs(&a)...)
		case a.IsRef():
			ref := a.OptRef()
			switch k := r.Kind(ref, nil); k {
			case schema.ToleranceValue, schema.LimitsAndFits:
				if last != nil {
					last.span = ref
				}
			case schema.ExplicitRoundHole, schema.SpotfaceDefinition:
				h.bores = append(h.bores, ref)
			default:
				last = r.addSize(&h, ref)
			}
		case a.IsUnset() || a.IsTyped():
			a.Skip(1)
		default:
			h.through = a.Enum() == schema.T || h.through
		}
	}
	isSink := []part21.Keyword{schema.CountersinkHoleDefinition, schema.SimplifiedCountersinkHoleDefinition}
	if slices.Contains(isSink, r.File.Keyword(definition)) && len(h.sizes) > 1 {
		h.sink, h.sizes = h.sizes[:1], h.sizes[1:]
	}
	return h
}

// addSize adds a measure to the sizes or angles of a hole and returns it, or nil if ref is not a measure.
func (r *reader) addSize(h *hole, ref part21.Ref) *holeSize {
	value, isAngle, ok := r.Measure(ref)
	if !ok || !(value > 0) {
		return nil
	}
	list := &h.sizes
	if isAngle {
		list = &h.angles
	}
	*list = append(*list, holeSize{value, isAngle, part21.Missing})
	return &(*list)[len(*list)-1]
}
