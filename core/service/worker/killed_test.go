package worker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/worker"
)

// mortal is a process that is killed at one of its steps, before or after the step takes effect. None of its later
// steps has an effect.
type mortal struct {
	steps atomic.Int32 // taken so far
	end   int32        // the step at which it is killed
	after bool         // that step takes effect
	dead  atomic.Bool
}

var errDead = errors.New("the process was killed")

func (m *mortal) step(do func() error) error {
	if m.dead.Load() {
		return errDead
	}
	last := m.steps.Add(1) == m.end
	if last && !m.after {
		m.dead.Store(true)
		return errDead
	}
	err := do()
	if last {
		m.dead.Store(true)
		return errDead
	}
	return err
}

// mortalStore is the store for a process that may be killed. Leases and heartbeats do not count as steps.
type mortalStore struct {
	app.Store
	*mortal
}

func (s mortalStore) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (job.Job, part.Part, error) {
	if s.dead.Load() {
		return job.Job{}, part.Part{}, errDead
	}
	return s.Store.LeaseNext(ctx, f, l)
}

func (s mortalStore) Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, p *int, now time.Time) error {
	if s.dead.Load() {
		return errDead
	}
	return s.Store.Heartbeat(ctx, f, until, p, now)
}

func (s mortalStore) Artifacts(ctx context.Context, team string, keys []string) (got []part.Artifact, err error) {
	err = s.step(func() error { got, err = s.Store.Artifacts(ctx, team, keys); return err })
	return got, err
}

func (s mortalStore) Commit(ctx context.Context, f job.FencingToken, o worker.Outcome, now time.Time) error {
	return s.step(func() error { return s.Store.Commit(ctx, f, o, now) })
}

func (s mortalStore) Fail(ctx context.Context, f job.FencingToken, why fault.Error, now time.Time) error {
	return s.step(func() error { return s.Store.Fail(ctx, f, why, now) })
}

func (s mortalStore) Retry(ctx context.Context, f job.FencingToken, due, now time.Time) error {
	return s.step(func() error { return s.Store.Retry(ctx, f, due, now) })
}

func (s mortalStore) GiveBack(ctx context.Context, f job.FencingToken, now time.Time) error {
	return s.step(func() error { return s.Store.GiveBack(ctx, f, now) })
}

// TakeBack, LostAttempts and Forget are the reaper's, who lives in another process here.
func (s mortalStore) TakeBack(context.Context, time.Time, int, fault.Error, int) ([]job.Job, error) {
	return nil, nil
}

func (s mortalStore) LostAttempts(context.Context, time.Time, int) ([]worker.LostAttempt, error) {
	return nil, nil
}

type mortalObjects struct {
	object.Store
	*mortal
}

func (o mortalObjects) Get(ctx context.Context, ref object.Ref) (r io.ReadCloser, info object.Info, err error) {
	err = o.step(func() error { r, info, err = o.Store.Get(ctx, ref); return err })
	return r, info, err
}

func (o mortalObjects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	return o.step(func() error { return o.Store.Put(ctx, ref, r) })
}

func (o mortalObjects) Delete(ctx context.Context, ref object.Ref) error {
	return o.step(func() error { return o.Store.Delete(ctx, ref) })
}

// TestKilledAtEveryStep kills a process before and after each of its steps between fetching, running, storing and
// committing. The jobs are a first analysis, a second one with another tolerance and a stored model, and a program.
// Another process takes the job over. There must be one result, and no object that no part references.
func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("kills some seventy processes")
	}
	for _, c := range []struct {
		name string
		ask  func(*world) (jobID string, params pipeline.Params)
	}{{"first analysis", firstAnalysis}, {"second analysis", secondAnalysis}, {"program", aProgram}} {
		steps := killedAt(t, c.ask, &mortal{})
		if least := int32(8); steps < least {
			t.Fatalf("%s: %d steps, want at least %d, which store artifacts and commit", c.name, steps, least)
		}
		for end := range steps {
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/step %d/%v", c.name, end+1, after), func(t *testing.T) {
					killedAt(t, c.ask, &mortal{end: end + 1, after: after})
				})
			}
		}
	}
}

func firstAnalysis(w *world) (string, pipeline.Params) { return w.uploaded("x").JobID, paramsOf("x") }

func secondAnalysis(w *world) (string, pipeline.Params) {
	p, _ := w.analyzed()
	r := paramsOf("x")
	r.ChordTolerance = 0.01
	in := part.AnalyzeInput{PartID: p.ID, ChordTolerance: r.ChordTolerance}
	j, err := w.Parts.Analyze(w.t.Context(), w.caller, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return j.ID, r
}

func aProgram(w *world) (string, pipeline.Params) {
	p, _ := w.analyzed()
	made, err := w.Programs.Create(w.t.Context(), w.caller, program.CreateInput{PartID: p.ID})
	if err != nil {
		w.t.Fatal(err)
	}
	r := paramsOf("x")
	if _, r.Cutting, err = w.Programs.Cutting(w.t.Context(), w.caller.TeamID, made.PlanID); err != nil {
		w.t.Fatal(err)
	}
	return made.JobID, r
}

// killedAt runs a job in a process that may be killed, then in another, and returns the number of steps of the first.
func killedAt(t *testing.T, ask func(*world) (string, pipeline.Params), m *mortal) (steps int32) {
	t.Helper()
	w := newWorld(t)
	jobID, params := ask(w)
	kernel := pipelinetest.Machinist(pipelinetest.Cube)
	ports := w.ports(kernel)
	through(&ports, mortalStore{w.store, m})
	ports.Objects = mortalObjects{w.objects, m}
	stop := w.startPool("mortal", ports)
	last := worker.Committed
	if m.end > 0 {
		last = worker.OutageStarted // of a process that reaches nobody
	}
	w.await(last, jobID)
	steps = m.steps.Load()
	stop()
	w.startPoolWith(w.ports(kernel), worker.Config{Name: "heir", CleanTime: 10 * time.Second})
	got, err := w.Jobs.Get(t.Context(), w.caller, jobID)
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != job.Succeeded {
		w.awaitStalled(worker.Reclaimed, jobID)
		w.await(worker.Committed, jobID)
		w.awaitAfter(worker.Cleaned, jobID)
	}
	part := w.part(got.PartID)
	part.JobID = jobID
	w.hasResult(part, "x")
	want := append(w.artifacts(paramsOf("x")), w.artifacts(params)...) // of the part, and of the job
	slices.Sort(want)
	files := w.resultFiles()
	slices.Sort(files)
	if !slices.Equal(files, slices.Compact(want)) {
		t.Errorf("result objects:\n%v\nwant those of the part's artifacts:\n%v", files, want)
	}
	return steps
}
