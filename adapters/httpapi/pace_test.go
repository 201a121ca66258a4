package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
)

func TestCreationsAreRateLimited(t *testing.T) {
	h := newHarnessWith(t, cube, app.Config{Parts: part.Config{CreateInterval: 90 * time.Minute}}, nil)
	name := map[string]any{"fileName": "a.stp"}
	wantProblem(t, "wrong ones take no slot", h.do("POST", "/parts", map[string]any{"fileName": "a.txt"}),
		400, "unsupported_format")
	first := h.do("POST", "/parts", name)
	for header, want := range map[string]string{
		"RateLimit": `"parts";r=0;t=5400`, "RateLimit-Policy": `"parts";q=1;w=5400`, "Retry-After": "",
	} {
		if got := first.Header.Get(header); first.StatusCode != http.StatusCreated || got != want {
			t.Errorf("first: %s, %s %q, want 201 and %q", first.Status, header, got, want)
		}
	}
	for _, path := range []string{"/parts", "/v1/parts"} {
		r := h.do("POST", path, name)
		wantProblem(t, path, r, 429, "rate_limited")
		for header, want := range map[string]string{
			"RateLimit": `"parts";r=0;t=5400`, "RateLimit-Policy": `"parts";q=1;w=5400`, "Retry-After": "5400",
		} {
			if got := r.Header.Get(header); got != want {
				t.Errorf("%s: %s %q, want %q", path, header, got, want)
			}
		}
	}
	other := h.newKey("acme", account.FullAccess)
	wantProblem(t, "another key of the team", h.doAs(other, "POST", "/parts", name), 429, "rate_limited")
	if r := h.doAs(h.newKey("rival", account.FullAccess), "POST", "/v1/parts", name); r.StatusCode != 201 {
		t.Errorf("another team: %s %s, want 201", r.Status, r.body)
	}
	if r := h.do("GET", "/v1/jobs", nil); r.StatusCode != 200 || r.Header.Get("RateLimit") != "" {
		t.Errorf("a read: %s, RateLimit %q", r.Status, r.Header.Get("RateLimit"))
	}
}

func TestUnlimitedCreationHasNoRateLimitHeader(t *testing.T) {
	h := newHarness(t, cube)
	for range 3 {
		r := h.do("POST", "/parts", map[string]any{"fileName": "a.stp"})
		if r.StatusCode != http.StatusCreated || r.Header.Get("RateLimit") != "" {
			t.Errorf("%s, RateLimit %q; want 201 without", r.Status, r.Header.Get("RateLimit"))
		}
	}
}
