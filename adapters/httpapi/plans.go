package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
)

// PlanPath is the path of a plan. (huma sees exported types only.)
type PlanPath struct {
	PlanID string `path:"planId" format:"uuid" doc:"The plan."`
}

// SetPath is the path of toolpaths of a plan. (huma sees exported types only.)
type SetPath struct {
	PlanPath
	JobID string `query:"jobId" format:"uuid" doc:"The job of the toolpaths; the latest by default."`
}

type createPlan struct {
	PartPath
	Body *PlanRequest `required:"false"`
}

type pollPlan struct {
	PlanPath
	Waiting
	Known
}

type readTime struct {
	SetPath
	Known
}

// early marks an operation as early access.
func early(op huma.Operation) huma.Operation {
	op.Extensions["x-experimental"] = true
	return op
}

func (a *api) registerPlans() {
	create := early(explained(operation(http.MethodPost, "/parts/{id}/plans", "create-plan-v0", "Create a plan", dfm,
		apierr.NotFound, apierr.FeatureNotFound, apierr.PartNotReady, apierr.RateLimited, apierr.QuotaExceeded),
		"Stock, setups, operations with tools, and what cannot be made and why, for one cut config as it is now. The plan of "+
			"a small part is ready in the answer; that of a larger one is processing: poll it."))
	create.DefaultStatus = http.StatusCreated
	makings[PlanRead](a, create, "create-plan", a.createPlan)
	register(a, early(explained(operation(http.MethodGet, "/v1/parts/{id}/plans", "list-plans", "List the plans of a part",
		dfm, apierr.NotFound), "One page of them, newest first, those of programs too; a page after the last one is empty.")),
		a.listPlans)
	register(a, orNotModified(early(explained(operation(http.MethodGet, "/v1/plans/{planId}", "read-plan", "Read a plan",
		dfm, apierr.NotFound), "At every status: poll it, best with wait, until it is ready or failed."))), a.readPlan)
	a.registerToolpaths()
}

func (a *api) registerToolpaths() {
	create := early(metered(explained(operation(http.MethodPost, "/parts/{id}/toolpaths", "create-toolpaths",
		"Plan a part and calculate its toolpaths", quoting, apierr.NotFound, apierr.FeatureNotFound, apierr.PartNotReady,
		apierr.RateLimited, apierr.QuotaExceeded),
		"Makes a plan as the creation of one does, calculates its toolpaths and proves them. Poll the job, then read them "+
			"by the plan.")))
	create.DefaultStatus = http.StatusAccepted
	both(a, create, a.createToolpaths)
	again := early(metered(explained(operation(http.MethodPost, "/v1/plans/{planId}/toolpaths", "calculate-toolpaths",
		"Calculate the toolpaths of a plan", quoting, apierr.NotFound, apierr.RateLimited, apierr.QuotaExceeded),
		"Each calculation makes a separate set. Poll the job, then read them.")))
	again.DefaultStatus = http.StatusAccepted
	register(a, again, a.recalculate)
	register(a, early(explained(operation(http.MethodGet, "/v1/plans/{planId}/toolpaths", "read-toolpaths",
		"Read the toolpaths of a plan", quoting, apierr.NotFound, apierr.NoToolpaths),
		"What every operation does and leaves, what the proof found, and addresses of the geometry that live 15 minutes.")),
		a.readToolpaths)
	both(a, orNotModified(early(explained(operation(http.MethodGet, "/plans/{planId}/machining-time", "read-machining-time",
		"Read the machining time of a plan", quoting, apierr.NotFound, apierr.NoToolpaths),
		"How long its toolpaths take for one part, by setups and operations."))), a.readTime)
}

func (a *api) createPlan(ctx context.Context, in *createPlan, _ string) (p PlanRecord, at string, err error) {
	made, err := a.use.Programs.CreatePlan(ctx, caller(ctx), in.Body.order(in.ID))
	return wirePlan(made), "/v1/plans/" + made.ID, err
}

func (a *api) readPlan(ctx context.Context, in *pollPlan) (*named[encoded[PlanRecord]], error) {
	p, err := awaited(a, ctx, in.Waiting, in.PlanID, a.use.Programs.AwaitPlan)
	if err != nil {
		return nil, a.fail(err)
	}
	return unlessKnown(in.Known, wirePlan(p))
}

func (a *api) listPlans(ctx context.Context, in *listOfPart) (*body[PlanList], error) {
	list, err := a.use.Programs.Plans(ctx, caller(ctx), in.ID, in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[PlanList]{PlanList(pageOf(list, wirePlan))}, nil
}

// queuedToolpaths is toolpaths that wait.
type queuedToolpaths struct {
	Accepted
	Body QueuedToolpaths
}

func (a *api) toolpathsQueued(j job.Job, err error) (*queuedToolpaths, error) {
	if err != nil {
		return nil, a.fail(err)
	}
	return &queuedToolpaths{a.accepted("/v1/jobs/" + j.ID), QueuedToolpaths{
		JobID: j.ID, PlanID: j.Input.PlanID, PartID: j.PartID, Status: string(job.Queued),
	}}, nil
}

func (a *api) createToolpaths(ctx context.Context, in *createProgram) (*queuedToolpaths, error) {
	return a.toolpathsQueued(a.use.Programs.CreateToolpaths(ctx, caller(ctx), in.Body.order(in.ID)))
}

func (a *api) recalculate(ctx context.Context, in *PlanPath) (*queuedToolpaths, error) {
	return a.toolpathsQueued(a.use.Programs.Recalculate(ctx, caller(ctx), in.PlanID))
}

func (a *api) readToolpaths(ctx context.Context, in *SetPath) (*body[ToolpathSet], error) {
	t, err := a.use.Programs.Toolpaths(ctx, caller(ctx), in.PlanID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[ToolpathSet]{wireToolpaths(&t)}, nil
}

func (a *api) readTime(ctx context.Context, in *readTime) (*named[encoded[MachiningTime]], error) {
	times, err := a.use.Programs.Time(ctx, caller(ctx), in.PlanID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return unlessKnown(in.Known, wireTimes(in.PlanID, &times))
}
