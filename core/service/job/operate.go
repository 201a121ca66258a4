package job

import (
	"context"
	"errors"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// EndAll ends all waiting and running jobs of a part. reason is a sentence.
func (s *Service) EndAll(ctx context.Context, c account.Caller, partID, reason string) error {
	why := fault.Error{Code: fault.Cancelled, Reason: reason}
	for {
		var found []Job
		for _, status := range []Status{Queued, Running} {
			of := Filter{Page: record.Page{Page: 1, PageSize: 100}, PartID: partID, Status: status}
			jobs, _, err := s.store.ListJobs(ctx, Query{TeamID: c.TeamID, Filter: of})
			if err != nil {
				return err
			}
			found = append(found, jobs...)
		}
		if len(found) == 0 {
			return nil
		}
		for _, j := range found {
			if _, err := s.store.Cancel(ctx, j.ID, why, s.now()); err != nil && !errors.Is(err, ErrEnded) &&
				!errors.Is(err, record.ErrNotFound) {
				return err
			}
		}
	}
}

// CancelOwn is Cancel of a job of the caller's team.
func (s *Service) CancelOwn(ctx context.Context, c account.Caller, jobID string) (Job, error) {
	if _, err := s.Get(ctx, c, jobID); err != nil {
		return Job{}, err
	}
	return s.cancel(ctx, jobID, "The job was cancelled.")
}

// Operations on jobs of any team, for the command line.

// Cancel ends a queued or running job. A worker that runs it notices within a heartbeat and stops. Error codes:
// not_found, job_finished.
func (s *Service) Cancel(ctx context.Context, jobID string) (Job, error) {
	return s.cancel(ctx, jobID, "The job was cancelled by an operator.")
}

func (s *Service) cancel(ctx context.Context, jobID, reason string) (Job, error) {
	why := fault.Error{Code: fault.Cancelled, Reason: reason}
	job, err := s.store.Cancel(ctx, jobID, why, s.now())
	if errors.Is(err, ErrEnded) {
		return job, apierr.Errorf(apierr.JobFinished, "Job %s cannot be cancelled: it has %s.", jobID, job.Status)
	}
	return job, noJob(jobID, err)
}

// Retry queues a failed job again, with all its attempts before it. Error codes: not_found, job_finished (it has not
// failed), quota_exceeded.
func (s *Service) Retry(ctx context.Context, jobID string) (Job, error) {
	job, err := s.store.Requeue(ctx, jobID, s.config.Quota, s.now())
	if errors.Is(err, ErrNotFailed) {
		return job, apierr.Errorf(apierr.JobFinished,
			"Job %s cannot be tried again, which only a failed job can: its status is %s.", jobID, job.Status)
	}
	if err == nil {
		s.Ring(ctx, job)
	}
	return job, noJob(jobID, err)
}

func noJob(id string, err error) error {
	if errors.Is(err, record.ErrNotFound) {
		return apierr.Errorf(apierr.NotFound, "There is no job %s.", usertext.Quote(id))
	}
	return err
}
