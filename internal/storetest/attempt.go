package storetest

import (
	"errors"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

func testLease(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	queued := f.queued(part)
	lease := f.newLease()
	j, leasedPart, err := f.store.LeaseNext(f.ctx, job.WorkFilter{}, lease)
	f.must(err)
	want := queued
	want.Status, want.Attempt, want.Token, want.Worker = job.Running, 1, 1, lease.Worker
	want.LeasedAt, want.LeaseUntil, want.UpdatedAt = lease.Now, lease.Until, lease.Now
	if !reflect.DeepEqual(j, want) {
		t.Errorf("leased job = %+v\nwant       %+v", j, want)
	}
	if got := f.getJob(j.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("job afterwards = %+v\nwant %+v", got, want)
	}
	if !reflect.DeepEqual(leasedPart, f.getPart(part.ID)) {
		t.Errorf("leased part = %+v, want %+v", leasedPart, f.getPart(part.ID))
	}
}

func testLeaseNotAvailable(t *testing.T, f *fixture) {
	_, running, _ := f.leased()
	_, done, doneFence := f.leased()
	f.must(f.store.Commit(f.ctx, doneFence, worker.Outcome{Report: new(f.report(done))}, f.tick()))
	_, later, laterFence := f.leased()
	due := f.now.Add(time.Hour)
	f.must(f.store.Retry(f.ctx, laterFence, due, f.tick()))
	_, _, err := f.store.LeaseNext(f.ctx, job.WorkFilter{}, f.newLease())
	if !errors.Is(err, job.ErrNotAvailable) {
		t.Errorf("with jobs running, succeeded and not due: LeaseNext = %v, want ErrNotAvailable", err)
	}
	for _, j := range []job.Job{running, done, later} {
		if got := f.getJob(j.ID); got.Token != 1 {
			t.Errorf("a lease of nothing touched %+v", got)
		}
	}
	if got := f.getJob(running.ID); !reflect.DeepEqual(got, running) {
		t.Errorf("a refused lease made the running job %+v\nwant %+v", got, running)
	}
	f.now = due
	got, _, err := f.store.LeaseNext(f.ctx, job.WorkFilter{}, job.Lease{Worker: "w", Now: due})
	if err != nil || got.ID != later.ID {
		t.Errorf("LeaseNext when due = %+v, %v; want job %s", got, err, later.ID)
	}
}

func testLeaseAtOnce(t *testing.T, f *fixture) {
	const jobs, takers = 6, 8
	part := f.pendingPart(f.team)
	ids := make([]string, jobs)
	for i := range ids {
		ids[i] = f.queued(part).ID
	}
	lease := f.newLease()
	taken := make([]atomic.Int32, jobs)
	f.atOnce(takers, func(int) error {
		for {
			one, _, err := f.store.LeaseNext(f.ctx, job.WorkFilter{}, lease)
			if errors.Is(err, job.ErrNotAvailable) {
				return nil
			}
			if err != nil {
				return err
			}
			taken[slices.Index(ids, one.ID)].Add(1)
		}
	})
	for i, id := range ids {
		if n := taken[i].Load(); n != 1 {
			t.Errorf("job %d was leased by %d takers, want 1", i, n)
		}
		if j := f.getJob(id); j.Attempt != 1 || j.Token != 1 {
			t.Errorf("job %d: attempt %d, token %d; want 1, 1", i, j.Attempt, j.Token)
		}
	}
}

func testHeartbeat(t *testing.T, f *fixture) {
	_, job, fence := f.leased()
	until := f.tick().Add(leaseTime)
	f.must(f.store.Heartbeat(f.ctx, fence, until, nil, f.now))
	got := f.getJob(job.ID)
	if !got.LeaseUntil.Equal(until) || got.Progress != nil || !got.UpdatedAt.Equal(f.now) {
		t.Errorf("after a heartbeat: %+v; want a lease until %v and no progress", got, until)
	}
	f.must(f.store.Heartbeat(f.ctx, fence, until.Add(-time.Second), nil, f.tick()))
	if got := f.getJob(job.ID); !got.LeaseUntil.Equal(until) {
		t.Errorf("an earlier heartbeat that came late cut the lease to %v, want %v", got.LeaseUntil, until)
	}
}

func testProgressNeverFalls(t *testing.T, f *fixture) {
	_, job, fence := f.leased()
	percent := func(n int) *int { return &n }
	for _, c := range []struct {
		name string
		sent *int
		want *int
	}{
		{"unknown at first", nil, nil}, {"zero", percent(0), percent(0)}, {"rises", percent(40), percent(40)},
		{"does not fall", percent(10), percent(40)}, {"stays without news", nil, percent(40)},
		{"ends at 100", percent(100), percent(100)},
	} {
		f.must(f.store.Heartbeat(f.ctx, fence, f.tick().Add(leaseTime), c.sent, f.now))
		if got := f.getJob(job.ID).Progress; !reflect.DeepEqual(got, c.want) {
			t.Fatalf("%s: progress = %s, want %s", c.name, show(got), show(c.want))
		}
	}
	f.must(f.store.Retry(f.ctx, fence, f.now, f.now))
	if got := f.getJob(job.ID).Progress; got != nil {
		t.Errorf("progress of a queued job = %s, want none", show(got))
	}
	_, fence = f.lease(job.ID)
	f.must(f.store.Heartbeat(f.ctx, fence, f.tick().Add(leaseTime), percent(5), f.now))
	if got := f.getJob(job.ID).Progress; got == nil || *got != 5 {
		t.Errorf("progress of the next attempt = %s, want 5: it starts again", show(got))
	}
}

func testCommit(t *testing.T, f *fixture) {
	p, j, fence := f.leased()
	report := f.report(j)
	now := f.tick()
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, now))
	hundred := 100
	want := j
	want.Status, want.Progress, want.ReportID = job.Succeeded, &hundred, report.ID
	want.Warnings, want.Worker, want.LeaseUntil = report.Analysis.Warnings, "", time.Time{}
	want.UpdatedAt = now
	if got := f.getJob(j.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("job = %+v\nwant  %+v", got, want)
	}
	got := f.getPart(p.ID)
	if !reflect.DeepEqual(got.Warnings, report.Analysis.Warnings) {
		t.Errorf("warnings of the part = %v, want %v", got.Warnings, report.Analysis.Warnings)
	}
	if got.Status != part.Ready || got.ReportID != report.ID || got.Format != "step" ||
		got.FailureCode != "" || !got.UpdatedAt.Equal(now) {
		t.Errorf("part = %+v; want ready with report %s", got, report.ID)
	}
	if lost, err := f.store.LostAttempts(f.ctx, f.now.Add(time.Hour), 10); err != nil || len(lost) != 0 {
		t.Errorf("LostAttempts = %v, %v; a committed attempt is not lost", lost, err)
	}
}

func testCommitClearsEarlierFailure(t *testing.T, f *fixture) {
	p, _, fence := f.leased()
	why := fault.Error{Code: fault.KernelError, Reason: "The kernel crashed."}
	f.must(f.store.Fail(f.ctx, fence, why, f.tick()))
	job, fence := f.lease(f.queued(p).ID)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(job))}, f.tick()))
	got := f.getPart(p.ID)
	if got.Status != part.Ready || got.FailureCode != "" || got.FailureReason != "" {
		t.Errorf("part = %+v; want ready without a failure", got)
	}
}

func testFail(t *testing.T, f *fixture) {
	pt, j, fence := f.leased()
	why := fault.Error{Code: fault.NoSolid, Reason: "The file holds no solid.", Format: "step"}
	now := f.tick()
	f.must(f.store.Fail(f.ctx, fence, why, now))
	got := f.getJob(j.ID)
	if got.Status != job.Failed || got.FailureCode != why.Code || got.FailureReason != why.Reason ||
		got.Worker != "" || !got.LeaseUntil.IsZero() || got.ReportID != "" || !got.UpdatedAt.Equal(now) {
		t.Errorf("job = %+v; want failed with %v", got, why)
	}
	p := f.getPart(pt.ID)
	if p.Status != part.Failed || p.FailureCode != why.Code || p.FailureReason != why.Reason ||
		p.Format != why.Format || !p.UpdatedAt.Equal(now) {
		t.Errorf("part = %+v; want failed with %v", p, why)
	}
}

func testJudgedJob(t *testing.T, f *fixture) {
	failed := func(p part.Part, code fault.Code, judge string) job.Job {
		j, fence := f.lease(f.queued(p).ID)
		f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: code, Reason: "No solid.", Judge: judge}, f.tick()))
		return f.getJob(j.ID)
	}
	p, other := f.pendingPart(f.team), f.pendingPart(f.team)
	first, second := failed(p, fault.NoSolid, "a"), failed(p, fault.OpenShell, "b")
	newest := failed(p, fault.NoSolid, "a")
	failed(p, fault.TimedOut, "")
	failed(other, fault.NoSolid, "c")
	f.queued(p)
	for _, c := range []struct {
		name, team, part string
		judges           []string
		want             job.Job
	}{
		{"the newest of two", f.team.ID, p.ID, []string{"x", "a"}, newest},
		{"of several judges", f.team.ID, p.ID, []string{"b"}, second},
		{"unknown judge", f.team.ID, p.ID, []string{"x"}, job.Job{}},
		{"no judge", f.team.ID, p.ID, nil, job.Job{}},
		{"judge of another part", f.team.ID, p.ID, []string{"c"}, job.Job{}},
		{"another team", f.newTeam("other").ID, p.ID, []string{"a"}, job.Job{}},
	} {
		got, err := f.store.JudgedJob(f.ctx, c.team, c.part, c.judges)
		if c.want.ID == "" {
			if !errors.Is(err, record.ErrNotFound) {
				t.Errorf("%s: JudgedJob = %+v, %v; want none", c.name, got, err)
			}
		} else if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: JudgedJob = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
	_, err := f.store.Requeue(f.ctx, newest.ID, account.Quota{}, f.tick())
	f.must(err)
	if got, err := f.store.JudgedJob(f.ctx, f.team.ID, p.ID, []string{"a"}); err != nil || got.ID != first.ID {
		t.Errorf("once the newest is tried again: JudgedJob = %+v, %v; want %s", got, err, first.ID)
	}
}

func testFailLeavesReadyPart(t *testing.T, f *fixture) {
	pt, job, fence := f.leased()
	report := f.report(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	_, fence = f.lease(f.queued(pt).ID)
	f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.TimedOut, Reason: "Slow."}, f.tick()))
	p := f.getPart(pt.ID)
	if p.Status != part.Ready || p.FailureCode != "" || p.ReportID != report.ID {
		t.Errorf("part = %+v; a failed second analysis must leave the first result", p)
	}
}

func testFailWaitsForOtherJobs(t *testing.T, f *fixture) {
	pt, _, fence := f.leased()
	second := f.queued(pt)
	why := fault.Error{Code: fault.TimedOut, Reason: "Slow."}
	f.must(f.store.Fail(f.ctx, fence, why, f.tick()))
	if p := f.getPart(pt.ID); p.Status != part.Processing {
		t.Errorf("part is %s while another job on it waits, want processing", p.Status)
	}
	_, fence = f.lease(second.ID)
	f.must(f.store.Fail(f.ctx, fence, why, f.tick()))
	if p := f.getPart(pt.ID); p.Status != part.Failed {
		t.Errorf("part is %s after its last job failed, want failed", p.Status)
	}
}

// raceAll runs do in several goroutines and counts the calls that succeeded and those that were fenced.
func raceAll(f *fixture, n int, do func() error) (succeeded, fenced int32) {
	f.t.Helper()
	var ok, late atomic.Int32
	f.atOnce(n, func(int) error {
		err := do()
		switch {
		case err == nil:
			ok.Add(1)
		case errors.Is(err, record.ErrFenced):
			late.Add(1)
		default:
			return err
		}
		return nil
	})
	return ok.Load(), late.Load()
}

func testCommitAtOnce(t *testing.T, f *fixture) {
	p, job, fence := f.leased()
	now := f.tick()
	ok, late := raceAll(f, 8, func() error {
		return f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(job))}, now)
	})
	if ok != 1 || late != 7 {
		t.Errorf("8 commits of one lease: %d succeeded, %d fenced; want 1 and 7", ok, late)
	}
	report, err := f.store.Report(f.ctx, f.team.ID, p.ID, "")
	if err != nil || f.getJob(job.ID).ReportID != report.ID || f.getPart(p.ID).ReportID != report.ID {
		t.Errorf("report %s, %v; job and part must name the one committed", report.ID, err)
	}
}
