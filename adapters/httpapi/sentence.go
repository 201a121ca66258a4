package httpapi

import (
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

// This file translates huma's findings on a request into sentences for clients. It does not quote client data, except
// field names, cut to a length that cannot flood a log.

// mostSentences is the maximum number of sentences on one request.
const mostSentences = 10

// humaError replaces huma's error constructor: 422 becomes 400, every error gets its code and type, and the detail
// consists of the service's own sentences.
func humaError(status int, _ string, errs ...error) huma.StatusError {
	code, ok := codeOf[status]
	if !ok {
		code = apierr.Internal
	}
	var sentences []string
	var faults []apierr.Fault
	if code == apierr.InvalidRequest {
		for _, err := range errs {
			var d *huma.ErrorDetail
			if !errors.As(err, &d) {
				continue
			}
			said, at := sentence(d.Location, d.Message)
			sentences = append(sentences, said)
			if place, ok := strings.CutPrefix(at, "body"); ok && len(faults) < mostSentences {
				faults = append(faults, apierr.Fault{Pointer: bodyPointer(place), Message: said})
			}
		}
	}
	if len(sentences) == 0 {
		sentences = append(sentences, sentenceOf(status))
	}
	p := newProblem(code, joined(sentences))
	p.Errors = faults
	return p
}

// bodyPointer is the JSON pointer of a place in the body, such as .tools[3].name.
func bodyPointer(place string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", ".", "/", "[", "/", "]", "").Replace(usertext.Excerpt(place))
}

// joined are the first of many sentences.
func joined(sentences []string) string {
	if len(sentences) > mostSentences {
		sentences = append(sentences[:mostSentences], "There are more errors of this kind.")
	}
	return strings.Join(sentences, " ")
}

// sentenceOf returns the sentence for an error with only a status.
func sentenceOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "This request needs a JSON body."
	case http.StatusUnprocessableEntity:
		return "The request is not as the interface description says."
	case http.StatusNotAcceptable:
		return "The answer is JSON; accept application/json."
	case http.StatusRequestTimeout:
		return "The body did not arrive in time; send it again."
	case http.StatusRequestEntityTooLarge:
		return "The body is larger than this request may be."
	case http.StatusUnsupportedMediaType:
		return "The body must be JSON: send Content-Type: application/json."
	}
	return internalDetail
}

// findings maps huma's messages to their meaning for the field. A message that ends in a blank is followed by a value
// of the description, which replaces %s.
var findings = []struct{ message, meaning string }{
	{"unexpected property", "is not a field of this request"},
	{"unknown query parameter", "is not a parameter of this request"},
	{"expected string to be RFC 4122 uuid", "is not a UUID"},
	{"expected string to be RFC 3986 uri", "is not a URI"},
	{"expected string to be RFC 3339", "is not a time as in 2026-01-31T12:00:00Z"},
	{"expected string to match pattern", "is not of the form that the interface description gives"},
	{"expected value to be one of ", "must be one of %s"},
	{"expected number >= ", "must be at least %s"},
	{"expected number <= ", "must be at most %s"},
	{"expected number > ", "must be more than %s"},
	{"expected number < ", "must be less than %s"},
	{"expected length >= ", "must have at least %s characters"},
	{"expected length <= ", "must have at most %s characters"},
	{"expected array length >= ", "must have at least %s entries"},
	{"expected array length <= ", "must have at most %s entries"},
	{"expected boolean", "must be true or false"}, {"invalid boolean", "must be true or false"},
	{"expected integer", "must be a whole number"}, {"invalid integer", "must be a whole number"},
	{"expected number", "must be a number"}, {"invalid float", "must be a number"},
	{"expected string", "must be a text"},
	{"expected array", "must be a list"},
	{"expected object", "must be a JSON object"},
	{"required ", "is missing"},
}

// sentence returns the sentence for a defect at a place such as body.fileName, and the place, also of a missing value.
func sentence(location, message string) (said, at string) {
	if rest, ok := strings.CutPrefix(message, "expected required property "); ok {
		name, _, _ := strings.Cut(rest, " ")
		location += "." + name
		return subject(location) + " is missing.", location
	}
	for _, f := range findings {
		if value, ok := strings.CutPrefix(message, f.message); ok {
			return subject(location) + " " + strings.Replace(f.meaning, "%s", strings.Trim(value, `"`), 1) + ".", location
		}
	}
	if location == "body" {
		return "The body is not valid JSON.", location
	}
	return subject(location) + " is not as the interface description says.", location
}

// subject names a location: a field of the body as in the body, a parameter with its place.
func subject(location string) string {
	location = usertext.Excerpt(location)
	kind, name, nested := strings.Cut(location, ".")
	switch {
	case !nested && kind == "body":
		return "The body"
	case !nested:
		return "The request"
	case kind == "path":
		return name + " in the path"
	}
	return name
}
