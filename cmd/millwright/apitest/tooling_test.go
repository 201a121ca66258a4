package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// tooling contains the request bodies that create a tool library and a holder, by the segment of the path.
var tooling = map[string]string{
	"tool-libraries": `{"name":"secret-library","tools":[{"kind":"reamer","diameter":5,"fluteLength":20,
		"overallLength":80,"shankDiameter":5,"bodyLength":50,"fluteCount":6}]}`,
	"holders": `{"name":"secret-holder","gaugeLength":60,
		"cones":[{"diameterBottom":20,"diameterTop":28,"height":50}]}`,
}

// newTooling makes a tool library or a holder and returns its id.
func (w *world) newTooling(t *testing.T, key, kind string) string {
	t.Helper()
	r := w.want(t, call{method: "POST", path: "/v1/" + kind, key: key, body: []byte(tooling[kind])},
		http.StatusCreated, "")
	id := decode[struct{ ID string }](t, r).ID
	if want := w.base + "/v1/" + kind + "/" + id; r.Header.Get("Location") != want {
		t.Errorf("Location %q, want %s", r.Header.Get("Location"), want)
	}
	return id
}

// toolingLife tests the life cycle of tool libraries and holders, and the forbidden operations on the built-in library.
func (w *world) toolingLife(t *testing.T) {
	key := w.newTeam(t)
	send := func(method, path string) call { return call{method: method, path: path, key: key} }
	for _, kind := range []string{"tool-libraries", "holders"} {
		path := "/v1/" + kind + "/" + w.newTooling(t, key, kind)
		w.want(t, send("GET", path), http.StatusOK, "")
		w.want(t, send("GET", "/v1/"+kind+"?page=1&pageSize=100"), http.StatusOK, "")
		stale := send("DELETE", path)
		stale.headers = map[string]string{"If-Match": `"older"`}
		w.want(t, stale, http.StatusPreconditionFailed, "precondition_failed")
		w.want(t, send("DELETE", path), http.StatusNoContent, "")
		w.want(t, send("DELETE", path), http.StatusNotFound, "not_found")
	}
	const builtIn = "/v1/tool-libraries/" + machining.BuiltInToolLibraryID
	w.want(t, send("GET", builtIn), http.StatusOK, "")
	w.want(t, send("DELETE", builtIn), http.StatusMethodNotAllowed, "method_not_allowed")

	table := send("POST", "/v1/tool-libraries?unit=in&name=Table")
	table.media, table.body = "text/plain", []byte("T1 D.25 ;end mill\nT2\n")
	read := decode[struct {
		ToolCount int
		Report    struct{ Skipped []struct{ Entry string } }
	}](t, w.want(t, table, http.StatusCreated, ""))
	if read.ToolCount != 1 || len(read.Report.Skipped) != 1 {
		t.Errorf("table of one tool and one line without: %+v", read)
	}
	w.replaceLibrary(t, key)
	put := send("PUT", builtIn)
	put.body = w.want(t, send("GET", builtIn), http.StatusOK, "").body
	w.want(t, put, http.StatusMethodNotAllowed, "method_not_allowed")
	table.body = []byte("T2\n")
	w.want(t, table, http.StatusBadRequest, "invalid_request")
	high := send("POST", "/v1/holders")
	high.body = []byte(strings.Replace(tooling["holders"], "60", "40", 1))
	w.want(t, high, http.StatusBadRequest, "invalid_request")
}

// replaceLibrary sends the stored data of a library back, which confirms assumed values.
func (w *world) replaceLibrary(t *testing.T, key string) {
	t.Helper()
	made := w.want(t, call{method: "POST", path: "/v1/tool-libraries", key: key, media: "text/plain",
		body: []byte("T1 D6 ;end mill\n")}, http.StatusCreated, "")
	type library struct {
		ID    string
		Tools []struct{ Guessed []string }
	}
	read := decode[library](t, made)
	path := "/v1/tool-libraries/" + read.ID
	put := call{method: "PUT", path: path, key: key, body: made.body, headers: map[string]string{"If-Match": `"older"`}}
	w.want(t, put, http.StatusPreconditionFailed, "precondition_failed")
	put.headers = nil
	now := decode[library](t, w.want(t, put, http.StatusOK, ""))
	if len(read.Tools) != 1 || len(read.Tools[0].Guessed) == 0 || len(now.Tools) != 1 || len(now.Tools[0].Guessed) != 0 {
		t.Errorf("guessed of %+v, and %+v when it was sent back", read, now)
	}
	put.key = w.newTeam(t)
	w.want(t, put, http.StatusNotFound, "not_found")
	put.key, put.body = key, []byte(`{"name":"x","tools":[]}`)
	w.want(t, put, http.StatusBadRequest, "invalid_request")
}
