package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"millwright/core/fault"
	"millwright/core/service"
)

// waiting adds a job of a class to a part of its own, due now.
func (f *fixture) waiting(team service.Team, class service.WorkClass) service.Job {
	f.t.Helper()
	part := f.pendingPart(team)
	job := f.job(part, service.ProductPartProcessing)
	job.Class = class
	_, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{SourceSize: partSize, OnlyIfPending: true})
	f.must(err)
	return job
}

// next leases a job, "" when there is none, at the fixture's time.
func (f *fixture) next(filter service.WorkFilter) string {
	f.t.Helper()
	lease := service.Lease{Worker: "w", Now: f.now, Until: f.now.Add(leaseTime)}
	job, _, err := f.store.LeaseNext(f.ctx, filter, lease)
	if errors.Is(err, service.ErrNotAvailable) {
		return ""
	}
	f.must(err)
	return job.ID
}

// leaseAll leases everything there is, a second after the other, and ends each job at once.
func (f *fixture) leaseAll(most int) (order []string) {
	f.t.Helper()
	for range most {
		f.tick()
		id := f.next(service.WorkFilter{})
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
	f.must(f.store.Fail(f.ctx, service.Fence{JobID: id, Token: 1}, why, f.now))
}

func testOrder(t *testing.T, f *fixture) {
	large := f.waiting(f.team, service.ClassLarge)
	medium := f.waiting(f.team, service.ClassMedium)
	small := f.waiting(f.team, service.ClassSmall)
	smaller := f.waiting(f.team, service.ClassSmall)
	f.tick()
	if got := f.next(service.WorkFilter{}); got != small.ID {
		t.Errorf("first %s, want the older of the small jobs %s", got, small.ID)
	}
	f.now = large.DueAt.Add(service.ClassLarge.Handicap())
	late := f.waiting(f.team, service.ClassSmall)
	want := []string{smaller.ID, medium.ID, large.ID, late.ID}
	if got := f.leaseAll(10); !slices.Equal(got, want) {
		t.Errorf("then %v, want by the time of becoming ripe %v", got, want)
	}
}

func testTeamsTakeTurns(t *testing.T, f *fixture) {
	rival := f.newTeam("rival")
	var ours, theirs []string
	for range 4 {
		ours = append(ours, f.waiting(f.team, service.ClassSmall).ID)
	}
	for range 2 {
		theirs = append(theirs, f.waiting(rival, service.ClassSmall).ID)
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
		ours = append(ours, f.waiting(f.team, service.ClassSmall).ID)
	}
	f.tick()
	for i := range 2 {
		if got := f.next(service.WorkFilter{}); got != ours[i] {
			t.Fatalf("lease %d = %s, want %s: nobody else waits", i, got, ours[i])
		}
		f.tick()
	}
	theirs := []string{f.waiting(rival, service.ClassSmall).ID, f.waiting(rival, service.ClassSmall).ID}
	last := f.waiting(third, service.ClassSmall).ID
	var got []string
	for range 5 {
		f.tick()
		got = append(got, f.next(service.WorkFilter{}))
	}
	if want := []string{theirs[0], last, theirs[1], ours[2], ours[3]}; !slices.Equal(got, want) {
		t.Errorf("with 2 jobs of one team running, leased %v, want %v", got, want)
	}
}

func testLeaseFilter(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	analysis := f.queued(part) // small
	large := f.waiting(f.team, service.ClassLarge)
	f.tick()
	for _, c := range []struct {
		name   string
		filter service.WorkFilter
		want   string
	}{
		{"other product", service.WorkFilter{Products: []service.ProductType{service.ProductProgram}}, ""},
		{"other class", service.WorkFilter{Classes: []service.WorkClass{service.ClassMedium}}, ""},
		{"product of one, class of the other", service.WorkFilter{
			Products: []service.ProductType{service.ProductPartAnalysis},
			Classes:  []service.WorkClass{service.ClassLarge},
		}, ""},
		{"class", service.WorkFilter{Classes: []service.WorkClass{service.ClassMedium, service.ClassLarge}}, large.ID},
		{"product", service.WorkFilter{Products: []service.ProductType{service.ProductPartAnalysis}}, analysis.ID},
		{"all", service.WorkFilter{}, ""},
	} {
		if got := f.next(c.filter); got != c.want {
			t.Errorf("%s: leased %q, want %q", c.name, got, c.want)
		}
	}
}

func testPlaceIsKept(t *testing.T, f *fixture) {
	first := f.waiting(f.team, service.ClassSmall)
	second := f.waiting(f.team, service.ClassSmall)
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
	job := f.waiting(f.team, service.ClassSmall)
	now := f.tick()
	got, err := f.store.Cancel(f.ctx, job.ID, cancelled, now)
	f.must(err)
	want := job
	want.Status, want.FailureCode, want.FailureReason = service.JobFailed, cancelled.Code, cancelled.Reason
	want.UpdatedAt = now
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(f.getJob(job.ID), want) {
		t.Errorf("Cancel = %+v\nstored %+v\nwant   %+v", got, f.getJob(job.ID), want)
	}
	if p := f.getPart(job.PartID); p.Status != service.PartFailed || p.FailureCode != fault.Cancelled {
		t.Errorf("part = %+v, want failed with cancelled", p)
	}
	if got := f.next(service.WorkFilter{}); got != "" {
		t.Errorf("the cancelled job was leased: %s", got)
	}
	if _, err := f.store.Cancel(f.ctx, "x", cancelled, now); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Cancel of an unknown job: %v, want ErrNotFound", err)
	}
}

func testCancelRunning(t *testing.T, f *fixture) {
	part, job, fence := f.leased()
	f.must(f.store.Heartbeat(f.ctx, fence, f.now.Add(leaseTime), nil, f.now))
	got, err := f.store.Cancel(f.ctx, job.ID, cancelled, f.tick())
	f.must(err)
	if got.Status != service.JobFailed || got.FailureCode != fault.Cancelled || got.Worker != "" {
		t.Errorf("Cancel = %+v, want failed with cancelled", got)
	}
	err = f.store.Heartbeat(f.ctx, fence, f.now.Add(leaseTime), nil, f.now)
	if !errors.Is(err, service.ErrFenced) {
		t.Errorf("Heartbeat of the cancelled job: %v, want ErrFenced", err)
	}
	err = f.store.Commit(f.ctx, fence, service.Outcome{Report: new(f.report(job))}, f.now)
	if !errors.Is(err, service.ErrFenced) {
		t.Errorf("Commit of the cancelled job: %v, want ErrFenced", err)
	}
	if p := f.getPart(part.ID); p.Status != service.PartFailed {
		t.Errorf("part is %s, want failed", p.Status)
	}
	lost, err := f.store.LostAttempts(f.ctx, f.now.Add(time.Hour), 10)
	if err != nil || len(lost) != 1 || lost[0].Fence != fence {
		t.Errorf("LostAttempts = %v, %v; what the attempt stored has to be deleted", lost, err)
	}
}

func testCancelEnded(t *testing.T, f *fixture) {
	_, job, fence := f.leased()
	f.must(f.store.Commit(f.ctx, fence, service.Outcome{Report: new(f.report(job))}, f.tick()))
	before := f.getJob(job.ID)
	got, err := f.store.Cancel(f.ctx, job.ID, cancelled, f.tick())
	if !errors.Is(err, service.ErrEnded) || !reflect.DeepEqual(got, before) {
		t.Errorf("Cancel of a job that succeeded = %+v, %v; want it unchanged and ErrEnded", got, err)
	}
	if got := f.getJob(job.ID); !reflect.DeepEqual(got, before) {
		t.Errorf("the job became %+v", got)
	}
}

func testRequeue(t *testing.T, f *fixture) {
	part, job, fence := f.leased()
	why := fault.Error{Code: fault.KernelError, Reason: "The kernel crashed."}
	f.must(f.store.Fail(f.ctx, fence, why, f.tick()))
	now := f.tick()
	got, err := f.store.Requeue(f.ctx, job.ID, now)
	f.must(err)
	if got.Status != service.JobQueued || got.FailureCode != "" || got.FailureReason != "" || got.Attempt != 0 ||
		got.Token != 1 || !got.DueAt.Equal(now) || !reflect.DeepEqual(got, f.getJob(job.ID)) {
		t.Errorf("Requeue = %+v, want it queued with no attempt counted", got)
	}
	if p := f.getPart(part.ID); p.Status != service.PartProcessing || p.FailureCode != "" {
		t.Errorf("part = %+v, want processing", p)
	}
	again, fence := f.lease(job.ID)
	if again.Token != 2 {
		t.Errorf("token %d, want 2: it only grows", again.Token)
	}
	f.must(f.store.Commit(f.ctx, fence, service.Outcome{Report: new(f.report(again))}, f.tick()))
}

func testRequeueNotFailed(t *testing.T, f *fixture) {
	job := f.waiting(f.team, service.ClassSmall)
	if _, err := f.store.Requeue(f.ctx, job.ID, f.tick()); !errors.Is(err, service.ErrNotFailed) {
		t.Errorf("Requeue of a queued job: %v, want ErrNotFailed", err)
	}
	if _, err := f.store.Requeue(f.ctx, "x", f.now); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Requeue of an unknown job: %v, want ErrNotFound", err)
	}
	f.lease(job.ID)
	if _, err := f.store.Requeue(f.ctx, job.ID, f.tick()); !errors.Is(err, service.ErrNotFailed) {
		t.Errorf("Requeue of a running job: %v, want ErrNotFailed", err)
	}
}

func testCounts(t *testing.T, f *fixture) {
	rival := f.newTeam("rival")
	for range 3 {
		f.waiting(f.team, service.ClassSmall)
	}
	large := f.waiting(rival, service.ClassLarge)
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
	id := f.next(service.WorkFilter{})
	leases, err := f.store.Leases(f.ctx, 10)
	if err != nil || len(leases) != 1 || leases[0].ID != id || !leases[0].LeasedAt.Equal(f.now) {
		t.Errorf("Leases = %v, %v; want job %s since %v", leases, err, id, f.now)
	}
	count(f.team.ID, 100, 2)
	got, err := f.store.Backlog(f.ctx)
	f.must(err)
	if len(got) != 2 || got[0].Queued != 2 || got[0].Class != service.ClassSmall || got[1] != (service.Backlog{
		Product: service.ProductPartProcessing, Class: service.ClassLarge, Queued: 1, Oldest: large.DueAt,
	}) {
		t.Errorf("Backlog = %+v, want 2 small jobs and 1 large", got)
	}
}

func testExpire(t *testing.T, f *fixture) {
	old, job, fence := f.leased()
	report := f.report(job)
	f.must(f.store.Commit(f.ctx, fence, service.Outcome{Report: &report}, f.tick()))
	untidy, _, lost := f.leased() // what its attempt stored is still to be deleted
	f.must(f.store.Fail(f.ctx, lost, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	busy := f.pendingPart(f.team)
	f.queued(busy)
	before := f.tick()
	young := f.pendingPart(f.team)
	f.must(f.store.DeletePart(f.ctx, old.ID)) // it is not marked
	f.getPart(old.ID)
	for range 2 { // the second pass finds what the first, should it have crashed, left
		got, err := f.store.Expire(f.ctx, before, f.tick(), 10)
		f.must(err)
		if len(got) != 1 || got[0].ID != old.ID || got[0].Source != old.Source ||
			!slices.Equal(got[0].Results, []service.ObjectRef{report.STL}) {
			t.Fatalf("Expire = %+v, want part %s with its results", got, old.ID)
		}
	}
	if _, err := f.store.Part(f.ctx, f.team.ID, old.ID); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Part of an expired one: %v, want ErrNotFound", err)
	}
	_, err := f.store.Enqueue(f.ctx, f.job(old, service.ProductPartAnalysis), service.EnqueueTerms{SourceSize: 1})
	if !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Enqueue on an expired part: %v, want ErrNotFound", err)
	}
	f.must(f.store.DeletePart(f.ctx, old.ID))
	f.must(f.store.DeletePart(f.ctx, old.ID)) // another reaper was as quick
	if _, err := f.store.Job(f.ctx, f.team.ID, job.ID); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Job of a deleted part: %v, want ErrNotFound", err)
	}
	if features, err := f.store.Features(f.ctx, f.team.ID, report.ID); err == nil && len(features) > 0 {
		t.Errorf("features of a deleted part: %v", features)
	}
	for _, p := range []service.Part{busy, untidy, young} {
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
		part, job, fence := f.leased()
		if i%2 == 0 { // else the part fails with its job
			f.must(f.store.Commit(f.ctx, fence, service.Outcome{Report: new(f.report(job))}, f.tick()))
			job = f.queued(part)
			job, fence = f.lease(job.ID)
		}
		f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
		f.must(f.store.Forget(f.ctx, fence))
		before, now := f.tick(), f.tick()
		var requeued error
		var marked []service.ExpiredPart
		f.atOnce(2, func(n int) (err error) {
			if n == 0 {
				_, requeued = f.store.Requeue(f.ctx, job.ID, now)
				return nil
			}
			if marked, err = f.store.Expire(f.ctx, before, now, 10); err == nil && len(marked) > 0 {
				err = f.store.DeletePart(f.ctx, part.ID)
			}
			return err
		})
		_, gone := f.store.Job(f.ctx, f.team.ID, job.ID)
		switch {
		case requeued == nil && len(marked) == 0 && gone == nil:
			f.getPart(part.ID)
			job, fence = f.lease(job.ID)
			f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
		case errors.Is(requeued, service.ErrNotFound) && len(marked) == 1 && errors.Is(gone, service.ErrNotFound):
		default:
			t.Fatalf("Requeue = %v, Expire = %v, afterwards the job: %v", requeued, marked, gone)
		}
	}
	part, job, fence := f.leased()
	f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	f.must(f.store.Forget(f.ctx, fence))
	_, err := f.store.Expire(f.ctx, f.tick(), f.tick(), 10)
	f.must(err)
	if _, err := f.store.Requeue(f.ctx, job.ID, f.tick()); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Requeue on an expired part: %v, want ErrNotFound", err)
	}
	f.must(f.store.DeletePart(f.ctx, part.ID))
}
