package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright/adapters/problem"
	"millwright/core/service"
)

// Problem is the error body of every operation.
type Problem = problem.Problem

// statusOf maps the service's codes to HTTP once, here at the edge.
var statusOf = map[string]int{
	"invalid_request":         http.StatusBadRequest,
	"unsupported_format":      http.StatusBadRequest,
	"missing_api_key":         http.StatusUnauthorized,
	"invalid_api_key":         http.StatusUnauthorized,
	"revoked_api_key":         http.StatusUnauthorized,
	"expired_api_key":         http.StatusUnauthorized,
	"product_mismatch":        http.StatusForbidden,
	"read_only_key":           http.StatusForbidden,
	"not_found":               http.StatusNotFound,
	"no_result":               http.StatusNotFound,
	"no_thumbnail":            http.StatusNotFound,
	"feature_not_found":       http.StatusNotFound,
	"method_not_allowed":      http.StatusMethodNotAllowed,
	"part_not_uploaded":       http.StatusConflict,
	"part_not_ready":          http.StatusConflict,
	"idempotency_key_reused":  http.StatusConflict,
	"idempotency_in_progress": http.StatusConflict,
	"rate_limited":            http.StatusTooManyRequests,
	"payload_too_large":       http.StatusRequestEntityTooLarge,
	"unsupported_media_type":  http.StatusUnsupportedMediaType,
	"internal_error":          http.StatusInternalServerError,
	"unavailable":             http.StatusServiceUnavailable,
}

// codeOf is the code of an error that HTTP itself raised, by status.
var codeOf = map[int]string{
	http.StatusBadRequest:            "invalid_request",
	http.StatusUnprocessableEntity:   "invalid_request",
	http.StatusNotFound:              "not_found",
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusNotAcceptable:         "invalid_request",
	http.StatusRequestEntityTooLarge: "payload_too_large",
	http.StatusUnsupportedMediaType:  "unsupported_media_type",
	http.StatusRequestTimeout:        "invalid_request",
	http.StatusServiceUnavailable:    "unavailable",
}

// internalDetail is all that a client is told of an error of ours.
const internalDetail = "Something went wrong on our side; the request can be repeated."

// newProblem builds the body of an error with the given code. Its type is relative until At.
func newProblem(code, detail string) *Problem {
	status, known := statusOf[code]
	if !known {
		code, status = "internal_error", http.StatusInternalServerError
	}
	return problem.New(status, code, detail)
}

// fail turns an error of a use case into its problem. Anything that is not a service.Error is answered without
// its text, which may name things a client must not see; it is the problem's cause, for the log.
func (a *api) fail(err error) error {
	var se *service.Error
	if errors.As(err, &se) {
		p := newProblem(string(se.Code), se.Detail)
		if se.RetryAfter > 0 {
			return slowDown(p, se)
		}
		if se.Code == service.CodeNotChangeable {
			return huma.ErrorWithHeaders(p, http.Header{"Allow": {http.MethodGet}})
		}
		return p
	}
	if a.unavailable(err) {
		p := newProblem("unavailable", unavailableDetail)
		p.Cause = err
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {retryAfter}})
	}
	p := newProblem("internal_error", internalDetail)
	p.Cause = err
	return p
}

// logCause writes down why a request failed that should not have.
func (a *api) logCause(ctx context.Context, p *Problem) {
	if p.Cause != nil {
		a.config.Logger.Error("request failed", "request", RequestID(ctx), "error", p.Cause)
	}
}

// writeProblem answers a request that huma never saw.
func (a *api) writeProblem(w http.ResponseWriter, r *http.Request, code, detail string) {
	newProblem(code, detail).At(a.config.BaseURL).In(RequestID(r.Context())).Write(w)
}
