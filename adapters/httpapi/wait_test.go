package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// held is a kernel that continues when the test calls goOn.
func held() (kernel pipelinetest.Kernel, begun <-chan struct{}, goOn func()) {
	start, release := make(chan struct{}, 1), make(chan struct{})
	return func(ctx context.Context, r *pipelinetest.Request, progress func(int, string)) (*pipelinetest.Output, error) {
		select {
		case start <- struct{}{}:
		default:
		}
		select {
		case <-release:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return cube(ctx, r, progress)
	}, start, func() { close(release) }
}

// TestReadsWaitForAChange lets reads of a part and of its job wait until the kernel has ended.
func TestReadsWaitForAChange(t *testing.T) {
	kernel, begun, goOn := held()
	h := newHarness(t, kernel)
	id := h.upload([]byte("x"))
	var queued struct{ JobID string }
	accepted := h.do("POST", "/v1/parts/"+id+"/complete", nil)
	accepted.decode(t, &queued)
	<-begun
	answers := make(chan reply, 4)
	paths := []string{
		"/parts/" + id, "/v1/parts/" + id, "/v1/jobs/" + queued.JobID, "/jobs/" + strings.ToUpper(queued.JobID),
	}
	begin := time.Now()
	for _, path := range paths {
		go func() { answers <- h.do("GET", path+"?wait=30", nil) }()
	}
	goOn()
	for range paths {
		r := <-answers
		if r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), `"reportId":`) &&
			!strings.Contains(string(r.body), `"ready"`) {
			t.Errorf("%s: %s %s", r.Request.URL, r.Status, r.body)
		}
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("the answers came after %s", took)
	}
	for query, code := range map[string]string{"wait=31": "invalid_request", "wait=-1": "invalid_request"} {
		wantProblem(t, query, h.do("GET", "/parts/"+id+"?"+query, nil), 400, code)
	}
}

// TestWaitingResponsesEndWithService stops a service while clients wait for a change.
func TestWaitingResponsesEndWithService(t *testing.T) {
	kernel, begun, _ := held()
	h := newHarness(t, kernel)
	id := h.upload([]byte("x"))
	h.do("POST", "/parts/"+id+"/complete", nil)
	<-begun
	begin := time.Now()
	h.stop()
	if r := h.do("GET", "/parts/"+id+"?wait=30", nil); r.StatusCode != http.StatusAccepted {
		t.Errorf("%s %s, want 202", r.Status, r.body)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("the answer came after %s", took)
	}
}

// TestAcceptedResponseLinksJob looks at every answer 202, and at its repetition.
func TestAcceptedResponseLinksJob(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("x"))
	want := func(what string, r reply, path string) {
		t.Helper()
		link := "<" + h.server.URL + path + `>; rel="status"`
		if r.StatusCode != http.StatusAccepted || r.Header.Get("Link") != link || r.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: %s, Link %q, Retry-After %q; want %s and 1", what, r.Status, r.Header.Get("Link"),
				r.Header.Get("Retry-After"), link)
		}
	}
	want("pending", h.do("GET", "/parts/"+id, nil), "/parts/"+id)
	want("complete", h.do("POST", "/parts/"+id+"/complete", nil), "/parts/"+id)
	h.waitJob()
	if r := h.do("GET", "/parts/"+id, nil); r.StatusCode != http.StatusOK || r.Header.Get("Link") != "" {
		t.Errorf("ready: %s, Link %q", r.Status, r.Header.Get("Link"))
	}
	for _, path := range []string{"/parts/" + id, "/v1/parts/" + id} {
		for _, what := range []string{"analyse", "repetition"} {
			var queued struct{ JobID string }
			r := h.once("a "+path, "PATCH", path, nil)
			r.decode(t, &queued)
			want(what, r, "/v1/jobs/"+queued.JobID)
		}
		h.waitJob()
	}
}
