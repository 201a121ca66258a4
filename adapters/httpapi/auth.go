package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
)

// product is the area of an operation in the access grid, and its x-product marker.
type product string

const (
	public  product = "public" // needs no access to any area
	core    product = "core"
	dfm     product = "dfm"
	quoting product = "quoting"
)

// productKey is the key of an operation's product in its metadata.
const productKey = "product"

type callerKey struct{}

// caller returns who sends the request; authenticate put it there.
func caller(ctx context.Context) account.Caller {
	c, _ := ctx.Value(callerKey{}).(account.Caller)
	return c
}

// bearer returns the key of the Authorization header, "" without a header or with more than one.
func bearer(headers []string) string {
	if len(headers) != 1 {
		return ""
	}
	scheme, key, ok := strings.Cut(headers[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

type actingKey struct{}

// WithCaller returns the context of a request whose caller is known without a key text: the API then ignores the key in
// its header. Only a handler that has identified the caller may call it.
func WithCaller(ctx context.Context, c account.Caller) context.Context {
	return context.WithValue(ctx, actingKey{}, c)
}

// identify returns the caller of WithCaller, or else of the key in the header.
func (a *api) identify(ctx context.Context, text string) (account.Caller, error) {
	if c, ok := ctx.Value(actingKey{}).(account.Caller); ok {
		return c, nil
	}
	return a.keyed(ctx, text)
}

type bearerKey struct{}

// sentKey returns the key in a request of a public operation, "" without a key.
func sentKey(ctx context.Context) string {
	text, _ := ctx.Value(bearerKey{}).(string)
	return text
}

// authenticate accepts a request if its key is usable and the access grid allows the operation: GET reads, every other
// method writes.
func (a *api) authenticate(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	text := bearer(r.Header.Values("Authorization"))
	exchange := exchangeOf(r.Context())
	exchange.Route = ctx.Operation().Path
	area, _ := ctx.Operation().Metadata[productKey].(product)
	if area == public {
		a.allowOriginOfKey(w.Header(), r)
		next(huma.WithValue(ctx, bearerKey{}, text))
		return
	}
	c, err := a.identify(ctx.Context(), text)
	if err == nil {
		exchange.TeamID, exchange.KeyID = c.TeamID, c.KeyID
		allowOrigin(w.Header(), r, c)
		err = c.Allow(account.Area(area), ctx.Method() != http.MethodGet)
	}
	if err != nil {
		a.refuse(ctx, err)
		return
	}
	next(huma.WithValue(ctx, callerKey{}, c))
}

// refuse answers a request before its operation runs.
func (a *api) refuse(ctx huma.Context, err error) {
	var p *Problem
	if !errors.As(a.fail(err), &p) {
		p = newProblem(apierr.Internal, internalDetail)
	}
	a.logCause(ctx.Context(), p)
	switch p.Status {
	case http.StatusUnauthorized:
		ctx.SetHeader("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		ctx.SetHeader("Retry-After", retryAfter)
	}
	r, w := humamux.Unwrap(ctx)
	a.writeProblem(w, r, apierr.Code(p.Code), p.Detail)
}
