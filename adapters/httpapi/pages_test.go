package httpapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// outside matches references to external resources in a page.
var outside = regexp.MustCompile(`(?i)<script|<link|<img|<iframe|@import|url\(|src=`)

var links = regexp.MustCompile(`href="([^"]*)"`)

// TestPagesAndTheirLinksExist reads the pages of the description and of the problems, and follows every link.
func TestPagesAndTheirLinksExist(t *testing.T) {
	h := newHarness(t, cube)
	docs := h.doAs("", "GET", "/docs", nil)
	text := string(docs.body)
	if docs.StatusCode != http.StatusOK || docs.Header.Get("Content-Type") != "text/html" {
		t.Fatalf("%s, %v", docs.Status, docs.Header)
	}
	for _, want := range []string{
		"<code>/v1/parts/{id}/record</code>", `id="schema-HoleFacts"`, "<strong>Cancel a job.</strong>", "upload_closed",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, h.server.URL) {
		t.Error("the page names the address of one server")
	}
	problems := 0
	for _, m := range links.FindAllStringSubmatch(text, -1) {
		if anchor, inside := strings.CutPrefix(m[1], "#"); inside {
			if !strings.Contains(text, `id="`+anchor+`"`) {
				t.Errorf("there is no %s", m[1])
			}
			continue
		}
		r := h.doAs("", "GET", "/"+m[1], nil)
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", m[1], r.Status)
		}
		if strings.HasPrefix(m[1], "problems/") {
			problems++
			text += string(r.body)
		}
	}
	if problems < 20 {
		t.Errorf("%d codes", problems)
	}
	if found := outside.FindString(text); found != "" {
		t.Errorf("a page needs something else: %s", found)
	}
}

// TestTypesOfProblemsAreAnswered follows the types of problems, of the API and of signed addresses.
func TestTypesOfProblemsAreAnswered(t *testing.T) {
	h := newHarness(t, cube)
	var p struct{ Type, Title string }
	h.doAs("", "GET", "/objects/parts/unsigned", nil).decode(t, &p)
	if r := h.doAs("", "GET", p.Type, nil); r.StatusCode != http.StatusOK || p.Title != "Invalid signature" {
		t.Errorf("%s: %s", p.Type, r.Status)
	}
	h.do("GET", "/v1/jobs/7", nil).decode(t, &p)
	r := h.doAs("", "GET", p.Type, nil)
	if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "<h1>"+p.Title+"</h1>") {
		t.Errorf("%s: %s %s", p.Type, r.Status, r.body)
	}
	wantProblem(t, "unknown problem", h.doAs("", "GET", "/problems/nothing", nil), 404, "not_found")
	again := h.send("", "GET", p.Type, nil, http.Header{"If-None-Match": {r.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified || len(again.body) > 0 {
		t.Errorf("known page: %s", again.Status)
	}
}

// TestRootRedirectsBrowserToDocs requests the root as a browser and as other clients do.
func TestRootRedirectsBrowserToDocs(t *testing.T) {
	h := newHarness(t, cube)
	browser := http.Header{"Accept": {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}}
	for _, method := range []string{"GET", "HEAD"} {
		r := h.send("", method, "/", nil, browser)
		if r.StatusCode != http.StatusFound || r.Header.Get("Location") != h.server.URL+"/docs" || !varies(r, "Accept") {
			t.Errorf("%s: %s %v", method, r.Status, r.Header)
		}
	}
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
	}{
		"a program": {"GET", "/", nil}, "curl": {"GET", "/", http.Header{"Accept": {"*/*"}}},
		"a form": {"POST", "/", browser}, "elsewhere": {"GET", "/nothing", browser},
	} {
		wantProblem(t, name, h.send("", c.method, c.path, nil, c.header), http.StatusNotFound, "not_found")
	}
}
