package portal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/session"
)

// about is the introduction of the description.
const about = "What the pages of the portal need beside the public API. The pages and this interface change " +
	"together: programs of others use the public API, which has its own description.\n\n" +
	"The caller is the session of a cookie, `__Host-millwright` over https and `millwright` on the loopback. The " +
	"public API with that caller is below `/portal/api/v1`. A request that changes something comes from a page " +
	"of the service itself."

// description has the data of an operation that its route does not have, for the interface description.
type description struct {
	summary string
	query   []huma.Param
	in, out any    // values of the types of the bodies; nil: no body, or one of another media type
	status  int    // of success; 0: 200
	media   string // of an answer that is not JSON of the type of out
	open    bool   // needs no session
	codes   []apierr.Code
}

// day is a parameter that is a day.
func day(name, text string) huma.Param {
	return huma.Param{
		Name: name, In: "query", Description: text, Schema: &huma.Schema{Type: huma.TypeString, Format: "date"},
	}
}

// whole is a parameter that is a whole number from 1.
func whole(name, text string) huma.Param {
	return huma.Param{Name: name, In: "query", Description: text, Schema: number()}
}

func number() *huma.Schema { return &huma.Schema{Type: huma.TypeInteger, Minimum: new(1.0)} }

const anyJSON = "application/json"

// keyCodes and programCodes are the errors of every operation on a key, and on a file of a program.
var (
	keyCodes     = []apierr.Code{notFound}
	programCodes = []apierr.Code{notFound, apierr.ProgramNotReady}
)

// descriptions are those of the operations, by method and path.
var descriptions = map[string]description{
	"GET /openapi.json": {summary: "This description", media: anyJSON, open: true},
	"POST /session": {
		summary: "Exchange the token of a one-time link for a session", in: linkBody{}, out: sessionBody{}, open: true,
		codes: []apierr.Code{notFound, session.LinkUsed, insecure},
	},
	"GET /session":    {summary: "The session of the caller", out: sessionBody{}},
	"DELETE /session": {summary: "End the session; it succeeds without one", status: http.StatusNoContent, open: true},
	"GET /keys":       {summary: "The keys of the team, newest first", out: keysBody{}},
	"POST /keys": {
		summary: "Make a key; its text is in this answer alone", in: newKeyBody{}, out: madeKeyBody{},
		status: http.StatusCreated,
	},
	"PATCH /keys/{id}": {
		summary: "Change the name, the origins or the expiry of a key", in: keyEditBody{}, out: keyBody{},
		codes: keyCodes,
	},
	"POST /keys/{id}/revoke": {
		summary: "End a key at once; its name is repeated", in: keyNameBody{}, out: keyBody{},
		codes: append(keyCodes, nameMismatch),
	},
	"POST /keys/{id}/roll": {
		summary: "Make a key with the same rights, and end the old one after 0, 1 or 24 hours", in: graceBody{},
		out: rolledKeyBody{}, status: http.StatusCreated, codes: keyCodes,
	},
	"GET /usage": {
		summary: "Metered calls by day, operation and key", out: usageBody{},
		codes: []apierr.Code{apierr.InvalidRequest},
		query: []huma.Param{
			day("since", "First day, UTC; by default 30 days end with the last."),
			day("until", "Last day, UTC; by default today."),
		},
	},
	"GET /grid":    {summary: "The areas and levels of the rights of a key", out: gridBody{}},
	"GET /limits":  {summary: "What a file is checked against before it is sent", out: limitsBody{}},
	"GET /example": {summary: "The bundled part", media: "model/step", codes: []apierr.Code{notFound}},
	"GET /parts/{id}/source": {
		summary: "Redirect to a signed address of the file that was sent", status: http.StatusSeeOther,
		codes: []apierr.Code{notFound, apierr.PartNotUploaded},
	},
	"GET /reports/{id}/mesh.glb": {
		summary: "The display mesh of a report, at an address that never changes", media: "model/gltf-binary",
		codes: []apierr.Code{notFound},
	},
	"GET /features/{id}/why": {
		summary: "The rule that found a feature, and its reasons", out: whyBody{},
		codes: []apierr.Code{apierr.FeatureNotFound},
	},
	"GET /parts/{id}/programs": {
		summary: "The programs of a part, newest first, with what changed in their cut configs", out: programsBody{},
		codes: []apierr.Code{notFound},
	},
	"GET /parts/{id}/programs/{program}/document": {
		summary: "program.json: frames, stock, jaws, and the tools as they were", media: anyJSON, codes: programCodes,
	},
	"GET /parts/{id}/programs/{program}/setups/{setup}/picture": {
		summary: "The picture of a setup", media: "image/svg+xml", codes: append(programCodes, apierr.NoSetup),
	},
	"GET /parts/{id}/programs/{program}/moves": {
		summary: "The moves of a program with their times", media: anyJSON, codes: programCodes,
	},
	"GET /parts/{id}/programs/{program}/stock": {
		summary: "The in-process stock of a setup", media: "application/octet-stream",
		codes: append(programCodes, apierr.NoSetup, apierr.InvalidRequest),
		query: []huma.Param{
			whole("setup", "Setup, from 1; by default the first."), whole("cells", "Rays along each side, about."),
		},
	},
	"GET /parts/{id}/programs/{program}/lines": {
		summary: "The lines of g-code of the moves of a setup", out: linesBody{},
		codes: append(programCodes, apierr.NoSetup, apierr.InvalidRequest),
		query: []huma.Param{
			whole("setup", "Setup, from 1; by default the first."),
			{Name: "post", In: "query", Description: "Control; by default that of the cut config.",
				Schema: &huma.Schema{Type: huma.TypeString}},
		},
	},
}

// segments are the variable segments of a path.
var segments = regexp.MustCompile(`\{(\w+)\}`)

// schemaName names the schema of a type.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Body")
}

// describe returns the interface description of the portal's own operations.
func (p *portal) describe(routes []route) ([]byte, error) {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: "millwright portal", Version: "1", Description: about},
		Servers: []*huma.Server{{URL: p.config.BaseURL, Description: "This service"}},
		Components: &huma.Components{Schemas: schemas, SecuritySchemes: map[string]*huma.SecurityScheme{
			"session": {Type: "apiKey", In: "cookie", Name: overTLS.cookieName(), Description: "A session."},
		}},
		Paths: map[string]*huma.PathItem{},
	}
	for _, r := range routes {
		d, ok := descriptions[r.method+" "+r.path]
		if !ok {
			return nil, fmt.Errorf("%s %s has no description", r.method, r.path)
		}
		doc.AddOperation(p.operation(r, d, schemas))
	}
	return json.Marshal(doc)
}

func (p *portal) operation(r route, d description, schemas huma.Registry) *huma.Operation {
	words := strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}.", c) })
	op := &huma.Operation{
		OperationID: strings.ToLower(r.method) + "-" + strings.Join(words, "-"),
		Method:      r.method, Path: apiRoot + r.path, Summary: d.summary,
		Security: []map[string][]string{{"session": {}}}, Responses: map[string]*huma.Response{},
	}
	if d.open {
		op.Security = []map[string][]string{{}}
	}
	for _, name := range segments.FindAllStringSubmatch(r.path, -1) {
		schema := &huma.Schema{Type: huma.TypeString}
		if name[1] == "setup" {
			schema = number()
		}
		op.Parameters = append(op.Parameters, &huma.Param{Name: name[1], In: "path", Required: true, Schema: schema})
	}
	for _, param := range d.query {
		op.Parameters = append(op.Parameters, &param)
	}
	if d.in != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: content(anyJSON, schemas, d.in)}
	}
	done := &huma.Response{Description: "Done."}
	switch {
	case d.out != nil:
		done.Content = content(anyJSON, schemas, d.out)
	case d.media == anyJSON:
		done.Content = map[string]*huma.MediaType{anyJSON: {Schema: &huma.Schema{
			Type: huma.TypeObject, AdditionalProperties: true,
		}}}
	case d.media != "":
		done.Content = map[string]*huma.MediaType{d.media: {}}
	case d.status == http.StatusSeeOther:
		done.Headers = map[string]*huma.Header{"Location": {Schema: &huma.Schema{Type: huma.TypeString, Format: "uri"}}}
	}
	if d.status == 0 {
		d.status = http.StatusOK
	}
	op.Responses[strconv.Itoa(d.status)] = done
	p.problems(op, d, schemas)
	return op
}

func content(media string, schemas huma.Registry, of any) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{media: {Schema: schemas.Schema(reflect.TypeOf(of), true, "")}}
}

// problems adds the errors of an operation: its own, and those of all of its kind.
func (p *portal) problems(op *huma.Operation, d description, schemas huma.Registry) {
	codes := append([]apierr.Code{apierr.Internal, apierr.Unavailable}, d.codes...)
	if !d.open {
		codes = append(codes, session.NoSession)
	}
	if op.Method != http.MethodGet {
		codes = append(codes, crossOrigin, apierr.MediaType)
	}
	if d.in != nil {
		codes = append(codes, apierr.InvalidRequest, apierr.PayloadTooLarge)
	}
	for _, code := range codes {
		out := p.problemOf(apierr.Errorf(code, "%s", meaning(code)))
		status := strconv.Itoa(out.Status)
		r := op.Responses[status]
		if r == nil {
			r = &huma.Response{
				Description: http.StatusText(out.Status),
				Content:     content(problem.ContentType, schemas, problem.Problem{}),
			}
			r.Content[problem.ContentType].Examples = map[string]*huma.Example{}
			op.Responses[status] = r
		}
		r.Content[problem.ContentType].Examples[string(code)] = &huma.Example{
			Summary: meaning(code), Value: out.At(p.config.BaseURL),
		}
	}
}

// meanings are those of the codes of the portal alone.
var meanings = map[apierr.Code]string{
	crossOrigin:       "The request comes from a page of another site.",
	insecure:          "The session could be read on the way: the address is neither https nor the loopback.",
	nameMismatch:      "The name is not that of the key.",
	session.LinkUsed:  "The link was used before, or is too old.",
	session.NoSession: "There is no session, or it has ended.",
}

func meaning(code apierr.Code) string {
	if text := meanings[code]; text != "" {
		return text
	}
	text, _ := openapi.Meaning(code)
	return text
}

// readDescription answers with the interface description of the portal's own operations.
func (p *portal) readDescription(w http.ResponseWriter, r *http.Request) {
	text, err := p.described()
	if err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", anyJSON)
	_, _ = w.Write(text) // the client has gone when this fails
}
