package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestIdsInAnyCase names records in capitals in path, query and body.
func TestIdsInAnyCase(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("x"))
	h.do("POST", "/parts/"+strings.ToUpper(id)+"/complete", nil)
	h.waitJob()
	var result struct {
		JobID    string
		Features []struct{ FeatureID string }
	}
	h.do("GET", "/v1/parts/"+strings.ToUpper(id), nil).decode(t, &result)
	feature := strings.ToUpper(result.Features[0].FeatureID)
	var project struct{ ID string }
	h.do("POST", "/v1/projects", map[string]any{"name": "p"}).decode(t, &project)
	for _, c := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"GET", "/v1/jobs?partId=" + strings.ToUpper(id), nil, 200},
		{"GET", "/v1/parts/" + id + "?jobId=" + strings.ToUpper(result.JobID), nil, 200},
		{"GET", "/v1/parts/" + id + "/features?featureIds=" + feature, nil, 200},
		{"PATCH", "/v1/parts/" + id + "/features", map[string]any{"featureIds": []string{feature}}, 202},
		{"POST", "/v1/parts", map[string]any{"fileName": "a.stp", "projectId": strings.ToUpper(project.ID)}, 201},
		{"PUT", "/projects/" + strings.ToUpper(project.ID), map[string]any{"name": "q"}, 200},
	} {
		r := h.do(c.method, c.path, c.body)
		if r.StatusCode != c.status || strings.Contains(string(r.body), `"total":0`) ||
			strings.Contains(string(r.body), `"datasheets":[]`) {
			t.Errorf("%s %s: %s %s", c.method, c.path, r.Status, r.body)
		}
	}
	h.waitJob()
	if r := h.do(http.MethodGet, "/v1/jobs/"+strings.ToUpper(result.JobID), nil); r.StatusCode != http.StatusOK {
		t.Errorf("job in capitals: %s", r.Status)
	}
}
