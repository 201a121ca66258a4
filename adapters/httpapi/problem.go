package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/refusal"
)

// Problem is the error body of every operation.
type Problem = problem.Problem

// statusOf maps the service's codes to HTTP once, here at the edge.
var statusOf = map[refusal.Code]int{
	refusal.InvalidRequest:    http.StatusBadRequest,
	refusal.UnsupportedFormat: http.StatusBadRequest,
	refusal.MissingKey:        http.StatusUnauthorized,
	refusal.InvalidKey:        http.StatusUnauthorized,
	refusal.RevokedKey:        http.StatusUnauthorized,
	refusal.ExpiredKey:        http.StatusUnauthorized,
	refusal.ProductMismatch:   http.StatusForbidden,
	refusal.ReadOnlyKey:       http.StatusForbidden,
	refusal.AddressExpired:    http.StatusForbidden,
	refusal.InvalidSignature:  http.StatusForbidden,
	refusal.NotFound:          http.StatusNotFound,
	refusal.NoResult:          http.StatusNotFound,
	refusal.NoThumbnail:       http.StatusNotFound,
	refusal.FeatureNotFound:   http.StatusNotFound,
	refusal.NoToolpaths:       http.StatusNotFound,
	refusal.NoSetup:           http.StatusNotFound,
	refusal.NotAllowed:        http.StatusMethodNotAllowed,
	refusal.PartNotUploaded:   http.StatusConflict,
	refusal.UploadClosed:      http.StatusConflict,
	refusal.PartNotReady:      http.StatusConflict,
	refusal.JobFinished:       http.StatusConflict,
	refusal.ProgramNotReady:   http.StatusConflict,
	refusal.KeyReused:         http.StatusConflict,
	refusal.InProgress:        http.StatusConflict,
	refusal.RateLimited:       http.StatusTooManyRequests,
	refusal.QuotaExceeded:     http.StatusTooManyRequests,
	refusal.PayloadTooLarge:   http.StatusRequestEntityTooLarge,
	refusal.MediaType:         http.StatusUnsupportedMediaType,
	refusal.Internal:          http.StatusInternalServerError,
	refusal.Unavailable:       http.StatusServiceUnavailable,
}

// codeOf is the code of an error that HTTP itself raised, by status.
var codeOf = map[int]refusal.Code{
	http.StatusBadRequest:            refusal.InvalidRequest,
	http.StatusUnprocessableEntity:   refusal.InvalidRequest,
	http.StatusNotFound:              refusal.NotFound,
	http.StatusMethodNotAllowed:      refusal.NotAllowed,
	http.StatusNotAcceptable:         refusal.InvalidRequest,
	http.StatusRequestEntityTooLarge: refusal.PayloadTooLarge,
	http.StatusUnsupportedMediaType:  refusal.MediaType,
	http.StatusRequestTimeout:        refusal.InvalidRequest,
	http.StatusServiceUnavailable:    refusal.Unavailable,
}

// internalDetail is all that a client is told of an error of ours.
const internalDetail = "Something went wrong on our side; the request can be repeated."

// newProblem builds the body of an error with the given code. Its type is relative until At.
func newProblem(code refusal.Code, detail string) *Problem {
	status, known := statusOf[code]
	if !known {
		code, status = refusal.Internal, http.StatusInternalServerError
	}
	return problem.New(status, string(code), detail)
}

// fail turns an error of a use case into its problem. Anything that is not a refusal.Error is answered without
// its text, which may name things a client must not see; it is the problem's cause, for the log.
func (a *api) fail(err error) error {
	var se *refusal.Error
	if errors.As(err, &se) {
		p := newProblem(se.Code, se.Detail)
		if se.RetryAfter > 0 {
			return slowDown(p, se, err)
		}
		if se.Code == refusal.NotAllowed {
			return huma.ErrorWithHeaders(p, http.Header{"Allow": {http.MethodGet}})
		}
		return p
	}
	if a.unavailable(err) {
		p := newProblem(refusal.Unavailable, unavailableDetail)
		p.Cause = err
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {retryAfter}})
	}
	p := newProblem(refusal.Internal, internalDetail)
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
func (a *api) writeProblem(w http.ResponseWriter, r *http.Request, code refusal.Code, detail string) {
	newProblem(code, detail).At(a.config.BaseURL).In(RequestID(r.Context())).Write(w)
}
