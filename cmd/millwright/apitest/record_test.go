package apitest_test

import (
	"net/http"
	"strings"
	"testing"
)

// recordOf reads the record of a part or a project as a face answers it.
func recordOf[T any](t *testing.T, face string, r reply) T {
	t.Helper()
	if face == "" {
		return decode[struct{ Data T }](t, r).Data
	}
	return decode[T](t, r)
}

// partRecord tests the operations on the record of a part, until it is deleted.
func (w *world) partRecord(t *testing.T, face string) {
	key := w.newTeam(t)
	send := func(method, path string) call { return call{method: method, path: face + path, key: key} }
	made, _ := w.create(t, face, key, alone("plate.step"))
	path := "/parts/" + made.id

	list := func(query string) int {
		return decode[struct{ Total int }](t, w.want(t, send("GET", "/parts?"+query), http.StatusOK, "")).Total
	}
	for query, want := range map[string]int{
		"page=1&pageSize=100": 1, "status=pending": 1, "status=ready": 0, "q=LATE.st": 1, "q=%25": 0, "projectId=" + unknown: 0,
	} {
		if got := list(query); got != want {
			t.Errorf("parts with %s: %d, want %d", query, got, want)
		}
	}
	type record struct{ ID, FileName, Status, ProjectID string }
	r := w.want(t, send("GET", path+"/record?wait=0"), http.StatusOK, "")
	if got := recordOf[record](t, face, r); got.ID != made.id || got.Status != "pending" {
		t.Errorf("record %s", r.body)
	}
	w.renamed(t, send, face, path)

	again := decode[upload](t, w.want(t, send("POST", path+"/upload"), http.StatusOK, ""))
	w.put(t, again, plate)
	w.want(t, send("POST", path+"/complete"), http.StatusAccepted, "")
	w.want(t, send("POST", path+"/upload"), http.StatusConflict, "upload_closed")
	w.want(t, send("GET", path+"/record?wait=30"), http.StatusOK, "")

	w.want(t, send("DELETE", path), http.StatusNoContent, "")
	w.want(t, send("DELETE", path), http.StatusNotFound, "not_found")
	w.want(t, send("GET", path+"/record"), http.StatusNotFound, "not_found")
	if got := list("page=1"); got != 0 {
		t.Errorf("%d parts after the only one was deleted", got)
	}
}

// renamed changes the client's data of a part.
func (w *world) renamed(t *testing.T, send func(method, path string) call, face, path string) {
	change := send("PATCH", path+"/record")
	create := send("POST", "/projects")
	create.body = encode(t, map[string]any{"name": "Gearbox"})
	project := recordOf[struct{ ID string }](t, face, w.want(t, create, http.StatusCreated, "")).ID
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"fileName":"ground plate.stp"}`, http.StatusOK, ""},
		{`{"projectId":"` + strings.ToUpper(project) + `"}`, http.StatusOK, ""},
		{`{}`, http.StatusOK, ""},
		{`{"projectId":"` + unknown + `"}`, http.StatusNotFound, "not_found"},
		{`{"fileName":"plate.dwg"}`, http.StatusBadRequest, "unsupported_format"},
		{`{"fileName":null,"status":"ready"}`, http.StatusBadRequest, "invalid_request"},
	} {
		change.body = []byte(c.body)
		w.want(t, change, c.status, c.code)
	}
	r := w.want(t, send("GET", path+"/record"), http.StatusOK, "")
	got := recordOf[struct{ FileName, ProjectID string }](t, face, r)
	if got.FileName != "ground plate.stp" || got.ProjectID != project {
		t.Errorf("record %s after it was renamed", r.body)
	}
	change.body = []byte(`{"projectId":null}`)
	w.want(t, change, http.StatusOK, "")
}

// jobChanges cancels and retries jobs.
func (w *world) jobChanges(t *testing.T, face string) {
	key := w.newTeam(t)
	made, _ := w.create(t, face, key, alone("plate.step"))
	w.put(t, made.to, plate)
	send := func(method, path string) call { return call{method: method, path: face + path, key: key} }
	w.want(t, send("POST", "/parts/"+made.id+"/complete"), http.StatusAccepted, "")
	type record struct{ Status, JobID string }
	id := recordOf[record](t, face, w.want(t, send("GET", "/parts/"+made.id+"/record"), http.StatusOK, "")).JobID
	w.done(t, face, key, id)
	w.want(t, call{method: "GET", path: "/v1/jobs/" + id + "/events", key: key}, http.StatusOK, "")
	w.want(t, send("POST", "/jobs/"+id+"/cancel"), http.StatusConflict, "job_finished")
	w.want(t, send("POST", "/jobs/"+id+"/retry"), http.StatusConflict, "job_finished")

	// A job that is cancelled immediately may have ended before; then another one is tried.
	for range 100 {
		r := w.want(t, send("PATCH", "/parts/"+made.id+"?featureDetails=true"), http.StatusAccepted, "")
		id = decode[record](t, r).JobID
		if r := w.send(t, send("POST", "/jobs/"+id+"/cancel")); r.StatusCode == http.StatusAccepted {
			if got := decode[struct{ Status, Error string }](t, r); got.Status != "failed" || got.Error == "" {
				t.Errorf("cancelled: %s", r.body)
			}
			w.want(t, send("POST", "/jobs/"+id+"/retry"), http.StatusAccepted, "")
			w.done(t, face, key, id)
			return
		}
	}
	t.Error("every job ended before it could be cancelled")
}
