package job

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// Product is the kind of result that a job produces.
type Product string

// The product types of jobs.
const (
	PartProcessing Product = "part_processing" // first run, started by completing the upload
	PartAnalysis   Product = "part_analysis"   // a run that a client requested
	FeatureDetails Product = "feature_details" // datasheets of some features of a run
	Plan           Product = "plan"            // how the part is to be machined
	Toolpaths      Product = "toolpaths"       // a plan, its toolpaths and their proof
	Program        Product = "program"         // the same, and the machine's program
)

var products = []Product{
	PartProcessing, PartAnalysis, FeatureDetails, Plan, Toolpaths, Program,
}

// Status is the state of a job: queued → running → succeeded | failed, and running → queued when a
// worker is lost.
type Status string

// The states of a job.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
)

var statuses = []Status{Queued, Running, Succeeded, Failed}

// Job is one piece of background work on a part.
type Job struct {
	ID      string
	TeamID  string
	PartID  string
	Product Product
	Status  Status
	Input   Input
	Class   SizeClass
	Trace   string // W3C traceparent of the request that created the job; "" = absent

	Progress      *int            // percent within the current attempt; nil: unknown
	FailureCode   fault.Code      // "" unless failed
	FailureReason string          // "" unless failed
	ReportID      string          // "" until succeeded
	Warnings      []fault.Warning // recoverable defects found by the kernel; never nil

	Attempt    int       // attempts counted so far; an attempt given back in good order is not counted
	Token      int64     // fencing token of the newest lease; only grows
	Worker     string    // holder of the lease; "" when not running
	LeaseUntil time.Time // zero when not running
	LeasedAt   time.Time // when the newest lease began; zero before the first
	DueAt      time.Time // earliest time at which a worker may take it

	CreatedAt time.Time
	UpdatedAt time.Time
}

// Input is the parameters of a job, without its part.
type Input struct {
	FeatureDetails bool `json:"featureDetails,omitempty"` // part_analysis: also measure every feature
	// part_analysis: of the mesh, mm; 0 = by the part's size
	ChordTolerance float64         `json:"chordTolerance,omitempty"`
	AngleTolerance float64         `json:"angleTolerance,omitempty"` // part_analysis: of the mesh, degrees; 0 = 20
	Exports        []pipeline.Name `json:"exports,omitempty"`        // part_analysis: additional files to export
	FeatureIDs     []string        `json:"featureIds,omitempty"`     // feature_details: the features to measure
	PlanID         string          `json:"planId,omitempty"`         // plan, toolpaths, program: the plan of the job
}

// Shown are the files that an analysis makes for clients.
func (in Input) Shown() []pipeline.Name {
	return append([]pipeline.Name{pipeline.STL, pipeline.GLB, pipeline.Thumbnail}, in.Exports...)
}

// Wanted are the artifacts that an analysis makes.
func (in Input) Wanted() []pipeline.Name {
	want := append([]pipeline.Name{pipeline.Summary}, in.Shown()...)
	if in.FeatureDetails {
		want = append(want, pipeline.Datasheets)
	}
	return want
}

// Filter narrows and pages a list of jobs. Zero values mean page 1, 20 per page, no filter.
type Filter struct {
	record.Page
	PartID  string
	Status  Status
	Product Product
}

// Query is a valid Filter within one team.
type Query struct {
	TeamID string
	Filter
}

// List returns a page of the team's jobs, newest first. Error code: invalid_request.
func (s *Service) List(ctx context.Context, c account.Caller, f Filter) (record.List[Job], error) {
	return record.Paginate(f.Page, nil, func(p record.Page) ([]Job, int, error) {
		f.Page = p
		if err := f.validate(); err != nil {
			return nil, 0, err
		}
		return s.store.ListJobs(ctx, Query{TeamID: c.TeamID, Filter: f})
	})
}

// validate checks all but the page.
func (f Filter) validate() error {
	switch {
	case f.PartID != "" && uuid.Validate(f.PartID) != nil:
		return apierr.Errorf(apierr.InvalidRequest, "partId is not a UUID.")
	case f.Status != "" && !slices.Contains(statuses, f.Status):
		return apierr.Errorf(apierr.InvalidRequest, "status is one of %v.", statuses)
	case f.Product != "" && !slices.Contains(products, f.Product):
		return apierr.Errorf(apierr.InvalidRequest, "productType is one of %v.", products)
	}
	return nil
}

// Await is Get that waits for a change of the job's state, at most for the duration most. It does not wait for an ended
// job.
func (s *Service) Await(ctx context.Context, c account.Caller, jobID string, most time.Duration) (Job, error) {
	look := func(ctx context.Context) (Job, error) { return s.Get(ctx, c, jobID) }
	return record.WaitForChange(ctx, s.clock, most, look, func(j Job) (string, bool) {
		return string(j.Status), j.Status == Succeeded || j.Status == Failed
	})
}

// Watch calls visit with a job as it is, after each change that clients see, and otherwise after each pulse, with
// changed false. It ends when the job has ended, when ctx ends, and with an error of visit. Error code: not_found.
func (s *Service) Watch(
	ctx context.Context, c account.Caller, jobID string, pulse time.Duration, visit func(j Job, changed bool) error,
) error {
	look := func(ctx context.Context) (Job, error) { return s.Get(ctx, c, jobID) }
	return record.Watch(ctx, s.clock, pulse, look, func(j Job) (string, bool) {
		progress := -1
		if j.Progress != nil {
			progress = *j.Progress
		}
		return fmt.Sprint(j.Status, progress, j.Attempt), j.Status == Succeeded || j.Status == Failed
	}, visit)
}

// Get returns one job of the team. Error code: not_found.
func (s *Service) Get(ctx context.Context, c account.Caller, jobID string) (Job, error) {
	j, err := s.store.Job(ctx, c.TeamID, jobID)
	return j, noJob(jobID, err)
}
