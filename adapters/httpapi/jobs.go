package httpapi

import (
	"context"
	"net/http"

	"millwright/core/service"
)

type jobPath struct {
	JobID string `path:"jobId" format:"uuid" doc:"The job."`
}

type listJobs struct {
	Page        int    `query:"page" minimum:"1" default:"1" doc:"One-based page."`
	PageSize    int    `query:"pageSize" minimum:"1" maximum:"100" default:"20" doc:"Jobs per page."`
	PartID      string `query:"partId" format:"uuid" doc:"Only jobs of this part."`
	Status      string `query:"status" enum:"queued,running,succeeded,failed" doc:"Only jobs in this state."`
	ProductType string `query:"productType" maxLength:"64" doc:"Only jobs of this product operation."`
}

func (a *api) registerJobs() {
	both(a, recalled(explained(operation(http.MethodGet, "/jobs", "list-jobs", "List jobs, newest first", core),
		"One page of the team's jobs. The filters are joined with and; a page after the last one is empty.")),
		a.listJobs)
	both(a, recalled(explained(operation(http.MethodGet, "/jobs/{jobId}", "read-job", "Read a job", core,
		service.CodeNotFound),
		"Where a job stands: poll it until its status is succeeded or failed.")), a.readJob)
}

func (a *api) listJobs(ctx context.Context, in *listJobs) (*struct{ Body JobList }, error) {
	jobs, err := a.service.ListJobs(ctx, caller(ctx), service.JobFilter{
		Page:     in.Page,
		PageSize: in.PageSize,
		PartID:   in.PartID,
		Status:   service.JobStatus(in.Status),
		Product:  service.ProductType(in.ProductType),
	})
	if err != nil {
		return nil, a.fail(err)
	}
	out := JobList{
		Items: make([]JobSummary, len(jobs.Items)), Page: jobs.Page, PageSize: jobs.PageSize, Total: jobs.Total,
	}
	for i, j := range jobs.Items {
		out.Items[i] = wireJob(j)
	}
	return &struct{ Body JobList }{out}, nil
}

func (a *api) readJob(ctx context.Context, in *jobPath) (*struct{ Body JobDetail }, error) {
	job, err := a.service.GetJob(ctx, caller(ctx), in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &struct{ Body JobDetail }{wireJobDetail(job)}, nil
}
