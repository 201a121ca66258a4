package httpapi

import (
	"context"
	"net/http"

	"millwright/core/job"
	"millwright/core/record"
	"millwright/core/refusal"
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
	both(a, explained(operation(http.MethodGet, "/jobs", "list-jobs", "List jobs, newest first", core),
		"One page of the team's jobs. The filters are joined with and; a page after the last one is empty."),
		shared(a, a.listJobs))
	both(a, explained(operation(http.MethodGet, "/jobs/{jobId}", "read-job", "Read a job", core,
		refusal.NotFound),
		"Where a job stands: poll it until its status is succeeded or failed."), shared(a, a.readJob))
}

// listOfJobs is a page of a team's list in one of its states.
type listOfJobs struct {
	teamAsks[listJobs]
	version int64
}

type jobList struct{ Body encoded[JobList] }

// listsKept is the memory for pages, bytes of their JSON.
const listsKept = 8 << 20

// listJobs asks for the version first: a page that is kept under it may be newer, never older.
func (a *api) listJobs(ctx context.Context, in *listJobs) (*jobList, error) {
	version, err := a.use.Jobs.Version(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	page := listOfJobs{teamAsks[listJobs]{caller(ctx).TeamID, *in}, version}
	if known, ok := a.lists.Get(page); ok {
		return known, nil
	}
	out, err := a.readJobs(ctx, in)
	if err == nil {
		a.lists.Put(page, out, len(out.Body.text))
	}
	return out, err
}

func (a *api) readJobs(ctx context.Context, in *listJobs) (*jobList, error) {
	jobs, err := a.use.Jobs.List(ctx, caller(ctx), job.Filter{
		Page:    record.Page{Page: in.Page, PageSize: in.PageSize},
		PartID:  in.PartID,
		Status:  job.Status(in.Status),
		Product: job.Product(in.ProductType),
	})
	if err != nil {
		return nil, err
	}
	out := JobList{
		Items: make([]JobSummary, len(jobs.Items)), Page: jobs.Page, PageSize: jobs.PageSize, Total: jobs.Total,
	}
	for i, j := range jobs.Items {
		out.Items[i] = wireJob(j)
	}
	body, err := encode(out)
	return &jobList{body}, err
}

func (a *api) readJob(ctx context.Context, in *jobPath) (*struct{ Body encoded[JobDetail] }, error) {
	job, err := a.use.Jobs.Get(ctx, caller(ctx), in.JobID)
	if err != nil {
		return nil, err
	}
	body, err := encode(wireJobDetail(job))
	return &struct{ Body encoded[JobDetail] }{body}, err
}
