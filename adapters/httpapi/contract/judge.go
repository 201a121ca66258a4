package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi-validator/errors"
)

const problemType = "application/problem+json"

// Exchange is a request and its answer with their bodies.
type Exchange struct {
	Request     *http.Request
	RequestBody []byte
	Response    *http.Response
	Body        []byte
}

// carried is the headers that any response may have: headers of the transport and for browsers.
var carried = []string{
	"Content-Type", "Content-Length", "Date", "Connection", "Vary", "Cache-Control", "X-Content-Type-Options",
	"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "X-Request-Id", "Transfer-Encoding",
}

// Problem is the checked fields of an error body.
type Problem struct {
	Type, Title, Detail, Code, Instance string
	Status                              int
}

// CodeOf returns the code of a problem, "" for other responses.
func CodeOf(e Exchange) string {
	var p Problem
	if e.Response.Header.Get("Content-Type") == problemType && json.Unmarshal(e.Body, &p) == nil {
		return p.Code
	}
	return ""
}

// Request returns the defects of a request, nil if it matches the description. Keys are not checked.
func (c *Contract) Request(e Exchange) []string {
	if op, _ := c.Find(e.Request.Method, e.Request.URL.EscapedPath()); op == nil {
		return []string{"the request is not described"}
	}
	_, errs := c.judge.ValidateHttpRequestSync(e.request())
	return sentences(errs)
}

// Answer returns the defects of a response, nil if it matches the description.
func (c *Contract) Answer(e Exchange) []string {
	op, allowed := c.Find(e.Request.Method, e.Request.URL.EscapedPath())
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	status, media := e.Response.StatusCode, e.Response.Header.Get("Content-Type")
	if status >= http.StatusBadRequest && media == problemType {
		wrong = append(wrong, c.problem(e)...)
	}
	if get, _ := c.Find(http.MethodGet, e.Request.URL.EscapedPath()); get != nil && e.Request.Method == http.MethodHead {
		if _, ok := get.Answers[status]; !ok || len(e.Body) > 0 {
			add("HEAD gives status %d and a body of %d bytes; it is to be as %s, without the body", status, len(e.Body), get.ID)
		}
		return wrong
	}
	if op == nil {
		return append(wrong, outside(e, allowed)...)
	}
	said, ok := op.Answers[status]
	if !ok {
		add("status %d is not described for %s", status, op.ID)
		return wrong
	}
	if !slices.Contains(said.Media, media) && (media != "" || len(said.Media) > 0) {
		add("content type %q is none of %q", media, said.Media)
	}
	for name, values := range e.Response.Header {
		kind, described := said.Headers[name]
		if !described && !slices.Contains(carried, name) {
			add("header %s is not described for %s %d", name, op.ID, status)
		}
		if _, err := strconv.ParseInt(values[0], 10, 64); kind == "integer" && err != nil {
			add("header %s is %q, no integer", name, values[0])
		}
	}
	if len(said.Media) > 0 && len(e.Body) == 0 {
		add("there is no body, want %v", said.Media)
	}
	if code := CodeOf(e); code != "" && !slices.Contains(said.Codes, code) {
		add("code %s is none of %v", code, said.Codes)
	}
	asked := e.request()
	asked.URL = &url.URL{Path: parameter.ReplaceAllString(op.Path, "x")} // the request itself is not checked here
	_, errs := c.judge.ValidateHttpResponse(asked, e.response())
	return append(wrong, sentences(errs)...)
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// outside judges the answer to a request that is not described: the path does not exist or does not offer
// the method. An OPTIONS request is a browser's preflight.
func outside(e Exchange, allowed []string) []string {
	status, code := e.Response.StatusCode, CodeOf(e)
	switch {
	case e.Request.Method == http.MethodOptions && status == http.StatusNoContent && len(e.Body) == 0:
		return nil
	case len(allowed) == 0 && status == http.StatusNotFound &&
		(code == "not_found" || e.Request.Method == http.MethodHead):
		return nil
	case len(allowed) > 0 && status == http.StatusMethodNotAllowed &&
		(code == "method_not_allowed" || e.Request.Method == http.MethodHead):
		listed := strings.Split(e.Response.Header.Get("Allow"), ", ")
		slices.Sort(listed)
		want := slices.Sorted(slices.Values(allowed))
		if !slices.Equal(listed, want) {
			return []string{fmt.Sprintf("Allow is %v, the description offers %v", listed, want)}
		}
		return nil
	}
	return []string{fmt.Sprintf("status %d, code %q for a request that is not described", status, code)}
}

// problem checks the body of an error, independent of the operation.
func (c *Contract) problem(e Exchange) []string {
	var p Problem
	if err := json.Unmarshal(e.Body, &p); err != nil {
		if e.Request.Method == http.MethodHead {
			return nil
		}
		return []string{"the problem does not decode: " + err.Error()}
	}
	var wrong []string
	if p.Status != e.Response.StatusCode {
		wrong = append(wrong, fmt.Sprintf("the problem says %d, the answer %d", p.Status, e.Response.StatusCode))
	}
	if want := c.base + "/problems/" + strings.ReplaceAll(p.Code, "_", "-"); p.Type != want {
		wrong = append(wrong, fmt.Sprintf("type %q, want %q", p.Type, want))
	}
	if p.Title == "" || p.Detail == "" {
		wrong = append(wrong, "the problem has no title or no detail")
	}
	// The response to a repetition is the first response, with the first request's id.
	id, repeated := e.Response.Header.Get("X-Request-Id"), e.Request.Header.Get("Idempotency-Key") != ""
	if want := "urn:request:" + id; id != "" && p.Instance != want && !repeated {
		wrong = append(wrong, fmt.Sprintf("instance %q, want %q", p.Instance, want))
	}
	return wrong
}

// request is the request as the validator takes it: its body unread.
func (e Exchange) request() *http.Request {
	r := e.Request.Clone(e.Request.Context())
	r.Body = io.NopCloser(bytes.NewReader(e.RequestBody))
	r.ContentLength = int64(len(e.RequestBody))
	if len(e.RequestBody) == 0 {
		r.Body = http.NoBody
		r.Header.Del("Content-Type")
	}
	return r
}

func (e Exchange) response() *http.Response {
	r := *e.Response
	r.Header = e.Response.Header.Clone()
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil {
		r.Header.Set("Content-Type", kind)
	}
	r.Body = io.NopCloser(bytes.NewReader(e.Body))
	return &r
}

func sentences(errs []*errors.ValidationError) []string {
	var out []string
	for _, err := range errs {
		text := err.Message + ": " + err.Reason
		for _, s := range err.SchemaValidationErrors {
			text += "; " + s.FieldPath + " " + s.Reason
		}
		out = append(out, text)
	}
	return out
}
