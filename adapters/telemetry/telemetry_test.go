package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// shelf is a store with a given queue state, or a broken one.
type shelf struct {
	job.Store
	broken bool
	looks  atomic.Int32
}

var errGone = errors.New("gone")

func (s *shelf) Backlog(context.Context) ([]job.Backlog, error) {
	s.looks.Add(1)
	if s.broken {
		return nil, errGone
	}
	return []job.Backlog{{
		Product: job.PartAnalysis, Class: job.Large, Queued: 7, Oldest: time.Now().Add(-time.Hour - time.Second),
	}}, nil
}

func (*shelf) Leases(context.Context, int) ([]job.Job, error) {
	return []job.Job{{
		Product: job.PartProcessing, LeasedAt: time.Now().Add(-2*time.Minute - time.Second),
	}}, nil
}

// Time is about a minute behind the machine's clock.
func (*shelf) Time(context.Context) (time.Time, error) {
	return time.Now().Add(-60500 * time.Millisecond), nil
}

func newMetrics(t *testing.T, s *shelf) *Metrics {
	t.Helper()
	clock, err := record.NewSharedClock(t.Context(), s, record.SystemClock{})
	if err != nil {
		t.Fatal(err)
	}
	return NewMetrics(s, clock)
}

func (s *shelf) Ping(context.Context) error {
	if s.broken {
		return errGone
	}
	return nil
}

// shelvedParts is a store of no parts.
type shelvedParts struct{ part.Store }

func (shelvedParts) Part(context.Context, string, string) (part.Part, error) {
	return part.Part{}, record.ErrNotFound
}

func scrape(m *Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

var aJob = job.Job{
	ID: "j1", Token: 2, PartID: "p1", TeamID: "t1", Product: job.PartProcessing, Attempt: 1,
}

func TestMetrics(t *testing.T) {
	store := &shelf{}
	m := newMetrics(t, store)
	for _, e := range []worker.Event{
		{Kind: worker.Leased, Job: aJob},
		{Kind: worker.Staged, Job: aJob, Stage: worker.StageKernel, Took: 2 * time.Second,
			Compute: &pipeline.ComputeUse{Device: "gpu", Fallbacks: 1,
				OnCPU: map[string]int{"eval-points": 3}, OnGPU: map[string]int{"eval-points": 5}}},
		{Kind: worker.Committed, Job: aJob},
		{Kind: worker.Ended, Job: aJob, Took: 3 * time.Second},
		{Kind: worker.Failed, Job: aJob, Err: &fault.Error{Code: fault.InconsistentGeometry, Check: "side"}},
		{Kind: worker.Failed, Job: aJob, Err: errGone},
		{Kind: worker.Reclaimed, Job: aJob},
		{Kind: worker.OutageStarted, Err: errGone},
	} {
		m.OnEvent(e)
	}
	m.End(t.Context(), httpapi.Exchange{Method: "GET", Status: 404, Took: time.Millisecond})
	m.End(t.Context(), httpapi.Exchange{Method: "POST", Route: "/parts", Status: 201, Took: time.Millisecond})
	measured := m.Pinger(store)
	_ = measured.Ping(t.Context())
	_, _ = m.Parts(shelvedParts{}).Part(t.Context(), "t", "p")
	store.broken = true
	if err := measured.Ping(t.Context()); !errors.Is(err, errGone) {
		t.Errorf("a measured call changes its error: %v", err)
	}
	store.broken = false
	text := scrape(m)
	for _, want := range []string{
		`millwright_http_requests_total{method="GET",route="none",status="404"} 1`,
		`millwright_http_requests_total{method="POST",route="/parts",status="201"} 1`,
		`millwright_attempts_total{outcome="committed",product="part_processing"} 1`,
		`millwright_attempt_seconds_sum{product="part_processing"} 3`,
		`millwright_failures_total{check="side",code="inconsistent_geometry"} 1`,
		`millwright_failures_total{check="",code="kernel_error"} 1`,
		`millwright_stage_seconds_sum{product="part_processing",stage="kernel"} 2`,
		`millwright_reaper_total{did="taken_back"} 1`, `millwright_worker_troubles_total 1`,
		`millwright_kernel_runs_total{device="gpu"} 1`, `millwright_gpu_fallbacks_total 1`,
		`millwright_compute_calls_total{device="cpu",primitive="eval-points"} 3`,
		`millwright_compute_calls_total{device="gpu",primitive="eval-points"} 5`,
		`millwright_queued_jobs{class="large",product="part_analysis"} 7`,
		`millwright_queued_oldest_seconds{class="large",product="part_analysis"} 3540`,
		`millwright_running_jobs{class="small",product="part_processing"} 1`,
		`millwright_lease_oldest_seconds 60.`, `millwright_backlog_read 1`,
		`millwright_port_call_seconds_count{call="ping",port="store"} 2`,
		`millwright_port_errors_total{call="ping",port="store"} 1`,
		`millwright_clock_ahead_seconds 60.`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(text, `millwright_port_errors_total{call="part"`) {
		t.Error("a record that is not there counts as an error")
	}
	scrape(m)
	if n := store.looks.Load(); n != 1 {
		t.Errorf("two scrapes at once read the queue %d times", n)
	}
}

func TestMetricsWithoutAStore(t *testing.T) {
	text := scrape(newMetrics(t, &shelf{broken: true}))
	if !strings.Contains(text, "millwright_backlog_read 0") || strings.Contains(text, "millwright_queued_jobs{") {
		t.Errorf("metrics of a store that does not answer:\n%s", text)
	}
}

func TestTraceFollowsTheJob(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	tr := newTracing(trace.NewTracerProvider(trace.WithSyncer(spans)))
	made := aJob
	h := httpapi.Observe(httpapi.At("/parts/{id}/complete", http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) { made.Trace = tr.Context(r.Context()) })), tr)
	r := httptest.NewRequest(http.MethodPost, "/parts/x/complete", nil)
	r.Header.Set("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	h.ServeHTTP(httptest.NewRecorder(), r)
	for _, e := range []worker.Event{
		{Kind: worker.Leased, Job: made},
		{Kind: worker.Staged, Job: made, Stage: worker.StageDownload, Took: time.Millisecond},
		{Kind: worker.Failed, Job: made, Err: errGone},
		{Kind: worker.Ended, Job: made, Took: time.Second},
		{Kind: worker.Staged, Job: made, Stage: worker.StageUpload}, // of an attempt that is over
	} {
		tr.OnEvent(e)
	}
	got := map[string]tracetest.SpanStub{}
	for _, s := range spans.GetSpans() {
		got[s.Name] = s
		if id := s.SpanContext.TraceID().String(); id != "4bf92f3577b34da6a3ce929d0e0e4736" {
			t.Errorf("span %s is of trace %s, want the client's", s.Name, id)
		}
	}
	request, attempt, stage := got["POST /parts/{id}/complete"], got["job part_processing"], got["download"]
	if len(got) != 3 || attempt.Parent.SpanID() != request.SpanContext.SpanID() ||
		stage.Parent.SpanID() != attempt.SpanContext.SpanID() {
		t.Errorf("spans %+v, want request, its job and the job's stage", got)
	}
	if attempt.Status.Description != "failed" || len(tr.attempts) != 0 {
		t.Errorf("attempt = %+v, %d left open", attempt.Status, len(tr.attempts))
	}
}

func TestTracesUseEndpointFromEnvironment(t *testing.T) {
	t.Setenv(EndpointVariable, "")
	none, err := OpenTracing(t.Context(), "1")
	if err != nil || none != nil {
		t.Fatalf("without a collector: %v, %v; want nothing", none, err)
	}
	none.OnEvent(worker.Event{Kind: worker.Leased, Job: aJob}) // has no effect
	if c := none.Context(t.Context()); c != "" || none.Close(t.Context()) != nil {
		t.Errorf("no tracing gives the context %q", c)
	}
	sent := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- r.URL.Path + " " + string(body)
		w.WriteHeader(http.StatusOK)
	}))
	defer collector.Close()
	t.Setenv(EndpointVariable, collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
	tr, err := OpenTracing(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	tr.OnEvent(worker.Event{Kind: worker.Leased, Job: aJob})
	tr.OnEvent(worker.Event{Kind: worker.Ended, Job: aJob})
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-sent; !strings.HasPrefix(got, "/v1/traces ") || !strings.Contains(got, "job part_processing") {
		t.Errorf("the collector got %q", got)
	}
}

// A reason may quote a file. It must not start a log line and must not control a terminal.
func TestLogEventEscapesReason(t *testing.T) {
	for _, format := range []string{FormatJSON, FormatText} {
		var out bytes.Buffer
		log, err := NewLogger(&out, format, "info")
		if err != nil {
			t.Fatal(err)
		}
		reason := "the part \"a\nlevel=ERROR msg=forged\r\x1b[2J\u2028\xff\" is gone"
		LogEvent(log, worker.Event{Kind: worker.Failed, Job: aJob,
			Err: &fault.Error{Code: fault.NoSolid, Reason: reason}})
		line := strings.TrimSuffix(out.String(), "\n")
		if line == "" || strings.ContainsAny(line, "\n\r\x1b\u2028") || !strings.Contains(line, "forged") {
			t.Errorf("%s: %q", format, line)
		}
	}
}

func TestLogs(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLogger(&out, FormatJSON, "info")
	if err != nil {
		t.Fatal(err)
	}
	e := httpapi.Exchange{
		RequestID: "r1", Method: "GET", Route: "/parts/{id}", Status: 200, Bytes: 5, Took: 1500 * time.Microsecond,
		TeamID: "t1", KeyID: "k1",
	}
	AccessLog{log}.End(t.Context(), e)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	for name, want := range map[string]any{
		"level": "INFO", "request": "r1", "method": "GET", "route": "/parts/{id}", "status": 200.0, "ms": 1.5,
		"bytes": 5.0, "team": "t1", "key": "k1",
	} {
		if line[name] != want {
			t.Errorf("%s = %v, want %v", name, line[name], want)
		}
	}
	out.Reset()
	LogEvent(log, worker.Event{Kind: worker.Staged, Job: aJob, Stage: worker.StageUpload})
	if out.Len() != 0 {
		t.Errorf("a stage is logged at info: %s", out.String())
	}
	noSolid := &fault.Error{Code: fault.NoSolid, Reason: "gone"}
	LogEvent(log, worker.Event{Kind: worker.Failed, Job: aJob, Err: noSolid})
	for _, want := range []string{`"job":"j1"`, `"part":"p1"`, `"attempt":1`, `"error":"no_solid: gone"`,
		`"level":"INFO"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the line %s lacks %s", out.String(), want)
		}
	}
	for _, e := range []worker.Event{
		{Kind: worker.OutageStarted, Err: errGone}, {Kind: worker.Failed, Job: aJob, Err: errGone},
		{Kind: worker.Retried, Job: aJob, Err: errGone},
	} {
		out.Reset()
		LogEvent(log, e)
		if !strings.Contains(out.String(), `"level":"ERROR"`) {
			t.Errorf("%s by no fault of the file is logged as %s", e.Kind, out.String())
		}
	}
	for _, c := range []struct{ format, level string }{{"xml", "info"}, {FormatText, "loud"}} {
		if _, err := NewLogger(io.Discard, c.format, c.level); err == nil {
			t.Errorf("NewLogger(%s, %s) succeeds", c.format, c.level)
		}
	}
	if log, err := NewLogger(io.Discard, FormatText, "debug"); err != nil ||
		!log.Enabled(t.Context(), slog.LevelDebug) {
		t.Errorf("debug: %v", err)
	}
}
