package storetest

import (
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// testTeamVersion changes each kind of record that a team reads, and unrelated records, and checks after each change
// whether the team's version grew.
func testTeamVersion(t *testing.T, f *fixture) {
	var p part.Part
	var j job.Job
	var fence job.FencingToken
	stranger, half := f.newTeam("umbrella"), 50
	key := f.newKey(f.team, f.newUser(f.team, "ann"))
	version := func() int64 {
		k, err := f.store.KeyByHash(f.ctx, key.Hash)
		f.must(err)
		return k.TeamVersion
	}
	beat := func() error { return f.store.Heartbeat(f.ctx, fence, f.after(leaseTime), &half, f.tick()) }
	for _, step := range []struct {
		name    string
		changes bool
		write   func() error
	}{
		{"create a part", false, func() error { p = f.pendingPart(f.team); return nil }},
		{"queue a job", true, func() error { j = f.queued(p); return nil }},
		{"lease it", true, func() error { j, fence = f.lease(j.ID); return nil }},
		{"progress", true, beat},
		{"no progress", false, beat},
		{"retry", true, func() error { return f.store.Retry(f.ctx, fence, f.now, f.tick()) }},
		{"lease again", true, func() error { _, fence = f.lease(j.ID); return nil }},
		{"commit", true, func() error {
			report := f.report(j)
			return f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick())
		}},
		{"queue another", true, func() error { j = f.queued(p); return nil }},
		{"cancel", true, func() error {
			_, err := f.store.Cancel(f.ctx, j.ID, fault.Error{Code: "canceled", Reason: "-"}, f.tick())
			return err
		}},
		{"queue again", true, func() error { _, err := f.store.Requeue(f.ctx, j.ID, account.Quota{}, f.tick()); return err }},
		{"lease the other", true, func() error { j, fence = f.lease(j.ID); return nil }},
		{"take back", true, func() error {
			_, err := f.store.TakeBack(f.ctx, f.after(2*leaseTime), 3, fault.Error{}, 10)
			return err
		}},
		{"lease it for the last time", true, func() error { j, fence = f.lease(j.ID); return nil }},
		{"fail", true, func() error { return f.store.Fail(f.ctx, fence, fault.Error{Code: "x"}, f.tick()) }},
		{"forget what was lost", false, func() error { return forgetAll(f) }},
		{"rename", true, func() error {
			_, err := f.store.UpdatePart(f.ctx, f.team.ID, p.ID, func(p *part.Part) error { p.FileName = "x"; return nil })
			return err
		}},
		{"expire", true, func() error {
			_, err := f.store.Expire(f.ctx, f.after(time.Hour), f.tick(), 10)
			return err
		}},
		{"delete", true, func() error { return f.store.DeletePart(f.ctx, p.ID, f.now) }},
		{"queue one of another team", false, func() error { f.queued(f.pendingPart(stranger)); return nil }},
	} {
		before := version()
		if err := step.write(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		after := version()
		if after < before || (after > before) != step.changes {
			t.Errorf("%s: version %d, then %d; changes what is read: %v", step.name, before, after, step.changes)
		}
	}
}

func forgetAll(f *fixture) error {
	lost, err := f.store.LostAttempts(f.ctx, f.after(time.Hour), 10)
	for _, a := range lost {
		f.must(f.store.Forget(f.ctx, a.FencingToken))
	}
	return err
}
