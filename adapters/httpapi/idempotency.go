package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
)

// A write with an Idempotency-Key passes two points. First the middleware reads the body, whose hash identifies the
// request, and buffers the response. Then huma validates the request. Before it runs, the operation asks the use cases
// whether it should (once). Back in the middleware, the response is stored, before the client gets it, or the claim is
// dropped.

const idempotencyHeader = "Idempotency-Key"

// writes reports whether an operation changes something on behalf of a key.
func writes(op *huma.Operation) bool {
	area, _ := op.Metadata[productKey].(product)
	return op.Method != http.MethodGet && area != public
}

// register adds an operation. One that writes takes an Idempotency-Key.
func register[I, O any](a *api, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	if writes(&op) {
		longest := idempotency.MaxIdempotencyKey
		op.Parameters = append(slices.Clone(op.Parameters), &huma.Param{
			Name: idempotencyHeader, In: "header",
			Description: "A text of the client's choice, new for each new request. A repetition with the same key " +
				"within 24 hours is not carried out again: it gets the first status and body, without Location.",
			Schema: &huma.Schema{Type: huma.TypeString, MinLength: pointer(1), MaxLength: &longest},
		})
		handler = once(a, handler)
	}
	huma.Register(a.huma, op, anyCase(handler))
}

func pointer[T any](v T) *T { return &v }

// exchange is a request with an Idempotency-Key in the middleware.
type exchange struct {
	request idempotency.Request
	claim   *idempotency.Claim // nil until the operation was about to run
}

type exchangeKey struct{}

// errRepeated ends an operation with a stored response; the operation's own response is discarded. Each call returns a
// new error, because an error is completed for its request when it is sent.
func errRepeated() error { return newProblem(apierr.Internal, internalDetail) }

// once runs a handler only for the first of several equal requests.
func once[I, O any](
	a *api, handler func(context.Context, *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		x, _ := ctx.Value(exchangeKey{}).(*exchange)
		if x == nil {
			return handler(ctx, in)
		}
		claim, err := a.use.Requests.Claim(ctx, caller(ctx), x.request)
		if err != nil {
			return nil, a.fail(err)
		}
		if x.claim = claim; claim.Response != nil {
			return nil, errRepeated()
		}
		return handler(context.WithValue(ctx, callerKey{}, claim.Caller), in)
	}
}

// keepAnswers is the middleware of requests with an Idempotency-Key.
func (a *api) keepAnswers(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	keys := r.Header.Values(idempotencyHeader)
	if len(keys) == 0 || !writes(ctx.Operation()) {
		next(ctx)
		return
	}
	x := &exchange{request: idempotency.Request{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, IdempotencyKey: strings.Join(keys, ", "),
	}}
	r = r.WithContext(context.WithValue(ctx.Context(), exchangeKey{}, x))
	x.request.Body, _ = io.ReadAll(r.Body) // already in memory, see readBody
	r.Body = io.NopCloser(bytes.NewReader(x.request.Body))
	held := &heldAnswer{ResponseWriter: w, header: http.Header{}}
	settled := false
	defer func() { // also when the operation panics
		if x.claim != nil && x.claim.Response == nil && !settled {
			a.settle(ctx.Context(), x.claim, idempotency.StoredResponse{Status: http.StatusInternalServerError})
		}
	}()
	next(humamux.NewContext(ctx.Operation(), r, held))
	switch {
	case x.claim == nil: // refused before the claim
		held.send()
	case x.claim.Response != nil:
		a.repeat(w, x.claim.Response)
	default:
		settled = true
		a.settle(ctx.Context(), x.claim, held.answer())
		held.send()
	}
}

// settle ends a claim. It stores a response that a repetition would get again; responses for a failure of the service,
// or for a rejected request, are not stored.
func (a *api) settle(ctx context.Context, c *idempotency.Claim, answer idempotency.StoredResponse) {
	ctx = context.WithoutCancel(ctx) // the client may be gone, its repetition will come
	var err error
	switch s := answer.Status; {
	case s == http.StatusBadRequest || s == http.StatusTooManyRequests:
		err = c.Drop(ctx, true)
	case s >= http.StatusInternalServerError:
		err = c.Drop(ctx, false)
	default:
		err = c.Keep(ctx, answer)
	}
	if err != nil { // the claim expires on its own; until then repetitions must wait
		a.config.Logger.Error("end the claim of a request", "error", err)
	}
}

// repeat sends a stored response.
func (a *api) repeat(w http.ResponseWriter, answer *idempotency.StoredResponse) {
	if answer.ContentType != "" {
		w.Header().Set("Content-Type", answer.ContentType)
	}
	if answer.Link != "" {
		w.Header().Set("Link", string(baseurl.Unseal([]byte(answer.Link), a.config.BaseURL)))
	}
	if answer.Status == http.StatusAccepted {
		w.Header().Set("Retry-After", pollAfter)
	}
	w.WriteHeader(answer.Status)
	_, _ = w.Write(baseurl.Unseal(answer.Body, a.config.BaseURL)) // the client has gone when this fails
}

// heldAnswer is an answer that waits to be sent.
type heldAnswer struct {
	http.ResponseWriter // the connection, for deadlines
	header              http.Header
	status              int
	body                bytes.Buffer
}

// Unwrap lets http.ResponseController reach the connection.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Header implements http.ResponseWriter.
func (h *heldAnswer) Header() http.Header { return h.header }

// WriteHeader implements http.ResponseWriter.
func (h *heldAnswer) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write implements io.Writer.
func (h *heldAnswer) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(p)
}

func (h *heldAnswer) answer() idempotency.StoredResponse {
	return idempotency.StoredResponse{
		Status: h.status, ContentType: h.header.Get("Content-Type"), Body: baseurl.Seal(h.body.Bytes()),
		Link: string(baseurl.Seal([]byte(h.header.Get("Link")))),
	}
}

func (h *heldAnswer) send() {
	for name, values := range h.header {
		h.ResponseWriter.Header()[name] = values
	}
	h.ResponseWriter.WriteHeader(h.status)
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		return // the client has gone
	}
}
