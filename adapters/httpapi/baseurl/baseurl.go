// Package baseurl puts the address of the service into answers, as the client that asks reaches it.
//
// Where operators name one address for all (serve --public-url), that is in every answer, and this package has nothing
// to do. Else the same service is reached under several: by name, by number, through a proxy. Then everything is made,
// kept and shared with Placeholder for the base, and Handler puts in that of the request on the way out. So what one
// client says about itself cannot reach the answer of another one, whoever asked first. Placeholder is chosen anew by
// each process and never sent: no text of a client can hold it. What outlives a process is kept by Seal.
//
// The base of a request is found by Rule. Signatures of object addresses do not cover it.
package baseurl

import (
	"bytes"
	"crypto/rand"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
)

// Placeholder stands for the base of addresses that are not made for one request alone.
var Placeholder = "http://" + strings.ToLower(rand.Text()) + ".invalid"

// sealed stands for the base in JSON that other processes read. It is no byte of any JSON, which escapes it in texts.
const sealed = "\x00"

// Seal is a JSON text as it can be stored, never nil.
func Seal(text []byte) []byte {
	return append([]byte{}, bytes.ReplaceAll(text, []byte(Placeholder), []byte(sealed))...)
}

// Unseal is the text that was sealed, for a base: Placeholder, or that of all requests.
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
		next.ServeHTTP(a, r)
		a.send()
	})
}

// answer is an answer whose JSON is held back until it is whole.
type answer struct {
	http.ResponseWriter
	base    string
	proxied bool // the base may depend on what proxies say
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

// send sends what was held back.
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
