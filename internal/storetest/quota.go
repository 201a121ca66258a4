package storetest

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// overQuota reports whether an error refuses a request over a quota.
func overQuota(err error) bool {
	var refused *apierr.Error
	return errors.As(err, &refused) && refused.Code == apierr.QuotaExceeded && strings.HasSuffix(refused.Detail, ".") &&
		refused.RetrySeconds() == 3600
}

func (f *fixture) wantHeld(what string, want account.Held) {
	f.t.Helper()
	if got, err := f.store.Held(f.ctx, f.team.ID); err != nil || got != want {
		f.t.Errorf("%s: Held = %+v, %v; want %+v", what, got, err, want)
	}
}

// wantRefused checks that something is refused as long as a quota is full, and leaves no trace.
func (f *fixture) wantRefused(what string, do func() error) {
	f.t.Helper()
	before, err := f.store.Held(f.ctx, f.team.ID)
	f.must(err)
	if err := do(); !overQuota(err) {
		f.t.Errorf("%s: %v, want quota_exceeded", what, err)
	}
	f.wantHeld(what, before)
}

// testHeld checks that shared artifacts count once and deleted records do not count.
func testHeld(t *testing.T, f *fixture) {
	f.wantHeld("a new team", account.Held{})
	shared, own := artifact("shared"), artifact("own")
	shared.Size, own.Size = 1000, 20
	first := f.made(shared, own)
	second, j, fence := f.leased()
	report := f.report(j)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Used: []part.Artifact{shared}}, f.tick()))
	f.newProject(f.team, "")
	waiting := f.queued(f.pendingPart(f.team))
	other := f.newTeam("other")
	f.newProject(other, "")
	f.queued(f.pendingPart(other))
	f.wantHeld("three parts", account.Held{Bytes: 3*partSize + 1020, Projects: 1, Queued: 1})
	f.lease(waiting.ID)
	f.wantHeld("the job runs", account.Held{Bytes: 3*partSize + 1020, Projects: 1})
	f.discard(first)
	f.wantHeld("the first is deleted", account.Held{Bytes: 2*partSize + 1000, Projects: 1})
	f.discard(second)
	f.wantHeld("the second is deleted", account.Held{Bytes: partSize, Projects: 1})
}

func testQuotaOfBytes(t *testing.T, f *fixture) {
	quota := account.Quota{Bytes: 2*partSize + 10}
	upload := func(p part.Part) error {
		_, err := f.store.Enqueue(f.ctx, f.job(p, job.PartProcessing),
			part.EnqueueOptions{SourceSize: partSize, OnlyIfPending: true, Quota: quota})
		return err
	}
	create := func(team account.Team) (part.Part, error) {
		p := f.partAt(team, f.tick())
		return p, f.store.CreatePart(f.ctx, p, part.CreateTerms{RateLimit: paced, Quota: quota})
	}
	parts := make([]part.Part, 3)
	for i := range parts {
		var err error
		f.after(paced.Interval)
		parts[i], err = create(f.team)
		f.must(err)
	}
	f.must(upload(parts[0]))
	f.must(upload(parts[1]))
	f.wantRefused("a third upload", func() error { return upload(parts[2]) })
	if p := f.getPart(parts[2].ID); p.Status != part.Pending || p.SizeBytes != nil || p.JobID != "" {
		t.Errorf("a part whose upload was refused is %+v, want it pending", p)
	}
	f.must(upload(parts[1])) // which was completed before
	quota.Bytes = 2 * partSize
	f.after(paced.Interval)
	f.wantRefused("a part of a full team", func() error { _, err := create(f.team); return err })
	if _, err := create(f.newTeam("other")); err != nil {
		t.Errorf("a part of another team: %v", err)
	}
	f.discard(parts[0])
	if _, err := create(f.team); err != nil {
		t.Errorf("a part after a deletion: %v; the refused one took the slot", err)
	}
	f.must(upload(parts[2]))
}

func testQuotaOfProjects(t *testing.T, f *fixture) {
	quota := account.Quota{Projects: 1}
	create := func(team account.Team) error {
		p := catalog.Project{ID: uuid.NewString(), TeamID: team.ID, Name: "p", CreatedAt: f.tick(), UpdatedAt: f.now}
		return f.store.CreateProject(f.ctx, p, quota)
	}
	loose, again := f.readyPart(), f.readyPart()
	programs := func(p part.Part) error {
		o := f.ordered(p, job.Program)
		_, err := f.store.Place(f.ctx, o, program.CreateOptions{Quota: quota, Project: catalog.Project{
			ID: uuid.NewString(), TeamID: f.team.ID, Name: "p", CreatedAt: f.now, UpdatedAt: f.now,
		}})
		return err
	}
	f.must(programs(loose))
	f.wantRefused("a second project", func() error { return create(f.team) })
	f.wantRefused("a program that makes a project", func() error { return programs(again) })
	if err := programs(loose); err != nil {
		t.Errorf("a program of a part in a project: %v", err)
	}
	if err := create(f.newTeam("other")); err != nil {
		t.Errorf("a project of another team: %v", err)
	}
	quota.Projects = 2
	f.must(create(f.team))
}

func testQuotaOfQueued(t *testing.T, f *fixture) {
	quota := account.Quota{Queued: 1}
	enqueue := func(p part.Part, j job.Job) error {
		_, err := f.store.Enqueue(f.ctx, j, part.EnqueueOptions{SourceSize: partSize, Quota: quota})
		return err
	}
	ready, failed := f.readyPart(), f.pendingPart(f.team)
	lost := f.queued(failed)
	_, fence := f.lease(lost.ID)
	f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.KernelError, Reason: "It failed."}, f.tick()))
	only := f.job(ready, job.PartAnalysis)
	f.must(enqueue(ready, only))
	f.wantRefused("a second analysis", func() error { return enqueue(ready, f.job(ready, job.PartAnalysis)) })
	f.wantRefused("a plan", func() error {
		_, err := f.store.Place(f.ctx, f.ordered(ready, job.Plan), program.CreateOptions{Quota: quota})
		return err
	})
	f.wantRefused("another try", func() error { _, err := f.store.Requeue(f.ctx, lost.ID, quota, f.tick()); return err })
	if err := enqueue(ready, only); !errors.Is(err, record.ErrExists) {
		t.Errorf("the job that is there: %v, want ErrExists", err)
	}
	other := f.pendingPart(f.newTeam("other"))
	if err := enqueue(other, f.job(other, job.PartAnalysis)); err != nil {
		t.Errorf("an analysis of another team: %v", err)
	}
	_, err := f.store.Cancel(f.ctx, only.ID, fault.Error{Code: fault.Cancelled, Reason: "It was cancelled."}, f.tick())
	f.must(err)
	if _, err := f.store.Requeue(f.ctx, lost.ID, quota, f.tick()); err != nil {
		t.Errorf("another try when none waits: %v", err)
	}
}

// testQuotaAtOnce has many callers request the last unit of each quota concurrently.
func testQuotaAtOnce(t *testing.T, f *fixture) {
	const callers, most = 24, 3
	pending := make([]part.Part, callers)
	for i := range pending {
		pending[i] = f.pendingPart(f.team)
	}
	enqueue := func(i int, quota account.Quota) error {
		terms := part.EnqueueOptions{SourceSize: partSize, Quota: quota}
		_, err := f.store.Enqueue(f.ctx, f.job(pending[i], job.PartProcessing), terms)
		return err
	}
	for _, c := range []struct {
		name  string
		quota account.Quota
		do    func(i int, quota account.Quota) error
		held  account.Held
	}{
		{"uploads", account.Quota{Bytes: most*partSize + 1}, enqueue, account.Held{Bytes: most * partSize, Queued: most}},
		{"analyses", account.Quota{Queued: 2 * most}, enqueue, account.Held{Queued: 2 * most}},
		{"projects", account.Quota{Projects: most}, func(_ int, quota account.Quota) error {
			return f.store.CreateProject(f.ctx, catalog.Project{ID: uuid.NewString(), TeamID: f.team.ID}, quota)
		}, account.Held{Projects: most}},
	} {
		var made atomic.Int64
		f.atOnce(callers, func(i int) error {
			err := c.do(i, c.quota)
			if overQuota(err) {
				return nil
			}
			made.Add(1)
			return err
		})
		held, err := f.store.Held(f.ctx, f.team.ID)
		f.must(err)
		for _, b := range []struct{ got, want int64 }{
			{made.Load(), most}, {held.Bytes, c.held.Bytes}, {held.Projects, c.held.Projects}, {held.Queued, c.held.Queued},
		} {
			if b.want > 0 && b.got != b.want {
				t.Errorf("%s: %d were made at once, and the team has %+v; want %d and %+v", c.name, made.Load(), held, most, c.held)
			}
		}
	}
}
