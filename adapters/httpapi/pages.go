package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/httpapi/docpage"
	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

const (
	htmlType = "text/html" // the pages state their encoding themselves
	// htmlPolicy allows a page its inline style, and nothing else.
	htmlPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)

// registerPages adds the HTML pages: the interface description, and a page for each problem type.
func (a *api) registerPages() {
	docs := explained(operation(http.MethodGet, "/docs", "docs", "The interface description as a page", public),
		"This document as self-contained HTML. It needs no key.")
	register(a, asPage(docs), func(_ context.Context, in *Known) (*huma.StreamResponse, error) {
		return servePage(a.docs, in.IfNoneMatch), nil
	})
	problem := explained(operation(http.MethodGet, "/problems/{problem}", "read-problem",
		"Read the meaning of a problem", public, apierr.NotFound),
		"The page at the address in the type of a problem. It needs no key.")
	register(a, asPage(problem), func(_ context.Context, in *readProblem) (*huma.StreamResponse, error) {
		text, known := a.problems[in.Problem]
		if !known {
			return nil, a.fail(apierr.Errorf(apierr.NotFound, "There is no problem %s.", usertext.Quote(in.Problem)))
		}
		return servePage(text, in.IfNoneMatch), nil
	})
}

type readProblem struct {
	Problem string `path:"problem" maxLength:"64" doc:"The code with hyphens, as in the type of a problem."`
	Known
}

// asPage describes the answers of an operation that is a page.
func asPage(op huma.Operation) huma.Operation {
	op.Metadata[openapi.NoTroubleKey] = true
	text := &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	op.Responses = map[string]*huma.Response{"200": {
		Description: "The page.",
		Content: map[string]*huma.MediaType{
			htmlType: {Schema: &huma.Schema{Type: huma.TypeString, Description: "HTML."}},
		},
		Headers: map[string]*huma.Param{"ETag": text, "Content-Security-Policy": text},
	}}
	return orNotModified(op)
}

func servePage(text []byte, known string) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		tag := contentTag(text)
		hc.SetHeader("ETag", tag)
		hc.SetHeader("Cache-Control", "public, max-age=300")
		if sameTag(known, tag) {
			hc.SetStatus(http.StatusNotModified)
			return
		}
		hc.SetHeader("Content-Type", htmlType)
		hc.SetHeader("Content-Security-Policy", htmlPolicy)
		hc.SetStatus(http.StatusOK)
		_, _ = hc.BodyWriter().Write(text) // the client has gone when this fails
	}}
}

// makePages writes the pages of a description.
func (a *api) makePages(description []byte) (err error) {
	if a.docs, err = docpage.Description(description); err != nil {
		return err
	}
	a.problems = map[string][]byte{}
	for code, status := range statusOf {
		p := newProblem(code, "")
		meaning, example := openapi.Meaning(code)
		text, err := docpage.Problem{
			Title: p.Title, Code: string(code), Status: status, Meaning: meaning, Example: example,
		}.Page()
		if err != nil {
			return err
		}
		a.problems[docpage.Slug(string(code))] = text
	}
	return nil
}
