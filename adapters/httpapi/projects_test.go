package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

type projectRecord struct {
	ID, Name             string
	CutConfigID          *string
	CreatedAt, UpdatedAt string
}

func TestProjectFlow(t *testing.T) {
	h := newHarness(t, cube)
	var made struct{ Data projectRecord }
	r := h.do("POST", "/projects", map[string]any{"name": "Gear", "cutConfigId": machining.BuiltInCutConfigID})
	r.decode(t, &made)
	if r.StatusCode != http.StatusCreated || made.Data.Name != "Gear" || made.Data.CutConfigID == nil ||
		r.Header.Get("Location") != h.server.URL+"/projects/"+made.Data.ID {
		t.Fatalf("create: %s %s at %q", r.Status, r.body, r.Header.Get("Location"))
	}
	var bare projectRecord
	r = h.do("POST", "/v1/projects", map[string]any{"name": "Gear", "cutConfigId": nil})
	r.decode(t, &bare)
	if r.StatusCode != http.StatusCreated || bare.CutConfigID != nil || !strings.Contains(string(r.body), "null") ||
		r.Header.Get("Location") != h.server.URL+"/v1/projects/"+bare.ID {
		t.Errorf("v1 create: %s %s at %q", r.Status, r.body, r.Header.Get("Location"))
	}
	for _, c := range []struct {
		name, body string
		want       string
		config     bool
	}{
		{"nothing", `{}`, "Gear", true},
		{"name", `{"name":"Box"}`, "Box", true},
		{"null clears", `{"cutConfigId":null}`, "Box", false},
		{"set", `{"cutConfigId":"` + machining.BuiltInCutConfigID + `"}`, "Box", true},
	} {
		var got struct{ Data projectRecord }
		r := h.do("PUT", "/projects/"+made.Data.ID, []byte(c.body))
		r.decode(t, &got)
		if r.StatusCode != 200 || got.Data.Name != c.want || (got.Data.CutConfigID != nil) != c.config {
			t.Errorf("%s: %s %s", c.name, r.Status, r.body)
		}
	}
	r = h.do("PUT", "/v1/projects/"+bare.ID, []byte(`{"name":"Two"}`))
	r.decode(t, &bare)
	if r.StatusCode != 200 || bare.Name != "Two" {
		t.Errorf("v1 update: %s %s", r.Status, r.body)
	}

	var part struct {
		Data struct{ ID, ProjectID string }
	}
	r = h.do("POST", "/parts", map[string]any{"fileName": "a.stp", "projectId": made.Data.ID,
		"cutConfigIds": []string{machining.BuiltInCutConfigID}, "autoCreateProgram": false})
	r.decode(t, &part)
	if r.StatusCode != http.StatusCreated || part.Data.ProjectID != made.Data.ID {
		t.Fatalf("part in a project: %s %s", r.Status, r.body)
	}
	r = h.do("GET", "/parts/"+part.Data.ID, nil)
	r.decode(t, &part)
	if part.Data.ProjectID != made.Data.ID {
		t.Errorf("the part's record does not show its project: %s", r.body)
	}
}

func TestProjectRefusals(t *testing.T) {
	h := newHarness(t, cube)
	const unknown = "00000000-0000-7000-8000-000000000000"
	var mine projectRecord
	h.do("POST", "/v1/projects", map[string]any{"name": "Gear"}).decode(t, &mine)
	rival := &harness{t: t, server: h.server, key: h.newKey("rival", fullAccess)}
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		code                     string
	}{
		{"no name", "POST", "/projects", `{}`, 400, "invalid_request"},
		{"blank name", "POST", "/projects", `{"name":" "}`, 400, "invalid_request"},
		{"id is no UUID", "PUT", "/projects/7", `{}`, 400, "invalid_request"},
		{"cut config is no UUID", "POST", "/projects", `{"name":"x","cutConfigId":"7"}`, 400, "invalid_request"},
		{"unknown field", "POST", "/projects", `{"name":"x","colour":1}`, 400, "invalid_request"},
		{"unknown cut config", "POST", "/projects", `{"name":"x","cutConfigId":"` + unknown + `"}`, 404, "not_found"},
		{"unknown cut config later", "PUT", "/projects/" + mine.ID, `{"cutConfigId":"` + unknown + `"}`, 404, "not_found"},
		{"unknown project", "PUT", "/projects/" + unknown, `{"name":"x"}`, 404, "not_found"},
		{"no deletion", "DELETE", "/projects/" + mine.ID, "", 405, "method_not_allowed"},
		{"cut config of a part", "POST", "/parts", `{"fileName":"a.stp","cutConfigIds":["` + unknown + `"]}`,
			404, "not_found"},
	} {
		var body any
		if c.body != "" {
			body = []byte(c.body)
		}
		wantProblem(t, c.name, h.do(c.method, c.path, body), c.status, c.code)
	}
	wantProblem(t, "another team's", rival.do("PUT", "/projects/"+mine.ID, []byte(`{"name":"x"}`)), 404, "not_found")
}
