package worker

import (
	"time"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
)

// EventKind says what a pool did.
type EventKind string

// What happens to jobs.
const (
	Leased    EventKind = "leased"     // a runner took the job
	Committed EventKind = "committed"  // its result is stored
	Failed    EventKind = "failed"     // it failed for good
	Retried   EventKind = "retried"    // this attempt failed, another follows
	Released  EventKind = "given_back" // the pool stops; the job waits for another
	Fenced    EventKind = "fenced"     // the lease was lost; what this attempt made is deleted
	Reclaimed EventKind = "taken_back" // the reaper ended an expired lease
	Cleaned   EventKind = "cleaned"    // the reaper deleted what a lost attempt left
	Staged    EventKind = "staged"     // a stage of the attempt is over; Stage and Took say which, and how long it took
	Ended     EventKind = "ended"      // the attempt is over, whatever came of it; Took since it was leased
)

// What happens to the pool itself.
const (
	Expired       EventKind = "expired" // Count parts were deleted, older than they are kept
	Reaped        EventKind = "reaped"  // a pass of the reaper ended
	OutageStarted EventKind = "trouble" // Err stood in the way; the work goes on or is taken up again
	// OutageEnded: what stood in the way of a loop of the pool is gone; Took says how long it lasted.
	OutageEnded EventKind = "recovered"
)

// Event is one thing a pool did, for logs, metrics, and tests that wait for it.
type Event struct {
	Kind  EventKind
	Job   job.Job // as it was leased or taken back; zero for events of the pool
	Count int
	Err   error // why, for failed, retried and trouble

	Loop  string // ring, reaper or lease, with their trouble and recovered
	Stage Stage
	Took  time.Duration
	// Compute is what the stages ran on, with StageKernel.
	Compute *pipeline.ComputeUse
	// Account lists the material that a committed program leaves; nil for other jobs.
	Account *completeness.Account
}

// Stage is a part of an attempt.
type Stage string

// What an attempt does besides running the stages of the tree, which are told by their names.
const (
	StageDownload Stage = "download" // of the CAD file
	StageFetch    Stage = "fetch"    // of an artifact that was stored
	StageKernel   Stage = "kernel"   // all stages of the tree together, with the start of their process
	StageUpload   Stage = "upload"   // of what was made, as far as that outlasts the stages
)

func (p *Pool) emit(kind EventKind, job job.Job, err error) {
	p.OnEvent(Event{Kind: kind, Job: job, Err: err})
}

func (a *attempt) tellStage(s Stage, took time.Duration, use *pipeline.ComputeUse) {
	a.OnEvent(Event{Kind: Staged, Job: a.job, Stage: s, Took: took, Compute: use})
}
