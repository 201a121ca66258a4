package openapi

import (
	"embed"
	"encoding/json"
	"path"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// files contains an example of each schema that is a request or response body, named after the schema.
//
//go:embed examples/*.json
var files embed.FS

// exampleOf returns the example of a schema, nil without an example.
func exampleOf(name string) any {
	data, err := files.ReadFile(path.Join("examples", name+".json"))
	if err != nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		panic("document: examples/" + name + ".json: " + err.Error())
	}
	return v
}

// addExamples adds an example to every JSON body without one.
func addExamples(content map[string]*huma.MediaType) {
	for _, m := range content {
		if m.Example != nil || m.Examples != nil || m.Schema == nil {
			continue
		}
		if name, ok := strings.CutPrefix(m.Schema.Ref, schemaPath); ok {
			m.Example = exampleOf(name)
		}
	}
}

// exampleID is the id that examples use where any would do.
const exampleID = "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"

// describeParameter adds a missing description and example to a parameter.
func describeParameter(p *huma.Param) {
	if p.Schema == nil || p.Example != nil || p.Examples != nil {
		return
	}
	if p.Description == "" {
		p.Description = p.Schema.Description
	}
	one := p.Schema
	if one.Items != nil {
		one = one.Items
	}
	var value any
	switch {
	case len(one.Examples) > 0:
		value = one.Examples[0]
	case one.Default != nil:
		value = one.Default
	case len(one.Enum) > 0:
		value = one.Enum[0]
	case one.Format == "uuid":
		value = exampleID
	case one.Type == huma.TypeBoolean:
		value = true
	default:
		return
	}
	if p.Schema.Items != nil {
		value = []any{value}
	}
	p.Example = value
}
