package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Known is the ETags of responses that the client has. (huma sees exported types only.)
type Known struct {
	IfNoneMatch string `header:"If-None-Match" maxLength:"1024" doc:"ETags of answers that the client has."`
}

// named is an answer that a client may keep under its ETag, and need not get again.
type named[T any] struct {
	Status       int
	ETag         string `header:"ETag" doc:"Identifies the response."`
	CacheControl string `header:"Cache-Control" doc:"The client may store the response and must revalidate it."`
	Body         T
}

// unlessKnown is the answer 200 with a record, or 304 where the client has it. Its name is its content.
func unlessKnown[T any](k Known, v T) (*named[encoded[T]], error) {
	body, err := encode(v)
	if err != nil {
		return nil, err
	}
	out := &named[encoded[T]]{Status: http.StatusOK, ETag: contentTag(body.text), CacheControl: revalidated, Body: body}
	if sameTag(k.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
	}
	return out, nil
}

// orNotModified gives an operation the answer 304.
func orNotModified(op huma.Operation) huma.Operation {
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	text := &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	op.Responses["304"] = &huma.Response{
		Description: "The response that the client has is still valid.",
		Headers:     map[string]*huma.Param{"ETag": text, "Cache-Control": text},
	}
	return op
}

// contentTag is the ETag of a text.
func contentTag(text []byte) string {
	sum := sha256.Sum256(text)
	return weakTag(base64.RawURLEncoding.EncodeToString(sum[:16]))
}

// revalidated lets a client store a response if it revalidates it before each use.
const revalidated = "private, no-cache"

// weakTag returns the ETag of a named response. It is weak: replicas sign addresses at different times, so their bytes
// differ.
func weakTag(name string) string { return `W/"` + name + `"` }

// sameTag reports whether an If-None-Match contains a tag (RFC 9110, 13.1.2: weak comparison).
func sameTag(ifNoneMatch, tag string) bool {
	for named := range strings.SplitSeq(ifNoneMatch, ",") {
		if named = strings.TrimSpace(named); named == "*" || strings.TrimPrefix(named, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
