package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// waiting adds a job of a class on a new part, due now.
func (f *fixture) waiting(team account.Team, class job.SizeClass) job.Job {
	f.t.Helper()
	p := f.pendingPart(team)
	job := f.job(p, job.PartProcessing)
	job.Class = class
	_, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: partSize, OnlyIfPending: true})
	f.must(err)
	return job
}

// next leases a job at the fixture's time; "" when no job is available.
func (f *fixture) next(filter job.WorkFilter) string {
	f.t.Helper()
	lease := job.Lease{Worker: "w", Now: f.now, Until: f.now.Add(leaseTime)}
	j, _, err := f.store.LeaseNext(f.ctx, filter, lease)
	if errors.Is(err, job.ErrNotAvailable) {
		return ""
	}
	f.must(err)
	return j.ID
}

// leaseAll leases all jobs one second apart, and ends each at once.
func (f *fixture) leaseAll(most int) (order []string) {
	f.t.Helper()
	for range most {
		f.tick()
		id := f.next(job.WorkFilter{})
		if id == "" {
			break
		}
		f.end(id)
		order = append(order, id)
	}
	return order
}

// end fails a job that was leased once.
func (f *fixture) end(id string) {
	f.t.Helper()
	why := fault.Error{Code: fault.NoSolid, Reason: "-"}
	f.must(f.store.Fail(f.ctx, job.FencingToken{JobID: id, Token: 1}, why, f.now))
}

func testOrder(t *testing.T, f *fixture) {
	large := f.waiting(f.team, job.Large)
	medium := f.waiting(f.team, job.Medium)
	small := f.waiting(f.team, job.Small)
	smaller := f.waiting(f.team, job.Small)
	f.tick()
	if got := f.next(job.WorkFilter{}); got != small.ID {
		t.Errorf("first %s, want the older of the small jobs %s", got, small.ID)
	}
	f.now = large.DueAt.Add(job.Large.PriorityDelay())
	late := f.waiting(f.team, job.Small)
	want := []string{smaller.ID, medium.ID, large.ID, late.ID}
	if got := f.leaseAll(10); !slices.Equal(got, want) {
		t.Errorf("then %v, want by the time of becoming ripe %v", got, want)
	}
}

func testTeamsTakeTurns(t *testing.T, f *fixture) {
	rival := f.newTeam("rival")
	var ours, theirs []string
	for range 4 {
		ours = append(ours, f.waiting(f.team, job.Small).ID)
	}
	for range 2 {
		theirs = append(theirs, f.waiting(rival, job.Small).ID)
	}
	want := []string{ours[0], theirs[0], ours[1], theirs[1], ours[2], ours[3]}
	if got := f.leaseAll(10); !slices.Equal(got, want) {
		t.Errorf("a single worker leased %v, want in turns %v", got, want)
	}
}

func testFewestRunningFirst(t *testing.T, f *fixture) {
	rival, third := f.newTeam("rival"), f.newTeam("third")
	var ours []string
	for range 4 {
		ours = append(ours, f.waiting(f.team, job.Small).ID)
	}
	f.tick()
	for i := range 2 {
		if got := f.next(job.WorkFilter{}); got != ours[i] {
			t.Fatalf("lease %d = %s, want %s: nobody else waits", i, got, ours[i])
		}
		f.tick()
	}
	theirs := []string{f.waiting(rival, job.Small).ID, f.waiting(rival, job.Small).ID}
	last := f.waiting(third, job.Small).ID
	var got []string
	for range 5 {
		f.tick()
		got = append(got, f.next(job.WorkFilter{}))
	}
	if want := []string{theirs[0], last, theirs[1], ours[2], ours[3]}; !slices.Equal(got, want) {
		t.Errorf("with 2 jobs of one team running, leased %v, want %v", got, want)
	}
}

func testLeaseFilter(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	analysis := f.queued(part) // small
	large := f.waiting(f.team, job.Large)
	f.tick()
	for _, c := range []struct {
		name   string
		filter job.WorkFilter
		want   string
	}{
		{"other product", job.WorkFilter{Products: []job.Product{job.Program}}, ""},
		{"other class", job.WorkFilter{Classes: []job.SizeClass{job.Medium}}, ""},
		{"product of one, class of the other", job.WorkFilter{
			Products: []job.Product{job.PartAnalysis},
			Classes:  []job.SizeClass{job.Large},
		}, ""},
		{"class", job.WorkFilter{Classes: []job.SizeClass{job.Medium, job.Large}}, large.ID},
		{"product", job.WorkFilter{Products: []job.Product{job.PartAnalysis}}, analysis.ID},
		{"all", job.WorkFilter{}, ""},
	} {
		if got := f.next(c.filter); got != c.want {
			t.Errorf("%s: leased %q, want %q", c.name, got, c.want)
		}
	}
}

func testPlaceIsKept(t *testing.T, f *fixture) {
	first := f.waiting(f.team, job.Small)
	second := f.waiting(f.team, job.Small)
	_, fence := f.lease(first.ID)
	f.must(f.store.GiveBack(f.ctx, fence, f.tick()))
	f.lease(first.ID)
	_, err := f.store.TakeBack(f.ctx, f.after(leaseTime), maxAttempts, fault.Error{}, 10)
	f.must(err)
	_, fence = f.lease(first.ID)
	f.must(f.store.Retry(f.ctx, fence, f.now, f.now))
	f.lease(second.ID)
	f.lease(first.ID)
}

var cancelled = fault.Error{Code: fault.Cancelled, Reason: "An operator cancelled the job."}

func testCancel(t *testing.T, f *fixture) {
	j := f.waiting(f.team, job.Small)
	now := f.tick()
	got, err := f.store.Cancel(f.ctx, j.ID, cancelled, now)
	f.must(err)
	want := j
	want.Status, want.FailureCode, want.FailureReason = job.Failed, cancelled.Code, cancelled.Reason
	want.UpdatedAt = now
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(f.getJob(j.ID), want) {
		t.Errorf("Cancel = %+v\nstored %+v\nwant   %+v", got, f.getJob(j.ID), want)
	}
	if p := f.getPart(j.PartID); p.Status != part.Failed || p.FailureCode != fault.Cancelled {
		t.Errorf("part = %+v, want failed with cancelled", p)
	}
	if got := f.next(job.WorkFilter{}); got != "" {
		t.Errorf("the cancelled job was leased: %s", got)
	}
	if _, err := f.store.Cancel(f.ctx, "x", cancelled, now); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Cancel of an unknown job: %v, want ErrNotFound", err)
	}
}

func testCancelRunning(t *testing.T, f *fixture) {
	pt, j, fence := f.leased()
	f.must(f.store.Heartbeat(f.ctx, fence, f.now.Add(leaseTime), nil, f.now))
	got, err := f.store.Cancel(f.ctx, j.ID, cancelled, f.tick())
	f.must(err)
	if got.Status != job.Failed || got.FailureCode != fault.Cancelled || got.Worker != "" {
		t.Errorf("Cancel = %+v, want failed with cancelled", got)
	}
	err = f.store.Heartbeat(f.ctx, fence, f.now.Add(leaseTime), nil, f.now)
	if !errors.Is(err, record.ErrFenced) {
		t.Errorf("Heartbeat of the cancelled job: %v, want ErrFenced", err)
	}
	err = f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(j))}, f.now)
	if !errors.Is(err, record.ErrFenced) {
		t.Errorf("Commit of the cancelled job: %v, want ErrFenced", err)
	}
	if p := f.getPart(pt.ID); p.Status != part.Failed {
		t.Errorf("part is %s, want failed", p.Status)
	}
	lost, err := f.store.LostAttempts(f.ctx, f.now.Add(time.Hour), 10)
	if err != nil || len(lost) != 1 || lost[0].FencingToken != fence {
		t.Errorf("LostAttempts = %v, %v; what the attempt stored has to be deleted", lost, err)
	}
}

func testCancelEnded(t *testing.T, f *fixture) {
	_, j, fence := f.leased()
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(j))}, f.tick()))
	before := f.getJob(j.ID)
	got, err := f.store.Cancel(f.ctx, j.ID, cancelled, f.tick())
	if !errors.Is(err, job.ErrEnded) || !reflect.DeepEqual(got, before) {
		t.Errorf("Cancel of a job that succeeded = %+v, %v; want it unchanged and ErrEnded", got, err)
	}
	if got := f.getJob(j.ID); !reflect.DeepEqual(got, before) {
		t.Errorf("the job became %+v", got)
	}
}

func testRequeue(t *testing.T, f *fixture) {
	pt, j, fence := f.leased()
	why := fault.Error{Code: fault.KernelError, Reason: "The kernel crashed."}
	f.must(f.store.Fail(f.ctx, fence, why, f.tick()))
	now := f.tick()
	got, err := f.store.Requeue(f.ctx, j.ID, account.Quota{}, now)
	f.must(err)
	if got.Status != job.Queued || got.FailureCode != "" || got.FailureReason != "" || got.Attempt != 0 ||
		got.Token != 1 || !got.DueAt.Equal(now) || !reflect.DeepEqual(got, f.getJob(j.ID)) {
		t.Errorf("Requeue = %+v, want it queued with no attempt counted", got)
	}
	if p := f.getPart(pt.ID); p.Status != part.Processing || p.FailureCode != "" {
		t.Errorf("part = %+v, want processing", p)
	}
	again, fence := f.lease(j.ID)
	if again.Token != 2 {
		t.Errorf("token %d, want 2: it only grows", again.Token)
	}
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(again))}, f.tick()))
}

func testRequeueNotFailed(t *testing.T, f *fixture) {
	j := f.waiting(f.team, job.Small)
	if _, err := f.store.Requeue(f.ctx, j.ID, account.Quota{}, f.tick()); !errors.Is(err, job.ErrNotFailed) {
		t.Errorf("Requeue of a queued job: %v, want ErrNotFailed", err)
	}
	if _, err := f.store.Requeue(f.ctx, "x", account.Quota{}, f.now); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Requeue of an unknown job: %v, want ErrNotFound", err)
	}
	f.lease(j.ID)
	if _, err := f.store.Requeue(f.ctx, j.ID, account.Quota{}, f.tick()); !errors.Is(err, job.ErrNotFailed) {
		t.Errorf("Requeue of a running job: %v, want ErrNotFailed", err)
	}
}

func testCounts(t *testing.T, f *fixture) {
	rival := f.newTeam("rival")
	for range 3 {
		f.waiting(f.team, job.Small)
	}
	large := f.waiting(rival, job.Large)
	count := func(team string, atMost, want int) {
		t.Helper()
		if n, err := f.store.CountQueued(f.ctx, team, atMost); err != nil || n != want {
			t.Errorf("CountQueued(%q, %d) = %d, %v; want %d", team, atMost, n, err, want)
		}
	}
	count("", 100, 4)
	count("", 2, 2)
	count(f.team.ID, 100, 3)
	count(rival.ID, 100, 1)
	f.tick()
	id := f.next(job.WorkFilter{})
	leases, err := f.store.Leases(f.ctx, 10)
	if err != nil || len(leases) != 1 || leases[0].ID != id || !leases[0].LeasedAt.Equal(f.now) {
		t.Errorf("Leases = %v, %v; want job %s since %v", leases, err, id, f.now)
	}
	count(f.team.ID, 100, 2)
	got, err := f.store.Backlog(f.ctx)
	f.must(err)
	if len(got) != 2 || got[0].Queued != 2 || got[0].Class != job.Small || got[1] != (job.Backlog{
		Product: job.PartProcessing, Class: job.Large, Queued: 1, Oldest: large.DueAt,
	}) {
		t.Errorf("Backlog = %+v, want 2 small jobs and 1 large", got)
	}
}

func testExpire(t *testing.T, f *fixture) {
	old, j, fence := f.leased()
	report := f.report(j)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	untidy, _, lost := f.leased() // the attempt's objects still exist
	f.must(f.store.Fail(f.ctx, lost, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	busy := f.pendingPart(f.team)
	f.queued(busy)
	before := f.tick()
	young := f.pendingPart(f.team)
	f.must(f.store.DeletePart(f.ctx, old.ID, f.now)) // it is not marked
	f.getPart(old.ID)
	for range 2 { // the second pass finds the rest of the first after a crash
		got, err := f.store.Expire(f.ctx, before, f.tick(), 10)
		f.must(err)
		if len(got) != 1 || got[0].ID != old.ID || got[0].Source != old.Source ||
			!slices.Equal(got[0].Results, []object.Ref{report.Objects[pipeline.STL]}) {
			t.Fatalf("Expire = %+v, want part %s with its results", got, old.ID)
		}
	}
	if _, err := f.store.Part(f.ctx, f.team.ID, old.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Part of an expired one: %v, want ErrNotFound", err)
	}
	_, err := f.store.Enqueue(f.ctx, f.job(old, job.PartAnalysis), part.EnqueueOptions{SourceSize: 1})
	if !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Enqueue on an expired part: %v, want ErrNotFound", err)
	}
	f.must(f.store.DeletePart(f.ctx, old.ID, f.now))
	f.must(f.store.DeletePart(f.ctx, old.ID, f.now)) // another reaper was as quick
	if _, err := f.store.Job(f.ctx, f.team.ID, j.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Job of a deleted part: %v, want ErrNotFound", err)
	}
	if features, err := f.store.Features(f.ctx, f.team.ID, report.ID); err == nil && len(features) > 0 {
		t.Errorf("features of a deleted part: %v", features)
	}
	for _, p := range []part.Part{busy, untidy, young} {
		f.getPart(p.ID)
	}
	if got, err := f.store.Expire(f.ctx, before, f.tick(), 10); err != nil || len(got) != 0 {
		t.Errorf("Expire afterwards = %+v, %v; want nothing", got, err)
	}
}

// testExpireOrRequeue: of a part that grows too old while one of its jobs is asked for again, either both go, or both
// stay.
func testExpireOrRequeue(t *testing.T, f *fixture) {
	for i := range 20 {
		p, job, fence := f.leased()
		if i%2 == 0 { // else the part fails with its job
			f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(job))}, f.tick()))
			job = f.queued(p)
			job, fence = f.lease(job.ID)
		}
		f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
		f.must(f.store.Forget(f.ctx, fence))
		before, now := f.tick(), f.tick()
		var requeued error
		var marked []part.DeletedPart
		f.atOnce(2, func(n int) (err error) {
			if n == 0 {
				_, requeued = f.store.Requeue(f.ctx, job.ID, account.Quota{}, now)
				return nil
			}
			if marked, err = f.store.Expire(f.ctx, before, now, 10); err == nil && len(marked) > 0 {
				err = f.store.DeletePart(f.ctx, p.ID, f.now)
			}
			return err
		})
		_, gone := f.store.Job(f.ctx, f.team.ID, job.ID)
		switch {
		case requeued == nil && len(marked) == 0 && gone == nil:
			f.getPart(p.ID)
			job, fence = f.lease(job.ID)
			f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
		case errors.Is(requeued, record.ErrNotFound) && len(marked) == 1 && errors.Is(gone, record.ErrNotFound):
		default:
			t.Fatalf("Requeue = %v, Expire = %v, afterwards the job: %v", requeued, marked, gone)
		}
	}
	part, job, fence := f.leased()
	f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	f.must(f.store.Forget(f.ctx, fence))
	_, err := f.store.Expire(f.ctx, f.tick(), f.tick(), 10)
	f.must(err)
	if _, err := f.store.Requeue(f.ctx, job.ID, account.Quota{}, f.tick()); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Requeue on an expired part: %v, want ErrNotFound", err)
	}
	f.must(f.store.DeletePart(f.ctx, part.ID, f.now))
}
