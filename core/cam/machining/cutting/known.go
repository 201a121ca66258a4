package cutting

import (
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/usertext"
)

// KnownMaterials returns the materials that a request may name: that of the built-in cut config, and the common ones,
// without a price.
func KnownMaterials() []machining.Material {
	list := []machining.Material{machining.BuiltInCutConfig().Material}
	for _, m := range Materials() {
		list = append(list, m.WithUsual())
	}
	return list
}

// FindMaterial returns a known material by its name in any case. An unknown name is a *machining.ValidationError of the
// member material.
func FindMaterial(name string) (machining.Material, error) {
	var names []string
	for _, m := range KnownMaterials() {
		if strings.EqualFold(m.Name, name) {
			return m, nil
		}
		names = append(names, m.Name)
	}
	near := ": use one of " + usertext.QuoteList(names) + ", or an object."
	if meant := usertext.Nearest(name, names); meant != "" {
		near = "; is " + usertext.Quote(meant) + " meant?"
	}
	return machining.Material{}, &machining.ValidationError{Faults: []machining.Fault{{
		Pointer: "/material", Message: "material " + usertext.Quote(name) + " is not known" + near,
	}}}
}
