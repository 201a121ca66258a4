package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"
)

// serveDescription answers GET /v1/openapi.json with the description as it stands after registration.
func (a *api) serveDescription(router *mux.Router) {
	a.describe()
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil {
		panic("httpapi: the interface description does not encode: " + err.Error())
	}
	router.Path("/v1/openapi.json").Methods(http.MethodGet).HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(document)
		})
}

// describe puts right what registration cannot know: this API answers a bad request with 400, some
// objects may be null, and the description describes itself too.
func (a *api) describe() {
	for _, item := range a.huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				useBadRequest(op)
			}
		}
	}
	feature := a.huma.OpenAPI().Components.Schemas.Map()["PartFeature"]
	axis := feature.Properties["axis"]
	feature.Properties["axis"] = &huma.Schema{
		Description: axis.Description,
		AnyOf:       []*huma.Schema{{Ref: axis.Ref}, {Type: "null"}},
	}
	op := operation(http.MethodGet, "/v1/openapi.json", "openapi",
		"Machine-readable interface description", public)
	op.Responses = map[string]*huma.Response{"200": {
		Description: "OK",
		Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{
			Type:                 huma.TypeObject,
			Properties:           map[string]*huma.Schema{"openapi": {Type: huma.TypeString, Enum: []any{"3.1.0"}}},
			Required:             []string{"openapi"},
			AdditionalProperties: true,
		}}},
	}}
	a.huma.OpenAPI().AddOperation(&op)
}

// useBadRequest renames huma's 422 answer.
func useBadRequest(op *huma.Operation) {
	if r, ok := op.Responses["422"]; ok {
		delete(op.Responses, "422")
		r.Description = http.StatusText(http.StatusBadRequest)
		op.Responses["400"] = r
	}
}
