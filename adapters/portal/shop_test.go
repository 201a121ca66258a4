package portal_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestFieldsOfFormsHaveLabels compares the table of labels with the forms of the interface description: each field has
// a label, each word of an enumeration a name, each label a field.
func TestFieldsOfFormsHaveLabels(t *testing.T) {
	text, err := os.ReadFile("web/src/shop/labels.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Groups, Choices map[string]string
		Fields          map[string]struct{ Label string }
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "")
	var api struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					schema
					Section string `json:"x-group"`
				}
			}
		}
	}
	browser{world: w}.do("GET", "/v1/openapi.json", nil).decode(t, &api)
	reached := map[string]bool{}
	var check func(name, above string)
	check = func(name, above string) {
		properties := api.Components.Schemas[name].Properties
		if len(properties) == 0 {
			t.Fatalf("%s is no schema", name)
		}
		for property, s := range properties {
			key := above + property
			if name == "ToolRequest" && (property == "id" || property == "guessed") {
				continue // not shown as fields
			}
			reached[key] = true
			label := table.Fields[key].Label
			if label == "" || strings.ToUpper(label[:1]) != label[:1] {
				t.Errorf("%s has the label %q", key, label)
			}
			if s.Section != "" && table.Groups[s.Section] == "" {
				t.Errorf("%s is of the group %q, which has no title", key, s.Section)
			}
			for _, word := range s.Enum {
				if table.Choices[word] == "" {
					t.Errorf("%s has no name for %q", key, word)
				}
			}
			if of := s.nested(); of != "" {
				check(of, key+".")
			}
		}
	}
	for _, form := range []string{"CutConfigRequest", "ToolRequest", "Holder"} {
		check(form, "")
	}
	for key := range table.Fields {
		if !reached[key] {
			t.Errorf("the label of %s is of no field", key)
		}
	}
	t.Logf("%d fields have labels", len(reached))
}
