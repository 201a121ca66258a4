package httpapi

import (
	"maps"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/cam/machining"
)

// typeMergePatch is the media type of RFC 7396.
const typeMergePatch = "application/merge-patch+json"

// document is a request body that the use case decodes, so that it reports all errors at once; huma accepts any object.
type document struct{ text []byte }

// UnmarshalJSON implements json.Unmarshaler.
func (d *document) UnmarshalJSON(text []byte) error {
	d.text = slices.Clone(text)
	return nil
}

// Schema implements huma.SchemaProvider.
func (document) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// describeCutConfigs puts the forms of the documents into the description.
func (a *api) describeCutConfigs() {
	doc := a.huma.OpenAPI()
	r := doc.Components.Schemas
	form := reflect.TypeFor[machining.CutConfig]()
	made := partOf(r, form)
	made.Required = []string{"name"}
	describeBody(doc.Paths["/v1/cut-configs"].Post, component(r, "CutConfigRequest", made))
	members := *huma.SchemaFromType(r, form)
	members.Properties, members.Required = maps.Clone(members.Properties), nil
	delete(members.Properties, "id")
	one := doc.Paths["/v1/cut-configs/{id}"]
	describeBody(one.Put, component(r, "CutConfigUpdate", &members))
	describeBody(one.Patch, component(r, "CutConfigPatch", partOf(r, form)))
	one.Patch.RequestBody.Content[typeMergePatch] = one.Patch.RequestBody.Content["application/json"]
}

// describeBody puts the form of a document into the description of an operation. Its use case reports all errors of the
// form.
func describeBody(op *huma.Operation, form *huma.Schema) {
	op.RequestBody.Content["application/json"].Schema = form
	op.Metadata[saysUnknown] = true
}

// formOf returns the schema of an object that may lack its optional members.
func formOf(r huma.Registry, t reflect.Type) *huma.Schema {
	s := *huma.SchemaFromType(r, t)
	s.Properties, s.Required = maps.Clone(s.Properties), nil
	for _, m := range machining.Members(t) {
		if !m.Optional {
			s.Required = append(s.Required, m.Name)
		}
	}
	return &s
}

// partOf returns the schema of an object without required members, at any depth; members that can be reset may be null.
func partOf(r huma.Registry, t reflect.Type) *huma.Schema {
	s := *huma.SchemaFromType(r, t)
	s.Properties, s.Required = map[string]*huma.Schema{}, nil
	for _, m := range machining.Members(t) {
		kind := m.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		of := huma.SchemaFromType(r, kind)
		if kind.Kind() == reflect.Struct {
			of = component(r, kind.Name()+"Part", partOf(r, kind))
		}
		if m.Optional && of.Ref != "" {
			of = &huma.Schema{AnyOf: []*huma.Schema{of, {Type: "null"}}}
		} else {
			of.Nullable = m.Optional
		}
		s.Properties[m.Name] = of
	}
	return &s
}

// component names a schema, and returns a reference to it.
func component(r huma.Registry, name string, s *huma.Schema) *huma.Schema {
	r.Map()[name] = s
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}
