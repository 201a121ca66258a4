package portal_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/core/service/session"
)

// TestSecurityOfForeignRequests: pages of other sites change nothing, and bodies are JSON.
func TestSecurityOfForeignRequests(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	body := map[string]any{"name": "a", "grid": map[string]string{}}
	for name, header := range map[string][]string{
		"cross-site":           {"Sec-Fetch-Site", "cross-site"},
		"same-site":            {"Sec-Fetch-Site", "same-site"},
		"origin of another":    {"Origin", "https://evil.example"},
		"origin of no address": {"Origin", "null"},
		"another port":         {"Origin", "http://127.0.0.1:1"},
	} {
		for _, try := range [][2]string{
			{"POST", "/keys"}, {"DELETE", "/session"}, {"POST", "/session"}, {"POST", "/v1/projects"},
		} {
			r := b.do(try[0], "/portal/api"+try[1], body, header...)
			if r.StatusCode != http.StatusForbidden || r.code() != "cross_origin" {
				t.Errorf("%s: %v: %s %s", name, try, r.Status, r.body)
			}
			if allowed := r.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
				t.Errorf("%s: %v allows the origin %s", name, try, allowed)
			}
		}
	}
	b.want(http.StatusCreated, "", b.do("POST", "/portal/api/keys", body, "Sec-Fetch-Site", "same-origin",
		"Origin", w.server.URL))
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x;"} {
		for _, path := range []string{"/keys", "/session", "/v1/projects", "/v1/tool-libraries"} {
			b.want(http.StatusUnsupportedMediaType, "unsupported_media_type",
				b.do("POST", "/portal/api"+path, `{"name":"a","grid":{}}`, "Content-Type", kind))
		}
	}
	for _, path := range []string{"/keys", "/v1/parts"} { // no preflight succeeds, although a key allows the origin
		b.newKey("shop")
		r := b.do("OPTIONS", "/portal/api"+path, nil,
			"Origin", "https://shop.example", "Access-Control-Request-Method", "GET")
		b.want(http.StatusMethodNotAllowed, "method_not_allowed", r)
		if r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("the preflight of %s succeeds", path)
		}
	}
}

// TestSecurityOfPublicAPI: the API below /v1 and without a prefix gets no caller from a cookie.
func TestSecurityOfPublicAPI(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	part := w.NewPart(w.Acme).Part.ID
	for _, try := range [][2]string{
		{"GET", "/v1/parts"}, {"GET", "/parts/" + part}, {"GET", "/v1/jobs"}, {"GET", "/jobs"},
		{"DELETE", "/v1/parts/" + part}, {"POST", "/parts"}, {"GET", "/v1/cut-configs"},
	} {
		b.want(http.StatusUnauthorized, "missing_api_key", b.do(try[0], try[1], nil))
		for _, cookie := range []string{
			"__Host-millwright=" + strings.TrimPrefix(b.cookie, "millwright="), "Authorization=" + b.cookie,
		} {
			other := browser{w, cookie}
			other.want(http.StatusUnauthorized, "missing_api_key", other.do(try[0], try[1], nil))
		}
	}
	b.want(http.StatusNotFound, "no_result", b.do("GET", "/portal/api/v1/parts/"+part, nil)) // it is pending

	// And the portal gets none from a key.
	text := b.newKey("ci").Text
	guest := browser{world: w}
	for _, path := range []string{"/keys", "/v1/parts", "/session"} {
		guest.want(http.StatusUnauthorized, "no_session",
			guest.do("GET", "/portal/api"+path, nil, "Authorization", "Bearer "+text))
	}
	b.want(http.StatusOK, "", b.do("GET", "/portal/api/v1/parts", nil, "Authorization", "Bearer nonsense"))
}

func TestSecurityOfSessions(t *testing.T) {
	w := newWorld(t, "")
	b, other := w.signedIn("acme", "ann"), w.signedIn("acme", "ann")
	r := b.want(http.StatusNoContent, "", b.do("DELETE", "/portal/api/session", nil))
	if c := r.Cookies(); len(c) != 1 || c[0].MaxAge >= 0 || c[0].Value != "" {
		t.Errorf("cookies after the end: %v", c)
	}
	for _, path := range []string{"/session", "/keys", "/usage", "/grid", "/v1/parts"} {
		b.want(http.StatusUnauthorized, "no_session", b.do("GET", "/portal/api"+path, nil))
		other.want(http.StatusOK, "", other.do("GET", "/portal/api"+path, nil))
	}
	b.want(http.StatusNoContent, "", b.do("DELETE", "/portal/api/session", nil)) // again
	for _, cookie := range []string{
		"millwright=", "millwright=x", other.cookie + "; " + other.cookie, strings.ToUpper(other.cookie),
		"__Host-millwright=" + strings.TrimPrefix(other.cookie, "millwright="),
	} {
		odd := browser{w, cookie}
		odd.want(http.StatusUnauthorized, "no_session", odd.do("GET", "/portal/api/keys", nil))
	}

	// Another sign-in has another token, and ends the session before.
	next := other.do("POST", "/portal/api/session", map[string]string{"token": w.link("acme", "ann")})
	other.want(http.StatusUnauthorized, "no_session", other.do("GET", "/portal/api/keys", nil))
	in := browser{w, next.Cookies()[0].Name + "=" + next.Cookies()[0].Value}
	in.want(http.StatusOK, "", in.do("GET", "/portal/api/keys", nil))
	w.Clock.Advance(session.IdleLife)
	in.want(http.StatusUnauthorized, "no_session", in.do("GET", "/portal/api/v1/parts", nil))
}

// TestSecurityOfCookies: over TLS browsers keep the cookie to this host; in clear nobody signs in.
func TestSecurityOfCookies(t *testing.T) {
	for _, c := range []struct {
		name, base, host string
		cookie           string // "": refused
	}{
		{"loopback", "", "", "millwright"},
		{"localhost", "", "localhost:8080", "millwright"},
		{"IPv6 loopback", "", "[::1]:8080", "millwright"},
		{"in clear", "", "millwright.example:8080", ""},
		{"address in clear", "", "192.168.1.5", ""},
		{"looks like localhost", "", "localhost.example", ""},
		{"public in clear", "http://mw.example", "", ""},
		{"TLS", "https://mw.example", "", "__Host-millwright"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.base)
			guest := browser{world: w}
			var header []string
			if c.host != "" {
				header = []string{"Host", c.host}
			}
			link := w.link("acme", "ann")
			r := guest.do("POST", "/portal/api/session", map[string]string{"token": link}, header...)
			if c.cookie == "" {
				guest.want(http.StatusForbidden, "insecure_transport", r)
				if len(r.Cookies()) != 0 {
					t.Errorf("cookies %v", r.Cookies())
				}
				return
			}
			guest.want(http.StatusOK, "", r)
			got := r.Cookies()[0]
			tls := strings.HasPrefix(c.base, "https:")
			if got.Name != c.cookie || !got.HttpOnly || got.SameSite != http.SameSiteStrictMode || got.Path != "/" ||
				got.Domain != "" || got.Secure != tls || got.MaxAge != int(session.SessionLife/time.Second) {
				t.Errorf("cookie %s", got.Raw)
			}
			if hsts := r.Header.Get("Strict-Transport-Security"); (hsts != "") != tls {
				t.Errorf("Strict-Transport-Security %q", hsts)
			}
			b := browser{w, got.Name + "=" + got.Value}
			b.want(http.StatusOK, "", b.do("GET", "/portal/api/keys", nil, header...))
			if tls { // a proxy passes another Host, and the public address is trusted
				b.want(http.StatusNoContent, "", b.do("DELETE", "/portal/api/session", nil, "Origin", c.base))
			}
		})
	}
}

func TestSecurityOfHeaders(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
			"connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
			"require-trusted-types-for 'script'; trusted-types millwright",
		"Cross-Origin-Opener-Policy": "same-origin", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options": "nosniff",
	}
	for path, cache := range map[string]string{
		"/portal/": "no-cache", "/portal/developers/keys": "no-cache", "/portal/welcome": "no-cache",
		"/portal/assets/0123456789ab/app.js": "public, max-age=31536000, immutable",
		"/portal/assets/other/app.js":        "", "/portal/api/session": "no-store", "/portal/api/v1/parts": "no-store",
		"/portal/api/nothing": "no-store", "/portal/api/v1/nothing": "no-store", "/portal": "",
	} {
		for _, who := range []browser{b, {world: w}} {
			r := who.do("GET", path, nil)
			for name, value := range want {
				if got := r.Header.Get(name); got != value {
					t.Errorf("%s: %s is %q, want %q", path, name, got, value)
				}
			}
			if got := r.Header.Get("Cache-Control"); got != cache {
				t.Errorf("%s: Cache-Control is %q, want %q", path, got, cache)
			}
			if r.Header.Get("Permissions-Policy") == "" {
				t.Errorf("%s lacks Permissions-Policy", path)
			}
		}
	}
}

func TestSecurityOfConfig(t *testing.T) {
	w := newWorld(t, "")
	use := portal.UseCases{Health: w.Health, Accounts: w.Accounts, Sessions: w.sessions, Programs: w.Programs}
	config := portal.Config{
		API: http.NotFoundHandler(), BaseURL: "https://mw.example", Uploads: "https://s3.example", Clock: w.Clock,
	}
	h, err := portal.New(use, config)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest("GET", "/portal/", nil))
	policy := answer.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "; connect-src 'self' https://s3.example;") || answer.Code != http.StatusNotFound {
		t.Errorf("a portal without pages: %d, policy %q", answer.Code, policy)
	}
	for name, change := range map[string]func(*portal.Config){
		"no address":   func(c *portal.Config) { c.BaseURL = "mw.example" },
		"unknown file": func(c *portal.Config) { c.Static.Files = fstest.MapFS{"a.exe": {}} },
	} {
		c := config
		c.Static = portal.Static{Index: []byte(index), Hash: "0", Files: fstest.MapFS{}}
		change(&c)
		if _, err := portal.New(use, c); err == nil {
			t.Errorf("%s: New succeeds", name)
		}
	}
}

func TestSecurityOfPages(t *testing.T) {
	w := newWorld(t, "")
	guest := browser{world: w}
	for _, c := range []struct {
		method, path, accept string
		status               int
		kind, location       string
	}{
		{"GET", "/portal/", "", 200, "text/html; charset=utf-8", ""},
		{"HEAD", "/portal/parts/x?run=1", "", 200, "text/html; charset=utf-8", ""},
		{"GET", "/portal", "", 308, "", "/portal/"},
		{"GET", "/portal/assets/0123456789ab/app.css", "", 200, "text/css; charset=utf-8", ""},
		{"GET", "/portal/assets/0123456789ab/index.html", "", 404, "application/problem+json", ""},
		{"GET", "/portal/assets/../app.js", "", 404, "application/problem+json", ""},
		{"POST", "/portal/", "", 405, "application/problem+json", ""},
		{"GET", "/portalx", "", 404, "application/problem+json", ""},
		{"GET", "/portal/api/other", "", 404, "application/problem+json", ""},
		{"PUT", "/portal/api/keys", "", 405, "application/problem+json", ""},
		{"GET", "/", "text/html,*/*", 303, "", "/portal/"},
		{"GET", "/", "application/json", 404, "application/problem+json", ""},
	} {
		r := guest.do(c.method, c.path, nil, "Accept", c.accept)
		kind, location := r.Header.Get("Content-Type"), r.Header.Get("Location")
		if r.StatusCode != c.status || kind != c.kind || location != c.location {
			t.Errorf("%s %s: %s, type %q, location %q; want %+v", c.method, c.path, r.Status, kind, location, c)
		}
	}
	if r := guest.do("GET", "/portal/any/page", nil); string(r.body) != index {
		t.Errorf("a page is %s", r.body)
	}
}

// TestSecurityOfAddresses: the addresses in headers of the API lead to the portal's own API.
func TestSecurityOfAddresses(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	r := b.want(http.StatusCreated, "", b.do("POST", "/portal/api/v1/projects", map[string]string{"name": "a"}))
	at, ok := strings.CutPrefix(r.Header.Get("Location"), w.server.URL)
	if !ok || !strings.HasPrefix(at, "/portal/api/v1/projects/") {
		t.Fatalf("Location %q", r.Header.Get("Location"))
	}
	b.want(http.StatusOK, "", b.do("GET", at, nil))
	part := w.Completed(w.Acme)
	r = b.want(http.StatusAccepted, "", b.do("PATCH", "/portal/api/v1/parts/"+part.ID, "{}"))
	if link := r.Header.Get("Link"); !strings.Contains(link, "<"+w.server.URL+"/portal/api/v1/") {
		t.Errorf("Link %q", link)
	}
}

// TestSecurityOfCachedResponses: a list that is cached for the team is not served after a change.
func TestSecurityOfCachedResponses(t *testing.T) {
	w := newWorld(t, "")
	b := w.signedIn("acme", "ann")
	count := func() int {
		t.Helper()
		var list struct{ Items []any }
		r := b.want(http.StatusOK, "", b.do("GET", "/portal/api/v1/jobs", nil))
		r.decode(t, &list)
		return len(list.Items)
	}
	for want := range 3 {
		for range 2 {
			if got := count(); got != want {
				t.Errorf("%d jobs in the list, want %d", got, want)
			}
		}
		w.Completed(w.Acme)
	}
}

// TestSecurityOfLogs: no token and no text of a key is in the log or in a later response.
func TestSecurityOfLogs(t *testing.T) {
	w := newWorld(t, "")
	link := w.link("acme", "ann")
	guest := browser{world: w}
	r := guest.do("POST", "/portal/api/session", map[string]string{"token": link})
	guest.do("POST", "/portal/api/session", map[string]string{"token": link})
	guest.do("GET", "/portal/welcome?token="+link, nil)
	b := browser{w, r.Cookies()[0].Name + "=" + r.Cookies()[0].Value}
	key := b.newKey("a")
	var rolled made
	b.do("POST", "/portal/api/keys/"+key.Key.ID+"/roll", map[string]int{"graceHours": 1}).decode(t, &rolled)
	w.keyText(key.Text)
	secrets := []string{link, r.Cookies()[0].Value, key.Text, rolled.Text}
	texts := []string{string(r.body), string(b.do("GET", "/portal/api/session", nil).body),
		string(b.do("GET", "/portal/api/keys", nil).body)}
	for _, secret := range secrets {
		if len(secret) < 40 {
			t.Fatalf("secret %q", secret)
		}
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log has a secret:\n%s", w.log.String())
		}
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, secret) }) {
			t.Errorf("a response has the secret %q", secret)
		}
	}
	for _, want := range []string{"/portal/api/session", "/portal/api/keys/{id}/roll", w.Acme.TeamID} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, w.log.String())
		}
	}
}

// FuzzSecurityOfRequests sends arbitrary requests with and without a session. No request fails inside, each problem has
// a code, and without a session no record is readable.
func FuzzSecurityOfRequests(f *testing.F) {
	for _, path := range []string{
		"session", "keys", "keys/x", "keys/x/roll", "usage?since=x", "v1/parts?page=0", "v1//", "%2f", "v1/..%2f",
	} {
		f.Add("GET", path, "", true)
		f.Add("POST", path, `{"name":null,"grid":[]}`, true)
		f.Add("PATCH", path, `{"expiresAt":"x"}`, false)
	}
	var w *world
	var b browser
	code := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	f.Fuzz(func(t *testing.T, method, path, body string, in bool) {
		if w == nil || w.t != t {
			w = newWorld(t, "")
			b = w.signedIn("acme", "ann")
		}
		r, err := http.NewRequest(method, w.server.URL+"/portal/api/"+path, strings.NewReader(body))
		if err != nil || r.URL.Host != strings.TrimPrefix(w.server.URL, "http://") {
			t.Skip("no request")
		}
		r = httptest.NewRequestWithContext(t.Context(), r.Method, r.URL.String(), strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if in {
			r.Header.Set("Cookie", b.cookie)
		}
		answer := httptest.NewRecorder()
		w.server.Config.Handler.ServeHTTP(answer, r)
		got := reply{answer.Result(), answer.Body.Bytes()}
		if got.StatusCode >= 500 || got.StatusCode >= 400 && method != "HEAD" && !code.MatchString(got.code()) {
			t.Errorf("%s %q %q: %d %s", method, path, body, got.StatusCode, got.body)
		}
		if !in && got.StatusCode == http.StatusOK {
			t.Errorf("%s %q %q without a session: %s", method, path, body, got.body)
		}
	})
}
