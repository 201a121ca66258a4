package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// Problem is the error body of every operation.
type Problem = problem.Problem

// statusOf maps the service's codes to HTTP once, here at the edge.
var statusOf = map[apierr.Code]int{
	apierr.InvalidRequest:    http.StatusBadRequest,
	apierr.UnsupportedFormat: http.StatusBadRequest,
	apierr.MissingKey:        http.StatusUnauthorized,
	apierr.InvalidKey:        http.StatusUnauthorized,
	apierr.RevokedKey:        http.StatusUnauthorized,
	apierr.ExpiredKey:        http.StatusUnauthorized,
	apierr.ProductMismatch:   http.StatusForbidden,
	apierr.ReadOnlyKey:       http.StatusForbidden,
	apierr.AddressExpired:    http.StatusForbidden,
	apierr.InvalidSignature:  http.StatusForbidden,
	apierr.NotFound:          http.StatusNotFound,
	apierr.NoResult:          http.StatusNotFound,
	apierr.NoThumbnail:       http.StatusNotFound,
	apierr.FeatureNotFound:   http.StatusNotFound,
	apierr.NoToolpaths:       http.StatusNotFound,
	apierr.NoSetup:           http.StatusNotFound,
	apierr.NotAllowed:        http.StatusMethodNotAllowed,
	apierr.PartNotUploaded:   http.StatusConflict,
	apierr.UploadClosed:      http.StatusConflict,
	apierr.PartNotReady:      http.StatusConflict,
	apierr.JobFinished:       http.StatusConflict,
	apierr.ProgramNotReady:   http.StatusConflict,
	apierr.KeyReused:         http.StatusConflict,
	apierr.InProgress:        http.StatusConflict,
	apierr.RateLimited:       http.StatusTooManyRequests,
	apierr.QuotaExceeded:     http.StatusTooManyRequests,
	apierr.Changed:           http.StatusPreconditionFailed,
	apierr.PayloadTooLarge:   http.StatusRequestEntityTooLarge,
	apierr.MediaType:         http.StatusUnsupportedMediaType,
	apierr.Internal:          http.StatusInternalServerError,
	apierr.Unavailable:       http.StatusServiceUnavailable,
}

// codeOf is the code of an error that HTTP itself raised, by status.
var codeOf = map[int]apierr.Code{
	http.StatusBadRequest:            apierr.InvalidRequest,
	http.StatusUnprocessableEntity:   apierr.InvalidRequest,
	http.StatusNotFound:              apierr.NotFound,
	http.StatusMethodNotAllowed:      apierr.NotAllowed,
	http.StatusNotAcceptable:         apierr.InvalidRequest,
	http.StatusRequestEntityTooLarge: apierr.PayloadTooLarge,
	http.StatusUnsupportedMediaType:  apierr.MediaType,
	http.StatusRequestTimeout:        apierr.InvalidRequest,
	http.StatusServiceUnavailable:    apierr.Unavailable,
}

// internalDetail is the only detail that a client gets about an internal error.
const internalDetail = "Something went wrong on our side; the request can be repeated."

// newProblem builds the body of an error with the given code. Its type is relative until At.
func newProblem(code apierr.Code, detail string) *Problem {
	status, known := statusOf[code]
	if !known {
		code, status = apierr.Internal, http.StatusInternalServerError
	}
	return problem.New(status, string(code), detail)
}

// problemOf is the problem of an error that the client can act on.
func problemOf(err *apierr.Error) *Problem {
	p := newProblem(err.Code, err.Detail)
	p.Errors = err.Faults
	return p
}

// ProblemOf returns the problem of an error of a use case, as every operation does, for handlers outside of the API.
// health is asked whether the service can work now.
func ProblemOf(err error, health record.Pinger) *Problem {
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return problemOf(refused)
	}
	p := newProblem(apierr.Internal, internalDetail)
	if unavailable(err, health) {
		p = newProblem(apierr.Unavailable, unavailableDetail)
	}
	p.Cause = err
	return p
}

// fail converts an error of a use case into its problem. The text of an error other than apierr.Error is not sent,
// since it may contain internal data; it is the problem's cause, for the log.
func (a *api) fail(err error) error {
	var se *apierr.Error
	if errors.As(err, &se) {
		p := problemOf(se)
		if se.RetryAfter > 0 {
			return slowDown(p, se, err)
		}
		if se.Code == apierr.NotAllowed {
			return huma.ErrorWithHeaders(p, http.Header{"Allow": {http.MethodGet}})
		}
		return p
	}
	if a.unavailable(err) {
		p := newProblem(apierr.Unavailable, unavailableDetail)
		p.Cause = err
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {retryAfter}})
	}
	p := newProblem(apierr.Internal, internalDetail)
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
func (a *api) writeProblem(w http.ResponseWriter, r *http.Request, code apierr.Code, detail string) {
	newProblem(code, detail).At(a.config.BaseURL).In(RequestID(r.Context())).Write(w)
}
