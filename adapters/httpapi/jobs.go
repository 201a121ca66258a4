package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// JobPath is the path of a job. (huma sees exported types only.)
type JobPath struct {
	JobID string `path:"jobId" format:"uuid" doc:"The job."`
}

type pollJob struct {
	JobPath
	Waiting
}

type listJobs struct {
	Page        int    `query:"page" minimum:"1" default:"1" doc:"One-based page."`
	PageSize    int    `query:"pageSize" minimum:"1" maximum:"100" default:"20" doc:"Jobs per page."`
	PartID      string `query:"partId" format:"uuid" doc:"Only jobs of this part."`
	Status      string `query:"status" enum:"queued,running,succeeded,failed" doc:"Only jobs in this state."`
	ProductType string `query:"productType" maxLength:"64" doc:"Only jobs of this product operation."`
}

func (a *api) registerJobs() {
	both(a, explained(operation(http.MethodGet, "/jobs", "list-jobs", "List jobs, newest first", core),
		"One page of the team's jobs. The filters are joined with and; a page after the last one is empty."),
		standing(a, listsKept, a.listJobs))
	look := standing(a, jobsKept, a.readJob)
	both(a, explained(operation(http.MethodGet, "/jobs/{jobId}", "read-job", "Read a job", core,
		apierr.NotFound),
		"Where a job stands: poll it, best with wait, until its status is succeeded or failed."),
		func(ctx context.Context, in *pollJob) (*answer[JobDetail], error) {
			if in.Wait == 0 {
				return look(ctx, &in.JobPath)
			}
			j, err := awaited(a, ctx, in.Waiting, in.JobID, a.use.Jobs.Await)
			if err != nil {
				return nil, a.fail(err)
			}
			return answered(wireJobDetail(j))
		})
	register(a, eventsOperation(), a.watchJob)
	a.registerJobChanges()
}

// changedJob is a job that was asked to change its state.
type changedJob struct {
	Accepted
	Body JobDetail
}

// registerJobChanges adds the operations that change jobs.
func (a *api) registerJobChanges() {
	cancel := explained(operation(http.MethodPost, "/jobs/{jobId}/cancel", "cancel-job", "Cancel a job", core,
		apierr.NotFound, apierr.JobFinished),
		"Ends a job that waits or runs: it fails as cancelled, and a part that was processed for the first time with "+
			"it. A job that has ended is not changed: 409.")
	retry := explained(operation(http.MethodPost, "/jobs/{jobId}/retry", "retry-job", "Retry a failed job", core,
		apierr.NotFound, apierr.JobFinished, apierr.RateLimited, apierr.QuotaExceeded),
		"Queues a failed job again without billing. A job that failed because of the file, and would fail again in "+
			"this version of the service, stays unchanged; a job that has not failed is answered 409.")
	for _, op := range []struct {
		huma.Operation
		change func(ctx context.Context, c account.Caller, jobID string) (job.Job, error)
	}{{cancel, a.use.Jobs.CancelOwn}, {retry, a.use.Parts.Retry}} {
		op.DefaultStatus = http.StatusAccepted
		both(a, op.Operation, func(ctx context.Context, in *JobPath) (*changedJob, error) {
			j, err := op.change(ctx, caller(ctx), in.JobID)
			if err != nil {
				return nil, a.fail(err)
			}
			return &changedJob{a.accepted("/v1/jobs/" + j.ID), wireJobDetail(j)}, nil
		})
	}
}

// The memory for pages and for jobs, bytes of their JSON.
const (
	listsKept = 8 << 20
	jobsKept  = 8 << 20
)

func (a *api) listJobs(ctx context.Context, in *listJobs) (*answer[JobList], error) {
	jobs, err := a.use.Jobs.List(ctx, caller(ctx), job.Filter{
		Page:    record.Page{Page: in.Page, PageSize: in.PageSize},
		PartID:  in.PartID,
		Status:  job.Status(in.Status),
		Product: job.Product(in.ProductType),
	})
	if err != nil {
		return nil, err
	}
	return answered(JobList(pageOf(jobs, wireJob)))
}

func (a *api) readJob(ctx context.Context, in *JobPath) (*answer[JobDetail], error) {
	job, err := a.use.Jobs.Get(ctx, caller(ctx), in.JobID)
	if err != nil {
		return nil, err
	}
	return answered(wireJobDetail(job))
}
