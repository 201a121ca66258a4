package storetest

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

func testRetry(t *testing.T, f *fixture) {
	pt, j, fence := f.leased()
	now := f.tick()
	due := now.Add(10 * time.Second)
	f.must(f.store.Retry(f.ctx, fence, due, now))
	got := f.getJob(j.ID)
	if got.Status != job.Queued || got.Attempt != 1 || got.Token != 1 || got.Worker != "" ||
		!got.LeaseUntil.IsZero() || !got.DueAt.Equal(due) {
		t.Errorf("job = %+v; want queued after attempt 1, due %v", got, due)
	}
	if p := f.getPart(pt.ID); p.Status != part.Processing {
		t.Errorf("part is %s, want processing", p.Status)
	}
	f.now = due
	again, _ := f.lease(j.ID)
	if again.Attempt != 2 || again.Token != 2 {
		t.Errorf("second lease: attempt %d, token %d; want 2, 2", again.Attempt, again.Token)
	}
}

func testGiveBack(t *testing.T, f *fixture) {
	_, j, fence := f.leased()
	f.must(f.store.GiveBack(f.ctx, fence, f.tick()))
	got := f.getJob(j.ID)
	if got.Status != job.Queued || got.Attempt != 0 || got.Token != 1 || got.Progress != nil {
		t.Errorf("job = %+v; want queued with no attempt counted and token 1 spent", got)
	}
	again, _ := f.lease(j.ID)
	if again.Attempt != 1 || again.Token != 2 {
		t.Errorf("next lease: attempt %d, token %d; want 1 with the new token 2", again.Attempt, again.Token)
	}
}

// lateWrites are the writes that a worker makes under its lease.
var lateWrites = []struct {
	name  string
	write func(*fixture, job.Job, job.FencingToken) error
}{
	{"heartbeat", func(f *fixture, _ job.Job, fence job.FencingToken) error {
		return f.store.Heartbeat(f.ctx, fence, f.now.Add(leaseTime), nil, f.now)
	}},
	{"commit", func(f *fixture, j job.Job, fence job.FencingToken) error {
		f.wantArtifacts("before a late commit", f.team.ID, []string{"late"})
		err := f.store.Commit(f.ctx, fence, worker.Outcome{
			Report: new(f.report(j)), Made: []part.Artifact{artifact("late")}, SourceDigest: "5d41",
		}, f.now)
		f.wantArtifacts("after a late commit", f.team.ID, []string{"late"})
		return err
	}},
	{"commit details", func(f *fixture, j job.Job, fence job.FencingToken) error {
		f.waiting(f.team, job.Large)
		large := job.WorkFilter{Classes: []job.SizeClass{job.Large}} // not the job that may wait
		first, _, err := f.store.LeaseNext(f.ctx, large, f.newLease())
		f.must(err)
		report := f.report(first)
		firstFence := job.FencingToken{JobID: first.ID, Token: first.Token}
		f.must(f.store.Commit(f.ctx, firstFence, worker.Outcome{Report: &report}, f.now))
		return f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: report.ID, Details: f.details(report)}, f.now)
	}},
	{"fail", func(f *fixture, _ job.Job, fence job.FencingToken) error {
		return f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "late"}, f.now)
	}},
	{"retry", func(f *fixture, _ job.Job, fence job.FencingToken) error {
		return f.store.Retry(f.ctx, fence, f.now, f.now)
	}},
	{"give back", func(f *fixture, _ job.Job, fence job.FencingToken) error {
		return f.store.GiveBack(f.ctx, fence, f.now)
	}},
}

// ends is the events after which a lease is no longer the job's newest running one.
var ends = []struct {
	name string
	end  func(*fixture, job.Job, job.FencingToken)
}{
	{"taken back and leased again", func(f *fixture, j job.Job, _ job.FencingToken) {
		_, err := f.store.TakeBack(f.ctx, f.after(leaseTime), maxAttempts, fault.Error{}, 10)
		f.must(err)
		f.lease(j.ID)
	}},
	{"given back", func(f *fixture, _ job.Job, fence job.FencingToken) {
		f.must(f.store.GiveBack(f.ctx, fence, f.now))
	}},
	{"committed", func(f *fixture, j job.Job, fence job.FencingToken) {
		f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(j))}, f.now))
	}},
	{"failed", func(f *fixture, _ job.Job, fence job.FencingToken) {
		f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "first"}, f.now))
	}},
}

func testFencing(t *testing.T, f *fixture) {
	for _, e := range ends {
		for _, w := range lateWrites {
			part, j, fence := f.leased()
			e.end(f, j, fence)
			jobBefore, partBefore := f.getJob(j.ID), f.getPart(part.ID)
			f.tick()
			if err := w.write(f, j, fence); !errors.Is(err, record.ErrFenced) {
				t.Errorf("%s after the lease was %s: %v, want ErrFenced", w.name, e.name, err)
			}
			if got := f.getJob(j.ID); !reflect.DeepEqual(got, jobBefore) {
				t.Errorf("%s after %s changed the job to %+v", w.name, e.name, got)
			}
			if got := f.getPart(part.ID); !reflect.DeepEqual(got, partBefore) {
				t.Errorf("%s after %s changed the part to %+v", w.name, e.name, got)
			}
			_, err := f.store.Cancel(f.ctx, j.ID, cancelled, f.now) // it must not be there for the next row
			if err != nil && !errors.Is(err, job.ErrEnded) {
				t.Fatal(err)
			}
		}
	}
}

func testLateCommitLeavesNoTrace(t *testing.T, f *fixture) {
	p, late, lateFence := f.leased()
	_, err := f.store.TakeBack(f.ctx, f.after(leaseTime), maxAttempts, fault.Error{}, 10)
	f.must(err)
	job, fence := f.lease(late.ID)
	lateReport, report := f.report(late), f.report(job)
	err = f.store.Commit(f.ctx, lateFence, worker.Outcome{Report: &lateReport}, f.tick())
	if !errors.Is(err, record.ErrFenced) {
		t.Fatalf("late commit: %v, want ErrFenced", err)
	}
	if _, err := f.store.Report(f.ctx, f.team.ID, p.ID, job.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("a refused commit left a report: %v", err)
	}
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	got, err := f.store.Report(f.ctx, f.team.ID, p.ID, job.ID)
	if err != nil || got.ID != report.ID {
		t.Errorf("report = %s, %v; want %s", got.ID, err, report.ID)
	}
}

func testTakeBack(t *testing.T, f *fixture) {
	_, expired, _ := f.leased()
	f.after(leaseTime / 2)
	_, fresh, _ := f.leased()
	now := expired.LeaseUntil
	f.now = now
	taken, err := f.store.TakeBack(f.ctx, now, maxAttempts, fault.Error{}, 10)
	f.must(err)
	if len(taken) != 1 || !reflect.DeepEqual(taken[0], f.getJob(expired.ID)) {
		t.Fatalf("TakeBack = %+v, want the job whose lease ended at %v", taken, now)
	}
	if got := taken[0]; got.Status != job.Queued || got.Attempt != 1 || got.Worker != "" ||
		!got.LeaseUntil.IsZero() {
		t.Errorf("job = %+v; want queued, attempt 1 spent", got)
	}
	if got := f.getJob(fresh.ID); !reflect.DeepEqual(got, fresh) {
		t.Errorf("a job whose lease has not expired became %+v\nwant %+v", got, fresh)
	}
	again, err := f.store.TakeBack(f.ctx, now, maxAttempts, fault.Error{}, 10)
	if err != nil || len(again) != 0 {
		t.Errorf("second TakeBack = %v, %v; want nothing", again, err)
	}
}

func testTakeBackLastAttempt(t *testing.T, f *fixture) {
	pt, j, _ := f.leased()
	why := fault.Error{Code: fault.TimedOut, Reason: "No worker finished this file."}
	for attempt := 1; attempt < maxAttempts; attempt++ {
		taken, err := f.store.TakeBack(f.ctx, f.after(leaseTime), maxAttempts, why, 10)
		f.must(err)
		if len(taken) != 1 || taken[0].Status != job.Queued {
			t.Fatalf("after attempt %d: %+v, want queued", attempt, taken)
		}
		f.lease(j.ID)
	}
	taken, err := f.store.TakeBack(f.ctx, f.after(leaseTime), maxAttempts, why, 10)
	f.must(err)
	if len(taken) != 1 || taken[0].Status != job.Failed || taken[0].FailureCode != why.Code ||
		taken[0].FailureReason != why.Reason {
		t.Errorf("after the last attempt: %+v, want failed with %v", taken, why)
	}
	if p := f.getPart(pt.ID); p.Status != part.Failed || p.FailureCode != why.Code {
		t.Errorf("part = %+v, want failed with %s", p, why.Code)
	}
}

func testLostAttempts(t *testing.T, f *fixture) {
	part, j, first := f.leased()
	f.must(f.store.Retry(f.ctx, first, f.now, f.tick()))
	firstEnd := f.now
	_, second := f.lease(j.ID)
	f.must(f.store.GiveBack(f.ctx, second, f.tick()))
	_, third := f.lease(j.ID)

	lost := func(before time.Time) []worker.LostAttempt {
		t.Helper()
		got, err := f.store.LostAttempts(f.ctx, before, 10)
		f.must(err)
		return got
	}
	at := func(fence job.FencingToken) worker.LostAttempt {
		return worker.LostAttempt{FencingToken: fence, TeamID: f.team.ID, PartID: part.ID}
	}
	hour := f.now.Add(time.Hour)
	if got := lost(hour); !slices.Equal(got, []worker.LostAttempt{at(first), at(second)}) {
		t.Errorf("LostAttempts = %v; want tokens 1 and 2, not the running 3", got)
	}
	if got := lost(firstEnd.Add(time.Microsecond)); !slices.Equal(got, []worker.LostAttempt{at(first)}) {
		t.Errorf("LostAttempts before the second ended = %v, want token 1", got)
	}
	f.must(f.store.Forget(f.ctx, first))
	f.must(f.store.Forget(f.ctx, third)) // running: it cannot be forgotten
	if got := lost(hour); !slices.Equal(got, []worker.LostAttempt{at(second)}) {
		t.Errorf("LostAttempts = %v, want token 2", got)
	}
	f.must(f.store.Fail(f.ctx, third, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	if got := lost(hour); !slices.Equal(got, []worker.LostAttempt{at(second), at(third)}) {
		t.Errorf("LostAttempts = %v, want tokens 2 and 3", got)
	}
	f.must(f.store.Forget(f.ctx, job.FencingToken{JobID: uuid.NewString(), Token: 1}))
}

func show(p *int) string {
	if p == nil {
		return "none"
	}
	return strconv.Itoa(*p)
}
