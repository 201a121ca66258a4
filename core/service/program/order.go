package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// CreateInput is the request for a program.
type CreateInput struct {
	PartID      string
	CutConfigID string // "": the default of the part's project, else of the caller, else the built-in one

	pipeline.PlanRequest // its excluded features by id, of one run
}

// Created is a queued program, with the state of the team's rate limit.
type Created struct {
	ProgramDetail
	Slot *part.RateLimitState // nil: it is unlimited
}

// Create queues a program of a part that is ready. A part without a project is put into a new project. Error codes:
// not_found (part or cut config), feature_not_found, part_not_ready, invalid_request (with the faults of the fields),
// rate_limited, quota_exceeded, unavailable (too many jobs wait).
func (s *Service) Create(ctx context.Context, c account.Caller, in CreateInput) (Created, error) {
	find := func(id string) (Created, error) {
		p, err := s.Get(ctx, c, in.PartID, id)
		return Created{ProgramDetail: p}, err
	}
	return idempotency.WithFixedID(c, find, func(id string) (Created, error) {
		pt, err := s.readyPart(ctx, c, in.PartID)
		if err != nil {
			return Created{}, err
		}
		o, err := s.ordered(ctx, c, job.Program, pt, &in, nil)
		if err != nil {
			return Created{}, err
		}
		o.addProgram(id, pt)
		name, _ := pipeline.SplitName(pt.FileName)
		pace, now := part.RateLimit{Budget: part.BudgetPrograms, Interval: s.config.CreateInterval}, o.Job.CreatedAt
		o, err = s.place(ctx, c, o, CreateOptions{Pace: pace, MeterTo: c.KeyID, Project: catalog.Project{
			ID: record.NewID(), TeamID: c.TeamID, Name: name,
			CreatedAt: now, UpdatedAt: now,
		}})
		if err != nil {
			return Created{}, err
		}
		return Created{ProgramDetail: ProgramDetail{Program: *o.Program, Plan: *o.Plan}, Slot: pace.Taken()}, nil
	})
}

// CreatePlanInput is the request for a plan.
type CreatePlanInput struct {
	CreateInput
	FeatureIDs []string // features to plan, of one run with those that are excluded; empty: all of the latest
	Name       string
}

// CreatePlan queues a plan of a part that is ready and waits a short time for it. Error codes: not_found (part or cut
// config), feature_not_found, part_not_ready, invalid_request (name, features of two runs, faults of the fields),
// rate_limited, quota_exceeded, unavailable (too many jobs wait).
func (s *Service) CreatePlan(ctx context.Context, c account.Caller, in CreatePlanInput) (Plan, error) {
	find := func(id string) (Plan, error) { return s.Plan(ctx, c, id) }
	p, err := idempotency.WithFixedID(c, find, func(id string) (Plan, error) {
		pt, err := s.readyPart(ctx, c, in.PartID)
		if err != nil {
			return Plan{}, err
		}
		o, err := s.ordered(ctx, c, job.Plan, pt, &in.CreateInput, in.FeatureIDs)
		if err != nil {
			return Plan{}, err
		}
		o.Plan.ID, o.Job.Input.PlanID = id, id
		o.Plan.Name = in.Name
		o, err = s.place(ctx, c, o, CreateOptions{})
		if err != nil {
			return Plan{}, err
		}
		return *o.Plan, nil
	})
	if err != nil {
		return Plan{}, err
	}
	if s.config.PlanWait == 0 || p.Status != Processing {
		return p, nil
	}
	return s.AwaitPlan(ctx, c, p.ID, s.config.PlanWait)
}

// CreateToolpaths queues a plan of a part that is ready together with its toolpaths. Error codes: those of Create.
func (s *Service) CreateToolpaths(ctx context.Context, c account.Caller, in CreateInput) (job.Job, error) {
	find := func(id string) (job.Job, error) { return s.Jobs.Get(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (job.Job, error) {
		pt, err := s.readyPart(ctx, c, in.PartID)
		if err != nil {
			return job.Job{}, err
		}
		o, err := s.ordered(ctx, c, job.Toolpaths, pt, &in, nil)
		if err != nil {
			return job.Job{}, err
		}
		o.Job.ID, o.Plan.JobID = id, id
		o, err = s.place(ctx, c, o, CreateOptions{MeterTo: c.KeyID})
		return o.Job, err
	})
}

// Recalculate queues another set of toolpaths of a plan. Error codes: not_found, rate_limited, quota_exceeded,
// unavailable (too many jobs wait).
func (s *Service) Recalculate(ctx context.Context, c account.Caller, planID string) (job.Job, error) {
	find := func(id string) (job.Job, error) { return s.Jobs.Get(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (job.Job, error) {
		plan, err := s.Plan(ctx, c, planID)
		if err != nil {
			return job.Job{}, err
		}
		pt, err := s.Parts.Get(ctx, c, plan.PartID)
		if err != nil {
			return job.Job{}, err
		}
		j := s.newJob(ctx, job.Toolpaths, pt)
		j.ID, j.Input.PlanID = id, plan.ID
		o, err := s.place(ctx, c, JobOrder{Job: j}, CreateOptions{MeterTo: c.KeyID})
		return o.Job, err
	})
}

// readyPart returns a part that has a result. Error codes: not_found, part_not_ready.
func (s *Service) readyPart(ctx context.Context, c account.Caller, partID string) (part.Part, error) {
	pt, err := s.Parts.Get(ctx, c, partID)
	if err == nil && pt.Status != part.Ready {
		err = apierr.Errorf(apierr.PartNotReady, "The part is %s; it can be planned once it is ready.", pt.Status)
	}
	return pt, err
}

// cutting returns a snapshot of a cut config and its tools; configID "" selects the default. Error code: not_found.
func (s *Service) cutting(
	ctx context.Context, c account.Caller, pt part.Part, configID string,
) (*pipeline.PlanParams, error) {
	if configID == "" {
		var err error
		if configID, err = s.Catalog.DefaultCutConfig(ctx, c, pt.ProjectID); err != nil {
			return nil, err
		}
	}
	config, err := s.Catalog.GetCutConfig(ctx, c, configID)
	if err != nil {
		return nil, err
	}
	tools, err := s.Catalog.ToolsOf(ctx, c, config.CutConfig)
	config.IsDefault = false // depends on the user and does not affect the plan
	return &pipeline.PlanParams{Config: config.CutConfig, Tools: tools}, err
}

// order is a plan and the job that makes it.
func (s *Service) order(ctx context.Context, p job.Product, pt part.Part,
	cutting *pipeline.PlanParams,
) (JobOrder, error) {
	snapshot, err := encode(cutting)
	if err != nil {
		return JobOrder{}, fmt.Errorf("take down the cut config: %w", err)
	}
	sum := sha256.Sum256(snapshot)
	j := s.newJob(ctx, p, pt)
	j.Input.PlanID = record.NewID()
	return JobOrder{Job: j, Cutting: snapshot, Plan: &Plan{
		ID: j.Input.PlanID, TeamID: pt.TeamID, PartID: pt.ID, ReportID: pt.ReportID, JobID: j.ID,
		CutConfigID: cutting.Config.ID, Snapshot: hex.EncodeToString(sum[:]), Status: Processing,
		CreatedAt: j.CreatedAt, UpdatedAt: j.CreatedAt,
	}}, nil
}

// addProgram has the order be of a program too.
func (o *JobOrder) addProgram(id string, pt part.Part) {
	o.Program = &Program{
		ID: id, TeamID: pt.TeamID, PartID: pt.ID, ProjectID: pt.ProjectID, PlanID: o.Plan.ID, JobID: o.Job.ID,
		Status: Processing, CreatedAt: o.Job.CreatedAt, UpdatedAt: o.Job.CreatedAt,
	}
}

func (s *Service) newJob(ctx context.Context, p job.Product, pt part.Part) job.Job {
	now, size := s.now(), int64(0)
	if pt.SizeBytes != nil { // always, for a part that is ready
		size = *pt.SizeBytes
	}
	return job.Job{
		ID: record.NewID(), TeamID: pt.TeamID, PartID: pt.ID, Product: p, Status: job.Queued,
		Class: job.SizeClassOf(p, size), Trace: s.Trace(ctx), Warnings: []fault.Warning{},
		DueAt: now, CreatedAt: now, UpdatedAt: now,
	}
}

// place stores an order whose job is admitted.
func (s *Service) place(ctx context.Context, c account.Caller, o JobOrder, terms CreateOptions) (JobOrder, error) {
	if err := s.Jobs.Admit(ctx, c.TeamID); err != nil {
		return JobOrder{}, err
	}
	terms.Quota = s.config.Quota
	placed, err := s.Store.Place(ctx, o, terms)
	var early *part.RateLimitedError
	switch {
	case errors.As(err, &early):
		return JobOrder{}, terms.Pace.Refused(early, s.now())
	case errors.Is(err, record.ErrNotFound): // deleted a moment ago
		return JobOrder{}, apierr.Errorf(apierr.NotFound, "There is no part %s.", usertext.Quote(o.Job.PartID))
	case err != nil:
		return JobOrder{}, err
	}
	s.Jobs.Ring(ctx, placed.Job)
	return placed, nil
}

// Follow returns the programs to make when a part becomes ready: one for each cut config named at the part's creation.
// If a cut config no longer exists, its program has failed.
func (s *Service) Follow(ctx context.Context, pt part.Part) ([]JobOrder, error) {
	if !pt.AutoCreateProgram {
		return nil, nil
	}
	configs := pt.CutConfigIDs
	if len(configs) == 0 { // created before there were programs
		configs = []string{""}
	}
	var out []JobOrder
	for _, id := range configs {
		cutting, err := s.cutting(ctx, account.Caller{TeamID: pt.TeamID}, pt, id)
		var refused *apierr.Error
		gone := errors.As(err, &refused) && refused.Code == apierr.NotFound
		switch {
		case gone:
			cutting = &pipeline.PlanParams{}
			cutting.Config.ID = id
		case err != nil:
			return nil, err
		}
		o, err := s.order(ctx, job.Program, pt, cutting)
		if err != nil {
			return nil, err
		}
		o.addProgram(record.NewID(), pt)
		if gone {
			o.Job = job.Job{} // there is nothing to do
			why := Failure{fault.Cancelled, fmt.Sprintf("The cut config %s was deleted before the part was ready.", id)}
			o.Plan.JobID, o.Plan.Status, o.Plan.Failure = "", Failed, why
			o.Program.JobID, o.Program.Status, o.Program.Failure = "", Failed, why
		}
		out = append(out, o)
	}
	return out, nil
}
