package httpapi

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

// This file contains the steps for every request and response, independent of the operation.

const bodyLimit = 1 << 20 // bytes of a body, unless the operation sets another limit

// edge gives every answer its headers, answers preflights, and answers 500 when a handler panics, which
// keeps the service running.
func (a *api) edge(router *mux.Router) http.Handler {
	known := newOrigins(a.use.Accounts, a.config.Logger)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p) // this panic aborts the connection on purpose
				}
				a.config.Logger.Error("handler panicked",
					"request", RequestID(r.Context()), "panic", p, "method", r.Method, "stack", string(debug.Stack()))
				a.writeProblem(w, r, apierr.Internal, internalDetail)
			}
		}()
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store") // records of one team, and addresses that carry permission
		h.Add("Vary", "Origin")
		if r.Method == http.MethodHead { // as GET; the server leaves the body out
			r = r.Clone(r.Context())
			r.Method = http.MethodGet
		}
		if r.Method == http.MethodOptions {
			if methods := methodsAt(router, r); len(methods) > 0 {
				known.preflight(w, r, methods)
				return
			}
		}
		router.ServeHTTP(w, r)
	})
}

// notFound answers 404, but redirects a browser at the root to the documentation.
func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" && r.Method == http.MethodGet {
		w.Header().Add("Vary", "Accept")
		if strings.Contains(r.Header.Get("Accept"), htmlType) {
			http.Redirect(w, r, a.config.BaseURL+"/docs", http.StatusFound)
			return
		}
	}
	a.writeProblem(w, r, apierr.NotFound, "There is nothing at this address.")
}

// methodsAt lists the methods that the path of a request offers.
func methodsAt(router *mux.Router, r *http.Request) []string {
	var offered []string
	for _, m := range []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		try := r.Clone(r.Context())
		try.Method = m
		var match mux.RouteMatch
		if router.Match(try, &match) && match.MatchErr == nil {
			offered = append(offered, m)
		}
	}
	return offered
}

// methodNotAllowed answers 405 with the Allow header that gorilla/mux leaves out.
func (a *api) methodNotAllowed(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		allowed := methodsAt(router, r)
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		a.writeProblem(w, r, apierr.NotAllowed,
			"This method is not offered here; use "+strings.Join(allowed, " or ")+".")
	})
}

// readQuery is the middleware that refuses repeated and unknown query parameters. huma would use the first value and
// ignore unknown ones.
func (a *api) readQuery(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		a.writeProblem(w, r, apierr.InvalidRequest, "The query of the address is not well formed.")
		return
	}
	var known []string
	for _, p := range ctx.Operation().Parameters {
		if p.In == "query" {
			known = append(known, p.Name)
		}
		if p.In == "query" && len(query[p.Name]) > 1 && p.Schema.Type != huma.TypeArray {
			a.writeProblem(w, r, apierr.InvalidRequest, p.Name+" is given more than once.")
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(known, name) {
			a.writeProblem(w, r, apierr.InvalidRequest,
				"There is no query parameter "+usertext.Quote(name)+" here"+meant(name, known))
			return
		}
	}
	next(ctx)
}

// meant ends a sentence on an unknown name with the nearest known name, or with all names if no name is near.
func meant(name string, known []string) string {
	if len(known) == 0 {
		return "; this operation has none."
	}
	if nearest := usertext.Nearest(name, known); nearest != "" {
		return "; is " + nearest + " meant?"
	}
	return "; known: " + strings.Join(known, ", ") + "."
}

// readBody is the middleware that reads the body of a write whole, before anything is decided on it, and refuses names
// in it that would be taken for others or passed over.
func (a *api) readBody(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	if r.Method == http.MethodGet {
		next(ctx)
		return
	}
	limit := ctx.Operation().MaxBodyBytes
	if limit <= 0 {
		limit = bodyLimit
	}
	// a client that waits for 100 Continue need not send the body
	if r.ContentLength > limit && r.Header.Get("Expect") != "" {
		a.writeProblem(w, r, apierr.PayloadTooLarge, sentenceOf(http.StatusRequestEntityTooLarge))
		return
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" && ctx.Operation().RequestBody != nil {
		a.writeProblem(w, r, apierr.MediaType, "The body must not be compressed: send it without Content-Encoding.")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		a.writeProblem(w, r, apierr.PayloadTooLarge, sentenceOf(http.StatusRequestEntityTooLarge))
	case err != nil:
		w.Header().Set("Connection", "close") // where the next request begins is not known
		a.writeProblem(w, r, apierr.InvalidRequest, "The body did not arrive whole; send the request again.")
	default:
		if wrong := a.wrongNames(r, ctx.Operation(), body); len(wrong) > 0 {
			a.writeProblem(w, r, apierr.InvalidRequest, joined(wrong))
			return
		}
		r = r.WithContext(ctx.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
		next(humamux.NewContext(ctx.Operation(), r, w))
	}
}
