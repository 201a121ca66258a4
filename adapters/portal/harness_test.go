package portal_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/adapters/telemetry"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/session"
)

func TestKeysOnPostgreSQL(t *testing.T)     { storematrix.OnPostgreSQL(t, "^TestKeys") }
func TestSecurityOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, "^TestSecurity") }

// world is the API and the portal over real HTTP, with the log of all requests.
type world struct {
	*apptest.World
	t        *testing.T
	server   *httptest.Server
	sessions *session.Service
	log      lockedBuffer
}

// lockedBuffer is a log that requests write at the same time.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

const index = "<!doctype html><title>millwright</title>"

// newWorld opens a world with two small files as pages. Its public address is base; "" is the address of each request.
func newWorld(t *testing.T, base string) *world {
	t.Helper()
	return newWorldOf(t, base, portal.Static{Index: []byte(index), Hash: "0123456789ab", Files: fstest.MapFS{
		"index.html": {Data: []byte("{hash}")}, "app.js": {Data: []byte("const a = 1")},
		"app.css": {Data: []byte("a {}")},
	}})
}

func newWorldOf(t *testing.T, base string, static portal.Static) *world {
	t.Helper()
	w := &world{World: apptest.New(t), t: t}
	w.sessions = session.New(w.Store, w.Accounts, w.Clock, nil)
	log := slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	address := base
	if base == "" {
		address = baseurl.Placeholder
	}
	api := httpapi.New(httpapi.UseCases(*w.UseCases), httpapi.Config{BaseURL: address, Logger: log})
	use := portal.UseCases{
		Health: w.Health, Accounts: w.Accounts, Sessions: w.sessions, Parts: w.Parts, Programs: w.Programs,
	}
	pages, err := portal.New(use, portal.Config{
		API: api, BaseURL: address, Clock: w.Clock, Logger: log, Static: static,
	})
	if err != nil {
		t.Fatal(err)
	}
	handler := portal.Mount(pages, api)
	if base == "" {
		handler = baseurl.Handler(handler, baseurl.Rule{})
	}
	w.server = httptest.NewServer(httpapi.Observe(httpapi.Compressed(handler), telemetry.AccessLog{Logger: log}))
	t.Cleanup(w.server.Close)
	return w
}

// browser is a client with the cookie of a session, "" without one.
type browser struct {
	*world
	cookie string
}

// reply is a response with its body.
type reply struct {
	*http.Response
	body []byte
}

func (r reply) decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(r.body, into); err != nil {
		t.Fatalf("%s %s: %s: %v", r.Request.Method, r.Request.URL.Path, r.body, err)
	}
}

// code returns the code of a problem, "" of another response.
func (r reply) code() string {
	var p struct{ Code string }
	_ = json.Unmarshal(r.body, &p)
	return p.Code
}

var direct = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// do sends a request as the page does, with the given headers.
func (b browser) do(method, path string, body any, header ...string) reply {
	b.t.Helper()
	var content io.Reader
	if text, ok := body.(string); ok {
		content = strings.NewReader(text)
	} else if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		content = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, content)
	if err != nil {
		b.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if b.cookie != "" {
		req.Header.Set("Cookie", b.cookie)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := direct.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	r := reply{resp, data}
	b.checkDescribed(r)
	return r
}

func (b browser) want(status int, code string, r reply) reply {
	b.t.Helper()
	if r.StatusCode != status || r.code() != code {
		b.t.Errorf("%s %s: %s %s; want %d %q", r.Request.Method, r.Request.URL.Path, r.Status, r.body, status, code)
	}
	return r
}

// link returns the token of a new link.
func (w *world) link(team, user string) string {
	w.t.Helper()
	token, _, err := w.sessions.CreateLink(w.t.Context(), team, user)
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

// signedIn returns a browser with a session.
func (w *world) signedIn(team, user string) browser {
	w.t.Helper()
	r := browser{world: w}.do("POST", "/portal/api/session", map[string]string{"token": w.link(team, user)})
	if r.StatusCode != http.StatusOK || len(r.Cookies()) != 1 {
		w.t.Fatalf("sign-in: %s %s", r.Status, r.body)
	}
	c := r.Cookies()[0]
	return browser{w, c.Name + "=" + c.Value}
}

// keyText is the status of a request of the public API with a key.
func (w *world) keyText(text string) int {
	w.t.Helper()
	return browser{world: w}.do("GET", "/v1/parts", nil, "Authorization", "Bearer "+text).StatusCode
}
