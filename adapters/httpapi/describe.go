package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/core/fault"
)

// serveDescription answers GET /v1/openapi.json with the description of all registered operations.
func (a *api) serveDescription(router *mux.Router) {
	text, err := a.description()
	if err != nil {
		panic(err)
	}
	if err := a.makePages(text); err != nil {
		panic(err)
	}
	tag := contentTag(bytes.ReplaceAll(text, []byte(baseurl.Placeholder), nil)) // the same in each process
	router.Path(descriptionPath).Methods(http.MethodGet).HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			a.allowOriginOfKey(w.Header(), r)
			w.Header().Set("Content-Type", "application/json")
			// The same for all clients, except the origins that the key allows.
			w.Header().Set("Cache-Control", "public, max-age=300")
			w.Header().Add("Vary", "Authorization")
			w.Header().Set("ETag", tag)
			if sameTag(r.Header.Get("If-None-Match"), tag) {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			_, _ = w.Write(text)
		})
}

const descriptionPath = "/v1/openapi.json"

// description completes the description from registration and encodes it. It is called once.
func (a *api) description() ([]byte, error) {
	doc := a.huma.OpenAPI()
	for _, of := range []string{"Part", "PlanRecord", "ProgramRecord"} {
		listFailureCodes(doc.Components.Schemas.Map()[of].Properties["failureCode"])
	}
	listWarningCodes(doc.Components.Schemas.Map()["Warning"].Properties["code"])
	nullableRef(doc.Components.Schemas.Map()["Tool"], "holder")
	nullableRef(doc.Components.Schemas.Map()["ToolRequest"], "holder")
	nullableRef(doc.Components.Schemas.Map()["Machine"], "axes")
	nullableRef(doc.Components.Schemas.Map()["Stock"], "size")
	nullableRef(doc.Components.Schemas.Map()["CutConfigRecord"], "breakEdges")
	nullableRef(doc.Components.Schemas.Map()["PartFeature"], "axis")
	nullableRef(doc.Components.Schemas.Map()["PlanRecord"], "stock")
	nullableRef(doc.Components.Schemas.Map()["Toolpath"], "residue")
	nullableRef(doc.Components.Schemas.Map()["ProgramRecord"], "verification")
	nullableRef(doc.Components.Schemas.Map()["ProgramTool"], "holder")
	nullableRef(doc.Components.Schemas.Map()["Left"], "price")
	nullableRef(doc.Components.Schemas.Map()["Unmachinable"], "price")
	nullableRef(doc.Components.Schemas.Map()["PlanSetup"], "choice")
	nullableRef(doc.Components.Schemas.Map()["SetupChoice"], "held")
	nullableRef(doc.Components.Schemas.Map()["SetupChoice"], "without")
	for _, name := range []string{"PlanRecord", "ProgramRecord", "ToolpathSet", "Estimate"} {
		nullableRef(doc.Components.Schemas.Map()[name], "made")
	}
	describeMachining(doc.Components.Schemas.Map())
	op := describeItself()
	doc.AddOperation(&op)
	openapi.Complete(doc, openapi.Options{
		BaseURL: a.config.BaseURL, StatusOf: statusOf, Closed: isDatasheetSchema,
	})
	out, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("encode the interface description: %w", err)
	}
	return append(out, '\n'), nil
}

// listFailureCodes lists the current codes. They are not an enum: clients must expect new ones.
func listFailureCodes(field *huma.Schema) {
	var codes []string
	for _, c := range fault.Codes() {
		codes = append(codes, "`"+string(c)+"`")
	}
	field.Description = "Why it failed, for programs; else null. Today one of " + strings.Join(codes, ", ") + "."
}

// listWarningCodes lists the current codes with their meanings; clients must expect new ones here too.
func listWarningCodes(field *huma.Schema) {
	var b strings.Builder
	b.WriteString("Kind of the warning, for programs. No code changes its meaning; the list is open-ended. Today:\n")
	for _, c := range fault.WarningCodes() {
		fmt.Fprintf(&b, "\n- `%s`: %s", c.Code, c.Meaning)
	}
	field.Description = b.String()
}

// nullableRef makes an object field nullable, which huma's tags cannot express.
func nullableRef(object *huma.Schema, field string) {
	value := object.Properties[field]
	object.Properties[field] = &huma.Schema{
		Description: value.Description,
		AnyOf:       []*huma.Schema{{Ref: value.Ref}, {Type: "null"}},
	}
}

// describeItself is the operation that no handler of huma serves.
func describeItself() huma.Operation {
	op := explained(operation(http.MethodGet, descriptionPath, "openapi",
		"Machine-readable interface description", public),
		"This document: every operation of both faces. It needs no key.")
	op.Metadata[openapi.NoTroubleKey], op.Metadata[openapi.StaticKey] = true, true
	op.Responses = map[string]*huma.Response{"200": {
		Description: "The description.",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{
				Type:        huma.TypeObject,
				Description: "An OpenAPI document.",
				Properties: map[string]*huma.Schema{"openapi": {
					Type: huma.TypeString, Enum: []any{"3.1.0"}, Description: "Version of the specification.",
				}},
				Required:             []string{"openapi"},
				AdditionalProperties: true,
			},
			Example: map[string]any{"openapi": "3.1.0"},
		}},
		Headers: map[string]*huma.Param{"ETag": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	longest := 1024
	op.Parameters = []*huma.Param{{
		Name: "If-None-Match", In: "header", Description: "ETags of answers that the client has.",
		Schema: &huma.Schema{Type: huma.TypeString, MaxLength: &longest},
	}}
	return orNotModified(op)
}
