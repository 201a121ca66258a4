package apitest_test

import (
	"net/http"
	"testing"
)

// project is the life of a project on one face.
func (w *world) project(t *testing.T, face string) {
	key := w.newTeam(t)
	with := func(method, path string, body any) call {
		return call{method: method, path: path, key: key, body: encode(t, body)}
	}
	r := w.want(t, with("POST", face+"/projects", map[string]any{"name": "Gearbox"}), http.StatusCreated, "")
	id := decode[struct{ ID string }](t, r).ID
	if face == "" {
		id = decode[struct{ Data struct{ ID string } }](t, r).Data.ID
	}
	if want := w.base + face + "/projects/" + id; r.Header.Get("Location") != want {
		t.Errorf("Location %q, want %s", r.Header.Get("Location"), want)
	}
	w.want(t, with("PUT", face+"/projects/"+id, map[string]any{"name": "Housing"}), http.StatusOK, "")
	w.want(t, with("PUT", face+"/projects/"+id, map[string]any{"cutConfigId": nil}), http.StatusOK, "")
	read := w.want(t, call{method: "GET", path: face + "/projects/" + id, key: key}, http.StatusOK, "")
	if name := recordOf[struct{ Name string }](t, face, read).Name; name != "Housing" {
		t.Errorf("project %s, want its new name", read.body)
	}
	page := decode[struct {
		Total int
		Items []struct{ ID string }
	}](t, w.want(t, call{method: "GET", path: face + "/projects?page=1&pageSize=1", key: key}, http.StatusOK, ""))
	if page.Total != 1 || len(page.Items) != 1 || page.Items[0].ID != id {
		t.Errorf("projects %+v, want %s", page, id)
	}
	lost := map[string]any{"name": "Gearbox", "cutConfigId": unknown}
	w.want(t, with("POST", face+"/projects", lost), http.StatusNotFound, "not_found")
	w.want(t, with("PUT", face+"/projects/"+id, lost), http.StatusNotFound, "not_found")
	w.want(t, with("POST", face+"/projects", map[string]any{"name": ""}), http.StatusBadRequest, "invalid_request")

	made, _ := w.create(t, face, key, map[string]any{"fileName": "a.stp", "projectId": id})
	part := decode[struct{ Data struct{ ProjectID string } }](t,
		w.want(t, call{method: "GET", path: "/parts/" + made.id, key: key}, http.StatusAccepted, ""))
	if part.Data.ProjectID != id {
		t.Errorf("the part is in project %q, want %s", part.Data.ProjectID, id)
	}
}

// cutConfig tests the life cycle of a cut config, and the forbidden operations on the built-in one.
func (w *world) cutConfig(t *testing.T) {
	key := w.newTeam(t)
	const path = "/v1/cut-configs"
	at := func(method, id string, body any) call {
		in := call{method: method, path: path + "/" + id, key: key}
		if body != nil {
			in.body = encode(t, body)
		}
		return in
	}
	list := func() []string {
		page := decode[struct{ Items []struct{ ID string } }](t,
			w.want(t, call{method: "GET", path: path, key: key}, http.StatusOK, ""))
		var ids []string
		for _, item := range page.Items {
			ids = append(ids, item.ID)
		}
		return ids
	}
	builtIn := list()[0]
	w.want(t, at("GET", builtIn, nil), http.StatusOK, "")
	w.want(t, at("PUT", builtIn, map[string]any{"name": "x"}), http.StatusMethodNotAllowed, "method_not_allowed")
	w.want(t, at("PATCH", builtIn, map[string]any{"name": "x"}), http.StatusMethodNotAllowed, "method_not_allowed")
	w.want(t, at("DELETE", builtIn, nil), http.StatusMethodNotAllowed, "method_not_allowed")

	create := call{method: "POST", path: path, key: key, body: encode(t, map[string]any{"name": "Steel"})}
	r := w.want(t, create, http.StatusCreated, "")
	id := decode[struct{ ID string }](t, r).ID
	if r.Header.Get("Location") != w.base+path+"/"+id {
		t.Errorf("Location %q of %s", r.Header.Get("Location"), id)
	}
	create.body = encode(t, map[string]any{"name": "Steel", "toolLibraryIds": []string{unknown}})
	w.want(t, create, http.StatusBadRequest, "invalid_request")
	create.body = encode(t, map[string]any{"name": "Steel", "hourlyRateCents": -1})
	w.want(t, create, http.StatusBadRequest, "invalid_request")
	w.want(t, at("PUT", id, map[string]any{"isDefault": true}), http.StatusOK, "")
	w.want(t, at("PATCH", id, map[string]any{"post": "mach3"}), http.StatusBadRequest, "invalid_request")
	w.want(t, at("PATCH", unknown, map[string]any{"name": "x"}), http.StatusNotFound, "not_found")
	patched := decode[struct {
		Name    string
		Machine struct{ Travel struct{ X, Z float64 } }
	}](t, w.want(t, at("PATCH", id, map[string]any{"machine": map[string]any{"travel": map[string]any{"z": 600}}}), http.StatusOK, ""))
	if patched.Name != "Steel" || patched.Machine.Travel.Z != 600 || patched.Machine.Travel.X == 0 {
		t.Errorf("patched %+v", patched)
	}
	if ids := list(); len(ids) != 3 || ids[0] != id {
		t.Errorf("cut configs %v, want the new one first", ids)
	}
	for _, method := range []string{"PUT", "PATCH", "DELETE"} {
		stale := at(method, id, map[string]any{"name": "x"})
		if method == "DELETE" {
			stale.body = nil
		}
		stale.headers = map[string]string{"If-Match": `"older"`}
		w.want(t, stale, http.StatusPreconditionFailed, "precondition_failed")
	}
	w.want(t, at("DELETE", id, nil), http.StatusNoContent, "")
	w.want(t, at("GET", id, nil), http.StatusNotFound, "not_found")
}
