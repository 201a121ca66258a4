package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestClosedStoreGivesUnavailable closes the store under the API. The error counts as temporary, and the client gets a
// Retry-After.
func TestClosedStoreGivesUnavailable(t *testing.T) {
	h := newHarness(t, cube)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/jobs", "/v1/keys/validate"} {
		method := http.MethodGet
		if strings.HasSuffix(path, "validate") {
			method = http.MethodPost
		}
		r := h.do(method, path, nil)
		if r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" ||
			!strings.Contains(string(r.body), `"code":"unavailable"`) {
			t.Errorf("%s: %s %v %s, want 503 unavailable with Retry-After", path, r.Status, r.Header, r.body)
		}
	}
}
