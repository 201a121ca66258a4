// Package openapi completes the interface description that huma derives from the Go types of the operations: groups,
// servers, errors with their codes, headers, examples, and which objects may grow.
//
// The registration of an operation contains its specific data. This package adds the data common to all operations, or
// to all of a kind, so that a new operation gets it automatically. Check reports omissions in a description.
package openapi

import (
	_ "embed"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
)

// CodesKey is the metadata key of an operation's specific error codes ([]apierr.Code). Complete adds the common ones:
// keys and access, unreadable requests, and internal errors.
const CodesKey = "codes"

// NoTroubleKey marks, in the metadata of an operation, that no dependency of it can fail.
const NoTroubleKey = "noTrouble"

// StaticKey marks, in the metadata of an operation, that its response is constant.
const StaticKey = "static"

// Options is data known only to the API.
type Options struct {
	BaseURL  string                 // of the service, without a trailing slash
	StatusOf map[apierr.Code]int    // the status of every code
	Closed   func(name string) bool // objects that never get other fields than the described ones
}

// about is the introduction of the description.
//
//go:embed about.md
var about string

// Complete adds the data that registration cannot know. It is called once, after all operations.
func Complete(doc *huma.OpenAPI, o Options) {
	doc.Info.Description = about
	doc.Info.License = &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"}
	doc.Servers = []*huma.Server{{URL: o.BaseURL, Description: "This service"}}
	c := &completion{doc: doc, Options: o, used: map[string]bool{}}
	c.components()
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, op := range operationsOf(doc.Paths[path]) {
			op.Tags = []string{tagOf(path)}
			used[op.Tags[0]] = true
			c.operation(op)
		}
	}
	doc.Tags = tagsUsed(used)
	c.prune()
	c.open()
}

type completion struct {
	doc *huma.OpenAPI
	Options
	used map[string]bool // references to components other than schemas
}

// operationsOf lists the operations of a path in the order of reading and writing.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

func (c *completion) operation(op *huma.Operation) {
	for _, unsent := range []string{"default", "422"} { // huma's own, which this API never answers
		delete(op.Responses, unsent)
	}
	if len(op.Security) == 0 {
		op.Security = []map[string][]string{{}} // explicit: no key is needed
	}
	for _, p := range op.Parameters {
		describeParameter(p)
	}
	if body := op.RequestBody; body != nil {
		if body.Description == "" {
			body.Description = "The request."
		}
		addExamples(body.Content)
	}
	for status, r := range op.Responses {
		n, _ := strconv.Atoi(status)
		if text := successText[n]; text != "" && r.Description == http.StatusText(n) {
			r.Description = text
		}
		c.headers(r, n)
		addExamples(r.Content)
	}
	c.errors(op)
}

// successText replaces huma's status names as descriptions.
var successText = map[int]string{
	http.StatusOK:        "Done.",
	http.StatusCreated:   "Created.",
	http.StatusAccepted:  "Accepted; the work continues in the background.",
	http.StatusNoContent: "Done; the response has no body.",
}

// open allows additional fields in objects of responses, because a client must not fail on a new field. Request objects
// are checked strictly, so that a misspelled field is not ignored.
func (c *completion) open() {
	asked := map[string]bool{}
	for _, item := range c.doc.Paths {
		for _, op := range operationsOf(item) {
			if op.RequestBody != nil {
				for _, m := range op.RequestBody.Content {
					c.reach(m.Schema, asked)
				}
			}
		}
	}
	for name, s := range c.doc.Components.Schemas.Map() {
		if !asked[name] && !c.Closed(name) && s.AdditionalProperties == false {
			s.AdditionalProperties = nil
		}
	}
}

// reach marks the components that a schema refers to.
func (c *completion) reach(s *huma.Schema, seen map[string]bool) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name := s.Ref[len(schemaPath):]
		if !seen[name] {
			seen[name] = true
			c.reach(c.doc.Components.Schemas.Map()[name], seen)
		}
		return
	}
	for _, part := range partsOf(s) {
		c.reach(part, seen)
	}
}

const schemaPath = "#/components/schemas/"

// partsOf lists the schemas that a schema contains.
func partsOf(s *huma.Schema) []*huma.Schema {
	parts := slices.Concat(s.OneOf, s.AnyOf, s.AllOf)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		parts = append(parts, s.Properties[name])
	}
	if s.Items != nil {
		parts = append(parts, s.Items)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		parts = append(parts, values)
	}
	return parts
}
