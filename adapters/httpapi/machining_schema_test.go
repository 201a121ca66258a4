package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// property is the part of a field's schema that forms read.
type property struct {
	Ref              string `json:"$ref"`
	Type             any
	AnyOf            []property
	Items            *property
	Enum             []any
	Minimum          *float64
	ExclusiveMinimum *float64
	Maximum          *float64
	MaxLength        *int
	MaxItems         *int
	Default          any
	Section          string `json:"x-group"`
	Unit             string `json:"x-unit"`
	Description      string
}

func (p property) is(kind string) bool {
	several, ok := p.Type.([]any)
	return p.Type == kind || ok && slices.Contains(several, any(kind))
}

// TestEveryFieldOfMachiningDocumentsHasItsRule walks the forms that clients send. Each field has a text and a section,
// each number bounds and a unit, each text and list a length, and an optional field a default. Bounds and
// defaults are those that validation uses.
func TestEveryFieldOfMachiningDocumentsHasItsRule(t *testing.T) {
	h := newHarness(t, cube)
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]map[string]any
				Required   []string
			}
		}
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &doc)
	var plain struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]property }
		}
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &plain)
	defaults := machining.Defaults()
	counted, numbers, stated := 0, 0, 0
	seen := map[string]bool{}
	var walk func(component, path string)
	walk = func(component, path string) {
		document := strings.TrimSuffix(strings.TrimSuffix(component, "Request"), "Part")
		properties := plain.Components.Schemas[component].Properties
		if len(properties) == 0 {
			t.Fatalf("%s is no schema", component)
		}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			p, at := properties[name], path+"."+name
			for _, of := range append([]property{p}, p.AnyOf...) {
				if of.Ref != "" {
					walk(strings.TrimPrefix(of.Ref, "#/components/schemas/"), at)
				}
			}
			if p.Items != nil && p.Items.Ref != "" {
				walk(strings.TrimPrefix(p.Items.Ref, "#/components/schemas/"), at+"[]")
			}
			if p.Ref != "" {
				continue // its fields have what they need
			}
			if key := document + "." + name; !seen[key] {
				seen[key] = true
				counted++
			}
			if p.Description == "" || p.Section == "" {
				t.Errorf("%s: text %q, section %q", at, p.Description, p.Section)
			}
			rule, known := machining.FieldOf(document, name)
			if !known {
				t.Errorf("%s has no rule", at)
				continue
			}
			if p.is("number") || p.is("integer") {
				numbers++
				low := p.Minimum
				if rule.Bounds.Above {
					low = p.ExclusiveMinimum
				}
				if low == nil || *low != rule.Bounds.Min || p.Maximum == nil || *p.Maximum != rule.Bounds.Max {
					t.Errorf("%s: bounds %v to %v, want %+v", at, low, p.Maximum, rule.Bounds)
				}
				counts := []string{"axisCount", "fluteCount", "number", "forceExponent"}
				if p.Unit != rule.Bounds.Unit || p.Unit == "" != slices.Contains(counts, name) {
					t.Errorf("%s: unit %q", at, p.Unit)
				}
			}
			if p.is("string") && p.MaxLength == nil && len(p.Enum) == 0 || p.is("array") && p.MaxItems == nil {
				t.Errorf("%s is unbounded", at)
			}
			_, has := doc.Components.Schemas[component].Properties[name]["default"]
			_, want := defaults[document+"."+name]
			if has != want {
				t.Errorf("%s: default %v (stated: %t), want one: %t", at, p.Default, has, want)
			}
			if has {
				stated++
			}
		}
	}
	walk("CutConfigRequest", "cutConfig")
	walk("ToolRequest", "tool")
	walk("Holder", "holder")
	t.Logf("%d fields, %d numbers, %d defaults", counted, numbers, stated)
	if counted < 70 || stated < 45 {
		t.Errorf("%d fields with %d defaults were looked at, want all", counted, stated)
	}
}
