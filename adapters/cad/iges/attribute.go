package iges

import (
	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/brep"
)

// standardColors are the colors 1 to 8 of the standard.
var standardColors = [...]brep.Color{
	{}, {R: 1}, {G: 1}, {B: 1}, {R: 1, G: 1}, {R: 1, B: 1}, {G: 1, B: 1}, {R: 1, G: 1, B: 1},
}

// color returns the color of an entity, or nil if the file gives no color.
func (r *reader) color(e *deck.Entity) *brep.Color {
	c := int(e.Color)
	if c >= 1 && c <= len(standardColors) {
		return &standardColors[c-1]
	}
	def, ok := r.file.At(-c)
	if !ok || def.Type != 314 {
		return nil
	}
	p := r.file.Params(def)
	var k [3]float64
	p.Reals(k[:])
	if p.Err() != nil {
		return nil
	}
	for i, x := range k { // in percent
		if !(x >= 0 && x <= 100) {
			return nil
		}
		k[i] = x / 100
	}
	return &brep.Color{R: k[0], G: k[1], B: k[2]}
}

// name returns the name given by a property (406 form 15), which follows the own parameters of an entity.
func (r *reader) name(e *deck.Entity, rest *deck.Params) string {
	p := *rest
	p.Skip(p.Count(1)) // associations
	for range p.Count(1) {
		property, ok := r.file.At(p.Pointer())
		if !ok || property.Type != 406 || property.Form != 15 {
			continue
		}
		q := r.file.Params(property)
		q.Skip(1)
		if name := q.Text(); q.Err() == nil && name != "" {
			return name
		}
	}
	return e.Label()
}
