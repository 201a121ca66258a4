package worker

import (
	"context"
	"time"

	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
)

// Attempts moves jobs through their states on behalf of workers and the reaper.
type Attempts interface {
	// LeaseNext makes a due, queued job running: the first in WorkFilter.Order, and of its lane the job due longest.
	// Its attempt and token rise by one, its progress starts again at null, and the team counts as served. Concurrent
	// callers get different jobs. ErrNotAvailable: no due job passes the filter. It costs at most one index lookup for
	// each lane (team, product type and class with waiting jobs), independent of the number of waiting jobs.
	LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease) (job.Job, part.Part, error)
	// Heartbeat extends the lease and raises the progress (percent, never lowered; nil leaves it).
	Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, progress *int, now time.Time) error

	// Commit ends the job as succeeded and links the artifacts to its part. With a report the part becomes ready; the
	// first time, the orders in Follow are placed, and the first of their programs becomes the part's current one. The
	// results of a plan and the outcome of the job's program are stored with it; a ready plan stays unchanged. With
	// datasheets for features of an earlier report, they replace the features' datasheets, and the report stays
	// unchanged. record.ErrFenced: also if the part is marked as deleted. record.ErrNotFound: one of the features does
	// not exist. part.ErrObjectDeleted: a used object has no unmarked part of the team any more. After an error nothing
	// is written.
	Commit(ctx context.Context, f job.FencingToken, o Outcome, now time.Time) error
	// Fail ends the job as failed, with why's judge if it has one, and also the plan and the program that the job
	// makes. Its part becomes failed if it is processing and no other job on it is queued or running. Its format
	// becomes why's format if that is known.
	Fail(ctx context.Context, f job.FencingToken, why fault.Error, now time.Time) error
	// Retry puts the job back into the queue, due at the given time.
	Retry(ctx context.Context, f job.FencingToken, due, now time.Time) error
	// GiveBack is Retry for a worker that stops in good order: the attempt is not counted, and the job keeps its place
	// and its due time.
	GiveBack(ctx context.Context, f job.FencingToken, now time.Time) error

	// TakeBack ends leases that have expired. The job is queued again at its old place if it has had fewer than
	// maxAttempts attempts, else it fails with why. Oldest leases first, at most limit.
	TakeBack(ctx context.Context, now time.Time, maxAttempts int, why fault.Error, limit int) ([]job.Job, error)

	// LostAttempts lists leases that ended without a commit before the given time and whose objects were
	// not deleted yet, oldest first.
	LostAttempts(ctx context.Context, endedBefore time.Time, limit int) ([]LostAttempt, error)
	// Forget records that the objects of a lost attempt are deleted.
	Forget(ctx context.Context, f job.FencingToken) error
}

// Retention removes records past their retention time.
type Retention interface {
	// PurgeRequests removes at most limit requests past their retention time and returns the number removed.
	PurgeRequests(ctx context.Context, now time.Time, limit int) (int, error)
	// Expire marks at most limit parts as deleted: parts unchanged since before, without jobs that wait, run, or may
	// have left objects. It returns at most limit marked parts, oldest mark first, without jobs that run or may have
	// left objects. The mark may come from any caller. A marked part cannot be read, get jobs, or share its artifacts,
	// and no job on it is committed. Parts with only the mark left are returned once no upload for them is possible any
	// more.
	Expire(ctx context.Context, before, now time.Time, limit int) ([]part.DeletedPart, error)
	part.Purger
}

// Records is the records that an attempt reads.
type Records interface {
	Job(ctx context.Context, teamID, jobID string) (job.Job, error)
	// Features returns the features of a report, in its order.
	Features(ctx context.Context, teamID, reportID string) ([]part.Feature, error)
	// FeaturesByID returns the given features that the team has, in the order of the list.
	FeaturesByID(ctx context.Context, teamID string, featureIDs []string) ([]part.Feature, error)
	// Artifacts returns the artifacts of the given keys that unmarked parts of the team reference, in the order of the
	// list. The keys are distinct; each key gives at most one artifact, the one referenced last.
	Artifacts(ctx context.Context, teamID string, keys []string) ([]part.Artifact, error)
}

// Programs is the use cases of programs that pools call.
type Programs interface {
	// Follow returns the orders to place once a part is ready.
	Follow(ctx context.Context, p part.Part) ([]program.JobOrder, error)
	// Cutting returns a plan and its parameters.
	Cutting(ctx context.Context, teamID, planID string) (program.Plan, *pipeline.PlanParams, error)
	// Judge ends a program of a part with a title.
	Judge(title string, made *program.PlanSummary, paths *toolpath.Set, proof *verify.Report,
		post string) program.ProgramOutcome
}

// LostAttempt is a lease that ended without a result; objects may lie under its keys.
type LostAttempt struct {
	job.FencingToken
	TeamID string
	PartID string
}
