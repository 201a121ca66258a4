package portal_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// field is a row of the table of labels that the pages have.
type field struct{ Name, Label, Unit, Of, None string }

// TestFactsHaveLabels holds the table of labels against the schemas of datasheets in the description of the API: each
// property once, with the unit that its description states, and words for each value of an enumeration.
func TestFactsHaveLabels(t *testing.T) {
	text, err := os.ReadFile("web/src/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Fields map[string][]field
		Words  map[string]string
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "")
	var api struct {
		Components struct{ Schemas map[string]schema }
	}
	browser{world: w}.do("GET", "/v1/openapi.json", nil).decode(t, &api)
	schemas := api.Components.Schemas
	reached := map[string]bool{}
	var check func(name string)
	check = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		rows := table.Fields[name]
		for property, s := range schemas[name].Properties {
			if property == "kind" || property == "facts" || property == "featureType" {
				for _, one := range s.AnyOf {
					check(one.name())
				}
				for _, one := range s.OneOf {
					check(one.name())
				}
				continue
			}
			i := slices.IndexFunc(rows, func(f field) bool { return f.Name == property })
			if i < 0 {
				t.Errorf("%s.%s has no label", name, property)
				continue
			}
			checkField(t, name, rows[i], s, table.Words)
			if of := s.nested(); of != "" && of != "Vec3" {
				if rows[i].Of != of {
					t.Errorf("%s.%s is of %q in the table, of %s in the API", name, property, rows[i].Of, of)
				}
				check(of)
			}
		}
		for i, f := range rows {
			if _, known := schemas[name].Properties[f.Name]; !known {
				t.Errorf("the label %s.%s is of no property", name, f.Name)
			}
			if slices.ContainsFunc(rows[:i], func(g field) bool { return g.Name == f.Name || g.Label == f.Label }) {
				t.Errorf("%s.%s has its name or its label twice", name, f.Name)
			}
		}
	}
	check("FeatureDatasheet")
	if len(reached) != len(table.Fields) || len(reached) < 15 {
		t.Errorf("the table has %d schemas, %d are reached: %v", len(table.Fields), len(reached), reached)
	}
}

// checkField compares a row with its property.
func checkField(t *testing.T, of string, f field, s schema, words map[string]string) {
	t.Helper()
	at := of + "." + f.Name
	if f.Label == "" || strings.ToUpper(f.Label[:1]) != f.Label[:1] {
		t.Errorf("%s has the label %q", at, f.Label)
	}
	stated := ""
	for text, unit := range map[string]string{"mm²": "mm²", "mm³": "mm³", "degrees": "°", "0 to 1": "%"} {
		if strings.Contains(s.Description, text) {
			stated = unit
		}
	}
	if stated == "" && strings.Contains(s.Description, "mm") {
		stated = "mm"
	}
	if f.Unit != stated {
		t.Errorf("%s has the unit %q, its description %q states %q", at, f.Unit, s.Description, stated)
	}
	for _, value := range s.Enum {
		if words[value] == "" {
			t.Errorf("%s has no words for %q", at, value)
		}
	}
	if s.isNullable() && f.None == "" {
		t.Errorf("%s says nothing for null", at)
	}
}

// schema is what these tests read of a JSON schema.
type schema struct {
	Type        any
	Ref         string `json:"$ref"`
	Description string
	Enum        []string
	Items       *schema
	AnyOf       []schema
	OneOf       []schema
	Properties  map[string]schema
}

func (s schema) name() string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// nested is the schema of an object, or of the members of a list; "" for other values.
func (s schema) nested() string {
	switch {
	case s.Ref != "":
		return s.name()
	case s.Items != nil:
		return s.Items.name()
	}
	for _, one := range s.AnyOf {
		if one.Ref != "" {
			return one.name()
		}
	}
	return ""
}

func (s schema) isNullable() bool {
	if types, ok := s.Type.([]any); ok {
		return slices.Contains(types, any("null"))
	}
	return slices.ContainsFunc(s.AnyOf, func(one schema) bool { return one.Type == "null" })
}
