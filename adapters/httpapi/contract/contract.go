// Package contract checks HTTP exchanges against the interface description of the service: the request must match the
// description, and so must the response to it. The contract suite and the fuzzer drive a running server and use it.
//
// libopenapi-validator checks schemas, formats and parameters. This package checks the rest: undescribed paths and
// methods, headers and error codes that the operation does not state, the exact media type, and that the status of an
// error matches its body.
package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
)

// Contract is a description, ready to judge. It is safe for concurrent use.
type Contract struct {
	judge      validator.Validator
	operations []*Operation // by path and method
	base       string       // of problem types
}

// Operation is one operation of a description.
type Operation struct {
	ID       string
	Method   string // upper case
	Path     string // with {names}
	Product  string // x-product
	Metered  bool
	Secured  bool
	Bodies   map[string]json.RawMessage // examples of request bodies by media type; empty: no body
	Answers  map[int]Answer
	Takes    []Parameter
	segments []string
}

// Parameter is a parameter of an operation. Schema is as described, without references.
type Parameter struct {
	Name     string         `json:"name"`
	In       string         `json:"in"`
	Required bool           `json:"required"`
	Schema   map[string]any `json:"schema"`
}

// Has reports whether the operation has a parameter in path, query or header.
func (o *Operation) Has(in, name string) bool {
	return slices.ContainsFunc(o.Takes, func(p Parameter) bool { return p.In == in && p.Name == name })
}

// Answer is a response of an operation for one status.
type Answer struct {
	Media   []string          // content types; empty for an empty body
	Codes   []string          // of a problem
	Headers map[string]string // types of their values by canonical name
}

// document is the part of a description that Load reads itself.
type document struct {
	Servers []struct {
		URL string `json:"url"`
	} `json:"servers"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Responses map[string]answer `json:"responses"`
		Headers   map[string]header `json:"headers"`
	} `json:"components"`
}

type operation struct {
	ID       string           `json:"operationId"`
	Product  string           `json:"x-product"`
	Metered  bool             `json:"x-metered"`
	Security []map[string]any `json:"security"`
	Body     struct {
		Content map[string]struct {
			Example json.RawMessage `json:"example"`
		} `json:"content"`
	} `json:"requestBody"`
	Parameters []Parameter       `json:"parameters"`
	Responses  map[string]answer `json:"responses"`
}

type answer struct {
	Ref     string            `json:"$ref"`
	Headers map[string]header `json:"headers"`
	Content map[string]struct {
		Examples map[string]any `json:"examples"`
	} `json:"content"`
}

type header struct {
	Ref    string `json:"$ref"`
	Schema struct {
		Type string `json:"type"`
	} `json:"schema"`
}

// Load reads a description and checks that it is one.
func Load(description []byte) (*Contract, error) {
	var doc document
	if err := json.Unmarshal(description, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	closed, err := closeObjects(description)
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	parsed, err := libopenapi.NewDocument(closed)
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	judge, errs := validator.NewValidator(parsed,
		config.WithFormatAssertions(), config.WithoutSecurityValidation())
	if len(errs) > 0 {
		return nil, fmt.Errorf("read the description: %w", errs[0])
	}
	if ok, errs := judge.ValidateDocument(); !ok {
		return nil, fmt.Errorf("the description is not an OpenAPI document: %s", errs[0].Error())
	}
	c := &Contract{judge: judge}
	if len(doc.Servers) > 0 {
		c.base = doc.Servers[0].URL
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			c.operations = append(c.operations, doc.read(strings.ToUpper(method), path))
		}
	}
	return c, nil
}

func (d *document) read(method, path string) *Operation {
	from := d.Paths[path][strings.ToLower(method)]
	op := &Operation{
		ID: from.ID, Method: method, Path: path, Product: from.Product, Metered: from.Metered,
		Secured: from.Product != "public", Takes: from.Parameters,
		Bodies: map[string]json.RawMessage{}, Answers: map[int]Answer{}, segments: strings.Split(path, "/"),
	}
	for media, content := range from.Body.Content {
		op.Bodies[media] = content.Example
	}
	for status, a := range from.Responses {
		var n int
		if _, err := fmt.Sscanf(status, "%d", &n); err != nil {
			continue // judged by the validator
		}
		if name, ok := strings.CutPrefix(a.Ref, "#/components/responses/"); ok {
			a = d.Components.Responses[name]
		}
		out := Answer{Headers: map[string]string{}}
		for name, h := range a.Headers {
			if shared, ok := strings.CutPrefix(h.Ref, "#/components/headers/"); ok {
				h = d.Components.Headers[shared]
			}
			out.Headers[http.CanonicalHeaderKey(name)] = h.Schema.Type
		}
		for media, content := range a.Content {
			out.Media = append(out.Media, media)
			if media == problemType {
				out.Codes = slices.Sorted(maps.Keys(content.Examples))
			}
		}
		op.Answers[n] = out
	}
	return op
}

// closeObjects makes objects that may get more fields later refuse every field that is not described now:
// a service must not answer more than it describes.
func closeObjects(description []byte) ([]byte, error) {
	var doc any
	if err := json.Unmarshal(description, &doc); err != nil {
		return nil, err
	}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				visit(item)
			}
		case map[string]any:
			_, fields := v["properties"].(map[string]any)
			if _, said := v["additionalProperties"]; v["type"] == "object" && fields && !said {
				v["additionalProperties"] = false
			}
			for _, item := range v {
				visit(item)
			}
		}
	}
	visit(doc)
	return json.Marshal(doc)
}

// Operations lists the operations by path and method.
func (c *Contract) Operations() []*Operation { return c.operations }

// Find returns the operation of a request by its path as it is sent; nil when its path is not described. When the path
// is described and the method is not, the operation is nil and allowed lists the methods of the path.
func (c *Contract) Find(method, path string) (op *Operation, allowed []string) {
	segments := strings.Split(path, "/")
	literal := -1
	for _, o := range c.operations {
		n, ok := o.match(segments)
		if !ok || n < literal {
			continue
		}
		if n > literal {
			op, allowed, literal = nil, nil, n
		}
		allowed = append(allowed, o.Method)
		if o.Method == method {
			op = o
		}
	}
	return op, allowed
}

// match reports whether a path belongs to the operation, and the number of its literal segments.
func (o *Operation) match(segments []string) (literal int, ok bool) {
	if len(segments) != len(o.segments) {
		return 0, false
	}
	for i, s := range o.segments {
		switch {
		case s == segments[i]:
			literal++
		case !strings.HasPrefix(s, "{") || segments[i] == "":
			return 0, false
		}
	}
	return literal, true
}
