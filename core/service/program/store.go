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
	// Place adds what is ordered, with its usage row where it is metered, takes the slot of the team's pace that the
	// job's CreatedAt falls into, and returns the order as it is stored. record.ErrExists: one of the ids is taken;
	// record.ErrNotFound: the team has no such part, or it is marked as expired; *part.TooSoonError: the next slot is
	// not open yet. Then nothing is written.
	Place(ctx context.Context, o JobOrder, terms CreateOptions) (JobOrder, error)
	Plan(ctx context.Context, teamID, planID string) (Plan, error)
	ListPlans(ctx context.Context, teamID, partID string, p record.Page) ([]Plan, int, error)
	// Cutting returns the snapshot that a plan was made with.
	Cutting(ctx context.Context, teamID, planID string) ([]byte, error)
	// ToolpathSet returns the plan's latest toolpaths, or those that jobID calculated. record.ErrNotFound: there are none.
	Set(ctx context.Context, teamID, planID, jobID string) (ToolpathSet, error)
	Program(ctx context.Context, teamID, partID, programID string) (ProgramDetail, error)
	ListPrograms(ctx context.Context, teamID, partID string, p record.Page) ([]ProgramDetail, int, error)
}

// CreateOptions are the circumstances of an order.
type CreateOptions struct {
	Pace    part.RateLimit // Interval 0: unlimited
	Quota   account.Quota
	MeterTo string // id of the key whose use of the job's product is metered; "" = not metered
	// Project is made, and the part put into it, when the part is in none; ID "" = it stays in none.
	Project catalog.Project
}
