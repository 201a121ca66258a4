package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"millwright/core/fault"
	"millwright/core/stage"
)

// ProductType says what a job makes.
type ProductType string

// The product types of jobs.
const (
	ProductPartProcessing ProductType = "part_processing" // first run, started by completing the upload
	ProductPartAnalysis   ProductType = "part_analysis"   // a run asked for by analysing the part
	ProductFeatureDetails ProductType = "feature_details" // datasheets of some features of a run
	ProductProgram        ProductType = "program"
	ProductToolpaths      ProductType = "toolpaths"
)

var productTypes = []ProductType{
	ProductPartProcessing, ProductPartAnalysis, ProductFeatureDetails, ProductProgram, ProductToolpaths,
}

// JobStatus is the state of a job: queued → running → succeeded | failed, and running → queued when a
// worker is lost.
type JobStatus string

// The states of a job.
const (
	JobQueued    JobStatus = "queued"
	JobRunning   JobStatus = "running"
	JobSucceeded JobStatus = "succeeded"
	JobFailed    JobStatus = "failed"
)

var jobStatuses = []JobStatus{JobQueued, JobRunning, JobSucceeded, JobFailed}

// Job is one piece of background work on a part.
type Job struct {
	ID      string
	TeamID  string
	PartID  string
	Product ProductType
	Status  JobStatus
	Input   JobInput
	Class   WorkClass
	Trace   string // trace context of the request that made the job, as W3C traceparent; "" = none

	Progress      *int       // percent within the current attempt; nil before it is known
	FailureCode   fault.Code // "" unless failed
	FailureReason string     // "" unless failed
	ReportID      string     // "" until succeeded
	Warnings      []string   // what the kernel noticed and went on from; never nil

	Attempt    int       // attempts counted so far; an attempt given back in good order is not counted
	Token      int64     // fencing token of the newest lease; only grows
	Worker     string    // holder of the lease; "" when not running
	LeaseUntil time.Time // zero when not running
	LeasedAt   time.Time // when the newest lease began; zero before the first
	DueAt      time.Time // not before this time may a worker take it

	CreatedAt time.Time
	UpdatedAt time.Time
}

// JobInput is what a job was asked for besides its part.
type JobInput struct {
	FeatureDetails bool         `json:"featureDetails,omitempty"` // part_analysis: also measure every feature
	ChordTolerance float64      `json:"chordTolerance,omitempty"` // part_analysis: of the mesh, mm; 0 = by the part's size
	AngleTolerance float64      `json:"angleTolerance,omitempty"` // part_analysis: of the mesh, degrees; 0 = 20
	Exports        []stage.Name `json:"exports,omitempty"`        // part_analysis: files to make besides
	FeatureIDs     []string     `json:"featureIds,omitempty"`     // feature_details: the features to measure
}

// JobFilter narrows and pages a list of jobs. Zero values mean page 1, 20 per page, no filter.
type JobFilter struct {
	Page     int // one-based
	PageSize int // 1 to 100
	PartID   string
	Status   JobStatus
	Product  ProductType
}

// JobQuery is a valid JobFilter within one team.
type JobQuery struct {
	TeamID string
	JobFilter
}

// JobList is one page of jobs, newest first.
type JobList struct {
	Items    []Job
	Page     int
	PageSize int
	Total    int // jobs matching the filter
}

// ListJobs returns a page of the team's jobs, newest first. Error code: invalid_request.
func (s *Service) ListJobs(ctx context.Context, c Caller, f JobFilter) (JobList, error) {
	if f.Page == 0 {
		f.Page = 1
	}
	if f.PageSize == 0 {
		f.PageSize = defaultPageSize
	}
	if err := f.validate(); err != nil {
		return JobList{}, err
	}
	items, total, err := s.store.ListJobs(ctx, JobQuery{TeamID: c.TeamID, JobFilter: f})
	if err != nil {
		return JobList{}, err
	}
	return JobList{Items: items, Page: f.Page, PageSize: f.PageSize, Total: total}, nil
}

func (f JobFilter) validate() error {
	if err := (Page{f.Page, f.PageSize}).validate(); err != nil {
		return err
	}
	switch {
	case f.PartID != "" && uuid.Validate(f.PartID) != nil:
		return Errorf(CodeInvalidRequest, "partId is not a UUID.")
	case f.Status != "" && !slices.Contains(jobStatuses, f.Status):
		return Errorf(CodeInvalidRequest, "status is one of %v.", jobStatuses)
	case f.Product != "" && !slices.Contains(productTypes, f.Product):
		return Errorf(CodeInvalidRequest, "productType is one of %v.", productTypes)
	}
	return nil
}

// JobsVersion names the state of the team's list of jobs: under one version all pages of it are the same.
func (s *Service) JobsVersion(ctx context.Context, c Caller) (int64, error) {
	return s.store.JobsVersion(ctx, c.TeamID)
}

// GetJob returns one job of the team. Error code: not_found.
func (s *Service) GetJob(ctx context.Context, c Caller, jobID string) (Job, error) {
	j, err := s.store.Job(ctx, c.TeamID, jobID)
	if errors.Is(err, ErrNotFound) {
		return Job{}, Errorf(CodeNotFound, "There is no job %s.", quoted(jobID))
	}
	return j, err
}
