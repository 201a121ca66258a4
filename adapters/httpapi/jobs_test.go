package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEndedJobsAreNotChanged cancels and repeats a job that has succeeded.
func TestEndedJobsAreNotChanged(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("a cube"))
	var done struct{ JobID string }
	h.do("POST", "/v1/parts/"+id+"/complete", nil).decode(t, &done)
	h.waitJob()
	for change, says := range map[string]string{"cancel": "it has succeeded.", "retry": "its status is succeeded."} {
		for _, face := range []string{"", "/v1"} {
			r := h.do("POST", face+"/jobs/"+done.JobID+"/"+change, nil)
			wantProblem(t, change, r, http.StatusConflict, "job_finished")
			if !strings.Contains(string(r.body), says) {
				t.Errorf("%s, want %q", r.body, says)
			}
		}
	}
}
