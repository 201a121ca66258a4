package job

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
)

// Store is the job storage for clients and operators.
type Store interface {
	Job(ctx context.Context, teamID, jobID string) (Job, error)
	// ListJobs returns one page, newest first, and the total number of matching jobs.
	ListJobs(ctx context.Context, q Query) (items []Job, total int, err error)

	// Operations across teams, for operators.

	// Cancel ends a queued or running job as failed with why, as Fail does. The lease of a worker that runs it is
	// fenced. ErrEnded: the job has already ended; it is returned unchanged.
	Cancel(ctx context.Context, jobID string, why fault.Error, now time.Time) (Job, error)
	// Requeue queues a failed job again, with its number of attempts reset. Its part is marked as changed, and is
	// processing again if it failed with the job. ErrNotFailed: the job has not failed; it is returned unchanged.
	// record.ErrNotFound: there is no such job, or its part is marked as expired.
	Requeue(ctx context.Context, jobID string, quota account.Quota, now time.Time) (Job, error)
	// CountQueued counts the queued jobs of a team, or of all teams when teamID is "". The count stops at atMost.
	CountQueued(ctx context.Context, teamID string, atMost int) (int, error)
	// Backlog returns the number of waiting jobs and the oldest due time, ordered by product type, then class.
	Backlog(ctx context.Context) ([]Backlog, error)
	// Leases lists the running jobs, oldest lease first, at most limit.
	Leases(ctx context.Context, limit int) ([]Job, error)
}

// Backlog is the number of waiting jobs of one product type and class.
type Backlog struct {
	Product Product
	Class   SizeClass
	Queued  int
	Oldest  time.Time // due time of the job that has waited longest
}

// Job errors of a Store, in addition to the errors of all records.
var (
	ErrNotAvailable = errors.New("no job waits for this worker")
	ErrEnded        = errors.New("the job has ended")
	ErrNotFailed    = errors.New("the job has not failed")
)
