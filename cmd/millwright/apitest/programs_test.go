package apitest_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// readyPart creates a part of a key's team on a face, with the programs in more, and waits until its analysis has
// ended. It returns the first program, "" without programs.
func (w *world) readyPart(t *testing.T, face, key string, more map[string]any) (part, program string) {
	t.Helper()
	body := map[string]any{"fileName": "hole.step"}
	maps.Copy(body, more)
	made, _ := w.create(t, face, key, body)
	w.put(t, made.to, hole)
	w.want(t, call{method: "POST", path: "/parts/" + made.id + "/complete", key: key}, http.StatusAccepted, "")
	r := w.await(t, call{method: "GET", path: "/parts/" + made.id, key: key}, func(r reply) bool {
		return r.StatusCode == http.StatusOK
	})
	type record struct {
		Status, CurrentProgramID string
		ProgramIDs               []string
	}
	p := decode[struct{ Data record }](t, r).Data
	if p.Status != "ready" || (p.CurrentProgramID == "") != (len(p.ProgramIDs) == 0) ||
		p.CurrentProgramID != "" && p.CurrentProgramID != p.ProgramIDs[0] {
		t.Errorf("part: %s, want it ready, and its current program the first", r.body)
	}
	return made.id, p.CurrentProgramID
}

// programmed waits for a program that can be run.
func (w *world) programmed(t *testing.T, key, part, program string) reply {
	t.Helper()
	return w.await(t, call{method: "GET", path: "/v1/parts/" + part + "/programs/" + program, key: key}, func(r reply) bool {
		v := decode[struct{ Status, FailureReason string }](t, r)
		if v.Status == "failed" {
			t.Fatalf("the program failed: %s", v.FailureReason)
		}
		return v.Status == "ready"
	})
}

// programsOfParts are those that parts get when they are made, on one face.
func (w *world) programsOfParts(t *testing.T, face string) {
	key := w.newTeam(t)
	listed := func(part string) (configs []string) {
		r := w.want(t, call{method: "GET", path: "/v1/parts/" + part + "/programs", key: key}, http.StatusOK, "")
		for _, p := range decode[struct {
			Items []struct{ CutConfigID string }
		}](t, r).Items {
			configs = append(configs, p.CutConfigID) // newest first
		}
		return configs
	}
	create := call{method: "POST", path: "/v1/cut-configs", key: key, body: encode(t, map[string]any{"name": "Own", "isDefault": true})}
	own := decode[struct{ ID string }](t, w.want(t, create, http.StatusCreated, "")).ID
	part, program := w.readyPart(t, face, key, nil)
	w.programmed(t, key, part, program)
	if got := listed(part); !slices.Equal(got, []string{own}) {
		t.Errorf("programs of a part that names no cut config: with %v, want the caller's default %s", got, own)
	}
	key = w.newTeam(t)
	two := []string{machining.LargeCutConfigID, machining.BuiltInCutConfigID}
	part, program = w.readyPart(t, face, key, map[string]any{"cutConfigIds": two})
	first := decode[struct{ CutConfigID string }](t, w.programmed(t, key, part, program)).CutConfigID
	if got := listed(part); first != two[0] || !slices.Equal(got, []string{two[1], two[0]}) {
		t.Errorf("programs of a part that names %v: with %v, the current one with %s", two, got, first)
	}
	key = w.newTeam(t)
	part, program = w.readyPart(t, face, key, map[string]any{"cutConfigIds": two, "autoCreateProgram": false})
	if got := listed(part); program != "" || len(got) != 0 {
		t.Errorf("programs of a part that is to have none: %v", got)
	}
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
	part, _ := w.readyPart(t, face, key, map[string]any{"autoCreateProgram": false})
	at := face + "/parts/" + part
	w.want(t, post(at+"/plans", map[string]any{"featureIds": []string{unknown}}), http.StatusNotFound, "feature_not_found")
	plan := w.newPlan(t, face, key, part)
	w.want(t, get("/v1/parts/"+part+"/plans"), http.StatusOK, "")
	w.want(t, get("/v1/plans/"+plan), http.StatusOK, "")
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
	w.bundled(t, w.programmed(t, key, part, id))
	w.want(t, get(program), http.StatusOK, "")
	w.want(t, get(at+"/programs"), http.StatusOK, "")
	w.want(t, get(program+"/gcode?setup=1&post=heidenhain"), http.StatusOK, "")
	w.want(t, get(program+"/gcode?setup=99"), http.StatusNotFound, "no_setup")
	w.want(t, get(program+"/estimate?quantity=10"), http.StatusOK, "")
	w.steered(t, face, key, part)
	w.withoutTools(t, face, key, part)
	w.unready(t, face)
}

// bundled unpacks the bundle of a program, whose g-code is the one that the record states.
func (w *world) bundled(t *testing.T, program reply) {
	t.Helper()
	p := decode[struct {
		BundleURL, ToolTableURL, ProgramJSONURL string
		Gcode                                   []struct{ SHA256 string }
	}](t, program)
	download := func(address string) []byte { // without a key
		r, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Body.Close() }()
		data, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", address, r.Status, err)
		}
		return data
	}
	data := download(p.BundleURL)
	bundle, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"tool.tbl": digest(download(p.ToolTableURL)), "program.json": digest(download(p.ProgramJSONURL)),
	}
	for i, g := range p.Gcode {
		want[fmt.Sprintf("setup%d.ngc", i+1)] = g.SHA256
	}
	for name, sum := range want {
		file, err := fs.ReadFile(bundle, name)
		if err != nil || digest(file) != sum {
			t.Errorf("%s in the bundle: %v\n%s", name, err, file)
		}
	}
}

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// withoutTools requests the data that a program without tools does not have.
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

// unready requests data that only a ready part has.
func (w *world) unready(t *testing.T, face string) {
	key := w.newTeam(t)
	made, _ := w.create(t, face, key, map[string]any{"fileName": "plate.step"})
	for _, of := range []string{"/plans", "/toolpaths", "/programs"} {
		w.want(t, call{method: "POST", path: face + "/parts/" + made.id + of, key: key}, http.StatusConflict, "part_not_ready")
	}
}
