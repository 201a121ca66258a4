package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/service/account"
)

const (
	shop  = "https://shop.example"
	other = "https://other.example"
	evil  = "https://evil.example"
)

// keyFor makes a key of team acme that allows origins.
func (h *harness) keyFor(access account.AccessGrid, origins ...string) account.CreatedKey {
	h.t.Helper()
	made, err := h.use.Accounts.CreateKey(h.t.Context(), account.CreateKeyInput{
		Team: "acme", Name: "browser", Access: &access, AllowedOrigins: origins,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return made
}

// varies reports whether Vary includes a request header.
func varies(r reply, header string) bool {
	for _, v := range r.Header.Values("Vary") {
		if slices.Contains(strings.Split(v, ", "), header) {
			return true
		}
	}
	return false
}

func TestPreflight(t *testing.T) {
	h := newHarness(t, cube)
	h.keyFor(account.FullAccess, shop, other)
	gone := h.keyFor(account.FullAccess, evil)
	if _, err := h.use.Accounts.RevokeKey(t.Context(), gone.Key.ID); err != nil {
		t.Fatal(err)
	}
	const id = "00000000-0000-7000-8000-000000000000"
	for _, c := range []struct {
		name, path, origin string
		allowed            bool
		methods            string
	}{
		{"create", "/parts", shop, true, "GET, POST"},
		{"another origin of the key", "/v1/parts", other, true, "GET, POST"},
		{"analyse", "/v1/parts/" + id, shop, true, "GET, PATCH, DELETE"},
		{"validate a key", "/v1/keys/validate", shop, true, "POST"},
		{"description", "/v1/openapi.json", shop, true, "GET"},
		{"only a revoked key allows it", "/parts", evil, false, "GET, POST"},
		{"unknown origin", "/parts", "https://nobody.example", false, "GET, POST"},
		{"origin of a file", "/parts", "null", false, "GET, POST"},
		{"part of an origin", "/parts", "https://shop.example.evil.example", false, "GET, POST"},
		{"another scheme", "/parts", "http://shop.example", false, "GET, POST"},
		{"no origin", "/parts", "", false, "GET, POST"},
		{"endless origin", "/parts", "https://" + strings.Repeat("a", 400), false, "GET, POST"},
	} {
		header := http.Header{
			"Access-Control-Request-Method":  {"PATCH"},
			"Access-Control-Request-Headers": {"authorization,content-type,idempotency-key"},
		}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		r := h.send("", "OPTIONS", c.path, nil, header)
		want := map[string]string{
			"Access-Control-Allow-Origin": "", "Access-Control-Allow-Methods": "", "Access-Control-Allow-Headers": "",
			"Access-Control-Allow-Credentials": "", "Allow": c.methods + ", OPTIONS",
		}
		if c.allowed {
			want["Access-Control-Allow-Origin"] = c.origin
			want["Access-Control-Allow-Methods"] = c.methods
			want["Access-Control-Allow-Headers"] = "Authorization, Content-Type, Idempotency-Key, If-None-Match"
		}
		for name, value := range want {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", c.name, name, got, value)
			}
		}
		if r.StatusCode != http.StatusNoContent || len(r.body) > 0 || !varies(r, "Origin") ||
			!varies(r, "Access-Control-Request-Method") {
			t.Errorf("%s: %s %q, Vary %q", c.name, r.Status, r.body, r.Header.Values("Vary"))
		}
	}
	wantProblem(t, "nothing there", h.send("", "OPTIONS", "/v2/parts", nil, http.Header{"Origin": {shop}}),
		404, "not_found")
}

// TestOnlyOwnKeyAllowsOrigin sends requests from a page: only a key that allows the origin opens the response,
// independent of other keys.
func TestOnlyOwnKeyAllowsOrigin(t *testing.T) {
	h := newHarness(t, cube)
	full := h.keyFor(account.FullAccess, shop).Text
	reader := h.keyFor(account.AccessGrid{}, shop).Text
	elsewhere := h.keyFor(account.FullAccess, other).Text
	revoked := h.keyFor(account.FullAccess, shop)
	if _, err := h.use.Accounts.RevokeKey(t.Context(), revoked.Key.ID); err != nil {
		t.Fatal(err)
	}
	name := map[string]any{"fileName": "a.stp"}
	for _, c := range []struct {
		name, key, method, path string
		body                    any
		status                  int
		open                    bool
	}{
		{"read", full, "GET", "/v1/jobs", nil, 200, true},
		{"create", full, "POST", "/parts", name, 201, true},
		{"bad request", full, "POST", "/parts", map[string]any{}, 400, true},
		{"not found", full, "GET", "/parts/00000000-0000-7000-8000-000000000000", nil, 404, true},
		{"forbidden", reader, "POST", "/parts", name, 403, true},
		{"validation of a key", full, "POST", "/v1/keys/validate", nil, 200, true},
		{"public, with a key", full, "GET", "/health", nil, 200, true},
		{"description, with a key", full, "GET", "/v1/openapi.json", nil, 200, true},
		{"public, without one", "", "GET", "/health", nil, 200, false},
		{"description without one", "", "GET", "/v1/openapi.json", nil, 200, false},
		{"key of another origin", elsewhere, "GET", "/v1/jobs", nil, 200, false},
		{"key of no origin", h.key, "GET", "/v1/jobs", nil, 200, false},
		{"revoked key", revoked.Text, "GET", "/v1/jobs", nil, 401, false},
		{"no key", "", "GET", "/v1/jobs", nil, 401, false},
		{"unknown path", full, "GET", "/v2/jobs", nil, 404, false},
	} {
		r := h.send(c.key, c.method, c.path, c.body, http.Header{"Origin": {shop}})
		want, exposed := "", ""
		if c.open {
			want, exposed = shop, "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID"
		}
		if got := r.Header.Get("Access-Control-Allow-Origin"); r.StatusCode != c.status || got != want {
			t.Errorf("%s: %s with Access-Control-Allow-Origin %q, want %d with %q", c.name, r.Status, got, c.status, want)
		}
		if got := r.Header.Get("Access-Control-Expose-Headers"); got != exposed {
			t.Errorf("%s: exposes %q, want %q", c.name, got, exposed)
		}
		if !varies(r, "Origin") {
			t.Errorf("%s: Vary %q lacks Origin", c.name, r.Header.Values("Vary"))
		}
	}
	// A repetition is opened to the page that sends it, not to the one that sent it first.
	for origin, want := range map[string]string{shop: shop, evil: ""} {
		r := h.send(full, "POST", "/parts", name, http.Header{"Origin": {origin}, "Idempotency-Key": {"k"}})
		if got := r.Header.Get("Access-Control-Allow-Origin"); r.StatusCode != 201 || got != want {
			t.Errorf("from %s: %s with Access-Control-Allow-Origin %q, want 201 with %q", origin, r.Status, got, want)
		}
	}
}

// TestPageUploads follows a page: preflight of the upload address, PUT, and download of the mesh.
func TestPageUploads(t *testing.T) {
	h := newHarness(t, cube)
	h.keyFor(account.FullAccess, shop)
	var made struct{ PartID, UploadURL string }
	h.do("POST", "/v1/parts", map[string]any{"fileName": "a.stp"}).decode(t, &made)
	for origin, want := range map[string]string{shop: shop, evil: "", "": ""} {
		header := http.Header{"Access-Control-Request-Method": {"PUT"}}
		if origin != "" {
			header.Set("Origin", origin)
		}
		r := h.send("", "OPTIONS", made.UploadURL, nil, header)
		if got := r.Header.Get("Access-Control-Allow-Origin"); r.StatusCode != 204 || got != want || !varies(r, "Origin") {
			t.Errorf("preflight from %q: %s, Access-Control-Allow-Origin %q, want %q", origin, r.Status, got, want)
		}
		if got := r.Header.Get("Access-Control-Allow-Methods"); want != "" && got != "GET, HEAD, PUT" {
			t.Errorf("preflight from %q allows %q", origin, got)
		}
	}
	page := http.Header{"Origin": {shop}}
	if r := h.send("", "PUT", made.UploadURL, []byte("a cube"), page); r.StatusCode != 200 ||
		r.Header.Get("Access-Control-Allow-Origin") != shop {
		t.Errorf("upload: %s, opened to %q", r.Status, r.Header.Get("Access-Control-Allow-Origin"))
	}
	if r := h.send("", "PUT", made.UploadURL+"0", []byte("a cube"), page); r.StatusCode != 403 ||
		r.Header.Get("Access-Control-Allow-Origin") != shop {
		t.Errorf("tampered address: %s %s", r.Status, r.body)
	}
	h.do("POST", "/v1/parts/"+made.PartID+"/complete", nil)
	h.waitJob()
	var result struct{ MeshGlbURL string }
	h.do("GET", "/v1/parts/"+made.PartID, nil).decode(t, &result)
	if r := h.send("", "GET", result.MeshGlbURL, nil, page); r.StatusCode != 200 ||
		r.Header.Get("Access-Control-Allow-Origin") != shop || !varies(r, "Origin") {
		t.Errorf("mesh: %s, opened to %q", r.Status, r.Header.Get("Access-Control-Allow-Origin"))
	}
}
