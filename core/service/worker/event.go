package worker

import "millwright/core/service"

// EventKind says what a pool did.
type EventKind string

// What happens to jobs.
const (
	Leased    EventKind = "leased"     // a runner took the job
	Committed EventKind = "committed"  // its result is stored
	Failed    EventKind = "failed"     // it failed for good
	Retried   EventKind = "retried"    // this attempt failed, another follows
	GivenBack EventKind = "given_back" // the pool stops; the job waits for another
	Fenced    EventKind = "fenced"     // the lease was lost; what this attempt made is deleted
	TakenBack EventKind = "taken_back" // the reaper ended an expired lease
	Cleaned   EventKind = "cleaned"    // the reaper deleted what a lost attempt left
)

// What happens to the pool itself.
const (
	Relayed EventKind = "relayed" // Count wake-ups were published
	Reaped  EventKind = "reaped"  // a pass of the reaper ended
	Trouble EventKind = "trouble" // Err stood in the way; the work goes on or is taken up again
)

// Event is one thing a pool did, for logs, metrics, and tests that wait for it.
type Event struct {
	Kind  EventKind
	Job   service.Job // as it was leased or taken back; zero for events of the pool
	Count int
	Err   error // why, for failed, retried and trouble
}

func (p *Pool) tell(kind EventKind, job service.Job, err error) {
	p.OnEvent(Event{Kind: kind, Job: job, Err: err})
}
