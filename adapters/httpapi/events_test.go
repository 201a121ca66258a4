package httpapi_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/core/service/account"
)

// listener reads a stream of events.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
}

// watched is the data of an event.
type watched struct {
	Status   string
	Progress *int
	JobUUID  string
}

// listen opens the events of a job, as a browser does: it accepts compression.
func (h *harness) listen(jobID, key string) (*http.Response, *listener) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.server.URL+"/v1/jobs/"+jobID+"/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp, &listener{h.t, bufio.NewScanner(resp.Body)}
}

// next returns the next event; false at the end.
func (l *listener) next() (w watched, ok bool) {
	l.t.Helper()
	for l.lines.Scan() {
		data, is := strings.CutPrefix(l.lines.Text(), "data: ")
		if !is {
			continue
		}
		if err := json.Unmarshal([]byte(data), &w); err != nil {
			l.t.Fatalf("%s: %v", data, err)
		}
		return w, true
	}
	if err := l.lines.Err(); err != nil && err != io.EOF {
		l.t.Fatal(err)
	}
	return w, false
}

// TestEventsOfAJob: the snapshot comes while the job runs, then its end, then the end of the stream.
func TestEventsOfAJob(t *testing.T) {
	kernel, begun, goOn := held()
	h := newHarness(t, kernel)
	id := h.upload([]byte("x"))
	var queued struct{ JobID string }
	h.do("POST", "/v1/parts/"+id+"/complete", nil).decode(t, &queued)
	<-begun
	resp, stream := h.listen(queued.JobID, h.key)
	first, ok := stream.next() // hangs if anything holds it back
	if !ok || first.Status != "running" || first.JobUUID != queued.JobID || resp.StatusCode != http.StatusOK ||
		resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Content-Encoding") != "" ||
		resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("first event %+v, %v; %s with %v", first, ok, resp.Status, resp.Header)
	}
	goOn()
	last := first
	for e, ok := stream.next(); ok; e, ok = stream.next() {
		last = e
	}
	if last.Status != "succeeded" {
		t.Errorf("the last event is %+v", last)
	}
	_, again := h.listen(queued.JobID, h.key)
	if e, ok := again.next(); !ok || e.Status != last.Status || e.JobUUID != last.JobUUID {
		t.Errorf("after the end: %+v, %v; want %+v", e, ok, last)
	}
	if e, ok := again.next(); ok {
		t.Errorf("a second event of a job that has ended: %+v", e)
	}
	other, _ := h.listen(queued.JobID, h.newKey("rival", account.FullAccess))
	if other.StatusCode != http.StatusNotFound {
		t.Errorf("another team: %s", other.Status)
	}
}

// TestEventsAreLimited: a stream beyond the limit ends after its snapshot, and a stopping service ends all.
func TestEventsAreLimited(t *testing.T) {
	kernel, begun, _ := held()
	h := newHarness(t, kernel)
	id := h.upload([]byte("x"))
	var queued struct{ JobID string }
	h.do("POST", "/v1/parts/"+id+"/complete", nil).decode(t, &queued)
	<-begun
	var open []*listener
	for range 32 {
		_, l := h.listen(queued.JobID, h.key)
		if _, ok := l.next(); !ok {
			t.Fatal("a stream without a snapshot")
		}
		open = append(open, l)
	}
	resp, l := h.listen(queued.JobID, h.key)
	text, err := io.ReadAll(resp.Body)
	if err != nil || !strings.HasPrefix(string(text), "retry: 10000\n\nevent: job\ndata: {") || l == nil {
		t.Errorf("a stream too many: %s, %v", text, err)
	}
	h.stop()
	for _, l := range open {
		if e, ok := l.next(); ok {
			t.Errorf("after the stop: %+v", e)
		}
	}
}
