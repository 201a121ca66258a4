package worker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
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
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// dice decide where faults occur. The order of throws by the goroutines differs between runs; the final checks do not
// depend on it.
type dice struct {
	mu   sync.Mutex
	rand *rand.Rand
	calm atomic.Bool // no more faults
}

// strike is true with the given probability.
func (d *dice) strike(probability float64) bool {
	if d.calm.Load() {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.Float64() < probability
}

var errChaos = errors.New("injected fault")

// around fails before or after a call of do, or not at all.
func (d *dice) around(do func() error) error {
	if d.strike(0.05) {
		return errChaos
	}
	err := do()
	if d.strike(0.05) {
		return errors.Join(errChaos, err)
	}
	return err
}

// chaosStore fails at random, before or after it has done its work.
type chaosStore struct {
	app.Store
	*dice
	commits *sync.Map // job id → *atomic.Int32, how many commits were stored
}

func (s chaosStore) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (j job.Job, p part.Part, err error) {
	err = s.around(func() error { j, p, err = s.Store.LeaseNext(ctx, f, l); return err })
	return j, p, err
}

func (s chaosStore) Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, p *int, now time.Time,
) error {
	return s.around(func() error { return s.Store.Heartbeat(ctx, f, until, p, now) })
}

func (s chaosStore) Commit(ctx context.Context, f job.FencingToken, o worker.Outcome, now time.Time) error {
	return s.around(func() error {
		err := s.Store.Commit(ctx, f, o, now)
		if err == nil {
			n, _ := s.commits.LoadOrStore(f.JobID, new(atomic.Int32))
			n.(*atomic.Int32).Add(1)
		}
		return err
	})
}

func (s chaosStore) Fail(ctx context.Context, f job.FencingToken, why fault.Error, now time.Time) error {
	return s.around(func() error { return s.Store.Fail(ctx, f, why, now) })
}

func (s chaosStore) Retry(ctx context.Context, f job.FencingToken, due, now time.Time) error {
	return s.around(func() error { return s.Store.Retry(ctx, f, due, now) })
}

func (s chaosStore) GiveBack(ctx context.Context, f job.FencingToken, now time.Time) error {
	return s.around(func() error { return s.Store.GiveBack(ctx, f, now) })
}

func (s chaosStore) TakeBack(ctx context.Context, now time.Time, most int, why fault.Error, limit int,
) (j []job.Job, err error) {
	err = s.around(func() error { j, err = s.Store.TakeBack(ctx, now, most, why, limit); return err })
	return j, err
}

func (s chaosStore) Forget(ctx context.Context, f job.FencingToken) error {
	return s.around(func() error { return s.Store.Forget(ctx, f) })
}

type chaosObjects struct {
	object.Store
	*dice
}

func (o chaosObjects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	return o.around(func() error { return o.Store.Put(ctx, ref, r) })
}

func (o chaosObjects) Delete(ctx context.Context, ref object.Ref) error {
	return o.around(func() error { return o.Store.Delete(ctx, ref) })
}

// chaosQueue loses and doubles wake-ups.
type chaosQueue struct {
	job.Queue
	*dice
}

func (q chaosQueue) Publish(ctx context.Context, w job.WakeUp) error {
	if q.strike(0.1) {
		return nil
	}
	return q.around(func() error { return q.Queue.Publish(ctx, w) })
}

// kernel works, fails, crashes or hangs.
func (d *dice) kernel(clock record.Clock) pipelinetest.Kernel {
	return pipelinetest.Machinist(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		switch {
		case d.strike(0.1):
			return nil, errChaos
		case d.strike(0.1):
			return nil, &fault.Error{Code: fault.OpenShell, Reason: "The shell is open."}
		case d.strike(0.15): // longer than the lease, deaf to the end of ctx
			ticks, stop := clock.Ticker(30 * time.Second)
			defer stop()
			<-ticks
		}
		return pipelinetest.Cube(ctx, req, progress)
	})
}

// TestEveryJobEndsOnce runs pools that are stopped and started at random, on a store, a queue and objects that fail at
// random. Each job must end exactly once, with one whole result or with a reason. Each ready part must have one program
// that ends as its job does. Nothing else may remain.
func TestEveryJobEndsOnce(t *testing.T) {
	seeds := []uint64{1, 2, 3, 4}
	if testing.Short() {
		seeds = seeds[:1]
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t)
			d := &dice{rand: rand.New(rand.NewPCG(seed, 0))}
			ports := w.ports(d.kernel(w.clock))
			store := chaosStore{w.store, d, &sync.Map{}}
			through(&ports, store)
			ports.Objects, ports.Queue = chaosObjects{w.objects, d}, chaosQueue{w.queue, d}
			var parts []part.Part
			for i := range 20 {
				parts = append(parts, w.programmed(fmt.Sprint("file ", i)))
			}
			w.ride(d, ports)
			w.settled(parts, store.commits)
		})
	}
}

// ride moves the clock, stopping and starting pools, until every job has ended and all is cleaned up.
func (w *world) ride(d *dice, ports worker.Ports) {
	w.t.Helper()
	pools := []func(){w.startPool("a", ports), w.startPool("b", ports), w.startPool("c", ports)}
	for step := range 5000 {
		w.clock.Advance(time.Second)
		w.events.awaitFor("", "", time.Millisecond) // gives the pools a moment; no event has this kind
		if d.strike(0.02) {
			i := step % len(pools)
			w.stopInTime(pools[i])
			pools[i] = w.startPool(fmt.Sprint("pool ", step), ports)
		}
		if step%20 == 0 && w.count(job.Queued)+w.count(job.Running) == 0 {
			d.calm.Store(true)
			lost, err := w.store.LostAttempts(w.t.Context(), w.clock.Now().Add(time.Hour), 1)
			if err != nil {
				w.t.Fatal(err)
			}
			if len(lost) == 0 {
				for _, stop := range pools {
					w.stopInTime(stop)
				}
				return
			}
		}
	}
	w.t.Fatal("not every job ended and was cleaned up in time")
}

// stopInTime stops a pool while the clock advances, since a kernel that ignores its context needs that to end.
func (w *world) stopInTime(stop func()) {
	ended := make(chan struct{})
	go func() { stop(); close(ended) }()
	for {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
			w.clock.Advance(time.Second)
		}
	}
}

// count returns the number of jobs of the team in a state.
func (w *world) count(s job.Status) int {
	w.t.Helper()
	list, err := w.Jobs.List(w.t.Context(), w.caller, job.Filter{Status: s})
	if err != nil {
		w.t.Fatal(err)
	}
	return list.Total
}

// commitsOf returns the number of stored commits of a job.
func commitsOf(commits *sync.Map, jobID string) int32 {
	if c, ok := commits.Load(jobID); ok {
		return c.(*atomic.Int32).Load()
	}
	return 0
}

// settled checks every job, and that all remaining objects belong to results.
func (w *world) settled(parts []part.Part, commits *sync.Map) {
	w.t.Helper()
	want := []string{}
	ends := map[string]int{}
	for i, pt := range parts {
		j, p := w.job(pt), w.part(pt.ID)
		n := commitsOf(commits, j.ID)
		if j.Status == job.Failed {
			if p.Status != part.Failed || j.FailureCode == "" || j.FailureReason == "" ||
				p.FailureCode != j.FailureCode || n != 0 || j.ReportID != "" || len(p.ProgramIDs) > 0 {
				w.t.Errorf("failed job = %+v with %d commits, part = %+v", j, n, p)
			}
			ends[string(j.FailureCode)]++
			continue
		}
		ends["succeeded"]++
		w.hasResult(pt, fmt.Sprint("file ", i))
		if n != 1 || j.Attempt < 1 || j.Attempt > 3 {
			w.t.Errorf("job = %+v with %d commits, want one", j, n)
		}
		r := paramsOf(fmt.Sprint("file ", i))
		r.Cutting = w.hasProgram(p, commits, ends)
		want = append(want, w.artifacts(r)...)
	}
	got := w.resultFiles()
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		w.t.Errorf("result objects:\n%v\nwant those of the results:\n%v", got, want)
	}
	w.t.Logf("ends of %d jobs: %v, %d leases, %d taken back",
		len(parts), ends, w.events.count(worker.Leased), w.events.count(worker.Reclaimed))
}

// hasProgram checks that a part has one program that ended once, and returns the parameters of the program.
func (w *world) hasProgram(p part.Part, commits *sync.Map, ends map[string]int) *pipeline.PlanParams {
	w.t.Helper()
	if len(p.ProgramIDs) != 1 || p.CurrentProgramID != p.ProgramIDs[0] {
		w.t.Fatalf("part = %+v, want it with one program", p)
	}
	made, err := w.Programs.Get(w.t.Context(), w.caller, p.ID, p.CurrentProgramID)
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := w.Jobs.Get(w.t.Context(), w.caller, made.JobID)
	if err != nil {
		w.t.Fatal(err)
	}
	n := commitsOf(commits, j.ID)
	switch {
	case j.Status == job.Succeeded && n == 1 && made.Status == program.Ready && made.Plan.Made != nil &&
		made.Set != nil &&
		made.Set.JobID == j.ID:
		ends["program ready"]++
	case j.Status == job.Failed && n == 0 && made.Status == program.Failed && made.Failure.Code == j.FailureCode &&
		made.Failure.Reason == j.FailureReason && made.Set == nil:
		ends["program "+string(j.FailureCode)]++
	default:
		w.t.Errorf("job = %+v with %d commits, program = %+v", j, n, made)
	}
	_, cutting, err := w.Programs.Cutting(w.t.Context(), w.caller.TeamID, made.PlanID)
	if err != nil {
		w.t.Fatal(err)
	}
	return cutting
}

// TestEveryDetailsJobEndsOnce injects the same faults while features are measured. A succeeded job has the datasheets
// of its features, a failed one has no datasheets, and the results of the analyses stay unchanged.
func TestEveryDetailsJobEndsOnce(t *testing.T) {
	w := newWorld(t)
	d := &dice{rand: rand.New(rand.NewPCG(9, 0))}
	ports := w.ports(d.kernel(w.clock))
	store := chaosStore{w.store, d, &sync.Map{}}
	var jobs []part.Part // parts with their details job as the latest
	for i := range 12 {
		part, _ := w.analyzedFrom(fmt.Sprint("file ", i))
		jobs = append(jobs, part)
	}
	for i, part := range jobs {
		jobs[i].JobID = w.measure(part, w.features(part.ID, "")[0].ID).ID
	}
	through(&ports, store)
	ports.Objects, ports.Queue = chaosObjects{w.objects, d}, chaosQueue{w.queue, d}
	w.ride(d, ports)
	var want []string
	for i, pt := range jobs {
		measured := paramsOf(fmt.Sprint("file ", i))
		measured.FeatureTags = []string{"00ff"}
		want = append(want, w.artifacts(measured)...)
		j := w.job(pt)
		n := commitsOf(store.commits, j.ID)
		first := w.features(pt.ID, "")[0].ID
		if j.Status == job.Succeeded {
			w.hasSheets(pt, first)
		} else {
			w.hasSheets(pt)
		}
		if p := w.part(pt.ID); p.Status != part.Ready || (n == 1) != (j.Status == job.Succeeded) {
			t.Errorf("job = %+v with %d commits, part = %+v; want the part ready as before", j, n, p)
		}
	}
	slices.Sort(want)
	if got := w.resultFiles(); !slices.Equal(got, want) {
		t.Errorf("result objects:\n%v\nwant those of the analyses and of the datasheets:\n%v", got, want)
	}
}
