package httpapi_test

import (
	"net/http"
	"testing"
)

func TestExportIsMadeOnlyOnRequest(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("a cube"))
	path := "/v1/parts/" + id
	wanted := map[string]any{"exports": []string{"3mf"}}
	for _, c := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"GET", path + "/export?format=3mf", nil, http.StatusNotFound}, // the first run was not asked for it
		{"GET", path + "/export", nil, http.StatusBadRequest},
		{"GET", path + "/export?format=stl", nil, http.StatusBadRequest},
		{"PATCH", path, map[string]any{"exports": []string{"stl"}}, http.StatusBadRequest},
		{"PATCH", path, wanted, http.StatusAccepted},
	} {
		if r := h.do(c.method, c.path, c.body); r.StatusCode != c.status {
			t.Errorf("%s %s %v: %s %s, want %d", c.method, c.path, c.body, r.Status, r.body, c.status)
		}
	}
	h.waitJob()
	var file struct{ URL, ExpiresAt string }
	r := h.do("GET", path+"/export?format=3mf", nil)
	r.decode(t, &file)
	if r := h.doAs("", "GET", file.URL, nil); r.StatusCode != http.StatusOK || string(r.body) != "3mf" ||
		r.Header.Get("Content-Type") != "model/3mf" || file.ExpiresAt == "" {
		t.Errorf("the file: %s %v %q", r.Status, r.Header, r.body)
	}
}
