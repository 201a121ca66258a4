package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
)

// wantQuota checks that a request is refused for a quota, once and again under the same Idempotency-Key.
func (h *harness) wantQuota(what, sentence, method, path string, body any) {
	h.t.Helper()
	for range 2 {
		r := h.once(what, method, path, body)
		wantProblem(h.t, what, r, http.StatusTooManyRequests, "quota_exceeded")
		if !strings.Contains(string(r.body), sentence) || r.Header.Get("Retry-After") != "3600" ||
			r.Header.Get("RateLimit") != "" {
			h.t.Errorf("%s: %s, Retry-After %q, RateLimit %q; want %q and an hour", what, r.body,
				r.Header.Get("Retry-After"), r.Header.Get("RateLimit"), sentence)
		}
	}
}

func TestQuotas(t *testing.T) {
	const data = "ISO-10303-21;"
	h := newHarnessWith(t, cube, app.Config{Quota: account.Quota{Bytes: 2*int64(len(data)) - 1, Projects: 1}}, nil)
	project, name := map[string]any{"name": "Gear"}, map[string]any{"fileName": "a.stp"}
	if r := h.do("POST", "/projects", project); r.StatusCode != http.StatusCreated {
		t.Fatalf("the first project: %s %s", r.Status, r.body)
	}
	h.wantQuota("a second project", "is 1 projects; it has 1, and this request needs 1 more", "POST", "/v1/projects", project)
	first, second := h.upload([]byte(data)), h.upload([]byte(data))
	if r := h.do("POST", "/parts/"+first+"/complete", nil); r.StatusCode != http.StatusAccepted {
		t.Fatalf("the first upload: %s %s", r.Status, r.body)
	}
	h.waitJob()
	complete := "/v1/parts/" + second + "/complete"
	h.wantQuota("a second upload", "is 25 bytes stored; it has ", "POST", complete, nil)
	h.wantQuota("a part", "this request needs 1 more. Delete parts", "POST", "/v1/parts", name)
	rival := h.newKey("rival", account.FullAccess)
	if r := h.doAs(rival, "POST", "/v1/parts", name); r.StatusCode != http.StatusCreated {
		t.Errorf("a part of another team: %s %s", r.Status, r.body)
	}
	report, err := h.use.Accounts.Usage(t.Context(), "acme", time.Unix(0, 0))
	if err != nil || len(report.Totals) > 0 {
		t.Errorf("refused requests are metered: %+v, %v", report.Totals, err)
	}
	if r := h.do("DELETE", "/v1/parts/"+first, nil); r.StatusCode/100 != 2 {
		t.Fatalf("the deletion: %s %s", r.Status, r.body)
	}
	if r := h.once("a second upload", "POST", complete, nil); r.StatusCode != http.StatusAccepted {
		t.Errorf("the second upload after a deletion: %s %s", r.Status, r.body)
	}
	h.waitJob()
}
