package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/account"
)

func TestPartFlow(t *testing.T) {
	h := newHarness(t, machinist())
	id := h.uploadAs(map[string]any{"fileName": "cube.step"}, []byte("a cube"))

	if r := h.do("GET", "/parts/"+id, nil); r.StatusCode != http.StatusAccepted ||
		!strings.Contains(string(r.body), `"pending"`) {
		t.Errorf("before complete: %s %s, want 202 and pending", r.Status, r.body)
	}
	if r := h.do("GET", "/v1/parts/"+id, nil); r.StatusCode != http.StatusNotFound ||
		!strings.Contains(string(r.body), `"no_result"`) {
		t.Errorf("result before complete: %s %s, want 404 no_result", r.Status, r.body)
	}
	first := h.do("POST", "/parts/"+id+"/complete", nil)
	h.waitJob()
	again := h.do("POST", "/v1/parts/"+id+"/complete", nil)
	if first.StatusCode != http.StatusAccepted || again.StatusCode != http.StatusAccepted {
		t.Errorf("complete: %s, then %s, want 202 both times", first.Status, again.Status)
	}
	var part struct {
		Data struct {
			Status, Format, JobID, CurrentProgramID string
			SizeBytes                               int64
			ProgramIDs                              []string
		}
	}
	r := h.do("GET", "/parts/"+id, nil)
	r.decode(t, &part)
	if r.StatusCode != 200 || part.Data.Status != "ready" || part.Data.Format != "step" ||
		part.Data.SizeBytes != 6 || !slices.Equal(part.Data.ProgramIDs, []string{part.Data.CurrentProgramID}) {
		t.Errorf("part: %s %s", r.Status, r.body)
	}
	var result struct {
		PartID, ReportID, JobID, KernelVersion string
		Units                                  struct{ Length, Angle string }
		Features                               []struct {
			FeatureID, FeatureType string
			RegionIdxs             []int
		}
		MeshStlURL, MeshGlbURL, ThumbnailURL string
		MeshTriangleCount                    int
		Setups, Unmachined, FeatureGroups    json.RawMessage
	}
	r = h.do("GET", "/v1/parts/"+id, nil)
	r.decode(t, &result)
	if result.PartID != id || result.JobID != part.Data.JobID ||
		result.Units.Length != "mm" || result.Units.Angle != "deg" ||
		len(result.Features) != 1 || len(result.Features[0].RegionIdxs) != 1 || result.MeshTriangleCount != 2 {
		t.Errorf("result: %s", r.body)
	}
	feature := result.Features[0].FeatureID
	setups := `[{"index":1,"direction":{"x":0,"y":0,"z":1},"featureIds":["` + feature + `"]}]`
	left := `[{"regionIdxs":[0],"featureId":"` + feature + `","area":12,"reason":"undercut","detail":""}]`
	group := `[{"featureIds":["` + feature + `","` + feature + `"],"label":"2 × ⌀6","pattern":"linear"}]`
	if string(result.FeatureGroups) != group {
		t.Errorf("groups %s, want %s", result.FeatureGroups, group)
	}
	if string(result.Setups) != setups || string(result.Unmachined) != left {
		t.Errorf("setups %s, unmachined %s; want %s and %s", result.Setups, result.Unmachined, setups, left)
	}
	for name, url := range map[string]string{
		"STL": result.MeshStlURL, "GLB": result.MeshGlbURL, "thumbnail": result.ThumbnailURL,
	} {
		if r := h.doAs("", "GET", url, nil); r.StatusCode != 200 || !bytes.Equal(r.body, pngHeader) {
			t.Errorf("%s address: %s %q", name, r.Status, r.body)
		}
	}
	if r := h.do("GET", "/v1/parts/"+id+"/thumbnail?jobId="+result.JobID, nil); r.StatusCode != 200 ||
		r.Header.Get("Content-Type") != "image/png" || !bytes.Equal(r.body, pngHeader) {
		t.Errorf("thumbnail: %s %s %q", r.Status, r.Header.Get("Content-Type"), r.body)
	}
	h.waitJob()
	var program struct {
		Data struct{ Status, ReportID, JobID string }
	}
	r = h.do("GET", "/parts/"+id+"/programs/"+part.Data.CurrentProgramID, nil)
	r.decode(t, &program)
	if program.Data.Status != "ready" || program.Data.ReportID != result.ReportID {
		t.Errorf("the program that was made with the part: %s %s", r.Status, r.body)
	}
}

func TestAnalyzeTwiceMakesNewResult(t *testing.T) {
	h := newHarness(t, machinist())
	id := h.uploadAs(map[string]any{"fileName": "cube.step"}, []byte("a cube"))
	if r := h.do("PATCH", "/v1/parts/"+id, nil); r.StatusCode != http.StatusAccepted {
		t.Fatalf("analyse an uploaded part: %s %s, want 202", r.Status, r.body)
	}
	h.waitJob()
	h.waitJob() // the program
	r := h.do("PATCH", "/parts/"+id, map[string]any{})
	var queued struct{ JobID, PartID, Status string }
	r.decode(t, &queued)
	if r.StatusCode != http.StatusAccepted || queued.PartID != id || queued.Status != "queued" {
		t.Fatalf("analyse again: %s %s", r.Status, r.body)
	}
	h.waitJob()
	var job struct {
		Status, ProductType, ReportID string
		Progress                      int
		Error                         *string
	}
	h.do("GET", "/v1/jobs/"+queued.JobID, nil).decode(t, &job)
	if job.Status != "succeeded" || job.ProductType != "part_analysis" || job.ReportID == "" ||
		job.Error != nil {
		t.Errorf("job: %+v", job)
	}
	var list struct {
		Items                 []struct{ JobUUID, PartUUID string }
		Page, PageSize, Total int
	}
	h.do("GET", "/v1/jobs?pageSize=1&partId="+id, nil).decode(t, &list)
	if list.Total != 3 || len(list.Items) != 1 || list.Items[0].JobUUID != queued.JobID || list.PageSize != 1 {
		t.Errorf("jobs: %+v, want the newest of three: two analyses, and the program of the first", list)
	}
}

func TestFailedPartSaysWhy(t *testing.T) {
	h := newHarness(t, func(context.Context, *pipelinetest.Request, func(int, string)) (*pipelinetest.Output, error) {
		return nil, &fault.Error{Code: fault.NoSolid, Reason: "The file holds only curves."}
	})
	id := h.upload([]byte("wires"))
	h.do("POST", "/parts/"+id+"/complete", nil)
	h.waitJob()
	var part struct {
		Data struct{ Status, FailureCode, FailureReason, JobID string }
	}
	r := h.do("GET", "/parts/"+id, nil)
	r.decode(t, &part)
	if r.StatusCode != 200 || part.Data.Status != "failed" || part.Data.FailureCode != "no_solid" ||
		part.Data.FailureReason != "The file holds only curves." {
		t.Errorf("part: %s %s", r.Status, r.body)
	}
	var job struct{ Status, Error string }
	h.do("GET", "/v1/jobs/"+part.Data.JobID, nil).decode(t, &job)
	if job.Status != "failed" || job.Error != "The file holds only curves." {
		t.Errorf("job: %+v", job)
	}
}

func TestRefusals(t *testing.T) {
	h := newHarness(t, cube)
	pending := h.do("POST", "/v1/parts", map[string]any{"fileName": "a.stp"})
	var made struct{ PartID, UploadURL, SourceBucket, SourceS3Key string }
	pending.decode(t, &made)
	if made.UploadURL == "" || made.SourceBucket == "" || !strings.HasSuffix(made.SourceS3Key, ".stp") {
		t.Fatalf("v1 create: %s", pending.body)
	}
	ro := h.newKey("acme", account.AccessGrid{Core: account.LevelRead})
	other := h.newKey("rival", account.FullAccess)
	const unknown = "00000000-0000-7000-8000-000000000000"
	for _, c := range []struct {
		name         string
		key          string
		method, path string
		body         any
		status       int
		code         string
	}{
		{"no key", "", "GET", "/v1/jobs", nil, 401, "missing_api_key"},
		{"not a key", "mw_live_nonsense", "GET", "/v1/jobs", nil, 401, "invalid_api_key"},
		{"read-only key writes", ro, "POST", "/parts", map[string]any{"fileName": "a.stp"}, 403, "read_only_key"},
		{"key without the area", ro, "PATCH", "/parts/" + made.PartID, nil, 403, "product_mismatch"},
		{"another team's part", other, "GET", "/parts/" + made.PartID, nil, 404, "not_found"},
		{"unknown part", h.key, "GET", "/parts/" + unknown, nil, 404, "not_found"},
		{"unknown job", h.key, "GET", "/v1/jobs/" + unknown, nil, 404, "not_found"},
		{"no file yet", h.key, "POST", "/parts/" + made.PartID + "/complete", nil, 409, "part_not_uploaded"},
		{"analyse without a file", h.key, "PATCH", "/parts/" + made.PartID, nil, 409, "part_not_uploaded"},
		{"analyse with datasheets without a file", h.key, "PATCH", "/parts/" + made.PartID + "?featureDetails=true",
			nil, 409, "part_not_uploaded"},
		{"unknown extension", h.key, "POST", "/parts", map[string]any{"fileName": "a.dwg"},
			400, "unsupported_format"},
		{"no file name", h.key, "POST", "/parts", map[string]any{}, 400, "invalid_request"},
		{"unknown field", h.key, "POST", "/parts", map[string]any{"fileName": "a.stp", "x": 1},
			400, "invalid_request"},
		{"body is not JSON", h.key, "POST", "/parts", []byte("{"), 400, "invalid_request"},
		{"id is not a UUID", h.key, "GET", "/parts/7", nil, 400, "invalid_request"},
		{"page size", h.key, "GET", "/v1/jobs?pageSize=101", nil, 400, "invalid_request"},
		{"misspelt parameter", h.key, "PATCH", "/parts/" + made.PartID + "?featuredetails=true", nil, 400, "invalid_request"},
		{"parameter of another operation", h.key, "GET", "/v1/jobs?jobId=" + unknown, nil, 400, "invalid_request"},
		{"parameter where there is none", h.key, "GET", "/v1/jobs/" + unknown + "?page=1", nil, 400, "invalid_request"},
		{"unknown path", h.key, "GET", "/v2/parts", nil, 404, "not_found"},
		{"wrong method", h.key, "DELETE", "/v1/jobs", nil, 405, "method_not_allowed"},
		{"unknown project", h.key, "POST", "/parts", map[string]any{"fileName": "a.stp", "projectId": unknown},
			404, "not_found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.doAs(c.key, c.method, c.path, c.body)
			var p struct {
				Type, Title, Detail, Code string
				Status                    int
			}
			r.decode(t, &p)
			if r.StatusCode != c.status || p.Status != c.status || p.Code != c.code {
				t.Errorf("got %s %s, want %d %s", r.Status, r.body, c.status, c.code)
			}
			if ct := r.Header.Get("Content-Type"); ct != "application/problem+json" {
				t.Errorf("content type %q, want application/problem+json", ct)
			}
			want := h.server.URL + "/problems/" + strings.ReplaceAll(c.code, "_", "-")
			if p.Type != want || p.Title == "" || p.Detail == "" {
				t.Errorf("problem %s, want type %s with title and detail", r.body, want)
			}
		})
	}
	if r := h.do("DELETE", "/v1/jobs", nil); r.Header.Get("Allow") != "GET" {
		t.Errorf("Allow = %q, want GET", r.Header.Get("Allow"))
	}
	r := h.do("POST", "/parts", []byte(`{"fileName":"a.stp","secret":"swordfish"}`))
	if strings.Contains(string(r.body), "swordfish") {
		t.Errorf("the problem echoes what the client sent: %s", r.body)
	}
}

func TestKeyValidation(t *testing.T) {
	h := newHarness(t, cube)
	created, err := h.use.Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "old"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.use.Accounts.RevokeKey(t.Context(), created.Key.ID); err != nil {
		t.Fatal(err)
	}
	expires := time.Now().Add(20 * time.Millisecond)
	expired, err := h.use.Accounts.CreateKey(t.Context(), account.CreateKeyInput{
		Team: "acme", Name: "short", ExpiresAt: &expires,
	})
	if err != nil {
		t.Fatal(err)
	}
	for time.Now().Before(expires) {
		runtime.Gosched()
	}
	const narrowest = `{"valid":true,"status":"active"}`
	for _, c := range []struct {
		name, key, body string
		status          int
	}{
		{"expired", expired.Text, `{"valid":false,"status":"expired"}`, 401},
		{"without any access", h.newKey("acme", account.AccessGrid{}), narrowest, 200},
		{"with a typo", h.key[:len(h.key)-1] + "é", `{"valid":false,"status":"invalid"}`, 401},
		{"two words", h.key + " " + h.key, `{"valid":false,"status":"invalid"}`, 401},
		{"active", h.key, `{"valid":true,"status":"active"}`, 200},
		{"revoked", created.Text, `{"valid":false,"status":"revoked"}`, 401},
		{"unknown", "mw_live_x", `{"valid":false,"status":"invalid"}`, 401},
		{"missing", "", `{"valid":false,"status":"invalid"}`, 401},
	} {
		r := h.doAs(c.key, "POST", "/v1/keys/validate", nil)
		if r.StatusCode != c.status || strings.TrimSpace(string(r.body)) != c.body {
			t.Errorf("%s: %s %s, want %d %s", c.name, r.Status, r.body, c.status, c.body)
		}
		challenge := r.Header.Get("WWW-Authenticate")
		if (challenge == "Bearer") != (c.status == http.StatusUnauthorized) {
			t.Errorf("%s: WWW-Authenticate %q with status %d", c.name, challenge, c.status)
		}
	}
}

func TestHealth(t *testing.T) {
	h := newHarness(t, cube)
	for _, path := range []string{"/health", "/v1/health"} {
		r := h.doAs("", "GET", path, nil)
		if r.StatusCode != 200 || strings.TrimSpace(string(r.body)) != `{"status":"ok","db":"up"}` {
			t.Errorf("%s: %s %s", path, r.Status, r.body)
		}
	}
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	r := h.doAs("", "GET", "/health", nil)
	if r.StatusCode != 503 || strings.TrimSpace(string(r.body)) != `{"status":"error","db":"down"}` {
		t.Errorf("with the store gone: %s %s, want 503", r.Status, r.body)
	}
}
