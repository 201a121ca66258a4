package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"millwright/core/fault"
	"millwright/core/service"
)

func testVersion(t *testing.T, f *fixture) { versions(t, f, f.store) }

// Versions is the part of the suite for stores that share their records, as those of two processes do: what one
// commits shows in the version of the other at once. Both are empty.
func Versions(t *testing.T, writes, reads service.Store) {
	f := &fixture{t: t, ctx: t.Context(), store: writes, now: epoch}
	f.team = f.newTeam("acme")
	versions(t, f, reads)
}

// versions writes in every way that a reader may see, and looks each time whether the version has changed, never to
// one that was there before.
func versions(t *testing.T, f *fixture, reads service.Store) {
	var known []string
	var part, other service.Part
	var job, second service.Job
	var fence, lost service.Fence
	var report service.Report
	key := f.newKey(f.team, f.newUser(f.team, "ada"))
	project := service.Project{ID: key.ID, TeamID: f.team.ID, Name: "one", CreatedAt: f.now, UpdatedAt: f.now}
	half := 50
	sheet := func() []service.FeatureDetail {
		return []service.FeatureDetail{{FeatureID: report.Analysis.Features[0].FeatureID}}
	}
	for _, step := range []struct {
		name  string
		write func() error
	}{
		{"nothing", func() error { return nil }},
		{"create a key", func() error { f.newKey(f.team, f.newUser(f.team, "eve")); return nil }},
		{"create a part", func() error { part = f.pendingPart(f.team); return nil }},
		{"create another", func() error { other = f.pendingPart(f.newTeam("umbrella")); return nil }},
		{"queue a job", func() error { job = f.queued(part); return nil }},
		{"lease it", func() error { job, fence = f.lease(job.ID); return nil }},
		{"progress", func() error {
			return f.store.Heartbeat(f.ctx, fence, f.after(leaseTime), &half, f.now)
		}},
		{"commit", func() error {
			report = f.report(job)
			return f.store.Commit(f.ctx, fence, service.Outcome{Report: &report}, f.tick())
		}},
		{"queue details", func() error { second = f.queued(part); return nil }},
		{"lease them", func() error { second, fence = f.lease(second.ID); return nil }},
		{"retry", func() error { lost = fence; return f.store.Retry(f.ctx, fence, f.now, f.tick()) }},
		{"lease again", func() error { second, fence = f.lease(second.ID); return nil }},
		{"commit details", func() error {
			return f.store.Commit(f.ctx, fence, service.Outcome{ReportID: report.ID, Details: sheet()}, f.tick())
		}},
		{"forget the lost attempt", func() error { return f.store.Forget(f.ctx, lost) }},
		{"queue for another team", func() error { second = f.queued(other); return nil }},
		{"cancel", func() error {
			_, err := f.store.Cancel(f.ctx, second.ID, fault.Error{Code: "canceled", Reason: "-"}, f.tick())
			return err
		}},
		{"create a project", func() error { return f.store.CreateProject(f.ctx, project) }},
		{"rename it", func() error {
			_, err := f.store.UpdateProject(f.ctx, f.team.ID, project.ID, func(p *service.Project) error {
				p.Name = "two"
				return nil
			})
			return err
		}},
		{"grant", func() error {
			_, err := f.store.GrantKey(f.ctx, key.ID, service.Grant{AllowedOrigins: []string{"https://a.example"}})
			return err
		}},
		{"revoke", func() error { _, err := f.store.RevokeKey(f.ctx, key.ID, f.tick()); return err }},
		{"expire", func() error {
			_, err := f.store.Expire(f.ctx, f.after(time.Hour), f.tick(), 10)
			return err
		}},
		{"delete", func() error { return f.store.DeletePart(f.ctx, part.ID) }},
	} {
		if err := step.write(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		now, err := reads.Version(f.ctx)
		if err != nil || now == "" {
			t.Fatalf("%s: version %q, %v", step.name, now, err)
		}
		if slices.Contains(known, now) {
			t.Errorf("%s: the version is %q again", step.name, now)
		}
		known = append(known, now)
	}
	if _, err := reads.Part(f.ctx, f.team.ID, part.ID); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("the deleted part reads %v", err)
	}
	rests(t, f, reads)
}

// rests holds when, sooner or later, nobody writes: others may use the same server.
func rests(t *testing.T, f *fixture, reads service.Store) {
	const patience = 20 * time.Second
	for begin := time.Now(); time.Since(begin) < patience; {
		before, err := reads.Version(f.ctx)
		f.must(err)
		_, _, err = reads.ListJobs(f.ctx, service.JobQuery{
			TeamID: f.team.ID, JobFilter: service.JobFilter{Page: 1, PageSize: 20},
		})
		f.must(err)
		if after, err := reads.Version(f.ctx); err == nil && after == before {
			return
		}
	}
	t.Error("the version changes with every read")
}
