package service

import (
	"context"
	"errors"
	"fmt"

	"millwright/core/fault"
)

// What operators do to jobs of any team; the command line calls it.

// CancelJob ends a queued or running job. A worker that runs it notices within a heartbeat and stops. Error codes:
// not_found, invalid_request (it has ended).
func (s *Service) CancelJob(ctx context.Context, jobID string) (Job, error) {
	why := fault.Error{Code: fault.Cancelled, Reason: "The job was cancelled by an operator."}
	job, err := s.store.Cancel(ctx, jobID, why, s.now())
	if errors.Is(err, ErrEnded) {
		return job, Errorf(CodeInvalidRequest, "Job %s has ended already; it %s.", jobID, job.Status)
	}
	return job, noJob(jobID, err)
}

// RetryJob queues a failed job again, with all its attempts before it. Error codes: not_found, invalid_request (it has
// not failed).
func (s *Service) RetryJob(ctx context.Context, jobID string) (Job, error) {
	job, err := s.store.Requeue(ctx, jobID, s.now())
	if errors.Is(err, ErrNotFailed) {
		return job, Errorf(CodeInvalidRequest, "Job %s has not failed; it is %s.", jobID, job.Status)
	}
	if err == nil {
		s.ring(ctx, Wake{JobID: job.ID, Product: job.Product})
	}
	return job, noJob(jobID, err)
}

// JobsOfTeam lists a page of the jobs of a team, newest first. Error codes: not_found (team), invalid_request.
func (s *Service) JobsOfTeam(ctx context.Context, team string, f JobFilter) (JobList, error) {
	t, err := s.store.TeamByName(ctx, team)
	if errors.Is(err, ErrNotFound) {
		return JobList{}, Errorf(CodeNotFound, "There is no team %s.", quoted(team))
	}
	if err != nil {
		return JobList{}, fmt.Errorf("look up team: %w", err)
	}
	return s.ListJobs(ctx, Caller{TeamID: t.ID}, f)
}

func noJob(id string, err error) error {
	if errors.Is(err, ErrNotFound) {
		return Errorf(CodeNotFound, "There is no job %s.", quoted(id))
	}
	return err
}
