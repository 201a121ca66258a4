package worker

import (
	"time"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
)

// EventKind is the kind of an event in a pool.
type EventKind string

// Events of jobs.
const (
	Leased    EventKind = "leased"     // a runner took the job
	Committed EventKind = "committed"  // its result is stored
	Failed    EventKind = "failed"     // it failed for good
	Retried   EventKind = "retried"    // this attempt failed, another follows
	Released  EventKind = "given_back" // the pool stops; the job waits for another
	Fenced    EventKind = "fenced"     // the lease was lost; the objects of this attempt are deleted
	Reclaimed EventKind = "taken_back" // the reaper ended an expired lease
	Cleaned   EventKind = "cleaned"    // the reaper deleted the objects of a lost attempt
	Staged    EventKind = "staged"     // a stage of the attempt is over; Stage is its name and Took its duration
	Ended     EventKind = "ended"      // the attempt is over, with any result; Took is the time since its lease
)

// Events of the pool itself.
const (
	Expired       EventKind = "expired" // Count parts were deleted, older than they are kept
	Reaped        EventKind = "reaped"  // a pass of the reaper ended
	OutageStarted EventKind = "trouble" // Err interrupted the work, which continues or is repeated later
	// OutageEnded reports the end of an outage in a loop of the pool; Took is its duration.
	OutageEnded EventKind = "recovered"
)

// Event is one thing a pool did, for logs, metrics, and tests that wait for it.
type Event struct {
	Kind  EventKind
	Job   job.Job // as leased or reclaimed; zero for events of the pool
	Count int
	Err   error // reason, for Failed, Retried and OutageStarted

	Loop  string // ring, reaper or lease, for OutageStarted and OutageEnded
	Stage Stage
	Took  time.Duration
	// Compute is the compute backends of the stages, with StageKernel.
	Compute *pipeline.ComputeUse
	// Account lists the material that a committed program leaves; nil for other jobs.
	Account *completeness.Account
}

// Stage is a part of an attempt.
type Stage string

// Phases of an attempt, in addition to the pipeline stages, which have their own names.
const (
	StageDownload Stage = "download" // of the CAD file
	StageFetch    Stage = "fetch"    // of an artifact that was stored
	StageKernel   Stage = "kernel"   // all stages of the tree together, with the start of their process
	StageUpload   Stage = "upload"   // of the artifacts, only the time after the stages ended
)

func (p *Pool) emit(kind EventKind, job job.Job, err error) {
	p.OnEvent(Event{Kind: kind, Job: job, Err: err})
}

func (a *attempt) tellStage(s Stage, took time.Duration, use *pipeline.ComputeUse) {
	a.OnEvent(Event{Kind: Staged, Job: a.job, Stage: s, Took: took, Compute: use})
}
