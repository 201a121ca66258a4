package service_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright/core/fault"
	"millwright/core/service"
)

func TestOperatorsCancelAndRetryJobs(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	_, err := w.RetryJob(t.Context(), part.JobID)
	wantCode(t, "retry of a queued job", err, service.CodeInvalidRequest)
	job, err := w.CancelJob(t.Context(), part.JobID)
	if err != nil || job.Status != service.JobFailed || job.FailureCode != fault.Cancelled ||
		job.FailureReason == "" {
		t.Errorf("CancelJob = %+v, %v; want failed with cancelled", job, err)
	}
	_, err = w.CancelJob(t.Context(), part.JobID)
	wantCode(t, "cancel of an ended job", err, service.CodeInvalidRequest)
	if p, err := w.GetPart(t.Context(), w.acme, part.ID); err != nil || p.FailureCode != fault.Cancelled {
		t.Errorf("part = %+v, %v", p, err)
	}
	if job, err = w.RetryJob(t.Context(), part.JobID); err != nil || job.Status != service.JobQueued {
		t.Errorf("RetryJob = %+v, %v; want queued", job, err)
	}
	list, err := w.JobsOfTeam(t.Context(), "acme", service.JobFilter{})
	if err != nil || list.Total != 1 || list.Items[0].ID != part.JobID {
		t.Errorf("JobsOfTeam = %+v, %v", list, err)
	}
	_, err = w.JobsOfTeam(t.Context(), "nobody", service.JobFilter{})
	wantCode(t, "jobs of no team", err, service.CodeNotFound)
	_, err = w.CancelJob(t.Context(), uuid.NewString())
	wantCode(t, "cancel of no job", err, service.CodeNotFound)
	_, err = w.RetryJob(t.Context(), uuid.NewString())
	wantCode(t, "retry of no job", err, service.CodeNotFound)
}

func TestNewWorkIsRefusedUnderPressure(t *testing.T) {
	w := newWorld(t)
	part, rivals := w.completed(w.acme), w.completed(w.rival)
	for _, c := range []struct {
		name   string
		config service.Config
		caller service.Caller
		part   string
		want   service.Code
	}{
		{"team's bound", service.Config{MaxQueuedOfTeam: 1, MaxQueued: 100}, w.acme, part.ID, service.CodeRateLimited},
		{"whole bound", service.Config{MaxQueuedOfTeam: 10, MaxQueued: 2}, w.rival, rivals.ID, service.CodeUnavailable},
		{"within both", service.Config{MaxQueuedOfTeam: 2, MaxQueued: 3}, w.acme, part.ID, ""},
	} {
		s, err := service.New(service.Ports{Store: w.store, Objects: w.objects, Clock: w.clock}, c.config)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.AnalyzePart(t.Context(), c.caller, service.AnalyzePartInput{PartID: c.part})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		wantCode(t, c.name, err, c.want)
		var refusal *service.Error
		if errors.As(err, &refusal) && refusal.RetryAfter < time.Second {
			t.Errorf("%s: retry after %v, want some time", c.name, refusal.RetryAfter)
		}
	}
}
