package worker_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// faultyStore is a store behind a connection that can be cut.
type faultyStore struct {
	app.Store
	cut         atomic.Bool // every write of a worker fails
	noHeartbeat atomic.Bool // heartbeats fail
	silent      atomic.Bool // commits succeed, and the answer is lost
}

var errCut = errors.New("the line to the store is cut")

func (s *faultyStore) Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, p *int, now time.Time,
) error {
	if s.cut.Load() || s.noHeartbeat.Load() {
		return errCut
	}
	return s.Store.Heartbeat(ctx, f, until, p, now)
}

func (s *faultyStore) Commit(ctx context.Context, f job.FencingToken, o worker.Outcome, now time.Time) error {
	if s.cut.Load() {
		return errCut
	}
	err := s.Store.Commit(ctx, f, o, now)
	if s.silent.Load() {
		return errCut
	}
	return err
}

func (s *faultyStore) Fail(ctx context.Context, f job.FencingToken, why fault.Error, now time.Time) error {
	if s.cut.Load() {
		return errCut
	}
	return s.Store.Fail(ctx, f, why, now)
}

func (s *faultyStore) Retry(ctx context.Context, f job.FencingToken, due, now time.Time) error {
	if s.cut.Load() {
		return errCut
	}
	return s.Store.Retry(ctx, f, due, now)
}

func (s *faultyStore) GiveBack(ctx context.Context, f job.FencingToken, now time.Time) error {
	if s.cut.Load() {
		return errCut
	}
	return s.Store.GiveBack(ctx, f, now)
}

// gate is a kernel that waits in the middle until it is opened.
type gate struct {
	inside chan struct{}
	open   chan struct{}
	once   sync.Once
}

func newGate() *gate {
	return &gate{inside: make(chan struct{}, 100), open: make(chan struct{})}
}

func (g *gate) kernel(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
	a, err := pipelinetest.Cube(ctx, req, progress)
	g.inside <- struct{}{}
	select {
	case <-g.open:
		return a, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// deaf is the same kernel, but it ignores the end of its context.
func (g *gate) deaf(_ context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
	return g.kernel(context.Background(), req, progress)
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

func TestShutdownGivesTheJobBack(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	stop := w.startPool("a", w.ports(g.kernel))
	part := w.uploaded("x")
	<-g.inside
	stop()
	w.await(worker.Released, part.JobID)
	if j := w.job(part); j.Status != job.Queued || j.Attempt != 0 {
		t.Errorf("job = %+v, want queued with no attempt counted", j)
	}
	if files := w.resultFiles(); len(files) != 0 {
		t.Errorf("result objects %v, want none", files)
	}
	w.startPool("b", w.ports(pipelinetest.Cube))
	w.await(worker.Committed, part.JobID)
	w.hasResult(part, "x")
	if j := w.job(part); j.Attempt != 1 {
		t.Errorf("job = %+v, want one attempt", j)
	}
}

// TestStalledWorkerIsRefused lets worker a stall past its lease, and continue after b has finished.
func TestStalledWorkerIsRefused(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	t.Cleanup(g.release)
	stalled := w.ports(g.deaf)
	line := &faultyStore{Store: w.store}
	line.noHeartbeat.Store(true)
	through(&stalled, line)
	w.startPool("a", stalled)
	part := w.uploaded("x")
	<-g.inside
	w.startPool("b", w.ports(pipelinetest.Cube))
	w.awaitStalled(worker.Reclaimed, part.JobID)
	w.await(worker.Committed, part.JobID)
	w.hasResult(part, "x")
	winner := w.part(part.ID).ReportID
	g.release()
	for w.await(worker.Fenced, part.JobID).Job.Token != 1 { // on a slow machine b may lose a lease too
	}
	w.hasResult(part, "x")
	if got := w.part(part.ID).ReportID; got != winner {
		t.Errorf("report = %s, want the first committed %s", got, winner)
	}
	if files := w.resultFiles(); len(files) != perRun {
		t.Errorf("result objects %v; the late worker's must be gone", files)
	}
}

// TestLostLeaseEndsTheKernel has a heartbeat find out that the lease is lost.
func TestLostLeaseEndsTheKernel(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	w.startPool("a", w.ports(g.kernel))
	part := w.uploaded("x")
	<-g.inside
	j := w.job(part)
	fence := job.FencingToken{JobID: j.ID, Token: j.Token}
	if err := w.store.GiveBack(t.Context(), fence, w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(5 * time.Second) // a heartbeat
	w.await(worker.Fenced, part.JobID)
	g.release()
	w.awaitAfter(worker.Committed, part.JobID)
	w.hasResult(part, "x")
}

// TestKilledWorker cuts worker a off after it stored its objects, as kill -9 would.
func TestKilledWorker(t *testing.T) {
	w := newWorld(t)
	line := &faultyStore{Store: w.store}
	killed := w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		line.cut.Store(true)
		return pipelinetest.Cube(ctx, req, progress)
	})
	through(&killed, line)
	stop := w.startPool("a", killed)
	part := w.uploaded("x")
	w.await(worker.OutageStarted, part.JobID)
	stop()
	left := w.resultFiles()
	if len(left) != perRun {
		t.Fatalf("result objects of the killed worker %v, want %d", left, perRun)
	}
	w.startPool("b", w.ports(pipelinetest.Cube))
	w.awaitStalled(worker.Reclaimed, part.JobID)
	w.await(worker.Committed, part.JobID)
	w.hasResult(part, "x")
	w.awaitAfter(worker.Cleaned, part.JobID)
	w.hasResult(part, "x")
	for _, key := range w.resultFiles() {
		if slices.Contains(left, key) {
			t.Errorf("object %s of the killed worker is still there", key)
		}
	}
}

func TestWorkerLostInEveryAttempt(t *testing.T) {
	w := newWorld(t)
	line := &faultyStore{Store: w.store}
	line.cut.Store(true)
	ports := w.ports(pipelinetest.Cube)
	through(&ports, line)
	w.startPool("a", ports)
	pt := w.uploaded("x")
	for range 3 {
		w.awaitStalled(worker.Reclaimed, pt.JobID)
	}
	j, p := w.job(pt), w.part(pt.ID)
	if j.Status != job.Failed || j.FailureCode != fault.TimedOut || j.Attempt != 3 {
		t.Errorf("job = %+v, want failed with timed_out", j)
	}
	if p.Status != part.Failed || p.FailureCode != fault.TimedOut || p.FailureReason == "" {
		t.Errorf("part = %+v, want failed with timed_out", p)
	}
	for range 3 {
		w.awaitAfter(worker.Cleaned, pt.JobID)
	}
	if files := w.resultFiles(); len(files) != 0 {
		t.Errorf("result objects %v, want none", files)
	}
}

// TestCommitWithLostAnswer checks that the worker changes nothing after a commit whose result it does not know.
func TestCommitWithLostAnswer(t *testing.T) {
	w := newWorld(t)
	line := &faultyStore{Store: w.store}
	line.silent.Store(true)
	ports := w.ports(pipelinetest.Cube)
	through(&ports, line)
	w.startPool("a", ports)
	part := w.uploaded("x")
	w.await(worker.OutageStarted, part.JobID)
	w.hasResult(part, "x")
	w.clock.Advance(time.Hour) // past every lease and clean-up
	other := w.uploaded("y")
	w.awaitAfter(worker.OutageStarted, other.JobID)
	w.hasResult(part, "x")
	if n := w.events.count(worker.Leased); n != 2 {
		t.Errorf("%d leases for 2 jobs", n)
	}
}

// lateObjects interrupts one upload; the upload takes effect after the worker has deleted its objects.
type lateObjects struct {
	object.Store
	mu   sync.Mutex
	late map[object.Ref][]byte
	done bool
}

func (o *lateObjects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.Store.Put(ctx, ref, r)
	}
	o.done = true
	content, err := io.ReadAll(r)
	o.late = map[object.Ref][]byte{ref: content}
	return errors.Join(errors.New("no answer came"), err)
}

func (o *lateObjects) Delete(ctx context.Context, ref object.Ref) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.Store.Delete(ctx, ref); err != nil {
		return err
	}
	content, ok := o.late[ref]
	if !ok {
		return nil
	}
	delete(o.late, ref)
	return o.Store.Put(ctx, ref, bytes.NewReader(content))
}

func TestUploadThatTakesEffectLate(t *testing.T) {
	w := newWorld(t)
	ports := w.ports(pipelinetest.Cube)
	ports.Objects = &lateObjects{Store: w.objects}
	w.startPool("a", ports)
	part := w.uploaded("x")
	w.await(worker.Retried, part.JobID)
	if n := len(w.resultFiles()); n != 1 {
		t.Fatalf("%d objects after the late upload, want it to be there", n)
	}
	w.awaitAfter(worker.Committed, part.JobID)
	w.awaitAfter(worker.Cleaned, part.JobID)
	w.hasResult(part, "x")
	if files := w.resultFiles(); len(files) != perRun {
		t.Errorf("result objects %v, want those of the result alone", files)
	}
}
func TestLongKernelKeepsItsLease(t *testing.T) {
	w := newWorld(t)
	g := newGate()
	w.startPool("a", w.ports(g.kernel))
	part := w.uploaded("x")
	<-g.inside
	for range 60 { // three times the lease
		w.clock.Advance(time.Second)
		until := time.After(patience)
		for w.job(part).LeaseUntil.Sub(w.clock.Now()) < 14*time.Second { // 20 s less 5 between heartbeats
			select {
			case <-until:
				t.Fatalf("lease until %v at %v: no heartbeat", w.job(part).LeaseUntil, w.clock.Now())
			case <-time.After(time.Millisecond):
			}
		}
	}
	g.release()
	w.await(worker.Committed, part.JobID)
	if n := w.events.count(worker.Reclaimed); n != 0 {
		t.Errorf("the lease was taken back %d times", n)
	}
}

func TestConfigIsChecked(t *testing.T) {
	w := newWorld(t)
	ports := w.ports(pipelinetest.Cube)
	if _, err := worker.New(worker.Ports{}, worker.Config{}); err == nil {
		t.Error("New without ports succeeds")
	}
	_, err := worker.New(ports, worker.Config{
		Runners: -1, Lease: time.Second, HeartbeatTime: time.Second, ReapTime: -1,
	})
	for _, want := range []string{"Runners", "HeartbeatTime", "ReapTime"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New = %v, want a word on %s", err, want)
		}
	}
}

// TestBacklogWithoutWakes has jobs wait whose wake-ups were lost with the queue.
func TestBacklogWithoutWakes(t *testing.T) {
	const backlog = 20
	w := newWorld(t)
	p := w.uploaded("x")
	again := part.AnalyzeInput{PartID: p.ID}
	for range backlog - 1 {
		if _, err := w.Parts.Analyze(t.Context(), w.caller, again); err != nil {
			t.Fatal(err)
		}
	}
	w.startPool("a", w.ports(pipelinetest.Cube))
	for range backlog {
		w.await(worker.Committed, "") // the clock does not advance: jobs follow each other without a poll
	}
}
