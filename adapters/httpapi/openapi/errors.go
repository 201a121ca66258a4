package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

// when is the meaning of each code, and an example of its detail.
var when = map[apierr.Code]struct{ meaning, detail string }{
	apierr.InvalidRequest: {"The request is not as described here.", "pageSize must be at most 100."},
	apierr.UnsupportedFormat: {"The extension of the file name is not accepted.",
		`"part.dwg" is not an accepted CAD file name; accepted are ` + strings.Join(part.Extensions, " ") +
			", and these with .gz behind; export the part as STEP."},
	apierr.MissingKey: {"There is no key.", "Send the API key as Authorization: Bearer <key>."},
	apierr.InvalidKey: {"The key does not belong to this service.", "This is not an API key of this service."},
	apierr.RevokedKey: {"The key was revoked.", "Key mw_live_3kTq9xVb… has been revoked."},
	apierr.ExpiredKey: {"The key has expired.", "Key mw_live_3kTq9xVb… has expired."},
	apierr.ProductMismatch: {"The key has no access to this area.",
		"This key has no access to dfm; it may read and write in core."},
	apierr.ReadOnlyKey: {"The key may only read in this area.",
		"This key may only read in core; it may read in core."},
	apierr.AddressExpired: {"The time of a signed address is over; the record that gave it gives a new one.",
		"This address has expired; ask for a new one."},
	apierr.InvalidSignature: {"A signed address was changed, or is used for something that it was not signed for.",
		"This address was not signed for this request."},
	apierr.NotFound: {"The record does not exist, or belongs to another team.",
		`There is no part "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001".`},
	apierr.NoResult: {"No analysis of the part has succeeded yet.",
		"There is no result yet; the part is processing."},
	apierr.NoThumbnail: {"The analysis made no thumbnail.",
		"The analysis of part 0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001 made no thumbnail."},
	apierr.FeatureNotFound: {"The part does not have these features.",
		`The part has no feature "0198c1c0-7d3a-5e21-9f55-5f3c2ad4b0ff".`},
	apierr.NoToolpaths: {"No toolpaths of the plan have been calculated, or not by this job.",
		"No toolpaths of the plan have been calculated yet."},
	apierr.NoSetup: {"The program has no such setup.", "The program has 2 setups, and none 3."},
	apierr.PartNotReady: {"The part has no result to plan with.",
		"The part is processing; it can be planned once it is ready."},
	apierr.JobFinished: {"The job is in a state that does not allow it: one that ended cannot be cancelled, only one that " +
		"failed can be tried again.", "Job 0198c1c0-7d3a-7e21-9f55-5f3c2ad4b002 cannot be cancelled: it has succeeded."},
	apierr.ProgramNotReady: {"The program is not ready, or has failed.",
		"The program is processing; there is no g-code of it."},
	apierr.NotAllowed: {"The path does not offer this method.", "This method is not offered here; use GET."},
	apierr.PartNotUploaded: {"The file has not been uploaded yet.",
		"The file has not been uploaded yet; PUT it to the upload address first."},
	apierr.UploadClosed: {"The upload was completed; the file of the part stays as it is.",
		"The upload of part 0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001 is complete; its file stays as it is."},
	apierr.PayloadTooLarge: {"The body is larger than this request may be.",
		"The body is larger than this request may be."},
	apierr.MediaType: {"The body is of a type that this request does not take.",
		"The body must be JSON: send Content-Type: application/json."},
	apierr.KeyReused: {"The Idempotency-Key was sent before with another request.",
		"This Idempotency-Key was used with another body; use a new one."},
	apierr.InProgress: {"The first request with this Idempotency-Key is still running.",
		"The first request with this Idempotency-Key is still running; try again."},
	apierr.RateLimited: {"The team's next slot has not opened yet, or too many of its jobs wait.",
		"Parts are created at most every 2 s; the next can be in 2 s."},
	apierr.QuotaExceeded: {"The team has all that its quota of bytes, projects or queued jobs allows; it makes room, or " +
		"gets a larger quota, before the request is sent again.",
		"The quota of the team is 20 projects; it has 20, and this request needs 1 more. Put parts into the projects " +
			"that there are, or ask for a larger quota."},
	apierr.Changed: {"The record is not the one that If-Match names: someone changed it.",
		"The cut config has changed since it was read; read it again to see what it is now."},
	apierr.Internal: {"Something went wrong on our side.",
		"Something went wrong on our side; the request can be repeated."},
	apierr.Unavailable: {"A dependency of the service does not answer now; try again.",
		"The service cannot do this now; try again in a moment."},
}

// Meaning returns the meaning of a code, and an example of its detail.
func Meaning(code apierr.Code) (meaning, example string) {
	return when[code].meaning, when[code].detail
}

// shared is the responses that are the same in all operations, by status.
var shared = map[int]struct {
	name, about string
	codes       []apierr.Code
}{
	http.StatusUnauthorized: {"Unauthorized", "The key is missing or cannot be used.",
		[]apierr.Code{apierr.MissingKey, apierr.InvalidKey, apierr.RevokedKey, apierr.ExpiredKey}},
	http.StatusRequestEntityTooLarge: {"PayloadTooLarge", "The body is too large.",
		[]apierr.Code{apierr.PayloadTooLarge}},
	http.StatusUnsupportedMediaType: {"UnsupportedMediaType", "The type of the body is not accepted.",
		[]apierr.Code{apierr.MediaType}},
	http.StatusTooManyRequests: {"TooManyRequests", "The request exceeds a rate limit or quota of the team.",
		[]apierr.Code{apierr.QuotaExceeded, apierr.RateLimited}},
	http.StatusInternalServerError: {"InternalError", "Unexpected error of the service.",
		[]apierr.Code{apierr.Internal}},
	http.StatusServiceUnavailable: {"Unavailable", "The service cannot answer now.",
		[]apierr.Code{apierr.Unavailable}},
}

// exampleRequest is the id of a request in examples.
const exampleRequest = "QDYRSIQWA6TGT2PWVX2BTLBO5M"

// components adds the example of every code and the shared responses.
func (c *completion) components() {
	parts := c.doc.Components
	parts.Examples = map[string]*huma.Example{}
	for code, status := range c.StatusOf {
		text := when[code]
		parts.Examples[string(code)] = &huma.Example{
			Summary: text.meaning, Value: problem.New(status, string(code), text.detail).At(c.BaseURL).In(exampleRequest),
		}
	}
	parts.Responses = map[string]*huma.Response{}
	parts.Headers = map[string]*huma.Header{}
	for name, h := range headers {
		parts.Headers[name] = &huma.Header{Description: h.about, Schema: h.schema, Example: h.example}
	}
}

// response is an error response with an example of each code.
func (c *completion) response(about string, codes []apierr.Code) *huma.Response {
	examples := map[string]*huma.Example{}
	var names []string
	for _, code := range codes {
		names = append(names, string(code))
		examples[string(code)] = &huma.Example{Ref: c.ref("examples", string(code))}
	}
	return &huma.Response{
		Description: about + " Codes: `" + strings.Join(names, "`, `") + "`.",
		Content: map[string]*huma.MediaType{problem.ContentType: {
			Schema: &huma.Schema{Ref: schemaPath + "Problem"}, Examples: examples,
		}},
	}
}

// errors adds the error responses of an operation: the stated ones and those implied by its parameters. A response that
// the operation describes itself stays.
func (c *completion) errors(op *huma.Operation) {
	byStatus := map[int][]apierr.Code{}
	for _, code := range c.codes(op) {
		status := c.StatusOf[code]
		if !slices.Contains(byStatus[status], code) {
			byStatus[status] = append(byStatus[status], code)
		}
	}
	for status, codes := range byStatus {
		key := strconv.Itoa(status)
		if _, own := op.Responses[key]; own {
			continue
		}
		slices.Sort(codes)
		if s, ok := shared[status]; ok && len(codes) == len(s.codes) {
			op.Responses[key] = &huma.Response{Ref: c.ref("responses", s.name)}
			if c.doc.Components.Responses[s.name] == nil {
				r := c.response(s.about, s.codes)
				c.headers(r, status)
				c.doc.Components.Responses[s.name] = r
			}
			continue
		}
		op.Responses[key] = c.response(statusText[status], codes)
		c.headers(op.Responses[key], status)
	}
}

var statusText = map[int]string{
	http.StatusBadRequest:         "The request is not as described.",
	http.StatusForbidden:          "The key lacks the access that this operation needs.",
	http.StatusNotFound:           "Something named does not exist.",
	http.StatusMethodNotAllowed:   "The record cannot be changed.",
	http.StatusConflict:           "The request conflicts with the current state.",
	http.StatusPreconditionFailed: "The record has changed since it was read.",
	http.StatusTooManyRequests:    "The request exceeds a quota of the team.",
}

// codes lists the error codes of an operation.
func (c *completion) codes(op *huma.Operation) []apierr.Code {
	stated, _ := op.Metadata[CodesKey].([]apierr.Code)
	codes := slices.Clone(stated)
	if len(op.Security) > 0 && op.Extensions["x-product"] != "public" {
		codes = append(codes, shared[http.StatusUnauthorized].codes...)
		if op.Extensions["x-product"] != "core" { // core read is always on
			codes = append(codes, apierr.ProductMismatch)
		}
		if op.Method != http.MethodGet {
			codes = append(codes, apierr.ReadOnlyKey)
		}
	}
	if op.Metadata[StaticKey] == nil { // elsewhere a query can be malformed
		codes = append(codes, apierr.InvalidRequest)
	}
	if op.RequestBody != nil {
		codes = append(codes, apierr.MediaType)
	}
	if op.Method != http.MethodGet {
		codes = append(codes, apierr.PayloadTooLarge) // a body is read even if the operation has no body
	}
	if slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "Idempotency-Key" }) {
		codes = append(codes, apierr.KeyReused, apierr.InProgress)
	}
	if op.Metadata[NoTroubleKey] == nil {
		codes = append(codes, apierr.Internal, apierr.Unavailable)
	}
	return codes
}

// headers are described once.
var headers = map[string]struct {
	about   string
	schema  *huma.Schema
	example any
}{
	"Location": {"Address of the new record; only on the first answer to a request, not on a replay.",
		&huma.Schema{Type: huma.TypeString, Format: "uri"},
		"https://millwright.example.com/parts/0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"},
	"Retry-After": {"Whole seconds to wait before the request is sent again, or after a 202 before the first poll.",
		&huma.Schema{Type: huma.TypeInteger, Minimum: new(float64)}, 2},
	"Link": {"Address to poll for the state of the work (relation status, RFC 8631).",
		&huma.Schema{Type: huma.TypeString},
		`<https://millwright.example.com/v1/jobs/0198c1c0-7d3a-7e21-9f55-5f3c2ad4b002>; rel="status"`},
	"RateLimit": {"State of the team's rate limit (IETF draft): r is the number of requests that may be sent " +
		"now, t the seconds until the next slot opens.",
		&huma.Schema{Type: huma.TypeString}, `"parts";r=0;t=2`},
	"RateLimit-Policy": {"The rate limit (IETF draft): q requests in w seconds.",
		&huma.Schema{Type: huma.TypeString}, `"parts";q=1;w=2`},
	"Allow":            {"The allowed methods.", &huma.Schema{Type: huma.TypeString}, "GET"},
	"WWW-Authenticate": {"How to authenticate.", &huma.Schema{Type: huma.TypeString}, "Bearer"},
}

// sent are the headers of error responses, by status.
var sent = map[int][]string{
	http.StatusUnauthorized:       {"WWW-Authenticate"},
	http.StatusMethodNotAllowed:   {"Allow"},
	http.StatusConflict:           {"Retry-After"}, // while the first of two equal requests runs
	http.StatusTooManyRequests:    {"Retry-After", "RateLimit", "RateLimit-Policy"},
	http.StatusServiceUnavailable: {"Retry-After"},
}

// headers refers to the described headers of a response.
func (c *completion) headers(r *huma.Response, status int) {
	names := slices.Concat(sent[status], slices.Sorted(maps.Keys(r.Headers)))
	for _, name := range names {
		if _, known := headers[name]; !known {
			continue
		}
		if r.Headers == nil {
			r.Headers = map[string]*huma.Param{}
		}
		r.Headers[name] = &huma.Param{Ref: c.ref("headers", name)}
	}
	if status < http.StatusBadRequest { // huma lists the headers of an operation at its success
		delete(r.Headers, "WWW-Authenticate")
	}
}

// ref returns a reference to a component, and keeps the component in the description.
func (c *completion) ref(kind, name string) string {
	path := "#/components/" + kind + "/" + name
	c.used[path] = true
	return path
}

// prune removes components that nothing refers to.
func (c *completion) prune() {
	parts := c.doc.Components
	maps.DeleteFunc(parts.Examples, func(name string, _ *huma.Example) bool {
		return !c.used["#/components/examples/"+name]
	})
	maps.DeleteFunc(parts.Headers, func(name string, _ *huma.Header) bool {
		return !c.used["#/components/headers/"+name]
	})
}
