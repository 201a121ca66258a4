package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

// This file sends the state of rate limits to clients, in Retry-After and in the two header fields of the IETF draft
// "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10).

// PaceHeaders is the headers of an accepted creation; empty ones are not sent. (huma sees exported types only.)
type PaceHeaders struct {
	RateLimit string `header:"RateLimit" doc:"State of the rate limit."`
	Policy    string `header:"RateLimit-Policy" doc:"Creations (q) per window in seconds (w)."`
}

func paceOf(s *part.RateLimitState) PaceHeaders {
	if s == nil {
		return PaceHeaders{}
	}
	return PaceHeaders{
		RateLimit: fmt.Sprintf(`"%s";r=0;t=%d`, s.Budget, s.WaitSeconds()),
		Policy:    fmt.Sprintf(`"%s";q=1;w=%d`, s.Budget, s.IntervalSeconds()),
	}
}

// slowDown is the problem of a refusal, which err is or wraps, with the headers that say when to come again.
func slowDown(p *Problem, e *apierr.Error, err error) error {
	headers := http.Header{"Retry-After": {strconv.Itoa(e.RetrySeconds())}}
	var paced *part.RateLimitError
	if errors.As(err, &paced) {
		h := paceOf(&part.RateLimitState{RateLimit: paced.RateLimit, Wait: e.RetryAfter})
		headers["Ratelimit"], headers["Ratelimit-Policy"] = []string{h.RateLimit}, []string{h.Policy}
	}
	return huma.ErrorWithHeaders(p, headers)
}
