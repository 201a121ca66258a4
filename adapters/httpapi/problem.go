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
var statusOf = map[service.Code]int{
	service.CodeInvalidRequest:    http.StatusBadRequest,
	service.CodeUnsupportedFormat: http.StatusBadRequest,
	service.CodeMissingKey:        http.StatusUnauthorized,
	service.CodeInvalidKey:        http.StatusUnauthorized,
	service.CodeRevokedKey:        http.StatusUnauthorized,
	service.CodeExpiredKey:        http.StatusUnauthorized,
	service.CodeProductMismatch:   http.StatusForbidden,
	service.CodeReadOnlyKey:       http.StatusForbidden,
	service.CodeNotFound:          http.StatusNotFound,
	service.CodeNoResult:          http.StatusNotFound,
	service.CodeNoThumbnail:       http.StatusNotFound,
	service.CodeFeatureNotFound:   http.StatusNotFound,
	service.CodeNotAllowed:        http.StatusMethodNotAllowed,
	service.CodePartNotUploaded:   http.StatusConflict,
	service.CodeKeyReused:         http.StatusConflict,
	service.CodeInProgress:        http.StatusConflict,
	service.CodeRateLimited:       http.StatusTooManyRequests,
	service.CodePayloadTooLarge:   http.StatusRequestEntityTooLarge,
	service.CodeMediaType:         http.StatusUnsupportedMediaType,
	service.CodeInternal:          http.StatusInternalServerError,
	service.CodeUnavailable:       http.StatusServiceUnavailable,
}

// codeOf is the code of an error that HTTP itself raised, by status.
var codeOf = map[int]service.Code{
	http.StatusBadRequest:            service.CodeInvalidRequest,
	http.StatusUnprocessableEntity:   service.CodeInvalidRequest,
	http.StatusNotFound:              service.CodeNotFound,
	http.StatusMethodNotAllowed:      service.CodeNotAllowed,
	http.StatusNotAcceptable:         service.CodeInvalidRequest,
	http.StatusRequestEntityTooLarge: service.CodePayloadTooLarge,
	http.StatusUnsupportedMediaType:  service.CodeMediaType,
	http.StatusRequestTimeout:        service.CodeInvalidRequest,
	http.StatusServiceUnavailable:    service.CodeUnavailable,
}

// internalDetail is all that a client is told of an error of ours.
const internalDetail = "Something went wrong on our side; the request can be repeated."

// newProblem builds the body of an error with the given code. Its type is relative until At.
func newProblem(code service.Code, detail string) *Problem {
	status, known := statusOf[code]
	if !known {
		code, status = service.CodeInternal, http.StatusInternalServerError
	}
	return problem.New(status, string(code), detail)
}

// fail turns an error of a use case into its problem. Anything that is not a service.Error is answered without
// its text, which may name things a client must not see; it is the problem's cause, for the log.
func (a *api) fail(err error) error {
	var se *service.Error
	if errors.As(err, &se) {
		p := newProblem(se.Code, se.Detail)
		if se.RetryAfter > 0 {
			return slowDown(p, se)
		}
		if se.Code == service.CodeNotAllowed {
			return huma.ErrorWithHeaders(p, http.Header{"Allow": {http.MethodGet}})
		}
		return p
	}
	if a.unavailable(err) {
		p := newProblem(service.CodeUnavailable, unavailableDetail)
		p.Cause = err
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {retryAfter}})
	}
	p := newProblem(service.CodeInternal, internalDetail)
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
func (a *api) writeProblem(w http.ResponseWriter, r *http.Request, code service.Code, detail string) {
	newProblem(code, detail).At(a.config.BaseURL).In(RequestID(r.Context())).Write(w)
}
