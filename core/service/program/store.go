package program

import (
	"context"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// Store keeps plans, their toolpaths, and programs. Lists are newest first and come with how many there are in all.
type Store interface {
	// Place adds the ordered records, with a usage row if metered, and returns them as stored. It takes the slot of the
	// team's rate limit at the job's CreatedAt. record.ErrExists: one of the ids exists; record.ErrNotFound: the team
	// has no such part, or it is marked as expired; *part.RateLimitedError: the next slot is not open yet. After an
	// error nothing is written.
	Place(ctx context.Context, o JobOrder, terms CreateOptions) (JobOrder, error)
	Plan(ctx context.Context, teamID, planID string) (Plan, error)
	ListPlans(ctx context.Context, teamID, partID string, p record.Page) ([]Plan, int, error)
	// Cutting returns the snapshot of the parameters of a plan.
	Cutting(ctx context.Context, teamID, planID string) ([]byte, error)
	// Set returns the plan's latest toolpaths, or the toolpaths that jobID calculated. record.ErrNotFound: no such
	// toolpaths.
	Set(ctx context.Context, teamID, planID, jobID string) (ToolpathSet, error)
	Program(ctx context.Context, teamID, partID, programID string) (ProgramDetail, error)
	ListPrograms(ctx context.Context, teamID, partID string, p record.Page) ([]ProgramDetail, int, error)
}

// CreateOptions are the circumstances of an order.
type CreateOptions struct {
	Pace    part.RateLimit // Interval 0: unlimited
	Quota   account.Quota
	MeterTo string // id of the key whose use of the job's product is metered; "" = not metered
	// Project is created for a part without a project, and the part put into it; ID "" = no project is created.
	Project catalog.Project
}
