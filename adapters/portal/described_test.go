package portal_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// known is the interface description of the portal, which the first world reads. Worlds differ in the
// address of the service only.
var known struct {
	sync.Mutex
	*contract.Contract
}

func (w *world) description() *contract.Contract {
	w.t.Helper()
	known.Lock()
	defer known.Unlock()
	if known.Contract == nil {
		r, err := direct.Get(w.server.URL + "/portal/api/openapi.json")
		w.must(err)
		defer func() { _ = r.Body.Close() }()
		text, err := io.ReadAll(r.Body)
		w.must(err)
		known.Contract, err = contract.Load(text)
		w.must(err)
	}
	return known.Contract
}

// checkDescribed compares the response of an operation of the portal with its description.
func (w *world) checkDescribed(r reply) {
	w.t.Helper()
	path := r.Request.URL.EscapedPath()
	if !strings.HasPrefix(path, "/portal/api/") || strings.HasPrefix(path, "/portal/api/v1/") {
		return
	}
	d := w.description()
	op, _ := d.Find(r.Request.Method, path)
	if op == nil {
		return
	}
	if r.StatusCode >= http.StatusBadRequest {
		if codes := op.Answers[r.StatusCode].Codes; !slices.Contains(codes, r.code()) {
			w.t.Errorf("%s %s answers %d %q, described are %q", op.Method, op.Path, r.StatusCode, r.code(), codes)
		}
		return
	}
	plain := &http.Response{StatusCode: r.StatusCode, Header: http.Header{}} // other headers have their own tests
	for _, name := range []string{"Content-Type", "Location"} {
		if values := r.Header[name]; values != nil {
			plain.Header[name] = values
		}
	}
	for _, wrong := range d.Answer(contract.Exchange{Request: r.Request, Response: plain, Body: r.body}) {
		w.t.Errorf("%s %s: %s: %.200s", op.Method, op.Path, wrong, r.body)
	}
}

// TestDescriptionIsThatOfTheRoutes: every described operation is served, and no other method of its path is. That every
// route is described is a test inside the package; all tests compare the responses with the description.
func TestDescriptionIsThatOfTheRoutes(t *testing.T) {
	w := newWorld(t, "")
	guest := browser{world: w}
	r := guest.want(http.StatusOK, "", guest.do("GET", "/portal/api/openapi.json", nil))
	var of struct{ Servers []struct{ URL string } }
	if r.decode(t, &of); len(of.Servers) != 1 || of.Servers[0].URL != w.server.URL {
		t.Errorf("the description is of the servers %v, want %s", of.Servers, w.server.URL)
	}
	methods := []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
	for _, op := range w.description().Operations() {
		path := strings.NewReplacer("{setup}", "1", "{", "", "}", "").Replace(op.Path)
		_, offered := w.description().Find(op.Method, path)
		for _, method := range methods {
			r := guest.do(method, path, nil)
			refused := r.StatusCode == http.StatusMethodNotAllowed
			if slices.Contains(offered, method) == refused {
				t.Errorf("%s %s answers %s, described are %v", method, path, r.Status, offered)
			}
			_, secured := op.Answers[http.StatusUnauthorized]
			if op.Method == method && secured != (r.code() == "no_session") {
				t.Errorf("%s %s without a session answers %s %q", method, path, r.Status, r.code())
			}
		}
	}
	if n := len(w.description().Operations()); n < 20 {
		t.Errorf("%d operations are described", n)
	}
}
