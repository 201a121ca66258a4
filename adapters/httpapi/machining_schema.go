package httpapi

import (
	"encoding/json"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/cam/machining"
)

// extents are the schemas that hold an extent, with the name of its component there: extents have different bounds.
var extents = []struct{ of, field, name string }{
	{"Machine", "travel", "Travel"}, {"MachinePart", "travel", "TravelPart"},
	{"Stock", "allowance", "Allowance"}, {"StockPart", "allowance", "AllowancePart"},
}

// describeMachining writes texts, bounds, units, sections and defaults into the schemas of machining documents.
func describeMachining(schemas map[string]*huma.Schema) {
	for _, e := range extents {
		field := schemas[e.of].Properties[e.field]
		extent := *schemas[field.Ref[len("#/components/schemas/"):]]
		properties := map[string]*huma.Schema{}
		for axis, of := range extent.Properties {
			one := *of
			properties[axis] = &one
		}
		extent.Properties = properties
		schemas[e.name], field.Ref = &extent, "#/components/schemas/"+e.name
	}
	delete(schemas, "Extent")
	delete(schemas, "ExtentPart")
	defaults := machining.Defaults()
	for name, document := range machiningSchemas {
		for key, property := range schemas[name].Properties {
			if f, ok := machiningText[document+"."+key]; ok {
				property.Description, property.Enum = f.text, slices.Clone(f.words)
				if f.example != nil {
					property.Examples = []any{f.example}
				}
			}
			rule, ok := machining.FieldOf(document, key)
			if !ok || property.Ref != "" { // a reference stands alone
				continue
			}
			bound(property, rule)
			if value, stated := defaults[document+"."+key]; stated {
				if property.Default = value; value == nil {
					property.Default = json.RawMessage("null") // huma leaves nil out
				}
			}
		}
	}
}

// bound writes the rule of a field into its schema.
func bound(s *huma.Schema, rule machining.Field) {
	s.Extensions = map[string]any{"x-group": string(rule.Section)}
	if b := rule.Bounds; b != nil {
		low := &s.Minimum
		if b.Above {
			low = &s.ExclusiveMinimum
		}
		*low, s.Maximum = &b.Min, &b.Max
		if b.Unit != "" {
			s.Extensions["x-unit"] = b.Unit
		}
	}
	lengths := map[**int]int{&s.MaxLength: rule.MaxLength, &s.MinItems: rule.MinItems, &s.MaxItems: rule.MaxItems}
	for at, most := range lengths {
		if most > 0 {
			*at = &most
		}
	}
}
