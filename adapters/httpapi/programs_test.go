package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// machinist is the kernel cube, extended by planning of its features.
func machinist(findings ...verify.Finding) pipelinetest.Kernel {
	return pipelinetest.Machinist(cube, findings...)
}

// programmed returns a part that is ready, and a program of it that has ended.
func programmed(t *testing.T, h *harness) (part string, program map[string]any) {
	t.Helper()
	part = h.upload([]byte("x"))
	h.do("POST", "/parts/"+part+"/complete", nil)
	h.waitJob()
	r := h.do("POST", "/v1/parts/"+part+"/programs", nil)
	var made struct{ ID, Status string }
	r.decode(t, &made)
	at := "/v1/parts/" + part + "/programs/" + made.ID
	if r.StatusCode != http.StatusAccepted || made.Status != "processing" || r.Header.Get("Location") != h.server.URL+at {
		t.Fatalf("create: %s %s, Location %q", r.Status, r.body, r.Header.Get("Location"))
	}
	h.waitJob()
	h.do("GET", at, nil).decode(t, &program)
	return part, program
}

// delivered is the address fields of a program's files, with the test kernel's content of each file.
var delivered = map[string]struct{ kind, text string }{
	"setupSheetUrl": {"text/html", "setup-sheet"}, "toolTableUrl": {"text/plain", "tool-table"},
	"programJsonUrl": {"application/json", "program-json"}, "bundleUrl": {"application/zip", "bundle"},
}

func TestProgramFlow(t *testing.T) {
	h := newHarness(t, machinist())
	part, program := programmed(t, h)
	at := fmt.Sprintf("/v1/parts/%s/programs/%s", part, program["id"])
	if program["status"] != "ready" || program["projectId"] == nil || len(program["gcode"].([]any)) != 1 ||
		program["machiningSeconds"] != 60.0 {
		t.Fatalf("program: %v", program)
	}
	var found struct{ Features []struct{ FeatureID string } }
	h.do("GET", "/v1/parts/"+part, nil).decode(t, &found)
	operation := program["setups"].([]any)[0].(map[string]any)["operations"].([]any)[0].(map[string]any)
	if ids := operation["featureIds"].([]any); len(ids) != 1 || ids[0] != found.Features[0].FeatureID {
		t.Errorf("the operation makes %v, want %s", ids, found.Features[0].FeatureID)
	}
	if at, is := program["devicesUrl"]; !is || at != nil {
		t.Errorf("a program without devices has them at %v", at)
	}
	for field, file := range delivered {
		address, _ := program[field].(string)
		if r := h.doAs("", "GET", address, nil); r.StatusCode != http.StatusOK || string(r.body) != file.text ||
			!strings.HasPrefix(r.Header.Get("Content-Type"), file.kind) {
			t.Errorf("%s: %s %s, want %s", field, r.Status, r.body, file.text)
		}
	}
	gcode := h.do("GET", at+"/gcode", nil)
	if gcode.StatusCode != http.StatusOK || !strings.Contains(string(gcode.body), "G1 X10") ||
		!strings.HasPrefix(gcode.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("g-code: %s %s", gcode.Status, gcode.body)
	}
	if r := h.do("GET", at+"/gcode?setup=1&post=heidenhain", nil); !strings.Contains(string(r.body), "BEGIN PGM") {
		t.Errorf("g-code in another dialect: %s", r.body)
	}
	wantProblem(t, "another setup", h.do("GET", at+"/gcode?setup=2", nil), 404, "no_setup")
	wantProblem(t, "another post", h.do("GET", at+"/gcode?post=abc", nil), 400, "invalid_request")
	var e struct {
		Quality             string
		Quantity, CostCents int
	}
	h.do("GET", at+"/estimate?quantity=10", nil).decode(t, &e)
	if e.Quality != "refined" || e.Quantity != 10 || e.CostCents == 0 {
		t.Errorf("estimate: %+v", e)
	}
	plan := fmt.Sprintf("/v1/plans/%s", program["planId"])
	var set struct {
		Toolpaths []struct{ Outcome, GeometryURL string }
		StockURL  string
	}
	h.do("GET", plan+"/toolpaths", nil).decode(t, &set)
	if len(set.Toolpaths) != 1 || set.Toolpaths[0].Outcome != "residue" || set.StockURL == "" {
		t.Errorf("toolpaths: %+v", set)
	}
	for _, path := range []string{at + "/gcode", plan, plan + "/machining-time", plan[len("/v1"):] + "/machining-time"} {
		tag := h.do("GET", path, nil).Header.Get("ETag")
		again := h.send(h.key, "GET", path, nil, http.Header{"If-None-Match": {tag}})
		if tag == "" || again.StatusCode != http.StatusNotModified || len(again.body) != 0 {
			t.Errorf("%s: ETag %q, asked again %s with %d bytes", path, tag, again.Status, len(again.body))
		}
	}
	var times struct{ TotalSeconds float64 }
	if h.do("GET", plan+"/machining-time", nil).decode(t, &times); times.TotalSeconds != 60 {
		t.Errorf("machining time: %+v", times)
	}
	wantProblem(t, "another job", h.do("GET", plan+"/toolpaths?jobId="+part, nil), 404, "no_toolpaths")
}

// TestProgramsMadeWithAPart creates a part with two cut configs, one of which is deleted before the part is ready.
func TestProgramsMadeWithAPart(t *testing.T) {
	h := newHarness(t, machinist())
	var gone struct{ ID string }
	h.do("POST", "/v1/cut-configs", map[string]any{"name": "Short-lived"}).decode(t, &gone)
	configs := []string{gone.ID, machining.LargeCutConfigID, gone.ID}
	id := h.uploadAs(map[string]any{"fileName": "cube.step", "cutConfigIds": configs}, []byte("x"))
	h.do("DELETE", "/v1/cut-configs/"+gone.ID, nil)
	h.do("POST", "/parts/"+id+"/complete", nil)
	h.waitJob()
	var part struct {
		Data struct {
			Status, CurrentProgramID string
			ProgramIDs               []string
		}
	}
	h.do("GET", "/parts/"+id, nil).decode(t, &part)
	if part.Data.Status != "ready" || len(part.Data.ProgramIDs) != 2 || part.Data.CurrentProgramID != part.Data.ProgramIDs[0] {
		t.Fatalf("part: %+v, want it ready with two programs, the first its current", part.Data)
	}
	h.waitJob()
	for i, want := range []struct{ status, config, reason string }{
		{"failed", gone.ID, "The cut config " + gone.ID + " was deleted before the part was ready."},
		{"ready", machining.LargeCutConfigID, ""},
	} {
		var p struct{ Status, CutConfigID, FailureReason string }
		h.do("GET", "/v1/parts/"+id+"/programs/"+part.Data.ProgramIDs[i], nil).decode(t, &p)
		if p.Status != want.status || p.CutConfigID != want.config || p.FailureReason != want.reason {
			t.Errorf("program %d: %+v, want %+v", i+1, p, want)
		}
	}
	if used, err := h.use.Accounts.Usage(t.Context(), "acme", time.Time{}); err != nil || len(used.Totals) != 0 {
		t.Errorf("metered: %+v, %v; want nothing", used.Totals, err)
	}
}

// TestProgramFailingVerificationHasNoGCode checks that a program that failed verification has no g-code, and that its
// reason names the faulty move.
func TestProgramFailingVerificationHasNoGCode(t *testing.T) {
	h := newHarness(t, machinist(verify.Finding{Kind: verify.Gouge, Operation: "1-1", Move: 0, Depth: 0.125}))
	part, program := programmed(t, h)
	reason, _ := program["failureReason"].(string)
	if program["status"] != "failed" || program["failureCode"] != "verification_failed" ||
		!strings.Contains(reason, "operation 1-1 (face), move 1: the part is cut into by 0.125 mm") ||
		len(program["gcode"].([]any)) != 0 {
		t.Errorf("program: %v", program)
	}
	for field := range delivered {
		if v, there := program[field]; !there || v != nil {
			t.Errorf("%s is %v, want null", field, v)
		}
	}
	at := fmt.Sprintf("/v1/parts/%s/programs/%s", part, program["id"])
	wantProblem(t, "its g-code", h.do("GET", at+"/gcode", nil), 409, "program_not_ready")
	var p struct{ Data struct{ Status string } }
	if h.do("GET", "/parts/"+part, nil).decode(t, &p); p.Data.Status != "ready" {
		t.Errorf("the part is %s", p.Data.Status)
	}
}

// TestProgramIsIndependentOfLaterCutConfigChanges edits and deletes the cut config of a program and its tools. The
// program stays the same, except for the signatures of its addresses.
func TestProgramIsIndependentOfLaterCutConfigChanges(t *testing.T) {
	h := newHarness(t, machinist())
	part := h.upload([]byte("x"))
	h.do("POST", "/parts/"+part+"/complete", nil)
	h.waitJob()
	var config, made struct{ ID string }
	h.do("POST", "/v1/cut-configs", map[string]any{"name": "Mine"}).decode(t, &config)
	h.do("POST", "/v1/parts/"+part+"/programs", map[string]any{"cutConfigId": config.ID}).decode(t, &made)
	h.waitJob()
	at := "/v1/parts/" + part + "/programs/" + made.ID
	read := func() string {
		var v map[string]any
		h.do("GET", at, nil).decode(t, &v)
		for field := range delivered {
			delete(v, field)
		}
		text, _ := json.Marshal(v)
		return string(text) + string(h.do("GET", at+"/gcode", nil).body) + string(h.do("GET", at+"/estimate", nil).body)
	}
	before := read()
	h.do("PUT", "/v1/cut-configs/"+config.ID, map[string]any{"hourlyRateCents": 1, "post": "grbl"})
	if after := read(); after != before || !strings.Contains(before, "ready") {
		t.Errorf("after an edit: %s\nbefore: %s", after, before)
	}
	h.do("DELETE", "/v1/cut-configs/"+config.ID, nil)
	if after := read(); after != before {
		t.Errorf("after a deletion: %s\nbefore: %s", after, before)
	}
}

func TestPlansAndRefusals(t *testing.T) {
	h := newHarness(t, machinist())
	part := h.upload([]byte("x"))
	for _, path := range []string{"/programs", "/plans", "/toolpaths"} {
		wantProblem(t, path, h.do("POST", "/v1/parts/"+part+path, nil), 409, "part_not_ready")
	}
	h.do("POST", "/parts/"+part+"/complete", nil)
	h.waitJob()
	const unknown = "00000000-0000-7000-8000-000000000000"
	wantProblem(t, "cut config", h.do("POST", "/parts/"+part+"/programs", map[string]any{"cutConfigId": unknown}), 404, "not_found")
	wantProblem(t, "feature", h.do("POST", "/parts/"+part+"/plans", map[string]any{"featureIds": []string{unknown}}),
		404, "feature_not_found")
	var plan struct {
		Data struct{ PlanID, Status string }
	}
	r := h.do("POST", "/parts/"+part+"/plans", map[string]any{"name": "First"})
	if r.decode(t, &plan); r.StatusCode != http.StatusCreated || plan.Data.Status != "processing" {
		t.Errorf("plan: %s %s", r.Status, r.body)
	}
	h.waitJob()
	at := "/v1/plans/" + plan.Data.PlanID
	var ready struct {
		Status string
		Setups []struct{}
	}
	if h.do("GET", at, nil).decode(t, &ready); ready.Status != "ready" || len(ready.Setups) != 1 {
		t.Errorf("plan: %+v", ready)
	}
	wantProblem(t, "toolpaths", h.do("GET", at+"/toolpaths", nil), 404, "no_toolpaths")
	wantProblem(t, "time", h.do("GET", "/plans/"+plan.Data.PlanID+"/machining-time", nil), 404, "no_toolpaths")
	for _, path := range []string{at + "/toolpaths", "/parts/" + part + "/toolpaths"} {
		var queued struct{ JobID, PlanID, Status string }
		r := h.do("POST", path, nil)
		if r.decode(t, &queued); r.StatusCode != http.StatusAccepted || queued.Status != "queued" {
			t.Errorf("%s: %s %s", path, r.Status, r.body)
		}
		h.waitJob()
		if r := h.do("GET", "/v1/plans/"+queued.PlanID+"/toolpaths?jobId="+queued.JobID, nil); r.StatusCode != http.StatusOK {
			t.Errorf("%s: the toolpaths: %s %s", path, r.Status, r.body)
		}
	}
	var list struct{ Total int }
	if h.do("GET", "/v1/parts/"+part+"/plans", nil).decode(t, &list); list.Total != 2 {
		t.Errorf("%d plans, want 2", list.Total)
	}
	if h.do("GET", "/parts/"+part+"/programs", nil).decode(t, &list); list.Total != 0 {
		t.Errorf("%d programs, want none", list.Total)
	}
}
