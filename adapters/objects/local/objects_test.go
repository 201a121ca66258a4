package local

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record/recordtest"
	"millwright.dev/millwright/internal/objecttest"
)

var start = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// serve opens a folder and serves its addresses.
func serve(t *testing.T, dir string) (*Objects, *httptest.Server, *recordtest.Clock) {
	t.Helper()
	clock := recordtest.NewClock(start)
	var objects *Objects
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		objects.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	objects, err := Open(Options{Dir: dir, BaseURL: server.URL + "/objects/", Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := objects.Close(); err != nil {
			t.Error(err)
		}
	})
	return objects, server, clock
}

func TestObjects(t *testing.T) {
	objecttest.Run(t, func(t *testing.T) objecttest.Harness {
		objects, server, clock := serve(t, t.TempDir())
		return objecttest.Harness{Objects: objects, Client: server.Client(), Shift: clock.Advance}
	})
}

func TestSecretIsKeptAndPrivate(t *testing.T) {
	dir := t.TempDir()
	first, _, _ := serve(t, dir)
	second, _, _ := serve(t, dir)
	if !bytes.Equal(first.secret, second.secret) {
		t.Error("a second process signs with another secret")
	}
	info, err := os.Stat(filepath.Join(dir, secretFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("the secret has mode %o, want 600", got)
	}
	other, _, _ := serve(t, t.TempDir())
	if bytes.Equal(first.secret, other.secret) {
		t.Error("two folders share a secret")
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct{ name, base, secret string }{
		{"relative base", "/objects", ""}, {"base with a query", "http://h/o?x=1", ""},
		{"short secret", "http://h/o", "abc"},
	} {
		dir := t.TempDir()
		if c.secret != "" {
			if err := os.WriteFile(filepath.Join(dir, secretFile), []byte(c.secret), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := Open(Options{Dir: dir, BaseURL: c.base}); err == nil {
			t.Errorf("%s: Open succeeds", c.name)
			_ = s.Close()
		}
	}
}

func TestAbandonedUploadsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	serve(t, dir)
	for name, age := range map[string]time.Duration{"old": 2 * abandoned, "young": time.Hour} {
		file := filepath.Join(dir, tmpDir, name)
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, start.Add(-age), start.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, dir)
	entries, err := os.ReadDir(filepath.Join(dir, tmpDir))
	if err != nil || len(entries) != 1 || entries[0].Name() != "young" {
		t.Errorf("tmp holds %v, %v; want only the young upload", entries, err)
	}
}

func TestLinksDoNotLeaveFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, _ := serve(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, dataDir, "bucket"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, dataDir, "bucket", "link")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Get(t.Context(), object.Ref{Bucket: "bucket", Key: "link"}); err == nil {
		t.Error("Get follows a link out of the folder")
	}
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestUploadTakesConstantMemory(t *testing.T) {
	const size, most = 64 << 20, 8 << 20
	s, server, _ := serve(t, t.TempDir())
	ref := object.Ref{Bucket: "bucket", Key: "large"}
	up, err := s.SignPut(t.Context(), ref, object.PutConditions{Life: time.Minute, MaxBytes: size})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, up.URL, io.LimitReader(zeros{}, size))
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = size
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	runtime.ReadMemStats(&after)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("an upload of %d bytes allocated %d, want at most %d", size, got, most)
	}
	if info, err := s.Head(t.Context(), ref); err != nil || info.Size != size {
		t.Errorf("Head = %+v, %v", info, err)
	}
}

func typePath(code string) string { return "/problems/" + strings.ReplaceAll(code, "_", "-") }

func TestServiceURLNamesProblems(t *testing.T) {
	s, err := Open(Options{
		Dir: t.TempDir(), BaseURL: "https://x.example/mw/objects", ServiceURL: "https://x.example/mw/",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/mw/objects/x", nil))
	if want := `"https://x.example/mw/problems/not-found"`; !strings.Contains(w.Body.String(), want) {
		t.Errorf("%s, want type %s", w.Body, want)
	}
}

// TestBehindAProxy reads an object through a proxy that takes a prefix off the path.
func TestBehindAProxy(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir(), BaseURL: "https://x.example/mw/objects", MountPath: "/objects"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ref := object.Ref{Bucket: "bucket", Key: "a/b"}
	if err := s.Put(t.Context(), ref, strings.NewReader("content")); err != nil {
		t.Fatal(err)
	}
	down, err := s.SignGet(t.Context(), ref, object.GetConditions{Life: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(down.URL, "https://x.example/mw/")
	if !ok {
		t.Fatalf("address %s does not begin with the public one", down.URL)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+rest, nil))
	if w.Code != http.StatusOK || w.Body.String() != "content" {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}

// TestObjectsAreSandboxed: the content of an object runs no script at the origin of the service.
func TestObjectsAreSandboxed(t *testing.T) {
	s, server, _ := serve(t, t.TempDir())
	ref := object.Ref{Bucket: "bucket", Key: "sheet"}
	const sheet = `<title><img src=x onerror=alert(1)></title><script>fetch("/portal/api/keys")</script>`
	if err := s.Put(t.Context(), ref, strings.NewReader(sheet)); err != nil {
		t.Fatal(err)
	}
	down, err := s.SignGet(t.Context(), ref, object.GetConditions{Life: time.Minute, ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := server.Client().Get(down.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	const want = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
	if got := res.Header.Get("Content-Security-Policy"); got != want || res.StatusCode != http.StatusOK {
		t.Errorf("%s with Content-Security-Policy %q, want %q", res.Status, got, want)
	}
}

func TestProblemBodies(t *testing.T) {
	s, server, clock := serve(t, t.TempDir())
	ref := object.Ref{Bucket: "bucket", Key: "k"}
	up, err := s.SignPut(t.Context(), ref, object.PutConditions{Life: time.Minute, MaxBytes: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, method, url, body string
		wait                    time.Duration
		status                  int
		code                    string
	}{
		{"too large", "PUT", up.URL, "four", 0, 413, "payload_too_large"},
		{"changed", "PUT", up.URL + "0", "x", 0, 403, "invalid_signature"},
		{"unparsable query", "PUT", up.URL + "&%zz", "x", 0, 403, "invalid_signature"},
		{"wrong method", "POST", up.URL, "x", 0, 405, "method_not_allowed"},
		{"no object address", "GET", server.URL + "/objects/x", "", 0, 404, "not_found"},
		{"outside", "GET", server.URL + "/elsewhere", "", 0, 404, "not_found"},
		{"expired", "PUT", up.URL, "x", time.Minute, 403, "address_expired"},
	} {
		clock.Advance(c.wait)
		req, err := http.NewRequestWithContext(t.Context(), c.method, c.url, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Type, Title, Code, Detail string
			Status                    int
		}
		err = json.NewDecoder(res.Body).Decode(&got)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != c.status || got.Status != c.status || got.Code != c.code ||
			got.Title == "" || got.Detail == "" || got.Type != server.URL+typePath(c.code) {
			t.Errorf("%s: status %d, body %+v, %v; want %d %s",
				c.name, res.StatusCode, got, err, c.status, c.code)
		}
		if ct := res.Header.Get("Content-Type"); ct != "application/problem+json" {
			t.Errorf("%s: content type %q", c.name, ct)
		}
	}
	entries, err := os.ReadDir(filepath.Join(s.root.Name(), tmpDir))
	if err != nil || len(entries) != 0 {
		t.Errorf("tmp holds %v, %v after refused uploads; want nothing", entries, err)
	}
}
