package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/telemetry"
)

// visitor is a browser of the portal.
type visitor struct {
	t    *testing.T
	base string
	http *http.Client
}

func newVisitor(t *testing.T, base string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, base, &http.Client{Jar: jar}}
}

// do sends a request with the visitor's cookies, and returns status and body.
func (v *visitor) do(method, path, body string) (int, string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := v.http.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// signIn uses the token of a link.
func (v *visitor) signIn(link string) (int, string) {
	v.t.Helper()
	_, token, ok := strings.Cut(link, "/portal/welcome#token=")
	if !ok {
		v.t.Fatalf("link %q", link)
	}
	return v.do(http.MethodPost, "/portal/api/session", `{"token":"`+token+`"}`)
}

// portalLinkOf makes a link through the command line.
func portalLinkOf(t *testing.T, data string, args ...string) string {
	t.Helper()
	args = append([]string{"portal", "link", "--data", data, "-o", "json"}, args...)
	stdout, stderr, status := millwright(t, args...)
	var link struct {
		URL       string
		ExpiresAt time.Time
	}
	err := json.Unmarshal([]byte(stdout), &link)
	if err != nil || status != 0 || stderr != "" || link.ExpiresAt.IsZero() {
		t.Fatalf("portal link: status %d, %s%s (%v)", status, stdout, stderr, err)
	}
	return link.URL
}

// TestPortalOfAService signs in by a link that another process made.
func TestPortalOfAService(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, "--role", "api")
	p.says(regexp.MustCompile(`(command="millwright portal link --team TEAM")`)) // for an output other than a terminal
	if strings.Contains(p.log.String(), "#token=") {
		t.Errorf("the log has a link:\n%s", p.log)
	}
	v := newVisitor(t, p.base)
	link := portalLinkOf(t, data, "--team", "t", "--url", p.base)
	if !strings.HasPrefix(link, p.base+"/portal/welcome#token=") {
		t.Errorf("link %s of the service at %s", link, p.base)
	}
	if status, body := v.signIn(link); status != http.StatusOK || !strings.Contains(body, `"publicUrl":"`+p.base+`"`) {
		t.Fatalf("sign-in: %d %s", status, body)
	}
	if status, body := v.signIn(link); status != http.StatusGone {
		t.Errorf("the link again: %d %s", status, body)
	}
	if status, body := v.do(http.MethodGet, "/portal/api/v1/parts", ""); status != http.StatusOK {
		t.Errorf("parts: %d %s", status, body)
	}
	if status, body := v.do(http.MethodGet, "/v1/parts", ""); status != http.StatusUnauthorized {
		t.Errorf("the public API with the cookie: %d %s", status, body)
	}
	stdout, _, _ := millwright(t, "key", "list", "--data", data, "--team", "t", "-o", "json")
	if !strings.Contains(stdout, `"kind":"portal"`) {
		t.Errorf("key list lacks the key of the portal: %s", stdout)
	}
	_, token, _ := strings.Cut(link, "#token=")
	if strings.Contains(p.log.String(), token) {
		t.Errorf("the log has the token:\n%s", p.log)
	}
}

func TestServeWithoutPortal(t *testing.T) {
	whole(t)
	t.Parallel()
	p := serve(t, t.TempDir(), "--role", "api", "--portal=false")
	v := newVisitor(t, p.base)
	for _, path := range []string{"/portal/", "/portal/api/session"} {
		if status, body := v.do(http.MethodGet, path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if strings.Contains(p.log.String(), "portal") {
		t.Errorf("the log names the portal:\n%s", p.log)
	}
}

// TestPortalBelowAnotherAddress: the portal has no prefix; the API alone may have one.
func TestPortalBelowAnotherAddress(t *testing.T) {
	whole(t)
	for _, args := range [][]string{
		{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--public-url", "https://shop.example/mill"},
		{"portal", "link", "--data", t.TempDir(), "--team", "t", "--url", "https://shop.example/mill/"},
	} {
		_, stderr, status := millwright(t, args...)
		if status == 0 || !strings.Contains(stderr, "the portal needs a host of its own, and https://shop.example/mill") {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
	p := serve(t, t.TempDir(), "--role", "api", "--portal=false", "--public-url", "https://shop.example/mill/")
	if p.base != "https://shop.example/mill" {
		t.Errorf("the service without a portal is at %s", p.base)
	}
}

// TestOfferLink: only a terminal gets a link, and only before the first session.
func TestOfferLink(t *testing.T) {
	whole(t)
	b, err := openBackend(t.Context(), dataFlags{Data: t.TempDir(), MaxUpload: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	offered := func() string {
		t.Helper()
		var out bytes.Buffer
		log, err := telemetry.NewLogger(&out, "text", "info")
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		if err := offerLink(t.Context(), b, "http://localhost", file, log); err != nil {
			t.Fatal(err)
		}
		if info, err := file.Stat(); err != nil || info.Size() != 0 {
			t.Errorf("a file gets %d bytes, %v", info.Size(), err)
		}
		return out.String()
	}
	if got := offered(); !strings.Contains(got, linkCommand) {
		t.Errorf("before the first session the log is %q", got)
	}
	var out bytes.Buffer
	if err := printLink(t.Context(), b, "http://localhost", firstTeam, &out); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(strings.TrimSpace(out.String()[strings.Index(out.String(), "http"):]))
	if err != nil || u.Path != "/portal/welcome" || u.RawQuery != "" {
		t.Fatalf("printed %q", out.String())
	}
	if _, _, err := b.sessions.SignIn(t.Context(), strings.TrimPrefix(u.Fragment, "token="), ""); err != nil {
		t.Fatal(err)
	}
	if got := offered(); got != "" {
		t.Errorf("after the first session the log is %q", got)
	}
}
