// Package chaos runs many jobs through a real service while its processes and servers are killed, stalled and emptied,
// and then asks the store and the objects whether every job ended exactly once.
//
// Nothing is simulated: the program is the product as it is built, a client sends files over HTTP as any client does,
// workers run the real kernel on them and machine them, and faults are signals to processes and commands to servers.
// The files are small, so that a machine with two cores gets through thousands of jobs in minutes. Which fault comes
// when follows from the seed; what it meets does not, and what must hold at the end does not depend on it.
package chaos

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Config is the configuration of a run.
type Config struct {
	Program string // a built millwright
	File    string // the CAD file of every part
	Dir     string // an empty folder for everything; must hold sources and results of all jobs
	Stack   string // teststack.Single: one process; teststack.Many: API and workers apart
	Jobs    int
	Workers int           // processes of the production stack, runners of the embedded one
	Seed    uint64        // of the order of faults
	Every   time.Duration // between faults
	Rounds  int           // minimum number of rounds of each kind of fault; more while jobs remain
	Limit   time.Duration // of the whole run, after which jobs that have not ended count as stuck
	Log     io.Writer     // progress
}

// Times of the processes under test, short enough that a run sees what they are for many times.
const (
	lease      = 2 * time.Second
	longStall  = 2 * lease
	cleanAfter = 3 * longStall // after which nobody stores anything for a lost attempt any more
)

// Result is what happened and what was found.
type Result struct {
	Stack   string       `json:"stack"`
	Seed    uint64       `json:"seed"`
	Workers int          `json:"workers"`
	Seconds float64      `json:"seconds"`
	Faults  []FaultCount `json:"faults"`
	Audit   Audit        `json:"audit"`
}

// FaultCount says how often a fault struck.
type FaultCount struct {
	Fault string `json:"fault"`
	Count int    `json:"count"`
}

// Run runs the jobs and audits what came of them. An error means that the run itself could not be made.
func Run(ctx context.Context, c Config) (*Result, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	s, err := start(ctx, c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	submitted := make(chan *submission, 1)
	go func() { submitted <- s.submit(ctx) }()
	f := newFaults(s)
	sent, err := f.ride(ctx, submitted)
	if err != nil {
		return nil, err
	}
	if len(sent.refused) > 0 {
		return nil, fmt.Errorf("%d requests were refused, the first: %w", len(sent.refused), sent.refused[0])
	}
	s.settle(ctx)
	audit, err := s.audit(context.WithoutCancel(ctx), sent)
	if err != nil {
		return nil, err
	}
	return &Result{
		Stack: c.Stack, Seed: c.Seed, Workers: c.Workers, Seconds: time.Since(began).Seconds(),
		Faults: f.counts(), Audit: *audit,
	}, nil
}

// settled reports whether nothing is left to do: no job, no traces of lost attempts.
func (s *stack) settled(ctx context.Context) (bool, error) {
	open, err := s.unfinished(ctx)
	if err != nil || open > 0 {
		return false, err
	}
	far := time.Now().Add(time.Hour)
	lost, err := s.Store.LostAttempts(ctx, far, 1)
	return len(lost) == 0, err
}

// settle waits until all is done, or until ctx ends.
func (s *stack) settle(ctx context.Context) {
	for {
		if done, err := s.settled(ctx); err == nil && done {
			return
		}
		if !pause(ctx, 200*time.Millisecond) {
			return
		}
	}
}

// pause waits; false when ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
