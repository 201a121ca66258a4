package httpapi

import (
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// FeatureDatasheet is the domain's datasheet, which is its own wire type. Its schema is built here from the Go types,
// which define names and nullability, and from the texts in datasheetText.
type FeatureDatasheet feature.Datasheet

type kindFacts struct {
	kind  feature.Type
	facts feature.Facts
}

// factsOf are the facts of each kind of feature, in the order of the kinds.
var factsOf = []kindFacts{
	{feature.Hole, &feature.HoleFacts{}}, {feature.Pocket, &feature.PocketFacts{}},
	{feature.Boss, &feature.BossFacts{}}, {feature.Wall, &feature.WallFacts{}},
	{feature.Face, &feature.FaceFacts{}}, {feature.Three, &feature.SurfaceFacts{}},
	{feature.Chamfer, &feature.ChamferFacts{}}, {feature.Profile, &feature.ProfileFacts{}},
	{feature.Dovetail, &feature.DovetailFacts{}}, {feature.Tslot, &feature.TslotFacts{}},
}

// Schema implements huma.SchemaProvider: a datasheet, or null before the feature was measured.
func (*FeatureDatasheet) Schema(r huma.Registry) *huma.Schema {
	b := sheetSchemas{r}
	return orNull(b.of(reflect.TypeFor[feature.Datasheet](), "FeatureDatasheet"))
}

// sheetSchemas builds the schemas of datasheets as components of the interface description.
type sheetSchemas struct{ huma.Registry }

// isDatasheetSchema reports whether a schema belongs to datasheets, which never get other fields.
func isDatasheetSchema(name string) bool {
	_, is := datasheetText[name]
	return is
}

const schemaPath = "#/components/schemas/"

// of returns the schema of a Go type, by reference for a struct; name is the schema name of a struct.
func (b sheetSchemas) of(t reflect.Type, name string) *huma.Schema {
	switch t {
	case reflect.TypeFor[geom.Vec3]():
		return b.Schema(t, true, "")
	case reflect.TypeFor[feature.Facts]():
		return b.facts()
	case reflect.TypeFor[feature.Type]():
		return b.component("FeatureType", func() *huma.Schema {
			s := &huma.Schema{Type: huma.TypeString, Description: "Kind of a feature."}
			for _, f := range factsOf {
				s.Enum = append(s.Enum, string(f.kind))
			}
			return s
		})
	}
	switch t.Kind() {
	case reflect.Float64:
		return &huma.Schema{Type: huma.TypeNumber, Format: "double"}
	case reflect.Int:
		return &huma.Schema{Type: huma.TypeInteger, Minimum: new(float64)}
	case reflect.Bool:
		return &huma.Schema{Type: huma.TypeBoolean}
	case reflect.String:
		return &huma.Schema{Type: huma.TypeString}
	case reflect.Pointer:
		return orNull(b.of(t.Elem(), t.Elem().Name()))
	case reflect.Slice:
		return &huma.Schema{Type: huma.TypeArray, Items: b.of(t.Elem(), t.Elem().Name())}
	case reflect.Struct:
		return b.component(name, func() *huma.Schema { return b.object(t, name) })
	}
	panic("httpapi: datasheets contain a " + t.String() + ", which has no schema")
}

// component registers a schema once and returns a reference to it.
func (b sheetSchemas) component(name string, build func() *huma.Schema) *huma.Schema {
	if _, done := b.Map()[name]; !done {
		b.Map()[name] = &huma.Schema{} // its own fields may refer to it
		*b.Map()[name] = *build()
	}
	return &huma.Schema{Ref: schemaPath + name}
}

// orNull makes a value nullable.
func orNull(s *huma.Schema) *huma.Schema {
	if s.Ref != "" {
		return &huma.Schema{AnyOf: []*huma.Schema{s, {Type: "null"}}}
	}
	s.Nullable = true
	return s
}

// object is closed: it has the fields of the struct and no others. A field that is left out when empty is
// the only one that is not required, and never null.
func (b sheetSchemas) object(t reflect.Type, name string) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{},
		Description: datasheetText[name],
	}
	for i := range t.NumField() {
		field := t.Field(i)
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		var value *huma.Schema
		switch {
		case options == "omitempty":
			value = b.of(field.Type.Elem(), field.Type.Elem().Name())
		case key == "kind":
			value = &huma.Schema{Type: huma.TypeString, Const: string(kindOf(t))}
			s.Required = append(s.Required, key)
		default:
			value = b.of(field.Type, field.Type.Name())
			s.Required = append(s.Required, key)
		}
		value.Description = datasheetText[name+"."+key]
		for _, word := range datasheetWords[name+"."+key] {
			value.Enum = append(value.Enum, word)
		}
		s.Properties[key] = value
	}
	return s
}

// kindOf is the kind whose facts have the given type.
func kindOf(t reflect.Type) feature.Type {
	i := slices.IndexFunc(factsOf, func(f kindFacts) bool { return reflect.TypeOf(f.facts).Elem() == t })
	return factsOf[i].kind
}

// facts returns the schema of the facts, with kind as the discriminator.
func (b sheetSchemas) facts() *huma.Schema {
	s := &huma.Schema{Discriminator: &huma.Discriminator{PropertyName: "kind", Mapping: map[string]string{}}}
	for _, f := range factsOf {
		t := reflect.TypeOf(f.facts).Elem()
		ref := b.of(t, t.Name())
		s.OneOf = append(s.OneOf, ref)
		s.Discriminator.Mapping[string(f.kind)] = ref.Ref
	}
	return s
}
