package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// lateUploads is the time after the deletion of a part in which uploads may still arrive.
const lateUploads = time.Hour

func (f *fixture) discard(p part.Part) part.DeletedPart {
	f.t.Helper()
	f.tick()
	d, err := f.discardNow(p)
	f.must(err)
	return d
}

func (f *fixture) discardNow(p part.Part) (part.DeletedPart, error) {
	return f.store.Discard(f.ctx, p.TeamID, p.ID, f.now, f.now.Add(lateUploads))
}

// testDiscard deletes a part with a result on which a job runs.
func testDiscard(t *testing.T, f *fixture) {
	p, j, fence := f.leased()
	report := f.report(j)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	again, late := f.lease(f.queued(p).ID)
	kept := f.pendingPart(f.team)
	other := f.newTeam("other")
	if _, err := f.store.Discard(f.ctx, other.ID, p.ID, f.tick(), f.now); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Discard by another team: %v, want ErrNotFound", err)
	}
	f.must(f.store.DeletePart(f.ctx, p.ID, f.now)) // it is not marked
	f.getPart(p.ID)

	d := f.discard(p)
	if d.ID != p.ID || d.Source != p.Source ||
		!slices.Equal(d.Results, []object.Ref{report.Objects[pipeline.STL]}) {
		t.Errorf("Discard = %+v, want part %s with its results", d, p.ID)
	}
	if _, err := f.store.Discard(f.ctx, f.team.ID, p.ID, f.tick(), f.now); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("second Discard: %v, want ErrNotFound", err)
	}
	if _, err := f.store.Part(f.ctx, f.team.ID, p.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Part: %v, want ErrNotFound", err)
	}
	second := f.report(again)
	err := f.store.Commit(f.ctx, late, worker.Outcome{Report: &second}, f.tick())
	if !errors.Is(err, record.ErrFenced) {
		t.Errorf("Commit on a deleted part: %v, want ErrFenced", err)
	}
	f.erased(p, false)
	f.must(f.store.DeletePart(f.ctx, p.ID, f.tick())) // a worker is at it
	f.getJob(j.ID)

	_, err = f.store.Cancel(f.ctx, again.ID, fault.Error{Code: fault.Cancelled, Reason: "-"}, f.tick())
	f.must(err)
	f.erased(p, false) // the attempt's objects still exist
	f.must(f.store.Forget(f.ctx, late))
	f.erased(p, true)
	f.must(f.store.DeletePart(f.ctx, p.ID, f.tick()))
	for _, id := range []string{j.ID, again.ID} {
		if _, err := f.store.Job(f.ctx, f.team.ID, id); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("Job of a deleted part: %v, want ErrNotFound", err)
		}
	}
	f.erased(p, false) // except the mark
	f.after(lateUploads)
	f.erased(p, true)
	f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
	f.erased(p, false)
	f.getPart(kept.ID)
}

// erased looks whether a deleted part is ready to be erased.
func (f *fixture) erased(p part.Part, want bool) {
	f.t.Helper()
	got, err := f.store.Expire(f.ctx, time.Time{}, f.now, 10)
	f.must(err)
	if found := len(got) == 1 && got[0].ID == p.ID; found != want || !want && len(got) > 0 {
		f.t.Errorf("Expire = %+v; the part among them: want %v", got, want)
	}
}

// testDiscardOrCommit: either a job is committed before its part is deleted, and its objects are among those that are
// to be deleted, or it is not.
func testDiscardOrCommit(t *testing.T, f *fixture) {
	for range 20 {
		p, j, fence := f.leased()
		report := f.report(j)
		var committed error
		var d part.DeletedPart
		f.atOnce(2, func(n int) (err error) {
			if n == 0 {
				committed = f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.now)
				return nil
			}
			d, err = f.discardNow(p)
			return err
		})
		switch {
		case committed == nil && len(d.Results) == 1, errors.Is(committed, record.ErrFenced) && len(d.Results) == 0:
		default:
			t.Fatalf("Commit = %v, Discard gives the results %v", committed, d.Results)
		}
	}
}

// testDiscardOrEnqueue: a part that is deleted while a job is queued on it has either no job, or one that is found.
func testDiscardOrEnqueue(t *testing.T, f *fixture) {
	for range 20 {
		p := f.pendingPart(f.team)
		j := f.job(p, job.PartProcessing)
		var queued error
		f.atOnce(2, func(n int) error {
			if n == 0 {
				_, queued = f.store.Enqueue(f.ctx, j, part.EnqueueOptions{SourceSize: 1})
				return nil
			}
			_, err := f.discardNow(p)
			return err
		})
		_, found := f.store.Job(f.ctx, f.team.ID, j.ID)
		if queued != nil && !errors.Is(queued, record.ErrNotFound) || (queued == nil) != (found == nil) {
			t.Fatalf("Enqueue = %v, then the job: %v", queued, found)
		}
		f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
		if _, err := f.store.Job(f.ctx, f.team.ID, j.ID); !errors.Is(err, record.ErrNotFound) {
			t.Fatalf("Job of a deleted part: %v, want ErrNotFound", err)
		}
	}
}
