// Package problem defines the error body of every HTTP response of the service: problem details (RFC 9457) with a
// stable code for programs.
package problem

import (
	"encoding/json"
	"net/http"
	"strings"

	"millwright.dev/millwright/core/service/apierr"
)

// ContentType is the media type of the body.
const ContentType = "application/problem+json"

// RequestIDHeader carries the id of a request, from the client if it has a sane one, and back to it.
const RequestIDHeader = "X-Request-ID"

// InstancePrefix makes a URI of the id of a request.
const InstancePrefix = "urn:request:"

// Problem is the body.
type Problem struct {
	Type     string `json:"type" format:"uri" doc:"Identifies the problem type."`
	Title    string `json:"title" doc:"Short human-readable summary."`
	Status   int    `json:"status" minimum:"400" maximum:"599" doc:"HTTP status."`
	Detail   string `json:"detail,omitempty" doc:"Explanation specific to this occurrence."`
	Instance string `json:"instance,omitempty" format:"uri" doc:"The request that was carried out, by the X-Request-ID it had."`
	Cause    error  `json:"-"` // for the log; nil for refusals
	Code     string `json:"code" pattern:"^[a-z][a-z0-9_]*$" doc:"Stable machine-readable code."`

	Errors []apierr.Fault `json:"errors,omitempty" doc:"All errors of the body, at their fields; absent for other problems."`
}

// New builds a problem from its code; title and type follow from it. The type is relative until At.
func New(status int, code, detail string) *Problem {
	title := strings.ReplaceAll(code, "_", " ")
	return &Problem{
		Type:   "/problems/" + strings.ReplaceAll(code, "_", "-"),
		Title:  strings.ToUpper(title[:1]) + title[1:],
		Status: status,
		Detail: detail,
		Code:   code,
	}
}

// At makes the type absolute: baseURL is the address of the service, without a trailing slash.
func (p *Problem) At(baseURL string) *Problem {
	if strings.HasPrefix(p.Type, "/") {
		p.Type = baseURL + p.Type
	}
	return p
}

// In sets the id of the request, so that a report of the problem identifies the request; "" = unknown.
func (p *Problem) In(requestID string) *Problem {
	if requestID != "" {
		p.Instance = InstancePrefix + requestID
	}
	return p
}

// Write answers a request with the problem.
func (p *Problem) Write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", ContentType)
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p) // the client has gone when this fails
}

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus returns the HTTP status (interface of huma).
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type (interface of huma).
func (p *Problem) ContentType(string) string { return ContentType }
