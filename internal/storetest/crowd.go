package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// crowd is many concurrent callers on few parts: clients that enqueue, workers that lease and end jobs in every
// possible manner, sometimes too late, reapers and readers. Each has its own random source; the final checks do not
// depend on their order.
type crowd struct {
	*fixture
	parts   []part.Part
	clock   atomic.Int64 // microseconds after epoch
	mu      sync.Mutex
	queued  []string            // ids of jobs, in the order of their enqueueing
	leases  map[string]int64    // by job: the newest token that a worker was given
	commits map[string]string   // by job: the report of the commit that succeeded
	failed  map[string]struct{} // jobs that a worker or a reaper failed
	ended   atomic.Int32
}

const (
	crowdJobs    = 40
	crowdWorkers = 6
	crowdTime    = 5 * time.Minute // only a stuck store exceeds it
)

func testCrowd(t *testing.T, f *fixture) {
	c := &crowd{
		fixture: f, leases: map[string]int64{}, commits: map[string]string{}, failed: map[string]struct{}{},
	}
	for range 4 {
		c.parts = append(c.parts, f.pendingPart(f.team))
	}
	ctx, cancel := context.WithTimeout(f.ctx, crowdTime)
	defer cancel()
	work, done := context.WithCancel(ctx)
	defer done()
	roles := []func(context.Context, *rand.Rand) error{c.enqueue, c.enqueue, c.reap, c.reap, c.tidy, c.tidy, c.read}
	for range crowdWorkers {
		roles = append(roles, c.work)
	}
	f.atOnce(len(roles), func(i int) error {
		dice := rand.New(rand.NewPCG(uint64(i), 7))
		for work.Err() == nil {
			if err := roles[i](ctx, dice); err != nil {
				done()
				return fmt.Errorf("caller %d: %w", i, err)
			}
			if c.ended.Load() >= crowdJobs {
				done()
			}
		}
		return ctx.Err()
	})
	f.now = c.moment().Add(time.Hour)
	c.check(t)
}

// moment is the time, which every look at it moves on.
func (c *crowd) moment() time.Time {
	return epoch.Add(time.Minute + time.Duration(c.clock.Add(1000))*time.Microsecond)
}

func (c *crowd) enqueue(ctx context.Context, dice *rand.Rand) error {
	c.mu.Lock()
	full := len(c.queued) >= crowdJobs
	c.mu.Unlock()
	if full {
		return nil
	}
	job := c.job(c.parts[dice.IntN(len(c.parts))], job.PartAnalysis)
	now := c.moment()
	job.DueAt, job.CreatedAt, job.UpdatedAt = now, now, now
	if _, err := c.store.Enqueue(ctx, job, part.EnqueueOptions{SourceSize: partSize}); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queued = append(c.queued, job.ID)
	return nil
}

// work takes one job and ends it in a random manner.
func (c *crowd) work(ctx context.Context, dice *rand.Rand) error {
	now := c.moment()
	until := now.Add(time.Duration(dice.IntN(40)) * time.Millisecond) // often over before the end
	lease := job.Lease{Worker: fmt.Sprint("w", dice.IntN(9)), Now: now, Until: until}
	j, _, err := c.store.LeaseNext(ctx, job.WorkFilter{}, lease)
	if errors.Is(err, job.ErrNotAvailable) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	if err := c.leased(j); err != nil {
		return err
	}
	fence := job.FencingToken{JobID: j.ID, Token: j.Token}
	percent := dice.IntN(100)
	err = c.store.Heartbeat(ctx, fence, c.moment().Add(time.Millisecond), &percent, c.moment())
	if err != nil && !errors.Is(err, record.ErrFenced) {
		return fmt.Errorf("heartbeat: %w", err)
	}
	if err := c.end(ctx, dice, j, fence); err != nil && !errors.Is(err, record.ErrFenced) {
		return fmt.Errorf("end: %w", err)
	}
	return nil
}

// leased checks that no token is given twice.
func (c *crowd) leased(job job.Job) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if job.Token <= c.leases[job.ID] && c.leases[job.ID] != 0 {
		// Two leases may be observed in a different order than granted, but never with one token.
		if job.Token == c.leases[job.ID] {
			return fmt.Errorf("job %s was leased twice with token %d", job.ID, job.Token)
		}
		return nil
	}
	c.leases[job.ID] = job.Token
	return nil
}

func (c *crowd) end(ctx context.Context, dice *rand.Rand, job job.Job, fence job.FencingToken) error {
	switch dice.IntN(8) {
	case 0:
		return c.store.Retry(ctx, fence, c.moment(), c.moment())
	case 1:
		return c.store.GiveBack(ctx, fence, c.moment())
	case 2:
		return nil // the worker died
	case 3:
		err := c.store.Fail(ctx, fence, fault.Error{Code: fault.OpenShell, Reason: "open"}, c.moment())
		if err == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.failed[job.ID] = struct{}{}
			c.ended.Add(1)
		}
		return err
	}
	report := c.report(job)
	details := []part.FeatureDetail{{FeatureID: report.Analysis.Features[0].FeatureID}}
	err := c.store.Commit(ctx, fence, worker.Outcome{Report: &report, Details: details}, c.moment())
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if before, twice := c.commits[job.ID]; twice {
		return fmt.Errorf("job %s was committed with reports %s and %s", job.ID, before, report.ID)
	}
	c.commits[job.ID] = report.ID
	c.ended.Add(1)
	return nil
}

func (c *crowd) reap(ctx context.Context, dice *rand.Rand) error {
	taken, err := c.store.TakeBack(ctx, c.moment(), 1000, fault.Error{}, 1+dice.IntN(5))
	if err != nil {
		return fmt.Errorf("take back: %w", err)
	}
	for _, j := range taken {
		if j.Status != job.Queued {
			return fmt.Errorf("job taken back is %s", j.Status)
		}
	}
	return nil
}

func (c *crowd) tidy(ctx context.Context, _ *rand.Rand) error {
	lost, err := c.store.LostAttempts(ctx, c.moment(), 5)
	for _, l := range lost {
		err = errors.Join(err, c.store.Forget(ctx, l.FencingToken))
	}
	return err
}

// read looks at the jobs as a client does: page and total must agree, and no job may be seen half changed.
func (c *crowd) read(ctx context.Context, dice *rand.Rand) error {
	q := c.query(1, 100)
	if dice.IntN(2) == 0 {
		q.Status = job.Succeeded
	}
	items, total, err := c.store.ListJobs(ctx, q)
	if err != nil {
		return err
	}
	if len(items) != total {
		return fmt.Errorf("a page of %d jobs of %d", len(items), total)
	}
	for _, j := range items {
		whole := j.ReportID != "" && j.Worker == "" && j.LeaseUntil.IsZero()
		if j.Status == job.Succeeded && !whole || (j.Status == job.Running) != (j.Worker != "") {
			return fmt.Errorf("job half changed: %+v", j)
		}
		if j.Status == job.Succeeded {
			if _, err := c.store.Report(ctx, c.team.ID, j.PartID, j.ID); err != nil {
				return fmt.Errorf("report of a job that succeeded: %w", err)
			}
		}
	}
	return nil
}

// check compares the store with the results that the callers got.
func (c *crowd) check(t *testing.T) {
	t.Helper()
	busy := map[string]bool{} // parts with jobs that have not ended
	latest := map[string]bool{}
	for _, id := range c.queued {
		j := c.getJob(id)
		report, committed := c.commits[id]
		_, failed := c.failed[id]
		switch {
		case committed && (j.Status != job.Succeeded || j.ReportID != report || failed):
			t.Errorf("job = %+v; a worker was told that report %s is stored (and failed: %v)", j, report, failed)
		case failed && j.Status != job.Failed:
			t.Errorf("job = %+v; a worker was told that it failed", j)
		case !committed && !failed && j.Status != job.Queued && j.Status != job.Running:
			t.Errorf("job = %+v; nobody was told that it ended", j)
		}
		if j.Token < c.leases[id] || int64(j.Attempt) > j.Token {
			t.Errorf("job = %+v; a worker had token %d", j, c.leases[id])
		}
		busy[j.PartID] = busy[j.PartID] || !committed && !failed
		latest[j.PartID] = latest[j.PartID] || committed
	}
	for _, pt := range c.parts {
		p := c.getPart(pt.ID)
		switch {
		case latest[p.ID] && (p.Status != part.Ready || c.commits[jobOf(t, c, p)] != p.ReportID):
			t.Errorf("part = %+v, want ready with a report that was committed", p)
		case !latest[p.ID] && !busy[p.ID] && p.JobID != "" && p.Status != part.Failed:
			t.Errorf("part = %+v, want failed as all of its jobs", p)
		}
	}
	c.everyJobIsFound(t)
}

// everyJobIsFound reclaims all leases, and then leases all jobs that have not ended.
func (c *crowd) everyJobIsFound(t *testing.T) {
	t.Helper()
	_, err := c.store.TakeBack(c.ctx, c.now, 1000, fault.Error{}, 1000)
	c.must(err)
	found := map[string]bool{}
	for {
		j, _, err := c.store.LeaseNext(c.ctx, job.WorkFilter{}, job.Lease{Worker: "w", Now: c.now, Until: c.now})
		if errors.Is(err, job.ErrNotAvailable) {
			break
		}
		c.must(err)
		found[j.ID] = true
	}
	for _, id := range c.queued {
		_, failed := c.failed[id]
		if c.commits[id] == "" && !failed && !found[id] {
			t.Errorf("no worker finds job %s", id)
		}
	}
}

// jobOf is the job that made the part's report.
func jobOf(t *testing.T, c *crowd, p part.Part) string {
	t.Helper()
	r, err := c.store.Report(c.ctx, c.team.ID, p.ID, "")
	if err != nil {
		t.Errorf("report of part %s: %v", p.ID, err)
	}
	return r.JobID
}
