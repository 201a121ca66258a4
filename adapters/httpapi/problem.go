package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"millwright/core/service"
)

// Problem is the error body of every operation (RFC 9457), with a stable code for programs.
type Problem struct {
	Type     string `json:"type" format:"uri" doc:"Identifies the problem type."`
	Title    string `json:"title" doc:"Short human-readable summary."`
	Status   int    `json:"status" minimum:"400" maximum:"599" doc:"HTTP status."`
	Detail   string `json:"detail,omitempty" doc:"Explanation specific to this occurrence."`
	Instance string `json:"instance,omitempty" doc:"URI reference of this occurrence."`
	Code     string `json:"code" pattern:"^[a-z][a-z0-9_]*$" doc:"Stable machine-readable code."`
}

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// statusOf maps the service's codes to HTTP once, here at the edge.
var statusOf = map[string]int{
	"invalid_request":        http.StatusBadRequest,
	"unsupported_format":     http.StatusBadRequest,
	"missing_api_key":        http.StatusUnauthorized,
	"invalid_api_key":        http.StatusUnauthorized,
	"revoked_api_key":        http.StatusUnauthorized,
	"expired_api_key":        http.StatusUnauthorized,
	"product_mismatch":       http.StatusForbidden,
	"read_only_key":          http.StatusForbidden,
	"not_found":              http.StatusNotFound,
	"no_result":              http.StatusNotFound,
	"no_thumbnail":           http.StatusNotFound,
	"method_not_allowed":     http.StatusMethodNotAllowed,
	"part_not_uploaded":      http.StatusConflict,
	"part_not_ready":         http.StatusConflict,
	"payload_too_large":      http.StatusRequestEntityTooLarge,
	"unsupported_media_type": http.StatusUnsupportedMediaType,
	"internal_error":         http.StatusInternalServerError,
	"unavailable":            http.StatusServiceUnavailable,
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

// newProblem builds the body of an error with the given code. Its type is relative until at.
func newProblem(code, detail string) *Problem {
	status, known := statusOf[code]
	if !known {
		code, status = "internal_error", http.StatusInternalServerError
	}
	title := strings.ReplaceAll(code, "_", " ")
	return &Problem{
		Type:   "/problems/" + strings.ReplaceAll(code, "_", "-"),
		Title:  strings.ToUpper(title[:1]) + title[1:],
		Status: status,
		Detail: detail,
		Code:   code,
	}
}

// at makes the type absolute.
func (p *Problem) at(baseURL string) *Problem {
	if strings.HasPrefix(p.Type, "/") {
		p.Type = baseURL + p.Type
	}
	return p
}

// fail turns an error of a use case into its problem. Anything that is not a service.Error is logged
// and answered without its text, which may name things a client must not see.
func (a *api) fail(err error) error {
	var se *service.Error
	if errors.As(err, &se) {
		return newProblem(string(se.Code), se.Detail)
	}
	a.config.Logger.Error("request failed", "error", err)
	return newProblem("internal_error", internalDetail)
}

// humaError replaces huma's error constructor: 422 becomes 400, values that the client sent are not
// echoed, and every error gets its code and type.
func humaError(status int, msg string, errs ...error) huma.StatusError {
	code, ok := codeOf[status]
	if !ok {
		code = "internal_error"
	}
	details := make([]string, 0, len(errs))
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			details = append(details, strings.TrimSpace(d.Location+" "+d.Message))
		} else if err != nil && status < http.StatusInternalServerError {
			details = append(details, err.Error())
		}
	}
	if len(details) > 0 {
		msg += ": " + strings.Join(details, "; ")
	}
	return newProblem(code, msg)
}

// writeProblem answers a request that huma never saw.
func (a *api) writeProblem(w http.ResponseWriter, code, detail string) {
	p := newProblem(code, detail).at(a.config.BaseURL)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p)
}
