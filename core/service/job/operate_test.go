package job_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

func TestOperatorsCancelAndRetryJobs(t *testing.T) {
	w := newWorld(t)
	part := w.Completed(w.Acme)
	_, err := w.Jobs.Retry(t.Context(), part.JobID)
	apptest.WantCode(t, "retry of a queued job", err, apierr.JobFinished)
	j, err := w.Jobs.Cancel(t.Context(), part.JobID)
	if err != nil || j.Status != job.Failed || j.FailureCode != fault.Cancelled ||
		j.FailureReason == "" {
		t.Errorf("CancelJob = %+v, %v; want failed with cancelled", j, err)
	}
	_, err = w.Jobs.Cancel(t.Context(), part.JobID)
	apptest.WantCode(t, "cancel of an ended job", err, apierr.JobFinished)
	if p, err := w.Parts.Get(t.Context(), w.Acme, part.ID); err != nil || p.FailureCode != fault.Cancelled {
		t.Errorf("part = %+v, %v", p, err)
	}
	if j, err = w.Jobs.Retry(t.Context(), part.JobID); err != nil || j.Status != job.Queued {
		t.Errorf("RetryJob = %+v, %v; want queued", j, err)
	}
	team, err := w.Accounts.Team(t.Context(), "acme")
	if err != nil || team.ID != w.Acme.TeamID {
		t.Errorf("Team = %+v, %v", team, err)
	}
	list, err := w.Jobs.List(t.Context(), account.Caller{TeamID: team.ID}, job.Filter{})
	if err != nil || list.Total != 1 || list.Items[0].ID != part.JobID {
		t.Errorf("List = %+v, %v", list, err)
	}
	_, err = w.Accounts.Team(t.Context(), "nobody")
	apptest.WantCode(t, "no team", err, apierr.NotFound)
	_, err = w.Jobs.Cancel(t.Context(), uuid.NewString())
	apptest.WantCode(t, "cancel of no job", err, apierr.NotFound)
	_, err = w.Jobs.Retry(t.Context(), uuid.NewString())
	apptest.WantCode(t, "retry of no job", err, apierr.NotFound)
}

func TestNewWorkIsRefusedUnderPressure(t *testing.T) {
	w := newWorld(t)
	p, rivals := w.Completed(w.Acme), w.Completed(w.Rival)
	for _, c := range []struct {
		name   string
		config job.Config
		caller account.Caller
		part   string
		want   apierr.Code
	}{
		{"team's bound", job.Config{MaxQueuedOfTeam: 1, MaxQueued: 100}, w.Acme, p.ID, apierr.RateLimited},
		{"whole bound", job.Config{MaxQueuedOfTeam: 10, MaxQueued: 2}, w.Rival, rivals.ID, apierr.Unavailable},
		{"within both", job.Config{MaxQueuedOfTeam: 2, MaxQueued: 3}, w.Acme, p.ID, ""},
	} {
		_, err := w.Other(app.Config{Jobs: c.config}).Parts.Analyze(t.Context(), c.caller,
			part.AnalyzeInput{PartID: c.part})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		apptest.WantCode(t, c.name, err, c.want)
		var refused *apierr.Error
		if errors.As(err, &refused) && refused.RetryAfter < time.Second {
			t.Errorf("%s: retry after %v, want some time", c.name, refused.RetryAfter)
		}
	}
}
