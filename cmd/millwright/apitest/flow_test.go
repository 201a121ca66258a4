package apitest_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"millwright.dev/millwright/core/pipeline"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// upload is the address and the headers for the upload of a file.
type upload struct {
	URL     string
	Method  string
	Headers map[string]string
}

// created is the common form of both faces' responses to the creation of a part.
type created struct {
	id string
	to upload
}

// create makes a part on a face ("" or "/v1") with a key of a team that may.
func (w *world) create(t *testing.T, face, key string, body any) (created, reply) {
	t.Helper()
	in := call{method: "POST", path: face + "/parts", key: key, body: encode(t, body)}
	r := w.want(t, in, http.StatusCreated, "")
	if face == "" {
		v := decode[struct {
			Data   struct{ ID string }
			Upload upload
		}](t, r)
		return created{v.Data.ID, v.Upload}, r
	}
	v := decode[struct{ PartID, UploadURL string }](t, r)
	return created{v.PartID, upload{URL: v.UploadURL, Method: "PUT"}}, r
}

// alone is the creation of a part without a program.
func alone(fileName string) map[string]any {
	return map[string]any{"fileName": fileName, "autoCreateProgram": false}
}

// put sends a file to its upload address, as any client does: without a key.
func (w *world) put(t *testing.T, to upload, file []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), to.Method, to.URL, bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range to.Headers {
		req.Header.Set(name, value)
	}
	resp, err := w.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("upload: %s", resp.Status)
	}
}

// stories tests cases that need a sequence of requests.
func (w *world) stories(t *testing.T) {
	t.Run("service", w.service)
	t.Run("keys", w.validation)
	for _, face := range []string{"", "/v1"} {
		t.Run("part"+face, func(t *testing.T) { w.part(t, face) })
		t.Run("repeated part"+face, func(t *testing.T) { w.repeated(t, face) })
		t.Run("failed part"+face, func(t *testing.T) { w.failedPart(t, face) })
		t.Run("part record"+face, func(t *testing.T) { w.partRecord(t, face) })
		t.Run("jobs"+face, func(t *testing.T) { w.jobChanges(t, face) })
	}
	for _, face := range []string{"", "/v1"} {
		t.Run("project"+face, func(t *testing.T) { w.project(t, face) })
	}
	for _, face := range []string{"", "/v1"} {
		t.Run("programs"+face, func(t *testing.T) { w.programs(t, face) })
		t.Run("programs of parts"+face, func(t *testing.T) { w.programsOfParts(t, face) })
	}
	t.Run("cut config", w.cutConfig)
	t.Run("tooling", w.toolingLife)
	t.Run("another team", w.anotherTeam)
}

func (w *world) service(t *testing.T) {
	for _, face := range []string{"", "/v1"} {
		w.want(t, call{method: "GET", path: face + "/health"}, http.StatusOK, "")
	}
	for _, path := range []string{"/v1/openapi.json", "/docs", "/problems/not-found"} {
		w.want(t, call{method: "GET", path: path}, http.StatusOK, "")
	}
	w.want(t, call{method: "GET", path: "/problems/nothing"}, http.StatusNotFound, "not_found")
}

func (w *world) validation(t *testing.T) {
	in := call{method: "POST", path: "/v1/keys/validate"}
	for key, status := range map[string]string{
		full: "active", reader: "active", revoked: "revoked", expired: "expired", "none": "invalid",
	} {
		code := http.StatusUnauthorized
		if status == "active" {
			code = http.StatusOK
		}
		r := w.want(t, w.as(key, in), code, "")
		v := decode[struct {
			Valid  bool
			Status string
		}](t, r)
		if v.Status != status || v.Valid != (status == "active") {
			t.Errorf("key %s: %s, want %s", key, r.body, status)
		}
	}
}

// part is the life of a part on one face, from creation to datasheets.
func (w *world) part(t *testing.T, face string) {
	key := w.newTeam(t)
	made, first := w.create(t, face, key, alone("plate.step"))
	if want := w.base + face + "/parts/" + made.id; first.Header.Get("Location") != want {
		t.Errorf("Location %q, want %s", first.Header.Get("Location"), want)
	}
	path := "/parts/" + made.id
	get := func(path string) call { return call{method: "GET", path: path, key: key} }
	with := func(method, path string, body any) call {
		return call{method: method, path: path, key: key, body: encode(t, body)}
	}
	w.refusedCreations(t, face, key)

	// Nothing has been uploaded yet.
	complete := call{method: "POST", path: face + path + "/complete", key: key}
	w.want(t, complete, http.StatusConflict, "part_not_uploaded")
	w.want(t, call{method: "PATCH", path: face + path, key: key}, http.StatusConflict, "part_not_uploaded")
	w.want(t, get(path), http.StatusAccepted, "")
	w.want(t, get("/v1"+path), http.StatusNotFound, "no_result")
	for _, of := range []string{"/features", "/findings", "/thumbnail"} {
		if op, _ := w.with.Find("GET", face+path+of); op != nil {
			w.want(t, get(face+path+of), http.StatusNotFound, "no_result")
		}
	}
	w.want(t, get("/v1"+path+"/export?format=3mf"), http.StatusNotFound, "no_result")
	lost := map[string]any{"featureIds": []string{unknown}}
	w.want(t, with("PATCH", face+path+"/features", lost), http.StatusNotFound, "feature_not_found")

	w.put(t, made.to, plate)
	w.want(t, complete, http.StatusAccepted, "")
	w.want(t, complete, http.StatusAccepted, "") // changes nothing
	w.await(t, get(path), func(r reply) bool { return r.StatusCode == http.StatusOK })
	w.want(t, complete, http.StatusAccepted, "")

	w.want(t, get("/v1/parts/"+strings.ToUpper(made.id)+"?wait=30"), http.StatusOK, "")
	result := decode[struct {
		JobID, ThumbnailURL, MeshStlURL string
		Features                        []struct{ FeatureID string }
	}](t, w.want(t, get("/v1"+path), http.StatusOK, ""))
	if len(result.Features) == 0 {
		t.Fatal("the plate has no feature")
	}
	w.want(t, get("/v1"+path+"?jobId="+result.JobID), http.StatusOK, "")
	w.want(t, get("/v1"+path+"?jobId="+unknown), http.StatusNotFound, "not_found")

	one := map[string]any{"featureIds": []string{result.Features[0].FeatureID}}
	measured := decode[struct{ JobID string }](t,
		w.want(t, with("PATCH", face+path+"/features", one), http.StatusAccepted, ""))
	w.done(t, face, key, measured.JobID)
	for _, separator := range []string{"&featureIds=", ","} {
		in := get(face + path + "/features?featureIds=" + result.Features[0].FeatureID + separator + unknown)
		in.loose = separator == ","
		found := decode[struct {
			Datasheets []struct{ Datasheet *struct{} }
			NotFound   []string
		}](t, w.want(t, in, http.StatusOK, ""))
		if len(found.Datasheets) != 1 || found.Datasheets[0].Datasheet == nil ||
			!slices.Equal(found.NotFound, []string{unknown}) {
			t.Errorf("features: %+v, want one with its datasheet and one not found", found)
		}
	}
	again := decode[struct{ JobID string }](t,
		w.want(t, call{method: "PATCH", path: face + path + "?featureDetails=true", key: key}, http.StatusAccepted, ""))
	w.done(t, face, key, again.JobID)
	w.want(t, get(face+path+"/features?jobId="+again.JobID), http.StatusOK, "")
	w.want(t, get(face+path+"/findings?jobId="+again.JobID), http.StatusOK, "")
	w.thumbnails(t, key, made.id, again.JobID)
	w.export(t, face, key, made.id)

	w.want(t, get(face+"/jobs"), http.StatusOK, "")
	filtered := decode[struct{ Total, PageSize int }](t, w.want(t,
		get(face+"/jobs?page=1&pageSize=2&status=succeeded&partId="+made.id), http.StatusOK, ""))
	if filtered.Total != 4 || filtered.PageSize != 2 {
		t.Errorf("jobs of the part: %+v, want 4 in pages of 2", filtered)
	}
}

// repeated creates a part twice with one Idempotency-Key: the second answer is the first without Location.
func (w *world) repeated(t *testing.T, face string) {
	in := call{
		method: "POST", path: face + "/parts", key: w.newTeam(t), body: encode(t, map[string]any{"fileName": "a.stp"}),
		headers: map[string]string{"Idempotency-Key": "part " + face},
	}
	first := w.want(t, in, http.StatusCreated, "")
	second := w.want(t, in, http.StatusCreated, "") // the budget of the team has no slot for another
	if first.Header.Get("Location") == "" || second.Header.Get("Location") != "" ||
		!bytes.Equal(first.body, second.body) {
		t.Errorf("first %v %s, again %v %s; want the same without Location",
			first.Header, first.body, second.Header, second.body)
	}
}

// done waits for a job to succeed.
func (w *world) done(t *testing.T, face, key, id string) {
	t.Helper()
	w.await(t, call{method: "GET", path: face + "/jobs/" + id, key: key}, func(r reply) bool {
		job := decode[struct{ Status, Error string }](t, r)
		if job.Status == "failed" {
			t.Fatalf("job %s failed: %s", id, job.Error)
		}
		return job.Status == "succeeded"
	})
}

// refusedCreations tries creations that a team may not make; the one slot of its budget is taken.
func (w *world) refusedCreations(t *testing.T, face, key string) {
	create := func(key string, body any) call {
		return call{method: "POST", path: face + "/parts", key: key, body: encode(t, body)}
	}
	w.want(t, create(key, map[string]any{"fileName": "part.dwg"}), http.StatusBadRequest, "unsupported_format")
	w.want(t, create(w.newTeam(t), map[string]any{"fileName": "a.step", "projectId": unknown}),
		http.StatusNotFound, "not_found")
	if op, _ := w.with.Find("POST", face+"/parts"); len(op.Answers[http.StatusTooManyRequests].Codes) > 0 {
		r := w.want(t, create(key, map[string]any{"fileName": "a.step"}), http.StatusTooManyRequests, "rate_limited")
		if wait := r.Header.Get("Retry-After"); wait != "1" && wait != "2" {
			t.Errorf("Retry-After %q, want 1 or 2", wait)
		}
	}
	name := map[string]any{"fileName": "../" + strings.Repeat("a", 300) + ".step"}
	w.want(t, create(key, name), http.StatusBadRequest, "invalid_request")
}

// export requests a file of a part that its analyses did not build, and reads it.
func (w *world) export(t *testing.T, face, key, part string) {
	file := call{method: "GET", path: "/v1/parts/" + part + "/export?format=3mf", key: key}
	w.want(t, file, http.StatusNotFound, "no_result")
	analyze := call{method: "PATCH", path: face + "/parts/" + part, key: key}
	analyze.body = encode(t, map[string]any{"exports": []string{"dwg"}})
	w.want(t, analyze, http.StatusBadRequest, "invalid_request")
	analyze.body = encode(t, map[string]any{"exports": []string{"3mf"}})
	job := decode[struct{ JobID string }](t, w.want(t, analyze, http.StatusAccepted, "")).JobID
	w.done(t, face, key, job)
	at := decode[struct{ URL string }](t, w.want(t, file.asking("jobId="+job), http.StatusOK, "")).URL
	resp, err := w.http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "model/3mf" ||
		!strings.Contains(resp.Header.Get("Content-Disposition"), "plate.3mf") || !bytes.HasPrefix(body, []byte("PK")) {
		t.Errorf("the export: %s, headers %v, %.20q, %v", resp.Status, resp.Header, body, err)
	}
}

// thumbnails reads the picture of a run, and of a run without one.
func (w *world) thumbnails(t *testing.T, key, part, job string) {
	in := call{method: "GET", path: "/v1/parts/" + part + "/thumbnail?jobId=" + job, key: key}
	r := w.want(t, in, http.StatusOK, "")
	if !bytes.HasPrefix(r.body, []byte("\x89PNG")) {
		t.Errorf("the thumbnail is no PNG: %.20q", r.body)
	}
	owner, err := w.stack.Store.KeyByHash(t.Context(), sha256.Sum256([]byte(key)))
	if err != nil {
		t.Fatal(err)
	}
	report, err := w.stack.Store.Report(t.Context(), owner.TeamID, part, job)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.stack.Objects.Delete(t.Context(), report.Objects[pipeline.Thumbnail]); err != nil {
		t.Fatal(err)
	}
	w.want(t, in, http.StatusNotFound, "no_thumbnail")
}

// failedPart uploads a file that is not a CAD file.
func (w *world) failedPart(t *testing.T, face string) {
	key := w.newTeam(t)
	made, _ := w.create(t, face, key, map[string]any{"fileName": "noise.igs"}) // and makes no program
	w.put(t, made.to, []byte("this is no CAD file"))
	w.want(t, call{method: "POST", path: face + "/parts/" + made.id + "/complete", key: key}, http.StatusAccepted, "")
	r := w.await(t, call{method: "GET", path: "/parts/" + made.id, key: key}, func(r reply) bool {
		return r.StatusCode == http.StatusOK
	})
	part := decode[struct {
		Data struct{ Status, FailureCode, FailureReason, JobID string }
	}](t, r).Data
	if part.Status != "failed" || part.FailureCode != "unreadable_file" || part.FailureReason == "" {
		t.Errorf("part: %s, want failed as unreadable_file with a reason", r.body)
	}
	job := decode[struct{ Status, Error string }](t,
		w.want(t, call{method: "GET", path: face + "/jobs/" + part.JobID, key: key}, http.StatusOK, ""))
	if job.Status != "failed" || job.Error != part.FailureReason {
		t.Errorf("job: %+v, want failed with the reason of the part", job)
	}
	w.want(t, call{method: "GET", path: "/v1/parts/" + made.id, key: key}, http.StatusNotFound, "no_result")
}
