package worker_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	objectslocal "millwright.dev/millwright/adapters/objects/local"
	queuelocal "millwright.dev/millwright/adapters/queue/local"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/record/recordtest"
	"millwright.dev/millwright/core/service/worker"
)

func TestOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, ".") }

// world is the whole service on its embedded adapters (or on PostgreSQL). The test moves its clock, and starts, stalls
// and kills its pools.
type world struct {
	*app.UseCases
	t       *testing.T
	clock   *recordtest.Clock
	store   storematrix.Store
	queue   *queuelocal.Queue
	objects *objectslocal.Objects
	dataDir string // of the objects
	caller  account.Caller
	events  *events
	ring    func(context.Context, job.WakeUp)
	leasing atomic.Int32 // calls of LeaseNext in progress
}

// Parameters of the kernels in these tests.
type (
	wanted = *pipelinetest.Request
	report = func(percent int, stage string)
)

var start = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, clock: recordtest.NewClock(start), queue: queuelocal.New(), dataDir: t.TempDir(),
		events: newEvents(),
		ring:   func(context.Context, job.WakeUp) {}, // nobody hears it
	}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.objects.Handler().ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.store = storematrix.Open(t)
	var err error
	w.objects, err = objectslocal.Open(objectslocal.Options{
		Dir: w.dataDir, BaseURL: server.URL, Clock: w.clock,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.objects.Close() })
	ports := app.On(w.store, w.objects)
	ports.Clock = w.clock
	ports.Ring = func(ctx context.Context, k job.WakeUp) { w.ring(ctx, k) }
	w.UseCases, err = app.New(ports, app.Config{})
	if err != nil {
		t.Fatal(err)
	}
	key, err := w.Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if w.caller, err = w.Accounts.Authenticate(t.Context(), key.Text); err != nil {
		t.Fatal(err)
	}
	return w
}

// uploaded makes a part without a program and completes its upload; its job waits.
func (w *world) uploaded(content string) part.Part {
	w.t.Helper()
	return w.uploadedAs(part.CreateInput{FileName: "bracket.step"}, content)
}

// programmed is uploaded for a part with cut configs for programs.
func (w *world) programmed(content string, configs ...string) part.Part {
	w.t.Helper()
	in := part.CreateInput{FileName: "bracket.step", AutoCreateProgram: true, CutConfigIDs: configs}
	return w.uploadedAs(in, content)
}

func (w *world) uploadedAs(in part.CreateInput, content string) part.Part {
	w.t.Helper()
	created, err := w.Parts.Create(w.t.Context(), w.caller, in)
	if err != nil {
		w.t.Fatal(err)
	}
	body := strings.NewReader(content)
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPut, created.Upload.URL, body)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		w.t.Fatalf("upload: status %d", res.StatusCode)
	}
	part, err := w.Parts.CompleteUpload(w.t.Context(), w.caller, created.Part.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return part
}

func (w *world) ports(kernel pipelinetest.Kernel) worker.Ports {
	p := app.Workers(w.store, w.UseCases)
	p.Queue, p.Objects, p.Sandbox, p.Clock, p.OnEvent = w.queue, w.objects, kernel, w.clock, w.events.add
	return p
}

// through has a pool reach all records through a store.
func through(p *worker.Ports, s app.Store) { p.Attempts, p.Records, p.Retention = s, s, s }

// startPool starts a pool and returns a function that stops it in order.
func (w *world) startPool(name string, p worker.Ports) (stop func()) {
	w.t.Helper()
	return w.startPoolWith(p, worker.Config{Name: name})
}

func (w *world) startPoolWith(p worker.Ports, c worker.Config) (stop func()) {
	w.t.Helper()
	p.Attempts = leaser{p.Attempts, w}
	pool, err := worker.New(p, c)
	if err != nil {
		w.t.Fatal(err)
	}
	w.ring = pool.Notify
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- pool.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("pool %s: %v", c.Name, err)
		}
	})
	w.t.Cleanup(stop)
	return stop
}

func (w *world) job(part part.Part) job.Job {
	w.t.Helper()
	j, err := w.Jobs.Get(w.t.Context(), w.caller, part.JobID)
	if err != nil {
		w.t.Fatal(err)
	}
	return j
}

func (w *world) part(id string) part.Part {
	w.t.Helper()
	p, err := w.Parts.Get(w.t.Context(), w.caller, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// await waits for the next event of a kind on a job ("" = any).
func (w *world) await(kind worker.EventKind, jobID string) worker.Event {
	w.t.Helper()
	e, ok := w.events.await(kind, jobID)
	if !ok {
		w.t.Fatalf("no event %s of job %s came; there were %v", kind, jobID, w.events.kinds())
	}
	return e
}

// awaitAfter moves the clock by steps of a second until the event comes. It waits for running jobs
// before each step, so that no lease expires only because the machine is slow.
func (w *world) awaitAfter(kind worker.EventKind, jobID string) worker.Event {
	w.t.Helper()
	return w.awaitWhile(kind, jobID, w.letJobsEnd)
}

// awaitStalled is awaitAfter for jobs that do not end by themselves.
func (w *world) awaitStalled(kind worker.EventKind, jobID string) worker.Event {
	w.t.Helper()
	return w.awaitWhile(kind, jobID, func() {})
}

func (w *world) awaitWhile(kind worker.EventKind, jobID string, before func()) worker.Event {
	w.t.Helper()
	for range 3000 { // 50 minutes on the clock
		before()
		w.clock.Advance(time.Second)
		if e, ok := w.events.awaitFor(kind, jobID, time.Millisecond); ok {
			return e
		}
	}
	w.t.Fatalf("no event %s of job %s came in time; there were %v", kind, jobID, w.events.kinds())
	return worker.Event{}
}

// leaser counts the workers that are about to take a job, with a time that they read before.
type leaser struct {
	worker.Attempts
	world *world
}

func (l leaser) LeaseNext(ctx context.Context, f job.WorkFilter, x job.Lease,
) (job.Job, part.Part, error) {
	l.world.leasing.Add(1)
	defer l.world.leasing.Add(-1)
	return l.Attempts.LeaseNext(ctx, f, x)
}

func (w *world) letJobsEnd() {
	w.t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		if w.leasing.Load() > 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		list, err := w.Jobs.List(w.t.Context(), w.caller, job.Filter{Status: job.Running})
		if err != nil {
			w.t.Fatal(err)
		}
		if list.Total == 0 {
			return
		}
		w.events.awaitFor("", "", time.Millisecond) // no event has this kind
	}
	w.t.Fatalf("jobs do not end; there were %v", w.events.kinds())
}

// hasResult checks that the part is ready with one whole result made from the given source.
func (w *world) hasResult(pt part.Part, source string) {
	w.t.Helper()
	if p := w.part(pt.ID); p.Status != part.Ready {
		w.t.Errorf("part = %+v, want ready", p)
	}
	if j := w.job(pt); j.Status != job.Succeeded || j.ReportID == "" || *j.Progress != 100 {
		w.t.Errorf("job = %+v, want succeeded", j)
	}
	result, err := w.Parts.Result(w.t.Context(), w.caller, pt.ID, pt.JobID)
	if err != nil {
		w.t.Errorf("GetPartResult = %v", err)
		return
	}
	want := map[object.Ref]string{
		result.Report.Objects[pipeline.STL]:       pipelinetest.CubeSTL + source,
		result.Report.Objects[pipeline.GLB]:       pipelinetest.CubeGLB,
		result.Report.Objects[pipeline.Thumbnail]: pipelinetest.CubePNG,
	}
	for ref, content := range want {
		if got := w.object(ref); got != content {
			w.t.Errorf("object %s = %q, want %q", ref.Key, got, content)
		}
	}
}

func (w *world) object(ref object.Ref) string {
	body, err := os.ReadFile(filepath.Join(w.dataDir, "data", ref.Bucket, ref.Key))
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// resultFiles lists the keys of all result objects that there are.
func (w *world) resultFiles() []string {
	w.t.Helper()
	root := filepath.Join(w.dataDir, "data", worker.DefaultResultBucket)
	keys := []string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil && !d.IsDir() {
			key, _ := filepath.Rel(root, path) // path lies below root
			keys = append(keys, filepath.ToSlash(key))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return keys
}

// paramsOf returns the parameters for a part of these tests, identified by its content.
func paramsOf(content string) pipeline.Params {
	sum := sha256.Sum256([]byte(content))
	return pipeline.Params{Source: hex.EncodeToString(sum[:]), FileName: "bracket.step"}
}

// artifacts lists the objects of all artifacts of a recipe that are stored.
func (w *world) artifacts(r pipeline.Params) (objects []string) {
	w.t.Helper()
	var keys []string
	for _, n := range r.Names() {
		keys = append(keys, r.Key(n))
	}
	found, err := w.store.Artifacts(w.t.Context(), w.caller.TeamID, keys)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, a := range found {
		objects = append(objects, a.Object.Key)
	}
	return objects
}

// perRun is the number of artifacts that a first run on a file stores.
const perRun = 10

// events keeps the pools' events until the test reads them.
type events struct {
	mu   sync.Mutex
	all  []worker.Event
	used []bool
	news chan struct{} // closed and replaced with each event
}

func newEvents() *events { return &events{news: make(chan struct{})} }

func (e *events) add(ev worker.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ev.Kind == worker.Reaped {
		return
	}
	e.all, e.used = append(e.all, ev), append(e.used, false)
	close(e.news)
	e.news = make(chan struct{})
}

// patience is the time limit of a test for an expected event: the race detector on a busy machine takes long.
const patience = 2 * time.Minute

func (e *events) await(kind worker.EventKind, jobID string) (worker.Event, bool) {
	return e.awaitFor(kind, jobID, patience)
}

// awaitFor returns the first matching event that was not returned before.
func (e *events) awaitFor(kind worker.EventKind, jobID string, d time.Duration) (worker.Event, bool) {
	timeout := time.After(d)
	for {
		e.mu.Lock()
		i := slices.IndexFunc(e.all, func(ev worker.Event) bool {
			return ev.Kind == kind && (jobID == "" || ev.Job.ID == jobID)
		})
		for ; i >= 0 && i < len(e.all); i++ {
			ev := e.all[i]
			if ev.Kind == kind && (jobID == "" || ev.Job.ID == jobID) && !e.used[i] {
				e.used[i] = true
				e.mu.Unlock()
				return ev, true
			}
		}
		news := e.news
		e.mu.Unlock()
		select {
		case <-news:
		case <-timeout:
			return worker.Event{}, false
		}
	}
}

// count returns the number of events of a kind.
func (e *events) count(kind worker.EventKind) int {
	n := 0
	for _, k := range e.kinds() {
		if strings.HasPrefix(k, string(kind)) {
			n++
		}
	}
	return n
}

func (e *events) kinds() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, ev := range e.all {
		text := string(ev.Kind)
		if ev.Err != nil {
			text += " (" + ev.Err.Error() + ")"
		}
		out = append(out, text)
	}
	return out
}

// pending creates a part with its file at the location that its jobs read.
func (w *world) pending() part.Part {
	w.t.Helper()
	created, err := w.Parts.Create(w.t.Context(), w.caller, part.CreateInput{FileName: "bracket.step"})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.objects.Put(w.t.Context(), created.Part.Source, strings.NewReader("x")); err != nil {
		w.t.Fatal(err)
	}
	return created.Part
}

// enqueue queues the first job of a part as if its source had so many bytes.
func (w *world) enqueue(p part.Part, size int64) {
	w.t.Helper()
	now := record.TruncateTime(w.clock.Now())
	_, err := w.store.Enqueue(w.t.Context(), job.Job{
		ID: record.NewID(), TeamID: p.TeamID, PartID: p.ID, Product: job.PartProcessing,
		Class: job.SizeClassOf(job.PartProcessing, size), Warnings: []fault.Warning{},
		DueAt: now, CreatedAt: now, UpdatedAt: now,
	}, part.EnqueueOptions{SourceSize: size, OnlyIfPending: true})
	if err != nil {
		w.t.Fatal(err)
	}
}
