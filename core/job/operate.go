package job

import (
	"context"
	"errors"

	"millwright/core/fault"
	"millwright/core/record"
	"millwright/core/refusal"
)

// What operators do to jobs of any team; the command line calls it.

// Cancel ends a queued or running job. A worker that runs it notices within a heartbeat and stops. Error codes:
// not_found, invalid_request (it has ended).
func (s *Service) Cancel(ctx context.Context, jobID string) (Job, error) {
	why := fault.Error{Code: fault.Cancelled, Reason: "The job was cancelled by an operator."}
	job, err := s.store.Cancel(ctx, jobID, why, s.now())
	if errors.Is(err, ErrEnded) {
		return job, refusal.Errorf(refusal.InvalidRequest, "Job %s has ended already; it %s.", jobID, job.Status)
	}
	return job, noJob(jobID, err)
}

// Retry queues a failed job again, with all its attempts before it. Error codes: not_found, invalid_request (it has
// not failed).
func (s *Service) Retry(ctx context.Context, jobID string) (Job, error) {
	job, err := s.store.Requeue(ctx, jobID, s.now())
	if errors.Is(err, ErrNotFailed) {
		return job, refusal.Errorf(refusal.InvalidRequest, "Job %s has not failed; it is %s.", jobID, job.Status)
	}
	if err == nil {
		s.Ring(ctx, job)
	}
	return job, noJob(jobID, err)
}

func noJob(id string, err error) error {
	if errors.Is(err, record.ErrNotFound) {
		return refusal.Errorf(refusal.NotFound, "There is no job %s.", refusal.Quoted(id))
	}
	return err
}
