package contract_test

import (
	"net/http"
	"testing"
)

// readyPart is a part of a key's team whose analysis has ended.
func (w *world) readyPart(t *testing.T, key string) string {
	t.Helper()
	made, _ := w.create(t, "", key, map[string]any{"fileName": "plate.step", "autoCreateProgram": false})
	w.put(t, made.to, plate)
	w.want(t, call{method: "POST", path: "/parts/" + made.id + "/complete", key: key}, http.StatusAccepted, "")
	w.await(t, call{method: "GET", path: "/parts/" + made.id, key: key}, func(r reply) bool {
		return r.StatusCode == http.StatusOK
	})
	return made.id
}

// newPlan makes a plan of a part and waits for its end.
func (w *world) newPlan(t *testing.T, face, key, part string) string {
	t.Helper()
	r := w.want(t, call{method: "POST", path: face + "/parts/" + part + "/plans", key: key}, http.StatusCreated, "")
	id := decode[struct{ PlanID string }](t, r).PlanID
	if face == "" {
		id = decode[struct{ Data struct{ PlanID string } }](t, r).Data.PlanID
	}
	w.await(t, call{method: "GET", path: "/v1/plans/" + id, key: key}, func(r reply) bool {
		return decode[struct{ Status string }](t, r).Status != "processing"
	})
	return id
}

// programs is the life of plans, toolpaths and programs on one face.
func (w *world) programs(t *testing.T, face string) {
	key := w.newTeam(t)
	get := func(path string) call { return call{method: "GET", path: path, key: key} }
	post := func(path string, body any) call {
		in := call{method: "POST", path: path, key: key}
		if body != nil {
			in.body = encode(t, body)
		}
		return in
	}
	part := w.readyPart(t, key)
	at := face + "/parts/" + part
	w.want(t, post(at+"/plans", map[string]any{"featureIds": []string{unknown}}), http.StatusNotFound, "feature_not_found")
	plan := w.newPlan(t, face, key, part)
	w.want(t, get("/v1/parts/"+part+"/plans"), http.StatusOK, "")
	w.want(t, get("/v1/plans/"+plan+"/toolpaths"), http.StatusNotFound, "no_toolpaths")
	w.want(t, get(face+"/plans/"+plan+"/machining-time"), http.StatusNotFound, "no_toolpaths")
	again := decode[struct{ JobID string }](t,
		w.want(t, post("/v1/plans/"+plan+"/toolpaths", nil), http.StatusAccepted, ""))
	w.done(t, face, key, again.JobID)
	w.want(t, get("/v1/plans/"+plan+"/toolpaths"), http.StatusOK, "")
	w.want(t, get(face+"/plans/"+plan+"/machining-time"), http.StatusOK, "")
	queued := decode[struct{ JobID string }](t, w.want(t, post(at+"/toolpaths", map[string]any{}), http.StatusAccepted, ""))
	w.done(t, face, key, queued.JobID)

	lost := map[string]any{"cutConfigId": unknown}
	w.want(t, post(at+"/programs", lost), http.StatusNotFound, "not_found")
	made := w.want(t, post(at+"/programs", nil), http.StatusAccepted, "")
	w.want(t, post(at+"/programs", nil), http.StatusTooManyRequests, "rate_limited")
	id := decode[struct{ ID string }](t, made).ID
	if face == "" {
		id = decode[struct{ Data struct{ ID string } }](t, made).Data.ID
	}
	program := at + "/programs/" + id
	w.await(t, get("/v1/parts/"+part+"/programs/"+id), func(r reply) bool {
		v := decode[struct{ Status, FailureReason string }](t, r)
		if v.Status == "failed" {
			t.Fatalf("the program failed: %s", v.FailureReason)
		}
		return v.Status == "ready"
	})
	w.want(t, get(program), http.StatusOK, "")
	w.want(t, get(at+"/programs"), http.StatusOK, "")
	w.want(t, get(program+"/gcode?setup=1&post=heidenhain"), http.StatusOK, "")
	w.want(t, get(program+"/gcode?setup=99"), http.StatusNotFound, "no_setup")
	w.want(t, get(program+"/estimate?quantity=10"), http.StatusOK, "")
	w.withoutTools(t, face, key, part)
	w.unready(t, face)
}

// withoutTools asks for what a program without tools does not have.
func (w *world) withoutTools(t *testing.T, face, key, part string) {
	config := decode[struct{ ID string }](t, w.want(t, call{
		method: "POST", path: "/v1/cut-configs", key: key,
		body: encode(t, map[string]any{"name": "Bare hands", "toolLibraryIds": []string{}}),
	}, http.StatusCreated, "")).ID
	in := call{method: "POST", path: "/v1/parts/" + part + "/programs", key: key, body: encode(t, map[string]any{"cutConfigId": config})}
	id := decode[struct{ ID string }](t, w.await(t, in, func(r reply) bool { return r.StatusCode == http.StatusAccepted })).ID
	path := face + "/parts/" + part + "/programs/" + id
	w.want(t, call{method: "GET", path: path + "/gcode", key: key}, http.StatusConflict, "program_not_ready")
	w.want(t, call{method: "GET", path: path + "/estimate", key: key}, http.StatusConflict, "program_not_ready")
}

// unready asks for what only a part that is ready has.
func (w *world) unready(t *testing.T, face string) {
	key := w.newTeam(t)
	made, _ := w.create(t, face, key, map[string]any{"fileName": "plate.step"})
	for _, of := range []string{"/plans", "/toolpaths", "/programs"} {
		w.want(t, call{method: "POST", path: face + "/parts/" + made.id + of, key: key}, http.StatusConflict, "part_not_ready")
	}
}
