package httpapi_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// TestUnchangedAnswersAreNotSentAgain requests records that the client has.
func TestUnchangedAnswersAreNotSentAgain(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("x"))
	h.do("POST", "/parts/"+id+"/complete", nil)
	h.waitJob()
	for _, path := range []string{
		"/v1/parts/" + id, "/v1/parts/" + id + "/thumbnail", "/v1/openapi.json",
		"/v1/tool-libraries/" + machining.BuiltInToolLibraryID, "/v1/cut-configs/" + machining.BuiltInCutConfigIDs[0],
	} {
		first := h.do("GET", path, nil)
		tag := first.Header.Get("ETag")
		if first.StatusCode != http.StatusOK || tag == "" {
			t.Fatalf("%s: %s, ETag %q", path, first.Status, tag)
		}
		for _, known := range []string{tag, `"other", ` + tag, "*"} {
			again := h.send(h.key, "GET", path, nil, http.Header{"If-None-Match": {known}})
			if again.StatusCode != http.StatusNotModified || len(again.body) > 0 || again.Header.Get("ETag") != tag {
				t.Errorf("%s known as %s: %s, %d bytes, ETag %q", path, known, again.Status, len(again.body),
					again.Header.Get("ETag"))
			}
		}
		other := h.send(h.key, "GET", path, nil, http.Header{"If-None-Match": {`"other"`}})
		if other.StatusCode != http.StatusOK || len(other.body) != len(first.body) {
			t.Errorf("%s known as another: %s", path, other.Status)
		}
	}
}

// TestLongTextsAreCompressed sends requests with and without gzip.
func TestLongTextsAreCompressed(t *testing.T) {
	h := newHarness(t, cube)
	for path, long := range map[string]bool{"/v1/openapi.json": true, "/health": false} {
		plain := h.send("", "GET", path, nil, http.Header{"Accept-Encoding": {"identity"}})
		if plain.Header.Get("Content-Encoding") != "" || !varies(plain, "Accept-Encoding") {
			t.Errorf("%s: %v for who does not ask", path, plain.Header)
		}
		asked := h.send("", "GET", path, nil, http.Header{"Accept-Encoding": {"gzip"}})
		if !long {
			if asked.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d bytes were compressed", path, len(plain.body))
			}
			continue
		}
		in, err := gzip.NewReader(strings.NewReader(string(asked.body)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil || string(body) != string(plain.body) || len(asked.body)*4 > len(body) {
			t.Errorf("%s: %d of %d bytes, %v", path, len(asked.body), len(body), err)
		}
	}
}
