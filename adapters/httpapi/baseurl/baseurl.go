// Package baseurl writes the service's address into responses, as the requesting client reaches it.
//
// If operators configure one public address (serve --public-url), every response contains it, and this package is
// unused. Otherwise clients reach the service at several addresses: by name, by number, through a proxy. Responses are
// then made, stored and shared with Placeholder as the base, and Handler replaces it by the request's base in each
// response. So data from one client cannot appear in a response to another, whichever asked first. Each process chooses
// a new Placeholder and never sends it, so no client text can contain it. Data that outlives a process is stored with
// Seal.
//
// Rule determines the base of a request. Signatures of object addresses do not cover the base.
package baseurl

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
)

// Placeholder replaces the base in addresses that several requests share.
var Placeholder = "http://" + strings.ToLower(rand.Text()) + ".invalid"

// sealed replaces the base in JSON that other processes read. JSON never contains this byte, since it escapes it in
// texts.
const sealed = "\x00"

// Seal is a JSON text as it can be stored, never nil.
func Seal(text []byte) []byte {
	return append([]byte{}, bytes.ReplaceAll(text, []byte(Placeholder), []byte(sealed))...)
}

// Unseal returns the original of a sealed text with base in place: Placeholder, or the base of all requests.
func Unseal(text []byte, base string) []byte {
	return bytes.ReplaceAll(text, []byte(sealed), []byte(base))
}

// Handler puts the base of each request into the answer of next, which has Placeholder there: into the header, and
// into the body where that is JSON. A request without a base is answered 400.
func Handler(next http.Handler, rule Rule) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		base, err := rule.Base(r)
		var refused *apierr.Error
		if errors.As(err, &refused) {
			problem.New(http.StatusBadRequest, string(refused.Code), refused.Detail).
				At(own(r)).In(w.Header().Get(problem.RequestIDHeader)).Write(w)
			return
		}
		a := &answer{ResponseWriter: w, base: base, proxied: len(rule.Trusted) > 0}
		next.ServeHTTP(a, r.WithContext(context.WithValue(r.Context(), baseKey{}, base)))
		a.send()
	})
}

type baseKey struct{}

// Of returns the base of the request that a context belongs to, "" outside of Handler.
func Of(ctx context.Context) string {
	base, _ := ctx.Value(baseKey{}).(string)
	return base
}

// answer is a response that buffers its JSON until it is complete.
type answer struct {
	http.ResponseWriter
	base    string
	proxied bool // the base may depend on proxy headers
	status  int
	held    bool
	text    bytes.Buffer
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if status < http.StatusOK {
		a.ResponseWriter.WriteHeader(status)
		return
	}
	if a.status != 0 {
		return
	}
	a.status = status
	h := a.Header()
	for _, values := range h {
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], Placeholder, a.base)
		}
	}
	if a.proxied {
		h.Add("Vary", "Forwarded, X-Forwarded-Host, X-Forwarded-Proto")
	}
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if a.held = kind == "application/json" || kind == problem.ContentType; !a.held {
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.held {
		return a.text.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// send sends the buffered response.
func (a *answer) send() {
	if !a.held {
		return
	}
	text := bytes.ReplaceAll(a.text.Bytes(), []byte(Placeholder), []byte(a.base))
	if len(text) > 0 {
		a.Header().Set("Content-Length", strconv.Itoa(len(text)))
	}
	a.ResponseWriter.WriteHeader(a.status)
	if len(text) > 0 {
		_, _ = a.ResponseWriter.Write(text) // the client has gone when this fails
	}
}
