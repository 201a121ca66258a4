package httpapi_test

import (
	"net/http"
	"testing"
)

// TestProblemsNameTheRequest checks that every error body contains the id of its request.
func TestProblemsNameTheRequest(t *testing.T) {
	h := newHarness(t, cube)
	const id, unknown = "4bf92f35-77b3", "/v1/jobs/00000000-0000-7000-8000-000000000000"
	for _, c := range []struct {
		name, key, method, path string
		header                  http.Header
		status                  int
	}{
		{"no such path", h.key, "GET", "/nowhere", nil, 404},
		{"no such method", h.key, "DELETE", "/v1/jobs", nil, 405},
		{"bad query", h.key, "GET", "/v1/jobs?page=1&page=2", nil, 400},
		{"not as described", h.key, "GET", "/v1/jobs?page=x", nil, 400},
		{"no key", "", "GET", "/v1/jobs", nil, 401},
		{"no such record", h.key, "GET", unknown, nil, 404},
		{"held answer", h.key, "POST", "/v1/parts", http.Header{"Idempotency-Key": {"a"}}, 400},
		{"object", "", "GET", "/objects/sources/x?signature=y", nil, 403},
	} {
		header := c.header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set("X-Request-ID", id)
		r := h.send(c.key, c.method, c.path, nil, header)
		var p struct{ Instance string }
		if r.decode(t, &p); r.StatusCode != c.status || p.Instance != "urn:request:"+id {
			t.Errorf("%s: %s %s, want %d that names request %s", c.name, r.Status, r.body, c.status, id)
		}
	}
}
