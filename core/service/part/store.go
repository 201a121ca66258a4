package part

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
)

// Store keeps parts, the jobs that are queued on them, and the immutable reports of their analysis runs.
type Store interface {
	// CreatePart adds a part and takes the slot of the team's rate limit at its CreatedAt. record.ErrExists: the id is
	// taken; no slot is used. *RateLimitedError: the next slot is not open yet; nothing is written. A team that has
	// used its whole quota of bytes gets no part.
	CreatePart(ctx context.Context, p Part, terms CreateTerms) error
	Part(ctx context.Context, teamID, partID string) (Part, error)
	// ListParts returns one page, newest first, and the total number of matching parts.
	ListParts(ctx context.Context, q Query) (items []Part, total int, err error)
	// UpdatePart applies edit to the current part and stores its name, project and UpdatedAt. An error of edit is
	// returned, and nothing is written. record.ErrNotFound: no such part.
	UpdatePart(ctx context.Context, teamID, partID string, edit func(*Part) error) (Part, error)
	// Discard marks a part as deleted: it can no longer be read, get jobs, or share its artifacts. Uploads for it may
	// arrive until lateUploads. record.ErrNotFound: there is no such part, or it is already marked.
	Discard(ctx context.Context, teamID, partID string, now, lateUploads time.Time) (DeletedPart, error)
	Purger
	// Enqueue adds a queued job, with its usage row if it is metered, and makes it the part's latest. A pending part
	// becomes processing. The size is set on the part, and counts toward the quota of bytes from then on.
	// record.ErrExists: the id is taken; record.ErrNotFound: the team has no such part, or it is marked as expired.
	// Then nothing is written.
	Enqueue(ctx context.Context, j job.Job, terms EnqueueOptions) (Part, error)
	// JudgedJob returns the newest job on the part that failed by one of the judges (worker.Attempts.Fail).
	// record.ErrNotFound: no such job.
	JudgedJob(ctx context.Context, teamID, partID string, judges []string) (job.Job, error)
	// Report returns the part's latest report, or the report that jobID created or extended with details.
	// record.ErrNotFound: no such report.
	Report(ctx context.Context, teamID, partID, jobID string) (AnalysisReport, error)
	// ReportByID returns a report of the team. record.ErrNotFound: no such report.
	ReportByID(ctx context.Context, teamID, reportID string) (AnalysisReport, error)
	// Features returns the features of a report, in its order.
	Features(ctx context.Context, teamID, reportID string) ([]Feature, error)
	// FeaturesByID returns the given features that the team has, in the order of the list.
	FeaturesByID(ctx context.Context, teamID string, featureIDs []string) ([]Feature, error)
}

// CreateTerms are the circumstances of a new part.
type CreateTerms struct {
	RateLimit RateLimit
	Quota     account.Quota
}

// EnqueueOptions are the circumstances of a new job.
type EnqueueOptions struct {
	SourceSize int64 // bytes of the part's file
	// OnlyIfPending returns a part that has left pending as it is, and writes nothing.
	OnlyIfPending bool
	MeterTo       string // id of the key whose use of the job's product is metered; "" = not metered
	Quota         account.Quota
}
